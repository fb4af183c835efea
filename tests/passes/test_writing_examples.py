"""The examples of the codes about writes give, of all findings, just those that their carets promise."""

import pytest

from tests.passes.test_examples import marked, parted
from tests.passes.workflows import NAME, nowhere
from wfc.diagnostics import Code
from wfc.edits import apply_patch
from wfc.frontend import Document, document_of, elaborate, read_json
from wfc.passes import examine
from wfc.passes.lineages import independence, merges, siblings
from wfc.passes.state import clobbering, dead_writes

CODES = tuple(code for each in (clobbering, dead_writes, independence, merges, siblings) for code in each.CODES)
each_code = pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)


def codes(document: Document) -> list[str]:
    module = elaborate(document, nowhere).module
    assert module is not None
    return [one.code.code for one in examine(module).diagnostics]


@each_code
def test_bad_gives_what_it_promises_and_good_nothing(code: Code) -> None:
    text, marks = parted(code.example.bad)
    document = read_json(NAME, text)
    module = elaborate(document, nowhere).module
    assert module is not None
    found = examine(module).diagnostics
    assert [(one.code, marked(document.locate(one.at.pointer), text)) for one in found] == [
        (code, mark) for mark in marks
    ]
    assert not found[0].message.endswith(".")
    assert codes(read_json(NAME, code.example.good)) == []


@each_code
def test_every_fix_applies_and_heals(code: Code) -> None:
    document = read_json(NAME, parted(code.example.bad)[0])
    module = elaborate(document, nowhere).module
    assert module is not None
    for fix in (fix for one in examine(module).diagnostics for fix in one.fixes):
        assert code.code not in codes(document_of(apply_patch(document.value, fix.patch), NAME))
