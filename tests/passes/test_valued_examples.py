"""The examples of the codes about what is read, bound and written give just what their carets promise."""

import json

import pytest

from tests.passes.test_examples import marked, parted
from tests.passes.valued import CODES
from tests.passes.workflows import NAME, nowhere
from wfc.diagnostics import Applicability, Code, Diagnostic
from wfc.edits import apply_patch
from wfc.frontend import Document, document_of, elaborate, read_json
from wfc.passes import examine

each_code = pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)


def found_in(document: Document) -> tuple[Diagnostic, ...]:
    read = elaborate(document, nowhere)
    assert read.diagnostics == ()
    assert read.module is not None
    return examine(read.module).diagnostics


@each_code
def test_bad_gives_what_it_promises_and_good_nothing(code: Code) -> None:
    text, marks = parted(code.example.bad)
    document = read_json(NAME, text)
    found = found_in(document)
    spans = [(one.code, marked(document.locate(one.at.pointer), text)) for one in found]
    assert spans == [(code, mark) for mark in marks]
    assert len(marks) == 1
    assert found_in(read_json(NAME, code.example.good)) == ()


@each_code
def test_every_fix_applies_and_heals(code: Code) -> None:
    document = read_json(NAME, parted(code.example.bad)[0])
    (one,) = found_in(document)
    for fix in one.fixes:
        assert fix.patch[0]["op"] == "test"
        after = found_in(document_of(apply_patch(document.value, fix.patch), NAME))
        assert fix.applicability is Applicability.PLACEHOLDER or after == ()


@each_code
def test_what_is_said_can_be_printed(code: Code) -> None:
    """Facts are JSON, messages have no full stop, the explanation is some sentences long."""
    (one,) = found_in(read_json(NAME, parted(code.example.bad)[0]))
    json.dumps(one.facts)
    assert not one.message.endswith(".")
    assert "; expected " in one.message
    assert "{" not in one.message + one.help
    assert 2 <= code.why.count(". ") + code.why.endswith(".") <= 4


def test_all_codes_are_there() -> None:
    inputs, states = (300, 301, 302, 305, 306, 308, 310, 311, 312), (390, 391, 392, 393, 394, 395)
    numbers = (204, *inputs, *states, 400, 401, 402, 403, 407)
    assert [code.code for code in CODES] == [f"WF{number}" for number in numbers]
