"""No step of a region writes an object around a path that is local to its items or branches (reference 2.6)."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Related, Severity
from wfc.ir import ForeachStep, ForkStep
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import UNSAFE, put
from wfc.passes.values.access import Write

LOCAL_OVERLAP = Code(
    code="WF503",
    rule="local-overlap",
    severity=Severity.ERROR,
    message="`{step}` writes `{got}` inside `{region}`, whose local path `{local}` lies in it; expected {expected}",
    help="write the local path itself, or make all of `{got}` local to `{region}`",
    why=(
        "A local path belongs to one item or branch, and its writes are dropped when that ends. A write to an object "
        "around it would have to be dropped and kept at once: the local part of it dies with the item, the rest is "
        "handed on."
    ),
    example=example(
        """{"name": "sizes", "start": "each",
 "input_schema": {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "array"}}},
                  "required": ["rows"]},
 "state_schema": {"type": "object", "properties": {
   "row": {"type": "object", "properties": {"count": {"type": "integer"}}},
   "sizes": {"type": "array", "items": {"type": "integer"}, "reducer": "wf.std.append"}}},
 "output_schema": {"type": "object", "properties": {"sizes": {"type": "array"}}},
 "nodes": [{"id": "each", "type": "foreach", "over": "input.rows", "as": "row", "locals": ["state.row.count"]},
  {"id": "size", "type": "node", "node": "wf.std.count", "input": [{"target": "array", "path": "context.row"}],
   "output": [{"source": ".", "target": "state.row"}]},
                                        ^^^^^^^^^^^
  {"id": "keep", "type": "node", "node": "wf.std.identity", "input": [{"target": "value", "path": "state.row.count"}],
   "output": [{"source": "value", "target": "state.sizes"}]}],
 "edges": [{"from": "each", "outcome": "item", "to": "size"}, {"from": "size", "outcome": "ok", "to": "keep"},
           {"from": "keep", "outcome": "ok", "to": "each"}, {"from": "each", "outcome": "done", "to": "__end__"}]}
""",
        ('{"source": ".", "target": "state.row"}', '{"source": "count", "target": "state.row.count"}'),
    ),
)
CODES = (LOCAL_OVERLAP,)
# Frames nest no deeper than this (reference 2.6), so that what lies around more regions never runs.
_DEEPEST = 200


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        uses = facts.field_uses(flow)
        around = {parts[:length] for parts in uses.local for length in range(1, len(parts))}
        for parts, writes in uses.paths.written.items() if around else ():
            for write in writes if parts in around else ():
                yield from _clashes(flow, write)


def _clashes(flow: Flow, write: Write) -> Iterator[Diagnostic]:
    parts = write.path.parts
    for opener in _openers(flow, write.step):
        for index, local in enumerate(opener.locals):
            if len(parts) < len(local.parts) and local.parts[: len(parts)] == parts:
                yield _report(opener, index, write, flow)
                break


def _openers(flow: Flow, step: str) -> Iterator[ForeachStep | ForkStep]:
    """The loops and forks around a step that have local paths, innermost first."""
    region = flow.region(step)
    for _, around in zip(range(_DEEPEST), region.outwards() if region else (), strict=False):
        opener = flow.steps[around.step]
        if isinstance(opener, ForeachStep | ForkStep) and opener.locals:
            yield opener


def _report(opener: ForeachStep | ForkStep, index: int, write: Write, flow: Flow) -> Diagnostic:
    place, local = opener.at.below("locals", index), opener.locals[index]
    return LOCAL_OVERLAP.at(
        write.at,
        related=(Related("declared", place, "the local path"),),
        fixes=(put(f"Make `{write.path}` local", opener, [(place, str(write.path))], UNSAFE),),
        step=flow.steps[write.step].id,
        got=str(write.path),
        region=opener.id,
        local=str(local),
        expected=f"a write to `{local}`, or to what does not contain it",
        path=flow.trail(write.step),
    )
