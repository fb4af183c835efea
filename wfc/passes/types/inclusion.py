"""Whether every value of one type is one of another.

Each atom of the source has to lie under one atom of the target; where it does not, it is split by what tells the
target's atoms apart – a tag, a key that is there or not, a bound – and each piece has to.
"""

from __future__ import annotations

from typing import Any

from wfc.ir import kind_of
from wfc.passes.types.atoms import atoms_of
from wfc.passes.types.emptiness import tagged_apart
from wfc.passes.types.forms import (
    NOTHING,
    Array,
    Atom,
    Contains,
    Further,
    Literal,
    Literals,
    Multiple,
    Names,
    Not,
    Number,
    Object,
    Rule,
    Ruled,
    Text,
    Type,
    Unique,
    both,
    made,
)
from wfc.passes.types.membership import element_at, field_at, holds
from wfc.passes.types.proofs import Steps, apart, empty, inside
from wfc.passes.types.shapes import any_further, further_type, is_closed, most_keys, possible_items
from wfc.passes.types.splitting import few, split

MOST_PIECES = 64


def steps_to_inside(source: Type, target: Type) -> Steps:
    """All atoms of the source are covered by the target."""
    for atom in atoms_of(source):
        if not (yield from _covered(atom, target)):
            return False
    return True


def _covered(atom: Atom, target: Type) -> Steps:
    """Every value of an atom is one of the target; literals are asked for one by one."""
    if isinstance(atom, Literals):
        return all(_held(target, member, atom.loose) for member in atom.members)
    others = [each for each in atoms_of(target) if not isinstance(each, Literals)]
    candidates = [each for each in others if each.__class__ is atom.__class__]
    pieces: list[Ruled] = [atom]
    left = MOST_PIECES
    while pieces:
        piece = pieces.pop()
        values = few(piece)
        if values is not None and all(holds(target, value) for value in values):
            continue
        if (yield from _under_any(piece, candidates)):
            continue
        smaller = split(piece, candidates) if left > 0 else []
        left -= len(smaller)
        pieces += smaller
        if not smaller and not (yield empty(made(piece)), False):
            return False
    return True


def _held(target: Type, member: Literal, loose: bool) -> bool:
    """Whether the target holds a literal, in whatever way it is written."""
    if loose and target.strict and isinstance(member.value, (dict, list)) and _has_numbers(member.value):
        return False
    return holds(target, member.value) is True


def _has_numbers(value: Any) -> bool:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if kind_of(item) == "number":
            return True
        waiting += item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return False


def _under_any(piece: Ruled, candidates: list[Ruled]) -> Steps:
    for candidate in candidates:
        if not tagged_apart(piece, candidate) and (yield from _under(piece, candidate)):
            return True
    return False


def _under(source: Ruled, target: Ruled) -> Steps:
    """Every value of an atom is one of another atom of its kind."""
    if source == target:
        return True
    if not (yield from _fitting(source, target)):
        return False
    for rule in target.rules:
        if rule not in source.rules and not (yield from _kept(rule, source)):
            return False
    return True


def _fitting(source: Ruled, target: Ruled) -> Steps:
    """Bounds, lengths and what is inside of one atom lie within those of another."""
    match source, target:
        case Number(), Number():
            return _bounded(source, target)
        case Text(), Text():
            return _sized(source, target)
        case Array(), Array():
            return _sized(source, target) and (yield from _elements(source, target))
        case Object(), Object():
            return _counted(source, target) and (yield from _fields(source, target))
        case _:
            return False


def _bounded(source: Number, target: Number) -> bool:
    if source.whole < target.whole:
        return False
    if target.low is not None:
        if source.low is None or source.low < target.low:
            return False
        if source.low == target.low and target.low_open and not source.low_open:
            return False
    if target.high is not None:
        if source.high is None or source.high > target.high:
            return False
        if source.high == target.high and target.high_open and not source.high_open:
            return False
    return True


def _sized(source: Text | Array, target: Text | Array) -> bool:
    return source.least >= target.least and (
        target.most is None or (source.most is not None and source.most <= target.most)
    )


def _elements(source: Array, target: Array) -> Steps:
    """Elements fit one by one, as far as either has a type for each, and all further ones."""
    for index, item in enumerate(possible_items(source)):
        if not (yield inside(item, element_at(target, index)), True):
            return False
    beyond = range(len(source.prefix) + 1, len(target.prefix) + 1)
    for index in beyond if source.most is None else beyond[: max(0, source.most - beyond.start)]:
        if not (yield inside(source.rest, element_at(target, index)), True):
            return False
    return True


def _fields(source: Object, target: Object) -> Steps:
    for name in dict.fromkeys((*target.by_name, *source.by_name)):
        if not (yield inside(field_at(source, name), field_at(target, name)), True):
            return False
    for further in target.further:
        if not (yield from _further(source, further)):
            return False
    return True


def _counted(source: Object, target: Object) -> bool:
    if not all(name in source.required for name in target.required):
        return False
    if max(source.least, len(source.required)) < target.least:
        return False
    if target.most is None:
        return True
    most = most_keys(source)
    return most is not None and most <= target.most


def _further(source: Object, target: Further) -> Steps:
    """Keys that are no field of either keep what the target says of further keys."""
    for pattern, type in target.patterns:
        if not (yield inside(_at_pattern(source, pattern), type), True):
            return False
    known = frozenset(pattern for pattern, _ in target.patterns)
    return (yield inside(further_type(source, known), target.rest), True)


def _at_pattern(source: Object, pattern: str) -> Type:
    """What a further key of the source that matches a pattern may hold."""
    return both(*(dict(each.patterns).get(pattern) or any_further(each) for each in source.further))


def _kept(rule: Rule, source: Ruled) -> Steps:
    """Every value of the source keeps a rule that it does not have itself."""
    match rule, source:
        case Multiple(of), Number():
            return (of == 1 and source.whole > 0) or any(_divides(of, own) for own in source.rules)
        case Unique(), Array():
            return source.most is not None and source.most <= 1
        case Contains(), Array():
            return (yield from _contains(rule, source))
        case Names(), Object():
            return (yield from _named(rule, source))
        case Not(types), _:
            for type in types:
                if not (yield apart(made(source), type), False):
                    return False
            return True
        case _:
            return False


def _divides(divisor: int | float, rule: Rule) -> bool:
    """Whether what a rule lets through is a multiple of an integer as well."""
    if not isinstance(rule, Multiple) or not isinstance(divisor, int) or not isinstance(rule.of, int):
        return False
    return rule.of % divisor == 0


def _contains(rule: Contains, source: Array) -> Steps:
    """So many elements are of a type because all are, or because the source contains as many of a smaller one."""
    for own in source.rules:
        if isinstance(own, Contains) and own.least >= rule.least and _no_more(own.most, rule.most):
            same = own.item is rule.item or (rule.most is None and (yield inside(own.item, rule.item), True))
            if same:
                return True
    if source.least < rule.least or not _no_more(source.most, rule.most):
        return False
    for item in possible_items(source):
        if not (yield inside(item, rule.item), True):
            return False
    return True


def _no_more(most: int | None, limit: int | None) -> bool:
    return limit is None or (most is not None and most <= limit)


def _named(rule: Names, source: Object) -> Steps:
    """Every key that the source can have is of a type."""
    for own in source.rules:
        if isinstance(own, Names) and (yield inside(own.key, rule.key), True):
            return True
    return is_closed(source) and all(holds(rule.key, name) for name, type in source.fields if type is not NOTHING)
