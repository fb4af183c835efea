"""Parts of a document that remember where they were written, and how a whole of them becomes one JSON value.

Guarantees: what is given is copied when it is given, so that nobody changes a document behind its back; putting
together does not recurse and looks at each part once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wfc.frontend.builder.calls import Call, caller
from wfc.ir import NotJson, to_json
from wfc.records import dataclass, field
from wfc.source import pointer

Field = tuple[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A part of a document: JSON in which further parts may stand, and the call that it comes from."""

    inside: Any
    call: Call = field(default_factory=caller)


@dataclass(frozen=True, slots=True)
class NoJson:
    """Stands where something was given that JSON cannot hold."""

    message: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What JSON cannot hold, and where it was given."""

    message: str
    call: Call


@dataclass(frozen=True, slots=True)
class Whole:
    """A JSON value, the calls of its parts by their pointers, and what in it is no JSON."""

    value: Any
    places: Mapping[str, Call]
    faults: tuple[Fault, ...]


def plain(given: Any) -> Any:
    """A copy of what somebody gave, as JSON."""
    try:
        return to_json(given)
    except NotJson as wrong:
        return NoJson(str(wrong))


def part(given: Any) -> Any:
    """What was given: a part as it is, all else as a copy."""
    if isinstance(given, Written):
        return given
    if isinstance(given, (list, tuple)) and any(isinstance(one, Written) for one in given):
        return [part(one) for one in given]
    return plain(given)


def fields(extra: Mapping[str, Any] | None, *given: Field) -> dict[str, Any]:
    """The fields that were given, those of the author's own behind them."""
    made = {name: value for name, value in given if value is not None}
    return made | {name: plain(value) for name, value in (extra or {}).items()}


def assembled(top: Written) -> Whole:
    """A whole document from its parts."""
    box: list[Any] = [top]
    places: dict[str, Call] = {}
    faults: list[Fault] = []
    waiting: list[tuple[Any, Any, str, Call]] = [(box, 0, "", top.call)]
    while waiting:
        holder, key, at, call = waiting.pop()
        item = holder[key]
        while isinstance(item, Written):
            places[at], call, item = item.call, item.call, item.inside
        if isinstance(item, NoJson):
            faults.append(Fault(item.message, call))
        if isinstance(item, dict):
            item = dict(item)
            waiting += _inside(item, item.keys(), at, call)
        elif isinstance(item, list):
            item = list(item)
            waiting += _inside(item, range(len(item)), at, call)
        holder[key] = item
    return Whole(box[0], places, tuple(faults))


def _inside(holder: Any, keys: Iterable[Any], at: str, call: Call) -> list[tuple[Any, Any, str, Call]]:
    return [(holder, key, at + pointer(key), call) for key in keys]
