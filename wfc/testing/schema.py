"""The shape of a workflow test file (reference 4.5): what reads test files is also what `wfc schema tests` prints."""

from __future__ import annotations

from typing import Any

from wfc.ir import CATCHABLE, STATUSES

_TEXT: dict[str, Any] = {"type": "string"}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}


def _record(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    """An object of these keys; keys that begin with `x-` are ignored everywhere."""
    return {
        "type": "object",
        "properties": properties,
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
        "required": list(required),
    }


_MOCK = _record(
    {
        "when": {},
        "times": {"type": "integer", "minimum": 1},
        "outcome": _TEXT,
        "output": {},
        "error": _record({"code": {"enum": list(CATCHABLE)}, "message": _TEXT, "type": _TEXT}, "code"),
    }
)
_EXPECT = _record(
    {
        "check": {"type": "array", "items": {"type": "string", "pattern": "^WF[0-9]{3} (/.*)?$"}},
        "check_fails": {"const": True},
        "at": {"type": "string", "pattern": "^(/.*)?$"},
        "status": {"enum": list(STATUSES)},
        "outcome": {"type": ["string", "null"]},
        "output": {},
        "state": {"type": "object"},
        "state_missing": _TEXTS,
        "interrupts": {"type": "array", "items": {"type": "object"}},
        "path": _TEXTS,
        "calls": {"type": "object", "additionalProperties": _COUNT},
        "error": {"type": "object"},
        "refused": {"type": "array", "items": _record({"reason": _TEXT}, "reason")},
    }
)
_SHARED: dict[str, Any] = {
    "workflow": {"type": ["string", "object"], "description": "A path beside the test file, or a workflow or module."},
    "input": {},
    "mocks": {"$ref": "#/$defs/mocks"},
}
_TEST = _record(
    {
        "name": _TEXT,
        **_SHARED,
        "resume": {"type": "array", "items": _record({"outcome": _TEXT, "payload": {}}, "outcome")},
        "max_steps": {"type": "integer", "minimum": 1},
        "unchecked": {"type": "boolean"},
        "expect": {"$ref": "#/$defs/expect"},
    },
    "expect",
)
_FILE = _record({**_SHARED, "tests": {"type": "array", "items": {"$ref": "#/$defs/test"}}}, "tests")

TESTS_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Workflow tests",
    "type": "object",
    "if": {"required": ["tests"]},
    "then": {"$ref": "#/$defs/file"},
    "else": {"$ref": "#/$defs/test"},
    "$defs": {
        "file": _FILE,
        "test": _TEST,
        "expect": _EXPECT,
        "mocks": {"type": "object", "additionalProperties": {"type": "array", "items": _MOCK}},
    },
}
