"""The questions about values that passes ask: what is read and written, whether it is there, and of which type it is.

Guarantees: worked out once, when it is first asked for, and shared. Every answer ALWAYS, and every type, holds in each run
that comes there without having failed; MAYBE is all else. What could not be read is unknown, never wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wfc.ir import EndStep, Linked, SubgraphStep
from wfc.passes import types
from wfc.passes.flow import Flow
from wfc.passes.types import NOTHING, Type, Verdict, both, either
from wfc.passes.values.access import Read, Source, Write
from wfc.passes.values.cells import ALWAYS, NEVER, whole
from wfc.passes.values.ground import ground
from wfc.passes.values.results import Exits
from wfc.passes.values.solving import Solver
from wfc.paths import GraphSourcePath


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look sees: whether something is there, and of which type it is when it is."""

    presence: Verdict
    type: Type


class Values:
    """What is known of the values of all workflows of a module."""

    def __init__(self, flows: Sequence[Flow]) -> None:
        self.flows = flows
        self._solvers: dict[int, Solver] = {}
        self._exits: dict[int, Exits] = {}

    def solver(self, flow: Flow) -> Solver:
        for index in self._children_first(flow.index):
            if index not in self._solvers:
                self._solvers[index] = ground(self.flows[index], self._known_exits)
                self._exits[index] = self._exits_of(self.flows[index], self._solvers[index])
        return self._solvers[flow.index]

    def _known_exits(self, step: SubgraphStep) -> Exits | None:
        return self._exits.get(step.link.index) if isinstance(step.link, Linked) else None

    def _children_first(self, index: int) -> list[int]:
        if index in self._solvers:
            return []
        order, opened = [], {index}
        stack = [(index, iter(self._children(index)))]
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

    def _exits_of(self, flow: Flow, solver: Solver) -> Exits:
        solver.look_at(read for access in solver.accesses.values() for outputs in access.outputs for read in outputs)
        schema = types.of(flow.workflow.output_schema)
        found: dict[str, Type] = {}
        for name, access in solver.accesses.items():
            step = flow.steps[name]
            for outputs in access.outputs:
                outcome = step.outcome if isinstance(step, EndStep) else "ok"
                seen = {read.path.parts[0]: solver.seen(read) for read in outputs}
                fields = {n: (whole(c), c.there is ALWAYS) for n, c in seen.items() if c.there is not NEVER}
                found[outcome] = either(found.get(outcome, NOTHING), both(schema, types.record(fields)))
        return found

    def presence(self, source: Source) -> Verdict:
        return self.solver(source.flow).seen(source).there if isinstance(source, Read) else ALWAYS

    def seen_at(self, flow: Flow, step: str, path: GraphSourcePath) -> Seen:
        cell = self.solver(flow).seen_at(step, path)
        return Seen(cell.there, whole(cell))

    def output_of(self, flow: Flow, step: str, outcome: str) -> Type:
        return self.solver(flow).result(step, outcome)

    def payload_of(self, flow: Flow, step: str) -> Type:
        return self.solver(flow).payload(step)

    def writes_of(self, flow: Flow, step: str) -> Sequence[Write]:
        return self.solver(flow).accesses[step].writes

    def source_presence(self, write: Write, outcome: str) -> Verdict:
        return types.at(self.output_of(write.flow, write.step, outcome), write.source.parts).presence

    def exits(self, flow: Flow) -> Mapping[str, Type]:
        self.solver(flow)
        return self._exits[flow.index]

    def type_of(self, source: Source) -> Type:
        if isinstance(source, Read):
            return whole(self.solver(source.flow).seen(source))
        return types.literal(source.value)
