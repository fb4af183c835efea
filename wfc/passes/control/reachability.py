"""Every step can be reached from `start`, and from every step something leads out of every cycle."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Fix, Related, Severity
from wfc.ir import Step
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.graph.circuits import way_round
from wfc.passes.graph.flow import Flow, Island
from wfc.passes.repairs.patches import SAFE, UNSAFE, redirect, take_out_all
from wfc.passes.spelling import quoted

UNREACHABLE_STEP = Code(
    code="WF200",
    rule="unreachable-step",
    severity=Severity.WARNING,
    message="no way from `start` leads to {got}; expected an edge to {entry}",
    help="lead an outcome to {entry}, or remove {got}",
    why=(
        "A step that no run can come to is dead weight at best. More often an edge to it was forgotten or leads "
        "elsewhere, and the workflow leaves out what the step was written for. Steps that only lead to one another "
        "count as well."
    ),
    example=example(
        """{"name": "wake", "start": "nap",
 "nodes": [{"id": "nap", "type": "wait", "seconds": 1},
           {"id": "stretch", "type": "wait", "seconds": 2}],
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 "edges": [{"from": "nap", "outcome": "ok", "to": "__end__"},
           {"from": "stretch", "outcome": "ok", "to": "__end__"}]}
""",
        ('"nap", "outcome": "ok", "to": "__end__"', '"nap", "outcome": "ok", "to": "stretch"'),
    ),
)
ENDLESS_LOOP = Code(
    code="WF202",
    rule="endless-loop",
    severity=Severity.ERROR,
    message="nothing leaves the cycle of {got}; expected an outcome that leads out of it",
    help="lead an outcome of a step in the cycle to an end, or put a condition into it that leads out",
    why=(
        "A run that comes into a cycle without a way out goes round until the step limit stops it, and every call in "
        "it is made again and again. A loop needs a step that can decide that it is done."
    ),
    example=example(
        """{"name": "watch", "start": "nap", "node_defs": [{"name": "look", "outcomes": ["calm", "busy"]}],
 "nodes": [{"id": "nap", "type": "wait", "seconds": 1},
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           {"id": "again", "type": "node", "node": "look"}],
 "edges": [{"from": "nap", "outcome": "ok", "to": "again"}, {"from": "again", "outcome": "calm", "to": "nap"},
           {"from": "again", "outcome": "busy", "to": "nap"}]}
""",
        ('"busy", "to": "nap"', '"busy", "to": "__end__"'),
    ),
)
_NAMED = 3
CODES = (UNREACHABLE_STEP, ENDLESS_LOOP)


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report one finding for each missing way in, and one for each missing way out."""
    for flow in facts.flows:
        causes = facts.causes(flow)
        for island in causes.unexplained:
            yield _unreachable(flow, island)
        for circle in flow.endless:
            yield _endless(flow, circle, causes.island(circle))


def _unreachable(flow: Flow, island: Island) -> Diagnostic:
    """The steps behind the first one follow from it."""
    first, *others = island.steps
    cycle = island.steps[: island.heads]
    return UNREACHABLE_STEP.at(
        first.at,
        related=tuple(Related("on the path", step.at, "nor to this step") for step in others[:_NAMED]),
        fixes=(_removal(flow, island),),
        hides=len(others),
        got=_named([step.id for step in cycle]) if len(cycle) > 1 else f"step `{first.id}`",
        entry="one of them" if len(cycle) > 1 else f"`{first.id}`",
        path=[step.id for step in cycle[:_NAMED]],
    )


def _removal(flow: Flow, island: Island) -> Fix:
    lost = {step.id for step in island.steps}
    edges = [edge.at for edge in flow.workflow.edges if edge.source in lost or edge.target in lost]
    first: Step = island.steps[0]
    title = f"Remove {_named([step.id for step in island.steps])} with its edges"
    return take_out_all(title, first.at.below("id"), first.id, [*(step.at for step in island.steps), *edges])


def _endless(flow: Flow, circle: tuple[str, ...], island: Island | None) -> Diagnostic:
    """The edge that closes the cycle is the one to lead elsewhere: to the steps that nothing leads to, or out.

    In a body that begins anew with its first step, going back to the foreach is what was meant.
    """
    first, *others = circle
    way = way_round(flow, first, set(circle))
    target = island.steps[0].id if island else flow.way_out(way[-1].source)
    region = flow.region(first)
    sure = island is None and region is not None and region.body and flow.begins_region(first)
    fix = redirect(f"Lead `{way[-1].source}` to `{target}`", way[-1].edge, target, SAFE if sure else UNSAFE)
    return ENDLESS_LOOP.at(
        flow.steps[first].at,
        related=tuple(Related("on the path", flow.steps[name].at, "part of the cycle") for name in others[:_NAMED]),
        fixes=(fix,) if target not in circle else (),
        hides=len(island.steps) if island else 0,
        got=_named(list(circle)),
        path=[*(f"{wire.source}:{wire.outcome}" for wire in way), first],
    )


def _named(names: list[str]) -> str:
    shown = quoted(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown} and {len(names) - _NAMED} more"
