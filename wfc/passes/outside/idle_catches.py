"""Every entry of a `catch` can take an error: no earlier one hides it, and the step may fail so (reference 1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Fix, Related, Severity
from wfc.ir import Catch, NodeStep, SubgraphStep
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.raising import Codes, Raising
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import SAFE, UNSAFE, leave_out, patch
from wfc.records import dataclass

IDLE_CATCH = Code(
    code="WF604",
    rule="idle-catch",
    severity=Severity.WARNING,
    message="`{step}` catches `{got}`, {problem}; expected {expected}",
    help="let entries for single error types come first, and catch only what the step can fail with",
    why=(
        "The first entry that matches an error takes it, and an entry for an error that never comes takes none. The "
        "edge that is wired to it is never taken, so that a failure which seems to be handled goes another way."
    ),
    example=example(
        """{"name": "greet", "start": "hello", "outcomes": ["ok", "busy", "broken"],
 "input_schema": {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]},
 "node_defs": [{"name": "send", "uses": "mail.send", "outcomes": ["ok"], "effects": "write",
   "input_schema": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}}],
 "nodes": [{"id": "hello", "type": "node", "node": "send", "input": [{"target": "to", "path": "input.who"}],
   "catch": [{"codes": ["node_failed"], "outcome": "broken"}, {"codes": ["node_failed:Busy"], "outcome": "busy"}]},
                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  {"id": "later", "type": "end", "outcome": "busy"}, {"id": "stop", "type": "end", "outcome": "broken"}],
 "edges": [{"from": "hello", "outcome": "ok", "to": "__end__"}, {"from": "hello", "outcome": "busy", "to": "later"},
           {"from": "hello", "outcome": "broken", "to": "stop"}]}
""",
        (
            '{"codes": ["node_failed"], "outcome": "broken"}, {"codes": ["node_failed:Busy"], "outcome": "busy"}',
            '{"codes": ["node_failed:Busy"], "outcome": "busy"}, {"codes": ["node_failed"], "outcome": "broken"}',
        ),
    ),
)
CODES = (IDLE_CATCH,)


def check(facts: Facts) -> Iterator[Diagnostic]:
    raising = Raising(facts.flows)
    for flow in facts.flows:
        for name in flow.reachable:
            step = flow.steps[name]
            if isinstance(step, NodeStep | SubgraphStep) and step.catch:
                yield from _entries(flow, step, raising.of_step(flow, step))


@dataclass(frozen=True, slots=True)
class _Idle:
    """A code of an entry that takes nothing; `by` is the index of the entry that takes it first, if one does."""

    index: int
    code: str
    by: int | None


def _entries(flow: Flow, step: NodeStep | SubgraphStep, raised: Codes) -> Iterator[Diagnostic]:
    taken: dict[str, int] = {}
    for number, entry in enumerate(step.catch):
        idle = []
        for index, code in enumerate(entry.codes):
            kind = code.partition(":")[0]
            by = taken.get(code, taken.get(kind))
            if by is not None or kind not in raised:
                idle.append(_Idle(index, code, by))
            taken.setdefault(code, number)
        if idle and len(idle) == len(entry.codes) and all(each.by not in (None, number) for each in idle):
            yield _hidden(flow, step, number, idle)
        else:
            yield from (_code(flow, step, entry, each, idle) for each in idle)


def _hidden(flow: Flow, step: NodeStep | SubgraphStep, number: int, idle: list[_Idle]) -> Diagnostic:
    entry, first = step.catch[number], step.catch[idle[0].by or 0]
    return IDLE_CATCH.at(
        entry.at,
        related=(Related("conflicts", first.at, "this entry comes first"),),
        fixes=(_first(step, number, idle) or _without(flow, step, entry),),
        hides=len(idle) - 1,
        step=step.id,
        got=idle[0].code,
        problem="which an entry before takes",
        expected="each error in one entry, single types before all others",
    )


def _first(step: NodeStep | SubgraphStep, number: int, idle: list[_Idle]) -> Fix | None:
    """An entry for single types of an error is meant to come before the one for all of them."""
    ahead = min(each.by or 0 for each in idle)
    if not all(":" in each.code and each.code not in step.catch[each.by or 0].codes for each in idle):
        return None
    test = {"op": "test", "path": step.at.below("id").pointer, "value": step.id}
    move = {"op": "move", "from": step.catch[number].at.pointer, "path": step.catch[ahead].at.pointer}
    return patch("Let it come first", step.at, [test, move], SAFE)


def _code(flow: Flow, step: NodeStep | SubgraphStep, entry: Catch, each: _Idle, idle: list[_Idle]) -> Diagnostic:
    place = entry.at.below("codes", each.index)
    alone = len(idle) == len(entry.codes)
    return IDLE_CATCH.at(
        place,
        fixes=(_without(flow, step, entry) if alone else leave_out(f"Leave `{each.code}` out", step, [place]),),
        step=step.id,
        got=each.code,
        problem="with which it never fails" if each.by is None else "which is taken before",
        expected="each error once" if each.by is not None else "errors that it can fail with",
    )


def _without(flow: Flow, step: NodeStep | SubgraphStep, entry: Catch) -> Fix:
    """The entry goes; with it, where no other one shares its outcome, the edge."""
    shared = any(other.outcome == entry.outcome for other in step.catch if other is not entry)
    edges = [edge.at for edge in flow.workflow.edges if (edge.source, edge.outcome) == (step.id, entry.outcome)]
    return leave_out("Leave the entry out", step, [entry.at, *([] if shared else edges)], SAFE if shared else UNSAFE)
