"""Ends of a workflow: each gives an outcome that is declared, nothing comes after one, and each outcome has one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Applicability, Code, Diagnostic, Fix, Place, Related, Severity
from wfc.ir import END, Edge, EndStep, Workflow
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.region_faults import Escape
from wfc.passes.repairs.patches import SAFE, UNSAFE, patch, rename_all, take_out, written_edge
from wfc.passes.spelling import Speller, alike, is_at_fault, meant, quoted

UNKNOWN_WORKFLOW_OUTCOME = Code(
    code="WF109",
    rule="unknown-workflow-outcome",
    severity=Severity.ERROR,
    message="{where} ends `{workflow}` with `{got}`, which is no outcome of it; expected {expected}",
    help="end with one of the workflow's outcomes, or add `{got}` to its `outcomes`",
    why=(
        "The outcomes of a workflow are its promise to whoever runs it, and a parent wires exactly those. An end with "
        "any other name would leave the parent without an edge; `__end__` stands for the outcome `ok`."
    ),
    example=example(
        """{"name": "ask", "start": "who", "outcomes": ["ok", "refused"],
 "nodes": [{"id": "who", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no"],
            "request": [{"target": "prompt", "value": "Go?"}]},
           {"id": "stop", "type": "end", "outcome": "refusd"}],
                                                    ^^^^^^^^
 "edges": [{"from": "who", "outcome": "yes", "to": "__end__"}, {"from": "who", "outcome": "no", "to": "stop"}]}
""",
        ('"refusd"', '"refused"'),
    ),
)
EDGE_FROM_END = Code(
    code="WF110",
    rule="edge-from-end",
    severity=Severity.ERROR,
    message="an edge to `{got}` leaves `{step}`, which is an end; expected nothing after an end",
    help="remove the edge; to go on, lead what leads to `{step}` to `{got}` instead",
    why=(
        "At an end step the workflow is over: its output has been projected and its outcome given. An edge from it can "
        "never be taken, so it says something about the workflow that is not true."
    ),
    example=example(
        """{"name": "wake", "start": "nap",
 "nodes": [{"id": "nap", "type": "wait", "seconds": 1}, {"id": "stop", "type": "end", "outcome": "ok"}],
 "edges": [{"from": "nap", "outcome": "ok", "to": "stop"},
           {"from": "stop", "outcome": "ok", "to": "nap"}]}
                    ^^^^^^
""",
        (',\n           {"from": "stop", "outcome": "ok", "to": "nap"}', ""),
    ),
)
UNREACHED_WORKFLOW_OUTCOME = Code(
    code="WF112",
    rule="unreached-workflow-outcome",
    severity=Severity.WARNING,
    message="no end that can be reached gives the outcome `{got}`; expected one that does",
    help="lead a step to an end with the outcome `{got}`, or take it out of `outcomes`",
    why=(
        "Whoever runs this workflow has to provide for every outcome that it declares. One that never comes is either "
        "left over, and then parents carry a dead edge, or the way to it is missing."
    ),
    example=example(
        """{"name": "wake", "start": "nap", "outcomes": ["ok", "late"],
                                                    ^^^^^^
 "nodes": [{"id": "nap", "type": "wait", "seconds": 1}],
 "edges": [{"from": "nap", "outcome": "ok", "to": "__end__"}]}
""",
        (', "late"]', "]"),
    ),
)
_SHOWN = 5
CODES = (UNKNOWN_WORKFLOW_OUTCOME, EDGE_FROM_END, UNREACHED_WORKFLOW_OUTCOME)


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report unknown outcomes once a name, and unreached ones where no other finding is the reason."""
    for flow in facts.flows:
        unknown = _unknown(flow)
        waiting = _explained(flow, list(unknown))
        speller = Speller(flow.workflow.outcomes)
        for outcome, givers in unknown.items():
            if is_at_fault(waiting.get(outcome) or speller.meant(outcome)):
                continue
            yield _report_unknown(flow, outcome, givers, hides=int(outcome in waiting))
        for edge in flow.wiring.from_end:
            yield _report_edge(flow, edge)
        lacking = facts.lacking[flow.index]
        for outcome in [] if lacking else flow.unreached:
            if outcome not in waiting.values():
                yield _report_unreached(flow.workflow, outcome)


