"""Findings, told: as text with the author's lines, for programs, for CI. A format is a file and a line of `FORMATS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wfc.diagnostics import Report
from wfc.report.as_json import diagnostic_json, render_json, render_jsonl
from wfc.report.change import unified
from wfc.report.concise import render_concise
from wfc.report.excerpt import visible
from wfc.report.explain import (
    explain_json,
    find_code,
    list_json,
    nearest_codes,
    render_explain,
    render_list,
    unmarked,
)
from wfc.report.github import render_github
from wfc.report.gitlab import render_gitlab
from wfc.report.junit import render_junit
from wfc.report.paint import Paint, coloured, paint_if, plain
from wfc.report.sarif import render_sarif
from wfc.report.schema import DIAGNOSTICS_SCHEMA
from wfc.report.statistics import render_statistics, render_statistics_json
from wfc.report.text import Sources, render_findings, render_text


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a report down; only what people read is painted."""

    name: str
    render: Callable[[Report, Sources, Paint], str]


FORMATS = (
    Format("text", render_text),
    Format("concise", lambda report, _, paint: render_concise(report, paint)),
    Format("json", lambda report, _, __: render_json(report)),
    Format("jsonl", lambda report, _, __: render_jsonl(report)),
    Format("sarif", lambda report, sources, _: render_sarif(report, sources)),
    Format("github", lambda report, _, __: render_github(report)),
    Format("gitlab", lambda report, _, __: render_gitlab(report)),
    Format("junit", lambda report, _, __: render_junit(report)),
)
# How often instead of what.
STATISTICS = (
    Format("text", lambda report, _, paint: render_statistics(report, paint)),
    Format("json", lambda report, _, __: render_statistics_json(report)),
)

__all__ = [
    "DIAGNOSTICS_SCHEMA",
    "FORMATS",
    "STATISTICS",
    "Format",
    "Paint",
    "Sources",
    "coloured",
    "diagnostic_json",
    "explain_json",
    "find_code",
    "list_json",
    "nearest_codes",
    "paint_if",
    "plain",
    "render_explain",
    "render_findings",
    "render_list",
    "render_text",
    "unified",
    "unmarked",
    "visible",
]
