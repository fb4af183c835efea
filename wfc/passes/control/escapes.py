"""What happens inside a foreach body stays there: it is entered by `item` and left by going back (reference 1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Related, Severity
from wfc.ir import END, EndStep, ForeachStep
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.graph.causes import Causes
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.region_faults import Escape, Intrusion
from wfc.passes.graph.wiring import Wire
from wfc.passes.repairs.patches import SAFE, UNSAFE, redirect, rewrite

BODY_ESCAPES = Code(
    code="WF205",
    rule="body-escapes",
    severity=Severity.ERROR,
    message="outcome `{outcome}` of `{source}` leaves the body of `{foreach}` for {got}; expected it to lead back",
    help=(
        "lead it to `{foreach}`, which takes the next item. There is no break: to stop early, write the decision to "
        "state and test it after `done`, or fail the run with `wf.std.fail`"
    ),
    why=(
        "The body of a foreach runs once an item, several at a time in parallel mode, and each item ends by going back "
        "to the foreach step. A way out in the middle would leave the other items without an owner, so there is none."
    ),
    example=example(
        """{"name": "each", "start": "loop",
 "nodes": [{"id": "loop", "type": "foreach", "over": {"value": [1, 2]}, "as": "n", "mode": "parallel"},
           {"id": "nap", "type": "wait", "seconds": 1}],
 "edges": [{"from": "loop", "outcome": "item", "to": "nap"}, {"from": "loop", "outcome": "done", "to": "__end__"},
           {"from": "nap", "outcome": "ok", "to": "__end__"}]}
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
        ('"from": "nap", "outcome": "ok", "to": "__end__"', '"from": "nap", "outcome": "ok", "to": "loop"'),
    ),
)
JUMP_INTO_REGION = Code(
    code="WF206",
    rule="jump-into-region",
    severity=Severity.ERROR,
    message="{got} leads into {region} from outside, to `{into}`; expected only `{region_step}` to lead there",
    help="lead it to `{region_step}`, or to a step of its own that does the same",
    why=(
        "The steps of a foreach body and of a fork branch run in a frame of their own, which only the foreach or the "
        "fork opens. Coming in from elsewhere there is no item, no branch and nothing to go back to."
    ),
    example=example(
        """{"name": "each", "start": "nap",
                          ^^^^^
 "nodes": [{"id": "loop", "type": "foreach", "over": {"value": [1, 2]}, "as": "n", "mode": "parallel"},
           {"id": "nap", "type": "wait", "seconds": 1}],
 "edges": [{"from": "loop", "outcome": "item", "to": "nap"}, {"from": "loop", "outcome": "done", "to": "__end__"},
           {"from": "nap", "outcome": "ok", "to": "loop"}]}
""",
        ('"start": "nap"', '"start": "loop"'),
    ),
)
EMPTY_BODY = Code(
    code="WF209",
    rule="empty-body",
    severity=Severity.WARNING,
    message="`item` of `{foreach}` leads straight back to it; expected a step that does something with an item",
    help="lead `item` to the first step of the body, or leave the foreach out",
    why=(
        "A foreach without a body counts its items and does nothing else. Almost always the edge to the first step of "
        "the body was forgotten, or was taken for the one that leads back."
    ),
    example=example(
        """{"name": "each", "start": "loop",
 "nodes": [{"id": "loop", "type": "foreach", "over": {"value": [1, 2]}, "as": "n", "mode": "parallel"},
           {"id": "nap", "type": "wait", "seconds": 1}],
 "edges": [{"from": "loop", "outcome": "done", "to": "__end__"}, {"from": "nap", "outcome": "ok", "to": "loop"},
           {"from": "loop", "outcome": "item", "to": "loop"}]}
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
        ('"item", "to": "loop"', '"item", "to": "nap"'),
    ),
)
CODES = (BODY_ESCAPES, JUMP_INTO_REGION, EMPTY_BODY)


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        causes = facts.causes(flow)
        for fault in flow.region_faults:
            match fault:
                case Escape(wire, foreach) if isinstance(flow.steps[foreach], ForeachStep):
                    yield _escape(flow, wire, foreach, causes)
                case Intrusion():
                    yield _intrusion(flow, fault, causes)
        for wire in flow.empty_bodies:
            yield _empty(flow, wire, causes)


def _escape(flow: Flow, wire: Wire, foreach: str, causes: Causes) -> Diagnostic:
    """Going back is the only sensible repair where nothing else of the body does."""
    island = causes.island(wire)
    target = island.steps[0].id if island else foreach
    only = island is not None or not any(flow.is_inside(other.source, foreach) for other in flow.wires_to(foreach))
    return BODY_ESCAPES.at(
        wire.edge.at,
        related=(Related("declared", flow.steps[foreach].at, "the foreach whose body this is"),),
        fixes=(redirect(f"Lead it to `{target}`", wire.edge, target, SAFE if only else UNSAFE),),
        hides=causes.hidden(wire),
        outcome=wire.outcome,
        source=wire.source,
        foreach=foreach,
        got=where_to(flow, wire.target),
        path=flow.trail_by(wire),
    )


def _intrusion(flow: Flow, fault: Intrusion, causes: Causes) -> Diagnostic:
    """Who leads to the first step of a region means the step that opens it."""
    opener = flow.steps[fault.step]
    body = isinstance(opener, ForeachStep)
    wire = fault.wire
    place = flow.workflow.at.below("start") if wire is None else wire.edge.at
    if wire is None:
        island = causes.island(fault)
        target = island.steps[0].id if island else fault.step
        fix = rewrite(f"Begin at `{target}`", place, flow.workflow.start, target, SAFE)
    else:
        first = any(
            other.source == fault.step and other.outcome == fault.outcome for other in flow.wires_to(fault.into)
        )
        fix = redirect(f"Lead it to `{fault.step}`", wire.edge, fault.step, SAFE if first else UNSAFE)
    return JUMP_INTO_REGION.at(
        place,
        related=(Related("declared", opener.at, f"the {opener.type} that opens it"),),
        fixes=(fix,),
        hides=causes.hidden(wire or fault),
        got="`start`" if wire is None else f"outcome `{wire.outcome}` of `{wire.source}`",
        region=f"the body of `{fault.step}`" if body else f"branch `{fault.outcome}` of `{fault.step}`",
        region_step=fault.step,
        into=fault.into,
        path=[fault.into] if wire is None else flow.trail_by(wire),
    )


def _empty(flow: Flow, wire: Wire, causes: Causes) -> Diagnostic:
    island = causes.island(wire)
    entry = island.steps[0].id if island else None
    return EMPTY_BODY.at(
        wire.edge.at,
        fixes=(redirect(f"Lead it to `{entry}`", wire.edge, entry, SAFE),) if entry else (),
        hides=causes.hidden(wire),
        foreach=wire.source,
        path=flow.trail_by(wire),
    )


def where_to(flow: Flow, target: str) -> str:
    """A target as a message names it."""
    if target == END:
        return "an end"
    return f"the end `{target}`" if isinstance(flow.steps[target], EndStep) else f"`{target}`"
