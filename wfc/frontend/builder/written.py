"""Parts of a document that remember where they were written, and how a whole of them becomes one JSON value.

Guarantees: what is given is copied when it is given, so that nobody changes a document behind its back; putting
together does not recurse and looks at each part once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.frontend.builder.calls import Call, caller
from wfc.ir import MAX_DEPTH, NotJson, to_json
from wfc.records import dataclass, field
from wfc.source import pointer

Field = tuple[str, Any]
# A holder and a key in it, the pointer there, the call that said it, and how deep it lies.
_Place = tuple[Any, Any, str, Call, int]


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
    """What JSON cannot hold, and where it was given; without a message it is what lies too deep."""

    message: str | None
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
    waiting: list[_Place] = [(box, 0, "", top.call, 0)]
    while waiting:
        holder, key, at, call, depth = waiting.pop()
        item = holder[key]
        while isinstance(item, Written):
            places[at], call, item = item.call, item.call, item.inside
        if isinstance(item, NoJson):
            faults.append(Fault(item.message, call))
        elif isinstance(item, (dict, list)):
            item = item.copy()
            keys = list(item) if isinstance(item, dict) else range(len(item))
            if depth >= MAX_DEPTH:
                faults.append(Fault(None, call))
            else:
                waiting += [(item, one, at + pointer(one), call, depth + 1) for one in keys]
        holder[key] = item
    return Whole(box[0], places, tuple(faults))
