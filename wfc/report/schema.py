"""The JSON Schema of `wfc.diagnostics/1`."""

from __future__ import annotations

from typing import Any

from wfc.diagnostics import Applicability, Severity
from wfc.report.as_json import FORMAT

_TEXT: dict[str, Any] = {"type": "string"}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}


def _closed(properties: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**properties, **optional},
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def _or_null(name: str) -> dict[str, Any]:
    return {"anyOf": [{"$ref": f"#/$defs/{name}"}, {"type": "null"}]}


_POSITION = _closed({"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}})
_PLACE = _closed(
    {
        "file": _TEXT,
        "workflow": {"type": ["string", "null"]},
        "step": {"type": ["string", "null"]},
        "field": {"type": ["string", "null"]},
        "pointer": _TEXT,
        "start": _or_null("position"),
        "end": _or_null("position"),
    }
)
_FIX: dict[str, Any] = {
    "title": _TEXT,
    "file": _TEXT,
    "applicability": {"enum": [one.value for one in Applicability]},
    "verified": {"type": "boolean"},
    "patch": {"type": "array", "items": {"type": "object", "required": ["op", "path"]}},
    "edits": _list(
        _closed({"start": {"$ref": "#/$defs/position"}, "end": {"$ref": "#/$defs/position"}, "text": _TEXT})
    ),
}
_NAMED: dict[str, Any] = {
    "id": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    "code": {"type": "string", "pattern": "^WF[0-9]{3}$"},
}
_DIAGNOSTIC = _closed(
    {
        **_NAMED,
        "rule": _TEXT,
        "severity": {"enum": [one.value for one in Severity]},
        "confidence": {"enum": ["proved", "likely"]},
        "message": _TEXT,
        "help": _TEXT,
        "at": {"$ref": "#/$defs/place"},
        "related": _list(_closed({"role": _TEXT, "message": _TEXT, "at": {"$ref": "#/$defs/place"}})),
        "facts": {"type": "object"},
        "fixes": _list(_closed(_FIX)),
        "hides": _COUNT,
    }
)
DIAGNOSTICS_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Diagnostics",
    **_closed(
        {
            "schema": {"const": FORMAT},
            "ok": {"type": "boolean"},
            "clean": {"type": ["boolean", "null"]},
            "summary": _closed(dict.fromkeys((*(one.value for one in Severity), "suppressed", "baselined"), _COUNT)),
            "skipped": _list(_closed({"what": _TEXT, "why": _TEXT})),
            "diagnostics": _list({"$ref": "#/$defs/diagnostic"}),
        },
        fixed=_list(_closed({**_NAMED, **_FIX})),
    ),
    "$defs": {"position": _POSITION, "place": _PLACE, "diagnostic": _DIAGNOSTIC},
}
