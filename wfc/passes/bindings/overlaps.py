"""The targets of one step never overlap: fields of a payload, and state paths of one outcome (reference 1.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wfc.diagnostics import Code, Diagnostic, Fix, Related, Severity
from wfc.ir import (
    InputBinding,
    Operand,
    OutputBinding,
    Schema,
    Step,
    outputs_of,
)
from wfc.passes.bindings.targets import Clash, clashes
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.returns import accepted, applying, inputs_of, returned
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import SAFE, UNSAFE, give, leave_out, put
from wfc.passes.types import Verdict, at
from wfc.paths import GraphSourcePath

OVERLAPPING_INPUTS = Code(
    code="WF303",
    rule="overlapping-inputs",
    severity=Severity.ERROR,
    message="`{step}` binds {clash}; expected targets of which none equals or contains another",
    help="bind each field once; bind an object either as a whole or field by field",
    why=(
        "A payload is built from its bindings at once, and their order decides nothing. Where two of them fill one "
        "field, or one fills an object of which the other fills a part, nobody can say which value is meant."
    ),
    example=example(
        """{"name": "size", "start": "count",
 "input_schema": {"type": "object", "properties": {"names": {"type": "array"}}, "required": ["names"]},
 "state_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
 "output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
 "nodes": [{"id": "count", "type": "node", "node": "wf.std.count",
   "input": [{"target": "array", "path": "input.names"}, {"target": "array", "path": "input.names"}],
                                                                    ^^^^^^^
   "output": [{"source": "count", "target": "state.n"}]}],
 "edges": [{"from": "count", "outcome": "ok", "to": "__end__"}]}
""",
        (', {"target": "array", "path": "input.names"}]', "]"),
    ),
)
OVERLAPPING_WRITES = Code(
    code="WF304",
    rule="overlapping-writes",
    severity=Severity.ERROR,
    message="`{step}` writes {clash} on `{outcome}`; expected targets of which none equals or contains another",
    help="write each state path once an outcome; where each outcome has a binding of its own, name it in `on`",
    why=(
        "What a step writes is one patch, committed as a whole, and the order of its bindings decides nothing. Two "
        "writes to one path, or to an object and a part of it, leave open what state holds afterwards."
    ),
    example=example(
        """{"name": "size", "start": "count",
 "input_schema": {"type": "object", "properties": {"names": {"type": "array"}}, "required": ["names"]},
 "state_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
 "output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
 "nodes": [{"id": "count", "type": "node", "node": "wf.std.count",
            "input": [{"target": "array", "path": "input.names"}],
   "output": [{"source": "count", "target": "state.n"}, {"source": "count", "target": "state.n"}]}],
                                                                                      ^^^^^^^^^
 "edges": [{"from": "count", "outcome": "ok", "to": "__end__"}]}
""",
        (', {"source": "count", "target": "state.n"}]', "]"),
    ),
)
CODES = (OVERLAPPING_INPUTS, OVERLAPPING_WRITES)


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report the second of two bindings that overlap."""
    for flow in facts.flows:
        for name in flow.reachable:
            step = flow.steps[name]
            given, written = inputs_of(step), outputs_of(step)
            if _may_overlap(given):
                yield from _inputs(facts, flow, step, given)
            if _may_overlap(written):
                yield from _writes(facts, flow, step, written)


def _inputs(facts: Facts, flow: Flow, step: Step, bindings: Sequence[InputBinding]) -> Iterator[Diagnostic]:
    for clash in clashes((binding.target.parts, ("",)) for binding in bindings):
        first, second = bindings[clash.first], bindings[clash.second]
        yield OVERLAPPING_INPUTS.at(
            second.at.below("target"),
            related=(Related("conflicts", first.at.below("target"), "the first of the two"),),
            fixes=tuple(_input_fixes(facts, flow, step, bindings, clash)),
            step=step.id,
            got=str(second.target),
            other=str(first.target),
            clash=_worded(str(first.target), str(second.target)),
        )


