"""Findings as workflow commands, which GitHub Actions shows beside the lines of a change.

A command is one line: line ends, and in its properties the signs that end them, are written as `%` and their number.
"""

from __future__ import annotations

from wfc.diagnostics import Diagnostic, Report, Severity
from wfc.report.excerpt import visible
from wfc.report.formats import Sources
from wfc.report.paint import Paint

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report, sources: Sources, paint: Paint) -> str:
    return "".join(f"{_command(found)}\n" for found in report.diagnostics)


def _command(found: Diagnostic) -> str:
    told = ",".join(f"{key}={_property(str(value))}" for key, value in _properties(found).items())
    message = found.message + (f"\n{found.help}" if found.help else "")
    # The log of a job is obeyed like a terminal.
    return f"::{_LEVELS[found.severity]} {told}::{visible(_data(message))}"


def _properties(found: Diagnostic) -> dict[str, str | int]:
    title: dict[str, str | int] = {"title": f"{found.code.code} {found.code.rule}"}
    if found.at.span is None:
        return {"file": found.at.file, **title}
    start, end = found.at.span.start, found.at.span.end
    lines: dict[str, str | int] = {"file": found.at.file, "line": start.line, "endLine": end.line}
    # Columns are shown only where they are in one line.
    return {**lines, **({"col": start.column, "endColumn": end.column} if start.line == end.line else {}), **title}


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
