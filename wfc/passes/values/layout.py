"""Lays out the points of a workflow, step by step (see `points`).

An outcome that is never given, and an edge that no run can take, lead on only to what would not be reached otherwise,
so that they take nothing away from what is known elsewhere.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence, Set

from wfc.ir import END, ConditionStep, EndStep, ForeachStep, ForkStep, HoleStep
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.wiring import Wire
from wfc.passes.types import ANYTHING
from wfc.passes.values.access import Access, Check, Read
from wfc.passes.values.decisions import decisions
from wfc.passes.values.points import Assign, Barrier, Drop, Effect, End, Enter, Forget, Points, Prove, Region
from wfc.passes.values.proofs import Proof, proved_by
from wfc.passes.values.roots import Root, spot_of, state_spot
from wfc.paths import StatePath
from wfc.records import dataclass, field, replace


def lay_out(
    flow: Flow,
    accesses: Mapping[str, Access],
    roots: Sequence[Root],
    never: Container[tuple[str, str]],
    doubtful: Set[Root] = frozenset(),
) -> Points:
    """The points of a workflow. `roots` are those of its state, `never` are outcomes that steps never take.

    That a step has found what it looked for is noted for `doubtful` roots only; of others it is known anyway.
    """
    laying = _Laying(flow, accesses, roots, never, doubtful)
    for name in accesses:
        laying.arrival[name] = laying.point(name)
    for name in accesses:
        laying.step(name)
    laying.begin()
    return laying.finished()


@dataclass
class _Laying:
    """The points laid so far; owned by `lay_out`."""

    flow: Flow
    accesses: Mapping[str, Access]
    roots: Sequence[Root]
    never: Container[tuple[str, str]]
    doubted: Set[Root]
    names: list[str] = field(default_factory=lambda: [""])
    wires: list[Wire | None] = field(default_factory=lambda: [None])
    after: list[list[int]] = field(default_factory=lambda: [[]])
    doubtful: dict[int, list[int]] = field(default_factory=dict)
    effects: list[list[Effect]] = field(default_factory=lambda: [[]])
    arrival: dict[str, int] = field(default_factory=dict)
    leaving: dict[tuple[str, str], int] = field(default_factory=dict)
    read_at: dict[Read, int] = field(default_factory=dict)
    returns: dict[Region, int] = field(default_factory=dict)
    barriers: dict[int, Barrier] = field(default_factory=dict)

    def point(self, name: str, wire: Wire | None = None) -> int:
        self.names.append(name)
        self.wires.append(wire)
        self.after.append([])
        self.effects.append([])
        return len(self.names) - 1

    def link(self, source: int, target: int) -> None:
        self.after[source].append(target)

    # Steps

    def step(self, name: str) -> None:
        step, access, here = self.flow.steps[name], self.accesses[name], self.arrival[name]
        for read in _looked_first(access):
            self.look(read, here)
        match step:
            case ConditionStep():
                self._condition(name, access.checks[0], here)
            case ForeachStep():
                self._foreach(name, step, here)
            case ForkStep() if self.flow.join_of(name) is not None:
                self._fork(name, step, here)
            case ForkStep():
                self.read_at.update(dict.fromkeys(access.reads, here))
                self._leave_all(name, here)
            case EndStep():
                self.read_at.update(dict.fromkeys(access.outputs[0], here))
            case _:
                self._leave_all(name, here)
        for target in self.flow.wiring.loose.get(name, ()):
            if target in self.arrival:
                self.doubtful.setdefault(here, []).append(self.arrival[target])

    def _leave_all(self, name: str, here: int) -> None:
        for wire in self.flow.wires(name):
            self._leave(here, wire, doubtful=(name, wire.outcome) in self.never)

    def look(self, read: Read, point: int) -> None:
        """A step reads a path: from then on it is known to be there, which matters where that was doubtful."""
        self.read_at[read] = point
        if not self.doubted or read.role in ("exists", "output"):
            return
        spot = spot_of(self.flow, read.step, read.path)
        if spot is not None and spot.root in self.doubted:
            self.effects[point].append(Prove(spot.root, spot.parts, there=True))

    def _prove(self, point: int, step: str, proofs: Iterable[Proof]) -> None:
        for proof in proofs:
            spot = spot_of(self.flow, step, proof.path)
            if spot is not None and (spot.exact or proof.there):
                type = proof.type if spot.exact else ANYTHING
                self.effects[point].append(Prove(spot.root, spot.parts, proof.there, type))

    def _leave(self, source: int, wire: Wire, *, doubtful: bool = False) -> int:
        """A step has taken an outcome: its writes, and on along the edge."""
        point = self.point(wire.source, wire)
        self.effects[point] += self._written(wire)
        if isinstance(self.flow.steps[wire.source], HoleStep):
            self.effects[point] += [Forget(root) for root in self.roots if root.base == "state"]
        if doubtful:
            self.doubtful.setdefault(source, []).append(point)
        else:
            self.link(source, point)
        self._land(point, wire)
        return point

    def _written(self, wire: Wire) -> Iterable[Effect]:
        for write in self.accesses[wire.source].writes:
            if wire.outcome in write.outcomes:
                spot = state_spot(write.path)
                yield Assign(spot.root, spot.parts, write, wire.outcome, spot.exact)

    def _land(self, point: int, wire: Wire) -> None:
        """Lead a wire on: to a step, to the return of the region that it ends, or to the end of the workflow."""
        self.leaving.setdefault((wire.source, wire.outcome), point)
        region = self._region(wire)
        if wire.target == END:
            end = self.point(wire.source, wire)
            looks = [outputs for outputs in self.accesses[wire.source].outputs if outputs and outputs[0].wire is wire]
            self.read_at.update(dict.fromkeys(looks[0] if looks else (), end))
            self.link(point, end)
        elif region is not None and wire.target == self._exit(region):
            self.link(point, self._return(region))
        elif wire.target in self.arrival:
            self.link(point, self.arrival[wire.target])

    def _region(self, wire: Wire) -> Region | None:
        """The region in which a wire runs: the one that it enters, or that of its step."""
        step = self.flow.steps[wire.source]
        if isinstance(step, ForkStep) or (isinstance(step, ForeachStep) and wire.outcome == "item"):
            return wire.source, wire.outcome
        region = self.flow.region(wire.source)
        return None if region is None else (region.step, region.outcome)

    def _exit(self, region: Region) -> str | None:
        opener = region[0]
        return opener if isinstance(self.flow.steps[opener], ForeachStep) else self.flow.join_of(opener)

    def _return(self, region: Region) -> int:
        """The point at which the lineages of a region have come to its exit."""
        if region not in self.returns:
            self.returns[region] = self.point(region[0])
        return self.returns[region]

    # Conditions

    def _condition(self, name: str, check: Check, here: int) -> None:
        points = {wire.outcome: self.point(name, wire) for wire in self.flow.wires(name)}
        self.decide(name, check, here, points)
        for wire in self.flow.wires(name):
            self._land(points[wire.outcome], wire)

    def decide(self, name: str, check: Check, here: int, answers: Mapping[str, int], *, again: bool = False) -> None:
        """Lay the points of a condition from `here` on, to those of its answers; an answer without one leads nowhere.

        Laid `again`, its looks are those of the first time.
        """
        found = decisions(check.condition.tests)
        points = {index: here if number == 0 else self.point(name) for number, index in enumerate(found)}
        for index, decision in found.items():
            for read in check.reads[index] if not again else ():
                self.look(read, points[index])
            for answer, target in ((True, decision.if_true), (False, decision.if_false)):
                leading = points[target] if isinstance(target, int) else answers.get(target)
                if leading is not None:
                    alone = len(found) == 1 and answers.get("true") != answers.get("false")
                    self._answered(name, points[index], proved_by(decision.test, answer), leading, alone=alone)

    def _answered(self, name: str, source: int, proofs: Sequence[Proof], target: int, *, alone: bool) -> None:
        """Lead on from a comparison, with what its answer proves; one that alone leads to a point proves it there."""
        if alone:
            self._prove(target, name, proofs)
            self.link(source, target)
            return
        between = self.point(name)
        self._prove(between, name, proofs)
        self.link(source, between if self.effects[between] else target)
        if self.effects[between]:
            self.link(between, target)

    # Regions

    def _foreach(self, name: str, step: ForeachStep, here: int) -> None:
        """Serial items begin and end at a point of their own, which is passed once more than there are items."""
        wires = {wire.outcome: wire for wire in self.flow.wires(name)}
        side_by_side = step.mode == "parallel"
        entry = here if side_by_side else self.point(name)
        if not side_by_side:
            self.link(here, entry)
        done = self._leave(entry, wires["done"]) if "done" in wires else None
        if "item" not in wires:
            return
        item = self._leave(entry, wires["item"])
        self.effects[item].append(Enter(Root("item", name)))
        back = self._return((name, "item"))
        barrier = self._barrier(name, step.locals, entry, [End(back, (name, "item"), certain=True)], side_by_side)
        if not side_by_side:
            self.link(back, entry)
            self.effects[back] += [Drop(root, barrier) for root in dict.fromkeys(root for root, _ in barrier.locals)]
        if done is not None:
            self.link(back, done)
            self.barriers[done] = barrier

    def _fork(self, name: str, step: ForkStep, here: int) -> None:
        """All `when` are evaluated before any branch starts; a branch that starts knows what its own has said."""
        checks = {check.branch: check for check in self.accesses[name].checks}
        for check in checks.values():
            after = self.point(name)
            self.decide(name, check, here, {"true": after, "false": after})
            here = after
        join, ends = self.point(name), []
        for wire in self.flow.wires(name):
            start = self.point(name, wire)
            when = checks.get(wire.outcome)
            if when is None:
                self.link(here, start)
            else:
                again = self.point(name)
                self.link(here, again)
                self.decide(name, when, again, {"true": start}, again=True)
            self._land(start, wire)
            back = self._return((name, wire.outcome))
            self.link(back, join)
            ends.append(End(back, (name, wire.outcome), certain=when is None))
        self.link(here, join)
        self.barriers[join] = self._barrier(name, step.locals, here, ends, side_by_side=True)
        closing = self.flow.join_of(name)
        if closing in self.arrival:
            self.link(join, self.arrival[closing])

    def _barrier(
        self, name: str, paths: Sequence[StatePath], entry: int, ends: Sequence[End], side_by_side: bool
    ) -> Barrier:
        locals_ = tuple((spot.root, spot.parts) for spot in map(state_spot, paths))
        return Barrier(name, entry, tuple(ends), locals_, side_by_side)

    # The whole

    def begin(self) -> None:
        """Lead from the start to the first step; and to those that are led to from where nobody can know."""
        start = self.flow.wiring.start
        if start in self.arrival:
            self.link(0, self.arrival[start])
        unknown = [*self.flow.wiring.entries, *(self.arrival if start is None else ())]
        if unknown:
            nowhere = self.point("")
            self.effects[nowhere] += [Forget(root) for root in self.roots if root.base == "state"]
            self.link(0, nowhere)
            for name in unknown:
                self.link(nowhere, self.arrival[name])

    def finished(self) -> Points:
        """The points that can be reached, those behind doubtful links apart from the others."""
        levels = self._levels()
        after: list[list[int]] = [[] for _ in self.names]
        before: list[list[int]] = [[] for _ in self.names]
        for source, level in levels.items():
            targets = [target for target in self.after[source] if levels[target] == level]
            targets += [target for target in self.doubtful.get(source, ()) if levels[target] > level]
            after[source] = targets
            for target in targets:
                before[target].append(source)
        barriers = {
            point: replace(barrier, ends=tuple(end for end in barrier.ends if end.point in levels))
            for point, barrier in self.barriers.items()
            if point in levels
        }
        return Points(
            self.names, self.wires, after, before, self.effects, self.arrival, self.leaving, self.read_at, barriers
        )

    def _levels(self) -> dict[int, int]:
        """Per point that can be reached, how many doubtful links it takes at least."""
        levels: dict[int, int] = {}
        starts, level = [0], 0
        while starts:
            fresh: list[int] = []
            while starts:
                point = starts.pop()
                if point not in levels:
                    levels[point] = level
                    fresh.append(point)
                    starts += self.after[point]
            starts = [target for source in fresh for target in self.doubtful.get(source, ()) if target not in levels]
            level += 1
        return levels


def _looked_first(access: Access) -> Iterable[Read]:
    """What a step looks at as soon as it is reached."""
    for source in (*(argument.source for argument in access.arguments), access.source):
        if isinstance(source, Read):
            yield source
