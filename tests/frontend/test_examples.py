"""The example of each code gives exactly the findings that its carets promise, and its repair gives none."""

import re
from collections.abc import Callable

import pytest

from wfc.diagnostics import Code
from wfc.frontend import CODES, Document, elaborate, read_json
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


def in_reach(code: Code) -> Callable[[Document, str], tuple[Document, ...]]:
    """What finds the files beside an example."""
    files = [read_json(name, text) for name, text in code.example.beside.items()]
    return lambda _, name: tuple(file for file in files if name in file.workflow_names or not file.readable)


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)
def test_bad_gives_what_it_promises(code: Code) -> None:
    text, marks = parted(code.example.bad)
    found = elaborate(read_json("a.wf.json", text), in_reach(code)).diagnostics
    assert [(one.code.code, marked(one.at.span, text)) for one in found if one.at.span] == [
        (code.code, mark) for mark in marks
    ]
    assert marks


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)
def test_good_gives_nothing(code: Code) -> None:
    assert elaborate(read_json("a.wf.json", code.example.good), in_reach(code)).diagnostics == ()


def test_every_code_stands_once_in_order() -> None:
    numbers = [code.code for code in CODES]
    assert len(set(numbers)) == len(numbers)
    assert sorted(numbers) == [
        f"WF{number:03}" for number in (1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21, 706)
    ]
