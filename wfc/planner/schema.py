"""The JSON Schema of `wfc.plan/1`."""

from __future__ import annotations

from typing import Any, get_args

from wfc.planner.outcome import RESULT_FORMAT, Status
from wfc.planner.reading import Kind
from wfc.report import DIAGNOSTICS_SCHEMA

_TEXT: dict[str, Any] = {"type": "string"}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}
_ROUND: dict[str, Any] = {
    "type": "object",
    "properties": {"kind": {"enum": list(get_args(Kind))}, "findings": _TEXTS, "applied": _TEXTS, "note": _TEXT},
    "required": ["kind", "findings", "applied", "note"],
    "additionalProperties": False,
}
_FIELDS: dict[str, Any] = {
    "schema": {"const": RESULT_FORMAT},
    "session": _TEXT,
    "status": {"enum": list(get_args(Status))},
    "reason": _TEXT,
    "rounds": {"type": "array", "items": _ROUND},
    "tokens": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2},
    "workflow": {"description": "The last one that could be read, with every contract; null where there is none."},
    "diagnostics": DIAGNOSTICS_SCHEMA["properties"]["diagnostics"],
    "further": _TEXTS,
}
PLAN_SCHEMA: dict[str, Any] = {
    "$schema": DIAGNOSTICS_SCHEMA["$schema"],
    "title": "Result of a planner session",
    "type": "object",
    "properties": _FIELDS,
    "required": list(_FIELDS),
    "additionalProperties": False,
    "$defs": DIAGNOSTICS_SCHEMA["$defs"],
}
