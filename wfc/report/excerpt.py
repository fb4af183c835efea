"""The author's own line with a mark under the place that is meant, whatever the line holds and however long it is.

What is returned fits on a terminal and cannot control it: control characters are replaced, tabs are blanks, wide
characters count twice, and of a long line only the part around the place is shown.
"""

from __future__ import annotations

import unicodedata

from wfc.source import Source, Span

WIDTH = 100
_BEFORE = 40
_TAB = "    "
_CONTROLS = [*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_VISIBLE = dict.fromkeys(_CONTROLS, "�") | {ord("\n"): " ", ord("\t"): _TAB}


def visible(text: str) -> str:
    """The text on one line, without anything that a terminal would obey."""
    return text.translate(_VISIBLE)


def cells(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(_cells(char) for char in text)


def _cells(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def excerpt(source: Source, span: Span, mark: str) -> tuple[str, str]:
    """The line on which the span starts, and below it `mark` repeated under what the span holds of that line."""
    line = source.line(span.start.line)
    start = min(span.start.column - 1, len(line))
    end = span.end.column - 1 if span.end.line == span.start.line else len(line)
    first, last = _window(len(line), start)
    before = ("…" if first else "") + visible(line[first:start])
    marked = visible(line[start : min(end, last)])
    after = visible(line[min(end, last) : last]) + ("…" if last < len(line) else "")
    beyond = f" to line {span.end.line}" if span.end.line > span.start.line else ""
    return before + marked + after, " " * cells(before) + mark * max(1, cells(marked)) + beyond


def _window(length: int, start: int) -> tuple[int, int]:
    if length <= WIDTH:
        return 0, length
    first = max(0, min(start - _BEFORE, length - WIDTH))
    return first, first + WIDTH
