"""Which of the targets that are written together equal or contain one another (reference 1.5).

Guarantees: one finding for each target that is at fault, in one walk however many targets there are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from wfc.records import dataclass, field

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clash:
    """A target, by its index, that overlaps the earlier one `first` where both are written on `outcome`."""

    second: int
    first: int
    outcome: str


@dataclass(slots=True)
class _Place:
    """A place in the tree of targets: the first to write it itself, and something below it, by outcome."""

    here: dict[str, int] = field(default_factory=dict)
    below: dict[str, int] = field(default_factory=dict)
    inside: dict[str, _Place] = field(default_factory=dict)


def clashes(targets: Iterable[tuple[Parts, Collection[str]]]) -> Iterator[Clash]:
    """Targets that overlap earlier ones, each with the outcomes on which it is written.

    Of several parts of one target that was written as a whole only the first is given: it is the whole that is one too
    many.
    """
    top = _Place()
    told: set[int] = set()
    for index, (parts, outcomes) in enumerate(targets):
        way = [top]
        for part in parts:
            way.append(way[-1].inside.setdefault(part, _Place()))
        *above, place = way
        own = _first(outcomes, [place.here, place.below])
        whole = _first(outcomes, [each.here for each in above])
        if own is not None:
            yield Clash(index, *own)
        elif whole is not None and whole[0] not in told:
            told.add(whole[0])
            yield Clash(index, *whole)
        for outcome in outcomes:
            place.here.setdefault(outcome, index)
            for each in above:
                each.below.setdefault(outcome, index)


def _first(outcomes: Collection[str], written: Iterable[dict[str, int]]) -> tuple[int, str] | None:
    return next(((by[outcome], outcome) for by in written for outcome in outcomes if outcome in by), None)
