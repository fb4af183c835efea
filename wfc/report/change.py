"""What changes in the author's lines: by one fix for its reader, and in a whole text as a unified diff for tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from wfc.records import dataclass
from wfc.report.excerpt import excerpt
from wfc.report.paint import Paint
from wfc.report.snippet import Gutter
from wfc.source import Edit, Source, edited

_MOST_LINES = 12


@dataclass(frozen=True, slots=True)
class Change:
    """Lines that go and lines that come in their place; `old` and `new` number the first of them."""

    old: int
    new: int
    gone: tuple[str, ...]
    come: tuple[str, ...]

    @property
    def column(self) -> int:
        """From where on the first lines differ."""
        if not self.gone or not self.come:
            return 0
        old, new = self.gone[0], self.come[0]
        pairs = enumerate(zip(old, new, strict=False))
        return next((place for place, (one, other) in pairs if one != other), min(len(old), len(new)))


def changes(source: Source, edits: Sequence[Edit]) -> Iterator[Change]:
    """The lines that edits change, without those that stay around them."""
    shift = 0
    for first, last, inside in _stretches(source, edits):
        start, end = source.offset(first), source.offset(last + 1)
        gone = _lines(source.text[start:end])
        moved = [Edit(edit.start - start, edit.end - start, edit.text) for edit in inside]
        come = _lines(edited(source.text[start:end], moved))
        head, tail = _shared(gone, come)
        left, new = gone[head : len(gone) - tail], come[head : len(come) - tail]
        yield Change(first + head, first + head + shift, tuple(left), tuple(new))
        shift += len(come) - len(gone)


def _stretches(source: Source, edits: Sequence[Edit]) -> Iterator[tuple[int, int, list[Edit]]]:
    """First and last line of neighbouring edits, and the edits."""
    together: list[Edit] = []
    first = last = 0
    for edit in edits:
        start, end = source.position(edit.start).line, source.position(edit.end).line
        if together and start > last + 1:
            yield first, last, together
            together = []
        first, last = (first if together else start), end
        together.append(edit)
    if together:
        yield first, last, together


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _shared(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines are the same at the beginning, and at the end."""
    most, head, tail = min(len(old), len(new)), 0, 0
    while head < most and old[head] == new[head]:
        head += 1
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, tail


def change_rows(found: Iterable[Change], gutter: Gutter) -> Iterator[str]:
    """Changes as rows: the lines that go, numbered as in the old text, and those that come, as in the new one."""
    rows: list[str] = []
    for change in found:
        if rows:
            rows.append(gutter.gap())
        rows += _side("-", change.old, change.gone, change.column, gutter, "removed")
        rows += _side("+", change.new, change.come, change.column, gutter, "added")
    yield from rows[:_MOST_LINES]
    if len(rows) > _MOST_LINES:
        yield gutter.gap(f"{len(rows) - _MOST_LINES} more lines")


def _side(sign: str, first: int, lines: Sequence[str], column: int, gutter: Gutter, role: str) -> Iterator[str]:
    """The lines of one side of a change, cut around the column from which the first one differs."""
    for place, line in enumerate(lines):
        text = excerpt(line.rstrip("\r"), 0 if place else column).text
        yield gutter.paint(f"{first + place:>{gutter.digits}} {sign} {text}".rstrip(), role)


def unified(name: str, old: str, new: str, paint: Paint) -> str:
    """The difference of two texts, for people and for `patch`; empty where there is none."""
    import difflib

    rows = difflib.unified_diff(_ended(old), _ended(new), name, name)
    return "".join(_unified_row(row, paint) for row in rows)


def _ended(text: str) -> list[str]:
    """The lines of a text with their ends; the last one may have none."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]


def _unified_row(row: str, paint: Paint) -> str:
    role = {"-": "removed", "+": "added", "@": "faint"}.get(row[0])
    told = row.removesuffix("\n")
    ended = "" if row.endswith("\n") else "\n\\ No newline at end of file"
    return (paint(told, role) if role else told) + ended + "\n"
