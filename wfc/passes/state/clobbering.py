"""What replaces an object brings the fields that are read behind it (reference 1.6, 2.4).

A look that fails for want of such a field is a finding of its own (WF400, WF401, WF407), which names the replace; this
one is left for looks that only find another answer than was meant. What strict mode alone says of a look (WF391) takes
its place there.
"""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Related, Severity, Strict
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.reads import Fault, Optional, Unwritten
from wfc.passes.facts.uses import Dropped
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.sharing import merging
from wfc.passes.values import Write
from wfc.paths import StatePath

CLOBBERING_WRITE = Code(
    code="WF408",
    rule="clobbering-write",
    severity=Severity.WARNING,
    message="`{step}` replaces `{got}` by an object without `{field}`, which `{reader}` reads; expected it to be kept",
    help="write only the fields that change, or let the reducer of `{got}` be `wf.std.merge_object`",
    why=(
        "A write replaces all that was in its place. Fields that were written before by themselves are gone when an "
        "object without them is put there, and whoever reads one of them afterwards finds nothing."
    ),
    example=example(
        """{"name": "file", "start": "name",
 "state_schema": {"type": "object", "properties": {"card": {"type": "object", "properties":
   {"name": {"type": "string"}, "size": {"type": "integer"}}}}},
 "output_schema": {"type": "object", "properties": {"card": {"type": "object"}}},
 "nodes": [{"id": "name", "type": "node", "node": "wf.std.record", "input": [{"target": "x", "value": "n"}],
            "output": [{"source": "x", "target": "state.card.name"}]},
           {"id": "size", "type": "node", "node": "wf.std.record", "input": [{"target": "x.size", "value": 3}],
            "output": [{"source": "x", "target": "state.card"}]},
                                                 ^^^^^^^^^^^^
           {"id": "known", "type": "condition", "check": {"op": "exists", "path": "state.card.name"}},
           {"id": "nap", "type": "wait", "seconds": 1}],
 "edges": [{"from": "name", "outcome": "ok", "to": "size"}, {"from": "size", "outcome": "ok", "to": "known"},
           {"from": "known", "outcome": "false", "to": "nap"}, {"from": "known", "outcome": "true", "to": "__end__"},
           {"from": "nap", "outcome": "ok", "to": "__end__"}]}
""",
        ('"source": "x", "target": "state.card"', '"source": "x.size", "target": "state.card.size"'),
    ),
)
CODES = (CLOBBERING_WRITE,)


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report each write once, with the first field that is missed."""
    for flow in facts.flows:
        found: dict[Write, list[Dropped]] = {}
        reads = facts.reads(flow)
        for dropped in facts.uses(flow).dropped:
            if any(_is_told(reads.fault(read)) for read in dropped.reads):
                continue
            found.setdefault(dropped.assign.write, []).append(dropped)
        for drops in found.values():
            unproved = any(reads.fault(read) is not None for dropped in drops for read in dropped.reads)
            yield _report(facts, flow, drops, Strict.NEVER if unproved else Strict.SAME)


def _report(facts: Facts, flow: Flow, drops: list[Dropped], strict: Strict) -> Diagnostic:
    first = next((dropped for dropped in drops if dropped.certain), drops[0])
    write, read = first.assign.write, first.reads[0]
    field = StatePath((first.assign.root.name, *first.parts))
    fields = list(dict.fromkeys(str(StatePath((each.assign.root.name, *each.parts))) for each in drops))
    written = dict.fromkeys(assign.write for assign in first.writes)
    return CLOBBERING_WRITE.at(
        write.at,
        confidence="proved" if first.certain else "likely",
        strict=strict,
        related=(
            *(Related("written", each.at, f"`{each.step}` writes `{each.path}`") for each in list(written)[:2]),
            Related("read", read.at, f"`{read.step}` reads `{read.path}`"),
        ),
        fixes=merging(facts.values.solver(flow), write.path, [first.assign]),
        hides=len(fields) - 1,
        step=write.step,
        got=str(write.path),
        field=str(field),
        fields=fields[:5],
        reader=read.step,
        path=flow.trail(read.step),
    )


def _is_told(fault: Fault | None) -> bool:
    """Whether a look is told to fail in every mode."""
    return isinstance(fault, Unwritten) or (isinstance(fault, Optional) and fault.read.role in ("input", "request"))
