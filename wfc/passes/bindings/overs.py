"""A foreach goes over an array (reference 1.4, 2.6)."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Fix, Severity, Strict
from wfc.ir import ForeachStep, Value
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.places import around
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.declaring import narrowed
from wfc.passes.repairs.patches import UNSAFE, put
from wfc.passes.types import Type, Verdict, describe
from wfc.passes.types.fields import known_fields
from wfc.passes.values import Read
from wfc.paths import GraphSourcePath

NOT_AN_ARRAY = Code(
    code="WF312",
    rule="not-an-array",
    severity=Severity.ERROR,
    strict=Strict.ERROR,
    message="`{step}` goes over {what}, which {says} {got}; expected an array",
    help="go over a path that holds an array, or write the items as a list",
    why=(
        "A foreach enters its body once for each element of an array. It does not wrap a single value, go over the "
        "keys of an object or take a null for nothing: anything but an array fails the step with `type_mismatch`."
    ),
    example=example(
        """{"name": "rest", "start": "each",
 "input_schema": {"type": "object", "required": ["page"], "properties": {"page": {"type": "object",
    "properties": {"items": {"type": "array"}}, "required": ["items"]}}},
 "nodes": [{"id": "each", "type": "foreach", "over": "input.page", "as": "one", "mode": "parallel"},
                                                     ^^^^^^^^^^^^
           {"id": "nap", "type": "wait", "seconds": 1}],
 "edges": [{"from": "each", "outcome": "item", "to": "nap"}, {"from": "nap", "outcome": "ok", "to": "each"},
           {"from": "each", "outcome": "done", "to": "__end__"}]}
""",
        ('"input.page"', '"input.page.items"'),
    ),
)
CODES = (NOT_AN_ARRAY,)


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        for name, access in facts.values.solver(flow).accesses.items():
            step, source = flow.steps[name], access.source
            if not isinstance(step, ForeachStep) or source is None:
                continue
            type = facts.values.type_of(source)
            verdict = types.is_array(type)
            if verdict is not Verdict.ALWAYS and not facts.reads(flow).is_lost(source):
                yield _report(facts, flow, step, source, type)


def _report(facts: Facts, flow: Flow, step: ForeachStep, source: Read | Value, type: Type) -> Diagnostic:
    never = types.is_array(type) is Verdict.NEVER
    path = source.path if isinstance(source, Read) else None
    over = step.at.below("over")
    return NOT_AN_ARRAY.at(
        over if path is not None else over.below("value"),
        strict=None if never else Strict.ONLY,
        severity=Severity.ERROR if never else Severity.NOTE,
        confidence="proved" if never else "likely",
        related=() if path is None else around(facts, flow, path),
        fixes=_repairs(step, source, type) if never else () if path is None else narrowed(flow, path, {"array"}),
        step=step.id,
        what=f"`{describe(type)}`" if path is None else f"`{path}`",
        says="is" if never else "may be another thing than an array:",
        got="no array" if path is None else describe(type),
        path=flow.trail(step.id),
    )


def _repairs(step: ForeachStep, source: Read | Value, type: Type) -> tuple[Fix, ...]:
    """The one array inside an object, or a list of the one value."""
    over = step.at.below("over")
    if isinstance(source, Value):
        return (put("Go over a list of it", step, [(over.below("value"), [source.value])], UNSAFE),)
    inside = [name for name in known_fields(type) if types.is_array(types.field(type, name).type) is Verdict.ALWAYS]
    if len(inside) != 1:
        return ()
    path = GraphSourcePath(source.path.base, (*source.path.parts, inside[0]))
    return (put(f"Go over `{path}`", step, [(over, str(path))], UNSAFE),)
