"""What a stored session looks like, as far as it is read again: a file may have been changed since it was written."""

from __future__ import annotations

from typing import Any


def _object(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


def _list(of: Any) -> dict[str, Any]:
    return {"type": "array", "items": of}


_SHOWN = 200
_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_MESSAGES = _list(_object(role=_TEXT, text=_TEXT))
_ROUND = _object(
    asked=_MESSAGES,
    answer=_TEXT,
    stop={"type": ["string", "null"]},
    tokens={"type": ["array", "null"], "items": _COUNT, "minItems": 2, "maxItems": 2},
    kind=_TEXT,
    findings=_list(_object(code=_TEXT, at=_object(pointer=_TEXT), message=_TEXT)),
    further=_list(_TEXT),
    applied=_list(_TEXT),
    note=_TEXT,
)
_SESSION = _object(
    session=_TEXT,
    status={"type": ["string", "null"]},
    reason=_TEXT,
    request=_TEXT,
    settings=_object(max_rounds=_COUNT, catalogue_tokens=_COUNT, auto_fix={"type": "boolean"}, form=_TEXT),
    opening=_MESSAGES,
    rounds=_list(_ROUND),
    workflow={},
)


def fault_in_session(value: Any) -> str | None:
    """Where a value differs from a session, and how; none where it is one."""
    from wfc.engine import jsonschema_rs

    first = next(jsonschema_rs.validator_for(_SESSION).iter_errors(value), None)
    if first is None:
        return None
    return f"{first.message[:_SHOWN]} at `/{'/'.join(map(str, first.instance_path))}`"
