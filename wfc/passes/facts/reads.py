"""What is wrong with a look at a path, if anything: one reason for each look.

Guarantees: a look without a fault surely finds something, or asks only whether there is something. A fault is
`certain` only where no run that comes there can find anything. Bare `state`, `input` and `context` are always there,
and which keys `context` has is a question for others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from wfc.ir import HoleStep, outputs_of
from wfc.passes import types
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.graph import reached
from wfc.passes.types import ANYTHING, Type, Verdict
from wfc.passes.types.fields import OBJECT, known_fields, lists_fields, required_fields
from wfc.passes.values import Read, Source, Write
from wfc.passes.values.cells import UNKNOWN, Cell, below, whole
from wfc.passes.values.keys import Known
from wfc.passes.values.roots import Parts, Root, loop_of, spot_of
from wfc.passes.values.solving import Solver
from wfc.paths import GraphSourcePath
from wfc.records import dataclass, field

ALWAYS, MAYBE, NEVER = Verdict.ALWAYS, Verdict.MAYBE, Verdict.NEVER


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a look may find nothing. `depth` is the index of the segment that is not there, in the path's parts."""

    read: Read
    depth: int
    certain: bool

    @property
    def above(self) -> GraphSourcePath:
        """The path of what should hold the segment."""
        return GraphSourcePath(self.read.path.base, self.read.path.parts[: self.depth])

    @property
    def reached(self) -> GraphSourcePath:
        """The path up to the segment that is not there."""
        return GraphSourcePath(self.read.path.base, self.read.path.parts[: self.depth + 1])


@dataclass(frozen=True, slots=True)
class Unknown(Fault):
    """No schema mentions the segment, and one lists what there is: `known`."""

    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Through(Fault):
    """What should hold the segment is never an object."""

    type: Type


@dataclass(frozen=True, slots=True)
class Unwritten(Fault):
    """A state path that is declared or written, but not before the look, or not on every way to it."""


@dataclass(frozen=True, slots=True)
class Optional(Fault):
    """A field that its schema mentions and does not require."""


@dataclass(frozen=True, slots=True)
class Unsure(Fault):
    """A field that no schema mentions where none lists any, or one of what need not be an object."""


_OF_PRESENCE = (Unwritten, Optional, Unsure)


@dataclass(frozen=True, slots=True)
class _Holder:
    """What should hold a segment: what is known of it there, and what its declaration says."""

    depth: int
    cell: Cell
    declared: Type


