"""How often each code was found, instead of every finding: the most frequent first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Applicability, Report
from wfc.report.formats import Sources
from wfc.report.paint import Paint

FORMAT = "wfc.statistics/1"


def render(report: Report, sources: Sources, paint: Paint) -> str:
    """A line for each code: how often, code, rule, and how many of them a safe fix repairs."""
    rows = list(statistics(report))
    width = max((len(str(row["count"])) for row in rows), default=0)
    lines = []
    for row in rows:
        fixable = f"  {row['fixable']} with `--fix`" if row["fixable"] else ""
        lines.append(f"{row['count']:>{width}}  {paint(row['code'], row['severity'])}  {row['rule']}{fixable}")
    return "".join(f"{line}\n" for line in lines) or "no findings\n"


def render_json(report: Report, sources: Sources, paint: Paint) -> str:
    return json.dumps({"schema": FORMAT, "statistics": list(statistics(report))}, indent=2) + "\n"


def statistics(report: Report) -> Iterator[dict[str, Any]]:
    by_code: dict[str, dict[str, Any]] = {}
    for found in report.diagnostics:
        code = found.code
        # One code may have several severities; the first one that was found stands for all.
        known = {"code": code.code, "rule": code.rule, "severity": found.severity.value, "count": 0, "fixable": 0}
        row = by_code.setdefault(code.code, known)
        row["count"] += 1
        row["fixable"] += any(
            fix.verified and fix.edits and fix.applicability is Applicability.SAFE for fix in found.fixes
        )
    yield from sorted(by_code.values(), key=lambda row: (-row["count"], row["code"]))
