"""What nodes of `wf.std` return is of the types that are told, and these are as narrow as 1.9 lets them be."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.types.schemas import Schemas, buildable, judge
from tests.types.values import near_both
from wfc.backends.sources import std as real
from wfc.ir import NodeFailed
from wfc.ir.std import BUILTINS, BY_KEY
from wfc.passes.types import (
    NOTHING,
    Type,
    Verdict,
    describe,
    field,
    fits,
    holds,
    is_empty,
    literal,
    of,
    record,
    sample,
    std_outputs,
)

MANY = settings(deadline=None, max_examples=600, suppress_health_check=list(HealthCheck))
STRING, INTEGER, NUMBER = ({"type": kind} for kind in ("string", "integer", "number"))
OPTIONAL = ("end", "descending")
PERSON = {"type": "object", "properties": {"a": STRING, "n": INTEGER}, "required": ["a"]}
# What an input needs to be for a node to give something, where its contract does not say so.
WANTED: dict[str, Any] = {
    "field": {"enum": ["a", "b"]},
    "fields": {"enum": [["a"], ["a", "b"], []]},
    "text": {"enum": ["a", "{a}", "[1]", "{}", '"x"', "1.5", "{"]},
    "count": {"type": "integer", "minimum": 0, "maximum": 5},
}


class Inputs:
    """Random schemas for the inputs of a node, and values of them."""

    def __init__(self, draws: random.Random, key: str) -> None:
        self.draws, self.key = draws, key
        self.schemas = Schemas(draws.randrange, 2020)
        self.schemas.names = []
        names = list(BY_KEY[key].input.get("properties", {"a": 0, "b": 0}))
        self.given = {name: self.schema(name) for name in names if name not in OPTIONAL or draws.random() < 0.5}

    def schema(self, name: str) -> Any:
        if name in WANTED and self.draws.random() < 0.8:
            return WANTED[name]
        contract = BY_KEY[self.key].input.get("properties", {}).get(name, {})
        kind = contract.get("type") or self.schemas.pick(("object", "array", "string"))
        return buildable(lambda: self.narrowed(contract, kind))

    def narrowed(self, contract: Any, kind: str) -> Any:
        if "enum" in contract or self.draws.random() < 0.2:
            return contract or self.schemas.document()
        own = self.schemas.own(kind, 2)
        if "items" in contract:
            own["items"] = {**contract["items"], **self.schemas.own(contract["items"]["type"], 1)}
        elif kind == "array" and self.key in ("pluck", "filter_equal", "sort_by"):
            own["items"] = {"type": "object", **self.schemas.object(1)}
        return {**own, **{word: held for word, held in contract.items() if word != "items"}}

    def value(self, name: str) -> tuple[Any] | None:
        """A value of an input, in a one-tuple; none where none was found."""
        accepts = judge(self.given[name])
        near = near_both(self.draws.randrange, self.given[name], True, 2)
        return next(((value,) for value in near if accepts(value)), None) or sample(of(self.given[name]))


def payload_types(given: dict[str, Type]) -> list[Any]:
    """What is bound, field by field and as one payload, whose optional fields may be missing as well."""
    surely = {name: (type, True) for name, type in given.items()}
    return [given, record(surely), record({name: (type, name not in OPTIONAL) for name, type in given.items()})]


@MANY
@given(
    st.randoms(use_true_random=True), st.sampled_from([builtin.key for builtin in BUILTINS if builtin.key != "fail"])
)
def test_what_a_node_gives_is_of_the_type(draws: random.Random, key: str) -> None:
    inputs = Inputs(draws, key)
    values = {name: inputs.value(name) for name in inputs.given}
    types = {name: of(schema) for name, schema in inputs.given.items()}
    fixed = {name for name in types if draws.random() < 0.3}
    for name, value in values.items():
        if value is None:
            return
        types[name] = literal(value[0]) if name in fixed else types[name]
    told = [std_outputs(key, given) for given in payload_types(types)]
    for _ in range(4):
        fresh = {name: value if name in fixed else inputs.value(name) for name, value in values.items()}
        payload = {name: value[0] for name, value in fresh.items() if value is not None}
        try:
            outcome, output = real.NODES[key](payload)
        except NodeFailed:
            continue
        for outputs in told:
            assert holds(outputs[outcome], output), (key, inputs.given, payload, output, describe(outputs[outcome]))


def test_every_outcome_of_every_node_is_told() -> None:
    for builtin in BUILTINS:
        assert tuple(std_outputs(builtin.key, {})) == builtin.outcomes


def test_the_contract_of_a_node_holds_what_is_told_of_it() -> None:
    for builtin in BUILTINS:
        bound = {name: of(schema) for name, schema in builtin.input.get("properties", {"a": STRING}).items()}
        outputs = std_outputs(builtin.key, bound)
        assert fits(outputs["ok"], of(builtin.output)).verdict is Verdict.ALWAYS, builtin.key
        assert is_empty(outputs["ok"]) is (builtin.key == "fail")
        for outcome, schema in builtin.others.items():
            assert fits(outputs[outcome], of(schema)).verdict is Verdict.ALWAYS


def many(items: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


def lit(value: Any) -> Any:
    return {"const": value}


GIVES: list[tuple[str, dict[str, Any], str, Any]] = [
    ("identity", {"value": PERSON}, "value", PERSON),
    ("index", {"array": many(PERSON), "position": INTEGER}, "value", PERSON),
    (
        "index",
        {"array": {"type": "array", "prefixItems": [STRING], "items": INTEGER}, "position": lit(0)},
        "value",
        STRING,
    ),
    (
        "index",
        {"array": {"type": "array", "prefixItems": [STRING], "items": INTEGER}, "position": lit(1)},
        "value",
        INTEGER,
    ),
    ("count", {"array": many(STRING)}, "count", {"type": "integer", "minimum": 0}),
    (
        "count",
        {"array": many(STRING, minItems=1, maxItems=3)},
        "count",
        {"type": "integer", "minimum": 1, "maximum": 3},
    ),
    ("pluck", {"array": many(PERSON, minItems=1), "field": lit("a")}, "values", many(STRING, minItems=1)),
    ("concat", {"arrays": many(many(STRING))}, "array", many(STRING)),
    ("concat", {"arrays": many(many(STRING, minItems=2), minItems=1)}, "array", many(STRING, minItems=2)),
    ("calculate", {"operator": lit("+"), "left": INTEGER, "right": INTEGER}, "value", INTEGER),
    (
        "calculate",
        {"operator": lit("+"), "left": {"type": "integer", "minimum": 0}, "right": lit(1)},
        "value",
        {"type": "integer", "minimum": 1},
    ),
    (
        "calculate",
        {"operator": lit("-"), "left": {"type": "integer", "maximum": 5}, "right": lit(1)},
        "value",
        {"type": "integer", "maximum": 4},
    ),
    ("calculate", {"operator": lit("*"), "left": INTEGER, "right": NUMBER}, "value", NUMBER),
    ("calculate", {"operator": lit("//"), "left": NUMBER, "right": NUMBER}, "value", INTEGER),
    (
        "calculate",
        {"operator": lit("%"), "left": INTEGER, "right": lit(3)},
        "value",
        {"type": "integer", "minimum": 0, "maximum": 2},
    ),
    ("calculate", {"operator": {"enum": ["+", "/"]}, "left": INTEGER, "right": INTEGER}, "value", NUMBER),
    ("slice", {"array": many(PERSON, maxItems=9), "start": INTEGER}, "array", many(PERSON, maxItems=9)),
    (
        "slice",
        {"array": many(STRING, minItems=3), "start": lit(1), "end": lit(3)},
        "array",
        many(STRING, minItems=2, maxItems=2),
    ),
    (
        "range",
        {"count": {"type": "integer", "minimum": 0, "maximum": 4}},
        "array",
        many({"type": "integer", "minimum": 0, "maximum": 3}, maxItems=4),
    ),
    ("unique", {"array": many(STRING, minItems=3)}, "array", many(STRING, minItems=1, uniqueItems=True)),
    ("join_text", {"array": many(STRING), "separator": STRING}, "text", STRING),
    ("template", {"text": STRING, "values": {"type": "object"}}, "text", STRING),
    (
        "pick",
        {"object": {**PERSON, "additionalProperties": False}, "fields": lit(["a", "n", "z"])},
        "object",
        {**PERSON, "additionalProperties": False},
    ),
    (
        "pick",
        {"object": PERSON, "fields": many(STRING)},
        "object",
        {"type": "object", "properties": {"a": STRING, "n": INTEGER}},
    ),
    ("merge", {"objects": many(PERSON, minItems=1)}, "object", PERSON),
    ("merge", {"objects": many(PERSON)}, "object", {"type": "object", "properties": {"a": STRING, "n": INTEGER}}),
    ("merge", {"objects": lit([{"a": 1, "b": 2}, {"a": "x"}])}, "object", lit({"a": "x", "b": 2})),
    ("sum", {"array": many(INTEGER)}, "sum", INTEGER),
    ("sum", {"array": many({"type": "number", "minimum": 0})}, "sum", {"type": "number", "minimum": 0}),
    (
        "sum",
        {"array": many({"type": "integer", "minimum": 1, "maximum": 2}, minItems=2, maxItems=5)},
        "sum",
        {"type": "integer", "minimum": 2, "maximum": 10},
    ),
    (
        "filter_equal",
        {"array": many(PERSON), "field": lit("n"), "value": lit(3)},
        "array",
        many({"type": "object", "properties": {"a": STRING, "n": lit(3)}, "required": ["a", "n"]}),
    ),
    (
        "sort_by",
        {"array": many(PERSON, minItems=1), "field": lit("n")},
        "array",
        many({**PERSON, "required": ["a", "n"]}, minItems=1),
    ),
    ("to_json", {"value": {}}, "text", {"type": "string", "minLength": 1}),
]


@pytest.mark.parametrize(("key", "inputs", "name", "schema"), GIVES)
def test_what_follows_from_what_is_bound(key: str, inputs: dict[str, Any], name: str, schema: Any) -> None:
    outputs = std_outputs(key, {each: of(given) for each, given in inputs.items()})
    found = field(outputs["ok"], name)
    assert (found.presence, found.further) == (Verdict.ALWAYS, "closed")
    if key == "merge" and "const" in schema:
        assert describe(found.type) == "object with a, b"
        assert fits(of(schema), found.type).verdict is Verdict.ALWAYS
        return
    assert fits(found.type, of(schema)).verdict is Verdict.ALWAYS, describe(found.type)


def test_a_record_gives_what_it_is_given() -> None:
    outputs = std_outputs("record", {"name": of(STRING), "age": of(INTEGER)})
    assert outputs["ok"] is record({"name": (of(STRING), True), "age": (of(INTEGER), True)})


def test_what_is_not_bound_leads_to_no_output() -> None:
    assert std_outputs("identity", {})["ok"] is NOTHING
    assert describe(std_outputs("parse_json", {})["invalid"]) == "object with message"
