"""What two atoms have in common: an atom again, or none where nothing can be.

The result is exact: rules of both are kept. Types inside are met lazily, so that nothing is worked out here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import gt, lt
from typing import Any

from wfc.passes.types.forms import (
    ANYTHING,
    NOTHING,
    Array,
    Atom,
    Further,
    Literal,
    Literals,
    Names,
    Number,
    Object,
    Rule,
    Ruled,
    Text,
    Type,
    Within,
    both,
    in_short,
)
from wfc.passes.types.membership import atom_holds, element_at, field_at, holds
from wfc.records import replace

Bound = tuple[int | float | None, bool]
"""A bound, none being no bound, and whether it is open."""


def meet(one: Atom, other: Atom) -> Atom | None:
    """The values of both atoms; none where there certainly are none."""
    if isinstance(one, Literals):
        return _kept(one, other)
    if isinstance(other, Literals):
        return _kept(other, one)
    if isinstance(one, Number) and isinstance(other, Number):
        return _numbers(one, other)
    if isinstance(one, Text) and isinstance(other, Text):
        return text(max(one.least, other.least), least_of(one.most, other.most), rules_of(one, other))
    if isinstance(one, Array) and isinstance(other, Array):
        return _arrays(one, other)
    if isinstance(one, Object) and isinstance(other, Object):
        return _objects(one, other)
    return None


def with_rule(atom: Ruled, rule: Rule) -> Ruled:
    """The atom under a further rule."""
    return atom if rule in atom.rules else replace(atom, rules=(*atom.rules, rule))


def tested(atom: Atom, type: Type) -> tuple[Atom, ...]:
    """The atom as far as a type holds its values as well: told at once of literals, else left to a verdict on each."""
    if not isinstance(atom, Literals):
        return (with_rule(atom, Within(type)),)
    kept = _literals(atom, [member for member in atom.members if holds(type, member.value) is not False])
    return () if kept is None else (kept,)


def _literals(atom: Literals, members: list[Literal]) -> Literals | None:
    return Literals(tuple(members), atom.loose) if members else None


def _kept(literals: Literals, other: Atom) -> Literals | None:
    """The literals that the other atom holds."""
    return _literals(literals, [each for each in literals.members if atom_holds(other, each.value) is not False])


def _numbers(one: Number, other: Number) -> Number | None:
    low, low_open = _tighter((one.low, one.low_open), (other.low, other.low_open), gt)
    high, high_open = _tighter((one.high, one.high_open), (other.high, other.high_open), lt)
    return number(low, low_open, high, high_open, max(one.whole, other.whole), rules_of(one, other))


def _tighter(one: Bound, other: Bound, is_tighter: Callable[[Any, Any], bool]) -> Bound:
    if one[0] is None or other[0] is None:
        return other if one[0] is None else one
    if one[0] == other[0]:
        return one[0], one[1] or other[1]
    return one if is_tighter(one[0], other[0]) else other


def number(
    low: int | float | None,
    low_open: bool,
    high: int | float | None,
    high_open: bool,
    whole: int,
    rules: tuple[Rule, ...] = (),
) -> Number | None:
    """Numbers between bounds, those of whole numbers drawn in to whole ones; none where no number is left."""
    low, high = (None if bound is None else in_short(bound) for bound in (low, high))
    if whole and low is not None:
        low, low_open = (math.floor(low) + 1 if low_open else math.ceil(low)), False
    if whole and high is not None:
        high, high_open = (math.ceil(high) - 1 if high_open else math.floor(high)), False
    if low is not None and high is not None and (low > high or (low == high and (low_open or high_open))):
        return None
    return Number(low, low_open, high, high_open, whole, rules)


def text(least: int, most: int | None, rules: tuple[Rule, ...] = ()) -> Text | None:
    return None if most is not None and most < least else Text(least, most, rules)


def least_of(one: int | None, other: int | None) -> int | None:
    """The smaller of two upper limits, none being no limit."""
    return other if one is None else one if other is None else min(one, other)


def rules_of(one: Ruled, other: Ruled) -> tuple[Rule, ...]:
    return tuple(dict.fromkeys((*one.rules, *other.rules))) if other.rules else one.rules


def _arrays(one: Array, other: Array) -> Array | None:
    length = max(len(one.prefix), len(other.prefix))
    prefix = [both(element_at(one, index), element_at(other, index)) for index in range(length)]
    most = least_of(one.most, other.most)
    return array(prefix, both(one.rest, other.rest), max(one.least, other.least), most, rules_of(one, other))


def array(prefix: list[Type], rest: Type, least: int, most: int | None, rules: tuple[Rule, ...] = ()) -> Array | None:
    """Arrays; none where they would have to be longer than they can be."""
    impossible = next((index for index, item in enumerate(prefix) if item is NOTHING), None)
    if impossible is not None:
        most = least_of(most, impossible)
    elif rest is NOTHING:
        most = least_of(most, len(prefix))
    if most is not None and most < least:
        return None
    if most is not None and len(prefix) >= most:
        prefix, rest = prefix[:most], NOTHING
    while prefix and prefix[-1] is rest:
        prefix = prefix[:-1]
    return Array(tuple(prefix), rest, least, most, rules)


def _objects(one: Object, other: Object) -> Object | None:
    names = dict.fromkeys((*one.by_name, *other.by_name))
    fields = {name: both(field_at(one, name), field_at(other, name)) for name in names}
    return object_of(
        fields,
        tuple(dict.fromkeys((*one.required, *other.required))),
        _further(one.further, other.further),
        (max(one.least, other.least), least_of(one.most, other.most)),
        rules_of(one, other),
        listed_in(one, other),
        one.explicit or other.explicit,
    )


def listed_in(one: Object, other: Object) -> frozenset[str] | None:
    """The keys that either lists; none where neither lists any."""
    found = [each.listed for each in (one, other) if each.listed is not None]
    return frozenset().union(*found) if found else None


def object_of(
    fields: dict[str, Type],
    required: tuple[str, ...],
    further: tuple[Further, ...],
    size: tuple[int, int | None],
    rules: tuple[Rule, ...] = (),
    listed: frozenset[str] | None = None,
    explicit: bool = False,
) -> Object | None:
    """Objects; none where a required key cannot be there, or their number is impossible."""
    least, most = size
    found = Object(tuple(fields.items()), required, further, least, most, rules, listed, explicit)
    if any(field_at(found, name) is NOTHING for name in required):
        return None
    if most is not None and max(least, len(required)) > most:
        return None
    if any(isinstance(rule, Names) and rule.key is NOTHING for rule in rules) and (least or required):
        return None
    return found


def _further(one: tuple[Further, ...], other: tuple[Further, ...]) -> tuple[Further, ...]:
    """All of both, those without patterns joined to one."""
    plain = [each.rest for each in (*one, *other) if not each.patterns]
    rest = both(*plain)
    patterned = [each for each in dict.fromkeys((*one, *other)) if each.patterns]
    return (*patterned, Further((), rest)) if rest is not ANYTHING else tuple(patterned)
