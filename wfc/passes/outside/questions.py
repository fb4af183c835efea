"""Questions to people are typed, and each answer needs only what it is about (reference 1.4, 2.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Fix, Related, Severity
from wfc.ir import END, EndStep, InterruptStep, OutputBinding, declared_at, std
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.returns import returned
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import SAFE, UNSAFE, give, rewrite
from wfc.passes.spelling import meant, quoted
from wfc.passes.types import Verdict, at

RESUME_NEEDS_ON = Code(
    code="WF602",
    rule="resume-needs-on",
    severity=Severity.WARNING,
    message=(
        "`{source}` is read whatever `{step}` is answered, and {got} need not hold it; expected `on` with {expected}"
    ),
    help=(
        "name in `on` the outcomes that the binding is for, or give the others a schema of their own in "
        "`resume_schemas`"
    ),
    why=(
        "Only the first outcome of a question has the resume schema; with any other the payload may be left out. A "
        "binding without `on` is read for all of them, and an answer that lacks its field is refused: nobody can "
        "cancel without filling in the form."
    ),
    example=example(
        """{"name": "ask", "start": "who", "outcomes": ["ok", "cancelled"],
 "state_schema": {"type": "object", "properties": {"name": {"type": "string"}}},
 "output_schema": {"type": "object", "properties": {"name": {"type": "string"}}},
 "nodes": [{"id": "who", "type": "interrupt", "kind": "text_input", "outcomes": ["answered", "cancelled"],
   "request": [{"target": "prompt", "value": "Who?"}],
   "resume": [{"source": "text", "target": "state.name"}]},
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   {"id": "stop", "type": "end", "outcome": "cancelled"}],
 "edges": [{"from": "who", "outcome": "answered", "to": "__end__"},
           {"from": "who", "outcome": "cancelled", "to": "stop"}]}
""",
        ('"target": "state.name"}', '"target": "state.name", "on": ["answered"]}'),
    ),
)
UNTYPED_INTERRUPT = Code(
    code="WF603",
    rule="untyped-interrupt",
    severity=Severity.NOTE,
    message="`{got}` is no built-in kind, and `{step}` gives it no schema; expected {expected}",
    help="say with `request_schema` what is shown and with `resume_schema` what the first outcome answers",
    why=(
        "Whoever shows the question and takes the answer knows an own kind only by its schemas. Without them any "
        "request and any answer will do, and a field that is missing or of another type is found out late or never."
    ),
    example=example(
        """{"name": "ask", "start": "who",
 "state_schema": {"type": "object", "properties": {"name": {}}},
 "output_schema": {"type": "object", "properties": {"name": {}}},
 "nodes": [{"id": "who", "type": "interrupt", "kind": "pick_name", "outcomes": ["picked"],
                                                      ^^^^^^^^^^^
   "resume": [{"source": "name", "target": "state.name"}]}],
 "edges": [{"from": "who", "outcome": "picked", "to": "__end__"}]}
""",
        (
            '"outcomes": ["picked"],',
            '"outcomes": ["picked"], "resume_schema": {"type": "object", "required": ["name"]},',
        ),
    ),
)
_SHOWN = 5
CODES = (RESUME_NEEDS_ON, UNTYPED_INTERRUPT)


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        for name in flow.reachable:
            step = flow.steps[name]
            if isinstance(step, InterruptStep):
                yield from _needing(facts, flow, name, step)
                yield from _untyped(flow, step)


# -- answers ----------------------------------------------------------------------------------------------------------


def _needing(facts: Facts, flow: Flow, name: str, step: InterruptStep) -> Iterator[Diagnostic]:
    """One finding for a step, at the first binding that is read for too many of its outcomes."""
    lacking = {id(each): _lacking(facts, flow, step, each) for each in step.resume if each.on is None}
    wide = [each for each in step.resume if lacking.get(id(each))]
    if not wide:
        return
    first, *others = wide
    wanted = [(each, _wanted(step, lacking[id(each)])) for each in wide]
    sure = all(_is_over(facts, flow, name, each, lacking[id(each)]) for each in wide)
    added = [(each.at.below("on"), on) for each, on in wanted]
    yield RESUME_NEEDS_ON.at(
        first.at,
        related=tuple(Related("read", each.at, "so is this") for each in others[:_SHOWN]),
        fixes=(give("Name the outcomes", step, added, SAFE if sure else UNSAFE),),
        hides=len(others),
        step=step.id,
        source=str(first.source),
        got=quoted(lacking[id(first)]),
        expected=quoted(wanted[0][1]),
    )


def _lacking(facts: Facts, flow: Flow, step: InterruptStep, binding: OutputBinding) -> list[str]:
    """The outcomes after the first whose payload need not hold what a binding reads."""
    after = (step.outcomes or ())[1:]
    parts = binding.source.parts
    return [each for each in after if at(returned(facts, flow, step, each), parts).presence is not Verdict.ALWAYS]


def _wanted(step: InterruptStep, lacking: Sequence[str]) -> list[str]:
    return [outcome for outcome in step.outcomes or () if outcome not in lacking]


def _is_over(facts: Facts, flow: Flow, name: str, binding: OutputBinding, outcomes: Sequence[str]) -> bool:
    """Whether the workflow ends with each of the outcomes without handing out what the binding writes."""
    if binding.target.parts[0] in facts.field_uses(flow).outputs:
        return False
    targets = [wire.target for wire in flow.wires(name) if wire.outcome in outcomes]
    return all(target == END or isinstance(flow.steps[target], EndStep) for target in targets)


# -- kinds ------------------------------------------------------------------------------------------------------------


def _untyped(flow: Flow, step: InterruptStep) -> Iterator[Diagnostic]:
    """A question that neither shows nor asks anything has nothing to be typed."""
    if step.kind in std.INTERRUPT_KINDS or not (step.request or step.resume):
        return
    if step.request_schema is None and step.resume_schema is None and not step.resume_schemas:
        place = step.at.below("kind")
        yield UNTYPED_INTERRUPT.at(
            place,
            fixes=(*_built_in(step), *_answered(flow, step)),
            step=step.id,
            got=step.kind,
            expected="`request_schema` or `resume_schema`",
            allowed=list(std.INTERRUPT_KINDS),
        )


def _built_in(step: InterruptStep) -> Iterator[Fix]:
    guess = meant(step.kind, std.INTERRUPT_KINDS)
    if guess is not None:
        yield rewrite(f"Ask for `{guess}`", step.at.below("kind"), step.kind, guess, UNSAFE)


def _answered(flow: Flow, step: InterruptStep) -> Iterator[Fix]:
    """A schema of the answer in which the fields are that bindings read, each of the type of the place they go to."""
    state = flow.workflow.state_schema.value
    fields: dict[str, Any] = {}
    for binding in step.resume:
        found = declared_at(state, binding.target.parts)
        if len(binding.source.parts) != 1 or len(found) != 1 or not isinstance(found[0], dict) or "$ref" in str(found):
            return
        fields[binding.source.parts[0]] = {key: found[0][key] for key in found[0] if key not in ("reducer", "default")}
    if fields:
        schema = {"type": "object", "properties": fields, "required": list(fields)}
        yield give("Say what is answered", step, [(step.at.below("resume_schema"), schema)], UNSAFE)
