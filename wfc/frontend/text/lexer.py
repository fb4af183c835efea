"""The words and marks of a text, one after the other, each of the kind that can stand where it stands.

Guarantees: a keyword is one only where the grammar asks for it; a JSON value is one word, read by the C parser; line
ends are what `grammar/workflow.lark` says they are. What is no word of the language has the kind `BAD`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container
from typing import Any

from wfc.frontend.text.grammar import Words
from wfc.frontend.text.words import BEHIND_END
from wfc.ir import STRICT
from wfc.records import dataclass, field

END = "$END"
_NUM = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
_BETWEEN = re.compile(r"(?:[ \t\r\n;\ufeff]+|#[^\n]*)*")
_TOKEN = re.compile(
    r"[ \t\r]*(?:(?P<WORD>[A-Za-z_][A-Za-z0-9_]*(?:-+[A-Za-z0-9_]+|\.[A-Za-z_][A-Za-z0-9_]*)*)"
    r'|(?P<STRING>"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")'
    rf"|(?P<RANGE>(?:{_NUM})?\.\.(?:{_NUM})?)"
    rf"|(?P<DURATION>{_NUM}[smh](?![A-Za-z0-9_]))"
    rf"|(?P<NUMBER>{_NUM})(?![0-9A-Za-z_.])"
    r"|(?P<NAMED>\$[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<WRONG>=>|-->|\u2192|\u21d2|===|!==|&&|\|\||:=)"
    r"|(?P<SIGN>->|==|!=|<=|>=|[][{}(),:=|?*.<>])"
    r"|(?P<LINE>(?:#[^\n]*)?(?:\n|\Z))"
    r'|(?P<BAD>"[^\n]*|\'[^\'\n]*\'?|[0-9][0-9A-Za-z_.]*|.))'
)
_LINE_END = re.compile(r"(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t\r]*(?:#[^\n]*\Z)?")
_WANTS_MORE = frozenset(
    {"SECTION", "COMMA", "VBAR", "EQUAL", "ARROW", "COLON", "AND", "OR", "NOT", "LPAR", "LBRACE", "LSQB"}
)
_GOES_ON = re.compile(
    r"->|\||(?:and|or|uses|effects|retry|timeout|catch|locals|parallel|serial|max|errors|request|then|else|do|delay"
    r"|backoff|limit|on|when)(?![\w-])(?!\s*(?:[:|,]|->))"
)
# Within braces an entry may begin with any of these words.
_GOES_ON_INSIDE = re.compile(r"[|)\]},=]|->")
_BEGINS = re.compile(
    r"(?:input|state|output)[ \t]*\{|outcomes[ \t]+[\w\"]|def[ \t]+[\w.\"/-]+[ \t]*[(\"-]"
    r"|start[ \t]+[\w-]+[ \t]*(?:#.*)?$"
    r"|(?:main[ \t]+)?workflow[ \t]+[\w\"-]+[^\n]*\{"
    r"|[\w-]+[ \t]*:[ \t]*(?:(?:if|foreach|fork|join|wait|interrupt|subgraph|end|set)\b|[\w.]+\()"
    r"|[\w-]+(?:[ \t]*\|[ \t]*[\w-]+)*[ \t]*->",
    re.MULTILINE,
)
# Behind one of these at the end of a line comes the next step.
_WAYS = frozenset({"THEN", "ELSE", "DO"})
_BRACKETS = frozenset({"LPAR", "LSQB", "LBRACE", "RPAR", "RSQB", "RBRACE"})
_CLOSER = {"RPAR": "LPAR", "RBRACE": "LBRACE", "RSQB": "LSQB"}
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_VALUES = frozenset('"-0123456789')
_CONSTANTS = ("true", "false", "null")


@dataclass(frozen=True, slots=True)
class Clash:
    """A key that stands twice in one thing: where first, where again."""

    key: str
    first: tuple[int, int]
    again: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Strange:
    """A word in the place of a type that names none."""

    word: str
    at: tuple[int, int]


class Lexeme:
    """A word of the text; `value` is what a JSON value is, `clashes` the list of its text."""

    __slots__ = ("clashes", "end", "start", "text", "type", "value")

    def __init__(
        self, type: str, text: str, start: int, end: int, clashes: list[Clash | Strange], value: Any = None
    ) -> None:
        self.type = type
        self.text = text
        self.start = start
        self.end = end
        self.value = value
        self.clashes = clashes


class BadValue(Exception):
    """A JSON value begins here that is none."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at


