"""The examples of the codes about bindings, state and steps: what they promise is all that any pass finds in them."""

import json

import pytest

from tests.passes.test_examples import marked, parted
from tests.passes.workflows import NAME, nowhere
from wfc import check
from wfc.diagnostics import Applicability, Code, Diagnostic
from wfc.edits import apply_patch
from wfc.frontend import Document, elaborate, read_json
from wfc.passes import PIPELINE, examine

PASSES = (
    "overlaps", "undeclared", "local_paths", "context_keys", "rooted_locals", "seeds", "unused_fields",
    "default_values", "state_root", "reducers", "reducer_types", "collected", "retries", "questions", "idle_catches",
    "progress", "artifacts", "known_contracts", "secrets",
)  # fmt: skip
CODES = tuple(code for each in PIPELINE if each.name in PASSES for code in each.codes)
each_code = pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)


def found_in(document: Document) -> tuple[Diagnostic, ...]:
    read = elaborate(document, nowhere)
    assert read.diagnostics == ()
    assert read.module is not None
    return examine(read.module).diagnostics


@each_code
def test_bad_gives_what_it_promises(code: Code) -> None:
    text, marks = parted(code.example.bad)
    document = read_json(NAME, text)
    found = [(one.code.code, marked(document.locate(one.at.pointer), text)) for one in found_in(document)]
    assert found == [(code.code, mark) for mark in marks]
    assert marks


@each_code
def test_good_gives_nothing(code: Code) -> None:
    assert found_in(read_json(NAME, code.example.good)) == ()


@each_code
def test_every_fix_of_the_example_is_verified_and_a_safe_one_heals(code: Code) -> None:
    document = json.loads(parted(code.example.bad)[0])
    for fix in (fix for one in check(document).diagnostics for fix in one.fixes):
        assert (fix.patch[0]["op"], fix.verified) == ("test", True)
        if fix.applicability is Applicability.SAFE:
            assert [one.code.code for one in check(apply_patch(document, fix.patch)).diagnostics] == []


@each_code
def test_what_a_finding_says_can_be_printed(code: Code) -> None:
    """Facts are JSON, messages have no full stop, the explanation is some sentences long."""
    for one in found_in(read_json(NAME, parted(code.example.bad)[0])):
        json.dumps(one.facts)
        assert not one.message.endswith(".")
        assert "{" not in (one.message + one.help).replace("${NAME}", "")
    assert 2 <= code.why.count(". ") + code.why.endswith(".") <= 4
