"""What reading a field, a path or an element gives, and what is said about the keys that a schema does not list."""

from __future__ import annotations

from typing import Any

import pytest

from wfc.ir import Schema
from wfc.passes.types import (
    Verdict,
    at,
    describe,
    elements,
    field,
    fits,
    is_array,
    is_object,
    kept,
    kinds,
    lengths,
    literal,
    of,
    record,
)

ALWAYS, MAYBE, NEVER = Verdict.ALWAYS, Verdict.MAYBE, Verdict.NEVER
STRING, INTEGER = {"type": "string"}, {"type": "integer"}
PERSON = {"type": "object", "properties": {"name": STRING, "age": INTEGER}, "required": ["name"]}
OPEN, CLOSED = {**PERSON, "additionalProperties": True}, {**PERSON, "additionalProperties": False}
NULLABLE = {**PERSON, "type": ["object", "null"]}

# Schema and key; words for the type, whether it is there, whether there is an object, whether it is listed, the others.
FIELDS: list[tuple[Any, str, tuple[str, Verdict, Verdict, bool, str]]] = [
    (PERSON, "name", ("string", ALWAYS, ALWAYS, True, "silent")),
    (PERSON, "age", ("integer", MAYBE, ALWAYS, True, "silent")),
    (PERSON, "size", ("any value", MAYBE, ALWAYS, False, "silent")),
    (OPEN, "size", ("any value", MAYBE, ALWAYS, False, "open")),
    (CLOSED, "size", ("nothing", NEVER, ALWAYS, False, "closed")),
    ({**PERSON, "additionalProperties": INTEGER}, "size", ("integer", MAYBE, ALWAYS, False, "open")),
    ({**CLOSED, "patternProperties": {"^s": INTEGER}}, "size", ("integer", MAYBE, ALWAYS, True, "closed")),
    ({"type": "object"}, "size", ("any value", MAYBE, ALWAYS, False, "open")),
    ({"type": "object", "properties": {}}, "size", ("any value", MAYBE, ALWAYS, False, "silent")),
    ({"type": "object", "required": ["size"]}, "size", ("any value", ALWAYS, ALWAYS, False, "open")),
    (NULLABLE, "name", ("string", MAYBE, MAYBE, True, "silent")),
    ({}, "name", ("any value", MAYBE, MAYBE, False, "open")),
    (STRING, "name", ("nothing", NEVER, NEVER, False, "closed")),
    (
        {"allOf": [PERSON, {"properties": {"name": {"minLength": 1}}}]},
        "name",
        ("non-empty string", ALWAYS, ALWAYS, True, "silent"),
    ),
    (
        {"anyOf": [PERSON, {"type": "object", "required": ["id"]}]},
        "name",
        ("string or any value", MAYBE, ALWAYS, True, "silent"),
    ),
    ({"anyOf": [CLOSED, {**CLOSED, "required": []}]}, "name", ("string", MAYBE, ALWAYS, True, "closed")),
    ({"properties": {"name": False}, "type": "object"}, "name", ("nothing", NEVER, ALWAYS, True, "silent")),
    ({"const": {"name": "x"}}, "name", ('"x"', ALWAYS, ALWAYS, False, "closed")),
    ({"enum": [{"name": "x"}, {"name": "y"}, {}]}, "name", ('"x" | "y"', MAYBE, ALWAYS, False, "closed")),
]


@pytest.mark.parametrize(("schema", "name", "told"), FIELDS)
def test_a_field(schema: Any, name: str, told: tuple[str, Verdict, Verdict, bool, str]) -> None:
    found = field(of(schema), name)
    words = describe(found.type) if told[0] != "string or any value" else told[0]
    assert (words, found.presence, found.container, found.listed, found.further) == told


HOUSE = {
    "type": "object",
    "properties": {"owner": PERSON, "guest": NULLABLE, "door": STRING, "sure": {**NULLABLE, "required": ["name"]}},
    "required": ["owner", "door"],
}