@dataclass(slots=True)
class Lexer:
    """A walk along a text. `at` is what has not been looked at; `open` the brackets around it in a statement."""

    text: str
    words: Words
    at: int = 0
    open: list[str] = field(default_factory=list)
    first: str = ""
    last: str = ""
    clashes: list[Clash | Strange] = field(default_factory=list)

    def begin(self) -> bool:
        """Go to the beginning of the next statement; false where there is none."""
        found = _BETWEEN.match(self.text, self.at)
        self.at = found.end() if found else self.at
        self.open.clear()
        self.first = self.last = ""
        return self.at < len(self.text)

    def next(self, wanted: Container[str]) -> Lexeme:
        """The next word; `wanted` are the kinds that can stand here. Raises `BadValue`."""
        text = self.text
        while self.last != "CLOSED":
            found = _TOKEN.match(text, self.at)
            kind = found.lastgroup if found else None
            if found is None or kind is None:
                break
            here, end = found.span(kind)
            if self.last in _WAYS and not self.open and (kind == "LINE" or text[here] in "};"):
                self.last = "NEXT"
                return Lexeme("NEXT", "", self.at, self.at, self.clashes)
            if kind == "LINE":
                self.at = here
                comma = self._line_end(here)
                if comma is None:
                    continue
                return comma
            first = text[here]
            if first in "};" and self.last and not self.open:
                self.at = here
                break
            lexeme = self._word(kind, found[kind], here, end, wanted)
            self.at = lexeme.end
            self._enter(lexeme.type)
            return lexeme
        return self._end(self.at)

    def give_up(self) -> None:
        """Go on to the end of a statement that cannot be read."""
        while True:
            try:
                if self.next(()).type == END:
                    return
            except BadValue as bad:
                self.at = bad.at + 1

    def _end(self, at: int) -> Lexeme:
        return Lexeme(END, "", at, at, self.clashes)

    def _line_end(self, here: int) -> Lexeme | None:
        """What a line end means: the end of the statement, a comma, or nothing."""
        behind = _LINE_END.match(self.text, here)
        after = behind.end() if behind else here + 1
        if here >= len(self.text):
            return self._end(here)
        if not self.open:
            if self.last in _WANTS_MORE or _GOES_ON.match(self.text, after):
                self.at = after
                return None
            return self._end(here)
        if _BEGINS.match(self.text, after) or (self.open[-1] != "LBRACE" and self.text.startswith("}", after)):
            return self._end(here)
        self.at = after
        if self.open[-1] == "LBRACE" and self.last not in _WANTS_MORE and not _GOES_ON_INSIDE.match(self.text, after):
            self.last = "COMMA"
            return Lexeme("COMMA", "\n", here, here, self.clashes)
        return None

    def _enter(self, kind: str) -> None:
        if not self.last:
            self.first = kind
        self.last = kind
        if kind not in _BRACKETS:
            return
        if kind not in _CLOSER:
            if kind == "LBRACE" and not self.open and self.first in ("WORKFLOW", "MAIN"):
                self.last = "CLOSED"
            else:
                self.open.append(kind)
        elif self.open and self.open[-1] == _CLOSER[kind]:
            self.open.pop()
        elif not self.open and kind == "RBRACE":
            self.last = "CLOSED"

    def _word(self, kind: str, text: str, here: int, end: int, wanted: Container[str]) -> Lexeme:
        if "VALUE" in wanted and self._begins_value(kind, text, wanted):
            return self._value(here)
        if kind == "WORD" and self.last == "END" and "NAME" in wanted and text not in BEHIND_END and "." not in text:
            kind = "NAME"
        elif kind == "WORD":
            kind = self.words.kind(text, wanted)
        elif kind == "SIGN":
            kind = self.words.signs[text]
        elif kind == "STRING":
            return self._string(here, end)
        elif kind == "WRONG":
            kind = "BAD"
        elif kind in ("NUMBER", "DURATION", "RANGE"):
            return Lexeme(kind, text, here, end, self.clashes, self._number(kind, text, here))
        return Lexeme(kind, text, here, end, self.clashes)

    def _begins_value(self, kind: str, text: str, wanted: Container[str]) -> bool:
        """Whether a word begins a JSON value where one can stand; a state may be that of several rules."""
        if kind == "WORD":
            return text in _CONSTANTS
        if kind == "SIGN":
            return text in ("[", "{") and self.words.signs[text] not in wanted
        return kind in ("STRING", "NUMBER", "RANGE", "DURATION", "BAD") and kind not in wanted and text[0] in _VALUES

    def _value(self, here: int) -> Lexeme:
        try:
            value, end = STRICT.raw_decode(self.text, here)
        except (ValueError, RecursionError):
            raise BadValue(here) from None
        return Lexeme("VALUE", self.text[here:end], here, end, self.clashes, value)

    def _number(self, kind: str, text: str, here: int) -> Any:
        """The number that a word is, a duration in seconds; of a range its two bounds, where they are given."""
        try:
            if kind == "RANGE":
                low, _, high = text.partition("..")
                return tuple(STRICT.decode(bound) if bound else None for bound in (low, high))
            value = STRICT.decode(text) if kind == "NUMBER" else STRICT.decode(text[:-1]) * _SECONDS[text[-1]]
        except (ValueError, OverflowError):
            raise BadValue(here) from None
        if isinstance(value, float) and not math.isfinite(value):
            raise BadValue(here)
        return value

    def _string(self, here: int, end: int) -> Lexeme:
        return Lexeme("STRING", self.text[here:end], here, end, self.clashes, STRICT.decode(self.text[here:end]))
