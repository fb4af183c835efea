"""One workflow with parts to change, what a code says of it, and what its fixes make of it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.passes.workflows import module_of
from wfc import check
from wfc.diagnostics import Applicability, Diagnostic, Severity
from wfc.edits import apply_patch
from wfc.passes import examine

Json = dict[str, Any]
INTEGER, TEXT = {"type": "integer"}, {"type": "string"}
LIST = {"type": "array", "items": INTEGER}


def record(**fields: Any) -> Json:
    """An object schema that lists fields."""
    return {"type": "object", "properties": fields}


def node(name: str, uses: str = "f", **fields: Any) -> Json:
    return {"id": name, "type": "node", "node": uses, **fields}


def bind(target: str, source: Any) -> Json:
    """An input binding: of a path, or of a literal in a list."""
    return {"target": target, "value": source[0]} if isinstance(source, list) else {"target": target, "path": source}


def put(source: str, target: str, *on: str) -> Json:
    """An output binding."""
    return {"source": source, "target": target, **({"on": list(on)} if on else {})}


def eq(path: str, value: Any) -> Json:
    return {"op": "eq", "left": {"path": path}, "right": {"value": value}}


def edges(arrows: str) -> list[Json]:
    """`a:ok->b` from a to b; `a->b` by `ok`, and `a` alone leads to the end."""
    made = []
    for arrow in arrows.split():
        source, _, target = arrow.partition("->")
        step, _, outcome = source.partition(":")
        made.append({"from": step, "outcome": outcome or "ok", "to": target or "__end__"})
    return made


F = {
    "name": "f",
    "outcomes": ["ok"],
    "effects": "read",
    "input_schema": record(x={}, y={}),
    "output_schema": {**record(n=INTEGER, t=TEXT, ns=LIST), "required": ["n", "t", "ns"]},
}


def work(arrows: str, *nodes: Json, **fields: Any) -> Json:
    """A workflow that starts with its first node; `state`, `input` and `output` are the properties of its schemas."""
    schemas = {f"{name}_schema": record(**fields.pop(name)) for name in ("input", "state", "output") if name in fields}
    defs = [deepcopy(F), *fields.pop("defs", [])]
    used = [one for one in defs if any(step.get("node") == one["name"] for step in nodes)]
    start = fields.pop("start", nodes[0]["id"])
    return {
        "name": "main",
        **schemas,
        "node_defs": used,
        "start": start,
        "nodes": list(nodes),
        "edges": edges(arrows),
        **fields,
    }


def found(code: str, document: Json) -> list[Diagnostic]:
    """The findings of one code."""
    return [one for one in examine(module_of(document)).diagnostics if one.code.code == code]


def places(code: str, document: Json) -> list[str]:
    """Where a code speaks; a `W`, `N` or `E` tells how loud."""
    return sorted(f"{one.severity.value[0].upper()} {one.at.pointer}" for one in found(code, document))


def healed(code: str, document: Json, applicability: Applicability = Applicability.SAFE) -> Json:
    """The document after the one fix of the first finding of a code, which has to be verified as it says."""
    told = next(one for one in check(document).diagnostics if one.code.code == code)
    fix = told.fixes[0]
    assert (fix.applicability, fix.verified) == (applicability, True), fix
    repaired: Json = apply_patch(document, fix.patch)
    assert not [one for one in check(repaired).diagnostics if one.severity is Severity.ERROR]
    return repaired
