"""Outcomes and edges fit together: every edge leaves by an outcome that its step has, every outcome has an edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from wfc.diagnostics import Applicability, Code, Diagnostic, Fix, Place, Severity
from wfc.ir import (
    ConditionStep,
    ForeachStep,
    InterruptStep,
    NodeDef,
    NodeStep,
    OutputBinding,
    Schema,
    Step,
    SubgraphStep,
    std,
)
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.graph.flow import Flow, Island, Unwired
from wfc.passes.graph.wiring import Undeclared
from wfc.passes.repairs.patches import PLACEHOLDER, SAFE, UNSAFE, add_edge, patch, rewrite, take_out, written_edge
from wfc.passes.spelling import alike, is_at_fault, meant, outcome_meant, quoted

UNDECLARED_OUTCOME = Code(
    code="WF106",
    rule="undeclared-outcome",
    severity=Severity.ERROR,
    message="{where} names the outcome `{got}`, which `{owner}` does not have; expected {expected}",
    help="use an outcome that `{owner}` has, or declare `{got}` where its outcomes are listed",
    why=(
        "A step leaves by one of the outcomes that its type or definition declares, and by no other. What is written "
        "for an undeclared one never happens, while the outcome that was meant goes without."
    ),
    example=example(
        """{"name": "wake", "start": "nap",
 "nodes": [{"id": "nap", "type": "wait", "seconds": 1}],
 "edges": [{"from": "nap", "outcome": "done", "to": "__end__"}]}
                                      ^^^^^^
""",
        ('"done"', '"ok"'),
    ),
)
UNWIRED_OUTCOME = Code(
    code="WF108",
    rule="unwired-outcome",
    severity=Severity.ERROR,
    message="outcome `{got}` of `{step}` has no edge; expected {expected}",
    help="add an edge from `{step}` by `{got}`; where nothing more is to be done it leads to `{out}`",
    why=(
        "Whatever a node may answer has to lead somewhere. When a run comes to an outcome without an edge it fails "
        "with `unwired_outcome` and loses the work of that step, usually on the rare answer that nobody tried."
    ),
    example=example(
        """{"name": "pick", "start": "enough", "input_schema": {"type": "object", "properties": {"n": {}}},
 "nodes": [{"id": "enough", "type": "condition", "check": {"op": "exists", "path": "input.n"}}],
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 "edges": [{"from": "enough", "outcome": "true", "to": "__end__"}]}
""",
        ('"__end__"}]', '"__end__"}, {"from": "enough", "outcome": "false", "to": "__end__"}]'),
    ),
)
CODES = (UNDECLARED_OUTCOME, UNWIRED_OUTCOME)


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        lacking = {(each.step.id, each.outcome) for each in facts.lacking[flow.index]}
        for stray in flow.wiring.undeclared:
            if (stray.step.id, stray.edge.outcome) not in lacking and not is_at_fault(stray.meant):
                yield _stray_edge(flow, stray)
        for definition in flow.workflow.defs:
            yield from _definition(definition)
        for step in flow.workflow.steps:
            yield from _step(step, frozenset(outcome for name, outcome in lacking if name == step.id))
        causes = facts.causes(flow)
        for unwired in flow.unwired:
            yield _unwired(flow, unwired, causes.island(unwired))


def _stray_edge(flow: Flow, stray: Undeclared) -> Diagnostic:
    """Where no outcome of the step is without an edge, this one can never be taken and says nothing."""
    edge, step = stray.edge, stray.step
    place, got = edge.at.below("outcome"), str(edge.outcome)
    if stray.meant is not None:
        fix = rewrite(f"Let it leave by `{stray.meant}`", place, got, stray.meant)
    else:
        idle = not stray.may_stand and flow.is_led_to(edge.target)
        fix = take_out("Remove this edge", edge.at, written_edge(edge), SAFE if idle else UNSAFE)
    return _undeclared(place, "the edge", step.id, got, step.outcomes or (), (fix,), hides=int(stray.meant is not None))


def _definition(definition: NodeDef) -> Iterator[Diagnostic]:
    """A built-in's own further outcomes are judged as a whole, against its contract."""
    contract = std.BY_NAME.get(str(definition.uses))
    own = contract.outcomes if contract else ()
    for outcome in definition.outcome_schemas:
        if definition.outcomes and outcome not in definition.outcomes and outcome not in own:
            holder = definition.at.below("outcome_schemas")
            fixes = _rename_key(holder, outcome, definition.outcomes, definition.outcome_schemas)
            place = holder.below(outcome)
            yield _undeclared(place, "`outcome_schemas`", definition.name, outcome, definition.outcomes, fixes)


def _step(step: Step, lacking: frozenset[str]) -> Iterator[Diagnostic]:
    """`lacking` are outcomes that a child gives and its step does not declare, which is told as that (WF702)."""
    if step.outcomes is None:
        return
    match step:
        case NodeStep() | SubgraphStep():
            yield from _bindings(step.output, step.id, (*step.outcomes, *lacking))
        case ForeachStep():
            yield from _bindings(step.output, step.id, ("done",))
        case InterruptStep():
            yield from _bindings(step.resume, step.id, step.outcomes)
            for outcome in step.resume_schemas:
                if outcome not in step.outcomes:
                    holder = step.at.below("resume_schemas")
                    fixes = _rename_key(holder, outcome, step.outcomes[1:], step.resume_schemas)
                    place = holder.below(outcome)
                    yield _undeclared(place, "`resume_schemas`", step.id, outcome, step.outcomes[1:], fixes)