def _writes(facts: Facts, flow: Flow, step: Step, bindings: Sequence[OutputBinding]) -> Iterator[Diagnostic]:
    """Where the outcomes of a step are not known, there is another finding that comes first."""
    for clash in clashes([(binding.target.parts, applying(step, binding)) for binding in bindings]):
        first, second = bindings[clash.first], bindings[clash.second]
        yield OVERLAPPING_WRITES.at(
            second.at.below("target"),
            related=(Related("conflicts", first.at.below("target"), "the first of the two"),),
            fixes=tuple(_write_fixes(facts, flow, step, first, second)),
            step=step.id,
            got=str(second.target),
            other=str(first.target),
            outcome=clash.outcome,
            clash=_worded(str(first.target), str(second.target)),
        )


def _may_overlap(bindings: Sequence[InputBinding] | Sequence[OutputBinding]) -> bool:
    """Whether two targets begin alike, or one is everything: most steps need no closer look."""
    if len(bindings) < 2:
        return False
    first = {binding.target.parts[:1] for binding in bindings}
    return len(first) < len(bindings) or () in first


def _worded(first: str, second: str) -> str:
    return f"`{first}` twice" if first == second else f"both `{first}` and `{second}`"


# -- fixes ------------------------------------------------------------------------------------------------------------


def _input_fixes(facts: Facts, flow: Flow, step: Step, bindings: Sequence[InputBinding], clash: Clash) -> Iterator[Fix]:
    """One of the two may have been meant for the one required field that has no binding; else the second goes."""
    first, second = bindings[clash.first], bindings[clash.second]
    if first.target == second.target and first.source == second.source:
        yield leave_out("Remove the repetition", step, [second.at])
        return
    lacking = _lacking(accepted(facts, flow, step), bindings)
    if len(lacking) == 1:
        named = [each for each in (first, second) if _name_of(each.source) == lacking[0]]
        moved = named[0] if named else second
        place = (moved.at.below("target"), lacking[0])
        yield put(f"Bind `{lacking[0]}`", step, [place], SAFE if len(named) == 1 else UNSAFE)
        return
    yield leave_out("Remove the second binding", step, [second.at], UNSAFE)


def _lacking(schema: Schema | None, bindings: Sequence[InputBinding]) -> list[str]:
    """The fields that a schema requires at its top and no binding fills."""
    written = None if schema is None else schema.value
    required = written.get("required", ()) if isinstance(written, dict) else ()
    bound = {binding.target.parts[:1] for binding in bindings}
    return [] if () in bound else [name for name in required if (name,) not in bound]


def _name_of(source: Operand) -> str | None:
    return source.parts[-1] if isinstance(source, GraphSourcePath) and source.parts else None


def _write_fixes(facts: Facts, flow: Flow, step: Step, first: OutputBinding, second: OutputBinding) -> Iterator[Fix]:
    """Each of the two for the outcomes that have its source; or one for a field that nothing writes."""
    if (first.target, first.source) == (second.target, second.source):
        yield leave_out("Remove the repetition", step, [second.at])
        return
    parted = _parted(facts, flow, step, first, second)
    if parted is not None:
        yield _on(step, [(first, parted[0]), (second, parted[1])])
        return
    waiting = facts.field_uses(flow).unwritten
    named = [(each, name) for each in (first, second) for name in waiting if each.source.parts[-1:] == (name,)]
    if len(named) == 1:
        binding, name = named[0]
        yield put(f"Write `state.{name}`", step, [(binding.at.below("target"), f"state.{name}")])
        return
    yield leave_out("Remove the second binding", step, [second.at], UNSAFE)


def _parted(
    facts: Facts, flow: Flow, step: Step, first: OutputBinding, second: OutputBinding
) -> tuple[list[str], list[str]] | None:
    """The outcomes of either binding, where each that both apply to surely returns the source of just one of them."""
    mine, theirs = list(applying(step, first)), list(applying(step, second))
    for outcome in [outcome for outcome in mine if outcome in theirs]:
        output = returned(facts, flow, step, outcome)
        there = [at(output, each.source.parts).presence is Verdict.ALWAYS for each in (first, second)]
        if there[0] is there[1]:
            return None
        (theirs if there[0] else mine).remove(outcome)
    return (mine, theirs) if mine and theirs else None


def _on(step: Step, wanted: Sequence[tuple[OutputBinding, list[str]]]) -> Fix:
    changed = [(binding.at.below("on"), on) for binding, on in wanted if list(applying(step, binding)) != on]
    return give("Name the outcomes of each", step, changed)
