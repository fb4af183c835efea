"""Findings for people: the author's lines with carets, what else belongs to it, what to do, and a count at the end.

Reference 3.1. The text is a function of the report and the documents; colour is the caller's choice of `Paint`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from wfc.diagnostics import Diagnostic, Fix, Place, Report, Severity, Skipped
from wfc.report.excerpt import excerpt, visible
from wfc.source import Source, Span

# Text and its role (a severity, `strong`, `faint`, `added`, `removed`) → the text as it is written.
Paint = Callable[[str, str], str]
_ANSI = {"error": "1;31", "warning": "1;33", "note": "1;36", "strong": "1", "faint": "2"} | {
    "added": "32",
    "removed": "31",
}
_VALUE_WIDTH = 80
_SKIPPED_SHOWN = 6


class Lines(Protocol):
    """A document as a report needs it."""

    @property
    def source(self) -> Source: ...

    def locate(self, pointer: str) -> Span: ...


Documents = Mapping[str, Lines]


def plain(text: str, role: str) -> str:
    return text


def coloured(text: str, role: str) -> str:
    return f"\x1b[{_ANSI[role]}m{text}\x1b[0m"


def paint_if(wanted: bool) -> Paint:
    return coloured if wanted else plain


def render_text(report: Report, documents: Documents, paint: Paint = plain) -> str:
    """All findings in their order, then the summary. Ends with a newline."""
    found = render_findings(report.diagnostics, documents, paint)
    return (found and found + "\n\n") + "\n".join(_summary(report, paint)) + "\n"


def render_findings(found: Sequence[Diagnostic], documents: Documents, paint: Paint = plain) -> str:
    """Findings in their order, a blank line between them."""
    return "\n\n".join("\n".join(_finding_lines(one, documents, paint)) for one in found)


def _finding_lines(found: Diagnostic, documents: Documents, paint: Paint) -> Iterator[str]:
    """One finding, line by line."""
    severity, code = found.severity.value, found.code
    yield f"{paint(f'{severity}[{code.code}]', severity)} {paint(f'{code.rule}: {visible(found.message)}', 'strong')}"
    yield from _place_lines("-->", found.at, found.at.pointer, documents, paint, mark="^", role=severity)
    for related in found.related:
        told = related.role + (f": {related.message}" if related.message else "")
        yield from _place_lines(":::", related.at, told, documents, paint, mark="-", role="faint")
    for name in ("path", "witness"):
        if name in found.facts:
            yield f"  = {name}: {visible(_fact(found.facts[name]))}"
    if found.help:
        yield f"  = help: {visible(found.help)}"
    for fix in found.fixes:
        yield from _fix_lines(fix, paint)
    if found.hides:
        yield f"  = {_counted(found.hides, 'more finding')} only because of this one"


def span_of(place: Place, documents: Documents) -> Span | None:
    """Where a place is in its document; none when there is no such document to look into."""
    if place.span is not None or place.file not in documents:
        return place.span
    return documents[place.file].locate(place.pointer)


def _place_lines(
    arrow: str, place: Place, told: str, documents: Documents, paint: Paint, *, mark: str, role: str
) -> Iterator[str]:
    """Where a place is, what is told about it, and the author's line with `mark` under it."""
    span = span_of(place, documents)
    where = f"{place.file}:{span.start.line}:{span.start.column}" if span else place.file
    yield f"  {paint(arrow, 'faint')} {visible(where)}" + (f"  {paint(visible(told), 'faint')}" if told else "")
    if span is None or place.file not in documents:
        return
    line, marks = excerpt(documents[place.file].source, span, mark)
    number = str(span.start.line)
    yield f"  {paint(f'{number} |', 'faint')} {line}".rstrip()
    yield f"  {paint(' ' * len(number) + ' |', 'faint')} {paint(marks, role)}"


def _fact(value: Any) -> str:
    if isinstance(value, list | tuple) and all(isinstance(hop, str) for hop in value):
        return " → ".join(value)
    return _short(value)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _VALUE_WIDTH else text[:_VALUE_WIDTH] + "…"


def _fix_lines(fix: Fix, paint: Paint) -> Iterator[str]:
    """The fix as a small diff over places; what stood there is known from the patch's own `test`."""
    yield f"  = fix ({fix.applicability.value}): {visible(fix.title)}"
    before = {step["path"]: step["value"] for step in fix.patch if step["op"] == "test"}
    for step in fix.patch:
        pointer = step["path"]
        if step["op"] in ("remove", "replace"):
            old = f" {_short(before[pointer])}" if pointer in before else ""
            yield "    " + paint(visible(f"- {pointer}{old}"), "removed")
        if step["op"] == "move":
            yield "    " + paint(visible(f"- {step['from']}"), "removed")
            yield "    " + paint(visible(f"+ {pointer}"), "added")
        if step["op"] in ("add", "replace"):
            yield "    " + paint(visible(f"+ {pointer} {_short(step['value'])}"), "added")


def _summary(report: Report, paint: Paint) -> Iterator[str]:
    counts = {severity: report.count(severity) for severity in Severity}
    told = ", ".join(paint(_counted(n, severity.value), severity.value) for severity, n in counts.items() if n)
    quiet = [f"{n} {word}" for word, n in (("suppressed", report.suppressed), ("baselined", report.baselined)) if n]
    yield (told or "no findings") + (f" ({', '.join(quiet)})" if quiet else "")
    if report.clean is not None:
        yield "clean" if report.clean else "not clean"
    reasons = dict.fromkeys(skipped.why for skipped in report.skipped)
    for why in reasons:
        yield paint(_skipped_line(why, [skipped for skipped in report.skipped if skipped.why == why]), "faint")


def _skipped_line(why: str, skipped: list[Skipped]) -> str:
    names = ", ".join(one.what for one in skipped[:_SKIPPED_SHOWN])
    more = len(skipped) - _SKIPPED_SHOWN
    return f"skipped: {names}" + (f" and {more} more (all with --json)" if more > 0 else "") + f" – {why}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")
