"""The language card: within its budget, and every sentence of it is true. A sentence without a proof fails."""

from __future__ import annotations

import json
import re
from typing import Any

import bpe_openai
import pytest

import wfc
from tests.briefing.sentences import KNOWN, PROOFS, found
from wfc.briefing import RULES, filled, language_card, model_lines, text_card
from wfc.briefing.card import FIRST_EXAMPLE, SECOND_EXAMPLE, STEPS
from wfc.frontend import workflow_schema
from wfc.ir import CATCHABLE, REDUCERS
from wfc.ir.std import BUILTINS, INTERRUPT_KINDS

# Paths have a second spelling, for compiled forms.
STRUCTURAL = {"root", "parts"}


def test_it_keeps_to_2000_tokens() -> None:
    assert len(bpe_openai.get_encoding("o200k_base").encode(language_card())) <= 2000


def test_every_rule_has_its_proof() -> None:
    told = {rule: [beginning for beginning in PROOFS if rule.startswith(beginning)] for rule in RULES}
    assert {rule: proofs for rule, proofs in told.items() if len(proofs) != 1} == {}
    assert len(PROOFS) == len(RULES)


@pytest.mark.parametrize("beginning", PROOFS)
def test_what_a_rule_allows_is_clean_and_what_it_forbids_is_found(beginning: str) -> None:
    allowed, forbidden = PROOFS[beginning]
    assert [found(one) for one in allowed] == [set()] * len(allowed)
    assert [code in found(one) for one, code in forbidden] == [True] * len(forbidden), [
        found(one) for one, _ in forbidden
    ]


@pytest.mark.parametrize("example", [FIRST_EXAMPLE, SECOND_EXAMPLE])
def test_the_examples_are_clean_strictly_and_stand_on_the_card(example: dict[str, Any]) -> None:
    report = wfc.check(filled(json.loads(json.dumps(example)), KNOWN), strict=True)
    assert [one.code.code for one in report.diagnostics] == []
    assert json.dumps(example, separators=(",", ":")) in language_card()


def test_the_examples_show_every_kind_of_step_that_is_not_in_a_rule() -> None:
    shown = {one["type"] for example in (FIRST_EXAMPLE, SECOND_EXAMPLE) for one in example["nodes"]}
    ruled = {kind for kind in STEPS if any(rule.startswith(f"{kind}:") for rule in RULES)}
    assert shown | ruled == set(STEPS)


@pytest.mark.parametrize("card", [language_card(), text_card()], ids=["json", "text"])
def test_older_spellings_are_taught_to_nobody(card: str) -> None:
    assert [old for old in ("in_map", "input_values", "out_map", "request_map", '"fields"') if old in card] == []


def test_the_operators_of_conditions_are_those_of_the_model() -> None:
    operators = workflow_schema()["$defs"]["condition"]["properties"]["op"]["enum"]
    told = [one for ops in re.findall(r'"op": "([a-z|]+)"', language_card()) for one in ops.split("|")]
    assert (sorted(told), len(told)) == (sorted(operators), 10)


def test_the_card_tells_the_whole_model() -> None:
    """Each field of each step, of workflows and definitions; all reducers, interrupt kinds and built-in nodes."""
    card, defined = language_card(), workflow_schema()["$defs"]
    lines = "\n".join(model_lines())
    for name in (*(f"{kind}_step" for kind in STEPS), "workflow", "node_definition", "edge"):
        for field in defined[name]["properties"]:
            assert field in ("id", "type", "desc") or f" {field}" in lines
    assert {one.removesuffix("_step") for one in defined if one.endswith("_step")} == set(STEPS)
    names = [one.name.rpartition(".")[2] for one in REDUCERS] + [one.key for one in BUILTINS] + list(INTERRUPT_KINDS)
    assert [name for name in names if name not in card] == []


def test_the_card_tells_every_word_of_the_published_schema() -> None:
    """Fields at any depth, values to choose from, codes of errors: whatever the language gains has to be told."""
    known = set(re.findall(r"[A-Za-z_]+", language_card()))
    assert [word for word in sorted(words_of(workflow_schema())) if word not in known] == []


def words_of(schema: dict[str, Any]) -> set[str]:
    """The names of fields and the values of a JSON Schema, except those of what `not` forbids."""
    found: set[str] = set(CATCHABLE) | {key for reducer in REDUCERS for key in reducer.config}
    waiting: list[Any] = [schema]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            if isinstance(one.get("properties"), dict) and set(one["properties"]) != STRUCTURAL:
                found |= set(one["properties"])
            found |= {value for value in (*one.get("enum", ()), one.get("const")) if isinstance(value, str)}
            waiting += [inner for key, inner in one.items() if key != "not"]
    return found - {"local"}
