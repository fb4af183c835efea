"""The published JSON Schema of workflow JSON, made from the tables that read it; today's spelling only (reference 1.7).

Guarantees: what it accepts and what reading accepts differ only in what JSON Schema cannot say: whether names refer to
something, whether an embedded schema is one, and which of two equal keys counts.
"""

from __future__ import annotations

from typing import Any, assert_never

from wfc.frontend.model import AGAIN, DOCUMENT
from wfc.frontend.scalars import MAX_NAME
from wfc.frontend.shapes import (
    Again,
    Case,
    Choice,
    Either,
    Field,
    Integer,
    Json,
    ListOf,
    MapOf,
    Name,
    Number,
    Object,
    Only,
    PathText,
    Scalar,
    SchemaText,
    Shape,
    Tagged,
    Text,
)
from wfc.ir import DEFAULT_DRAFT
from wfc.paths import GraphSourcePath, LocalPath, StatePath

_SEGMENT = "[A-Za-z_][A-Za-z0-9_]*"
_PATHS: dict[type, tuple[str, list[str], int]] = {
    GraphSourcePath: (rf"^(input|state|context)(\.{_SEGMENT})*$", ["input", "state", "context"], 0),
    StatePath: (rf"^state(\.{_SEGMENT})+$", ["state"], 1),
    LocalPath: (rf"^(\.|{_SEGMENT}(\.{_SEGMENT})*)$", ["local"], 0),
}


def workflow_schema() -> dict[str, Any]:
    """A fresh copy of the JSON Schema that `grammar/workflow.schema.json` holds."""
    parts: dict[str, Any] = {}
    whole = _shape(DOCUMENT, parts)
    return {
        "$schema": DEFAULT_DRAFT,
        "title": "Workflow JSON",
        "description": "A workflow, or a module of several.",
        **whole,
        "$defs": dict(sorted(parts.items())),
    }


def _shape(shape: Shape, parts: dict[str, Any]) -> dict[str, Any]:
    """The schema of a shape; objects and what holds itself stand once, in `parts`."""
    match shape:
        case Object() | Tagged():
            return _part(shape, parts)
        case Again():
            return _shape(AGAIN[shape.title], parts)
        case ListOf():
            return {"type": "array", "items": _shape(shape.item, parts), **_bound("minItems", shape.least or None)}
        case MapOf():
            return {"type": "object", "additionalProperties": _shape(shape.value, parts)}
        case Either():
            return {"anyOf": [_case(case, parts) for case in shape.cases if not case.old]}
        case _:
            return _scalar(shape)


def _bound(keyword: str, bound: Any) -> dict[str, Any]:
    return {} if bound is None else {keyword: bound}


def _part(shape: Object | Tagged, parts: dict[str, Any]) -> dict[str, Any]:
    name = shape.title.replace(" ", "_")
    if name not in parts:
        parts[name] = {}
        parts[name] = _object(shape, parts) if isinstance(shape, Object) else _tagged(shape, parts)
    return {"$ref": f"#/$defs/{name}"}


def _case(case: Case, parts: dict[str, Any]) -> dict[str, Any]:
    inner = _shape(case.shape, parts)
    return {"type": list(case.kinds)} if isinstance(case.shape, Json) else inner


def _object(shape: Object, parts: dict[str, Any]) -> dict[str, Any]:
    rules: list[dict[str, Any]] = [_rule(rule) for rule in shape.rules]
    if shape.one_of:
        rules.append({"anyOf": [_group(group, shape) for group in shape.one_of]})
    return {
        "type": "object",
        "properties": {field.name: _field(field, parts) for field in shape.fields if not field.old},
        "patternProperties": {"^x-": True},
        "additionalProperties": False,
        **({"required": list(shape.required)} if shape.required else {}),
        **({"allOf": rules} if rules else {}),
    }


def _field(field: Field, parts: dict[str, Any]) -> dict[str, Any]:
    inner = _shape(field.shape, parts)
    if not field.required and not field.null_is_value:
        inner = _or_null(inner)
    default = [] if field.default == () else list(field.default) if isinstance(field.default, tuple) else field.default
    return {"description": field.doc, **inner, **({} if default is None else {"default": default})}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    kind = schema.get("type")
    if kind is None or "enum" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "type": [*([kind] if isinstance(kind, str) else kind), "null"]}


def _group(group: tuple[str, ...], shape: Object) -> dict[str, Any]:
    """One of the alternatives: its keys are there, and those of the others are absent or null."""
    others = [name for other in shape.one_of if other is not group for name in other]
    absent = {name: False if shape.by_name[name].null_is_value else {"type": "null"} for name in others}
    present: dict[str, Any] = {
        name: {} if shape.by_name[name].null_is_value else {"not": {"type": "null"}} for name in group
    }
    return {"required": list(group), "properties": {**present, **absent}}


def _rule(rule: Only) -> dict[str, Any]:
    among: dict[str, Any] = {"enum": list(rule.among)}
    given = [{"required": [name], "properties": {name: {"not": {"type": "null"}}}} for name in rule.fields]
    wanted = {"not": among} if rule.none_of else among
    present = [] if rule.none_of else [rule.other]
    return {"if": {"anyOf": given}, "then": {"required": present, "properties": {rule.other: wanted}}}


def _tagged(shape: Tagged, parts: dict[str, Any]) -> dict[str, Any]:
    """One `if` for each case, so that a validator's errors are those of the case that is meant."""
    cases = []
    for title in dict.fromkeys(case.title for case in shape.cases.values()):
        tags = [tag for tag, case in shape.cases.items() if case.title == title]
        only = {"properties": {shape.tag: {"enum": tags}}}
        cases.append({"if": only, "then": _shape(shape.cases[tags[0]], parts)})
    return {
        "type": "object",
        "required": [shape.tag],
        "properties": {shape.tag: {"enum": list(shape.cases)}},
        "allOf": cases,
    }


def _scalar(shape: Scalar) -> dict[str, Any]:
    match shape:
        case Text():
            whole = None if shape.pattern is None else f"^{shape.pattern}$"
            return {"type": "string", **_bound("minLength", shape.least or None), **_bound("pattern", whole)}
        case Name():
            rule = {"type": "string", "pattern": f"^{shape.pattern}$", "maxLength": MAX_NAME}
            return {**rule, "not": {"enum": list(shape.taken)}} if shape.taken else rule
        case Number():
            return {"type": "number", **_bound("exclusiveMinimum" if shape.open else "minimum", shape.least)}
        case Integer():
            return {"type": "integer", **_bound("minimum", shape.least)}
        case Choice():
            words = {"enum": list(shape.values)}
            return {"anyOf": [words, {"type": "string", "pattern": f"^{shape.prefix}."}]} if shape.prefix else words
        case Json():
            return {}
        case SchemaText():
            old = {"properties": {shape.old: {"not": {"type": "object"}}}} if shape.old else {}
            return {"type": "object" if shape.objects else ["object", "boolean"], **old}
        case PathText():
            return _path(shape.kind)
        case other:
            assert_never(other)


def _path(kind: type) -> dict[str, Any]:
    pattern, roots, least = _PATHS[kind]
    parts = {"type": "array", "items": {"type": "string", "pattern": f"^{_SEGMENT}$"}, "minItems": least}
    return {
        "type": ["string", "object"],
        "pattern": pattern,
        "properties": {"root": {"enum": roots}, "parts": parts},
        "required": ["root", "parts"],
        "additionalProperties": False,
    }
