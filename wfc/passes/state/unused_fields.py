"""Every declared field of input and state is used by somebody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import islice
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Severity, close_match
from wfc.ir import MAX_DEPTH, root_properties
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.field_uses import FieldUses
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import UNSAFE, take_out, take_out_all

UNUSED_STATE = Code(
    code="WF405",
    rule="unused-state",
    severity=Severity.NOTE,
    message="nothing reads or writes `{got}`; expected a step that does, or no such field",
    help="remove the declaration, or write and read the field where it was meant",
    why=(
        "A state field that no step touches is left over, or the steps that should use it say another name. Whoever "
        "reads the workflow looks for its writer in vain."
    ),
    example=example(
        """{"name": "size", "start": "count",
 "input_schema": {"type": "object", "properties": {"names": {"type": "array"}}, "required": ["names"]},
 "state_schema": {"type": "object", "properties": {"length": {"type": "integer"}, "longest": {"type": "string"}}},
                                                                                             ^^^^^^^^^^^^^^^^^^
 "output_schema": {"type": "object", "properties": {"length": {"type": "integer"}}},
 "nodes": [{"id": "count", "type": "node", "node": "wf.std.count",
            "input": [{"target": "array", "path": "input.names"}],
            "output": [{"source": "count", "target": "state.length"}]}],
 "edges": [{"from": "count", "outcome": "ok", "to": "__end__"}]}
""",
        (', "longest": {"type": "string"}', ""),
    ),
)
UNUSED_INPUT = Code(
    code="WF406",
    rule="unused-input",
    severity=Severity.NOTE,
    message="nothing reads the input field `{got}`; expected a step that does, or no such field",
    help="bind `input.{got}` where it was meant, or take the field out of the input schema",
    why=(
        "Whoever starts the workflow is asked for this field and gives it for nothing. Often a literal or another path "
        "stands where it should be read."
    ),
    example=example(
        """{"name": "size", "start": "count",
 "input_schema": {"type": "object", "properties": {"names": {"type": "array"}, "unit": {"type": "string"}},
                                                                                       ^^^^^^^^^^^^^^^^^^
                  "required": ["names"]},
 "state_schema": {"type": "object", "properties": {"length": {"type": "integer"}}},
 "output_schema": {"type": "object", "properties": {"length": {"type": "integer"}}},
 "nodes": [{"id": "count", "type": "node", "node": "wf.std.count",
            "input": [{"target": "array", "path": "input.names"}],
            "output": [{"source": "count", "target": "state.length"}]}],
 "edges": [{"from": "count", "outcome": "ok", "to": "__end__"}]}
""",
        (', "unit": {"type": "string"}', ""),
    ),
)
CODES = (UNUSED_STATE, UNUSED_INPUT)
_MOST = 20

Parts = tuple[str, ...]


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Uses by steps that cannot be reached count; what cannot be read may use everything."""
    for flow in facts.flows:
        uses = facts.field_uses(flow)
        if uses.is_whole:
            yield from _state(flow, uses)
            yield from _input(flow, uses)


def _state(flow: Flow, uses: FieldUses) -> Iterator[Diagnostic]:
    """Of an object of which nothing is used the object alone is reported; what an object requires is used by it."""
    used, inside = _used_state(uses), _inside({*uses.read["state"], *uses.written, *uses.local})
    waiting: list[tuple[Parts, Any]] = [((), uses.declared.value)]
    while waiting:
        above, schema = waiting.pop()
        declared = root_properties(schema)
        named = inside.get(above, {})
        strange = [name for name in named if name not in declared]
        # At the root `required` says nothing, and a boolean schema requires nothing.
        required = schema.get("required", ()) if above and isinstance(schema, dict) else ()
        for name, inner in declared.items():
            if (*above, name) in used or name in required:
                continue
            if name in named:
                waiting.append(((*above, name), inner))
            elif not _is_misspelt(name, strange):
                yield _unused_state(flow, (*above, name), inner)


def _inside(used: Set[Parts]) -> Mapping[Parts, Mapping[str, None]]:
    """The names by which places directly in each place are used, or lead to such."""
    found: dict[Parts, dict[str, None]] = {}
    for parts in sorted(used):
        for depth, name in enumerate(parts[:MAX_DEPTH]):
            found.setdefault(parts[:depth], {})[name] = None
    return found


def _is_misspelt(name: str, strange: Iterable[str]) -> bool:
    """Whether one of some names that are declared nowhere means a field: then its slip is what is reported."""
    return any(close_match(other, [name]) is not None for other in islice(strange, _MOST))


def _used_state(uses: FieldUses) -> Set[Parts]:
    """The state paths that are used as a whole: by steps, by the input that seeds them, by the output."""
    named = {(name,) for name in (*uses.inputs, *uses.outputs)}
    used = {*uses.read["state"], *uses.written, *uses.local, *named}
    return used | {(name,) for name in uses.declared.roots} if () in used else used


def _unused_state(flow: Flow, parts: Parts, schema: Any) -> Diagnostic:
    path = [segment for part in parts for segment in ("properties", part)]
    place = flow.workflow.at.below("state_schema", *path)
    got = ".".join(("state", *parts))
    return UNUSED_STATE.at(place, fixes=(take_out(f"Remove `{got}`", place, schema, UNSAFE),), got=got)


def _input(flow: Flow, uses: FieldUses) -> Iterator[Diagnostic]:
    """Reading the state field that an input seeds reads the input."""
    paths = [*uses.read["input"], *uses.read["state"]]
    if () in paths:
        return
    read = {parts[0] for parts in paths} | uses.outputs.keys()
    strange = sorted(parts[0] for parts in uses.read["input"] if parts[0] not in uses.inputs)
    for name in uses.inputs:
        if name not in read and not _is_misspelt(name, strange):
            place = flow.workflow.at.below("input_schema", "properties", name)
            yield UNUSED_INPUT.at(place, confidence="likely", fixes=(_without(flow, name, place),), got=name)


def _without(flow: Flow, name: str, place: Place) -> Fix:
    """The input without a field, which it then cannot require."""
    schema = flow.workflow.input_schema.value
    required = schema.get("required", [])
    at = flow.workflow.at.below("input_schema", "required")
    places = [at if required == [name] else at.below(required.index(name))] if name in required else []
    return take_out_all(f"Remove `input.{name}`", place, schema["properties"][name], [place, *places])
