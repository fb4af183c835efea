"""What other programs read is of the shape that they expect, whatever stands in names and messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema_rs
import pytest

from tests.report.samples import FILE, REPORT, SOURCES, finding, render
from wfc.diagnostics import Diagnostic, Place, Report, Severity
from wfc.records import replace
from wfc.report import DIAGNOSTICS_SCHEMA
from wfc.source import Position

SARIF = json.loads(Path(__file__).with_name("sarif-2.1.0.json").read_text("utf-8"))


def odd(message: str, file: str = FILE) -> Diagnostic:
    found = finding()
    return replace(found, message=message, help="", at=replace(found.at, file=file))


def sarif(report: Report) -> Any:
    told = json.loads(render("sarif", report))
    jsonschema_rs.validate(SARIF, told)
    return told["runs"][0]


def test_sarif_is_of_its_schema() -> None:
    run = sarif(REPORT)
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["WF101"]
    assert [result["level"] for result in run["results"]] == ["error", "warning", "error", "error"]
    assert [one["kind"] for result in run["results"] for one in result.get("suppressions", [])] == [
        "inSource",
        "external",
    ]


def test_sarif_of_nothing_and_of_a_place_without_lines_is_of_its_schema() -> None:
    assert sarif(Report(()))["results"] == []
    nowhere = replace(finding(), at=Place("gone", ""), related=(), fixes=())
    (result,) = sarif(Report((nowhere,)))["results"]
    assert "region" not in result["locations"][0]["physicalLocation"]


def test_the_fix_of_sarif_makes_the_text_that_was_promised() -> None:
    (change,) = sarif(REPORT)["results"][0]["fixes"][0]["artifactChanges"]
    (replacement,) = change["replacements"]
    region = replacement["deletedRegion"]
    start, end = (Position(region[f"{side}Line"], region[f"{side}Column"]) for side in ("start", "end"))
    line = SOURCES[FILE].line(start.line)
    new = line[: start.column - 1] + replacement["insertedContent"]["text"] + line[end.column - 1 :]
    assert json.loads(new) == {"from": "fetch", "outcome": "ok", "to": "summarize"}


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("a b/ü#?.wf.json", "a%20b/%C3%BC%23%3F.wf.json"),
        ("100%.wf.json", "100%25.wf.json"),
        ("a\udcff.wf.json", "a%FF.wf.json"),
        ("/x/a.wf.json", None),
    ],
)
def test_a_file_of_sarif_is_a_relative_address_unless_it_was_given_as_an_absolute_one(
    file: str, uri: str | None
) -> None:
    run = sarif(Report((odd("m", file),), files=(file,)))
    told = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert told == run["artifacts"][0]["location"]
    assert told == ({"uri": uri, "uriBaseId": "%SRCROOT%"} if uri else {"uri": "file:///x/a.wf.json"})


def test_a_command_of_github_is_one_line_and_its_signs_are_escaped() -> None:
    told = render("github", Report((odd("50% of\r\n`a`, b: \x1b[31mc", "a,b:c%.wf.json"),)))
    assert told == (
        "::error file=a%2Cb%3Ac%25.wf.json,line=6,endLine=6,col=46,endColumn=56,title=WF101 unknown-target::"
        "50%25 of%0D%0A`a`, b: �[31mc\n"
    )


def test_a_place_of_several_lines_has_no_columns_for_github() -> None:
    found = finding()
    spans = {one.at.pointer: one.at.span for one in found.related}
    several = replace(found, at=replace(found.at, span=spans["/edges"]), severity=Severity.NOTE, help="")
    assert render("github", Report((several,))).startswith("::notice file=flow.wf.json,line=5,endLine=7,title=")


def test_every_entry_of_gitlab_has_a_fingerprint_of_its_own_that_no_line_changes() -> None:
    def prints(found: Diagnostic) -> list[str]:
        return [entry["fingerprint"] for entry in json.loads(render("gitlab", Report((found, found))))]

    moved = replace(finding(), at=replace(finding().at, span=None))
    assert len(set(prints(finding()))) == 2
    assert prints(moved) == prints(finding())


def test_junit_can_be_read_whatever_a_message_holds() -> None:
    told = render("junit", Report((odd('<a> & "b" \x00\x1b \ufffe \U0001f600\n]]>'),)))
    (failure,) = ElementTree.fromstring(told).iter("failure")
    assert failure.get("message") == '<a> & "b" \ufffd\ufffd \ufffd \U0001f600\n]]>'


def test_the_published_schema_fits_every_report() -> None:
    jsonschema_rs.validate(DIAGNOSTICS_SCHEMA, json.loads(render("json", REPORT)))
    jsonschema_rs.validate(DIAGNOSTICS_SCHEMA, json.loads(render("json", Report(()))))


def test_one_line_a_finding_for_editors_even_where_a_file_name_has_two() -> None:
    assert render("concise", Report((odd("a\nb", "x\ny"),))).count("\n") == 1
