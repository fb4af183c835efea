"""Where in a Python file something was called: the position that a part of a built document has.

A call is remembered as the code and the instruction, which costs nothing; line and column are looked up when a finding
is told.
"""

from __future__ import annotations

import linecache
import os
import sys
from itertools import islice
from types import CodeType

from wfc.records import dataclass
from wfc.source import Position, Source, Span

_OURS = __name__.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Call:
    """A call in somebody's Python code."""

    code: CodeType
    instruction: int

    @property
    def file(self) -> str:
        """The file as it is seen from the current folder, where it lies below that."""
        return shown_file(self.code.co_filename)

    @property
    def span(self) -> Span:
        """The expression that was called, from its first character to behind its last."""
        found = next(islice(self.code.co_positions(), self.instruction // 2, None), (None,) * 4)
        first, last, start, end = found
        if first is None:
            first = self.code.co_firstlineno
        if last is None or start is None or end is None:
            line = self._line(first).rstrip()
            return Span(Position(first, 1 + len(line) - len(line.lstrip())), Position(first, 1 + len(line)))
        return Span(Position(first, self._column(first, start)), Position(last, self._column(last, end)))

    @property
    def source(self) -> Source:
        """The text of the file; empty where Python cannot tell it any more."""
        return Source(self.file, "".join(linecache.getlines(self.code.co_filename)))

    def _line(self, number: int) -> str:
        return linecache.getline(self.code.co_filename, number)

    def _column(self, number: int, offset: int) -> int:
        """Python counts the bytes of a line, a position its code points."""
        return 1 + len(self._line(number).encode()[:offset].decode(errors="ignore"))


def shown_file(path: str) -> str:
    here = os.getcwd() + os.sep
    return path.removeprefix(here) if path.startswith(here) else path


def caller() -> Call:
    """The innermost call from outside of this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == _OURS:
        frame = frame.f_back
    return Call(frame.f_code, frame.f_lasti)
