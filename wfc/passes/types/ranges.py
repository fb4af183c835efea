"""The numbers of a type as a range, and the ranges of what is calculated from numbers.

A range holds every number that can come out; it may hold more. Calculated bounds are whole and so small that neither
exact integers nor rounded doubles can pass them: rounding keeps the order of numbers, and these are doubles themselves.
"""

from __future__ import annotations

import math

from wfc.ir import kind_of
from wfc.passes.types.atoms import atoms_of
from wfc.passes.types.forms import NOTHING, Literals, Number, Type, made
from wfc.passes.types.meets import number
from wfc.passes.types.membership import is_whole
from wfc.records import dataclass

_EXACT = 2**53


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low` to `high`; none is no bound. `whole`: 0 any, 1 without a fraction, 2 written without one."""

    low: int | float | None = None
    high: int | float | None = None
    whole: int = 0

    @property
    def type(self) -> Type:
        found = number(self.low, False, self.high, False, self.whole)
        return NOTHING if found is None else made(found)


def range_of(type: Type) -> Range | None:
    """The range of a type's numbers; none where it has none."""
    found: list[Range] = []
    for atom in atoms_of(type):
        if isinstance(atom, Number):
            found.append(Range(atom.low, atom.high, atom.whole))
        elif isinstance(atom, Literals):
            values = [each.value for each in atom.members if kind_of(each.value) == "number"]
            found += [Range(value, value, is_whole(value)) for value in values]
    return _hull(found) if found else None


def _hull(ranges: list[Range]) -> Range:
    lows = [each.low for each in ranges if each.low is not None]
    highs = [each.high for each in ranges if each.high is not None]
    return Range(
        min(lows) if len(lows) == len(ranges) else None,
        max(highs) if len(highs) == len(ranges) else None,
        min(each.whole for each in ranges),
    )


def _low(bound: int | float | None) -> int | None:
    """A whole bound from below that every number above the given one keeps; none where it would be too large."""
    return None if bound is None or abs(bound) > _EXACT else math.floor(bound)


def _high(bound: int | float | None) -> int | None:
    return None if bound is None or abs(bound) > _EXACT else math.ceil(bound)


def _small(bound: int | None) -> int | None:
    return None if bound is None or abs(bound) > _EXACT else bound


def plus(one: Range, other: Range) -> Range:
    low, high = _added(_low(one.low), _low(other.low)), _added(_high(one.high), _high(other.high))
    positive = low is None and _is_positive(one) and _is_positive(other)
    return Range(0 if positive else low, high, min(one.whole, other.whole))


def _added(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else _small(one + other)


def minus(one: Range, other: Range) -> Range:
    low, high = other.low, other.high
    return plus(one, Range(None if high is None else -high, None if low is None else -low, other.whole))


def times(one: Range, other: Range) -> Range:
    whole = min(one.whole, other.whole)
    bounds = _low(one.low), _high(one.high), _low(other.low), _high(other.high)
    if None not in bounds:
        a, b, c, d = (bound or 0 for bound in bounds)
        corners = (a * c, a * d, b * c, b * d)
        return Range(_small(min(corners)), _small(max(corners)), whole)
    return Range(0 if _is_positive(one) and _is_positive(other) else None, None, whole)


def over(one: Range, other: Range) -> Range:
    """What `/` gives: a double."""
    return Range(*_quotient(one, other))


def whole_over(one: Range, other: Range) -> Range:
    """What `//` gives: a number without a fraction, whatever is divided."""
    return Range(*_quotient(one, other), whole=2 if one.whole == other.whole == 2 else 1)


def _quotient(one: Range, other: Range) -> tuple[int | None, int | None]:
    if not (_is_positive(one) and _is_positive(other)):
        return None, None
    # A divisor is not zero, so a whole one from zero up is at least one.
    at_least_one = other.whole or (other.low is not None and other.low >= 1)
    return 0, _high(one.high) if at_least_one else None


def rest(one: Range, other: Range) -> Range:
    """What `%` gives: the sign is that of the divisor."""
    whole = min(one.whole, other.whole)
    high = _high(other.high)
    if not _is_positive(other):
        return Range(None, None, whole)
    return Range(0, high - 1 if whole and high is not None else high, whole)


def total(item: Range, least: int, most: int | None) -> Range:
    """The sum of so many numbers, from zero on."""
    low, high = _low(item.low), _high(item.high)
    return Range(
        None if low is None else _repeated(low, least if low >= 0 else most),
        None if high is None else _repeated(high, least if high <= 0 else most),
        item.whole,
    )


def _repeated(bound: int, count: int | None) -> int | None:
    return 0 if bound == 0 else None if count is None else _small(bound * count)


def _is_positive(given: Range) -> bool:
    return given.low is not None and given.low >= 0
