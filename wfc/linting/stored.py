"""A report as a JSON value and back: how it is kept, and how it comes from another process.

Of a code everything comes back that a report tells of it; its example does not.
"""

from __future__ import annotations

from typing import Any

from wfc.diagnostics import (
    Applicability,
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
    Strict,
)
from wfc.source import Edit, Position, Span

_NO_EXAMPLE = Example("", "")


def report_to_json(report: Report) -> dict[str, Any]:
    every = [*report.diagnostics, *(one.diagnostic for one in report.silenced)]
    return {
        "codes": {one.code.code: _code_to_json(one.code) for one in every},
        "diagnostics": [_diagnostic_to_json(one) for one in report.diagnostics],
        "silenced": [[_diagnostic_to_json(one.diagnostic), one.by, one.reason] for one in report.silenced],
        "skipped": [[one.what, one.why] for one in report.skipped],
        "strict": report.strict,
        "complete": report.complete,
        "files": list(report.files),
    }


def report_from_json(value: dict[str, Any]) -> Report:
    codes = {number: _code(number, *rest) for number, rest in value["codes"].items()}
    return Report(
        diagnostics=tuple(_diagnostic(one, codes) for one in value["diagnostics"]),
        skipped=tuple(Skipped(*one) for one in value["skipped"]),
        strict=value["strict"],
        complete=value["complete"],
        silenced=tuple(Silenced(_diagnostic(one, codes), Silence(by), why) for one, by, why in value["silenced"]),
        files=tuple(value["files"]),
    )


def _code_to_json(code: Code) -> list[str]:
    return [code.rule, code.severity, code.message, code.help, code.why, code.strict]


def _code(number: str, rule: str, severity: str, message: str, help: str, why: str, strict: str) -> Code:
    return Code(number, rule, Severity(severity), message, help, why, _NO_EXAMPLE, Strict(strict))


def _diagnostic_to_json(found: Diagnostic) -> dict[str, Any]:
    return {
        "code": found.code.code,
        "severity": found.severity,
        "confidence": found.confidence,
        "message": found.message,
        "help": found.help,
        "at": _place_to_json(found.at),
        "related": [[one.role, _place_to_json(one.at), one.message] for one in found.related],
        "facts": dict(found.facts),
        "fixes": [_fix_to_json(fix) for fix in found.fixes],
        "hides": found.hides,
        "strict": found.strict,
    }


def _diagnostic(value: dict[str, Any], codes: dict[str, Code]) -> Diagnostic:
    return Diagnostic(
        code=codes[value["code"]],
        severity=Severity(value["severity"]),
        confidence=value["confidence"],
        message=value["message"],
        help=value["help"],
        at=_place(value["at"]),
        related=tuple(Related(role, _place(at), message) for role, at, message in value["related"]),
        facts=value["facts"],
        fixes=tuple(_fix(fix) for fix in value["fixes"]),
        hides=value["hides"],
        strict=Strict(value["strict"]),
    )


def _place_to_json(place: Place) -> list[Any]:
    span = place.span
    corners = span and [span.start.line, span.start.column, span.end.line, span.end.column]
    return [place.file, place.pointer, place.workflow, place.step, place.field, corners]


def _place(value: list[Any]) -> Place:
    file, pointer, workflow, step, inside, corners = value
    span = Span(Position(*corners[:2]), Position(*corners[2:])) if corners else None
    return Place(file, pointer, workflow, step, inside, span)


def _fix_to_json(fix: Fix) -> list[Any]:
    edits = [[edit.start, edit.end, edit.text] for edit in fix.edits]
    return [fix.title, fix.file, [dict(step) for step in fix.patch], fix.applicability, fix.verified, edits]


def _fix(value: list[Any]) -> Fix:
    title, file, patch, applicability, verified, edits = value
    made = tuple(Edit(*edit) for edit in edits)
    return Fix(title, file, tuple(patch), Applicability(applicability), verified, made)
