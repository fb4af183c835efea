"""Every fork is closed by one join, and what happens in a branch stays there until that join (reference 1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Fix, Related, Severity
from wfc.ir import ForkStep, Step
from wfc.passes.control.escapes import where_to
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.graph.causes import Causes
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.meetings import meeting
from wfc.passes.graph.region_faults import DeadBranch, Escape, IdleJoin, Unclosed
from wfc.passes.graph.wiring import Wire
from wfc.passes.repairs.patches import SAFE, UNSAFE, patch, redirect
from wfc.passes.spelling import fresh, quoted

FORK_WITHOUT_JOIN = Code(
    code="WF207",
    rule="fork-without-join",
    severity=Severity.ERROR,
    message="{got}; expected {expected}",
    help="{advice}",
    why=(
        "Branches of a fork run side by side, each in a frame of its own, and their writes come together at the join "
        "that closes the fork. Without exactly one such join nobody can say when the branches are done and what state "
        "is then. Ways that only meet again after a condition need no join: they go on at the same step."
    ),
    example=example(
        """{"name": "both", "start": "split",
 "nodes": [{"id": "split", "type": "fork", "branches": ["left", "right"]},
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           {"id": "a", "type": "wait", "seconds": 1}, {"id": "b", "type": "wait", "seconds": 2},
           {"id": "meet", "type": "wait", "seconds": 0}],
 "edges": [{"from": "split", "outcome": "left", "to": "a"}, {"from": "split", "outcome": "right", "to": "b"},
           {"from": "a", "outcome": "ok", "to": "meet"}, {"from": "b", "outcome": "ok", "to": "meet"},
           {"from": "meet", "outcome": "ok", "to": "__end__"}]}
""",
        ('"type": "wait", "seconds": 0', '"type": "join"'),
    ),
)
BRANCH_ESCAPES = Code(
    code="WF208",
    rule="branch-escapes",
    severity=Severity.ERROR,
    message="outcome `{outcome}` of `{source}` leaves branch `{branch}` of `{fork}` for {got}; expected {expected}",
    help="lead it to `{join}`; what should happen after the branches stands behind the join",
    why=(
        "A branch runs in a frame of its own that ends at the join of its fork. A way out past the join would end the "
        "workflow while its siblings still run, and a step shared with a sibling would run twice with two states."
    ),
    example=example(
        """{"name": "both", "start": "split",
 "nodes": [{"id": "split", "type": "fork", "branches": ["left", "right"]}, {"id": "meet", "type": "join"},
           {"id": "a", "type": "wait", "seconds": 1}, {"id": "b", "type": "wait", "seconds": 2}],
 "edges": [{"from": "split", "outcome": "left", "to": "a"}, {"from": "split", "outcome": "right", "to": "b"},
           {"from": "a", "outcome": "ok", "to": "meet"}, {"from": "meet", "outcome": "ok", "to": "__end__"},
           {"from": "b", "outcome": "ok", "to": "__end__"}]}
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
        ('"from": "b", "outcome": "ok", "to": "__end__"', '"from": "b", "outcome": "ok", "to": "meet"'),
    ),
)
CODES = (FORK_WITHOUT_JOIN, BRANCH_ESCAPES)


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        causes = facts.causes(flow)
        for fault in flow.region_faults:
            match fault:
                case Escape(wire, fork, branch) if isinstance(flow.steps[fork], ForkStep):
                    yield _escape(flow, wire, fork, branch, causes)
                case Unclosed():
                    yield _unclosed(flow, fault, causes)
                case IdleJoin(join, fork):
                    yield _idle(flow, join, fork)
        for dead in flow.dead_branches:
            yield _dead(flow, dead)


def _escape(flow: Flow, wire: Wire, fork: str, branch: str, causes: Causes) -> Diagnostic:
    """Going to the join is the only sensible repair where nothing else of the branch does, or a sibling is entered."""
    island = causes.island(wire)
    join = flow.join_of(fork) or fork
    target = island.steps[0].id if island else join
    only = island is not None or flow.is_inside(wire.target, fork) or not _comes_to(flow, fork, branch, join)
    return BRANCH_ESCAPES.at(
        wire.edge.at,
        related=(
            Related("declared", flow.steps[fork].at, "the fork whose branch this is"),
            Related("declared", flow.steps[join].at, "the join that closes it"),
        ),
        fixes=(redirect(f"Lead it to `{target}`", wire.edge, target, SAFE if only else UNSAFE),),
        hides=causes.hidden(wire),
        outcome=wire.outcome,
        source=wire.source,
        branch=branch,
        fork=fork,
        join=join,
        got=where_to(flow, wire.target),
        expected=f"a way to the join `{join}`",
        path=flow.trail_by(wire),
    )