def _bindings(bindings: Iterable[OutputBinding], owner: str, outcomes: Sequence[str]) -> Iterator[Diagnostic]:
    for binding in bindings:
        for index, outcome in enumerate(binding.on or ()):
            if outcome not in outcomes:
                place = binding.at.below("on", index)
                guess = outcome_meant(outcome, [name for name in outcomes if name not in (binding.on or ())])
                if is_at_fault(guess):
                    continue
                fixes = (rewrite(f"Name `{guess}`", place, outcome, guess),) if guess else ()
                yield _undeclared(place, "`on`", owner, outcome, outcomes, fixes)


def _rename_key(holder: Place, got: str, outcomes: Iterable[str], schemas: Mapping[str, Schema]) -> tuple[Fix, ...]:
    """Give a schema another key of its holder."""
    guess = meant(got, set(outcomes) - schemas.keys())
    if guess is None:
        return ()
    written, new = holder.below(got).pointer, holder.below(guess).pointer
    changes = [
        {"op": "test", "path": written, "value": schemas[got].value},
        {"op": "move", "from": written, "path": new},
    ]
    return (patch(f"Name it `{guess}`", holder, changes, SAFE),)


def _undeclared(
    place: Place, where: str, owner: str, got: str, outcomes: Sequence[str], fixes: tuple[Fix, ...], hides: int = 0
) -> Diagnostic:
    names = alike(got, dict.fromkeys(outcomes))
    return UNDECLARED_OUTCOME.at(
        place,
        fixes=fixes,
        hides=hides,
        where=where,
        owner=owner,
        got=got,
        expected=f"one of {quoted(names)}" if names else "none",
        allowed=names,
    )


def _unwired(flow: Flow, unwired: Unwired, island: Island | None) -> Diagnostic:
    step, outcome, others = unwired.step, unwired.outcome, tuple(_undeclare(flow, unwired))
    otherwise = PLACEHOLDER if others else UNSAFE
    return UNWIRED_OUTCOME.at(
        step.at,
        fixes=(_wire(flow, unwired, island, otherwise), *_beside(flow, unwired, island, otherwise), *others),
        hides=len(island.steps) if island else 0,
        step=step.id,
        got=outcome,
        out=flow.way_out(unwired.name, outcome),
        expected=f"one to `{island.steps[0].id}`, which nothing leads to" if island else "one edge an outcome",
        path=[*flow.trail(unwired.name)[:-1], f"{step.id}:{outcome}"],
    )


def _wire(flow: Flow, unwired: Unwired, island: Island | None, otherwise: Applicability) -> Fix:
    """The edge that is missing: to the steps that nothing leads to, or else out of where the step stands.

    Of a decision nobody knows what its other answer is for.
    """
    target, applicability = flow.way_out(unwired.name, unwired.outcome), otherwise
    if isinstance(unwired.step, ConditionStep):
        applicability = PLACEHOLDER
    if island is not None:
        target = island.steps[0].id
        applicability = SAFE if island.heads == 1 and len(flow.islands) == len(flow.unwired) == 1 else UNSAFE
    title = f"Lead `{unwired.outcome}` to `{target}`"
    return add_edge(title, flow.workflow, unwired.step, unwired.outcome, target, applicability)


def _beside(flow: Flow, unwired: Unwired, island: Island | None, otherwise: Applicability) -> Iterator[Fix]:
    """The edge that goes on as after the first outcome: what comes later may need what a way out leaves undone."""
    step = unwired.step
    if island is not None or not isinstance(step, (NodeStep, SubgraphStep)) or not step.outcomes:
        return
    ordinary = [wire.target for wire in flow.wires(unwired.name) if wire.outcome == step.outcomes[0]]
    if len(ordinary) == 1 and ordinary[0] != flow.way_out(unwired.name, unwired.outcome):
        title = f"Lead `{unwired.outcome}` to `{ordinary[0]}`, as `{step.outcomes[0]}`"
        yield add_edge(title, flow.workflow, step, unwired.outcome, ordinary[0], otherwise)


def _undeclare(flow: Flow, unwired: Unwired) -> Iterator[Fix]:
    """Where no use of a definition wires a further outcome of it, it may be that the node never gives it."""
    step, outcome = unwired.step, unwired.outcome
    if not isinstance(step, NodeStep) or (step.definition, outcome) in flow.wired_outcomes:
        return
    definition = flow.definitions[step.definition]
    if definition.written and outcome in definition.outcomes[1:] and outcome not in definition.outcome_schemas:
        place = definition.at.below("outcomes", definition.outcomes.index(outcome))
        yield take_out(f"Take `{outcome}` out of `{definition.name}`", place, outcome, UNSAFE)
