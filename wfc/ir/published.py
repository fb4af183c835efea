"""The JSON Schemas of what this room stores: compiled programs and run states, as `wfc schema` prints them.

That of programs follows from the shapes by which programs are written and read.
"""

from __future__ import annotations

from typing import Any, assert_never

from wfc.ir.codec import IR_FORMAT
from wfc.ir.program import Program
from wfc.ir.runstate import FORMAT as RUN_STATE_FORMAT
from wfc.ir.runstate import STATUSES
from wfc.ir.schemas import DEFAULT_DRAFT
from wfc.ir.shapes import Choice, Json, Many, Number, Path, Record, Reference, Shape, Source, Table, Text, shape_of
from wfc.paths import GRAPH_ROOTS, GraphSourcePath, LocalPath

_TEXT: dict[str, Any] = {"type": "string"}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_JSON_TYPES = {str: "string", int: "integer", float: "number"}


def program_schema() -> dict[str, Any]:
    """What `encode` of `wfc.ir.codec` writes."""
    named: dict[str, Any] = {}
    whole = _record(shape_of(Program), named)
    digest = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
    whole["properties"] |= {"schema": {"const": IR_FORMAT}, "hash": digest}
    whole["required"] += ["schema", "hash"]
    return {"$schema": DEFAULT_DRAFT, "title": "Compiled workflow", **whole, "$defs": named}


def _schema(shape: Shape, named: dict[str, Any]) -> dict[str, Any]:
    """The schema of a shape; those of records are put into `named`, once each."""
    match shape:
        case Record():
            return _reference(shape, named)
        case Choice():
            return {"anyOf": [_reference(record, named) for record in shape.by_type.values()]}
        case Many(item):
            return {"type": "array", "items": _schema(item, named)}
        case Table(item):
            return {"type": "object", "additionalProperties": _schema(item, named)}
        case Path(type_):
            return _path(type_)
        case Source():
            return {"anyOf": [_path(GraphSourcePath), _closed({"value": {}})]}
        case Text(allowed):
            return {"enum": list(allowed)} if allowed else _TEXT
        case Reference(_, type_):
            return _TEXT if type_ is str else _COUNT
        case Number(types):
            return {"type": [_JSON_TYPES[type_] for type_ in types]}
        case Json():
            return {}
        case other:
            assert_never(other)


def _reference(record: Record, named: dict[str, Any]) -> dict[str, Any]:
    if record.word not in named:
        named[record.word] = _record(record, named)
    return {"$ref": f"#/$defs/{record.word}"}


def _record(record: Record, named: dict[str, Any]) -> dict[str, Any]:
    properties = {field.name: _schema(field.shape, named) for field in record.fields}
    optional = {field.name for field in record.fields if field.optional}
    tag = {} if record.tag is None else {"op": {"const": record.tag}}
    return _closed({**tag, **properties}, optional)


def _closed(properties: dict[str, Any], optional: set[str] | frozenset[str] = frozenset()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _path(type_: type) -> dict[str, Any]:
    roots = GRAPH_ROOTS if type_ is GraphSourcePath else ("local",) if type_ is LocalPath else ("state",)
    return _closed({"root": {"enum": list(roots)}, "parts": {"type": "array", "items": _TEXT}})


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


_ROUTE = {"type": "array", "items": {"type": "object", "additionalProperties": _TEXT}}
INTERRUPT_SCHEMA = _closed(
    {
        "id": _TEXT,
        "frame_id": _TEXT,
        "node_id": _TEXT,
        "kind": _TEXT,
        "payload": {},
        "outcomes": {"type": "array", "items": _TEXT, "minItems": 1},
        "resume_schema": {},
        "resume_schemas": {"type": "object"},
        "route": _ROUTE,
        "resumable": {"type": "boolean"},
    }
)
RUN_ERROR_SCHEMA = _closed(
    {
        "code": _TEXT,
        "message": _TEXT,
        "node_id": {"type": ["string", "null"]},
        "frame_id": {"type": ["string", "null"]},
        "route": _ROUTE,
        "type": _TEXT,
        "path": _TEXT,
        "details": {},
    },
    {"type", "path", "details"},
)
# Frames are the machine's own: what they hold is no promise.
RUN_STATE_SCHEMA: dict[str, Any] = {
    "$schema": DEFAULT_DRAFT,
    "title": "Run state",
    **_closed(
        {
            "schema": {"const": RUN_STATE_FORMAT},
            "run_id": _TEXT,
            "program": _TEXT,
            "program_hash": _TEXT,
            "status": {"enum": list(STATUSES)},
            "outcome": {"type": ["string", "null"]},
            "input": {},
            "state": {"type": "object"},
            "output": {},
            "frames": {"type": "array", "items": {"type": "object"}},
            "trace": {"type": "array", "items": {"type": "object"}},
            "interrupt": _or_null(INTERRUPT_SCHEMA),
            "error": _or_null(RUN_ERROR_SCHEMA),
            "step_limit": {"type": "integer", "minimum": 1},
            "extra": {"type": "object"},
        }
    ),
}
