"""A line for each finding, as editors and `grep` read it: file, line, column, severity, code, message."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Diagnostic, Report
from wfc.report.excerpt import visible
from wfc.report.formats import Sources
from wfc.report.paint import Paint


def render(report: Report, sources: Sources, paint: Paint) -> str:
    return "".join(f"{row}\n" for row in _rows(report, paint))


def _rows(report: Report, paint: Paint) -> Iterator[str]:
    for found in report.diagnostics:
        severity = paint(f"{found.severity.value}[{found.code.code}]", found.severity.value)
        yield f"{paint(visible(_where(found)), 'strong')}: {severity} {visible(found.message)}"


def _where(found: Diagnostic) -> str:
    start = found.at.span.start if found.at.span else None
    return f"{found.at.file}:{start.line}:{start.column}" if start else found.at.file
