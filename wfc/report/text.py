"""Findings for people: the author's lines with marks, what else belongs to it, what to do, and a count at the end.

Reference 3.1. The text is a function of the report and the sources; colour is the caller's choice of `Paint`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from wfc.diagnostics import Applicability, Diagnostic, Fix, Place, Report, Severity, Skipped
from wfc.report.change import Change, change_rows, changes
from wfc.report.excerpt import visible
from wfc.report.formats import Sources
from wfc.report.paint import Paint, plain
from wfc.report.snippet import Gutter, Mark, snippet

_VALUE_WIDTH = 80
_SKIPPED_SHOWN = 6
_RELATED_SHOWN = 6
_HOPS_SHOWN = 4


def render(report: Report, sources: Sources, paint: Paint) -> str:
    """All findings in their order, then the summary. Ends with a newline."""
    found = render_findings(report.diagnostics, sources, paint)
    return (found and found + "\n\n") + "\n".join(_summary(report, paint)) + "\n"


def render_findings(found: Sequence[Diagnostic], sources: Sources, paint: Paint = plain) -> str:
    """Findings in their order, a blank line between them."""
    return "\n\n".join("\n".join(_finding_rows(one, sources, paint)) for one in found)


def _finding_rows(found: Diagnostic, sources: Sources, paint: Paint) -> Iterator[str]:
    """One finding, row by row."""
    severity, code = found.severity.value, found.code
    changed = [(fix, _changes(fix, sources)) for fix in found.fixes]
    gutter = Gutter(len(str(_greatest_number(found, changed))), paint)
    yield f"{paint(f'{severity}[{code.code}]', severity)} {paint(f'{code.rule}: {visible(found.message)}', 'strong')}"
    yield from _place_rows(found, sources, gutter)
    for name in ("path", "witness"):
        if name in found.facts:
            yield gutter.row(None, f"{name}: {visible(_fact(found.facts[name]))}", "=")
    if found.help:
        yield gutter.row(None, f"help: {visible(found.help)}", "=")
    for fix, rows in changed:
        trust = fix.applicability.value + ("" if fix.verified else ", not verified")
        yield gutter.row(None, f"fix ({trust}): {visible(fix.title)}{_elsewhere(fix, found)}", "=")
        yield from change_rows(rows, gutter)
    if found.hides:
        yield gutter.row(None, f"{_counted(found.hides, 'more finding')} only because of this one", "=")


def _changes(fix: Fix, sources: Sources) -> list[Change]:
    return list(changes(sources[fix.file], fix.edits)) if fix.file in sources else []


def _elsewhere(fix: Fix, found: Diagnostic) -> str:
    return "" if fix.file == found.at.file else f", in {visible(fix.file)}"


def _greatest_number(found: Diagnostic, changed: list[tuple[Fix, list[Change]]]) -> int:
    spans = [place.span for place in (found.at, *(related.at for related in found.related)) if place.span]
    lines = [max(one.old + len(one.gone), one.new + len(one.come)) for _, several in changed for one in several]
    return max([1, *lines, *(span.end.line for span in spans)])


def _place_rows(found: Diagnostic, sources: Sources, gutter: Gutter) -> Iterator[str]:
    """Where it is: file by file, each with its marked lines; the file of the finding comes first."""
    marks: dict[str, list[tuple[Place, Mark | None]]] = {}
    shown = [(found.at, "^", found.severity.value, "")]
    for related in found.related[:_RELATED_SHOWN]:
        told = related.role + (f": {related.message}" if related.message else "")
        shown.append((related.at, "-", "faint", told))
    for place, sign, role, label in shown:
        mark = Mark(place.span, sign, role, label) if place.span and place.file in sources else None
        marks.setdefault(place.file, []).append((place, mark))
    for file, several in marks.items():
        first = several[0][0]
        yield f"{' ' * gutter.digits}{_where(first, found, gutter)}"
        made = [mark for _, mark in several if mark is not None]
        if made:
            yield gutter.row(None, "")
            yield from snippet(sources[file], made, gutter)
    if len(found.related) > _RELATED_SHOWN:
        yield gutter.row(None, f"and {_counted(len(found.related) - _RELATED_SHOWN, 'more place')}", "=")


def _where(place: Place, found: Diagnostic, gutter: Gutter) -> str:
    """The file and position of a place; of the finding's own, the pointer as well."""
    arrow = "-->" if place is found.at else ":::"
    where = f"{place.file}:{place.span.start.line}:{place.span.start.column}" if place.span else place.file
    pointer = f"  {gutter.paint(visible(place.pointer), 'faint')}" if place is found.at and place.pointer else ""
    return f"{gutter.paint(arrow, 'faint')} {visible(where)}{pointer}"


