"""JSON Schemas made at random, and their relatives: wider ones, narrower ones, and near ones that may be neither.

Guarantees: what a schema accepts its `wider` accepts too, what its `narrower` accepts it accepts too, and all of them
accept at least one value that `values.value` finds. No schema here holds `default` or `reducer`.
"""

from __future__ import annotations

from random import Random
from typing import Any

Json = dict[str, Any]

WORDS = ("red", "green", "blue", "")
NAMES = ("id", "name", "size", "tags")
INTEGER, TEXT, NUMBER, BOOLEAN = {"type": "integer"}, {"type": "string"}, {"type": "number"}, {"type": "boolean"}
_LIMITS = (
    *("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum", "const", "enum"),
    *("minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "dependentRequired"),
)


_BOUNDS = {"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"}


def chance(rng: Random, share: float) -> bool:
    return rng.random() < share


def schema(rng: Random, depth: int = 2) -> Json:
    """A schema of any kind, nested at most `depth` levels."""
    makers = [number, number, text, text, _boolean, _nullable]
    if depth:
        makers += [array, array, record, record, record]
        makers += [rng.choice((tagged, pair, ruled))] * chance(rng, 0.5)
    return rng.choice(makers)(rng, depth)


def number(rng: Random, depth: int = 0) -> Json:
    made: Json = {"type": rng.choice(("integer", "integer", "number"))}
    if chance(rng, 0.2):
        made["minimum"] = rng.choice((0, 0, 1, -3))
    if chance(rng, 0.1):
        made["maximum"] = rng.choice((5, 10))
    if chance(rng, 0.08):
        made |= rng.choice(({"multipleOf": 2}, {"exclusiveMinimum": 0}, {"exclusiveMaximum": 7}, {"const": 3}))
    return made


def text(rng: Random, depth: int = 0) -> Json:
    kind = rng.randrange(8)
    if kind == 0:
        return {"type": "string", "enum": list(WORDS[: rng.randint(1, 3)])}
    if kind == 1:
        return {"type": "string", "minLength": 1}
    if kind == 2:
        return {"type": "string", "maxLength": 4}
    if kind == 3:
        return {"enum": ["red", 1, None][: rng.randint(1, 3)]}
    if kind == 4 and chance(rng, 0.4):
        return {"type": "string", "pattern": "^[a-z]+$"}
    return dict(TEXT)


def _boolean(rng: Random, depth: int) -> Json:
    return dict(BOOLEAN)


def _nullable(rng: Random, depth: int) -> Json:
    if chance(rng, 0.2):
        return {"type": ["integer", "string"]}
    makers = (number, text, array) if depth else (number, text)
    return nullable(rng, rng.choice(makers)(rng, depth))


def nullable(rng: Random, inner: Json) -> Json:
    """Null besides what the schema accepts, said in one of three ways."""
    simple = isinstance(inner.get("type"), str) and "enum" not in inner
    ways = ["anyOf", "oneOf"] + ["type", "type"] * simple
    way = rng.choice(ways)
    if way == "type":
        return {**inner, "type": [inner["type"], "null"]}
    if way == "oneOf" and accepts_null(inner):
        way = "anyOf"
    return {way: [inner, {"type": "null"}]}


def array(rng: Random, depth: int = 1) -> Json:
    made: Json = {"type": "array", "items": schema(rng, depth - 1)}
    if chance(rng, 0.15):
        made["minItems"] = 1
    if chance(rng, 0.1):
        made["maxItems"] = rng.choice((2, 4))
    return made


def record(rng: Random, depth: int = 1) -> Json:
    names = rng.sample(NAMES, rng.randint(1, 3))
    made: Json = {"type": "object", "properties": {name: schema(rng, depth - 1) for name in names}}
    required = [name for name in names if chance(rng, 0.6)]
    if required:
        made["required"] = required
    if chance(rng, 0.3):
        made["additionalProperties"] = rng.choice((False, False, True, {"type": "integer"}))
    if chance(rng, 0.08):
        made |= rng.choice(({"patternProperties": {"^x_": INTEGER}}, {"dependentRequired": {names[0]: [names[-1]]}}))
    return made


def tagged(rng: Random, depth: int = 1) -> Json:
    """One of several kinds of objects, told apart by a field that each of them has."""
    members = []
    for tag in ("red", "green", "blue")[: rng.randint(2, 3)]:
        name = rng.choice(NAMES)
        properties = {"kind": {"const": tag}, name: schema(rng, depth - 1)}
        members.append({"type": "object", "properties": properties, "required": ["kind", name]})
    return {rng.choice(("anyOf", "oneOf")): members}


def pair(rng: Random, depth: int = 1) -> Json:
    """An array whose first elements are known more closely than the others."""
    items = schema(rng, depth - 1)
    return {"type": "array", "prefixItems": [narrower(rng, items) for _ in range(rng.randint(1, 2))], "items": items}


_RULES: tuple[Json, ...] = (
    {"not": {"required": ["id", "name"]}},
    {"propertyNames": {"maxLength": 4}},
    {"minProperties": 1},
    {"if": {"required": ["id"]}, "then": {"required": ["size"]}},
    {"patternProperties": {"^n": {}, "^x_": INTEGER}, "additionalProperties": False},
    {"dependentSchemas": {"id": {"required": ["tags"]}}},
)


def ruled(rng: Random, depth: int = 1) -> Json:
    """An object, or an array, with a keyword that says something of several of its parts at once."""
    if chance(rng, 0.3):
        return {"type": "array", "items": {"type": ["integer", "string"]}, "contains": dict(INTEGER)}
    names = rng.sample(NAMES, rng.randint(1, 3))
    made: Json = {"type": "object", "properties": {name: schema(rng, depth - 1) for name in names}}
    return made | rng.choice(_RULES)


RULES = {"not", "propertyNames", "minProperties", "if", "dependentSchemas", "dependentRequired", "patternProperties"}


def types_of(found: Json) -> tuple[str, ...]:
    kind = found.get("type", ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def accepts_null(found: Json) -> bool:
    if "anyOf" in found or "oneOf" in found:
        return any(accepts_null(one) for one in found.get("anyOf", found.get("oneOf", ())))
    if "enum" in found:
        return None in found["enum"]
    return not found.get("type") or "null" in types_of(found)


def without_null(found: Json) -> Json:
    """The same schema less null; itself where nothing of that kind is said."""
    for way in ("anyOf", "oneOf"):
        rest = [one for one in found.get(way, ()) if one != {"type": "null"}]
        if way in found and len(rest) == 1:
            return rest[0]
    if "null" in types_of(found) and len(types_of(found)) == 2:
        return {**found, "type": next(kind for kind in types_of(found) if kind != "null")}
    if found.get("enum") and None in found["enum"] and len(found["enum"]) > 1:
        return {**found, "enum": [one for one in found["enum"] if one is not None]}
    return found


def is_kind(found: Json, *kinds: str) -> bool:
    """Whether every value of the schema is surely of one of the kinds."""
    return bool(types_of(found)) and set(types_of(found)) <= set(kinds)


def may_be(found: Json, *kinds: str) -> bool:
    """Whether some value of the schema may be of one of the kinds, so far as its own keywords say."""
    members = found.get("anyOf", found.get("oneOf"))
    if members is not None:
        return any(may_be(one, *kinds) for one in members)
    return not types_of(found) or bool(set(types_of(found)) & set(kinds))


# -- relatives --------------------------------------------------------------------------------------------------------


def wider(rng: Random, found: Json) -> Json:
    """A schema that accepts at least what this one accepts."""
    way = rng.randrange(12)
    limits = [key for key in (*_LIMITS, "additionalProperties", "required") if key in found and "type" in found]
    if way < 6:
        return found
    if way == 6:
        return {}
    if way == 7:
        return nullable(rng, found)
    if way == 8 and limits:
        dropped = rng.choice(limits)
        return {key: value for key, value in found.items() if key != dropped}
    if way == 9 and found.get("type") == "integer":
        return {**found, "type": "number"}
    if way == 11 and chance(rng, 0.3):
        return {"allOf": [found, wider(rng, found)]}
    if way == 10 and not {"string"} & set(types_of(found)):
        return {"anyOf": [found, dict(TEXT)]}
    return _inside(rng, found, wider)


def narrower(rng: Random, found: Json) -> Json:
    """A schema that accepts nothing but what this one accepts."""
    way = rng.randrange(10)
    if way < 4:
        return found
    if not found:
        return schema(rng, 1)
    if way == 4 and without_null(found) != found:
        return without_null(found)
    if way == 5 and len(found.get("enum", ())) > 1:
        return {**found, "enum": found["enum"][:1]}
    if way in (6, 7):
        return _limited(rng, found)
    return _inside(rng, found, narrower)


def near(rng: Random, found: Json) -> Json:
    """A schema that differs from this one a little, in whatever direction."""
    way = rng.randrange(10)
    if way < 2:
        return nullable(rng, found)
    if way == 2:
        return schema(rng, 1)
    if way < 7:
        return _limited(rng, found)
    return _inside(rng, wider(rng, found), near)


def _limited(rng: Random, found: Json) -> Json:
    """One more keyword, where the kind of the value has one that is free."""
    kind = found.get("type")
    if kind == "number" and chance(rng, 0.5):
        return {**found, "type": "integer"}
    if "const" in found:
        return found
    if kind in ("integer", "number") and not _BOUNDS & found.keys():
        return {**found, rng.choice(("minimum", "maximum")): rng.choice((0, 1, 2))}
    if kind == "string" and not {"enum", "minLength", "maxLength", "pattern"} & found.keys():
        return {**found, **rng.choice(({"minLength": 1}, {"maxLength": 3}, {"enum": ["red", "blue"]}))}
    if kind == "array" and "contains" not in found and not {"minItems", "maxItems", "uniqueItems"} & found.keys():
        return {**found, **rng.choice(({"minItems": 1}, {"maxItems": 1}, {"maxItems": 3}, {"uniqueItems": True}))}
    if kind == "boolean":
        return {"const": True}
    if kind == "object":
        return _limited_object(rng, found)
    return found


def _limited_object(rng: Random, found: Json) -> Json:
    if RULES & found.keys():
        return found
    if "maxProperties" not in found and len(found.get("required", ())) < 2 and chance(rng, 0.2):
        return {**found, "maxProperties": 2}
    free = sorted(found.get("properties", {}).keys() - set(found.get("required", ())))
    if free and chance(rng, 0.6):
        return {**found, "required": [*found.get("required", ()), rng.choice(free)]}
    return found if "additionalProperties" in found else {**found, "additionalProperties": False}


def _inside(rng: Random, found: Json, change: Any) -> Json:
    """The schema with one part of it changed."""
    if found.get("properties"):
        name = rng.choice(sorted(found["properties"]))
        return {**found, "properties": {**found["properties"], name: change(rng, found["properties"][name])}}
    if isinstance(found.get("items"), dict):
        return {**found, "items": change(rng, found["items"])}
    return found
