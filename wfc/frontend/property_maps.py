"""Schemas in which properties are not written where JSON Schema has them, or not as it writes them.

A workflow's schema is often written as the bare map of its properties, a property as the bare name of its type, and a
property often says of itself that it is required, as the oldest draft had it. All of these have one meaning.
"""

from __future__ import annotations

import re
from typing import Any

from wfc.frontend.findings import Repair
from wfc.source import lookup, pointer

# What stands beside properties in an object schema and may hold an object, a list or a text.
_BESIDE = frozenset(
    ("required", "additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties",
     "dependentRequired", "dependentSchemas", "dependencies", "title", "description", "default", "examples", "$schema",
     "$id", "$comment", "$defs", "definitions")
)  # fmt: skip
# With these a schema is one, whatever else stands in it; they may be names of properties too, with a schema each.
_TELLING = ("properties", "$ref", "allOf", "anyOf", "oneOf", "not", "if", "enum", "const", "fields")
_KEYWORDS = _BESIDE | {
    *_TELLING, "type", "items", "prefixItems", "contains", "format", "pattern", "minimum", "maximum", "then", "else",
    "unevaluatedProperties", "reducer", "deprecated", "readOnly", "writeOnly", "contentSchema", "unevaluatedItems",
}  # fmt: skip

TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
# What the types are called elsewhere.
TYPES_MEANT = {
    "int": "integer", "long": "integer", "str": "string", "text": "string", "date": "string", "bool": "boolean",
    "float": "number", "double": "number", "decimal": "number", "list": "array", "tuple": "array", "dict": "object",
    "map": "object", "none": "null", "nil": "null",
}  # fmt: skip
_LIST = re.compile(r"(?:([A-Za-z]+)\[\]|(?:[Ll]ist|[Aa]rray)[\[<]([A-Za-z]+)[\]>])")


def named_type(written: Any) -> dict[str, Any] | None:
    """The schema that the name of a type stands for: `string`, `int`, `string[]`, `list[str]`."""
    if not isinstance(written, str):
        return None
    listed = _LIST.fullmatch(written)
    if listed is not None:
        items = named_type(listed[1] or listed[2])
        return None if items is None else {"type": "array", "items": items}
    kind = written if written in TYPES else TYPES_MEANT.get(written.lower())
    return None if kind is None else {"type": kind}


def is_property_map(schema: dict[str, Any]) -> bool:
    """Whether an object is no schema of objects but the map of their properties, each with its schema."""
    if isinstance(schema.get("type"), (str, list)) or any(key in schema for key in _TELLING):
        return False
    named = _named(schema)
    if all(key in _KEYWORDS for key in named):
        return False
    return all(_describes(schema[key]) or schema[key] is True or schema[key] == {} for key in named)


def _named(schema: dict[str, Any]) -> list[str]:
    """The keys that can only be names of properties."""
    return [key for key, value in schema.items() if not key.startswith("x-") and not _is_beside(key, value)]


def _is_beside(key: str, value: Any) -> bool:
    return key in _BESIDE and not (_describes(value) and key in ("title", "description", "default", "examples"))


def _describes(value: Any) -> bool:
    """Whether a value is surely a schema: it says a type, or leads to one that does."""
    return isinstance(value, dict) and any(key in value for key in ("type", "properties", "enum", "const", *_TELLING))


def as_object_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The object schema that a map of properties means."""
    named = set(_named(schema))
    properties = {key: value for key, value in schema.items() if key in named}
    rest = {key: value for key, value in schema.items() if key not in named}
    return {"type": "object", "properties": properties, **rest}


def listed_as_required(schema: Any, parts: tuple[str, ...], base: str) -> Repair:
    """The repair for a property with `required` at `parts` in a schema that stands at `base`."""
    at, name = base + pointer(*parts), parts[-2]
    said = lookup(schema, parts)[0]
    patch: list[dict[str, Any]] = [{"op": "test", "path": at, "value": said}, {"op": "remove", "path": at}]
    there, listed = base + pointer(*parts[:-3], "required"), lookup(schema, parts[:-3])[0].get("required")
    if not said or (isinstance(listed, list) and name in listed):
        return Repair(f"Remove `required` from `{name}`", tuple(patch))
    added = {"op": "add", "path": f"{there}/-", "value": name}
    patch.append(added if isinstance(listed, list) else {"op": "add", "path": there, "value": [name]})
    return Repair(f"List `{name}` under `required` of the object", tuple(patch))


def list_as_required(schema: Any, parts: tuple[str, ...]) -> None:
    """Move `required` of a property to the object that has it, in place."""
    holder = lookup(schema, parts[:-3])[0]
    listed = holder.get("required", [])
    if lookup(schema, parts[:-1])[0].pop("required") and isinstance(listed, list) and parts[-2] not in listed:
        holder["required"] = [*listed, parts[-2]]
