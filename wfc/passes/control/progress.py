"""Every loop that edges make changes something that decides whether it goes on."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Related, Severity
from wfc.ir import ConditionStep, ForeachStep, ForkStep, HoleStep
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.field_uses import FieldUses, looks
from wfc.passes.facts.reads import Unknown
from wfc.passes.graph.circuits import Circuit, circuits, way_round
from wfc.passes.graph.flow import Flow
from wfc.passes.spelling import quoted
from wfc.passes.values import Read, Write
from wfc.paths import GraphSourcePath, overlap

LOOP_WITHOUT_PROGRESS = Code(
    code="WF203",
    rule="loop-without-progress",
    severity=Severity.WARNING,
    message="the loop around {got} goes on or ends by {read}, which no step of it writes; expected a step that does",
    help="write in the loop what its condition reads, or leave it by an outcome of a node or of a question",
    why=(
        "State, input and the items of outer loops are the same each time round unless a step of the loop writes them. "
        "A condition on them alone says the same each time: the loop ends the first time or never, until the run stops "
        "at its step limit."
    ),
    unrepaired="what has to change before the loop may end is the part of the workflow that was not written",
    example=example(
        """{"name": "poll", "start": "ask",
 "state_schema": {"type": "object", "properties": {
   "done": {"type": "boolean", "default": false}, "seen": {"type": "boolean", "default": false}}},
 "output_schema": {"type": "object", "properties": {"seen": {"type": "boolean"}}},
 "node_defs": [{"name": "look", "uses": "jobs.look", "outcomes": ["ok"], "effects": "read", "output_schema": {
   "type": "object", "properties": {"done": {"type": "boolean"}}, "required": ["done"]}}],
 "nodes": [{"id": "ask", "type": "node", "node": "look", "output": [{"source": "done", "target": "state.seen"}]},
  {"id": "ready", "type": "condition", "check": {
                                                ^
   "op": "eq", "left": {"path": "state.done"}, "right": true}}],
 "edges": [{"from": "ask", "outcome": "ok", "to": "ready"}, {"from": "ready", "outcome": "false", "to": "ask"},
           {"from": "ready", "outcome": "true", "to": "__end__"}]}
""",
        (', "seen": {"type": "boolean", "default": false}', ""),
        ('"properties": {"seen"', '"properties": {"done"'),
        ("state.seen", "state.done"),
    ),
)
CODES = (LOOP_WITHOUT_PROGRESS,)
_SHOWN = 5
# What `context` says of the way here depends on how control went round.
_OF_THE_WAY = ("retry_count", "prior_outcome", "activated_incoming_edge")


def check(facts: Facts) -> Iterator[Diagnostic]:
    """What could not be read may write anything, and a missing edge may lead out."""
    for flow in facts.flows:
        if flow.workflow.holes:
            continue
        uses = facts.field_uses(flow)
        for circuit in circuits(flow):
            reads = _deciding(flow, uses, circuit)
            if reads and not _is_written(flow, uses, circuit, reads) and not _is_astray(facts, flow, reads):
                yield _report(flow, circuit, reads)


def _deciding(flow: Flow, uses: FieldUses, circuit: Circuit) -> list[Read]:
    """What the conditions read that decide whether a circuit is left; none where something else may decide too."""
    leaving = dict.fromkeys(wire.source for wire in circuit.exits)
    if not all(isinstance(flow.steps[name], ConditionStep) for name in leaving):
        return []
    if any(_may_lead_elsewhere(flow, name) for name in circuit.steps):
        return []
    reads = [read for name in leaving for read in looks(uses.accesses[name])]
    return [] if any(_depends_on_the_way(read.path) for read in reads) else reads


def _is_astray(facts: Facts, flow: Flow, reads: list[Read]) -> bool:
    """Whether a condition looks at a path that nobody knows, instead of at what a step of the loop may write."""
    known, paths = facts.reads(flow), {read.path for read in reads}
    found = (read for access in known.solver.accesses.values() for read in access.reads if read.path in paths)
    return any(isinstance(known.fault(read), Unknown) for read in found)


def _may_lead_elsewhere(flow: Flow, name: str) -> bool:
    step = flow.steps[name]
    if isinstance(step, HoleStep) or step.outcomes is None or name in flow.wiring.blurred or flow.always_fails(step):
        return True
    return len(flow.wires(name)) < len(set(step.outcomes))


def _depends_on_the_way(path: GraphSourcePath) -> bool:
    return path.base == "context" and (not path.parts or path.parts[0] in _OF_THE_WAY)


def _is_written(flow: Flow, uses: FieldUses, circuit: Circuit, reads: list[Read]) -> bool:
    """Whether a step of a circuit writes what is read, so that the condition sees it."""
    wanted = [read.path.parts for read in reads if read.path.base == "state"]
    writes = (write for name in circuit.steps for write in uses.accesses[name].writes) if wanted else ()
    return any(
        overlap(write.path.parts, parts) and not _is_dropped(flow, write, circuit.steps[0])
        for write in writes
        for parts in wanted
    )


def _is_dropped(flow: Flow, write: Write, first: str) -> bool:
    """Whether a write is local to an item or branch inside the circuit."""
    around = flow.region(first)
    region = flow.region(write.step)
    for each in region.outwards() if region is not None else ():
        if each is around:
            return False
        opener = flow.steps[each.step]
        if isinstance(opener, ForeachStep | ForkStep):
            parts = write.path.parts
            if any(parts[: len(local.parts)] == local.parts for local in opener.locals):
                return True
    return False


def _report(flow: Flow, circuit: Circuit, reads: list[Read]) -> Diagnostic:
    first, *others = dict.fromkeys(read.step for read in reads)
    step = flow.steps[first]
    paths = list(dict.fromkeys(str(read.path) for read in reads))
    names = [flow.steps[name].id for name in circuit.steps]
    way = way_round(flow, circuit.steps[0], frozenset(circuit.steps))
    related = [Related("read", read.at, "decides") for read in reads[:_SHOWN]]
    related += [Related("on the path", flow.steps[name].at, "part of the loop") for name in circuit.steps[:_SHOWN]]
    return LOOP_WITHOUT_PROGRESS.at(
        step.at.below("check"),
        confidence="likely",
        related=tuple(related),
        hides=len(others),
        got=quoted(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""),
        read=quoted(paths[:_SHOWN]),
        expected="a write",
        path=[
            *(f"{wire.source}:{wire.outcome}" for wire in way[:_SHOWN]),
            *(["…"] if len(way) > _SHOWN else []),
            names[0],
        ],
    )
