"""Types in words, and where two schemas disagree."""

from __future__ import annotations

from typing import Any

import pytest

from wfc.passes.types import array_of, contradicts, describe, either, literal, of

STRING, INTEGER = {"type": "string"}, {"type": "integer"}
WORDS = [
    (STRING, "string"),
    (True, "any value"),
    (False, "nothing"),
    ({"type": ["integer", "null"]}, "integer or null"),
    ({"type": ["boolean", "null"]}, "boolean or null"),
    ({"type": "integer", "minimum": 0}, "integer >= 0"),
    ({"type": "number", "exclusiveMinimum": 0, "maximum": 1}, "number > 0 and <= 1"),
    ({"enum": ["a", "b"]}, '"a" | "b"'),
    ({"enum": ["a", None]}, '"a" | null'),
    ({"const": 1}, "1"),
    ({"enum": [str(number) for number in range(9)]}, '"0" | "1" | "2" | "3" | "4" | …'),
    ({"type": "string", "minLength": 1}, "non-empty string"),
    ({"type": "string", "minLength": 2, "maxLength": 3}, "string of 2 to 3 characters"),
    ({"type": "string", "pattern": "^a"}, "string matching ^a"),
    ({"type": "array"}, "array"),
    ({"type": "array", "items": STRING}, "array of string"),
    ({"type": "array", "items": {"type": ["string", "null"]}, "minItems": 1}, "non-empty array of (string or null)"),
    ({"type": "array", "items": STRING, "minItems": 2}, "array of string of at least 2 elements"),
    ({"type": "object"}, "object"),
    (
        {"type": "object", "properties": {"name": STRING, "age": INTEGER}, "required": ["name"]},
        "object with name, age?",
    ),
    ({"type": "object", "required": ["id"]}, "object with id"),
    ({"type": "object", "properties": {str(number): {} for number in range(7)}}, "object with 0?, 1?, 2?, 3?, 4?, …"),
    ({"const": {"long": "x" * 50}}, '{"long":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'),
    ({"not": STRING}, "number or array or object or boolean or null"),
]


@pytest.mark.parametrize(("schema", "words"), WORDS)
def test_a_type_in_words(schema: Any, words: str) -> None:
    assert describe(of(schema)) == words


def test_what_is_made_is_told_alike() -> None:
    assert describe(array_of(either(of(STRING), literal(1)))) == "array of (string or 1)"
    assert describe(array_of(array_of(array_of(array_of(array_of(of(STRING))))))) == "array of array of array of array"


def thing(*required: str, **fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(required)}


DISAGREE = [
    (STRING, INTEGER, ((), "string", "integer")),
    ({"enum": ["a"]}, {"enum": ["b"]}, ((), '"a"', '"b"')),
    (False, STRING, ((), "nothing", "string")),
    (thing("a", a=STRING), thing(a=INTEGER), (("a",), "string", "integer")),
    (thing("a", a=thing("b", b=STRING)), thing("a", a=thing(b=INTEGER)), (("a", "b"), "string", "integer")),
    (thing("a"), {**thing(), "additionalProperties": False}, (("a",), "required", "forbidden")),
    (thing(a=False), thing("a"), (("a",), "forbidden", "required")),
    (
        {**thing("a"), "type": ["object", "null"]},
        {**thing(a=False), "type": ["object", "null"]},
        (("a",), "required", "forbidden"),
    ),
]


@pytest.mark.parametrize(("first", "second", "told"), DISAGREE)
def test_where_two_schemas_disagree(first: Any, second: Any, told: tuple[tuple[str, ...], str, str]) -> None:
    found = contradicts(of(first), of(second))
    assert found is not None
    assert (found.path, found.first, found.second) == told


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (STRING, {"type": ["string", "null"]}),
        (thing("a", a=STRING), thing(b=INTEGER)),
        (thing(a=STRING), thing(a=INTEGER)),
        (thing("a"), {**thing(a=STRING), "additionalProperties": False}),
        ({}, thing("a")),
        ({"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}),
    ],
)
def test_what_may_agree(first: Any, second: Any) -> None:
    assert contradicts(of(first), of(second)) is None
