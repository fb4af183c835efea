"""A key that stands twice in one object: how what both say becomes one entry, where that can be told."""

from __future__ import annotations

import json
import re
from typing import Any

from wfc.frontend.mends import Mend, mend
from wfc.records import dataclass
from wfc.source import Edit

_DECODER = json.JSONDecoder()
_BEFORE_VALUE = re.compile(r"[ \t\n\r]*:[ \t\n\r]*")
_COMMA = re.compile(r"[ \t\n\r]*,[ \t\n\r]*")


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry from its key up to the end of its value, which begins at `begun`."""

    start: int
    begun: int
    end: int
    value: Any


def one_entry(text: str, first: tuple[int, int], again: tuple[int, int]) -> tuple[Mend, ...]:
    """The changes that leave one of two entries, whose keys stand at these places; the best first.

    What says the same is said once. Lists, and objects that share no key, are put together. Of anything else there is
    a choice, the last one first, which is the one that most readers of JSON keep.
    """
    one, other = _entry(text, first), _entry(text, again)
    if one is None or other is None:
        return ()
    comma = len(text[: other.start].rstrip()) - 1
    last_out = Edit(comma, other.end, "")
    if _same(text, one, other):
        return (Mend("Keep one of them", (last_out,)),)
    between = _COMMA.match(text, one.end)
    both = (Mend("Put both together", (_added(text, one, other), last_out), sure=False),) if _fit(one, other) else ()
    keep_last = (mend("Keep the last", one.start, between.end(), "", sure=False),) if between else ()
    return (*both, *keep_last, Mend("Keep the first", (last_out,), sure=False))


def _entry(text: str, key: tuple[int, int]) -> _Entry | None:
    found = _BEFORE_VALUE.match(text, key[1])
    if found is None:
        return None
    try:
        value, end = _DECODER.raw_decode(text, found.end())
    except (ValueError, RecursionError):
        return None
    return _Entry(key[0], found.end(), end, value)


def _same(text: str, one: _Entry, other: _Entry) -> bool:
    """Whether two values are written alike but for blanks; `1` and `1.0` are not."""
    try:
        return json.dumps(one.value) == json.dumps(other.value)
    except RecursionError:
        return text[one.begun : one.end] == text[other.begun : other.end]


def _fit(one: _Entry, other: _Entry) -> bool:
    match one.value, other.value:
        case list(), list():
            return bool(one.value and other.value)
        case dict(), dict():
            return bool(one.value and other.value) and not one.value.keys() & other.value.keys()
        case _:
            return False


def _added(text: str, one: _Entry, other: _Entry) -> Edit:
    """The entries of the other container behind those of the first."""
    end = len(text[: one.end - 1].rstrip())
    return Edit(end, end, f", {text[other.begun + 1 : other.end - 1].strip()}")
