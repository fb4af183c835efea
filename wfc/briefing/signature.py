"""A capability on one line: `fs.read_file(path: string, head?: integer) -> { content: string } | read`.

Guarantees: a line is short whatever the schemas hold; what is left out shows as `…`, and a schema that refers to itself
ends where the depth does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from wfc.briefing.capability import Capability
from wfc.source import lookup, pointer_parts

_DEPTH = 3
_MOST_FIELDS = 12
_MOST_VALUES = 8
_MOST_OF_A_VALUE = 40


def signature(capability: Capability) -> str:
    """The line of a capability in a catalogue (reference 4.6)."""
    taken = _fields(capability.input, capability.input, _DEPTH)
    given = type_text(capability.output)
    for outcome in capability.outcomes[1:]:
        given += f"; {outcome} {type_text(capability.others.get(outcome, capability.output))}"
    return f"{capability.name}({taken}) -> {given} | {capability.effects}"


def type_text(schema: Any) -> str:
    """A JSON Schema in the shorthand of types, so far as a reader needs it."""
    return _type(schema, schema, _DEPTH)


def _type(schema: Any, root: Any, depth: int) -> str:
    schema = _resolved(schema, root, depth)
    if not isinstance(schema, Mapping):
        return "any" if schema is not False else "never"
    if "const" in schema:
        return _value(schema["const"])
    if isinstance(schema.get("enum"), list):
        return _joined([_value(one) for one in schema["enum"][:_MOST_VALUES]], len(schema["enum"]))
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list) and depth:
            kinds = dict.fromkeys(_type(one, root, depth - 1) for one in schema[key])
            return _joined(list(kinds)[:_MOST_VALUES], len(kinds))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_type({**schema, "type": one}, root, depth) for one in kind)
    return _plain(kind, schema, root, depth)


def _plain(kind: Any, schema: Mapping[str, Any], root: Any, depth: int) -> str:
    if kind == "array":
        return f"[{_type(schema.get('items', True), root, depth - 1)}]" if depth else "array"
    if kind == "object" or "properties" in schema:
        if not depth or not schema.get("properties"):
            return "object"
        return f"{{ {_fields(schema, root, depth - 1)} }}"
    return kind if isinstance(kind, str) else "any"


def _fields(schema: Any, root: Any, depth: int) -> str:
    """The fields of an object schema, the required ones first."""
    schema = _resolved(schema, root, depth)
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        return ""
    required = schema.get("required")
    needed = [name for name in properties if isinstance(required, list) and name in required]
    names = needed + [name for name in properties if name not in needed][: max(0, _MOST_FIELDS - len(needed))]
    told = [f"{name}{'' if name in needed else '?'}: {_type(properties[name], root, depth)}" for name in names]
    return ", ".join([*told, "…"] if len(names) < len(properties) else told)


def _resolved(schema: Any, root: Any, depth: int) -> Any:
    """What a reference into the same schema leads to, followed a few times and no further."""
    for _ in range(depth + 1):
        if not isinstance(schema, Mapping) or not isinstance(schema.get("$ref"), str):
            return schema
        reference = schema["$ref"]
        if not reference.startswith("#"):
            return True
        try:
            parts = pointer_parts(reference[1:])
        except ValueError:
            return True
        found, reached = lookup(root, parts)
        schema = found if reached == parts else True
    return True


def _value(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST_OF_A_VALUE else f"{text[:_MOST_OF_A_VALUE]}…"


def _joined(told: list[str], total: int) -> str:
    return " | ".join([*told, "…"] if len(told) < total else told)
