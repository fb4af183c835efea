"""Findings as text and as JSON, and their explanation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.report.samples import FILE, PLAIN, REPORT, SOURCES, UNKNOWN, finding, render
from wfc.diagnostics import Fixed, Place, Report, Severity, Silence, Silenced
from wfc.report import (
    FORMATS,
    STATISTICS,
    find_code,
    list_json,
    nearest_codes,
    paint_if,
    render_explain,
    render_findings,
    render_list,
    unmarked,
)


@pytest.mark.parametrize("name", [one.name for one in FORMATS])
def test_a_report_in_each_format(name: str, snapshot: SnapshotAssertion) -> None:
    assert render(name, REPORT) == snapshot


def test_text_with_colour(snapshot: SnapshotAssertion) -> None:
    assert render("text", Report((finding(),)), paint_if(True)) == snapshot


def test_nothing_found_is_said() -> None:
    assert render("text", Report(())) == "no findings\n"
    assert render("text", Report((), strict=True, complete=True)) == "no findings\nclean\n"


def test_a_verdict_is_given_only_where_everything_is_told() -> None:
    assert Report((), strict=True, complete=True).clean
    for silence in Silence:
        silenced = (Silenced(finding(), silence),)
        assert Report((), strict=True, complete=True, silenced=silenced).clean is False
        assert Report((), complete=True, silenced=silenced).clean is None


def test_a_place_in_no_known_document_is_named_without_lines() -> None:
    shown = render_findings([UNKNOWN.at(Place("gone", ""), outcome="o", step="s", got="g", nearest="n")], {})
    assert shown.splitlines()[1] == " --> gone"


def test_jsonl_has_a_line_for_each_finding_and_one_for_the_rest() -> None:
    whole = json.loads(render("json", REPORT))
    *found, rest = (json.loads(line) for line in render("jsonl", REPORT).splitlines())
    assert {**rest, "diagnostics": found} == whole


def test_json_tells_what_was_fixed_where_something_was() -> None:
    fixed = Report((), fixed=(Fixed(finding(), finding().fixes[0]),))
    assert "fixed" not in json.loads(render("json", Report(())))
    (told,) = json.loads(render("json", fixed))["fixed"]
    assert (told["code"], told["title"], told["file"]) == ("WF101", "go to `summarize`", FILE)


@pytest.mark.parametrize("name", [one.name for one in STATISTICS])
def test_statistics_tell_how_often(name: str, snapshot: SnapshotAssertion) -> None:
    (format_,) = (one for one in STATISTICS if one.name == name)
    assert format_.render(REPORT, SOURCES, PLAIN) == snapshot


@pytest.mark.parametrize(("level", "failing"), [("error", False), ("warning", True), ("note", True)])
def test_a_report_fails_at_or_above_a_level(level: str, failing: bool) -> None:
    assert Report((finding(Severity.WARNING),), fail_level=Severity(level)).failing is failing


def test_explain(snapshot: SnapshotAssertion) -> None:
    assert render_explain(UNKNOWN, render_findings([finding()], SOURCES)) == snapshot


def test_a_code_is_found_by_number_or_rule_and_else_the_nearest_are_named() -> None:
    assert find_code([UNKNOWN], "wf101") is find_code([UNKNOWN], "Unknown-Target") is UNKNOWN
    assert find_code([UNKNOWN], "WF1") is None
    assert nearest_codes([UNKNOWN], "unknwn-target")[0] == "unknown-target"


def test_the_document_of_an_example_has_no_carets() -> None:
    assert json.loads(unmarked(UNKNOWN.example.bad)) == {"to": "sumarize"}


def test_codes_are_listed() -> None:
    assert render_list([UNKNOWN]) == "WF101  unknown-target  error\n"
    known: dict[str, Any] = {"code": "WF101", "rule": "unknown-target", "severity": "error", "strict": "same"}
    assert list_json([UNKNOWN]) == {"schema": "wfc.codes/1", "codes": [known]}