@dataclass(frozen=True)
class Reads:
    """The looks of one workflow."""

    flow: Flow
    solver: Solver
    _faults: dict[Read, Fault | None] = field(default_factory=dict, repr=False)

    def fault(self, read: Read) -> Fault | None:
        if read not in self._faults:
            self._faults[read] = self._judged(read)
        return self._faults[read]

    @cached_property
    def hidden(self) -> Counter[Read]:
        """How many looks a faulty one hides, all of which only find something because it has.

        Of several faulty looks at a place they are counted at the first. A required output is a look too.
        """
        unproved, first = self.solver.unproved, self._first_faulty
        found: Counter[Read] = Counter()
        for read in self._needing() if first and unproved is not None else ():
            spot = spot_of(self.flow, read.step, read.path)
            if spot is None or self.solver.seen(read).there is not ALWAYS:
                continue
            above = (first.get((spot.root, spot.parts[:depth])) for depth in range(len(spot.parts) + 1))
            faulty = next((each for each in above if each is not None), None)
            if faulty is not None and unproved is not None and unproved.seen(read).there is not ALWAYS:
                found[faulty] += 1
        return found

    @cached_property
    def _first_faulty(self) -> dict[tuple[Root, Parts], Read]:
        """By the place that may not be there the first look that it is a fault of."""
        first: dict[tuple[Root, Parts], Read] = {}
        for read in self._needing():
            fault = self.fault(read) if read.role != "output" else None
            spot = spot_of(self.flow, read.step, fault.reached) if isinstance(fault, _OF_PRESENCE) else None
            if spot is not None:
                first.setdefault((spot.root, spot.parts), read)
        return first

    def _needing(self) -> Iterator[Read]:
        """The looks that have to find something."""
        required = required_fields(types.of(self.flow.workflow.output_schema))
        for access in self.solver.accesses.values():
            for read in access.reads:
                if read.role != "exists" and (read.role != "output" or read.path.parts[0] in required):
                    yield read

    @cached_property
    def written(self) -> frozenset[Parts]:
        """Every state path that a step writes, with the paths above it."""
        paths = {write.path.parts for write in self._writes()}
        return frozenset(parts[:depth] for parts in paths for depth in range(1, len(parts) + 1))

    def _judged(self, read: Read) -> Fault | None:
        """Of several faults the one that is certain, else a segment that nobody knows, else the first."""
        if not read.path.parts or self._is_of_lost_loop(read):
            return None
        if read.role == "exists":
            return next((found for found in self._faults_of(read) if isinstance(found, Unknown)), None)
        if self.solver.seen(read).there is ALWAYS:
            return None
        faults = list(self._faults_of(read))
        ranked = sorted(faults, key=lambda found: (not found.certain, not isinstance(found, Unknown)))
        return ranked[0] if ranked else None

    def _faults_of(self, read: Read) -> Iterator[Fault]:
        for holder in self._holders(read):
            found = self._root(read) if not holder.depth and read.path.base == "state" else self._below(read, holder)
            if found is not None:
                yield found

    def _is_of_lost_loop(self, read: Read) -> bool:
        """Whether it looks at an item of a loop that goes over a path which is at fault itself."""
        loop = loop_of(self.flow, read.step, read.path.parts[0]) if read.path.base == "context" else None
        over = self.solver.accesses[loop].source if loop is not None else None
        return over is not None and self.is_lost(over)

    def is_lost(self, source: Source) -> bool:
        """Whether a path is at fault so that its type means nothing."""
        if not isinstance(source, Read):
            return False
        if self._is_of_torn_loop(source):
            return True
        fault = self.fault(source)
        return fault is not None and (fault.certain or isinstance(fault, Unknown))

    def _is_of_torn_loop(self, read: Read) -> bool:
        """Whether it looks at `context` where regions are at fault, so that nobody knows whose item it is."""
        return read.path.base == "context" and bool(self.flow.region_faults)

    # The root of state

    def _root(self, read: Read) -> Fault | None:
        name, beginning = read.path.parts[0], self.solver.looks.beginning
        known = (*beginning.declared.roots, *beginning.seeds)
        if name not in known and (name,) not in self.written:
            unread = self.flow.workflow.holes and not beginning.declared.roots
            return None if unread else Unknown(read, 0, True, tuple(dict.fromkeys(known)))
        there = self._cell(read, ()).there
        if there is ALWAYS or self.follows((name,)):
            return None
        if there is MAYBE and (name,) not in self.written:
            # Only a run that has found it there before would find it again, and none is the first.
            never = beginning.cell(Root("state", name)).there is NEVER
            return Unwritten(read, 0, True) if never else Optional(read, 0, False)
        return Unwritten(read, 0, there is NEVER)

    def follows(self, parts: Parts) -> bool:
        """Whether it follows from another fault that a state path is not written: a binding may have been meant to."""
        if self._unread or parts in self._doubtful or parts[0] in self._cut_off or parts[0] in self.undeclared:
            return True
        return self._misdirected and parts[:1] not in self.written

    @cached_property
    def _unread(self) -> bool:
        """Whether there may be writes, or ways round them, of which nothing is known."""
        flow = self.flow
        if flow.wiring.start is None or flow.wiring.entries or flow.region_faults:
            return True
        if not flow.workflow.holes:
            return False
        lost = any(isinstance(step, HoleStep) or step.gaps & {"output", "resume"} for step in flow.workflow.steps)
        return lost or flow.has_unread_edges or not self.solver.looks.beginning.declared.roots

    @cached_property
    def _cut_off(self) -> frozenset[str]:
        """The fields of state that steps write to which only faulty edges lead, if there are any."""
        flow = self.flow
        if not flow.has_faulty_edges and not flow.wiring.undeclared:
            return frozenset()
        starts = [flow.wiring.start] if flow.wiring.start is not None else []
        sound = set(
            reached(starts, lambda name: [wire.target for wire in flow.wires(name) if wire.target in flow.steps])
        )
        lost = (step for name, step in flow.steps.items() if name not in sound)
        return frozenset(binding.target.parts[0] for step in lost for binding in outputs_of(step))

    @cached_property
    def _doubtful(self) -> frozenset[Parts]:
        """The paths, and those above them, of bindings under outcomes that their steps do not have."""
        doubtful = [write.path.parts for write in self._writes() if set(write.binding.on or ()) - set(write.outcomes)]
        return frozenset(parts[:depth] for parts in doubtful for depth in range(1, len(parts) + 1))

    @cached_property
    def _misdirected(self) -> bool:
        """Whether some binding writes what must not be undeclared, or what another one of its step writes."""
        return bool(self.undeclared) or any(map(self.clashes, self._writes()))

    @cached_property
    def undeclared(self) -> frozenset[str]:
        """The fields of state that steps write although none of the name may be there."""
        declared = self.solver.looks.beginning.declared
        roots = {write.path.parts[0] for write in self._writes()} - declared.roots.keys()
        return frozenset(root for root in roots if not declared.is_open(root))

    def clashes(self, write: Write) -> bool:
        """Whether an earlier binding of the step writes what overlaps with it under one of its outcomes."""
        return write in self._clashing

    @cached_property
    def _clashing(self) -> frozenset[Write]:
        several = (access.writes for access in self.solver.accesses.values() if len(access.writes) > 1)
        return frozenset(write for writes in several for write in _overlapping(writes))

    @cached_property
    def writers(self) -> dict[str, list[Write]]:
        """The writes of each field of state, in the order in which steps are reached."""
        found: dict[str, list[Write]] = {}
        for write in self._writes():
            found.setdefault(write.path.parts[0], []).append(write)
        return found

    def _writes(self) -> Iterator[Write]:
        for access in self.solver.accesses.values():
            yield from access.writes

    # Fields

    def _below(self, read: Read, holder: _Holder) -> Fault | None:
        name = read.path.parts[holder.depth]
        inner, type = below(holder.cell, name), whole(holder.cell)
        at = (read, holder.depth, inner.there is NEVER)
        kinds = types.kinds(type)
        if kinds and "object" not in kinds:
            return Through(*at, type)
        mentioned = self._is_mentioned(read, holder, type)
        if not mentioned and (inner.there is not ALWAYS or read.role == "exists"):
            listing = [each for each in (holder.declared, type) if lists_fields(each)]
            if listing or inner.there is NEVER:
                return Unknown(*at, _fields(*listing))
        if inner.there is ALWAYS:
            return None
        if read.path.base == "state" and self.follows(read.path.parts[: holder.depth + 1]):
            return None
        if self._is_state(read, holder.depth):
            return Unwritten(*at)
        if types.is_object(type) is not ALWAYS or not mentioned:
            return Unsure(*at)
        return Unwritten(*at) if read.path.base == "state" and inner.there is NEVER else Optional(*at)

    def _is_state(self, read: Read, depth: int) -> bool:
        """Whether a step writes the field by itself."""
        return read.path.base == "state" and read.path.parts[: depth + 1] in self.written

    def _is_mentioned(self, read: Read, holder: _Holder, type: Type) -> bool:
        name = read.path.parts[holder.depth]
        listed = any(types.field(each, name).listed for each in (holder.declared, type))
        return listed or self._is_state(read, holder.depth)

    # Declarations

    def declared(self, path: GraphSourcePath) -> Type:
        """The type that a path of input or state has by declaration."""
        return self._declared(path.base, path.parts, UNKNOWN) if path.parts else ANYTHING

    def is_declared(self, path: GraphSourcePath, there: Verdict) -> bool:
        """Whether schemas alone say that a path is there, or that it is not and nothing writes it."""
        beginning = self.solver.looks.beginning
        if there is NEVER:
            return path.base == "input" or path.parts[:1] not in self.written
        at_first = beginning.cell(Root(path.base, path.parts[0]))
        return at_first.there is ALWAYS and (path.base == "input" or len(path.parts) == 1)

    # What holds what

    def _holders(self, read: Read) -> Iterator[_Holder]:
        """What holds each segment, from the root on; of context only what is below its keys."""
        path, beginning = read.path, self.solver.looks.beginning
        if path.base == "input":
            yield _Holder(0, Cell(ALWAYS, beginning.input), beginning.input)
        elif path.base == "state":
            yield _Holder(0, Cell(ALWAYS, ANYTHING), ANYTHING)
        for depth in range(1, len(path.parts)):
            cell = self._cell(read, path.parts[1:depth])
            yield _Holder(depth, cell, self._declared(path.base, path.parts[:depth], cell))

    def _declared(self, base: str, parts: Parts, cell: Cell) -> Type:
        beginning = self.solver.looks.beginning
        if base == "input":
            return types.at(beginning.input, parts).type
        if base == "state":
            seeded = parts[0] not in beginning.declared.roots
            return types.at(beginning.input, parts).type if seeded else beginning.declared.type(parts)
        return cell.type

    def _cell(self, read: Read, rest: Parts) -> Cell:
        """What is known, where the look is, of the place `rest` below the first segment, if all above is there."""
        spot = spot_of(self.flow, read.step, GraphSourcePath(read.path.base, read.path.parts[:1]))
        if spot is None:
            cell = self.solver.seen_at(read.step, GraphSourcePath(read.path.base, read.path.parts[:1]))
        else:
            point = self.solver.points.read_at.get(read, self.solver.points.arrival[read.step])
            cell = self.solver.cell(Known(spot.root, self.solver.reaching.before(spot.root, point)))
        for part in rest:
            cell = below(cell, part)
        return cell


def _fields(*holders: Type) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for each in holders for name in known_fields(types.both(each, OBJECT))))


def _overlapping(writes: Sequence[Write]) -> Iterator[Write]:
    """The writes of a step that overlap with an earlier one under a common outcome."""
    at: dict[Parts, list[Write]] = {}
    inside: dict[Parts, list[Write]] = {}
    for write in writes:
        parts = write.path.parts
        above = [parts[:depth] for depth in range(1, len(parts))]
        earlier = [*at.get(parts, ()), *inside.get(parts, ()), *(other for each in above for other in at.get(each, ()))]
        if any(set(write.outcomes) & set(other.outcomes) for other in earlier):
            yield write
        at.setdefault(parts, []).append(write)
        for each in above:
            inside.setdefault(each, []).append(write)
