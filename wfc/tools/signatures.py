"""A capability in one line, for people and for planners: `fs.read_file(path: string) -> { text: string } | read`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from wfc.ir import Contract, resolve

# Below this a schema is told by its kind only, so that a line stays one.
_DEPTH = 3
_CHOICES = 6
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def signature(contract: Contract) -> str:
    """What a capability takes and gives, and what a repeated call would do."""
    first = contract.outcomes[0]
    gives = [_told(contract.others.get(first, contract.output))]
    gives += [f"{outcome} {_told(contract.others.get(outcome, contract.output))}" for outcome in contract.outcomes[1:]]
    taken = ", ".join(_fields(contract.input, contract.input, _DEPTH))
    return f"{contract.name}({taken}) -> {' or '.join(gives)} | {contract.effects or 'write'}"


def _told(schema: Any) -> str:
    return _type(schema, schema, _DEPTH)


def _fields(root: Any, schema: Any, depth: int) -> Iterator[str]:
    found = resolve(root, schema)
    if not isinstance(found, dict):
        return
    properties = found.get("properties")
    required = found.get("required")
    for name, inner in properties.items() if isinstance(properties, dict) else ():
        word = name if _NAME.fullmatch(name) else json.dumps(name)
        mark = "" if isinstance(required, list) and name in required else "?"
        yield f"{word}{mark}: {_type(root, inner, depth - 1)}"


def _type(root: Any, schema: Any, depth: int) -> str:
    """A schema as the type of a workflow text, as far as it is one; `depth` levels are told."""
    found = resolve(root, schema)
    if not isinstance(found, dict):
        return "any" if found is not False else "never"
    if "const" in found:
        return json.dumps(found["const"])
    if isinstance(found.get("enum"), list) and found["enum"]:
        choices = [json.dumps(one) for one in found["enum"][:_CHOICES]]
        return " | ".join(choices + (["…"] if len(found["enum"]) > _CHOICES else []))
    for keyword in ("anyOf", "oneOf"):
        if isinstance(found.get(keyword), list) and found[keyword]:
            if depth <= 0:
                return "any"
            return " | ".join(dict.fromkeys(_type(root, one, depth - 1) for one in found[keyword]))
    named = found.get("type")
    kinds = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    if not kinds:
        kinds = ["object"] if "properties" in found else ["any"]
    return " | ".join(_kind(root, found, str(kind), depth) for kind in kinds)


def _kind(root: Any, schema: dict[str, Any], kind: str, depth: int) -> str:
    if kind == "array":
        return f"[{_type(root, schema.get('items', True), depth - 1)}]" if depth > 0 else "[any]"
    if kind != "object":
        return kind
    fields = ", ".join(_fields(root, schema, depth)) if depth > 0 else ""
    return f"{{ {fields} }}" if fields else "object"
