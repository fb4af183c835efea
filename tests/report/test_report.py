"""Findings as text and as JSON, their choice and their explanation."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from syrupy.assertion import SnapshotAssertion

from wfc.diagnostics import Code, Diagnostic, Example, Fix, Place, Related, Report, Severity, Skipped
from wfc.report import (
    Selection,
    chosen,
    coloured,
    combined,
    fails,
    find_code,
    nearest_codes,
    render_explain,
    render_findings,
    render_json,
    render_jsonl,
    render_text,
    unmarked,
)
from wfc.report.excerpt import excerpt
from wfc.source import Source, Span

TEXT = """\
{
  "name": "review",
  "start": "fetch",
  "nodes": [{"id": "fetch", "type": "join"}, {"id": "summarize", "type": "join"}],
  "edges": [
    {"from": "fetch", "outcome": "ok", "to": "sumarize"}
  ]
}
"""
FILE = "flow.wf.json"


@dataclass(frozen=True)
class Sample:
    """A document in which a pointer is looked up as the text that it ends with."""

    source: Source

    def locate(self, pointer: str) -> Span:
        wanted = {
            "/edges/0/to": '"sumarize"',
            "/nodes/1/id": '"summarize"',
            "/edges": self.source.text[self.source.text.index("[\n") : -3],
        }[pointer]
        start = self.source.text.index(wanted)
        return self.source.span(start, start + len(wanted))


DOCUMENTS = {FILE: Sample(Source(FILE, TEXT))}

UNKNOWN = Code(
    "WF101",
    "unknown-target",
    Severity.ERROR,
    "outcome `{outcome}` of `{step}` goes to `{got}`, which is no step here; nearest: `{nearest}`",
    "point the edge at `{nearest}`",
    "A run that takes this edge has nowhere to go on.",
    Example('{\n  "to": "sumarize"\n        ^^^^^^^^^^\n}', '{\n  "to": "summarize"\n}'),
)


def finding(severity: Severity = Severity.ERROR, pointer: str = "/edges/0/to") -> Diagnostic:
    place = Place(FILE, pointer, "review", "fetch", "to")
    return UNKNOWN.at(
        place,
        severity=severity,
        related=(
            Related("declared", Place(FILE, "/nodes/1/id"), "this step"),
            Related("written", Place(FILE, "/edges")),
        ),
        fixes=(
            Fix(
                "go to `summarize`",
                FILE,
                (
                    {"op": "test", "path": "/edges/0/to", "value": "sumarize"},
                    {"op": "replace", "path": "/edges/0/to", "value": "summarize"},
                ),
                verified=True,
            ),
        ),
        hides=2,
        outcome="ok",
        step="fetch",
        got="sumarize",
        nearest="summarize",
        path=["fetch:ok", "sumarize"],
        witness={"n": 1},
    )


SKIPPED = tuple(Skipped(f"WF7{n:02}", "no sources are configured") for n in range(8))


def never(code: str) -> bool:
    return False


def test_text(snapshot: SnapshotAssertion) -> None:
    assert render_text(Report((finding(),), SKIPPED, strict=True, suppressed=1), DOCUMENTS) == snapshot


def test_text_with_colour(snapshot: SnapshotAssertion) -> None:
    assert render_text(Report((finding(),)), DOCUMENTS, coloured) == snapshot


def test_nothing_found_is_said() -> None:
    assert render_text(Report(()), DOCUMENTS) == "no findings\n"
    assert render_text(Report((), strict=True, complete=True), DOCUMENTS) == "no findings\nclean\n"


def test_a_place_in_no_known_document_is_named_without_lines() -> None:
    shown = render_findings([UNKNOWN.at(Place("gone", ""), outcome="o", step="s", got="g", nearest="n")], {})
    assert shown.splitlines()[1] == "  --> gone"


def test_json(snapshot: SnapshotAssertion) -> None:
    assert render_json(Report((finding(),), SKIPPED[:1]), DOCUMENTS) == snapshot


def test_jsonl_has_a_line_for_each_finding_and_one_for_the_rest() -> None:
    report = Report((finding(),), SKIPPED[:1], strict=True)
    whole = json.loads(render_json(report, DOCUMENTS))
    *found, rest = (json.loads(line) for line in render_jsonl(report, DOCUMENTS).splitlines())
    assert {**rest, "diagnostics": found} == whole


def test_a_finding_that_two_documents_share_stands_once() -> None:
    several = [Report((finding(),), SKIPPED[:1], True, complete=True), Report((finding(),), SKIPPED[:1], True)]
    assert combined(several) == Report((finding(),), SKIPPED[:1], strict=True)


@pytest.mark.parametrize(
    ("selection", "kept"),
    [
        (Selection(), True),
        (Selection(select=("WF1",)), True),
        (Selection(select=("WF2", "unknown-target")), True),
        (Selection(select=("WF2",)), False),
        (Selection(ignore=("unknown-target",)), False),
        (Selection(per_file_ignores={"*.wf.json": ("WF101",)}), False),
        (Selection(per_file_ignores={"other/*": ("WF101",)}), True),
    ],
)
def test_a_selection_keeps_or_leaves_out_and_counts_that(selection: Selection, kept: bool) -> None:
    left = chosen(Report((finding(),)), selection, never)
    assert (len(left.diagnostics), left.suppressed) == ((1, 0) if kept else (0, 1))


def test_what_cannot_be_suppressed_stays() -> None:
    report = Report((finding(),))
    assert chosen(report, Selection(ignore=("WF101",)), lambda code: code == "WF101") == report


@pytest.mark.parametrize(("level", "failing"), [("error", False), ("warning", True), ("note", True)])
def test_a_report_fails_at_or_above_a_level(level: str, failing: bool) -> None:
    assert fails(Report((finding(Severity.WARNING),)), Severity(level)) is failing


def test_explain(snapshot: SnapshotAssertion) -> None:
    assert render_explain(UNKNOWN, render_findings([finding()], DOCUMENTS)) == snapshot


def test_a_code_is_found_by_number_or_rule_and_else_the_nearest_are_named() -> None:
    assert find_code([UNKNOWN], "wf101") is find_code([UNKNOWN], "Unknown-Target") is UNKNOWN
    assert find_code([UNKNOWN], "WF1") is None
    assert nearest_codes([UNKNOWN], "unknwn-target")[0] == "unknown-target"


def test_the_document_of_an_example_has_no_carets() -> None:
    assert json.loads(unmarked(UNKNOWN.example.bad)) == {"to": "sumarize"}


def marked(text: str, start: int, end: int) -> tuple[str, str]:
    source = Source(FILE, text)
    return excerpt(source, source.span(start, end), "^")


@pytest.mark.parametrize(
    ("text", "start", "end", "line", "marks"),
    [
        ('{"a": 1}', 6, 7, '{"a": 1}', "      ^"),
        ('{"a": }', 7, 7, '{"a": }', "       ^"),
        ('\t{"日本": 1}', 8, 9, '    {"日本": 1}', "             ^"),
        ('{"e\u0301": 1}', 6, 7, '{"e\u0301": 1}', "     ^"),
        ('"\x1b[31m\u202e"', 0, 2, '"�[31m�"', "^^"),
        ("[\n1\n]", 0, 5, "[", "^ to line 3"),
        ("", 0, 0, "", "^"),
    ],
)
def test_the_mark_stands_under_the_place(text: str, start: int, end: int, line: str, marks: str) -> None:
    assert marked(text, start, end) == (line, marks)


def test_of_a_long_line_the_part_around_the_place_is_shown() -> None:
    line, marks = marked("a" * 5000 + "WRONG" + "b" * 5000, 5000, 5005)
    assert line == "…" + "a" * 40 + "WRONG" + "b" * 55 + "…"
    assert marks == " " * 41 + "^^^^^"
    line, marks = marked("a" * 5000, 0, 5000)
    assert (line, marks) == ("a" * 100 + "…", "^" * 100)
