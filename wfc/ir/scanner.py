"""Tokens of assembly text, taken one after the other; whatever else stands there is an `IrFault` with its line."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from wfc.ir.codec import IrFault
from wfc.records import dataclass

# What is written without quotes; a colon inside is that of `node_failed:TYPE`.
_WORD = re.compile(r"[A-Za-z_][\w./-]*(?::[\w./-]+)*", re.ASCII)
_PATH = re.compile(r"\.|[A-Za-z_][\w.]*", re.ASCII)
_INDEX = re.compile(r"#(\d+)", re.ASCII)
_TOKEN = re.compile(r"<-|->|\(\)|[\w./-]+|\S", re.ASCII)
_SPACE = re.compile(r"[ \t\r]*")
_LITERAL = re.compile(r'["\[{0-9-]|(true|false|null)\b')
_DECODER = json.JSONDecoder()


def is_word(text: str) -> bool:
    """Whether a string is written without quotes."""
    return _WORD.fullmatch(text) is not None


@dataclass(slots=True)
class Scanner:
    """The lines of a text and a place in them. One parse owns it and moves it on."""

    lines: list[str]
    line: int = 0
    at: int = 0

    @classmethod
    def over(cls, text: str) -> Scanner:
        made = cls(text.split("\n"))
        made._skip_empty()
        return made

    @property
    def done(self) -> bool:
        return self.line == len(self.lines)

    def first_word(self) -> str | None:
        """The word that the line begins with, not taken; none at the end of the text."""
        found = _WORD.match(self._text(), self.at)
        return found and found[0]

    def ahead(self, token: str) -> bool:
        """Whether this token comes next on the line."""
        return self._next() == token

    def literal_ahead(self) -> bool:
        """Whether a JSON value comes next, which no path and no name begins like."""
        return _LITERAL.match(self._text(), self.at) is not None

    def take(self, token: str) -> None:
        if self._next() != token:
            self.fail(f"`{token}`")
        self._move(self.at + len(token))

    def word(self, allowed: tuple[str, ...] = ()) -> str:
        """A name, with or without quotes; where `allowed` is not empty, one of these."""
        expected = "one of " + ", ".join(f"`{word}`" for word in allowed) if allowed else "a name"
        start = self.at
        word = str(self.json()) if self.ahead('"') else self._match(_WORD, expected)[0]
        if allowed and word not in allowed:
            self.fail(expected, start)
        return word

    def number(self, types: tuple[type, ...]) -> Any:
        start, value = self.at, self.json()
        if type(value) not in types:
            self.fail("an integer" if types == (int,) else "a number", start)
        return value

    def path(self) -> str:
        return self._match(_PATH, "a path")[0]

    def index(self) -> int:
        return int(self._match(_INDEX, "an index such as `#3`")[1])

    def take_index(self, expected: int) -> None:
        start = self.at
        if self.index() != expected:
            self.fail(f"`#{expected}`", start)

    def json(self) -> Any:
        try:
            value, end = _DECODER.raw_decode(self._text(), self.at)
        except (ValueError, RecursionError):
            self.fail("a JSON value")
        self._move(end)
        return value

    def end_line(self) -> None:
        if self.at < len(self._text()):
            self.fail("the end of the line")
        self.line, self.at = self.line + 1, 0
        self._skip_empty()

    def fail(self, expected: str, at: int | None = None) -> NoReturn:
        """Refuse what comes next, or what stands at `at` on the line."""
        if self.done:
            raise IrFault(f"the text ends where {expected} was expected")
        self.at = self.at if at is None else at
        found = self._next()
        shown = f"`{found}`" if found else "the end of the line"
        raise IrFault(f"line {self.line + 1}: found {shown}, expected {expected}")

    def _text(self) -> str:
        return "" if self.done else self.lines[self.line]

    def _next(self) -> str:
        found = _TOKEN.match(self._text(), self.at)
        return found[0] if found else ""

    def _match(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        found = pattern.match(self._text(), self.at)
        if found is None:
            self.fail(expected)
        self._move(found.end())
        return found

    def _move(self, at: int) -> None:
        space = _SPACE.match(self._text(), at)
        self.at = space.end() if space else at

    def _skip_empty(self) -> None:
        while not self.done and not self.lines[self.line].strip():
            self.line += 1
        self._move(0)
