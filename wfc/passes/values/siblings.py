"""What lineages that run side by side write, and where these writes clash at their barrier (reference 2.6).

Guarantees: every pair of writes that can make a barrier fail with `state_conflict` is told, by its paths, at the innermost
barrier where the two meet. What is called certain happens in every run that comes to the barrier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from wfc.ir import REDUCERS, ForeachStep
from wfc.passes import types
from wfc.passes.flow import Flow
from wfc.passes.types import Verdict
from wfc.passes.values.access import Write
from wfc.passes.values.barriers import Written
from wfc.passes.values.cells import ALWAYS, MAYBE, NEVER, whole
from wfc.passes.values.handing import inner_first
from wfc.passes.values.points import Assign, Barrier, Region
from wfc.passes.values.roots import Parts, Root
from wfc.passes.values.solving import Solver
from wfc.paths import StatePath

_REDUCERS = {reducer.name: reducer for reducer in REDUCERS}


@dataclass(frozen=True, slots=True)
class Handed:
    """One path that a lineage hands on at its barrier: its writes, and whether each way through the lineage has one."""

    path: StatePath
    writes: tuple[Write, ...]
    certain: bool


@dataclass(frozen=True, slots=True)
class Lineage:
    """A branch of a fork, or the items of a parallel foreach; `always` tells that it takes part in every run."""

    outcome: str
    always: bool
    handed: tuple[Handed, ...]


@dataclass(frozen=True, slots=True)
class Siblings:
    """The lineages of a fork or parallel foreach; `several` tells whether two of one kind meet: two items."""

    flow: Flow = field(repr=False)
    step: str
    lineages: tuple[Lineage, ...]
    several: Verdict


@dataclass(frozen=True, slots=True)
class Clash:
    """Two writes of sibling lineages that no order between them gives a meaning.

    They write one path whose reducer is exclusive, or `inside`: one path that lies in the other. In a foreach the two may
    be one write, by two items.
    """

    flow: Flow = field(repr=False)
    step: str
    first: Write
    second: Write
    certain: bool

    @property
    def inside(self) -> bool:
        return self.first.path != self.second.path


class Concurrency:
    """What runs side by side in one workflow."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._certain: dict[tuple[Root, Parts], frozenset[Region]] = {}

    @cached_property
    def siblings(self) -> tuple[Siblings, ...]:
        """Every fork and parallel foreach that can be reached."""
        barriers = self._solver.points.barriers.values()
        return tuple(self._siblings(barrier) for barrier in barriers if barrier.side_by_side)

    @cached_property
    def clashes(self) -> tuple[Clash, ...]:
        """Every pair of paths that clashes at a barrier, with one pair of writes, a certain one where there is one."""
        return tuple(clash for siblings in self.siblings for clash in _clashes(siblings))

    def handed_on(self, region: Region) -> Iterator[Handed]:
        """What the lineages of a region hand on."""
        for root, written in self._solver.handed.get(region, {}).items():
            for parts, assigns in _places(written):
                writes = tuple(dict.fromkeys(assign.write for assign in assigns))
                yield Handed(StatePath((root.name, *parts)), writes, region in self._certainly(root, parts))

    def several(self, step: str) -> Verdict:
        """Whether a foreach has at least two items; of a fork, never: no branch runs twice."""
        if not isinstance(self._solver.flow.steps[step], ForeachStep):
            return NEVER
        least, most = self._lengths(step)
        return ALWAYS if least > 1 else NEVER if most is not None and most < 2 else MAYBE

    def _siblings(self, barrier: Barrier) -> Siblings:
        lineages = (
            Lineage(end.region[1], end.certain, tuple(self.handed_on(end.region))) for end in barrier.ends
        )
        return Siblings(self._solver.flow, barrier.step, tuple(lineages), self.several(barrier.step))

    def _lengths(self, step: str) -> tuple[int, int | None]:
        source = self._solver.accesses[step].source
        return (0, None) if source is None else types.lengths(whole(self._solver.seen(source)))

    # What every way through a region writes

    def _certainly(self, root: Root, parts: Parts) -> frozenset[Region]:
        """The regions in which each way to the barrier writes a path, inner ones first."""
        if (root, parts) not in self._certain:
            points, found = self._solver.points, set[Region]()
            blocked = {point for point, assign in self._assigns(root) if assign.parts == parts}
            ends = {end.region: (end, point) for point, barrier in points.barriers.items() for end in barrier.ends}
            for region in inner_first(self._solver.flow):
                if region in ends and _writes(self._solver.handed[region].get(root), parts):
                    end, barrier = ends[region]
                    if not self._leads(points.leaving[region], end.point, blocked):
                        found.add(region)
                        blocked |= {barrier} if end.certain and not self._skips(region[0]) else set()
            self._certain[root, parts] = frozenset(found)
        return self._certain[root, parts]

    def _assigns(self, root: Root) -> Iterator[tuple[int, Assign]]:
        for point, effects in self._solver.reaching.changes.get(root, {}).items():
            yield from ((point, effect) for effect in effects if isinstance(effect, Assign) and effect.exact)

    def _leads(self, start: int, goal: int, blocked: set[int]) -> bool:
        """Whether there is a way that passes none of some points."""
        known = {start} - blocked
        waiting = list(known)
        while waiting:
            point = waiting.pop()
            if point == goal:
                return True
            fresh = [each for each in self._solver.points.after[point] if each not in known and each not in blocked]
            known.update(fresh)
            waiting += fresh
        return False

    def _skips(self, step: str) -> bool:
        """Whether a loop may be left without any of its items having ended."""
        opener = self._solver.flow.steps[step]
        return isinstance(opener, ForeachStep) and (opener.on_item_error != "fail" or self._lengths(step)[0] == 0)


