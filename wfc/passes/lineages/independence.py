"""A loop goes through its items one after the other only where they depend on one another (reference 2.6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from wfc.diagnostics import Code, Diagnostic, Severity
from wfc.ir import BY_NAME, ForeachStep, InterruptStep, NodeStep, Step, SubgraphStep, WaitStep, std
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.barrier_writes import is_mergeable, item_counts
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.labels import Region
from wfc.passes.repairs.patches import UNSAFE, give
from wfc.passes.values.barriers import Written
from wfc.passes.values.points import Assign, Barrier
from wfc.passes.values.solving import Solver
from wfc.paths import Parts, overlap

COULD_BE_PARALLEL = Code(
    code="WF506",
    rule="could-be-parallel",
    severity=Severity.NOTE,
    message="the items of `{step}` wait for one another without need; expected them to run side by side",
    help='add `"mode": "parallel"`, with a `max_concurrency` that suits what is called',
    why=(
        "No item reads what another one writes, nothing is replaced, and no call changes the world, so that a parallel "
        "foreach gives the same result. It takes as long as its slowest items instead of the sum of all. An item that "
        "fails keeps the others from being committed, however."
    ),
    example=example(
        """{"name": "sum_up", "start": "each",
 "input_schema": {"type": "object", "properties": {"texts": {"type": "array"}}, "required": ["texts"]},
 "state_schema": {"type": "object", "properties": {"sums": {"type": "array", "reducer": "wf.std.append"}}},
 "output_schema": {"type": "object", "properties": {"sums": {"type": "array"}}},
 "node_defs": [{"name": "sum_up", "outcomes": ["ok"], "effects": "pure", "output_schema": {"type": "object",
   "properties": {"sum": {"type": "string"}}, "required": ["sum"]}}],
 "nodes": [{"id": "each", "type": "foreach", "over": "input.texts", "as": "text"},
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           {"id": "one", "type": "node", "node": "sum_up", "input": [{"target": "text", "path": "context.text"}],
            "output": [{"source": "sum", "target": "state.sums"}]}],
 "edges": [{"from": "each", "outcome": "item", "to": "one"}, {"from": "one", "outcome": "ok", "to": "each"},
           {"from": "each", "outcome": "done", "to": "__end__"}]}
""",
        ('"as": "text"', '"as": "text", "mode": "parallel"'),
    ),
)
CODES = (COULD_BE_PARALLEL,)
_DEEPEST = 4


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        if not flow.workflow.holes:
            yield from _Loops(facts, flow).all()


class _Loops:
    """The serial loops of one workflow, each with the steps in its body, inner regions included."""

    def __init__(self, facts: Facts, flow: Flow) -> None:
        self.facts = facts
        self.flow = flow
        self.solver: Solver = facts.values.solver(flow)

    def all(self) -> Iterator[Diagnostic]:
        serial = [
            barrier
            for barrier in self.solver.points.barriers.values()
            if not barrier.side_by_side and item_counts(self.solver, barrier)[1]
        ]
        bodies = self._bodies({barrier.step for barrier in serial})
        for barrier in serial:
            body, step = bodies.get(barrier.step, []), self.flow.steps[barrier.step]
            if isinstance(step, ForeachStep) and self._would_gain(body) and self._is_independent(barrier, body):
                yield self._report(step)

    def _bodies(self, loops: set[str]) -> dict[str, list[str]]:
        """The steps inside each of some loops, inner regions included; none for those that hold very deep nests."""
        found: dict[str, list[str]] = {loop: [] for loop in loops}
        deep: set[Region] = set()
        for name in self.solver.accesses:
            region = self.flow.region(name)
            around = list(islice(region.outwards(), _DEEPEST)) if region is not None else []
            for each in around:
                if each.step in found:
                    found[each.step].append(name)
            beyond = around[-1].parent if len(around) == _DEEPEST else None
            while beyond is not None and beyond not in deep:
                deep.add(beyond)
                found.pop(beyond.step, None)
                beyond = beyond.parent
        return found

    def _would_gain(self, body: list[str]) -> bool:
        """Whether something takes time, and nothing has to happen in order or to be asked one after the other."""
        steps = [self.flow.steps[name] for name in body]
        if any(isinstance(step, InterruptStep) or self._acts(step) for step in steps):
            return False
        return any(isinstance(step, WaitStep) or self._calls(step) for step in steps)

    def _acts(self, step: Step) -> bool:
        """Whether a call may change the world; what a child does is not looked into, and may."""
        if isinstance(step, SubgraphStep):
            return True
        definition = self.flow.definitions.get(step.definition) if isinstance(step, NodeStep) else None
        if definition is None:
            return isinstance(step, NodeStep)
        return definition.uses.source != std.SOURCE and definition.effects not in ("pure", "read")

    def _calls(self, step: Step) -> bool:
        definition = self.flow.definitions.get(step.definition) if isinstance(step, NodeStep) else None
        return definition is not None and definition.uses.source != std.SOURCE

    def _is_independent(self, barrier: Barrier, body: list[str]) -> bool:
        """Whether items only add to what they hand on, and none of them looks at it."""
        writes = [assign for end in barrier.ends for assign in self._handed(end.region)]
        if not all(assign.exact and assign.write.reducer.name in BY_NAME and is_mergeable(assign) for assign in writes):
            return False
        places = sorted({assign.write.path.parts for assign in writes})
        if any(overlap(one, other) for one, other in pairwise(places)):
            return False
        reads = (read for name in body for read in self.solver.accesses[name].reads if read.path.base == "state")
        return not any(_touches(places, read.path.parts) for read in reads)

    def _handed(self, region: tuple[str, str]) -> Iterator[Assign]:
        waiting: list[Written] = list(self.solver.handed.get(region, {}).values())
        for each in waiting:
            yield from each.here
            waiting += each.below.values()

    def _report(self, step: ForeachStep) -> Diagnostic:
        return COULD_BE_PARALLEL.at(
            step.at,
            confidence="likely",
            fixes=(give("Run the items side by side", step, [(step.at.below("mode"), "parallel")], UNSAFE),),
            step=step.id,
            path=self.flow.trail(step.id),
        )


def _touches(places: list[Parts], parts: Parts) -> bool:
    return any(overlap(place, parts) for place in places)
