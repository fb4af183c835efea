"""What comparing values of two types gives: whether they have an order, whether they can be equal (reference 2.5)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from wfc.ir import equal
from wfc.passes.types.atoms import atoms_of
from wfc.passes.types.fitting import Verdict, disjoint
from wfc.passes.types.forms import Literals, Number, Type
from wfc.passes.types.making import equal_to
from wfc.passes.types.ranges import Range, range_of
from wfc.passes.types.reading import kinds

_ORDERED = frozenset(("number", "string"))
# Values of these kinds are, or may hold, numbers, which are written in two ways.
_WRITTEN = frozenset(("number", "array", "object"))


def comparable(left: Type, right: Type) -> Verdict:
    """Whether values of the types are two numbers or two strings, so that `lt`, `le`, `gt`, `ge` take them."""
    mine, theirs = kinds(left), kinds(right)
    if not mine or not theirs or (len(mine | theirs) == 1 and mine <= _ORDERED):
        return Verdict.ALWAYS
    return Verdict.MAYBE if mine & theirs & _ORDERED else Verdict.NEVER


def compared(op: str, left: Type, right: Type) -> Verdict:
    """Whether a comparison of values that it takes is true."""
    if op == "eq":
        return may_equal(left, right)
    if op == "ne":
        return _OPPOSITE[may_equal(left, right)]
    if op in ("gt", "ge"):
        return compared({"gt": "lt", "ge": "le"}[op], right, left)
    return _before(left, right, strictly=op == "lt")


_OPPOSITE = {Verdict.ALWAYS: Verdict.NEVER, Verdict.MAYBE: Verdict.MAYBE, Verdict.NEVER: Verdict.ALWAYS}


def _before(left: Type, right: Type, *, strictly: bool) -> Verdict:
    """Whether a number or string of one type comes before one of the other, or is equal where that is enough."""
    mine, theirs = only_value(left), only_value(right)
    if mine is not None and theirs is not None and comparable(left, right) is Verdict.ALWAYS:
        true = mine[0] < theirs[0] if strictly else mine[0] <= theirs[0]
        return Verdict.ALWAYS if true else Verdict.NEVER
    if kinds(left) != {"number"} or kinds(right) != {"number"}:
        return Verdict.MAYBE
    one, other = range_of(left), range_of(right)
    if one is None or other is None:
        return Verdict.MAYBE
    if _certainly(one.high, other.low, strictly=strictly):
        return Verdict.ALWAYS
    return Verdict.NEVER if _certainly(other.high, one.low, strictly=not strictly) else Verdict.MAYBE


def _certainly(high: int | float | None, low: int | float | None, *, strictly: bool) -> bool:
    """Whether all numbers up to one bound come before all from another on."""
    return high is not None and low is not None and (high < low or (high == low and not strictly))


@lru_cache(maxsize=65536)
def may_equal(left: Type, right: Type) -> Verdict:
    """Whether values of the types are JSON-equal."""
    mine, theirs = only_value(left), only_value(right)
    if mine is not None and theirs is not None:
        return Verdict.ALWAYS if equal(mine[0], theirs[0]) else Verdict.NEVER
    left, right = _in_both_ways(left), _in_both_ways(right)
    common = kinds(left) & kinds(right)
    if (left.strict or right.strict) and common & _WRITTEN:
        # `1` and `1.0` are equal although a type may hold only one of them: types may be disjoint, and values equal.
        apart = common == {"number"} and _are_apart(range_of(left), range_of(right))
        return Verdict.NEVER if apart else Verdict.MAYBE
    return Verdict.NEVER if disjoint(left, right) else Verdict.MAYBE


def _in_both_ways(type: Type) -> Type:
    """Literals with all that is equal to them; any other type as it is."""
    atoms = atoms_of(type)
    if not all(isinstance(atom, Literals) for atom in atoms):
        return type
    return equal_to(*(member.value for atom in atoms if isinstance(atom, Literals) for member in atom.members))


def _are_apart(one: Range | None, other: Range | None) -> bool:
    if one is None or other is None:
        return True
    return _certainly(one.high, other.low, strictly=True) or _certainly(other.high, one.low, strictly=True)


@lru_cache(maxsize=65536)
def only_value(type: Type) -> tuple[Any] | None:
    """The one value that a type has, in a one-tuple; none where there may be others, or none at all."""
    values: list[Any] = []
    for atom in atoms_of(type):
        if isinstance(atom, Number) and atom.low is not None and atom.low == atom.high:
            values.append(atom.low)
        elif isinstance(atom, Literals):
            values += [member.value for member in atom.members]
        else:
            return None
    return (values[0],) if values and all(equal(values[0], other) for other in values[1:]) else None
