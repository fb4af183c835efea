"""A text and the places in it: every position is a line and a column, counted from 1 in code points, end exclusive."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from wfc.records import dataclass, field

_INDEX = "0|[1-9][0-9]{0,17}"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A line and a column, both counted from 1; columns count code points (reference 3.1)."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text from `start` up to, and without, `end`."""

    start: Position
    end: Position


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of a text: `text` comes in the place of the code points from `start` up to, and without, `end`."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits that stand in order and do not overlap."""
    return "".join(_pieces(text, edits))


def _pieces(text: str, edits: Iterable[Edit]) -> Iterator[str]:
    at = 0
    for edit in edits:
        yield text[at : edit.start]
        yield edit.text
        at = edit.end
    yield text[at:]


@dataclass(frozen=True)
class Source:
    """A named text. `name` is the file as the user gave it, never absolute by our doing."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [0], self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> Position:
        """The line and column of a code-point offset."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def span(self, start: int, end: int) -> Span:
        return Span(self.position(start), self.position(max(start, end)))

    def offset(self, number: int) -> int:
        """Where a line begins; behind the last one, the end of the text."""
        return self._starts[number - 1] if number <= len(self._starts) else len(self.text)

    def line(self, number: int) -> str:
        """The text of a line without its line end."""
        return self.text[self.offset(number) : self.offset(number + 1)].rstrip("\r\n")

    @property
    def line_count(self) -> int:
        return len(self._starts)


def pointer(*segments: str | int) -> str:
    """An RFC 6901 JSON pointer from its segments."""
    return "".join(["/" + str(part).replace("~", "~0").replace("/", "~1") for part in segments])


def pointer_parts(written: str) -> tuple[str, ...]:
    """The segments of an RFC 6901 JSON pointer; raises `ValueError` when it does not begin with a slash."""
    if not written:
        return ()
    if not written.startswith("/"):
        raise ValueError(f"`{written}` is no JSON pointer")
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in written[1:].split("/"))


def array_index(part: str) -> int | None:
    """The index that a segment of a pointer names: digits without a leading zero; none for any other segment."""
    return int(part) if re.fullmatch(_INDEX, part) else None


def lookup(value: Any, parts: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
    """The value at the longest existing prefix of a pointer's parts, and that prefix."""
    for depth, part in enumerate(parts):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and (index := array_index(part)) is not None and index < len(value):
            value = value[index]
        else:
            return value, parts[:depth]
    return value, parts
