"""What the input puts into state: it fits there, and what only the input provides is read from the input (2.3.1)."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Fix, Related, Severity
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.field_uses import FieldUses
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import UNSAFE, put, rewrite
from wfc.passes.types import Verdict
from wfc.passes.values.access import Read

READS_SEEDED_STATE = Code(
    code="WF314",
    rule="reads-seeded-state",
    severity=Severity.NOTE,
    message="`{step}` reads `{got}`, which only the input provides; expected `{expected}`",
    help="read `{expected}`, which says where the value comes from",
    why=(
        "The fields that an input schema lists are copied into state when a run starts. Where no step ever writes such "
        "a field, `state` suggests a history that it does not have; `input` says that the value is the caller's and "
        "stays as it was given."
    ),
    example=example(
        """{"name": "size", "start": "count",
 "input_schema": {"type": "object", "properties": {"names": {"type": "array"}}, "required": ["names"]},
 "state_schema": {"type": "object", "properties": {"length": {"type": "integer"}}},
 "output_schema": {"type": "object", "properties": {"length": {"type": "integer"}}},
 "nodes": [{"id": "count", "type": "node", "node": "wf.std.count",
            "input": [{"target": "array", "path": "state.names"}],
                                                  ^^^^^^^^^^^^^
            "output": [{"source": "count", "target": "state.length"}]}],
 "edges": [{"from": "count", "outcome": "ok", "to": "__end__"}]}
""",
        ('"state.names"', '"input.names"'),
    ),
)
SEED_CONFLICT = Code(
    code="WF413",
    rule="seed-conflict",
    severity=Severity.ERROR,
    message=(
        "the input field `{field}` is {got} and seeds `state.{field}`, which is {expected}; expected types that meet"
    ),
    help="give the two the same type, or call one of them by another name",
    why=(
        "The fields that an input schema lists are copied into state when a run starts, and what the state schema of "
        "such a field refuses stops the run before its first step. Here no value satisfies both, so that every run "
        "which is given this field fails with `state_invalid`."
    ),
    example=example(
        """{"name": "size", "start": "count",
 "input_schema": {"type": "object", "properties": {"names": {"type": "array"}, "size": {"type": "string"}},
                                                                                       ^^^^^^^^^^^^^^^^^^
                  "required": ["names"]},
 "state_schema": {"type": "object", "properties": {"size": {"type": "integer"}}},
 "output_schema": {"type": "object", "properties": {"size": {"type": "integer"}}},
 "nodes": [{"id": "count", "type": "node", "node": "wf.std.count",
            "input": [{"target": "array", "path": "input.names"}],
            "output": [{"source": "count", "target": "state.size"}]}],
 "edges": [{"from": "count", "outcome": "ok", "to": "__end__"}]}
""",
        ('"size": {"type": "string"}', '"size": {"type": "integer"}'),
    ),
)
CODES = (READS_SEEDED_STATE, SEED_CONFLICT)
_SHOWN = 5
_OWN = ("reducer", "default")


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        uses = facts.field_uses(flow)
        for name in uses.inputs:
            if name in uses.declared.roots:
                yield from _conflict(flow, uses, name)
        if uses.is_whole:
            yield from _seeded(flow, uses)


# -- conflicts --------------------------------------------------------------------------------------------------------


def _conflict(flow: Flow, uses: FieldUses, name: str) -> Iterator[Diagnostic]:
    given = types.field(uses.beginning.input, name).type
    wanted = uses.declared.type((name,))
    fit = types.fits(given, wanted)
    if fit.verdict is not Verdict.NEVER or types.is_empty(wanted):
        return
    place = flow.workflow.at.below("input_schema", "properties", name)
    declared = flow.workflow.at.below("state_schema", "properties", name)
    yield SEED_CONFLICT.at(
        place,
        related=(Related("declared", declared, "the state field"),),
        fixes=tuple(_agreeing(flow, uses, name)),
        field=name,
        got=types.describe(given),
        expected=types.describe(wanted),
        **({} if fit.witness is None else {"witness": fit.witness[0]}),
    )


def _agreeing(flow: Flow, uses: FieldUses, name: str) -> Iterator[Fix]:
    """Declare the state field as the input field is, or, where steps write it, the input field as the state field."""
    given, held = uses.inputs[name], uses.declared.roots[name]
    if not isinstance(given, dict) or not isinstance(held, dict) or "$ref" in str((given, held)):
        return
    written = any(parts[0] == name for parts in uses.paths.written)
    base, old, new = ("input", given, held) if written else ("state", held, given)
    schema = {key: value for key, value in new.items() if key not in _OWN} | {
        key: old[key] for key in _OWN if key in old
    }
    place = flow.workflow.at.below(f"{base}_schema", "properties", name)
    other = "state is" if written else "the input is"
    yield rewrite(f"Declare `{base}.{name}` as {other}", place, old, schema, UNSAFE)


# -- reads ------------------------------------------------------------------------------------------------------------


def _seeded(flow: Flow, uses: FieldUses) -> Iterator[Diagnostic]:
    """One finding for each field, at the first step that reads it."""
    written = {parts[0] for parts in (*uses.written, *uses.local)}
    reads: dict[str, list[Read]] = {}
    for parts, found in uses.paths.read["state"].items():
        if parts and parts[0] in uses.inputs and parts[0] not in written:
            reads.setdefault(parts[0], []).extend(found)
    order = {name: index for index, name in enumerate(flow.reachable)} if reads else {}
    for name, looks in reads.items():
        if _only_given(uses, name):
            yield _report(flow, sorted(looks, key=lambda read: order[read.step]))


def _only_given(uses: FieldUses, name: str) -> bool:
    """Whether the input is all that the state field ever holds, and state says nothing more of it."""
    if name not in uses.declared.roots:
        return True
    given = types.field(uses.beginning.input, name)
    if name in uses.beginning.defaults and given.presence is not Verdict.ALWAYS:
        return False
    return types.fits(given.type, uses.declared.type((name,))).verdict is Verdict.ALWAYS


def _report(flow: Flow, reads: list[Read]) -> Diagnostic:
    first, *others = reads
    paths = [(read.at, ".".join(("input", *read.path.parts))) for read in reads]
    return READS_SEEDED_STATE.at(
        first.at,
        related=tuple(Related("read", read.at, "and here") for read in others[:_SHOWN]),
        fixes=(put(f"Read `input.{first.path.parts[0]}`", flow.steps[first.step], paths),),
        hides=len(others),
        step=flow.steps[first.step].id,
        got=str(first.path),
        expected=paths[0][1],
    )
