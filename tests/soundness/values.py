"""Values that a schema accepts, biased to its borders: limits, empty arrays, absent optional fields, nulls."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import jsonschema_rs

from wfc.ir import resolve

_ANYTHING = (None, True, 0, -1, 2.5, "", "red", [], [1], {}, {"id": 1})
_TEXTS = ("", "a", "red", "2024-01-01", "longer text", "é\U0001f600")
_FURTHER = ("extra", "zz")


_RULES = ("not", "if", "propertyNames", "dependentSchemas", "contains", "minProperties", "patternProperties")
_TRIES = 12


def value(rng: Random, schema: Any, root: Any = None, depth: int = 6) -> Any:
    """A value of the schema; `root` is where its references point to.

    Of one whose keywords speak of several parts at once, values are made until one fits, so long as patience lasts.
    """
    if not isinstance(schema, dict) or not any(rule in schema for rule in _RULES):
        return _value(rng, schema, root, depth)
    fits = jsonschema_rs.validator_for({"$defs": root["$defs"], **schema} if "$defs" in (root or ()) else schema)
    made = (_value(rng, schema, root, depth) for _ in range(_TRIES))
    return next((one for one in made if fits.is_valid(one)), None)


def _value(rng: Random, schema: Any, root: Any, depth: int) -> Any:
    root = schema if root is None else root
    schema = resolve(root, schema)
    if not isinstance(schema, dict) or not schema:
        return rng.choice(_ANYTHING)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    for way in ("anyOf", "oneOf"):
        if way in schema:
            return value(rng, rng.choice(schema[way]), root, depth - 1)
    if "allOf" in schema:
        return _merged(rng, schema, root, depth)
    return _typed(rng, schema, root, depth)


def _merged(rng: Random, schema: dict[str, Any], root: Any, depth: int) -> Any:
    """A value of an `allOf`: of its parts laid over one another, which is enough for the schemas that are made here."""
    # What `true` adds is nothing; of what holds `false` there is no value at all.
    parts = [part for one in schema["allOf"] if isinstance(part := resolve(root, one), dict)]
    whole: dict[str, Any] = {}
    for part in [*parts, {key: held for key, held in schema.items() if key != "allOf"}]:
        properties = {**whole.get("properties", {}), **part.get("properties", {})}
        required = list(dict.fromkeys((*whole.get("required", ()), *part.get("required", ()))))
        whole |= part
        if properties:
            whole["properties"] = properties
        if required:
            whole["required"] = required
    return value(rng, whole, root, depth)


def _typed(rng: Random, schema: dict[str, Any], root: Any, depth: int) -> Any:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = rng.choice(kind)
    if kind is None:
        kind = _implied(schema)
    match kind:
        case "null":
            return None
        case "boolean":
            return rng.random() < 0.5
        case "integer":
            return _number(rng, schema)
        case "number":
            found = _number(rng, schema)
            half = found + 0.5
            return half if rng.random() < 0.3 and _fits(half, schema) else found
        case "string":
            return _text(rng, schema)
        case "array":
            return _array(rng, schema, root, depth)
        case "object":
            return _object(rng, schema, root, depth)
    return rng.choice(_ANYTHING)


def _implied(schema: dict[str, Any]) -> str | None:
    for keys, kind in (
        (("properties", "required", "additionalProperties"), "object"),
        (("items", "minItems", "maxItems"), "array"),
        (("minimum", "maximum"), "number"),
        (("minLength", "maxLength"), "string"),
    ):
        if any(key in schema for key in keys):
            return kind
    return None


def _number(rng: Random, schema: dict[str, Any]) -> Any:
    limits = [schema[key] for key in ("minimum", "maximum") if key in schema]
    candidates = [one for one in (*limits, 0, 1, -1, 2, 6, 7, 100) if _fits(one, schema)]
    found = rng.choice(candidates) if candidates else 0
    # A whole double is an integer to JSON Schema.
    return float(found) if rng.random() < 0.05 else found


def _fits(one: Any, schema: dict[str, Any]) -> bool:
    return (
        one >= schema.get("minimum", one)
        and one <= schema.get("maximum", one)
        and one > schema.get("exclusiveMinimum", one - 1)
        and one < schema.get("exclusiveMaximum", one + 1)
        and one % schema.get("multipleOf", 1) == 0
    )


def _text(rng: Random, schema: dict[str, Any]) -> str:
    low, high = schema.get("minLength", 0), schema.get("maxLength", 40)
    pattern = schema.get("pattern", "")
    candidates = [one for one in _TEXTS if low <= len(one) <= high and re.search(pattern, one)]
    return rng.choice(candidates or ["x" * low])


def _array(rng: Random, schema: dict[str, Any], root: Any, depth: int) -> list[Any]:
    low = schema.get("minItems", 0)
    high = schema.get("maxItems", max(3, low))
    length = rng.choice((low, min(high, low + 1), rng.randint(low, high))) if depth > 0 else low
    prefix = schema.get("prefixItems", ())
    parts = [*prefix[:length], *[schema.get("items", {})] * (length - len(prefix))]
    made = [value(rng, part, root, depth - 1) for part in parts]
    if "contains" in schema:
        made.insert(rng.randint(0, len(made)), value(rng, schema["contains"], root, depth - 1))
    if not schema.get("uniqueItems"):
        return made
    unique = [one for index, one in enumerate(made) if one not in made[:index]]
    return unique if len(unique) >= low else list(range(low))


def _object(rng: Random, schema: dict[str, Any], root: Any, depth: int) -> dict[str, Any]:
    properties, required = schema.get("properties", {}), schema.get("required", ())
    most = schema.get("maxProperties", 20)
    made = {}
    for name in sorted({*properties, *required}):
        if name in required or (depth > 0 and len(made) < most and rng.random() < 0.5):
            made[name] = value(rng, properties.get(name, {}), root, depth - 1)
    for name, others in schema.get("dependentRequired", {}).items():
        for other in others if name in made else ():
            made.setdefault(other, value(rng, properties.get(other, {}), root, depth - 1))
    further = schema.get("additionalProperties", True)
    if further is not False and len(made) < most and rng.random() < 0.15:
        made.setdefault(rng.choice(_FURTHER), value(rng, further if isinstance(further, dict) else {}, root, 1))
    return made
