"""Findings, told: as text with carets, as JSON, as an explanation. A format is a function and a line of `FORMATS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wfc.diagnostics import Report
from wfc.report.as_json import diagnostic_json, render_json, render_jsonl
from wfc.report.choose import Selection, chosen, combined, fails
from wfc.report.excerpt import visible
from wfc.report.explain import explain_json, find_code, nearest_codes, render_explain, unmarked
from wfc.report.schema import DIAGNOSTICS_SCHEMA
from wfc.report.text import Documents, Paint, coloured, paint_if, plain, render_findings, render_text


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a report down; only text is painted."""

    name: str
    render: Callable[[Report, Documents, Paint], str]


FORMATS = (
    Format("text", render_text),
    Format("json", lambda report, documents, _: render_json(report, documents)),
    Format("jsonl", lambda report, documents, _: render_jsonl(report, documents)),
)

__all__ = [
    "DIAGNOSTICS_SCHEMA",
    "FORMATS",
    "Documents",
    "Format",
    "Paint",
    "Selection",
    "chosen",
    "coloured",
    "combined",
    "diagnostic_json",
    "explain_json",
    "fails",
    "find_code",
    "nearest_codes",
    "paint_if",
    "plain",
    "render_explain",
    "render_findings",
    "render_json",
    "render_jsonl",
    "render_text",
    "unmarked",
    "visible",
]
