"""What keeps a text from being a JSON document: every such place is found, in one pass that never recurses.

Guarantees: a text without faults here is read by the C parser of `json` with no loss (reference 1.1): no key twice,
no NaN, no number that JSON cannot hold exactly, no lone surrogate, no nesting beyond 200 levels. A fault of the syntax
ends the scan, the others do not; where it is sure what was meant, the text is scanned again as if it were written so.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Code
from wfc.frontend.fault_codes import DUPLICATE_KEY, NOT_JSON, NOT_UTF8, SYNTAX, TOO_DEEP
from wfc.frontend.mends import Mend, Mended, mend
from wfc.frontend.slips import Due, Spot, slip
from wfc.frontend.twice import one_entry
from wfc.ir import MAX_DEPTH, MAX_DIGITS
from wfc.records import dataclass, field, replace

_BLANK = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?(?![0-9A-Za-z_.])")
_CONSTANT = re.compile(r"(?:true|false|null)(?![0-9A-Za-z_])")
_NO_NUMBER = re.compile(r"(?:NaN|-?Infinity)(?![0-9A-Za-z_])")
_WORD = re.compile(r"[0-9A-Za-z_.+$-]+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
# How often a text is scanned, and how many code points are looked at in all.
_MOST_SCANS, _WORK = 50, 2_000_000
# Of how many keys that stand twice the values are compared.
_MOST_TWICE = 20
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fault:
    """One place: a code and its facts, offsets from `start` up to `end`, the pointer of the value around it.

    `first` are the offsets of the earlier of two equal keys, `hint` is what to do in place of the code's own help;
    `mends` are changes of the text that repair it, the best first.
    """

    code: Code
    start: int
    end: int
    pointer: tuple[str | int, ...]
    facts: dict[str, Any]
    first: tuple[int, int] | None = None
    hint: str | None = None
    mends: tuple[Mend, ...] = ()


@dataclass(slots=True)
class _Open:
    """An object or array that the scan is inside of; `key` is the key or index of the value that comes next."""

    closer: str
    start: int
    key: str | int
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)


class _Stop(Exception):
    """Carries the fault of the syntax that ends a scan; raised and caught in this file."""

    def __init__(self, fault: Fault) -> None:
        super().__init__()
        self.fault = fault


def faults(text: str) -> list[Fault]:
    """Every fault of a text, in order of place; behind a fault of the syntax as far as it is sure what was meant."""
    mended = Mended(text)
    found: dict[tuple[Code, int, int], Fault] = {}
    for _ in range(max(1, min(_MOST_SCANS, _WORK // (len(text) + 1)))):
        last = len(found)
        for fault in _scanned(mended):
            found.setdefault((fault.code, fault.start, fault.end), fault)
        stop = list(found.values())[-1] if len(found) > last else None
        if stop is None or stop.code is not SYNTAX or not stop.mends or not stop.mends[0].sure:
            break
        mended = mended.after(stop.mends[0])
    return sorted(found.values(), key=lambda fault: (fault.start, fault.end))


def _scanned(mended: Mended) -> Iterator[Fault]:
    """The faults of a text, as places and changes of what its author wrote; a fault of the syntax is the last."""
    scan = _Scan(mended.text)
    try:
        for fault in scan.run():
            yield _owned(fault, mended)
    except _Stop as stop:
        yield _owned(stop.fault, mended)


def _owned(fault: Fault, mended: Mended) -> Fault:
    if not mended.made:
        return fault
    place = mended.place
    first = None if fault.first is None else (place(fault.first[0]), place(fault.first[1]))
    mends = tuple(own for own in map(mended.own, fault.mends) if own is not None)
    return replace(fault, start=place(fault.start), end=place(fault.end), first=first, mends=mends)


def value_faults(text: str, start: int) -> Iterator[Fault]:
    """Every fault of the one value that begins at a place of a text."""
    scan = _Scan(text, start)
    try:
        yield from scan.value()
    except _Stop as stop:
        yield stop.fault


@dataclass(slots=True)
class _Scan:
    """One walk along a text. `at` is the offset of what has not been looked at yet.

    `before` is where the last key, scalar or bracket begins that was stepped over, and `ended` where it ends; `judged`
    is how many keys that stand twice were looked at.
    """

    text: str
    at: int = 0
    before: int = 0
    ended: int = 0
    judged: int = 0
    inside: list[_Open] = field(default_factory=list)

    def run(self) -> Iterator[Fault]:
        self._blank()
        if self.at == len(self.text):
            raise self._stop(Due.VALUE, "a workflow or module", "an empty document has no workflow: begin with `{`")
        yield from self.value()
        self._blank()
        if self.at < len(self.text):
            raise self._stop(Due.END, "the end of the document", "a document holds one value")

    def value(self) -> Iterator[Fault]:
        while True:
            yield from self._value()
            while self.inside and not self._follows():
                continue
            if not self.inside:
                break
            if self.inside[-1].closer == "}":
                yield from self._key()

    def _value(self) -> Iterator[Fault]:
        """Step over a scalar, or into containers down to their first scalar; empty containers are closed."""
        while True:
            self._blank()
            opener = self.text[self.at : self.at + 1]
            if opener not in ("{", "[") or not opener:
                yield from self._scalar()
                return
            self.inside.append(_Open("}" if opener == "{" else "]", self.at, 0))
            if len(self.inside) == MAX_DEPTH + 1:
                yield self._fault(TOO_DEEP, self.at, self.at + 1, limit=MAX_DEPTH)
            self.at += 1
            self._blank()
            if self.text.startswith(self.inside[-1].closer, self.at):
                return
            if opener == "{":
                yield from self._key()

    def _follows(self) -> bool:
        """After a value: whether another follows in the innermost container; at its end the container is left."""
        self.ended = self.at
        self._blank()
        here = self.inside[-1]
        found = self.text[self.at : self.at + 1]
        if found == here.closer:
            self.before = self.at
            self.at += 1
            self.inside.pop()
            return False
        if found != ",":
            raise self._stop(Due.NEXT, f"`,` or `{here.closer}`", self._unclosed(here))
        comma = self.at
        self.at += 1
        self._blank()
        if self.text.startswith(here.closer, self.at):
            self.at = comma
            raise self._stop(Due.NEXT, f"`{here.closer}`", "JSON has no comma after the last entry")
        if isinstance(here.key, int):
            here.key += 1
        return True

    def _unclosed(self, here: _Open) -> str:
        line = self.text.count("\n", 0, here.start) + 1
        return f"the `{self.text[here.start]}` of line {line} is not closed here, or a comma is missing"

    def _key(self) -> Iterator[Fault]:
        self._blank()
        start = self.at
        here = self.inside[-1]
        yield from self._text(Due.KEY, "a key in double quotes")
        key = json.loads(self.text[start : self.at])
        here.key = key
        if key in here.keys:
            mends = one_entry(self.text, here.keys[key], (start, self.at)) if self.judged < _MOST_TWICE else ()
            self.judged += 1
            yield Fault(DUPLICATE_KEY, start, self.at, self._pointer(), {"key": key}, here.keys[key], mends=mends)
        here.keys.setdefault(key, (start, self.at))
        self.before, self.ended = start, self.at
        self._blank()
        if not self.text.startswith(":", self.at):
            raise self._stop(Due.COLON, "`:` after the key", "a key and its value are separated by a colon")
        self.at += 1

    def _scalar(self) -> Iterator[Fault]:
        self.before = start = self.at
        if self.text.startswith('"', start):
            yield from self._text(Due.VALUE, "a value")
        elif found := _NUMBER.match(self.text, start):
            self.at = found.end()
            yield from self._number(found)
        elif found := _CONSTANT.match(self.text, start):
            self.at = found.end()
        elif found := _NO_NUMBER.match(self.text, start):
            self.at = found.end()
            meant = (mend("Write `null`", start, self.at, "null", sure=False),)
            yield self._fault(NOT_JSON, start, self.at, meant, got=f"`{found[0]}`", expected="a JSON value")
        else:
            raise self._stop(Due.VALUE, "a value", self._meant())

    def _number(self, found: re.Match[str]) -> Iterator[Fault]:
        start, end = found.span()
        meant = (mend("Write it as a string", start, end, f'"{found[0]}"', sure=False),)
        if found[1] is None and found[2] is None:
            digits = end - start - found[0].startswith("-")
            if digits > MAX_DIGITS:
                said = f"an integer of {digits} digits"
                yield self._fault(NOT_JSON, start, end, meant, got=said, expected=f"at most {MAX_DIGITS}")
        elif not math.isfinite(float(found[0])):
            shown = found[0] if end - start <= 40 else found[0][:37] + "..."
            yield self._fault(NOT_JSON, start, end, meant, got=f"`{shown}`", expected="a number that fits a double")

    def _text(self, due: Due, expected: str) -> Iterator[Fault]:
        start = self.at
        found = _STRING.match(self.text, start)
        if found is None:
            raise self._stop(due, expected, self._meant())
        self.at = found.end()
        for at, end in _lone_surrogates(self.text, start + 1, self.at - 1):
            shown = self.text[at:end].encode("ascii", "backslashreplace").decode("ascii")
            meant = (mend("Write `\\ufffd`", at, end, "\\ufffd", sure=False),)
            yield self._fault(NOT_UTF8, at, end, meant, got=f"the lone surrogate `{shown}`")

    def _blank(self) -> None:
        found = _BLANK.match(self.text, self.at)
        if found is not None:
            self.at = found.end()

    def _meant(self) -> str:
        """What to say about a text that begins no JSON value."""
        rest = self.text[self.at : self.at + 200]
        if rest.startswith(("//", "/*", "#")):
            return "JSON has no comments; a remark can stand in `desc` or under a key that begins with `x-`"
        if rest.startswith("'"):
            return "JSON strings stand in double quotes"
        if rest.startswith('"'):
            return (
                "the string is not closed on its line, or holds an escape or control character that JSON does not have"
            )
        if rest.startswith(("True", "False", "None")):
            return "JSON writes `true`, `false` and `null` in lower case"
        return "a value is an object, an array, a string in double quotes, a number, `true`, `false` or `null`"

    def _pointer(self) -> tuple[str | int, ...]:
        return tuple(here.key for here in self.inside)

    def _fault(self, code: Code, start: int, end: int, mends: tuple[Mend, ...] = (), **facts: Any) -> Fault:
        return Fault(code, start, end, self._pointer(), facts, mends=mends)

    def _stop(self, due: Due, expected: str, hint: str) -> _Stop:
        word = _WORD.match(self.text, self.at)
        end = word.end() if word else min(self.at + 1, len(self.text))
        shown = self.text[self.at : min(end, self.at + 40)]
        found = f"`{shown}`" if shown else "the end of the text"
        around = self._pointer()[:-1]
        facts = {"got": found, "expected": expected}
        return _Stop(Fault(SYNTAX, self.at, end, around, facts, hint=hint, mends=self._mends(due)))

    def _mends(self, due: Due) -> tuple[Mend, ...]:
        first = bool(self.inside) and self.inside[-1].key == 0
        closers = [here.closer for here in self.inside]
        found = slip(Spot(self.text, self.at, due, closers, self.before, self.ended, first))
        return () if found is None else (found,)


def _lone_surrogates(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Halves of surrogate pairs inside a string, written as escapes or as themselves."""
    for raw in _SURROGATE.finditer(text, start, end):
        yield raw.span()
    high: tuple[int, int] | None = None
    for escape in _ESCAPED.finditer(text, start, end):
        unit = int(escape[1], 16) if escape[1] else 0
        if high is not None and not (escape.start() == high[1] and 0xDC00 <= unit <= 0xDFFF):
            yield high
        elif high is not None:
            high = None
            continue
        high = escape.span() if 0xD800 <= unit <= 0xDBFF else None
        if 0xDC00 <= unit <= 0xDFFF:
            yield escape.span()
    if high is not None:
        yield high
