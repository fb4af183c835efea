"""A document, findings in it, and a report: what the tests of formats tell."""

from __future__ import annotations

from wfc.diagnostics import (
    Code,
    Diagnostic,
    Example,
    Fix,
    Place,
    Related,
    Report,
    Severity,
    Silence,
    Silenced,
    Skipped,
)
from wfc.report import FORMATS, Paint, paint_if
from wfc.source import Edit, Source, Span

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


SOURCE = Source(FILE, TEXT)
SOURCES = {FILE: SOURCE}


def spot(text: str, source: Source = SOURCE) -> Span:
    """Where a text stands first."""
    start = source.text.index(text)
    return source.span(start, start + len(text))


def change(old: str, new: str) -> Edit:
    start = TEXT.index(old)
    return Edit(start, start + len(old), new)


UNKNOWN = Code(
    "WF101",
    "unknown-target",
    Severity.ERROR,
    "outcome `{outcome}` of `{step}` goes to `{got}`, which is no step here; nearest: `{nearest}`",
    "point the edge at `{nearest}`",
    "A run that takes this edge has nowhere to go on.",
    Example('{\n  "to": "sumarize"\n        ^^^^^^^^^^\n}', '{\n  "to": "summarize"\n}'),
)


def finding(severity: Severity = Severity.ERROR) -> Diagnostic:
    return UNKNOWN.at(
        Place(FILE, "/edges/0/to", "review", "fetch", "to", spot('"sumarize"')),
        severity=severity,
        related=(
            Related("declared", Place(FILE, "/nodes/1/id", span=spot('"summarize"')), "this step"),
            Related("written", Place(FILE, "/edges", span=spot(TEXT[TEXT.index("[\n") : -3]))),
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
                edits=(change('"sumarize"', '"summarize"'),),
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


REPORT = Report(
    (finding(), finding(Severity.WARNING)),
    SKIPPED,
    strict=True,
    silenced=(Silenced(finding(), Silence.SUPPRESSED, "it is meant"), Silenced(finding(), Silence.BASELINED)),
    files=("clean.wf.json", FILE),
)

PLAIN = paint_if(False)


def render(name: str, report: Report, paint: Paint = PLAIN) -> str:
    (format_,) = (one for one in FORMATS if one.name == name)
    return format_.render(report, SOURCES, paint)
