"""What a lineage has surely written when it comes to a point: on all of its ways from where it began (reference 2.6).

Guarantees: what is called written is written by the lineage itself, or by lineages in it that always take part, in
every run that comes there. Time is about linear in the points, for all asked places at once.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from wfc.ir import ForeachStep
from wfc.passes import types
from wfc.passes.graph.flow import Flow
from wfc.passes.values.cells import whole
from wfc.passes.values.points import Assign, Barrier
from wfc.passes.values.roots import Parts, Root
from wfc.passes.values.solving import Solver

Place = tuple[Root, Parts]


class Certainty:
    """What is surely written of some places; a set of them is a number, one bit a place."""

    def __init__(self, flow: Flow, solver: Solver, places: Collection[Place]) -> None:
        self.flow = flow
        self.solver = solver
        self.points = solver.points
        self.bits = {place: 1 << index for index, place in enumerate(places)}

    def writes(self, point: int, place: Place) -> bool:
        """Whether the lineage that comes to a point has surely written a place by then."""
        return bool(self._after[point] & self.bits[place])

    @cached_property
    def _after(self) -> list[int]:
        """Per point what has surely been written once it is passed; all bits until more is known."""
        points = self._in_order()
        after = [-1] * len(self.points.after)
        again = True
        while again:
            again = False
            for point in points:
                now = self._begun(point, after) | self._written.get(point, 0)
                if now != after[point]:
                    after[point] = now
                    again = True
        return after

    def _in_order(self) -> list[int]:
        """All points that can be reached, each after those it is told from, but for ways that go round in circles."""
        onward = {end.point: point for point, barrier in self.points.barriers.items() for end in barrier.ends}
        seen, left = {0}, list[int]()
        stack = [(0, iter(self.points.after[0]))]
        while stack:
            point, targets = stack[-1]
            target = next((target for target in targets if target not in seen), None)
            if target is None:
                left.append(point)
                stack.pop()
                continue
            seen.add(target)
            further = [onward[target]] if target in onward else self.points.after[target]
            stack.append((target, iter(further)))
        return left[::-1]

    def _begun(self, point: int, after: list[int]) -> int:
        if point == 0 or point in self._starts:
            return 0
        barrier = self.points.barriers.get(point)
        if barrier is not None:
            return after[barrier.entry] | self._handed(barrier, after)
        found = -1
        for way in self.points.before[point]:
            if way not in self._returns:
                found &= after[way]
        return found

    def _handed(self, barrier: Barrier, after: list[int]) -> int:
        """What lineages that always take part hand on; local places stay behind."""
        if self._skips(barrier):
            return 0
        found = 0
        for end in barrier.ends:
            found |= after[end.point] if end.certain else 0
        return found & ~self._local[barrier.step]

    def _skips(self, barrier: Barrier) -> bool:
        step = self.flow.steps[barrier.step]
        if not isinstance(step, ForeachStep):
            return False
        source = self.solver.accesses[barrier.step].source
        return step.on_item_error != "fail" or source is None or types.lengths(whole(self.solver.seen(source)))[0] == 0

    @cached_property
    def _written(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for point, effects in enumerate(self.points.effects):
            for effect in effects:
                if isinstance(effect, Assign) and effect.exact:
                    bit = self.bits.get((effect.root, effect.parts), 0)
                    found[point] = found.get(point, 0) | bit
        return found

    @cached_property
    def _starts(self) -> frozenset[int]:
        """Where lineages begin, without any write of their own."""
        regions = (end.region for barrier in self.points.barriers.values() for end in barrier.ends)
        return frozenset(self.points.leaving[region] for region in regions if region in self.points.leaving)

    @cached_property
    def _returns(self) -> frozenset[int]:
        """Where lineages end; what they wrote goes on by their barrier."""
        return frozenset(end.point for barrier in self.points.barriers.values() for end in barrier.ends)

    @cached_property
    def _local(self) -> dict[str, int]:
        """Per step that opens lineages the places that are local to these."""
        found: dict[str, int] = {}
        for barrier in self.points.barriers.values():
            mask = 0
            for root, parts in barrier.locals:
                inside = [
                    bit for (each, below), bit in self.bits.items() if each == root and below[: len(parts)] == parts
                ]
                mask |= sum(inside)
            found[barrier.step] = mask
        return found
