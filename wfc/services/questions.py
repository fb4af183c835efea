"""The question of a run as a form, where a client can show one (reference 4.7): the outcome, and flat fields.

Guarantees: what a person fills in becomes exactly the outcome and payload of `wfc resume`; where a form cannot say it,
there is no form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_OUTCOME = "outcome"
_PRIMITIVES = ("string", "number", "integer", "boolean")
_KEPT = ("type", "title", "description", "enum", "minLength", "maxLength", "minimum", "maximum", "default")
_MOST_OF_A_MESSAGE = 2000


def form_of(interrupt: Mapping[str, Any]) -> dict[str, Any] | None:
    """The form of a question: a flat object schema with the outcome first; none where its answer is not flat."""
    if not interrupt.get("resumable", True) or isinstance(interrupt.get("payload"), str):
        return None
    schema = interrupt.get("resume_schema")
    fields = schema.get("properties", {}) if isinstance(schema, Mapping) else None
    if not isinstance(fields, Mapping) or _OUTCOME in fields or not all(map(_is_flat, fields.values())):
        return None
    outcomes = list(interrupt["outcomes"])
    flat = {name: {key: one[key] for key in _KEPT if key in one} for name, one in fields.items()}
    # Only the first outcome needs the payload; what it lacks is told by the refusal.
    required = [_OUTCOME, *(schema.get("required", ()) if len(outcomes) == 1 and isinstance(schema, Mapping) else ())]
    return {
        "type": "object",
        "properties": {_OUTCOME: {"type": "string", "enum": outcomes}, **flat},
        "required": required,
    }


def message_of(interrupt: Mapping[str, Any]) -> str:
    """What a person is asked: the prompt, and everything else that the question holds."""
    payload = interrupt.get("payload")
    if not isinstance(payload, Mapping):
        return f"{interrupt['node_id']} ({interrupt['kind']})"
    rest = {key: value for key, value in payload.items() if key != "prompt"}
    told = str(payload.get("prompt", f"{interrupt['node_id']} ({interrupt['kind']})"))
    if rest:
        told += "\n" + json.dumps(rest, ensure_ascii=False, indent=1)
    return told if len(told) <= _MOST_OF_A_MESSAGE else f"{told[:_MOST_OF_A_MESSAGE]}…"


def answer_of(content: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Outcome and payload of a filled form."""
    payload = {name: value for name, value in content.items() if name != _OUTCOME and value is not None}
    return str(content.get(_OUTCOME)), payload


def _is_flat(schema: Any) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") in _PRIMITIVES
