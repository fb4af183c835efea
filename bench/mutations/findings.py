"""What is found in a document, without its fixes: to verify each of them costs a check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wfc import driver
from wfc.diagnostics import Diagnostic, Report, Severity


def findings(source: driver.Source, *, strict: bool = False) -> Report:
    return driver.check(source, strict=strict, narrow=_without_fixes)


def _without_fixes(report: Report, stays: Callable[[Diagnostic], bool]) -> Report:
    return replace(report, diagnostics=tuple(one.with_fixes(()) for one in report.diagnostics))


def errors(report: Report) -> list[Diagnostic]:
    return [one for one in report.diagnostics if one.severity is Severity.ERROR]


def problems(report: Report) -> list[Diagnostic]:
    """Errors and warnings."""
    return [one for one in report.diagnostics if one.severity is not Severity.NOTE]
