"""What could fill a state path that is read too early: a field that a step before gives and that nobody takes.

One field is offered: of the name of the path, or of the field that other steps write there, else the only one whose
type fits.
"""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Fix
from wfc.ir import ForeachStep, InterruptStep, NodeStep, Step, SubgraphStep, outputs_of
from wfc.passes import types
from wfc.passes.facts import Facts
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.graph import reached
from wfc.passes.repairs.patches import SAFE, UNSAFE, give
from wfc.passes.types import Type, Verdict
from wfc.passes.types.fields import known_fields
from wfc.paths import GraphSourcePath
from wfc.records import dataclass

_MOST_STEPS = 200
_MOST_FIELDS = 50


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of what a step gives when it takes its first outcome."""

    step: Step
    name: str


def filling(facts: Facts, flow: Flow, path: GraphSourcePath, reader: str) -> tuple[Fix, ...]:
    """Let a step on the way to the reader write the path, of which the first segment is a field of state."""
    if path.base != "state" or len(path.parts) != 1 or len(flow.workflow.steps) > _MOST_STEPS:
        return ()
    beginning = facts.values.solver(flow).looks.beginning
    if path.parts[0] not in beginning.declared.roots:
        return ()
    type = beginning.declared.type(path.parts)
    reducer = beginning.declared.reducer(path.parts).name
    wanted = types.elements(type) if reducer == "wf.std.append" else type
    found = list(_free(facts, flow, wanted, reader))
    writers = facts.reads(flow).writers.get(path.parts[0], ())
    names = {path.parts[0], *(write.source.parts[0] for write in writers if write.source.parts)}
    named = [each for each in found if each.name in names]
    if len(named) == 1:
        return _written(named[0], path, sure=not writers)
    return _written(found[0], path, sure=False) if len(found) == 1 else ()


def _free(facts: Facts, flow: Flow, wanted: Type, reader: str) -> Iterator[_Field]:
    """The fields that fit and that no binding takes, of the steps from which the reader can be reached."""
    solver = facts.values.solver(flow)
    for step in flow.workflow.steps:
        known = flow.steps.get(step.id) is step and step.id in solver.accesses
        if not known or step.id == reader or not _outcome(step):
            continue
        taken = {binding.source.parts[:1] for binding in outputs_of(step)}
        if () in taken or reader not in reached([step.id], flow.followers):
            continue
        type = solver.result(step.id, _outcome(step))
        for name in known_fields(type)[:_MOST_FIELDS]:
            fits = types.fits(types.field(type, name).type, wanted).verdict is Verdict.ALWAYS
            if (name,) not in taken and fits:
                yield _Field(step, name)


def _outcome(step: Step) -> str:
    """The outcome on which a step gives what it is there for; none of a step that gives nothing."""
    match step:
        case ForeachStep():
            return "done"
        case NodeStep() | SubgraphStep() | InterruptStep():
            return step.outcomes[0] if step.outcomes else ""
        case _:
            return ""


def _written(field: _Field, path: GraphSourcePath, *, sure: bool) -> tuple[Fix, ...]:
    """Where bindings stand in an older spelling there is no list to add to."""
    step, there = field.step, outputs_of(field.step)
    place = step.at.below("resume" if isinstance(step, InterruptStep) else "output")
    if any(not each.at.pointer.startswith(f"{place.pointer}/") for each in there):
        return ()
    written = {"source": field.name, "target": str(path)}
    at, value = (place.below("-"), written) if there else (place, [written])
    title = f"Write `{field.name}` of `{step.id}` to `{path}`"
    return (give(title, step, [(at, value)], SAFE if sure else UNSAFE),)
