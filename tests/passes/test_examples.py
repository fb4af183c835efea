"""The example of each code gives exactly the findings that its carets promise; repaired or fixed it gives none."""

import json
import re

import pytest

from tests.passes.workflows import CODES, NAME, ours
from wfc.diagnostics import Applicability, Code, Diagnostic, Severity
from wfc.edits import apply_patch
from wfc.frontend import Document, document_of, elaborate, read_json
from wfc.source import Span

CARETS = re.compile(r"[ ^]*\^[ ^]*")
Mark = tuple[int, int, int]


def parted(bad: str) -> tuple[str, list[Mark]]:
    """The document of an example, and its marks: line, first column, column after the last."""
    lines: list[str] = []
    marks: list[Mark] = []
    for line in bad.split("\n"):
        if CARETS.fullmatch(line):
            marks += ((len(lines), found.start() + 1, found.end() + 1) for found in re.finditer(r"\^+", line))
        else:
            lines.append(line)
    return "\n".join(lines), marks


def marked(span: Span, text: str) -> Mark:
    """What of a span stands on its first line."""
    end = span.end.column if span.end.line == span.start.line else len(text.split("\n")[span.start.line - 1]) + 1
    return (span.start.line, span.start.column, end)


def found_in(document: Document, code: Code) -> tuple[Diagnostic, ...]:
    files = [read_json(file, text) for file, text in code.example.beside.items()]
    read = elaborate(document, lambda _, name: tuple(file for file in files if name in file.workflow_names))
    assert read.diagnostics == ()
    assert read.module is not None
    return ours(read.module).diagnostics


each_code = pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)


@each_code
def test_bad_gives_what_it_promises(code: Code) -> None:
    text, marks = parted(code.example.bad)
    document = read_json(NAME, text)
    found = [(one.code.code, marked(document.locate(one.at.pointer), text)) for one in found_in(document, code)]
    assert found == [(code.code, mark) for mark in marks]
    assert marks


@each_code
def test_good_gives_nothing(code: Code) -> None:
    assert found_in(read_json(NAME, code.example.good), code) == ()


@each_code
def test_every_fix_applies_and_a_safe_one_heals(code: Code) -> None:
    text, _ = parted(code.example.bad)
    document = read_json(NAME, text)
    for fix in (fix for one in found_in(document, code) for fix in one.fixes):
        assert fix.patch[0]["op"] == "test"
        after = found_in(document_of(apply_patch(document.value, fix.patch), NAME), code)
        if fix.applicability is Applicability.SAFE:
            assert [one.code.code for one in after] == []


@each_code
def test_what_a_finding_says_can_be_printed(code: Code) -> None:
    """Facts are JSON, messages have no full stop, the explanation is some sentences long."""
    for one in found_in(read_json(NAME, parted(code.example.bad)[0]), code):
        json.dumps(one.facts)
        assert not one.message.endswith(".")
        assert "{" not in one.message + one.help
    assert 2 <= code.why.count(". ") + code.why.endswith(".") <= 4


def test_every_code_stands_once_in_order() -> None:
    graph = (*range(100, 114), 200, 202, 205, 206, 207, 208, 209, *range(700, 705))
    assert sorted(code.code for code in CODES) == [f"WF{number}" for number in graph]


def test_only_hints_are_warnings() -> None:
    warnings = {code.code for code in CODES if code.severity is not Severity.ERROR}
    assert warnings == {"WF111", "WF112", "WF200", "WF209"}