@pytest.mark.parametrize(
    ("path", "words", "presence", "failing", "through"),
    [
        ((), "object with door, owner, guest?, sure?", ALWAYS, None, False),
        (("owner",), "object with name, age?", ALWAYS, None, False),
        (("owner", "name"), "string", ALWAYS, None, False),
        (("owner", "age"), "integer", MAYBE, 1, False),
        (("guest", "name"), "string", MAYBE, 0, False),
        (("door", "name"), "nothing", NEVER, 1, True),
        (("door", "name", "first"), "nothing", NEVER, 1, True),
        (("owner", "name", "first"), "nothing", NEVER, 2, True),
    ],
)
def test_a_path(path: tuple[str, ...], words: str, presence: Verdict, failing: int | None, through: bool) -> None:
    found = at(of(HOUSE), path)
    assert (describe(found.type), found.presence, found.failing, found.through) == (words, presence, failing, through)


def test_a_path_that_may_lead_through_a_null() -> None:
    found = at(record({"guest": (of(NULLABLE), True)}), ("guest", "name"))
    assert (found.presence, found.failing, found.through) == (MAYBE, 1, True)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, {"null", "boolean", "number", "string", "array", "object"}),
        (False, set()),
        ({"type": ["integer", "null"]}, {"number", "null"}),
        ({"enum": [1, "a", []]}, {"number", "string", "array"}),
        ({"type": ["object", "string"], "properties": {"a": False}, "required": ["a"]}, {"string"}),
        ({"not": {"type": ["object", "array", "string"]}}, {"null", "boolean", "number"}),
    ],
)
def test_kinds(schema: Any, expected: set[str]) -> None:
    assert kinds(of(schema)) == expected


def test_arrays_and_objects() -> None:
    several = of({"type": ["array", "null"]})
    assert [is_array(each) for each in (of({"type": "array"}), several, of(STRING))] == [ALWAYS, MAYBE, NEVER]
    assert [is_object(each) for each in (of(PERSON), of({}), several)] == [ALWAYS, MAYBE, NEVER]


@pytest.mark.parametrize(
    ("schema", "words", "limits"),
    [
        ({"type": "array", "items": STRING}, "string", (0, None)),
        ({"type": "array", "items": STRING, "minItems": 1, "maxItems": 3}, "string", (1, 3)),
        ({"type": "array", "prefixItems": [STRING], "items": INTEGER}, "string or integer", (0, None)),
        ({"type": "array", "prefixItems": [STRING], "items": False}, "string", (0, 1)),
        ({"const": [1, "a"]}, '1 | "a"', (2, 2)),
        ({"type": ["array", "null"], "items": STRING}, "string", (0, None)),
        (STRING, "nothing", (0, 0)),
        ({"anyOf": [{"type": "array", "items": STRING, "minItems": 2}, {"const": [1]}]}, "string or 1", (1, None)),
    ],
)
def test_elements(schema: Any, words: str, limits: tuple[int, int | None]) -> None:
    assert (describe(elements(of(schema))), lengths(of(schema))) == (words, limits)


def test_literals_are_read_like_any_type() -> None:
    given = literal({"a": [1, {"b": None}]})
    assert describe(at(given, ("a",)).type) == '[1,{"b":null}]'
    assert describe(elements(field(given, "a").type)) == '1 | {"b":null}'


@pytest.mark.parametrize(
    ("schema", "target", "verdict"),
    [
        (PERSON, CLOSED, ALWAYS),
        (OPEN, CLOSED, MAYBE),
        ({"anyOf": [PERSON, {"properties": {"size": INTEGER}, "type": "object"}]}, CLOSED, MAYBE),
        ({"type": "object"}, CLOSED, MAYBE),
        (
            {"allOf": [PERSON], "patternProperties": {"^x": STRING}},
            {**CLOSED, "patternProperties": {"^x": STRING}},
            ALWAYS,
        ),
    ],
)
def test_an_output_keeps_only_what_its_schema_lists(schema: Any, target: Any, verdict: Verdict) -> None:
    assert fits(kept(Schema.of(schema)), of(target)).verdict is verdict