def _places(written: Written) -> Iterator[tuple[Parts, Sequence[Assign]]]:
    waiting: list[tuple[Parts, Written]] = [((), written)]
    while waiting:
        parts, here = waiting.pop()
        if here.here:
            yield parts, here.here
        waiting += [((*parts, name), inner) for name, inner in reversed(here.below.items())]


def _writes(written: Written | None, parts: Parts) -> bool:
    for part in parts:
        written = None if written is None else written.below.get(part)
    return written is not None and bool(written.here)


def _clashes(siblings: Siblings) -> Iterator[Clash]:
    """Paths are compared with those that they equal or lie in; one pair is told for each two paths."""
    by_path: dict[Parts, list[_Handing]] = {}
    for lineage in siblings.lineages:
        for handed in lineage.handed:
            by_path.setdefault(handed.path.parts, []).append(_Handing(lineage, handed))
    for parts, here in by_path.items():
        for depth in range(1, len(parts) + 1):
            if depth == len(parts) and _is_mergeable(here[0].handed.writes[0]):
                continue
            pair = _pair(by_path.get(parts[:depth], []), here, siblings.several)
            if pair is not None:
                one, other, certain = pair
                yield Clash(siblings.flow, siblings.step, one.handed.writes[0], other.handed.writes[-1], certain)


@dataclass(frozen=True, slots=True, eq=False)
class _Handing:
    lineage: Lineage
    handed: Handed

    @property
    def certain(self) -> bool:
        return self.lineage.always and self.handed.certain


def _pair(
    above: Sequence[_Handing], here: Sequence[_Handing], several: Verdict
) -> tuple[_Handing, _Handing, bool] | None:
    """Two lineages, or items, of which one hands on each of two paths; such as always do so where there are any."""
    for sure in (True, False):
        firsts = [each for each in above if each.certain or not sure][:2]
        seconds = [each for each in here if each.certain or not sure][:2]
        for one in firsts:
            for other in seconds:
                if one.lineage is not other.lineage:
                    return one, other, sure
                if several is not NEVER:
                    return one, other, sure and several is ALWAYS
    return None


def _is_mergeable(write: Write) -> bool:
    """Whether siblings may write a path side by side; of a reducer that is not built in this is taken for granted."""
    reducer = _REDUCERS.get(write.reducer.name)
    return reducer is None or reducer.mergeable
