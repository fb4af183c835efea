"""A part of one line of an author, as a terminal can show it.

What is returned fits on a terminal and cannot control it: control characters are replaced, tabs are blanks, wide
characters count twice, and of a long line only the part around a place is shown.
"""

from __future__ import annotations

import re
import unicodedata

from wfc.records import dataclass

WIDTH = 100
_BEFORE = 40
_TAB = "    "
_CONTROLS = [*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x2028, 0x2029]
_HARMLESS = {code: "�" for code in _CONTROLS if chr(code) not in "\n\t"}
_KEPT = re.compile("(\x1b\\[[0-9;]*m|\r\n)")
_VISIBLE = dict.fromkeys(_CONTROLS, "�") | {ord("\n"): " ", ord("\t"): _TAB}


def visible(text: str) -> str:
    """The text on one line, without anything that a terminal would obey."""
    return text.translate(_VISIBLE)


def harmless(text: str) -> str:
    """A text of many lines without anything that a terminal would obey, but for colours and the ends of lines."""
    return "".join(part if _KEPT.fullmatch(part) else part.translate(_HARMLESS) for part in _KEPT.split(text))


def cells(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(_cells(char) for char in text)


def _cells(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a line; `first` and `last` are the columns of the line, from 0, between which it lies."""

    line: str
    first: int
    last: int

    @property
    def text(self) -> str:
        """What is shown, with a mark at each end where the line goes on."""
        cut_before, cut_behind = self.first > 0, self.last < len(self.line)
        return "…" * cut_before + visible(self.line[self.first : self.last]) + "…" * cut_behind

    def shows(self, column: int) -> bool:
        return self.first <= column < self.last or column == len(self.line) == self.last

    def before(self, column: int) -> int:
        """How many columns of the terminal stand before a column of the line."""
        shown = min(max(column, self.first), self.last)
        return (self.first > 0) + cells(visible(self.line[self.first : shown]))


def excerpt(line: str, column: int) -> Excerpt:
    """The line, or of a long one what stands around a column."""
    if len(line) <= WIDTH:
        return Excerpt(line, 0, len(line))
    first = max(0, min(column - _BEFORE, len(line) - WIDTH))
    return Excerpt(line, first, first + WIDTH)
