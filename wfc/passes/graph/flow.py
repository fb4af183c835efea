"""What is known of one workflow, computed once, when somebody first asks, and shared by all passes.

Guarantees: nothing here depends on the order in which a document lists its steps, edges and definitions, except where a
docstring says "in document order". What could not be read is unknown, never wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from wfc.ir import END, Edge, EndStep, ForeachStep, NodeDef, NodeStep, Step, Workflow, std
from wfc.passes.graph.calls import Calls
from wfc.passes.graph.graph import circles, reached, sources, turned
from wfc.passes.graph.labels import Region
from wfc.passes.graph.names import Dangling
from wfc.passes.graph.region_faults import DeadBranch, Escape, Fault, Intrusion
from wfc.passes.graph.regions import Regions, find_regions
from wfc.passes.graph.wiring import Wire, Wiring, lay_wires
from wfc.records import dataclass

_TRAIL = 12


@dataclass(frozen=True, slots=True)
class Island:
    """Steps that no way from `start` leads to: `steps[0]` is the one that a missing edge would lead to.

    `heads` are the steps of the cycle at its beginning, one where it begins with a single step. `shores` are reachable
    steps, and `__end__`, to which it leads.
    """

    steps: tuple[Step, ...]
    heads: int
    shores: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unwired:
    """An outcome of a reachable step without an edge."""

    name: str
    step: Step
    outcome: str


@dataclass(frozen=True)
class Flow:
    """One workflow as a graph. Steps are named by id; of several with one id the first counts, the others are twins."""

    index: int
    workflow: Workflow

    @cached_property
    def by_id(self) -> dict[str, Step]:
        found: dict[str, Step] = {}
        for step in self.workflow.steps:
            if step.id:
                found.setdefault(step.id, step)
        return found

    @cached_property
    def twins(self) -> tuple[tuple[Step, Step], ...]:
        """Every further step with an id, beside the first one, in document order."""
        by_id = self.by_id
        return tuple((step, by_id[step.id]) for step in self.workflow.steps if step.id and by_id[step.id] is not step)

    @cached_property
    def wiring(self) -> Wiring:
        return lay_wires(self.workflow, self.by_id, [twin for twin, _ in self.twins])

    @cached_property
    def steps(self) -> Mapping[str, Step]:
        """The steps by id, a misnamed twin under the id that is meant."""
        return self.wiring.steps

    def wires(self, step: str) -> Sequence[Wire]:
        """The wires that leave a step, its first outcome's first, then by name."""
        return self.wiring.out.get(step, ())

    @cached_property
    def _arriving(self) -> dict[str, list[Wire]]:
        found: dict[str, list[Wire]] = {}
        for wires in self.wiring.out.values():
            for wire in wires:
                found.setdefault(wire.target, []).append(wire)
        return found

    def wires_to(self, step: str) -> list[Wire]:
        """The wires that lead to a step."""
        return self._arriving.get(step, [])

    def is_led_to(self, target: str | None) -> bool:
        """Whether an edge that can be taken leads to a target."""
        return target in (END, self.wiring.start) or bool(self.wires_to(target or ""))

    @property
    def has_unread_steps(self) -> bool:
        return self.calls.has_unread_steps

    @cached_property
    def has_unread_edges(self) -> bool:
        """Whether an edge may be missing because it could not be read."""
        if not self.workflow.holes:
            return False
        return not self.workflow.edges or any(
            None in (edge.source, edge.outcome, edge.target) for edge in self.workflow.edges
        )

    # Reachability

    @cached_property
    def _followers(self) -> dict[str, list[str]]:
        found = {name: [wire.target for wire in wires if wire.target != END] for name, wires in self.wiring.out.items()}
        for name, targets in self.wiring.loose.items():
            found.setdefault(name, []).extend(targets)
        return found

    def followers(self, step: str) -> Sequence[str]:
        """The steps that any edge of a step leads to, also one that no run could take."""
        return self._followers.get(step, ())

    @property
    def lost_names(self) -> list[Dangling]:
        """Unknown names of steps that mean none which is there: a whole step may be missing."""
        return [dangling for dangling in self.wiring.dangling if dangling.meant is None]

    @cached_property
    def reachable(self) -> dict[str, None]:
        """The steps that a run may come to, nearest first; all of them where the start is not known."""
        if self.wiring.start is None:
            return dict.fromkeys(self.steps)
        return dict.fromkeys(reached([self.wiring.start, *self.wiring.entries], self.followers))

    @cached_property
    def islands(self) -> tuple[Island, ...]:
        """What cannot be reached, one island for each step or cycle that a missing edge would have led to."""
        if self.wiring.start is None or self.has_unread_edges:
            return ()
        lost = sorted(name for name in self.steps if name not in self.reachable)
        if not lost:
            return ()
        known = set(self.reachable)
        found = []
        for heads in sources(circles(lost, self.followers), self.followers):
            inside = reached(heads, self.followers, known.__contains__)
            known.update(inside)
            shores = {target for name in inside for target in self._shores(name)}
            found.append(Island(tuple(self.steps[name] for name in inside), len(heads), tuple(sorted(shores))))
        return tuple(found)

    def _shores(self, name: str) -> Iterator[str]:
        for wire in self.wires(name):
            if wire.target == END or wire.target in self.reachable:
                yield wire.target

    @cached_property
    def _arrivals(self) -> dict[str, Wire]:
        """The wire by which each step is first reached."""
        found: dict[str, Wire] = {}
        for step in self.reachable:
            for wire in self.wires(step):
                found.setdefault(wire.target, wire)
        return found

    def trail(self, step: str) -> list[str]:
        """A shortest way from `start` to a step, as `["list:ok", "each:item", "one"]`; of a long one its last part."""
        way = [step]
        seen = {step}
        while step != self.wiring.start and (wire := self._arrivals.get(step)) and wire.source not in seen:
            if len(way) > _TRAIL:
                way.append("…")
                break
            way.append(f"{wire.source}:{wire.outcome}")
            step = wire.source
            seen.add(step)
        return way[::-1]

    def trail_by(self, wire: Wire) -> list[str]:
        """The way to the source of a wire and along it."""
        return [*self.trail(wire.source)[:-1], f"{wire.source}:{wire.outcome}", wire.target]

    # Outcomes

    @cached_property
    def unwired(self) -> tuple[Unwired, ...]:
        """Outcomes of reachable steps without an edge, in document order; none that an unreadable edge may be for.

        An edge that leaves a step by an outcome it does not have stands for one of those that are missing, and so does
        one that leaves from nowhere by that outcome.
        """
        if self.has_unread_edges and (not self.workflow.edges or any(e.source is None for e in self.workflow.edges)):
            return ()
        adrift = Counter(
            reference.edge.outcome
            for found in self.wiring.dangling
            if found.meant is None
            for reference in found.references
            if reference.role == "from" and reference.edge is not None
        )
        strays = Counter(stray.step.id for stray in self.wiring.undeclared if stray.meant is None and stray.may_stand)
        missing = []
        for name, step in self.steps.items():
            for outcome in self._missing(name, step):
                if strays[name] > 0:
                    strays[name] -= 1
                elif adrift[outcome] > 0:
                    adrift[outcome] -= 1
                else:
                    missing.append(Unwired(name, step, outcome))
        return tuple(missing)

    def _missing(self, name: str, step: Step) -> list[str]:
        if name not in self.reachable or not step.outcomes or name in self.wiring.blurred:
            return []
        wired = self.wiring.wired.get(name, frozenset())
        spared = {"ok"} if self.always_fails(step) else set()
        return [outcome for outcome in dict.fromkeys(step.outcomes) if outcome not in wired and outcome not in spared]

    def always_fails(self, step: Step) -> bool:
        """Whether a step is a use of `wf.std.fail`, whose outcome is never given."""
        return isinstance(step, NodeStep) and step.definition in self._failing

    @cached_property
    def _failing(self) -> frozenset[str]:
        """The names of definitions that use `wf.std.fail`."""
        fail = f"{std.SOURCE}.fail"
        return frozenset(name for name, definition in self.definitions.items() if str(definition.uses) == fail)

    @cached_property
    def ends(self) -> tuple[tuple[str, EndStep | Edge], ...]:
        """Every outcome of the workflow that a reachable step may give, with the end step or edge that does."""
        found: list[tuple[str, EndStep | Edge]] = []
        for name in self.reachable:
            step = self.steps[name]
            if isinstance(step, EndStep):
                found.append((step.outcome, step))
            found += [("ok", wire.edge) for wire in self.wires(name) if wire.target == END]
        return tuple(found)

    @cached_property
    def unreached(self) -> tuple[str, ...]:
        """Declared outcomes that no reachable end gives; none where a fault of an edge may be the reason.

        An outcome that only an unreachable end gives follows from that end being unreachable.
        """
        if self.has_unread_steps or self.has_unread_edges or self.has_faulty_edges:
            return ()
        given = {outcome for outcome, _ in self.ends}
        lost = {step.outcome for step in self.workflow.steps if isinstance(step, EndStep)}
        if self.islands and any(edge.target == END for edge in self.workflow.edges):
            lost.add("ok")
        return tuple(outcome for outcome in dict.fromkeys(self.workflow.outcomes) if outcome not in given | lost)

    @property
    def has_faulty_edges(self) -> bool:
        """Whether faults of edges may be why something is not reached, or reached otherwise than is meant."""
        wiring = self.wiring
        astray = bool(self.lost_names) or any(found.meant is None and found.may_stand for found in wiring.undeclared)
        unclear = wiring.start is None or astray or bool(wiring.blurred)
        return unclear or bool(self.unwired or self.endless or self.region_faults)

    @property
    def given(self) -> list[str]:
        """The outcomes with which a run of the workflow may end, as far as is known."""
        return [outcome for outcome in dict.fromkeys(self.workflow.outcomes) if outcome not in self.unreached]

    # Definitions

    @cached_property
    def calls(self) -> Calls:
        return Calls(self.workflow)

    @property
    def definitions(self) -> Mapping[str, NodeDef]:
        return self.calls.definitions

    @cached_property
    def wired_outcomes(self) -> frozenset[tuple[str, str]]:
        """The outcomes of definitions for which some use has an edge."""
        steps = ((name, step) for name, step in self.steps.items() if isinstance(step, NodeStep))
        return frozenset(
            (step.definition, outcome) for name, step in steps for outcome in self.wiring.wired.get(name, ())
        )

    # Cycles

    @cached_property
    def endless(self) -> tuple[tuple[str, ...], ...]:
        """Cycles of reachable steps that nothing leaves, in the order in which they are reached.

        A step from which control may go no further, or elsewhere than is known, leaves its cycle.
        """
        if self.wiring.start is None:
            return ()
        leaving = [name for name in self.reachable if self._may_leave(name)]
        back = turned(self.reachable, self.followers)
        free = set(reached(leaving, lambda name: back.get(name, ())))
        stuck = [name for name in self.reachable if name not in free]
        if not stuck:
            return ()
        blamed = {wire.source: wire.target for fault in self.region_faults if (wire := _wire_of(fault)) is not None}
        found = (set(circle) for circle in circles(stuck, self.followers))
        closed = [circle for circle in found if self._is_closed(circle)]
        unblamed = [circle for circle in closed if not any(blamed.get(name) in circle for name in circle)]
        rank = {name: index for index, name in enumerate(stuck)}
        return tuple(tuple(sorted(circle, key=rank.__getitem__)) for circle in unblamed)

    def _is_closed(self, circle: set[str]) -> bool:
        return all(follower in circle for name in circle for follower in self.followers(name))

    def _may_leave(self, name: str) -> bool:
        step = self.steps[name]
        if step.outcomes is None or isinstance(step, EndStep) or name in self.wiring.blurred or self.always_fails(step):
            return True
        wires = self.wires(name)
        return len(wires) < len(set(step.outcomes)) or any(wire.target == END for wire in wires)

    # Regions

    @cached_property
    def _regions(self) -> Regions:
        # Where an outcome has no edge, that is what has to be put right before a fork misses its join.
        failing = () if self.unwired else (name for name, step in self.steps.items() if self.always_fails(step))
        return find_regions(self.wiring, frozenset(failing))

    def region(self, step: str) -> Region | None:
        """The innermost foreach body or fork branch that holds a step."""
        return self._regions.innermost.get(step)

    def is_inside(self, step: str, opener: str) -> bool:
        """Whether a step lies in the body of a foreach, or in a branch of a fork, however deep."""
        region = self.region(step)
        return region is not None and any(around.step == opener for around in region.outwards())

    def way_out(self, step: str, outcome: str = "") -> str:
        """Where an outcome of a step leads when there is nothing more to do: on to the next item, the join, an end."""
        if outcome == "item" and isinstance(self.steps[step], ForeachStep):
            return step
        region = self.region(step)
        if region is None:
            return END
        return region.step if region.body else self.join_of(region.step) or region.step

    def begins_region(self, step: str) -> bool:
        """Whether a step is the first one of the region that holds it."""
        region = self.region(step)
        return region is not None and any(
            wire.source == region.step and wire.outcome == region.outcome for wire in self.wires_to(step)
        )

    def join_of(self, fork: str) -> str | None:
        """The join that closes a fork."""
        return self._regions.join_of.get(fork)

    @property
    def region_faults(self) -> tuple[Fault, ...]:
        return self._regions.faults

    @cached_property
    def dead_branches(self) -> tuple[DeadBranch, ...]:
        """Branches that never reach their join although nothing that is reported otherwise keeps them from it."""
        return tuple(dead for dead in self._regions.dead if not self._is_excused(dead))

    def _is_excused(self, dead: DeadBranch) -> bool:
        entry = next(wire for wire in self.wires(dead.fork) if wire.outcome == dead.branch)
        inside = reached([entry.target] if entry.target != END else [], self.followers)
        stuck = {name for circle in self.endless for name in circle}
        may_leave = (
            name in stuck or (self._may_leave(name) and not self.always_fails(self.steps[name])) for name in inside
        )
        return bool(self._regions.faults) or any(may_leave)

    @cached_property
    def empty_bodies(self) -> tuple[Wire, ...]:
        """The `item` edges that lead straight back to their foreach step."""
        return tuple(
            wire
            for name in self.reachable
            if isinstance(self.steps[name], ForeachStep)
            for wire in self.wires(name)
            if wire.outcome == "item" and wire.target == name
        )

    def fits(self, island: Island, region: Region | None) -> bool:
        """Whether an island would be well formed inside a region: all that it leads to is in it, or is its exit."""
        exits = {None} if region is None else {region.step if region.body else self.join_of(region.step)}
        for shore in island.shores:
            if shore == END:
                if region is not None:
                    return False
            elif shore not in exits and self.region(shore) is not region:
                return False
        return True


def _wire_of(fault: Fault) -> Wire | None:
    return fault.wire if isinstance(fault, Escape | Intrusion) else None
