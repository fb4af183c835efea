"""Whether two steps of branches that run side by side exclude one another: what leads to one keeps from the other.

Guarantees: only what both branches began with, and neither changes, is taken for a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from wfc.ir import ForeachStep, ForkStep
from wfc.passes import types
from wfc.passes.graph.flow import Flow
from wfc.passes.types import Verdict
from wfc.passes.values.barriers import Written
from wfc.passes.values.cells import Cell, whole
from wfc.passes.values.points import Assign, Barrier
from wfc.passes.values.roots import Root
from wfc.passes.values.solving import Solver
from wfc.paths import GraphSourcePath, overlap
from wfc.records import dataclass, field

_MOST_PATHS = 16


@dataclass(frozen=True)
class Apart:
    """What conditions have said where the steps of one workflow write."""

    flow: Flow
    solver: Solver
    _seen: dict[tuple[str, GraphSourcePath], Cell] = field(default_factory=dict, repr=False)
    _kept: dict[tuple[str, GraphSourcePath], bool] = field(default_factory=dict, repr=False)

    def exclude(self, barrier: Barrier, one: Assign, other: Assign) -> bool:
        """Whether no run makes both of two writes of different branches in one activation."""
        steps = one.write.step, other.write.step
        for path in self._tested:
            if self._is_kept(barrier, path) and _contradict(*(self._at(step, path) for step in steps)):
                return True
        return False

    def _at(self, step: str, path: GraphSourcePath) -> Cell:
        key = step, path
        if key not in self._seen:
            self._seen[key] = self.solver.seen_at(step, path)
        return self._seen[key]

    @cached_property
    def _tested(self) -> tuple[GraphSourcePath, ...]:
        """Paths of input and state that conditions look at, but for those that may be local to a lineage."""
        reads = (read for access in self.solver.accesses.values() for read in access.reads)
        tested = dict.fromkeys(read.path for read in reads if read.role in ("operand", "exists") and read.path.parts)
        openers = (step for step in self.flow.steps.values() if isinstance(step, ForeachStep | ForkStep))
        local = [path.parts for step in openers for path in step.locals]
        own = [path for path in tested if path.base == "input" or (path.base == "state" and not _touches(path, local))]
        return tuple(own[:_MOST_PATHS])

    def _is_kept(self, barrier: Barrier, path: GraphSourcePath) -> bool:
        """Whether no lineage of a barrier hands on anything that a path leads to."""
        key = barrier.step, path
        if key not in self._kept:
            handed = [self.solver.handed.get(end.region, {}) for end in barrier.ends]
            self._kept[key] = path.base == "input" or not any(_writes(each, path) for each in handed)
        return self._kept[key]


def _touches(path: GraphSourcePath, places: list[tuple[str, ...]]) -> bool:
    return any(overlap(path.parts, parts) for parts in places)


def _writes(handed: Mapping[Root, Written], path: GraphSourcePath) -> bool:
    """Whether something is written at a path, above it or below it."""
    written = handed.get(Root("state", path.parts[0]))
    for part in path.parts[1:]:
        if written is None or written.here:
            break
        written = written.below.get(part)
    return written is not None


def _contradict(one: Cell, other: Cell) -> bool:
    """Whether one value cannot be seen as both."""
    there = {one.there, other.there}
    if there == {Verdict.ALWAYS, Verdict.NEVER}:
        return True
    return Verdict.ALWAYS in there and types.disjoint(whole(one), whole(other))
