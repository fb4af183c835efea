"""Errors of items that are collected are read (reference 2.6)."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Severity
from wfc.ir import ForeachStep
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.repairs.patches import UNSAFE, rewrite
from wfc.passes.types import Verdict

COLLECTED_UNREAD = Code(
    code="WF505",
    rule="collected-unread",
    severity=Severity.WARNING,
    message="`{step}` collects the errors of its items, and no binding of it reads `errors`; expected one that does",
    help="bind `errors` to state; with `skip` the loop goes on past items that fail and keeps nothing of them",
    why=(
        "`collect` asks the loop to go on past an item that fails and to keep what went wrong. Where nothing reads "
        "that, a run in which every item failed looks like one in which none did."
    ),
    example=example(
        """{"name": "nap_often", "start": "each",
 "input_schema": {"type": "object", "properties": {"naps": {"type": "array", "items": {"type": "number"}}},
                  "required": ["naps"]},
 "nodes": [{"id": "each", "type": "foreach", "over": "input.naps", "as": "nap", "on_item_error": "collect"},
                                                                                                 ^^^^^^^^^
  {"id": "sleep", "type": "node", "node": "wf.std.record", "input": [{"target": "seconds", "path": "context.nap"}]}],
 "edges": [{"from": "each", "outcome": "item", "to": "sleep"}, {"from": "sleep", "outcome": "ok", "to": "each"},
           {"from": "each", "outcome": "done", "to": "__end__"}]}
""",
        ('"collect"', '"skip"'),
    ),
)
CODES = (COLLECTED_UNREAD,)
_READING = ((), ("errors",))


def check(facts: Facts) -> Iterator[Diagnostic]:
    """A binding that could not be read, or reads what is not there, may be the one that was to read them."""
    for flow in facts.flows:
        for name in flow.reachable if not flow.workflow.holes else ():
            step = flow.steps[name]
            if not isinstance(step, ForeachStep) or step.on_item_error != "collect":
                continue
            done = facts.values.solver(flow).result(name, "done")
            sources = [binding.source.parts for binding in step.output]
            if any(parts[:1] in _READING or types.at(done, parts).presence is Verdict.NEVER for parts in sources):
                continue
            place = step.at.below("on_item_error")
            yield COLLECTED_UNREAD.at(
                place, fixes=(rewrite("Skip what fails", place, "collect", "skip", UNSAFE),), step=step.id
            )
