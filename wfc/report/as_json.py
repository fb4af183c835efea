"""Findings for programs: `wfc.diagnostics/1` as one document, or a line for each finding (reference 3.1, 4.1)."""

from __future__ import annotations

import json
from typing import Any

from wfc.diagnostics import Diagnostic, Fix, Place, Related, Report, Severity
from wfc.report.formats import Sources
from wfc.report.paint import Paint
from wfc.source import Edit, Position, Source

FORMAT = "wfc.diagnostics/1"


def render(report: Report, sources: Sources, paint: Paint) -> str:
    """One JSON document and a newline."""
    found = [diagnostic_json(diagnostic, sources) for diagnostic in report.diagnostics]
    return json.dumps({**_head(report), "diagnostics": found}, indent=2) + "\n"


def render_lines(report: Report, sources: Sources, paint: Paint) -> str:
    """A line for each finding, and a last one with everything else of the document."""
    found = [diagnostic_json(diagnostic, sources) for diagnostic in report.diagnostics]
    return "".join(json.dumps(line) + "\n" for line in (*found, _head(report)))


def _head(report: Report) -> dict[str, Any]:
    counts = {severity.value: report.count(severity) for severity in Severity}
    fixed = [{"id": one.diagnostic.id, "code": one.diagnostic.code.code, **_fix(one.fix, {})} for one in report.fixed]
    return {
        "schema": FORMAT,
        "ok": report.ok,
        "clean": report.clean,
        "summary": {**counts, "suppressed": report.suppressed, "baselined": report.baselined},
        "skipped": [{"what": skipped.what, "why": skipped.why} for skipped in report.skipped],
        **({"fixed": fixed} if fixed else {}),
    }


def diagnostic_json(found: Diagnostic, sources: Sources | None = None) -> dict[str, Any]:
    """A finding; its fixes are told as changes of the text as well where the text is at hand."""
    return {
        "id": found.id,
        "code": found.code.code,
        "rule": found.code.rule,
        "severity": found.severity.value,
        "confidence": found.confidence,
        "message": found.message,
        "help": found.help,
        "at": _place(found.at),
        "related": [_related(related) for related in found.related],
        "facts": dict(found.facts),
        "fixes": [_fix(fix, sources or {}) for fix in found.fixes],
        "hides": found.hides,
    }


def _place(place: Place) -> dict[str, Any]:
    span = place.span
    return {
        "file": place.file,
        "workflow": place.workflow,
        "step": place.step,
        "field": place.field,
        "pointer": place.pointer,
        "start": _position(span.start) if span else None,
        "end": _position(span.end) if span else None,
    }


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}


def _related(related: Related) -> dict[str, Any]:
    return {"role": related.role, "message": related.message, "at": _place(related.at)}


def _fix(fix: Fix, sources: Sources) -> dict[str, Any]:
    source = sources.get(fix.file)
    return {
        "title": fix.title,
        "file": fix.file,
        "applicability": fix.applicability.value,
        "verified": fix.verified,
        "patch": [dict(step) for step in fix.patch],
        "edits": [] if source is None else [_edit(edit, source) for edit in fix.edits],
    }


def _edit(edit: Edit, source: Source) -> dict[str, Any]:
    span = source.span(edit.start, edit.end)
    return {"start": _position(span.start), "end": _position(span.end), "text": edit.text}
