"""The JSON Schemas of deployments, as they are written, and of published versions, as they are told (reference 4.4)."""

from __future__ import annotations

from typing import Any

from wfc.ir import DEFAULT_DRAFT

ARTIFACT_FORMAT = "wfc.artifact/1"
DEPLOYMENT_FORMAT = "wfc.deployment/1"
_NAME: dict[str, Any] = {"type": "string", "minLength": 1}
_VERSION: dict[str, Any] = {"type": "integer", "minimum": 1}
_SECONDS: dict[str, Any] = {"type": "number", "description": "seconds since 1970"}


def _object(properties: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
    }


_BINDING = _object(
    {
        "node": {**_NAME, "description": "the name of a node definition"},
        "source": {**_NAME, "description": "a source of the configuration"},
        "capability_key": {**_NAME, "description": "a capability of that source"},
        "at": {
            "type": "array",
            "items": {"type": "string"},
            "description": "step ids from the root to the place where it holds; the longest wins",
        },
    },
    ("at",),
)
DEPLOYMENT_SCHEMA: dict[str, Any] = {
    "$schema": DEFAULT_DRAFT,
    "title": "Deployment",
    "description": "The capabilities of a published workflow and of all that it contains, bound to sources.",
    **_object(
        {
            "schema": {"const": DEPLOYMENT_FORMAT},
            "name": _NAME,
            "artifact": _object({"artifact_id": _NAME, "version": _VERSION}),
            "bindings": {"type": "array", "items": _BINDING},
            "applied": _SECONDS,
        },
        ("schema", "bindings", "applied"),
    ),
}
ARTIFACT_SCHEMA: dict[str, Any] = {
    "$schema": DEFAULT_DRAFT,
    "title": "Published workflow",
    "description": "A version, as `publish` and `artifacts show` tell it.",
    **_object(
        {
            "schema": {"const": ARTIFACT_FORMAT},
            "artifact_id": _NAME,
            "version": _VERSION,
            "hash": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
            "new": {"type": "boolean", "description": "whether it was made just now"},
            "workflow": _NAME,
            "created": _SECONDS,
            "document": {"type": "string", "description": "the workflow with its children by name, as JSON text"},
        },
        ("new", "workflow", "created", "document"),
    ),
}
