"""Repairs in schemas: a field that is required, a field that has a default. They change what a workflow asks for."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from wfc.diagnostics import Fix, Place
from wfc.ir import Schema, declarations
from wfc.passes import types
from wfc.passes.facts import Facts
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import PLACEHOLDER, SAFE, UNSAFE, patch, take_out
from wfc.paths import GraphSourcePath
from wfc.source import lookup, pointer_parts

_NOTHING: dict[str, Any] = {
    "wf.std.append": [],
    "wf.std.extend": [],
    "wf.std.set_union": [],
    "wf.std.merge_object": {},
    "wf.std.add": 0,
    "wf.std.modulo_add": 0,
}


def requiring(flow: Flow, path: GraphSourcePath) -> tuple[Fix, ...]:
    """Let the schema that declares a field require it."""
    if path.base == "context":
        return ()
    field = "input_schema" if path.base == "input" else "state_schema"
    schema = flow.workflow.input_schema if path.base == "input" else flow.workflow.state_schema
    return required_in(schema, path.parts, flow.workflow.at.below(field))


def required_in(schema: Schema, parts: tuple[str, ...], at: Place) -> tuple[Fix, ...]:
    """Let a schema, written at a place, require the field that is declared at `parts`."""
    root = schema.value
    found = declarations(root, parts)
    if not found:
        return ()
    *above, _, name = pointer_parts(found[0][0])
    holder, _ = lookup(root, tuple(above))
    place = at.below(*above)
    present = holder.get("required")
    changes: list[dict[str, Any]] = [
        {"op": "test", "path": place.below("properties", name).pointer, "value": holder["properties"][name]},
        {"op": "add", "path": place.below("required", "-").pointer, "value": name}
        if isinstance(present, list)
        else {"op": "add", "path": place.below("required").pointer, "value": [name]},
    ]
    return (patch(f"Require `{name}`", place, changes, UNSAFE),)


def required_anew(schema: Schema, parts: tuple[str, ...], at: Place) -> tuple[Fix, ...]:
    """Write at a place a schema that is known from elsewhere, with the requirement of a field."""
    made = deepcopy(schema.value)
    found = declarations(made, parts)
    if not found:
        return ()
    *above, _, name = pointer_parts(found[0][0])
    holder, _ = lookup(made, tuple(above))
    holder["required"] = [*holder.get("required", ()), name]
    return (patch(f"Require `{name}`", at, [{"op": "add", "path": at.pointer, "value": made}], UNSAFE),)


def optional_in(schema: Schema, name: str, at: Place) -> tuple[Fix, ...]:
    """Let a schema, written at a place, no longer require a field."""
    required = schema.value.get("required")
    if not isinstance(required, list) or name not in required:
        return ()
    place = at.below("required", required.index(name))
    return (take_out(f"Do not require `{name}`", place, name, UNSAFE),)


def default_for(facts: Facts, flow: Flow, path: GraphSourcePath) -> tuple[Fix, ...]:
    """Give a state field a value to begin with: nothing of its kind where that is a value of its type.

    Under a reducer that adds to what is there, beginning with nothing makes no difference to what is written.
    """
    found = declarations(flow.workflow.state_schema.value, path.parts)
    if not found or not isinstance(found[0][1], dict):
        return ()
    at, schema = found[0]
    type = types.of(flow.workflow.state_schema, at)
    reducer = facts.values.solver(flow).looks.beginning.declared.reducer(path.parts).name
    candidates: tuple[Any, ...] = (_NOTHING[reducer],) if reducer in _NOTHING else ([], {}, "", 0, False)
    empty: Any = next((value for value in candidates if types.holds(type, value)), None)
    if empty is None:
        return ()
    place = flow.workflow.at.below("state_schema", *pointer_parts(at))
    changes: list[dict[str, Any]] = [
        {"op": "test", "path": place.pointer, "value": schema},
        {"op": "add", "path": place.below("default").pointer, "value": empty},
    ]
    title = f"Let `{path}` begin as `{types.describe(types.literal(empty))}`"
    return (patch(title, place, changes, SAFE if reducer in _NOTHING else PLACEHOLDER),)
