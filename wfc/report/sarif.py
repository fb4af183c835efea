"""Findings as SARIF 2.1.0, for code scanning: rules, places, fixes, fingerprints, and what is suppressed and why."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Report, Silence, Silenced, Skipped
from wfc.report.formats import Sources
from wfc.report.paint import Paint
from wfc.source import Edit, Position, Source
from wfc.version import VERSION

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"


def render(report: Report, sources: Sources, paint: Paint) -> str:
    kept = [one for one in report.silenced if one.by is not Silence.LEFT_OUT]
    codes = {one.code.code: one.code for one in (*report.diagnostics, *(one.diagnostic for one in kept))}
    rules = sorted(codes)
    results = [_result(one, rules, sources) for one in report.diagnostics]
    run = {
        "tool": {
            "driver": {"name": "wfc", "semanticVersion": VERSION, "rules": [_rule(codes[number]) for number in rules]}
        },
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": _artifact(file)} for file in report.files],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": list(map(_skip, report.skipped))}],
        "results": [*results, *(_suppressed(one, rules) for one in kept)],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: Code) -> dict[str, Any]:
    words = code.rule.split("-")
    return {
        "id": code.code,
        "name": "".join(word.capitalize() for word in words),
        "shortDescription": {"text": " ".join(words).capitalize()},
        "fullDescription": {"text": code.why},
        "help": {"text": f"{code.why}\n\nWhat to do: {code.help}"},
        "defaultConfiguration": {"level": code.severity.value},
        "properties": {"rule": code.rule, "strict": code.strict.value},
    }


def _skip(skipped: Skipped) -> dict[str, Any]:
    return {"level": "note", "message": {"text": f"skipped: {skipped.what} – {skipped.why}"}}


# -- results ----------------------------------------------------------------------------------------------------------


def _result(found: Diagnostic, rules: list[str], sources: Sources) -> dict[str, Any]:
    fixes = [_fix(fix, sources[fix.file]) for fix in found.fixes if fix.verified and fix.edits and fix.file in sources]
    return {**_bare_result(found, rules), **({"fixes": fixes} if fixes else {})}


def _suppressed(silenced: Silenced, rules: list[str]) -> dict[str, Any]:
    by_author = silenced.by is Silence.SUPPRESSED
    kind, reason = ("inSource", silenced.reason) if by_author else ("external", "it was there before the baseline")
    suppression = {"kind": kind, "status": "accepted", "justification": reason}
    return {**_bare_result(silenced.diagnostic, rules), "suppressions": [suppression]}


def _bare_result(found: Diagnostic, rules: list[str]) -> dict[str, Any]:
    related = [
        {"id": place, **_location(one.at), "message": {"text": one.role + (f": {one.message}" if one.message else "")}}
        for place, one in enumerate(found.related)
    ]
    return {
        "ruleId": found.code.code,
        "ruleIndex": rules.index(found.code.code),
        "level": found.severity.value,
        "message": {"text": found.message},
        "locations": [{**_location(found.at), **_logical(found.at)}],
        **({"relatedLocations": related} if related else {}),
        "partialFingerprints": {"wfc/1": found.id},
        "properties": {"confidence": found.confidence, "help": found.help, "facts": dict(found.facts)},
    }


def _location(place: Place) -> dict[str, Any]:
    region = {} if place.span is None else {"region": _region(place.span.start, place.span.end)}
    return {"physicalLocation": {"artifactLocation": _artifact(place.file), **region}}


def _logical(place: Place) -> dict[str, Any]:
    """The workflow and step of a place, and its pointer."""
    names = [name for name in (place.workflow, place.step) if name]
    if not names:
        return {}
    kind = "function" if place.step else "module"
    return {"logicalLocations": [{"fullyQualifiedName": "/".join(names), "name": names[-1], "kind": kind}]}


def _region(start: Position, end: Position) -> dict[str, int]:
    lines = {"startLine": start.line, "startColumn": start.column}
    return {**lines, "endLine": end.line, "endColumn": end.column}


def _artifact(file: str) -> dict[str, str]:
    from urllib.parse import quote

    # A name need not be text.
    path = quote(file.replace(os.sep, "/"), errors="surrogateescape")
    return {"uri": f"file://{path}"} if os.path.isabs(file) else {"uri": path, "uriBaseId": _ROOT}


def _fix(fix: Fix, source: Source) -> dict[str, Any]:
    change = {"artifactLocation": _artifact(fix.file), "replacements": _replacements(fix.edits, source)}
    return {
        "description": {"text": fix.title},
        "artifactChanges": [change],
        "properties": {"applicability": fix.applicability.value},
    }


def _replacements(edits: Iterable[Edit], source: Source) -> list[dict[str, Any]]:
    return [
        {
            "deletedRegion": _region(source.position(edit.start), source.position(edit.end)),
            "insertedContent": {"text": edit.text},
        }
        for edit in edits
    ]