def _explained(flow: Flow, unknown: list[str]) -> dict[str, str]:
    """Of the unknown outcomes those that may have been meant for one that no end gives, each with that one.

    A slip is meant for the name that it is a slip of, and for no other; what is like no name, for any that is left.
    """
    speller = Speller(flow.workflow.outcomes)
    guesses = {outcome: speller.meant(outcome) for outcome in unknown}
    found = {outcome: guess for outcome, guess in guesses.items() if guess in flow.unreached}
    left = [outcome for outcome in flow.unreached if outcome not in found.values()]
    return found | dict(zip((outcome for outcome in unknown if guesses[outcome] is None), left, strict=False))


def _unknown(flow: Flow) -> dict[str, list[EndStep | Edge]]:
    """The outcomes that ends give and the workflow does not have, each with its ends.

    An edge that has to lead elsewhere anyway gives none.
    """
    found: dict[str, list[EndStep | Edge]] = {}
    declared = flow.workflow.outcomes
    if flow.workflow.holes and not declared:
        return found
    for step in flow.workflow.steps:
        if isinstance(step, EndStep) and step.outcome not in declared:
            found.setdefault(step.outcome, []).append(step)
    if "ok" not in declared:
        escaping = {id(fault.wire.edge) for fault in flow.region_faults if isinstance(fault, Escape)}
        for edge in flow.workflow.edges:
            if edge.target == END and id(edge) not in escaping:
                found.setdefault("ok", []).append(edge)
    return found


def _report_unknown(flow: Flow, outcome: str, givers: list[EndStep | Edge], hides: int) -> Diagnostic:
    workflow = flow.workflow
    first, *others = [(_place(giver), giver) for giver in sorted(givers, key=_rank)]
    names = alike(outcome, workflow.outcomes)
    return UNKNOWN_WORKFLOW_OUTCOME.at(
        first[0],
        related=tuple(Related("conflicts", place, "here too") for place, _ in others[:_SHOWN]),
        fixes=tuple(_fixes(workflow, outcome, [place for place, _ in (first, *others)], first[1], hides)),
        hides=hides + len(others),
        where=f"step `{first[1].id}`" if isinstance(first[1], EndStep) else f"an edge from `{first[1].source}`",
        workflow=workflow.name,
        got=outcome,
        expected=f"one of {quoted(names)}" if names else "a declared outcome",
        allowed=names,
    )


def _rank(giver: EndStep | Edge) -> tuple[str, ...]:
    if isinstance(giver, EndStep):
        return ("", giver.id)
    return (giver.source or "?", giver.outcome or "")


def _place(giver: EndStep | Edge) -> Place:
    return giver.at.below("outcome" if isinstance(giver, EndStep) else "to")


def _fixes(workflow: Workflow, outcome: str, places: list[Place], first: EndStep | Edge, hidden: int) -> Iterator[Fix]:
    """To declare the outcome is the one repair where it is like none, and none of those that there are is waiting."""
    guess = meant(outcome, workflow.outcomes)
    if guess is not None and isinstance(first, EndStep):
        yield rename_all(f"End with `{guess}`", places, outcome, guess)
    declared = [*workflow.outcomes, outcome]
    yield _list_outcomes(f"Declare `{outcome}`", workflow, declared, UNSAFE if guess or hidden else SAFE)


def _list_outcomes(title: str, workflow: Workflow, outcomes: list[str], applicability: Applicability) -> Fix:
    """The list may be there or be left out, so what is tested is something that always is."""
    changes: list[dict[str, Any]] = [
        {"op": "test", "path": workflow.at.below("start").pointer, "value": workflow.start},
        {"op": "add", "path": workflow.at.below("outcomes").pointer, "value": outcomes},
    ]
    return patch(title, workflow.at, changes, applicability)


def _report_edge(flow: Flow, edge: Edge) -> Diagnostic:
    """The edge says nothing that could be kept, unless only it leads to its target."""
    end = flow.steps.get(edge.source or "")
    return EDGE_FROM_END.at(
        edge.at.below("from"),
        related=(Related("declared", end.at, "the end"),) if end else (),
        fixes=(
            take_out("Remove this edge", edge.at, written_edge(edge), SAFE if flow.is_led_to(edge.target) else UNSAFE),
        ),
        step=edge.source,
        got=edge.target or "?",
    )


def _report_unreached(workflow: Workflow, outcome: str) -> Diagnostic:
    place = workflow.at.below("outcomes", workflow.outcomes.index(outcome))
    left = [name for name in workflow.outcomes if name != outcome]
    fixes = (_list_outcomes(f"Take `{outcome}` out", workflow, left, UNSAFE),) if left else ()
    return UNREACHED_WORKFLOW_OUTCOME.at(place, fixes=fixes, got=outcome)
