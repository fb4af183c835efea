"""What reducers make of the values of a state path, and whether they may meet a value that they refuse (reference 1.6).

A path that is missing has no current type. Every value that a reducer gives is of the type told here; it may hold more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from wfc.passes.types.fitting import Verdict
from wfc.passes.types.forms import (
    ANYTHING,
    NOTHING,
    Array,
    Contains,
    Names,
    Number,
    Object,
    Text,
    Type,
    Unique,
    both,
    either,
    made,
)
from wfc.passes.types.making import array_of
from wfc.passes.types.meets import array, number
from wfc.passes.types.membership import is_whole
from wfc.passes.types.ranges import plus, range_of
from wfc.passes.types.reading import elements, kinds, lengths
from wfc.passes.types.shapes import arrays_of, merged, objects_of, possible_items
from wfc.records import replace

Config = Mapping[str, Any]
Reduced = Callable[[Type | None, Type], Type]

_MOST_PAIRS = 64
_NUMBERS, _TEXTS, _OBJECTS = made(Number()), made(Text()), made(Object())


def after_reducer(name: str, config: Config, current: Type | None, incoming: Type) -> Type:
    """The values of a path after a write; `current` is none where the path is missing before it.

    What the reducer refuses leads to no value. Of a reducer that is not built in nothing is known.
    """
    if name == "wf.std.modulo_add":
        return _modulo_add(config.get("modulus"), current, incoming)
    reduced = _REDUCED.get(name)
    return ANYTHING if reduced is None else reduced(current, incoming)


def _append(current: Type | None, incoming: Type) -> Type:
    if current is None:
        return array_of(incoming, 1, 1)
    added = Array((incoming,), NOTHING, 1, 1)
    return either(*(_joined(each, added) for each in arrays_of(current)))


def _extend(current: Type | None, incoming: Type) -> Type:
    if current is None:
        return both(incoming, array_of(ANYTHING))
    return either(*(_joined(each, _any_array(incoming)) for each in arrays_of(current)))


def _set_union(current: Type | None, incoming: Type) -> Type:
    given = _any_array(incoming)
    if current is None:
        found = array([], given.rest, min(1, given.least), given.most, (Unique(),))
        return NOTHING if found is None else made(found)
    return either(*(_united(each, given) for each in arrays_of(current)))


def _any_array(type: Type) -> Array:
    """One atom around all arrays of a type."""
    least, most = lengths(type)
    return Array((), elements(type), least, most)


def _joined(first: Array, second: Array) -> Type:
    """Arrays followed by others; an element beyond the first one's least length may be of either."""
    most = None if first.most is None or second.most is None else first.most + second.most
    rules = tuple(replace(rule, most=None) for rule in first.rules if isinstance(rule, Contains) and rule.least)
    added = either(*possible_items(second))
    if first.most == first.least == len(first.prefix):
        found = array([*first.prefix, *second.prefix], second.rest, first.least + second.least, most, rules)
    else:
        prefix = [item if index < first.least else either(item, added) for index, item in enumerate(first.prefix)]
        found = array(prefix, either(first.rest, added), first.least + second.least, most, rules)
    return NOTHING if found is None else made(found)


def _united(first: Array, second: Array) -> Type:
    """Arrays followed by the elements of others that are not in them yet."""
    joined = _joined(first, replace(second, least=0))
    atoms = [replace(each, least=max(first.least, min(1, second.least))) for each in arrays_of(joined)]
    unique = Unique() in first.rules or (first.most is not None and first.most <= 1)
    return made(*(replace(each, rules=(*each.rules, Unique())) if unique else each for each in atoms))


def _merge_object(current: Type | None, incoming: Type) -> Type:
    if current is None:
        return both(incoming, _OBJECTS)
    pairs = list(product(objects_of(current), objects_of(incoming)))
    return _OBJECTS if len(pairs) > _MOST_PAIRS else made(*(merged(mine, theirs) for mine, theirs in pairs))


def _extreme(current: Type | None, incoming: Type) -> Type:
    """The larger or smaller of two numbers or two strings is one of them."""
    if current is None:
        return both(incoming, either(_NUMBERS, _TEXTS))
    found = []
    for family in (_NUMBERS, _TEXTS):
        mine, theirs = both(current, family), both(incoming, family)
        found += [mine, theirs] if kinds(mine) and kinds(theirs) else []
    return either(*found)


