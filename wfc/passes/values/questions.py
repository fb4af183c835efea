"""The questions about values that passes ask: what is read and written, whether it is there, and of which type it is.

Guarantees: worked out once, when it is first asked for, and shared. Every answer ALWAYS or NEVER, and every type,
holds in each run that comes there without having failed; MAYBE is all else. What could not be read is unknown, never
wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from wfc.ir import EndStep, Linked, SubgraphStep
from wfc.passes import types
from wfc.passes.graph.flow import Flow
from wfc.passes.types import Type, Verdict, both, either
from wfc.passes.values.access import Argument, Comparison, Read, Source, Write
from wfc.passes.values.cells import ALWAYS, NEVER, Cell, reach, whole
from wfc.passes.values.ground import ground
from wfc.passes.values.keys import Known
from wfc.passes.values.results import Exits
from wfc.passes.values.roots import Root
from wfc.passes.values.solving import Solver
from wfc.passes.values.witnesses import Missing, why_missing
from wfc.paths import GraphSourcePath, StatePath, overlap
from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class Held:
    """What a place holds: whether something is there, and of which type it is when it is."""

    presence: Verdict
    type: Type

    @classmethod
    def of(cls, cell: Cell) -> Held:
        return cls(cell.there, whole(cell))


class Values:
    """What is known of the values of all workflows of a module.

    Presence is of a path: ALWAYS there, NEVER there, or MAYBE, on all ways that lead to where it is looked at. A type
    is that of the value if it is there. Outcomes are those of the step in question, caught ones included.
    """

    def __init__(self, flows: Sequence[Flow]) -> None:
        self.flows = flows
        self._known: dict[int, _Known] = {}

    # What is read and written

    def reads(self, flow: Flow) -> Iterator[Read]:
        """Every look at a path, of all steps that can be reached; what ends project has the role `output`."""
        return (read for access in self.solver(flow).accesses.values() for read in access.reads)

    def reads_of(self, flow: Flow, step: str) -> tuple[Read, ...]:
        """The looks of one step, in the order of the document."""
        return tuple(self.solver(flow).accesses[step].reads)

    def arguments(self, flow: Flow, step: str) -> tuple[Argument, ...]:
        """The fields of the payload of a node, child or interrupt, each with the look or literal that it comes from."""
        return self.solver(flow).accesses[step].arguments

    def comparisons(self, flow: Flow) -> Iterator[Comparison]:
        """Every comparison of a condition or of a `when`, with its two operands."""
        checks = (check for access in self.solver(flow).accesses.values() for check in access.checks)
        return (comparison for check in checks for comparison in check.comparisons.values())

    def writes(self, flow: Flow) -> Iterator[Write]:
        """Every binding that writes state, of all steps that can be reached."""
        return (write for access in self.solver(flow).accesses.values() for write in access.writes)

    def writes_of(self, flow: Flow, step: str) -> tuple[Write, ...]:
        """The bindings of one step that write state, in the order of the document."""
        return self.solver(flow).accesses[step].writes

    def writers(self, flow: Flow, path: StatePath) -> tuple[Write, ...]:
        """The writes of a path, of a place above it or of one inside it."""
        return tuple(write for write in self.writes(flow) if overlap(write.path.parts, path.parts))

    # What is there, and of which type

    def presence(self, source: Source) -> Verdict:
        """Whether a look finds something; a literal is always there.

        An operand counts where it is evaluated: after the tests before it in its condition have gone the way that
        leads to it.
        """
        return self.solver(source.flow).seen(source).there if isinstance(source, Read) else ALWAYS

    def type_of(self, source: Source) -> Type:
        """The type of what a look finds, or of a literal."""
        if isinstance(source, Read):
            return whole(self.solver(source.flow).seen(source))
        return types.literal(source.value)

    def seen_at(self, flow: Flow, step: str, path: GraphSourcePath) -> Held:
        """What a look at any path would find where a step reads."""
        return Held.of(self.solver(flow).seen_at(step, path))

    def at_first(self, flow: Flow, path: StatePath) -> Held:
        """What a state path is before the first step: defaults, and what the input seeds."""
        cell = self.solver(flow).looks.beginning.cell(Root("state", path.parts[0]))
        return Held.of(reach(cell, path.parts[1:]))

    def input_type(self, flow: Flow) -> Type:
        """The type of the input once defaults are filled in."""
        return self.solver(flow).looks.beginning.input

    def declared(self, flow: Flow, path: StatePath) -> Type:
        """The type that the state schema gives a path, wherever it stands in it; anything where it says nothing."""
        return self.solver(flow).looks.beginning.declared.type(path.parts)

    def why_missing(self, read: Read, depth: int | None = None) -> Missing | None:
        """A way to a look on which nothing puts there what it looks for; none where it is always there.

        With `depth`, what is looked for is the place that ends with the segment of this index in the path's parts.
        """
        return why_missing(self.solver(read.flow), read, depth)

    # What steps are given and give

    def payload(self, flow: Flow, step: str) -> Type:
        """The payload of a node, child or interrupt, every source of it having been found."""
        return self.solver(flow).payload(step)

    def output(self, flow: Flow, step: str, outcome: str) -> Type:
        """What the output bindings of a step read when it takes an outcome; what cannot be given has no values.

        Of a node, what is left after the split of 2.3.5; of a built-in, what follows from what is bound; of a child,
        what it projects; of a foreach, its result; of a caught outcome, its `error`; of an interrupt, the answer, with
        the fields that the bindings of the outcome read.
        """
        return self.solver(flow).result(step, outcome)

    def exits(self, flow: Flow) -> Mapping[str, Type]:
        """What a workflow projects, by the outcomes that its ends give."""
        return self._of(flow).exits

    def source(self, write: Write, outcome: str) -> Held:
        """What a write finds in the output of its step, before it is known that it has found something."""
        found = types.at(self.output(write.flow, write.step, outcome), write.source.parts)
        return Held(found.presence, found.type)

    def before(self, write: Write, outcome: str) -> Held:
        """What the path of a write is when its step takes an outcome and has written nothing yet."""
        solver, root = self.solver(write.flow), Root("state", write.path.parts[0])
        point = solver.points.leaving.get((write.step, outcome), solver.points.arrival[write.step])
        return Held.of(reach(solver.cell(Known(root, solver.reaching.before(root, point))), write.path.parts[1:]))

    def after(self, write: Write, outcome: str) -> Held:
        """What the path of a write is when its step has taken an outcome and written all that it writes."""
        solver, root = self.solver(write.flow), Root("state", write.path.parts[0])
        point = solver.points.leaving.get((write.step, outcome), solver.points.arrival[write.step])
        return Held.of(reach(solver.cell(Known(root, solver.reaching.after(root, point))), write.path.parts[1:]))

    # How it is worked out

    def solver(self, flow: Flow) -> Solver:
        """What everything else is asked of."""
        known = self._known.get(flow.index) or self._of(flow)
        return known.solver

    def _of(self, flow: Flow) -> _Known:
        if flow.index in self._known:
            return self._known[flow.index]
        for index in self._children_first(flow.index):
            self._known[index] = _Known(self.flows[index], ground(self.flows[index], self._known_exits))
        return self._known[flow.index]

    def _known_exits(self, step: SubgraphStep) -> Exits | None:
        """What a child gives, none where it is not known. One that could not be read as a whole may take each outcome,
        and gives no values; nor does one with ways that lead nowhere by the outcomes to which the others do not lead.
        """
        known = self._known.get(step.link.index) if isinstance(step.link, Linked) else None
        if known is None:
            return None
        nothing = dict.fromkeys(step.declared, types.NOTHING)
        if known.flow.workflow.holes or known.flow.region_faults:
            return nothing
        return {**nothing, **known.exits} if _is_torn(known.flow) else known.exits

    def _children_first(self, index: int) -> list[int]:
        """The workflows to be studied before one, and itself; of those that contain one another, some order."""
        order: list[int] = []
        opened = {index, *self._known}
        stack = [(index, iter(self._children(index)))] if index not in self._known else []
        while stack:
            at, children = stack[-1]
            child = next((child for child in children if child not in opened), None)
            if child is None:
                order.append(at)
                stack.pop()
            else:
                opened.add(child)
                stack.append((child, iter(self._children(child))))
        return order

    def _children(self, index: int) -> list[int]:
        steps = self.flows[index].steps.values()
        return [step.link.index for step in steps if isinstance(step, SubgraphStep) and isinstance(step.link, Linked)]


@dataclass(frozen=True)
class _Known:
    """What is known of one workflow."""

    flow: Flow
    solver: Solver

    @cached_property
    def exits(self) -> Exits:
        found: dict[str, list[Type]] = {}
        for name, access in self.solver.accesses.items():
            step = self.flow.steps[name]
            outcome = step.outcome if isinstance(step, EndStep) else "ok"
            for outputs in access.outputs:
                found.setdefault(outcome, []).append(self._projected(outputs))
        schema = types.of(self.flow.workflow.output_schema)
        return {outcome: both(schema, either(*projected)) for outcome, projected in found.items()}

    def _projected(self, outputs: Sequence[Read]) -> Type:
        seen = {read.path.parts[0]: self.solver.seen(read) for read in outputs}
        there = {name: cell for name, cell in seen.items() if cell.there is not NEVER}
        return types.record({name: (whole(cell), cell.there is ALWAYS) for name, cell in there.items()})


def _is_torn(flow: Flow) -> bool:
    """Whether ways of a workflow lead nowhere."""
    wiring = flow.wiring
    return wiring.start is None or bool(wiring.dangling or wiring.undeclared or flow.unwired)