def _comes_to(flow: Flow, fork: str, branch: str, join: str) -> bool:
    """Whether an edge of a branch leads to the join."""
    regions = (flow.region(wire.source) for wire in flow.wires_to(join))
    return any(region is not None and (region.step, region.outcome) == (fork, branch) for region in regions)


def _unclosed(flow: Flow, fault: Unclosed, causes: Causes) -> Diagnostic:
    fork = flow.steps[fault.fork]
    island = causes.island(fault)
    joins = [flow.steps[join] for join in fault.joins]
    if fault.outer is not None:
        got = (
            f"the fork `{fork.id}` is closed by `{fault.joins[0]}`, which stands outside the region of `{fault.outer}`"
        )
        expected = f"a join of its own inside what `{fault.outer}` opens"
        advice = f"give `{fork.id}` a join of its own, and lead that one to `{fault.joins[0]}`"
    elif joins:
        got = f"the branches of `{fork.id}` end at different joins, {quoted(fault.joins)}"
        expected = "one join that closes the fork"
        advice = "lead all branches to the same join"
    else:
        got = f"no join closes the fork `{fork.id}`"
        expected = "one join that all its branches lead to"
        advice = "add a join step, lead all branches to it, and let it lead on"
        if island:
            advice = f"lead all branches to the join `{island.steps[0].id}`, which nothing leads to"
    return FORK_WITHOUT_JOIN.at(
        fork.at,
        related=tuple(Related("conflicts", join.at, "a join") for join in joins),
        fixes=tuple(_closing(flow, fork, island.steps[0] if island else None)) if not joins else (),
        hides=causes.hidden(fault),
        got=got,
        expected=expected,
        advice=advice,
        path=flow.trail(fault.fork),
    )


def _closing(flow: Flow, fork: Step, join: Step | None) -> Iterator[Fix]:
    """Where all branches run together at one step, the join belongs right before it."""
    found = meeting(flow, fork.id)
    if found is None:
        return
    step, wires = found.step, found.wires
    if join is not None:
        changes = [change for wire in wires for change in _redirected(wire, join.id)]
        yield patch(f"Lead the branches to `{join.id}`", fork.at, changes, SAFE)
        return
    name = fresh(f"join_{fork.id}", flow.steps)
    workflow = flow.workflow.at
    changes = [change for wire in wires for change in _redirected(wire, name)]
    changes += [
        {"op": "add", "path": workflow.below("nodes", "-").pointer, "value": {"id": name, "type": "join"}},
        {
            "op": "add",
            "path": workflow.below("edges", "-").pointer,
            "value": {"from": name, "outcome": "ok", "to": step},
        },
    ]
    yield patch(f"Let the branches meet at a join before `{step}`", fork.at, changes, UNSAFE)


def _redirected(wire: Wire, target: str) -> list[dict[str, object]]:
    path = wire.edge.at.below("to").pointer
    return [
        {"op": "test", "path": path, "value": wire.edge.target},
        {"op": "replace", "path": path, "value": target},
    ]


def _idle(flow: Flow, join: str, fork: str) -> Diagnostic:
    step = flow.steps[join]
    onward = flow.wires(join)
    return FORK_WITHOUT_JOIN.at(
        step.at,
        related=(Related("declared", flow.steps[fork].at, "the fork in whose branch it stands"),),
        fixes=tuple(_bypass(flow, step, onward[0])) if len(onward) == 1 else (),
        got=f"the join `{join}` stands in a branch of `{fork}` and closes no fork there",
        expected="only joins that close a fork of the same branch",
        advice=f"lead what leads to `{join}` to the step after it: ways that are never taken together need no join",
        path=flow.trail(join),
    )


def _bypass(flow: Flow, join: Step, onward: Wire) -> Iterator[Fix]:
    """Lead everything past the join and take it out."""
    changes = [change for wire in flow.wires_to(join.id) for change in _redirected(wire, onward.target)]
    if changes:
        changes += [{"op": "remove", "path": onward.edge.at.pointer}, {"op": "remove", "path": join.at.pointer}]
        yield patch(f"Leave `{join.id}` out", join.at, changes, UNSAFE)


def _dead(flow: Flow, dead: DeadBranch) -> Diagnostic:
    fork = flow.steps[dead.fork]
    return FORK_WITHOUT_JOIN.at(
        fork.at,
        related=(Related("declared", flow.steps[dead.join].at, "the join that closes it"),),
        got=f"branch `{dead.branch}` of the fork `{dead.fork}` never reaches the join `{dead.join}`",
        expected="every branch to lead to the join",
        advice=f"lead branch `{dead.branch}` to `{dead.join}`, or leave it out",
        path=[f"{dead.fork}:{dead.branch}"],
    )
