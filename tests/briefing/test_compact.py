"""Findings for a language model: a page at most, the fix as a patch, notes left out."""

from __future__ import annotations

import json

import bpe_openai
from syrupy.assertion import SnapshotAssertion

import wfc
from bench.mutations.corpus import originals
from tests.cli.conftest import APPROVAL
from wfc.briefing import compact
from wfc.planner import JSON_FORM, Message, Options, Reply, plan


def broken(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def test_what_is_told(snapshot: SnapshotAssertion) -> None:
    text = broken(json.dumps(APPROVAL), ('"to": "ask"', '"to": "aks"'), ('"path": "input.name"', '"path": "input.nam"'))
    assert compact(wfc.check(json.loads(text)).diagnostics) == snapshot


def test_what_is_beyond_is_counted() -> None:
    found = wfc.check(json.loads(broken(json.dumps(APPROVAL), ('"outcome": ', '"outcom": ')))).diagnostics
    assert len(found) > 3
    assert compact(found, most=2).splitlines()[-1] == f"and {len(found) - 2} more"


def test_a_question_about_ten_findings_costs_at_most_1500_tokens() -> None:
    """The largest workflows, every edge of which is wrong, so that nothing else hides the findings."""
    encoding = bpe_openai.get_encoding("o200k_base")
    largest = sorted(originals(), key=lambda one: -len(json.dumps(one.document)))[:3]
    for original in largest:
        wrong = json.loads(json.dumps(original.document))
        for workflow in wrong.get("workflows") or [wrong]:
            for edge in workflow["edges"]:
                edge["to"] += "_of_a_name_that_is_far_too_long_to_be_misspelt_by_accident"
        asked: list[str] = []

        class Once:
            def answer(self, messages: list[Message], wrong: object = wrong, asked: list[str] = asked) -> Reply:
                asked.append(messages[-1].text)
                return Reply(json.dumps(wrong))

        made = plan("x", Once(), capabilities=None, options=Options(max_rounds=1, auto_fix=False, form=JSON_FORM))
        assert len(made.rounds[0].findings) >= 10
        assert len(encoding.encode(asked[-1])) <= 1500
