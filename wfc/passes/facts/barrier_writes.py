"""Where lineages that run side by side write the same place of state, or one inside the other (reference 2.6).

Guarantees: every pair of writes that meets in a `state_conflict` at a barrier belongs to a clash of that barrier. It is
certain where two lineages come to the barrier in every run, and each has written on all of its ways. Writes that no run
makes together, because what leads to one keeps from the other, are no clash.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wfc.ir import BY_NAME, ForeachStep, ForkStep
from wfc.passes import types
from wfc.passes.facts.apart import Apart
from wfc.passes.facts.certainty import Certainty
from wfc.passes.graph.flow import Flow
from wfc.passes.values.barriers import Written
from wfc.passes.values.cells import whole
from wfc.passes.values.points import Assign, Barrier, End
from wfc.passes.values.roots import Parts, Root
from wfc.passes.values.solving import Solver
from wfc.records import dataclass

_MOST_PAIRS = 64


@dataclass(frozen=True, slots=True)
class Lineage:
    """One of the lineages that meet at a barrier, with what it hands on below one root."""

    number: int
    end: End
    written: Written


@dataclass(frozen=True, slots=True)
class Meeting:
    """A place that several lineages write: at it, or below it, each as a part of what it hands on."""

    barrier: Barrier
    root: Root
    parts: Parts
    lineages: tuple[Lineage, ...]


@dataclass(frozen=True, slots=True)
class Clash:
    """Writes of different lineages that exclude one another: all of one place, or `inner` ones below that of `outer`.

    Each write stands with the number of its lineage. `inner` is empty where all are of one place.
    """

    barrier: Barrier
    root: Root
    parts: Parts
    outer: tuple[tuple[int, Assign], ...]
    inner: tuple[tuple[int, Assign], ...]
    certain: bool

    @property
    def pair(self) -> tuple[Assign, Assign]:
        """Two writes of it, of different lineages, in the order of these."""
        others = self.inner or self.outer
        pairs = ((one, other) for one in self.outer for other in others if one[0] != other[0])
        (number, first), (other, second) = next(pairs)
        return (first, second) if number < other else (second, first)


def meetings(flow: Flow, solver: Solver) -> Iterator[Meeting]:
    """Every place at or below which at least two lineages of a barrier write, each before those below it."""
    for barrier in solver.points.barriers.values():
        if not barrier.side_by_side:
            continue
        for root, lineages in _lineages(flow, solver, barrier).items():
            waiting = [Meeting(barrier, root, (), tuple(lineages))] if len(lineages) > 1 else []
            for met in waiting:
                yield met
                waiting += _below(met)


def _below(met: Meeting) -> Iterator[Meeting]:
    names = dict.fromkeys(name for each in met.lineages for name in each.written.below)
    for name in names:
        inside = ((each, each.written.below.get(name)) for each in met.lineages)
        lineages = tuple(Lineage(each.number, each.end, below) for each, below in inside if below is not None)
        if len(lineages) > 1:
            yield Meeting(met.barrier, met.root, (*met.parts, name), lineages)


def _lineages(flow: Flow, solver: Solver, barrier: Barrier) -> dict[Root, list[Lineage]]:
    """The lineages that write below each root, in their order; a body stands for two items where there may be two."""
    step = flow.steps[barrier.step]
    if isinstance(step, ForkStep):
        rank = {branch.outcome: index for index, branch in enumerate(step.branches)}
        ends = sorted(barrier.ends, key=lambda end: rank.get(end.region[1], len(rank)))
    else:
        ends = list(barrier.ends) * (2 if item_counts(solver, barrier)[1] else 1)
    found: dict[Root, list[Lineage]] = {}
    for number, end in enumerate(ends):
        for root, written in solver.handed.get(end.region, {}).items():
            found.setdefault(root, []).append(Lineage(number, end, written))
    return found


def item_counts(solver: Solver, barrier: Barrier) -> tuple[bool, bool]:
    """Whether a loop always has two items, and whether it may have them; of a fork both."""
    if not isinstance(solver.flow.steps[barrier.step], ForeachStep):
        return True, True
    source = solver.accesses[barrier.step].source
    if source is None:
        return False, True
    least, most = types.lengths(whole(solver.seen(source)))
    return least > 1, most is None or most > 1


def clashes(flow: Flow, solver: Solver) -> list[Clash]:
    """Every clash of a workflow."""
    found = [clash for met in meetings(flow, solver) for clash in _of(met)]
    if not found:
        return []
    judging = _Judging(flow, solver, Apart(flow, solver), Certainty(flow, solver, _spots(found)))
    return [judged for clash, lineages in found if (judged := judging.judged(clash, lineages)) is not None]


_Found = tuple[Clash, Sequence[Lineage]]


def _of(met: Meeting) -> Iterator[_Found]:
    here = [(each.number, assign) for each in met.lineages for assign in each.written.here]
    below = [(each.number, assign) for each in met.lineages if here for assign in _inside(each.written)]
    if len({number for number, _ in here}) > 1 and not is_mergeable(here[0][1]):
        yield Clash(met.barrier, met.root, met.parts, tuple(here), (), certain=False), met.lineages
    if here and len({number for number, _ in (*here, *below)}) > 1 and below:
        yield Clash(met.barrier, met.root, met.parts, tuple(here), tuple(below), certain=False), met.lineages


def is_mergeable(assign: Assign) -> bool:
    """Whether siblings may write a place; of a reducer that is not known it is not asked."""
    reducer = BY_NAME.get(assign.write.reducer.name)
    return reducer is None or reducer.mergeable


def _inside(written: Written) -> Iterator[Assign]:
    waiting = list(written.below.values())
    for each in waiting:
        yield from each.here
        waiting += each.below.values()


def _spots(found: Sequence[_Found]) -> dict[tuple[Root, Parts], None]:
    return dict.fromkeys((a.root, a.parts) for clash, _ in found for _, a in (*clash.outer, *clash.inner))


@dataclass(frozen=True, slots=True)
class _Judging:
    """Which clashes are possible, and which certain."""

    flow: Flow
    solver: Solver
    apart: Apart
    certainty: Certainty

    def judged(self, clash: Clash, lineages: Sequence[Lineage]) -> Clash | None:
        if not self._is_possible(clash):
            return None
        ends = {each.number: each.end for each in lineages}
        surely = {number for number, assign in clash.outer if self._is_sure(ends[number], assign)}
        inner = (
            {number for number, assign in clash.inner if self._is_sure(ends[number], assign)} if clash.inner else surely
        )
        met = any(one != other for one in surely for other in sorted(inner)[:2])
        certain = met and item_counts(self.solver, clash.barrier)[0]
        return Clash(clash.barrier, clash.root, clash.parts, clash.outer, clash.inner, certain)

    def _is_sure(self, end: End, assign: Assign) -> bool:
        return end.certain and assign.exact and self.certainty.writes(end.point, (assign.root, assign.parts))

    def _is_possible(self, clash: Clash) -> bool:
        if isinstance(self.flow.steps[clash.barrier.step], ForeachStep):
            return True
        others = clash.inner or clash.outer
        if len(clash.outer) * len(others) > _MOST_PAIRS:
            return True
        pairs = ((one, other) for i, one in clash.outer for j, other in others if i != j)
        return any(not self.apart.exclude(clash.barrier, one, other) for one, other in pairs)
