"""What has to be decided: pairs of schemas of which ALWAYS, NEVER or MAYBE with a counterexample must be told."""

from __future__ import annotations

from typing import Any

import pytest

from tests.types.schemas import URIS, judge
from wfc.passes.types import Verdict, fits, of

STRING, INTEGER, NUMBER, NULL = ({"type": kind} for kind in ("string", "integer", "number", "null"))
NULLABLE = {"type": ["string", "null"]}
DRAFT_4 = URIS[4]


def thing(fields: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(required), **more}


def array(items: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


def closed(fields: dict[str, Any], *required: str) -> dict[str, Any]:
    return thing(fields, *required, additionalProperties=False)


def tagged(word: str = "oneOf", **more: Any) -> dict[str, Any]:
    circle = thing({"kind": {"const": "circle"}, "radius": NUMBER}, "kind", "radius")
    square = thing({"kind": {"enum": ["square"]}, "side": NUMBER}, "kind", "side")
    return {word: [circle, square], **more}


def tree(value: Any) -> dict[str, Any]:
    node = thing({"value": value, "children": array({"$ref": "#/$defs/node"})}, "value")
    return {"$defs": {"node": node}, "$ref": "#/$defs/node"}


def linked(value: Any, last: Any) -> dict[str, Any]:
    node = thing({"value": value, "next": {"anyOf": [{"$ref": "#/definitions/n"}, last]}}, "value", "next")
    return {"definitions": {"n": node}, "allOf": [{"$ref": "#/definitions/n"}]}


ALWAYS = [
    # scalars and bounds
    (STRING, STRING),
    (INTEGER, NUMBER),
    (STRING, NULLABLE),
    (STRING, True),
    (STRING, {}),
    (False, STRING),
    ({"type": "integer", "minimum": 3, "maximum": 5}, {"type": "number", "exclusiveMinimum": 2, "maximum": 5}),
    ({"type": "integer", "exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}),
    ({"type": "integer", "minimum": 1}, {"type": "integer", "exclusiveMinimum": 0}),
    ({"type": "integer", "multipleOf": 6}, {"type": "integer", "multipleOf": 3}),
    ({"type": "string", "minLength": 2, "maxLength": 3}, {"type": "string", "minLength": 1}),
    ({"type": "string", "format": "date"}, STRING),
    (STRING, {"type": "string", "format": "date", "contentEncoding": "base64"}),
    ({"type": "integer", "minimum": 0, "maximum": 2}, {"enum": [0, 1, 2, 3]}),
    (INTEGER, {"anyOf": [{"type": "integer", "maximum": 0}, {"type": "integer", "minimum": 1}]}),
    ({"type": "boolean"}, {"enum": [True, False]}),
    # literals
    ({"enum": ["a", "b"]}, STRING),
    ({"enum": ["a"]}, {"enum": ["a", "b"]}),
    ({"const": 1}, {"enum": [1.0]}),
    ({"const": 1.0}, INTEGER),
    ({"enum": ["ab", "cd"]}, {"type": "string", "pattern": "^[a-d]+$"}),
    ({"const": {"a": [1, 2]}}, thing({"a": array(INTEGER)}, "a")),
    ({"enum": [1, None, "x"]}, {"type": ["integer", "string", "null"]}),
    # objects and arrays
    (closed({"a": INTEGER}, "a"), closed({"a": NUMBER, "b": STRING}, "a")),
    (thing({"a": INTEGER}, "a"), thing({"a": NUMBER})),
    (thing({"a": STRING, "b": STRING}, "a", "b"), {"type": "object", "required": ["b"]}),
    (closed({"a": STRING}), {"type": "object", "additionalProperties": STRING}),
    (closed({"x-a": STRING}), {"type": "object", "patternProperties": {"^x-": STRING}, "additionalProperties": False}),
    (
        {"type": "object", "patternProperties": {"^x": INTEGER}, "additionalProperties": False},
        {"type": "object", "patternProperties": {"^x": NUMBER}},
    ),
    (closed({"a": STRING, "b": STRING}, "a"), {"type": "object", "minProperties": 1, "maxProperties": 2}),
    (closed({"a": STRING}), {"type": "object", "propertyNames": {"maxLength": 1}}),
    (array(INTEGER), array(NUMBER)),
    (array(INTEGER, minItems=1, maxItems=2), array(NUMBER, minItems=1)),
    (array(INTEGER, maxItems=1), array(INTEGER, uniqueItems=True)),
    (array(STRING, minItems=1), {"type": "array", "contains": {"type": "string"}}),
    ({"type": "array", "prefixItems": [STRING, INTEGER], "items": False}, array({"type": ["string", "number"]})),
    (
        {"$schema": URIS[7], "type": "array", "items": [STRING], "additionalItems": INTEGER},
        array({"type": ["string", "integer"]}),
    ),
    (array(closed({"a": array(STRING)}, "a")), array(thing({"a": array(NULLABLE)}))),
    # unions
    ({"anyOf": [STRING, NULL]}, NULLABLE),
    ({"oneOf": [STRING, NULL]}, NULLABLE),
    (NULLABLE, {"oneOf": [STRING, NULL]}),
    (tagged(), tagged("anyOf")),
    (tagged("anyOf"), tagged()),
    (tagged()["oneOf"][0], tagged()),
    (tagged(), thing({"kind": {"enum": ["circle", "square"]}}, "kind")),
    (
        thing({"kind": {"enum": ["circle", "square"]}, "radius": NUMBER, "side": NUMBER}, "kind", "radius", "side"),
        tagged(),
    ),
    (tagged("oneOf", title="a"), tagged("oneOf", title="b")),
    ({"allOf": [thing({"a": INTEGER}, "a"), thing({"b": STRING}, "b")]}, thing({"a": NUMBER, "b": STRING}, "a", "b")),
    # references
    (tree(INTEGER), tree(NUMBER)),
    (linked(INTEGER, NULL), linked(NUMBER, {"type": ["null", "string"]})),
    ({"$defs": {"x": STRING}, "properties": {"a": {"$ref": "#/$defs/x"}}}, {"properties": {"a": STRING}}),
    ({"properties": {"a": STRING}}, {"$defs": {"x": STRING}, "properties": {"a": {"$ref": "#/$defs/x"}}}),
    ({"$defs": {"x": {"$anchor": "here", **STRING}}, "$ref": "#here"}, STRING),
    ({"$ref": "#/$defs/a%20b", "$defs": {"a b": STRING}}, STRING),
    (
        {"$schema": URIS[7], "definitions": {"x": STRING}, "allOf": [{"$ref": "#/definitions/x", "type": "null"}]},
        STRING,
    ),
    # what is kept as a text, a test or an alternative
    ({"type": "string", "pattern": "^a", "minLength": 3}, {"type": "string", "pattern": "^a"}),
    (array(STRING, uniqueItems=True), array(STRING, uniqueItems=True, description="each once")),
    ({"type": "integer"}, {"not": {"type": "string"}}),
    ({"type": "string", "not": {"const": "x"}}, {"type": "string", "not": {"enum": ["x"]}}),
    ({"enum": ["a", "b"]}, {"not": {"const": "c"}}),
    (thing({"a": STRING}, "a"), {"type": "object", "not": {"required": ["b"], "properties": {"a": INTEGER}}}),
    (closed({"a": STRING, "b": STRING}, "b"), {"type": "object", "dependentRequired": {"a": ["b"]}}),
    (closed({"c": STRING}), {"type": "object", "dependentRequired": {"a": ["b"]}}),
    (
        thing({"k": {"const": 1}, "v": STRING}, "k", "v"),
        {"if": {"properties": {"k": {"const": 1}}}, "then": {"required": ["v"]}},
    ),
    (thing({"k": {"const": 2}}, "k"), {"if": {"properties": {"k": {"const": 1}}}, "then": {"required": ["v"]}}),
    (
        {"allOf": [thing({"a": STRING})], "properties": {"b": STRING}, "unevaluatedProperties": False},
        closed({"a": STRING, "b": STRING}),
    ),
    (
        closed({"a": STRING}),
        {"type": "object", "allOf": [{"properties": {"a": STRING}}], "unevaluatedProperties": False},
    ),
    (
        {"$schema": DRAFT_4, "type": "integer", "minimum": 0, "exclusiveMinimum": True},
        {"type": "integer", "minimum": 1},
    ),
    ({"$schema": DRAFT_4, **INTEGER}, INTEGER),
    ({"$schema": DRAFT_4, "enum": [{"a": "b"}]}, {"$schema": DRAFT_4, "enum": [{"a": "b"}, 1]}),
]

NEVER = [
    (STRING, INTEGER),
    (NULLABLE, {"type": ["integer", "boolean"]}),
    ({"type": "integer", "minimum": 3}, {"type": "integer", "maximum": 2}),
    ({"type": "number", "exclusiveMinimum": 1, "maximum": 2}, {"type": "number", "maximum": 1}),
    ({"type": "string", "minLength": 3}, {"type": "string", "maxLength": 2}),
    ({"enum": ["a", "b"]}, {"enum": ["c"]}),
    ({"enum": [0.5, 1.5]}, INTEGER),
    (STRING, {"const": 1}),
    (STRING, False),
    ({"enum": ["x", "y"]}, {"type": "string", "pattern": "^[ab]$"}),
    (thing({"a": STRING}, "a"), thing({"a": INTEGER}, "a")),
    (thing({"a": STRING}, "a"), thing({"a": INTEGER})),
    (thing({}, "a"), closed({"b": STRING})),
    (array(STRING, minItems=1), array(INTEGER)),
    (array(STRING, minItems=3), array(STRING, maxItems=2)),
    (array(STRING), {"type": "array", "contains": INTEGER}),
    (thing({"kind": {"const": "line"}}, "kind"), tagged()),
    (tree(INTEGER), tree(STRING)),
    (linked(INTEGER, NULL), linked(STRING, NULL)),
    (INTEGER, {"not": {"type": "number"}}),
    (thing({"a": {"type": "object", "required": ["b"]}}, "a"), thing({"a": closed({"c": STRING})}, "a")),
    ({"$schema": DRAFT_4, **INTEGER}, {"enum": [0.5]}),
]

# With the value that shows it: one of the source that the target refuses.
MAYBE = [
    (NUMBER, INTEGER, 0.5),
    (NULLABLE, STRING, None),
    (STRING, {"type": "string", "pattern": "^a"}, ""),
    (INTEGER, {"type": "integer", "maximum": 41}, 42),
    (STRING, {"enum": ["a"]}, ""),
    ({"enum": ["a", "bb"]}, {"enum": ["a"]}, "bb"),
    (thing({"a": STRING}), thing({"a": STRING}, "a"), {}),
    (thing({"a": STRING}, "a"), closed({"a": STRING}, "a"), {"a": "", "x": None}),
    (thing({"a": STRING}), closed({"b": STRING}), {"a": ""}),
    (
        thing({"kind": {"enum": ["circle", "line"]}}, "kind"),
        thing({"kind": {"enum": ["line", "dot"]}}, "kind"),
        {"kind": "circle"},
    ),
    (array(thing({"a": NULLABLE}, "a")), array(thing({"a": STRING})), [{"a": None}]),
    (array(INTEGER), array(INTEGER, uniqueItems=True), [0, 0]),
    (tree(NUMBER), tree(INTEGER), {"value": 0.5}),
    (closed({"a": STRING, "b": STRING}), {"type": "object", "dependentRequired": {"a": ["b"]}}, {"a": ""}),
    (INTEGER, {"$schema": DRAFT_4, **INTEGER}, 0.0),
    ({"type": "integer", "minimum": 0, "maximum": 2}, {"$schema": DRAFT_4, **INTEGER}, 1.0),
    ({**closed({"a": NUMBER, "b": NUMBER}), "minProperties": 1}, thing({}, "a"), {"b": 0}),
    (closed({"a": NUMBER, "b": NUMBER}), {"type": "object", "minProperties": 1}, {}),
    (closed({"a": NUMBER, "b": NUMBER}), {"type": "object", "maxProperties": 1}, {"a": 0, "b": 0}),
    ({"type": "integer", "minimum": 1, "maximum": 99}, {"type": "number", "exclusiveMinimum": 1}, 1),
    ({"type": "number", "minimum": 0, "maximum": 1}, {"type": "number", "exclusiveMaximum": 1}, 1),
    (array(STRING), {"type": "array", "maxItems": 1}, ["", ""]),
    (array(INTEGER), {"type": "array", "prefixItems": [INTEGER, INTEGER, STRING]}, [0, 0, 0]),
    (closed({"a": STRING, "bb": STRING}), {"type": "object", "propertyNames": {"maxLength": 1}}, {"bb": ""}),
    (
        closed({"a": STRING}),
        {"anyOf": [thing({"a": {}}, "x"), thing({"b": {}})], "unevaluatedProperties": False},
        {"a": ""},
    ),
    (
        {"enum": [{"a": 1}, {"a": 2}]},
        {"$schema": DRAFT_4, "properties": {"a": {**INTEGER, "maximum": 1}}},
        {"a": 2},
    ),
    (True, tagged(), 0),
    ({"anyOf": [STRING, NULL]}, {"oneOf": [STRING, {"type": "string", "maxLength": 3}, NULL]}, ""),
]


def shown(pairs: list[Any]) -> list[Any]:
    return [pytest.param(*pair, id=f"{index}") for index, pair in enumerate(pairs)]


@pytest.mark.parametrize(("source", "target"), shown(ALWAYS))
def test_always(source: Any, target: Any) -> None:
    assert fits(of(source), of(target)).verdict is Verdict.ALWAYS


@pytest.mark.parametrize("schema", [schema for pair in (*ALWAYS, *NEVER) for schema in pair])
def test_every_schema_fits_itself_whatever_is_said_beside_it(schema: Any) -> None:
    beside = {**schema, "description": "another text"} if isinstance(schema, dict) else schema
    assert fits(of(schema), of(beside)).verdict is Verdict.ALWAYS


@pytest.mark.parametrize(("source", "target"), shown(NEVER))
def test_never_with_a_witness(source: Any, target: Any) -> None:
    fit = fits(of(source), of(target))
    assert fit.verdict is Verdict.NEVER
    assert fit.witness is not None
    assert judge(source)(fit.witness[0]) and not judge(target)(fit.witness[0])


@pytest.mark.parametrize(("source", "target", "witness"), shown(MAYBE))
def test_maybe_with_a_counterexample(source: Any, target: Any, witness: Any) -> None:
    fit = fits(of(source), of(target))
    assert (fit.verdict, fit.witness) == (Verdict.MAYBE, (witness,))


def test_a_constant_stands_for_what_is_equal_to_it() -> None:
    """`{"a": 1.0}` is a value of the first, and no value of the second."""
    fit = fits(of({"const": {"a": 1}}), of({"$schema": DRAFT_4, "properties": {"a": INTEGER}}))
    assert fit.verdict is Verdict.MAYBE


def test_a_schema_that_cannot_be_used_tells_nothing() -> None:
    for unusable in ({"type": "nothing"}, {"$ref": "#/$defs/gone"}, {"pattern": "("}):
        assert fits(of(STRING), of(unusable)).verdict is Verdict.MAYBE
        assert fits(of(unusable), of(STRING)).verdict is Verdict.MAYBE
    assert fits(of(STRING), of({"properties": {"a": STRING}}, "/properties/b")).verdict is Verdict.MAYBE


def test_a_part_of_a_schema_is_had_by_its_pointer() -> None:
    schema = {"properties": {"a/b": {"$ref": "#/$defs/x"}}, "$defs": {"x": INTEGER}}
    assert of(schema, "/properties/a~1b") is of(INTEGER)