def _add(current: Type | None, incoming: Type) -> Type:
    if current is None:
        return both(incoming, _NUMBERS)
    mine, theirs = range_of(current), range_of(incoming)
    return NOTHING if mine is None or theirs is None else plus(mine, theirs).type


def _modulo_add(modulus: Any, current: Type | None, incoming: Type) -> Type:
    if isinstance(modulus, bool) or not isinstance(modulus, (int, float)) or modulus <= 0:
        return NOTHING
    ranges = [range_of(each) for each in (current, incoming) if each is not None]
    if None in ranges:
        return NOTHING
    whole = min(is_whole(modulus), *(each.whole for each in ranges if each is not None))
    found = number(0, False, modulus, True, whole)
    return NOTHING if found is None else made(found)


_REDUCED: Mapping[str, Reduced] = {
    "wf.std.replace": lambda current, incoming: incoming,
    "wf.std.append": _append,
    "wf.std.extend": _extend,
    "wf.std.set_union": _set_union,
    "wf.std.merge_object": _merge_object,
    "wf.std.max": _extreme,
    "wf.std.min": _extreme,
    "wf.std.add": _add,
}

_ARRAY, _OBJECT, _NUMBER, _STRING = (frozenset((kind,)) for kind in ("array", "object", "number", "string"))
# The kinds of values that a reducer takes together.
_FAMILIES: Mapping[str, tuple[frozenset[str], ...]] = {
    "wf.std.extend": (_ARRAY,),
    "wf.std.set_union": (_ARRAY,),
    "wf.std.merge_object": (_OBJECT,),
    "wf.std.max": (_NUMBER, _STRING),
    "wf.std.min": (_NUMBER, _STRING),
    "wf.std.add": (_NUMBER,),
    "wf.std.modulo_add": (_NUMBER,),
}


def reducer_accepts(name: str, incoming: Type, current: Type | None) -> Verdict:
    """Whether a built-in reducer takes an incoming value beside a current one; nothing is known of other reducers."""
    if name == "wf.std.replace":
        return Verdict.ALWAYS
    if name == "wf.std.append":
        return Verdict.ALWAYS if current is None else _taken((_ARRAY,), [kinds(current)])
    families = _FAMILIES.get(name)
    if families is None:
        return Verdict.MAYBE
    return _taken(families, [kinds(each) for each in (incoming, current) if each is not None])


def taken(name: str, config: Config, incoming: Type, after: Type) -> Type:
    """What of an incoming type a reducer can have taken where the path is of the type `after` then; it may be more.

    Only what replaces has to be of that type itself: of two numbers the larger stays, objects complete one another.
    """
    match name:
        case "wf.std.replace":
            return both(incoming, after)
        case "wf.std.append":
            return both(incoming, elements(after))
        case "wf.std.extend" | "wf.std.set_union":
            return both(incoming, array_of(elements(after)))
        case "wf.std.add" | "wf.std.modulo_add":
            sums, step = range_of(after), config.get("modulus", 1)
            whole = 0 if sums is None or not isinstance(step, (int, float)) else min(1, sums.whole, is_whole(step))
            return both(incoming, made(Number(whole=whole)))
        case "wf.std.max" | "wf.std.min":
            return both(incoming, either(*(family for family in (_NUMBERS, _TEXTS) if kinds(both(after, family)))))
        case "wf.std.merge_object":
            return both(incoming, made(*map(_part_of, objects_of(after))))
        case _:
            return incoming


def _part_of(whole: Object) -> Object:
    """Some of the keys of an object: what has to be there, or be there together, may have been there before."""
    rules = tuple(rule for rule in whole.rules if isinstance(rule, Names))
    return replace(whole, required=(), least=0, rules=rules)


def _taken(families: tuple[frozenset[str], ...], given: list[frozenset[str]]) -> Verdict:
    if any(all(each <= family for each in given) for family in families):
        return Verdict.ALWAYS
    # One value is of one family or of another; only two of them may be of different ones.
    if len(given) == 1 and given[0] <= frozenset().union(*families):
        return Verdict.ALWAYS
    possible = any(all(each & family for each in given) for family in families)
    return Verdict.MAYBE if possible else Verdict.NEVER
