"""Whether a type has no value at all, and whether two types have none in common."""

from __future__ import annotations

from typing import assert_never

from wfc.passes.types.atoms import atoms_of
from wfc.passes.types.forms import (
    Array,
    Atom,
    Contains,
    Literals,
    Meet,
    Names,
    Not,
    Number,
    Object,
    Rule,
    Ruled,
    Text,
    Type,
    both,
    made,
)
from wfc.passes.types.meets import meet, number, text
from wfc.passes.types.membership import field_at, holds
from wfc.passes.types.proofs import Steps, apart, empty, inside
from wfc.passes.types.shapes import further_type, possible_items
from wfc.records import replace


def steps_to_empty(type: Type) -> Steps:
    """All atoms are void. A meeting is looked at pair by pair, so that it need not be multiplied out."""
    if isinstance(type.form, Meet):
        one, *others = type.form.parts
        return (yield from steps_to_apart(one, both(*others)))
    for atom in atoms_of(type):
        if not (yield from _void(atom)):
            return False
    return True


def steps_to_apart(one: Type, other: Type) -> Steps:
    """No two atoms have a value in common."""
    for mine in atoms_of(one):
        for theirs in atoms_of(other):
            common = None if tagged_apart(mine, theirs) else meet(mine, theirs)
            if common is not None and not (yield from _void(common)):
                return False
    return True


def tagged_apart(one: Atom, other: Atom) -> bool:
    """Whether a key that objects of both need holds different literals in them."""
    if not (isinstance(one, Object) and isinstance(other, Object)):
        return False
    for name in (*one.required, *(name for name in other.required if name not in one.required)):
        mine, theirs = one.by_name.get(name), other.by_name.get(name)
        if mine is None or theirs is None or mine is theirs:
            continue
        listed, others = _texts(mine), _texts(theirs)
        if listed is not None and others is not None and listed.isdisjoint(others):
            return True
    return False


def _texts(type: Type) -> frozenset[str] | None:
    """The canonical texts of a type's values, where they are a few strings."""
    atoms = atoms_of(type)
    if len(atoms) != 1 or not isinstance(atoms[0], Literals):
        return None
    if not all(isinstance(member.value, str) for member in atoms[0].members):
        return None
    return frozenset(member.text for member in atoms[0].members)


def _void(atom: Atom) -> Steps:
    """An atom has no value."""
    if isinstance(atom, Literals):
        return not atom.members
    if (yield from _void_kind(atom)):
        return True
    for rule in atom.rules:
        if (yield from _refuses(rule, atom)):
            return True
    return False


def _void_kind(atom: Ruled) -> Steps:
    """The bounds of an atom, or what it holds inside, leave no value."""
    match atom:
        case Number():
            return number(atom.low, atom.low_open, atom.high, atom.high_open, atom.whole) is None
        case Text():
            return text(atom.least, atom.most) is None
        case Array():
            return (yield from _void_array(atom))
        case Object():
            return (yield from _void_object(atom))
        case other:
            assert_never(other)


def _void_array(atom: Array) -> Steps:
    """Arrays are too short for themselves, or an element that must be there cannot be."""
    if atom.most is not None and atom.most < atom.least:
        return True
    needed = atom.prefix[: atom.least]
    for item in (*needed, *((atom.rest,) if atom.least > len(atom.prefix) else ())):
        if (yield empty(item), True):
            return True
    return False


def _void_object(atom: Object) -> Steps:
    """A key that must be there cannot be, or not as many keys as must be there."""
    for name in atom.required:
        if (yield empty(field_at(atom, name)), True):
            return True
    if atom.least <= len(atom.required) or not (yield empty(further_type(atom)), True):
        return False
    possible = 0
    for _, type in atom.fields:
        possible += not (yield empty(type), True)
    return possible < atom.least


def _refuses(rule: Rule, atom: Ruled) -> Steps:
    """A rule refuses every value of the atom."""
    match rule, atom:
        case Not(types), _:
            free = made(replace(atom, rules=tuple(other for other in atom.rules if other is not rule)))
            for inner in types:
                if (yield inside(free, inner), False):
                    return True
            return False
        case Contains(least=least), Array():
            return least > 0 and (yield from _lacks(atom, rule))
        case Names(key), Object():
            return any(holds(key, name) is False for name in atom.required)
        case _:
            return False


def _lacks(atom: Array, rule: Contains) -> Steps:
    """No element can be of the type that must be contained."""
    for item in possible_items(atom):
        if not (yield apart(item, rule.item), True):
            return False
    return True
