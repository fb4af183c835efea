"""Findings as a GitLab code quality report: a list in which each has a fingerprint of its own."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

from wfc.diagnostics import Diagnostic, Report, Severity
from wfc.report.formats import Sources
from wfc.report.paint import Paint

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render(report: Report, sources: Sources, paint: Paint) -> str:
    seen: Counter[str] = Counter()
    entries = []
    for found in report.diagnostics:
        entries.append(_entry(found, seen[found.id]))
        seen[found.id] += 1
    return json.dumps(entries, indent=2) + "\n"


def _entry(found: Diagnostic, earlier: int) -> dict[str, Any]:
    """A finding; `earlier` is how many with the same id stand before it."""
    span = found.at.span
    begin, end = (span.start.line, span.end.line) if span else (1, 1)
    return {
        "description": f"{found.code.code} {found.message}",
        "check_name": found.code.rule,
        "fingerprint": hashlib.sha256(f"{found.id} {earlier}".encode()).hexdigest(),
        "severity": _SEVERITIES[found.severity],
        "location": {"path": found.at.file, "lines": {"begin": begin, "end": end}},
    }
