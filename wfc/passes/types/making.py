"""Types that are no schema: of literals, of what is put together, and of what a comparison has told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wfc.passes.types.forms import (
    NOTHING,
    Further,
    Literal,
    Literals,
    Type,
    both,
    made,
    none_of,
    written_both_ways,
)
from wfc.passes.types.meets import array, object_of


def literal(value: Any) -> Type:
    """One value, as it is written."""
    return listing([value], loose=False)


def equal_to(*values: Any) -> Type:
    """All values that are JSON-equal to one of some."""
    return listing(values, loose=True)


def listing(values: Iterable[Any], *, loose: bool) -> Type:
    """Some values as they are written, or loosely: with all that are JSON-equal to them."""
    members: dict[str, Literal] = {}
    for value in values:
        written = written_both_ways(value) if loose else [Literal.of(value)]
        members.update((each.text, each) for each in written)
    # A text or constant is written in one way only, so that it is the same type loosely or not.
    plain = all(isinstance(each.value, (str, bool)) or each.value is None for each in members.values())
    return made(Literals(tuple(members.values()), plain or loose)) if members else NOTHING


def array_of(item: Type, at_least: int = 0, at_most: int | None = None) -> Type:
    """Arrays of so many elements of a type."""
    found = array([], item, at_least, at_most)
    return NOTHING if found is None else made(found)


def record(fields: Mapping[str, tuple[Type, bool]]) -> Type:
    """Objects of no other keys than some fields, each with its type and whether it has to be there."""
    return _record(fields, Further((), NOTHING))


def open_record(fields: Mapping[str, tuple[Type, bool]]) -> Type:
    """Objects with fields, each with its type and whether it has to be there; further keys may hold anything."""
    return _record(fields)


def _record(fields: Mapping[str, tuple[Type, bool]], *further: Further) -> Type:
    types = {name: type for name, (type, _) in fields.items()}
    required = tuple(name for name, (_, needed) in fields.items() if needed)
    found = object_of(types, required, further, (0, None), (), frozenset(types), explicit=not further)
    return NOTHING if found is None else made(found)


def without(type: Type, value: Any) -> Type:
    """The values of a type that are not JSON-equal to a literal, as after `ne`."""
    return both(type, none_of([equal_to(value)]))


def only(type: Type, value: Any) -> Type:
    """The values of a type that are JSON-equal to a literal, as after `eq`."""
    return both(type, equal_to(value))
