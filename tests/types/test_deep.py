"""Depth, length and recursion are ordinary: no answer costs Python's stack, and all of them come to an end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from wfc.passes.types import (
    Verdict,
    array_of,
    at,
    both,
    contradicts,
    describe,
    fits,
    holds,
    is_empty,
    literal,
    may_equal,
    of,
    sample,
    without,
)

# A schema may be 200 levels deep; most keywords take two.
LEVELS = 95
STRING, NULLABLE = {"type": "string"}, {"type": ["string", "null"]}
AROUND: dict[str, Callable[[Any], Any]] = {
    "properties": lambda inner: {"type": "object", "properties": {"a": inner}, "required": ["a"]},
    "items": lambda inner: {"type": "array", "items": inner, "minItems": 1},
    "additionalProperties": lambda inner: {"type": "object", "additionalProperties": inner, "minProperties": 1},
    "allOf": lambda inner: {"allOf": [inner, {}]},
    "anyOf": lambda inner: {"anyOf": [inner, {"type": "boolean"}]},
    "oneOf": lambda inner: {"oneOf": [inner, {"type": "boolean"}]},
}


@pytest.fixture(autouse=True)
def shallow_stack() -> Iterator[None]:
    """What costs three calls a level would not fit; the encoder of JSON itself needs one a level."""
    limit, frame, depth = sys.getrecursionlimit(), sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(depth + 260)
    yield
    sys.setrecursionlimit(limit)


def nested(inner: Any, around: Callable[[Any], Any], levels: int = LEVELS) -> Any:
    for _ in range(levels):
        inner = around(inner)
    return inner


@pytest.mark.parametrize("keyword", AROUND)
def test_every_question_about_a_deep_schema(keyword: str) -> None:
    narrow, wide, other = (of(nested(leaf, AROUND[keyword])) for leaf in (STRING, NULLABLE, {"type": "integer"}))
    assert fits(narrow, wide).verdict is Verdict.ALWAYS
    assert fits(wide, narrow).verdict is Verdict.MAYBE
    found = fits(narrow, other)
    assert found.verdict is (Verdict.MAYBE if keyword in ("anyOf", "oneOf") else Verdict.NEVER)
    assert fits(both(narrow, wide), narrow).verdict is Verdict.ALWAYS
    assert fits(without(narrow, None), narrow).verdict is Verdict.ALWAYS
    assert is_empty(both(narrow, other)) is (found.verdict is Verdict.NEVER)
    assert may_equal(narrow, other) is found.verdict
    assert (contradicts(narrow, other) is None) is (found.verdict is Verdict.MAYBE)
    assert sample(narrow) is not None and describe(narrow)


def test_a_path_as_deep_as_the_schema() -> None:
    found = at(of(nested(STRING, AROUND["properties"])), ("a",) * LEVELS)
    assert (found.type, found.presence) == (of(STRING), Verdict.ALWAYS)


def test_types_that_are_made_without_a_schema_may_be_deeper_still() -> None:
    narrow, wide = (nested(of(leaf), array_of, 5000) for leaf in (STRING, NULLABLE))
    assert fits(narrow, wide).verdict is Verdict.ALWAYS
    assert fits(wide, narrow).verdict is Verdict.MAYBE
    assert holds(narrow, nested("x", lambda inner: [inner], 150)) is False
    assert sample(narrow) == ([],) and describe(narrow)


def test_a_literal_as_deep_as_there_are() -> None:
    found = fits(literal(nested(1, lambda inner: [inner], 190)), of({"type": "array", "items": {"type": "array"}}))
    assert found.verdict is Verdict.ALWAYS


def chain(length: int, beside: dict[str, Any], last: Any) -> Any:
    definitions = {f"d{index}": {"$ref": f"#/$defs/d{index + 1}", **beside} for index in range(length)}
    return {"$defs": {**definitions, f"d{length}": last}, "$ref": "#/$defs/d0"}


@pytest.mark.parametrize("beside", [{}, {"minLength": 1}, {"anyOf": [{}, {"type": "null"}]}])
def test_a_chain_of_a_thousand_references(beside: dict[str, Any]) -> None:
    assert fits(of(chain(1000, beside, STRING)), of(STRING)).verdict is Verdict.ALWAYS


def test_a_thousand_definitions_inside_one_another() -> None:
    def inside(last: Any) -> Any:
        fields = [{"type": "object", "properties": {"a": {"$ref": f"#/$defs/d{index + 1}"}}} for index in range(1000)]
        return {"$defs": {f"d{index}": each for index, each in enumerate([*fields, last])}, "$ref": "#/$defs/d0"}

    narrow, wide = of(inside(STRING)), of(inside(NULLABLE))
    assert fits(narrow, wide).verdict is Verdict.ALWAYS
    assert fits(wide, narrow).verdict is Verdict.MAYBE
    assert at(wide, ("a",) * 1000).type is of(NULLABLE)


def test_references_that_lead_only_to_one_another_tell_nothing() -> None:
    circle = {
        "$defs": {f"d{index}": {"$ref": f"#/$defs/d{(index + 1) % 300}"} for index in range(300)},
        "$ref": "#/$defs/d0",
    }
    for around in (circle, {**circle, "type": "string"}, {"not": {"$ref": "#"}}, {"anyOf": [{"$ref": "#"}, STRING]}):
        assert fits(of(around), of({"type": "integer"})).verdict is not Verdict.ALWAYS


def test_a_type_of_endless_values_is_empty() -> None:
    endless = {"$defs": {"n": AROUND["properties"]({"$ref": "#/$defs/n"})}, "$ref": "#/$defs/n"}
    assert is_empty(of(endless))
    assert sample(of(endless)) is None


def test_a_contradiction_inside_a_definition_does_not_prove_itself() -> None:
    """`m` is no value of `b`: that it is one of `a`, which is not `b`, must not follow from itself."""
    b = {"$defs": {"b": {"type": "integer", "minimum": 3}}}
    twice = of({**b, "not": {"not": {"$ref": "#/$defs/b"}}})
    assert fits(twice, of({"type": "integer", "maximum": 2})).verdict is Verdict.NEVER
    assert fits(of({"type": "integer", "minimum": 4}), twice).verdict is Verdict.ALWAYS
    assert not is_empty(twice)


def test_twenty_kinds_of_nodes_that_hold_one_another() -> None:
    def grammar(leaf: Any, *required: str) -> Any:
        nodes, many = {}, {"type": "array", "items": leaf}
        for index in range(20):
            targets = [{"$ref": f"#/$defs/n{(index * 7 + number) % 20}"} for number in range(6)]
            children = {f"c{number}": {"anyOf": [target, many]} for number, target in enumerate(targets)}
            tag = {"kind": {"const": f"n{index}"}}
            nodes[f"n{index}"] = {"type": "object", "properties": {**tag, **children}, "required": ["kind", *required]}
        return {"$defs": nodes, "oneOf": [{"$ref": f"#/$defs/n{index}"} for index in range(20)]}

    assert fits(of(grammar(STRING, "c1")), of(grammar(NULLABLE))).verdict is Verdict.ALWAYS
    assert fits(of(grammar(NULLABLE)), of(grammar(STRING))).verdict is Verdict.MAYBE


def test_alternatives_without_number() -> None:
    """More than are multiplied out: the others stay tests on each value, and nothing becomes wrong."""
    fields = [f"f{index}" for index in range(24)]
    many = {"type": "object", "dependentRequired": {name: [other] for name, other in pairwise(fields)}}
    assert fits(of(many), of({**many, "title": "again"})).verdict is not Verdict.NEVER
    assert fits(of({"type": "object", "additionalProperties": False}), of(many)).verdict is Verdict.ALWAYS
    lacking = {"type": "object", "required": ["f0"], "properties": {"f1": False}}
    assert fits(of(lacking), of(many)).verdict is not Verdict.ALWAYS
    words = {"enum": [f"word{index}" for index in range(5000)]}
    assert fits(of({"enum": ["word7", "word4999"]}), of(words)).verdict is Verdict.ALWAYS
    assert fits(of(words), of(STRING)).verdict is Verdict.ALWAYS
    tags = [{"type": "object", "properties": {"k": {"const": f"t{index}"}}, "required": ["k"]} for index in range(100)]
    assert fits(of({"oneOf": tags}), of({"anyOf": tags})).verdict is Verdict.ALWAYS
    assert fits(of(tags[40]), of({"oneOf": tags})).verdict is Verdict.ALWAYS


def test_a_question_is_answered_once() -> None:
    source, target = of({"type": "object", "title": "once"}), of({"type": "object", "title": "twice"})
    first = fits(source, target)
    assert fits(of({"type": "object", "title": "once"}), of({"title": "twice", "type": "object"})) is first
