"""Two schemas disagree only where their shape says so beyond doubt."""

from typing import Any

import pytest

from wfc.ir import Schema
from wfc.passes.outside.contracts import disagreement

AGREE: list[tuple[Any, Any]] = [
    (True, {"type": "string"}),
    ({"type": "integer"}, {"type": "number"}),
    ({"type": ["string", "null"]}, {"type": ["null", "object"]}),
    ({"enum": [1, 2]}, {"enum": [2, 3]}),
    ({"enum": [1, 2]}, {"type": "integer"}),
    ({"const": 1}, {"type": "number"}),
    ({"const": 1.0}, {"type": "integer"}),
    ({"type": "object", "required": ["a"]}, {"type": "object", "properties": {"b": {}}}),
    ({"type": "object", "required": ["a"]}, {"type": "object", "properties": {"a": {}}, "additionalProperties": False}),
    ({"required": ["a"]}, {"type": "object", "patternProperties": {"^a": {}}, "additionalProperties": False}),
    (
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {"type": "object", "properties": {"a": {"type": "null"}}},
    ),
    ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, {"type": "object"}),
    ({"anyOf": [{"type": "string"}]}, {"type": "object"}),
    ({"minimum": 5}, {"maximum": 4}),
]
DISAGREE: list[tuple[Any, Any]] = [
    (False, True),
    ({"type": "string"}, {"type": "object"}),
    ({"type": ["string", "null"]}, {"type": ["integer", "array"]}),
    ({"enum": [1, 2]}, {"enum": [3]}),
    ({"const": "a"}, {"type": "integer"}),
    ({"const": 1.5}, {"type": "integer"}),
    ({"type": "object", "required": ["a"]}, {"type": "object", "properties": {"a": False}}),
    ({"type": "object", "required": ["a"]}, {"type": "object", "properties": {"b": {}}, "additionalProperties": False}),
    (
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "null"}}},
    ),
    (
        {"type": "object", "properties": {"a": {"type": "object", "required": ["b"]}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": False}}}},
    ),
]


@pytest.mark.parametrize(("first", "second"), AGREE)
def test_they_may_agree(first: Any, second: Any) -> None:
    assert disagreement(Schema.of(first), Schema.of(second)) is None
    assert disagreement(Schema.of(second), Schema.of(first)) is None


@pytest.mark.parametrize(("first", "second"), DISAGREE)
def test_they_disagree(first: Any, second: Any) -> None:
    assert disagreement(Schema.of(first), Schema.of(second))
    assert disagreement(Schema.of(second), Schema.of(first))


def test_deep_schemas_are_compared() -> None:
    def nested(last: Any) -> Any:
        for _ in range(60):
            last = {"type": "object", "properties": {"a": last}, "required": ["a"]}
        return Schema.of(last)

    assert disagreement(nested({"type": "string"}), nested({"type": "null"})) is not None
    assert disagreement(nested({"type": "string"}), nested({})) is None
