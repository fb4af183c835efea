"""What a step is given and what each of its outcomes returns, as far as schemas alone say it (reference 1.3, 1.4)."""

from __future__ import annotations

from wfc.ir import ForeachStep, InputBinding, InterruptStep, NodeStep, OutputBinding, Schema, Step, SubgraphStep
from wfc.passes import types
from wfc.passes.facts import Facts
from wfc.passes.graph.flow import Flow
from wfc.passes.types import ANYTHING, Type

_ERROR = types.record({"error": (ANYTHING, True)})


def inputs_of(step: Step) -> tuple[InputBinding, ...]:
    """The bindings that build what a step is given."""
    match step:
        case NodeStep() | SubgraphStep():
            return step.input
        case InterruptStep():
            return step.request
        case _:
            return ()


def accepted(facts: Facts, flow: Flow, step: Step) -> Schema | None:
    """The schema of a step's input or request; none where it has none, or where that is not known."""
    match step:
        case NodeStep():
            definition = flow.definitions.get(step.definition)
            return None if definition is None else definition.input_schema
        case SubgraphStep():
            child = facts.child(step)
            return step.input_schema if child is None else child.workflow.input_schema
        case InterruptStep():
            return step.request_schema
        case _:
            return None


def returned(facts: Facts, flow: Flow, step: Step, outcome: str) -> Type:
    """What the output or resume bindings of an outcome read; anything where that is not known."""
    if isinstance(step, NodeStep | SubgraphStep) and outcome in caught(step):
        return _ERROR
    if isinstance(step, NodeStep):
        definition = flow.definitions.get(step.definition)
        return ANYTHING if definition is None else types.kept(definition.schema_of(outcome))
    schema = _answered(facts, step, outcome)
    return ANYTHING if schema is None else types.of(schema)


def _answered(facts: Facts, step: Step, outcome: str) -> Schema | None:
    match step:
        case SubgraphStep():
            child = facts.child(step)
            return step.output_schema if child is None else child.workflow.output_schema
        case InterruptStep():
            first = step.outcomes is not None and outcome == step.outcomes[0]
            return step.resume_schema if first else step.resume_schemas.get(outcome)
        case _:
            return None


def applying(step: Step, binding: OutputBinding) -> tuple[str, ...]:
    """The outcomes of a step on which a binding writes; those of a loop's items are none of them."""
    known = ("done",) if isinstance(step, ForeachStep) else step.outcomes or ()
    if binding.on is not None:
        return tuple(outcome for outcome in known if outcome in binding.on)
    return tuple(outcome for outcome in known if outcome not in caught(step))


def caught(step: Step) -> frozenset[str]:
    """The outcomes that stand for a caught error."""
    return (
        frozenset(entry.outcome for entry in step.catch) if isinstance(step, NodeStep | SubgraphStep) else frozenset()
    )
