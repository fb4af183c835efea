"""A path inside a payload is not written as if it led through the graph (reference 1.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Severity
from wfc.ir import ForeachStep, InputBinding, InterruptStep, OutputBinding, Step, outputs_of
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.returns import accepted, applying, inputs_of, returned
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import SAFE, UNSAFE, put
from wfc.passes.types import Type, Verdict
from wfc.passes.types.fields import required_fields
from wfc.paths import GRAPH_ROOTS, LocalPath

LOOKS_LIKE_GRAPH_PATH = Code(
    code="WF313",
    rule="looks-like-graph-path",
    severity=Severity.WARNING,
    message="`{got}` is a place inside {payload} of `{step}`, which has no field `{root}`; expected {expected}",
    help="write the path as it is inside the payload, without `{root}.`",
    why=(
        "The target of an input binding and the source of an output binding lie inside one payload, where `state`, "
        "`input` and `context` are names like any other. With a root before it the path means a field of that name, so "
        "that the field that was meant stays empty, or is looked for where nothing is."
    ),
    example=example(
        """{"name": "greet", "start": "hello",
 "input_schema": {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]},
 "node_defs": [{"name": "say", "outcomes": ["ok"], "input_schema": {
   "type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": true}}],
 "nodes": [{"id": "hello", "type": "node", "node": "say", "input": [{"target": "input.name", "path": "input.who"}]}],
                                                                               ^^^^^^^^^^^^
 "edges": [{"from": "hello", "outcome": "ok", "to": "__end__"}]}
""",
        ('"input.name"', '"name"'),
    ),
)
CODES = (LOOKS_LIKE_GRAPH_PATH,)


def check(facts: Facts) -> Iterator[Diagnostic]:
    """What a loop tells of its items is known, so that a place it has not is a finding of its own."""
    for flow in facts.flows:
        for name in flow.reachable:
            step = flow.steps[name]
            given = [binding for binding in inputs_of(step) if is_rooted(binding.target)]
            if given:
                yield from _targets(facts, flow, step, given)
            if not isinstance(step, ForeachStep):
                written = [binding for binding in outputs_of(step) if is_rooted(binding.source)]
                yield from _sources(facts, flow, step, written)


def is_rooted(path: LocalPath) -> bool:
    """Whether a path inside a payload begins as one through the graph does."""
    return len(path.parts) > 1 and path.parts[0] in GRAPH_ROOTS


def _targets(facts: Facts, flow: Flow, step: Step, bindings: Sequence[InputBinding]) -> Iterator[Diagnostic]:
    """What a schema forbids is a finding of its own."""
    schema = accepted(facts, flow, step)
    if schema is None and not isinstance(step, InterruptStep):
        return
    payload = types.open_record({}) if schema is None else types.of(schema)
    unbound = set(required_fields(payload)) - {binding.target.parts[0] for binding in inputs_of(step)}
    for binding in bindings:
        found = types.field(payload, binding.target.parts[0])
        # One that leaves a required field unbound fails for certain, and is reported as that (WF300).
        if found.further == "silent" and binding.target.parts[1] in unbound:
            continue
        if not found.listed and found.presence is Verdict.MAYBE:
            yield _report(step, binding.target, binding.at.below("target"), "the input", [payload])


def _sources(facts: Facts, flow: Flow, step: Step, bindings: Sequence[OutputBinding]) -> Iterator[Diagnostic]:
    """What can never be there is a finding of its own."""
    for binding in bindings:
        outputs = [returned(facts, flow, step, outcome) for outcome in applying(step, binding)]
        found = [types.field(output, binding.source.parts[0]) for output in outputs]
        if found and all(each.further == "open" and not each.listed for each in found):
            yield _report(step, binding.source, binding.at.below("source"), "the output", outputs)


def _report(step: Step, path: LocalPath, place: Place, payload: str, types_: list[Type]) -> Diagnostic:
    root, rest = path.parts[0], LocalPath(path.parts[1:])
    sure = any(types.field(each, rest.parts[0]).listed for each in types_)
    return LOOKS_LIKE_GRAPH_PATH.at(
        place,
        confidence="likely",
        fixes=(_fix(step, place, rest, sure),),
        step=step.id,
        payload=payload,
        root=root,
        got=str(path),
        expected=f"a place such as `{rest}`",
    )


def _fix(step: Step, place: Place, path: LocalPath, sure: bool) -> Fix:
    return put(f"Write `{path}`", step, [(place, str(path))], SAFE if sure else UNSAFE)
