"""The contracts of the built-in source `wf.std` (reference 1.9); what they do stands in `backends/sources/std.py`.

Schemas here are what holds for every use. What a use returns in more detail follows from what is bound to it.
"""

from __future__ import annotations

from typing import Any

from wfc.records import dataclass, field

SOURCE = "wf.std"
_ANY: dict[str, Any] = {}
_ARRAY = {"type": "array"}
_OBJECT = {"type": "object"}
_TEXT = {"type": "string"}
_NUMBER = {"type": "number"}
_COUNT = {"type": "integer", "minimum": 0}
_EMPTY = {"type": "object", "properties": {}}


def _record(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


@dataclass(frozen=True)
class Builtin:
    """One capability of `wf.std`. The first outcome is `ok`; `others` maps every further one to its output schema."""

    key: str
    input: dict[str, Any]
    output: dict[str, Any]
    others: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{SOURCE}.{self.key}"

    @property
    def outcomes(self) -> tuple[str, ...]:
        return ("ok", *self.others)


BUILTINS: tuple[Builtin, ...] = (
    Builtin("identity", _record({"value": _ANY}), _record({"value": _ANY})),
    Builtin(
        "index",
        _record({"array": _ARRAY, "position": {"type": "integer"}}),
        _record({"value": _ANY}),
        {"out_of_range": _EMPTY},
    ),
    Builtin("count", _record({"array": _ARRAY}), _record({"count": _COUNT})),
    Builtin(
        "pluck", _record({"array": _ARRAY, "field": _TEXT}), _record({"values": _ARRAY}), {"missing_field": _EMPTY}
    ),
    Builtin("concat", _record({"arrays": {"type": "array", "items": _ARRAY}}), _record({"array": _ARRAY})),
    Builtin("record", _OBJECT, _OBJECT),
    Builtin(
        "calculate",
        _record({"operator": {"enum": ["+", "-", "*", "/", "//", "%"]}, "left": _NUMBER, "right": _NUMBER}),
        _record({"value": _NUMBER}),
        {"undefined": _EMPTY},
    ),
    Builtin("slice", _record({"array": _ARRAY, "start": _COUNT}, {"end": _COUNT}), _record({"array": _ARRAY})),
    Builtin("range", _record({"count": _COUNT}), _record({"array": {"type": "array", "items": _COUNT}})),
    Builtin("unique", _record({"array": _ARRAY}), _record({"array": _ARRAY})),
    Builtin(
        "join_text", _record({"array": {"type": "array", "items": _TEXT}, "separator": _TEXT}), _record({"text": _TEXT})
    ),
    Builtin(
        "template", _record({"text": _TEXT, "values": _OBJECT}), _record({"text": _TEXT}), {"missing_value": _EMPTY}
    ),
    Builtin(
        "pick",
        _record({"object": _OBJECT, "fields": {"type": "array", "items": _TEXT}}),
        _record({"object": _OBJECT}),
    ),
    Builtin("merge", _record({"objects": {"type": "array", "items": _OBJECT}}), _record({"object": _OBJECT})),
    Builtin("sum", _record({"array": {"type": "array", "items": _NUMBER}}), _record({"sum": _NUMBER})),
    Builtin("filter_equal", _record({"array": _ARRAY, "field": _TEXT, "value": _ANY}), _record({"array": _ARRAY})),
    Builtin(
        "sort_by",
        _record({"array": _ARRAY, "field": _TEXT}, {"descending": {"type": "boolean"}}),
        _record({"array": _ARRAY}),
        {"not_comparable": _EMPTY},
    ),
    Builtin("parse_json", _record({"text": _TEXT}), _record({"value": _ANY}), {"invalid": _record({"message": _TEXT})}),
    Builtin("to_json", _record({"value": _ANY}), _record({"text": _TEXT})),
    Builtin("fail", _record({"message": _TEXT}), _EMPTY),
)
BY_KEY = {builtin.key: builtin for builtin in BUILTINS}
BY_NAME = {builtin.name: builtin for builtin in BUILTINS}

INTERRUPT_KINDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "approval": (
        {"type": "object", "properties": {"prompt": _TEXT, "data": _ANY}, "required": ["prompt"]},
        {"type": "object", "properties": {"approved": {"type": "boolean"}, "comment": _TEXT}},
    ),
    "text_input": (
        {"type": "object", "properties": {"prompt": _TEXT, "default": _TEXT}, "required": ["prompt"]},
        {"type": "object", "properties": {"text": _TEXT}, "required": ["text"]},
    ),
    "choice": (
        {"type": "object", "properties": {"prompt": _TEXT, "options": _ARRAY}, "required": ["prompt", "options"]},
        {"type": "object", "properties": {"choice": _ANY}, "required": ["choice"]},
    ),
    "tool_auth": (
        {"type": "object", "properties": {"source": _TEXT, "reason": _TEXT, "url": _TEXT}, "required": ["source"]},
        {"type": "object"},
    ),
}
RESERVED_KINDS = ("in_doubt",)
