"""Whether two schemas disagree (reference 1.3): no value satisfies both, or one requires a field the other forbids.

Only what is certain from the shape of the schemas is said: literal `type`, `enum`, `const`, `properties`, `required`
and `additionalProperties`. Everything else is taken to agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.ir import Schema, equal, kind_of

_KINDS = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_SHOWN = 3


def disagreement(first: Schema, second: Schema) -> str | None:
    """What the two say against each other, as the words for a message, the first one's first; none where they agree."""
    waiting: list[tuple[tuple[str, ...], Any, Any]] = [((), first.value, second.value)]
    while waiting:
        path, left, right = waiting.pop()
        found = _at_one_place(path, left, right)
        if found is not None:
            return found
        if isinstance(left, dict) and isinstance(right, dict) and _needs_object(left, right):
            waiting += reversed(list(_fields(path, left, right)))
    return None


def _at_one_place(path: tuple[str, ...], left: Any, right: Any) -> str | None:
    where = f" at `{'.'.join(path)}`" if path else ""
    if left is False or right is False:
        return (
            f"{'nothing' if left is False else 'a value'} against {'nothing' if right is False else 'a value'}{where}"
        )
    if not isinstance(left, dict) or not isinstance(right, dict):
        return None
    kinds, others = _kinds(left), _kinds(right)
    if not kinds & others:
        return f"{_worded(left)} against {_worded(right)}{where}"
    values = _values(left) if _values(left) is not None else _values(right)
    if values is not None and not any(_allows(left, value) and _allows(right, value) for value in values):
        return f"values of one that the other does not have{where}"
    if kinds & others <= {"object"} or "object" in _declared(left) & _declared(right):
        return _required_and_forbidden(path, left, right)
    return None


def _required_and_forbidden(path: tuple[str, ...], left: dict[str, Any], right: dict[str, Any]) -> str | None:
    for requiring, other in ((left, right), (right, left)):
        for field in _required(requiring):
            if _forbids(other, field):
                return f"`{'.'.join((*path, field))}` required against forbidden"
    return None


def _fields(path: tuple[str, ...], left: dict[str, Any], right: dict[str, Any]) -> Iterator[tuple[Any, Any, Any]]:
    """The fields that any common value has, with what both say about them."""
    for field in dict.fromkeys((*_required(left), *_required(right))):
        mine, others = _properties(left), _properties(right)
        if field in mine and field in others:
            yield (*path, field), mine[field], others[field]


def _needs_object(left: dict[str, Any], right: dict[str, Any]) -> bool:
    return "object" in _declared(left) and "object" in _declared(right) and len(_kinds(left) & _kinds(right)) == 1


def _declared(schema: dict[str, Any]) -> frozenset[str]:
    written = schema.get("type")
    names = [written] if isinstance(written, str) else written if isinstance(written, list) else []
    return frozenset(name for name in names if isinstance(name, str))


def _kinds(schema: dict[str, Any]) -> frozenset[str]:
    """The kinds that a schema's `type` admits; every integer is a number."""
    named = _declared(schema) & _KINDS or _KINDS
    return named | {"integer"} if "number" in named else named


def _values(schema: dict[str, Any]) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    listed = schema.get("enum")
    return listed if isinstance(listed, list) else None


def _allows(schema: dict[str, Any], value: Any) -> bool:
    """Whether `type`, `const` and `enum` admit a value."""
    listed = _values(schema)
    kind = kind_of(value)
    kinds = {"integer", "number"} if kind == "number" and float(value).is_integer() else {kind}
    return bool(kinds & _kinds(schema)) and (listed is None or any(equal(value, one) for one in listed))


def _required(schema: dict[str, Any]) -> list[str]:
    listed = schema.get("required")
    return [field for field in listed if isinstance(field, str)] if isinstance(listed, list) else []


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _forbids(schema: dict[str, Any], field: str) -> bool:
    if field in _properties(schema):
        return _properties(schema)[field] is False
    return schema.get("additionalProperties") is False and not schema.get("patternProperties")


def _worded(schema: dict[str, Any]) -> str:
    named = sorted(_declared(schema))[:_SHOWN]
    return " or ".join(f"`{name}`" for name in named) or "any value"
