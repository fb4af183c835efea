"""The JSON Schema of a run state, and the verdict on a text that says it is one (reference 2.2).

What passes has the records that the machine takes up: every frame knows its kind, its parent and its place, and no
record holds a key that nobody reads. Whether a program could have made it only the machine can tell.
"""

from __future__ import annotations

from typing import Any

from wfc.ir.runstate import FORMAT, STATUSES
from wfc.ir.schemas import DEFAULT_DRAFT

_WORDS_LIMIT = 300
_FRAME_STATUSES = ("ready", "blocked", "waiting", "interrupted", "completed", "failed", "cancelled")

_TEXT: dict[str, Any] = {"type": "string"}
_TEXT_OR_NULL: dict[str, Any] = {"type": ["string", "null"]}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_OBJECT: dict[str, Any] = {"type": "object"}
_OBJECTS = {"type": "array", "items": _OBJECT}


def closed(properties: dict[str, Any], optional: set[str] | frozenset[str] = frozenset()) -> dict[str, Any]:
    """An object with these keys and no others."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _pair(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "prefixItems": [first, second], "minItems": 2, "maxItems": 2}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a type say nothing of null, so that a refusal is that of the schema and not of two."""
    return {**schema, "type": [schema["type"], "null"]}


_HOP = closed(dict.fromkeys(("workflow", "scope", "lineage", "frame", "step"), _TEXT))
_ROUTE = {"type": "array", "items": {"$ref": "#/$defs/hop"}}
INTERRUPT_SCHEMA = closed(
    {
        "id": _TEXT,
        "frame_id": _TEXT,
        "node_id": _TEXT,
        "kind": _TEXT,
        "payload": {},
        "outcomes": {"type": "array", "items": _TEXT, "minItems": 1},
        "resume_schema": {},
        "resume_schemas": _OBJECT,
        "route": _ROUTE,
        "resumable": {"type": "boolean"},
    }
)
RUN_ERROR_SCHEMA = closed(
    {
        "code": _TEXT,
        "message": _TEXT,
        "node_id": _TEXT_OR_NULL,
        "frame_id": _TEXT_OR_NULL,
        "route": _ROUTE,
        "type": _TEXT,
        "path": _TEXT,
        "details": {},
    },
    {"type", "path", "details"},
)

_WRITES = {"type": "array", "items": _pair({"type": "array", "items": _TEXT, "minItems": 1}, {})}
_REGION = closed(
    {
        "step": _TEXT,
        "visit": _COUNT,
        "items": {"type": "array"},
        "started": _COUNT,
        "base": _COUNT,
        "next": _COUNT,
        "logs": {"type": "array", "items": _pair(_COUNT, _WRITES)},
        "failed": _OBJECTS,
        "failure": _or_null(_pair(_COUNT, RUN_ERROR_SCHEMA)),
        "steps": _COUNT,
    }
)
_CALL = closed(
    {
        "id": _TEXT,
        "attempt": {"type": "integer", "minimum": 1},
        "errors": _OBJECTS,
        "delay": {"type": ["number", "null"], "minimum": 0},
        "doubts": {"type": "integer", "minimum": 1},
    },
    {"doubts"},
)
_LOOP = closed({"alias": _TEXT, "item": {}, "index": _COUNT})
# What every frame knows, and what it holds only while it has a region, a call, a question or a child.
_FRAME: dict[str, Any] = {
    "id": _TEXT,
    "parent": _TEXT_OR_NULL,
    "scope": _TEXT,
    "status": {"enum": list(_FRAME_STATUSES)},
    "step": _TEXT,
    "index": _COUNT,
    "base": _COUNT,
    "steps": _COUNT,
    "sequence": _COUNT,
    "retries": _COUNT,
    "prior_outcome": _TEXT_OR_NULL,
    "incoming": _or_null(closed({"from": _TEXT, "outcome": _TEXT, "to": _TEXT})),
    "visits": {"type": "object", "additionalProperties": _COUNT},
    "started_by": _or_null(_pair(_TEXT_OR_NULL, _COUNT)),
    "ending": _TEXT_OR_NULL,
}
_PASSING: dict[str, Any] = {
    "entries": closed({"before": _COUNT, "lists": {"type": "array"}}),
    "payload": {},
    "region": _REGION,
    "call": _CALL,
    "parked": _TEXT,
}
_OWN: dict[str, dict[str, Any]] = {
    "root": {},
    "subgraph": {"routine": _COUNT, "input": {}, "state": _OBJECT},
    "foreach_item": {"loop": _LOOP, "writes": _WRITES},
    "fork_branch": {"writes": _WRITES},
}


def _frame() -> dict[str, Any]:
    own = {name: schema for fields in _OWN.values() for name, schema in fields.items()}
    made = closed({"kind": {"enum": list(_OWN)}, **_FRAME, **own, **_PASSING}, frozenset(own) | frozenset(_PASSING))
    return {**made, "allOf": [_of_kind(kind, own) for kind in _OWN]}


def _of_kind(kind: str, own: dict[str, Any]) -> dict[str, Any]:
    foreign = {name: False for name in own if name not in _OWN[kind]}
    return {
        "if": {"properties": {"kind": {"const": kind}}},
        "then": {"required": list(_OWN[kind]), "properties": foreign},
    }


RUN_STATE_SCHEMA: dict[str, Any] = {
    "$schema": DEFAULT_DRAFT,
    "title": "Run state",
    **closed(
        {
            "schema": {"const": FORMAT},
            "run_id": _TEXT,
            "program": _TEXT,
            "program_hash": _TEXT,
            "status": {"enum": list(STATUSES)},
            "outcome": _TEXT_OR_NULL,
            "input": {},
            "state": _OBJECT,
            "output": {},
            "frames": {"type": "array", "items": _frame()},
            "trace": _OBJECTS,
            "interrupt": _or_null(INTERRUPT_SCHEMA),
            "error": _or_null(RUN_ERROR_SCHEMA),
            "step_limit": {"type": "integer", "minimum": 1},
            "extra": _OBJECT,
        }
    ),
    "$defs": {"hop": _HOP},
}


def fault_in_run_state(value: Any) -> str | None:
    """What a JSON value lacks, or has too much, to be a run state; none where it is one."""
    from wfc.engine import jsonschema_rs

    judge = jsonschema_rs.validator_for(RUN_STATE_SCHEMA, validate_formats=False, offline=True)
    if not isinstance(value, dict) or value.get("schema") != FORMAT:
        return f"this is no run state of the format `{FORMAT}`"
    for wrong in judge.iter_errors(value):
        where = "".join(f"/{part}" for part in wrong.instance_path)
        return f"this is no run state: {wrong.message[:_WORDS_LIMIT]} at `{where}`"
    return _fault_in_frames(value["frames"])


def _fault_in_frames(frames: list[dict[str, Any]]) -> str | None:
    """A parent stands before its children, and the first frame alone has none."""
    seen: set[str] = set()
    for frame in frames:
        parent = frame["parent"]
        if parent is None and seen:
            return f"this is no run state: the frame `{frame['id']}` is the second without a parent"
        if parent is not None and parent not in seen:
            return f"this is no run state: the frame `{parent}` is the parent of `{frame['id']}` and not there"
        seen.add(frame["id"])
    return None
