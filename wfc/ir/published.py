"""The JSON Schema of compiled programs, as `wfc schema` prints it: it follows from the shapes that read them."""

from __future__ import annotations

from typing import Any, assert_never

from wfc.ir.codec import IR_FORMAT
from wfc.ir.program import Program
from wfc.ir.runstate_schema import closed
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
            return {"anyOf": [_path(GraphSourcePath), closed({"value": {}})]}
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
    return closed({**tag, **properties}, optional)


def _path(type_: type) -> dict[str, Any]:
    roots = GRAPH_ROOTS if type_ is GraphSourcePath else ("local",) if type_ is LocalPath else ("state",)
    return closed({"root": {"enum": list(roots)}, "parts": {"type": "array", "items": _TEXT}})