def _fact(value: Any) -> str:
    if isinstance(value, list | tuple) and all(isinstance(hop, str) for hop in value):
        return " → ".join(_ends(list(value)))
    return _short(value)


def _ends(hops: list[str]) -> list[str]:
    """A long way by its beginning and its end."""
    left_out = len(hops) - 2 * _HOPS_SHOWN
    return hops if left_out < 2 else [*hops[:_HOPS_SHOWN], f"… {left_out} more …", *hops[-_HOPS_SHOWN:]]


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _VALUE_WIDTH else text[:_VALUE_WIDTH] + "…"


# -- the end of a report ----------------------------------------------------------------------------------------------


def _summary(report: Report, paint: Paint) -> Iterator[str]:
    counts = {severity: report.count(severity) for severity in Severity}
    told = ", ".join(paint(_counted(n, severity.value), severity.value) for severity, n in counts.items() if n)
    quiet = [f"{n} {word}" for word, n in (("suppressed", report.suppressed), ("baselined", report.baselined)) if n]
    yield (told or "no findings") + (f" ({', '.join(quiet)})" if quiet else "")
    if report.clean is not None:
        yield "clean" if report.clean else "not clean"
    yield from _fixable(report)
    reasons = dict.fromkeys(skipped.why for skipped in report.skipped)
    for why in reasons:
        yield paint(_skipped_row(why, [skipped for skipped in report.skipped if skipped.why == why]), "faint")


def _fixable(report: Report) -> Iterator[str]:
    """How much of it can be repaired without thinking, and how much with."""
    kinds = [{fix.applicability for fix in one.fixes if fix.verified and fix.edits} for one in report.diagnostics]
    safe = sum(Applicability.SAFE in found for found in kinds)
    unsafe = sum(Applicability.UNSAFE in found and Applicability.SAFE not in found for found in kinds)
    told = [f"{n} with `{option}`" for n, option in ((safe, "--fix"), (unsafe, "--unsafe-fixes")) if n]
    if told:
        yield f"can be fixed: {', '.join(told)}"
    others = [
        [fix for fix in one.fixes if fix.edits]
        for one, kind in zip(report.diagnostics, kinds, strict=True)
        if not {Applicability.SAFE, Applicability.UNSAFE} & kind
    ]
    unfilled = sum(any(fix.verified for fix in fixes) for fixes in others)
    unsure = sum(bool(fixes) and not any(fix.verified for fix in fixes) for fixes in others)
    by_hand = [f"{unfilled} with a value to fill in"] if unfilled else []
    by_hand += [f"{unsure} not verified: alone it leaves or brings an error, or it was not tried"] if unsure else []
    if by_hand:
        yield f"by hand: {', '.join(by_hand)}"


def _skipped_row(why: str, skipped: list[Skipped]) -> str:
    names = ", ".join(one.what for one in skipped[:_SKIPPED_SHOWN])
    more = len(skipped) - _SKIPPED_SHOWN
    return f"skipped: {names}" + (f" and {more} more (all with --json)" if more > 0 else "") + f" – {why}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")
