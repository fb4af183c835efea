"""Small workflows for the tests of what is read, bound and written, and what checking says about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import wfc
from wfc.diagnostics import Diagnostic
from wfc.edits import apply_patch
from wfc.passes.bindings import arguments, comparisons, fitting, overs, presence, projections, sources
from wfc.passes.state import commits, outputs

Json = dict[str, Any]
PASSES = (arguments, commits, comparisons, fitting, outputs, overs, presence, projections, sources)
CODES = tuple(sorted({code for each in PASSES for code in each.CODES}, key=lambda code: code.code))
OURS = {code.code for code in CODES}
INTEGER, TEXT, BOOLEAN, ANY = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}, {}
MAYBE_TEXT = {"type": ["string", "null"]}


def record(fields: Mapping[str, Any], **more: Any) -> Json:
    """An object schema; a field whose name ends with a question mark is not required."""
    properties = {name.rstrip("?"): schema for name, schema in fields.items()}
    required = [name for name in fields if not name.endswith("?")]
    return {"type": "object", "properties": properties, "required": required, **more}


def define(name: str, given: Json | None = None, output: Json | None = None, **more: Any) -> Json:
    """A definition; without a schema it takes nothing and returns nothing."""
    taken, returned = (record({}) if schema is None else schema for schema in (given, output))
    return {"name": name, "input_schema": taken, "output_schema": returned, "outcomes": ["ok"], **more}


def workflow(
    arrows: str,
    *steps: Json,
    input: Json | None = None,
    state: Mapping[str, Any] | None = None,
    output: Json | None = None,
    defs: Iterable[Json] = (),
    **more: Any,
) -> Json:
    """A workflow from steps and arrows such as `a:ok->b`; an arrow without a target leads to the end."""
    edges = []
    for arrow in arrows.split():
        source, _, target = arrow.partition("->")
        step, outcome = source.split(":")
        edges.append({"from": step, "outcome": outcome, "to": target or "__end__"})
    return {
        "name": "main",
        "input_schema": input or record({}),
        "state_schema": {"type": "object", "properties": state or {}},
        "output_schema": output or record({}),
        "node_defs": list(defs),
        "start": steps[0]["id"],
        "nodes": list(steps),
        "edges": edges,
        **more,
    }


def node(id: str, uses: str, *bindings: Json, to: Iterable[Json] = (), **more: Any) -> Json:
    return {"id": id, "type": "node", "node": uses, "input": list(bindings), "output": list(to), **more}


def path(target: str, source: str) -> Json:
    return {"target": target, "path": source}


def value(target: str, literal: Any) -> Json:
    return {"target": target, "value": literal}


def write(source: str, target: str, *on: str) -> Json:
    return {"source": source, "target": f"state.{target}", **({"on": list(on)} if on else {})}


def set_to(id: str, field: str, literal: Any) -> Json:
    """A step that writes a literal."""
    name = field.rpartition(".")[2]
    return node(id, "wf.std.record", value(name, literal), to=[write(name, field)])


def use(id: str, source: str) -> Json:
    """A step that binds a path to whatever."""
    return node(id, "wf.std.identity", path("value", source))


def check(id: str, condition: Json) -> Json:
    return {"id": id, "type": "condition", "check": condition}


def compare(op: str, left: str, right: Any) -> Json:
    return {"op": op, "left": {"path": left}, "right": {"path": right} if _is_path(right) else {"value": right}}


def _is_path(given: Any) -> bool:
    return isinstance(given, str) and given.partition(".")[0] in ("input", "state", "context")


def exists(source: str) -> Json:
    return {"op": "exists", "path": source}


def findings(document: Json, *, strict: bool) -> list[Diagnostic]:
    found = wfc.check(document, strict=strict).diagnostics
    return [one for one in found if one.code.code in OURS or one.code.code < "WF100"]


def told(document: Json, *, strict: bool = False) -> list[str]:
    """What is found: the code, the first letter of the severity, the pointer."""
    return [f"{one.code.code} {one.severity[0].upper()} {one.at.pointer}" for one in findings(document, strict=strict)]


def only(document: Json, *, strict: bool = False) -> Diagnostic:
    """The one thing that is found."""
    (found,) = findings(document, strict=strict)
    return found


def fixed(document: Json) -> Json:
    """The document after the first fix of the one thing that is found, which has to be verified."""
    fix = only(document).fixes[0]
    assert fix.verified
    result: Json = apply_patch(document, fix.patch)
    return result
