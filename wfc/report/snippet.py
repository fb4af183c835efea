"""The author's own lines with marks under the places that are meant.

Lines stand in their order, each once unless its marks are too far apart to be shown together; what lies between them is
left out. A mark over several lines is drawn at the left, from its first line to its last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from wfc.records import dataclass
from wfc.report.excerpt import excerpt, visible
from wfc.report.paint import Paint
from wfc.source import Source, Span

_MOST_LINES = 5


@dataclass(frozen=True, slots=True)
class Mark:
    """A place: `sign` is repeated under it, in the paint of `role`, with a label behind."""

    span: Span
    sign: str
    role: str
    label: str = ""

    @property
    def first(self) -> int:
        return self.span.start.line

    @property
    def last(self) -> int:
        return self.span.end.line


@dataclass(frozen=True, slots=True)
class Gutter:
    """What stands to the left of a line: its number, so many digits wide."""

    digits: int
    paint: Paint

    def row(self, number: int | None, text: str, sign: str = "|") -> str:
        told = "" if number is None else str(number)
        return f"{self.paint(f'{told:>{self.digits}} {sign}', 'faint')} {text}".rstrip()

    def gap(self, text: str = "") -> str:
        return (self.paint(f"{'...':<{self.digits + 2}}", "faint") + f" {text}").rstrip()


def snippet(source: Source, marks: Sequence[Mark], gutter: Gutter) -> Iterator[str]:
    """The marked lines of a text. The first mark may go over several lines; of the others the first line is shown."""
    long = marks[0] if marks and marks[0].last > marks[0].first else None
    by_line: dict[int, list[Mark]] = {}
    for mark in marks:
        if mark is not long:
            by_line.setdefault(mark.first, []).append(mark)
    shown: int | None = None
    for number in _filled(sorted({*by_line, *_lines_of(long)})):
        if shown is not None and number > shown + 1:
            yield gutter.gap(_bar(long, shown + 1, gutter.paint))
        yield from _line(source, number, by_line.get(number, []), long, gutter)
        shown = number


def _filled(numbers: list[int]) -> Iterator[int]:
    """The numbers, and each that is missing alone between two of them."""
    for place, number in enumerate(numbers):
        if place and number - numbers[place - 1] == 2:
            yield number - 1
        yield number


def _lines_of(long: Mark | None) -> Iterable[int]:
    if long is None:
        return ()
    if long.last - long.first < _MOST_LINES:
        return range(long.first, long.last + 1)
    return (*range(long.first, long.first + _MOST_LINES - 2), long.last)


def _line(source: Source, number: int, marks: list[Mark], long: Mark | None, gutter: Gutter) -> Iterator[str]:
    line = source.line(number)
    bar = "" if long is None else _margin(line, number, long, gutter.paint)
    waiting = marks
    while True:
        part = excerpt(line, _column(waiting[0]) if waiting else _end_column(number, long))
        yield gutter.row(number, bar + part.text)
        under = _bar(long, number + 1, gutter.paint) if long is not None else ""
        far = []
        for mark in waiting:
            if not part.shows(min(_column(mark), len(line))):
                far.append(mark)
                continue
            start, end = part.before(_column(mark)), part.before(_end(mark, line))
            sign = gutter.paint(mark.sign * max(1, end - start), mark.role)
            yield gutter.row(None, f"{under}{' ' * start}{sign} {_label(mark, gutter.paint)}".rstrip())
        if long is not None and not far:
            yield from _corners(line, number, long, gutter)
        if not far:
            return
        waiting = far


def _column(mark: Mark) -> int:
    return mark.span.start.column - 1


def _end(mark: Mark, line: str) -> int:
    """The column at which a mark ends on its first line."""
    return mark.span.end.column - 1 if mark.last == mark.first else len(line)


def _label(mark: Mark, paint: Paint) -> str:
    beyond = f"(to line {mark.last})" if mark.last > mark.first else ""
    told = " ".join(part for part in (mark.label, beyond) if part)
    return paint(visible(told), mark.role) if told else ""


# -- a mark over several lines ----------------------------------------------------------------------------------------


def _begins(line: str, long: Mark) -> bool:
    """Whether nothing stands before the mark on its first line."""
    return not line[: _column(long)].strip()


def _margin(line: str, number: int, long: Mark, paint: Paint) -> str:
    if number == long.first and _begins(line, long):
        return paint("/", long.role) + " "
    return _bar(long, number, paint)


def _bar(long: Mark | None, number: int, paint: Paint) -> str:
    """The stroke beside a line within the mark; a blank beside one without."""
    if long is None:
        return ""
    return (paint("|", long.role) if long.first < number <= long.last else " ") + " "


def _end_column(number: int, long: Mark | None) -> int:
    if long is None or number not in (long.first, long.last):
        return 0
    return _column(long) if number == long.first else long.span.end.column - 2


def _corners(line: str, number: int, long: Mark, gutter: Gutter) -> Iterator[str]:
    """Where the mark begins in the middle of a line, and where it ends."""
    if number == long.first and not _begins(line, long):
        reach = excerpt(line, _column(long)).before(_column(long))
        yield gutter.row(None, " " + gutter.paint("_" * (reach + 1) + long.sign, long.role))
    if number == long.last:
        column = max(0, long.span.end.column - 2)
        reach = excerpt(line, column).before(column)
        told = f" {long.label}" if long.label else ""
        yield gutter.row(None, gutter.paint("|" + "_" * (reach + 1) + long.sign + visible(told), long.role))
