"""Types that are put together hold exactly what the parts say, and fit as their values do."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.types.schemas import CONSTANTS, judge, one
from tests.types.values import near_both
from wfc.ir import equal, kind_of
from wfc.passes.types import (
    ANYTHING,
    NOTHING,
    Type,
    Verdict,
    array_of,
    both,
    describe,
    either,
    equal_to,
    field,
    fits,
    holds,
    is_empty,
    kinds,
    literal,
    of,
    only,
    open_record,
    record,
    sample,
    without,
)

MANY = settings(deadline=None, max_examples=120, suppress_health_check=list(HealthCheck))
RANDOMS = st.randoms(use_true_random=True)
Holds = Callable[[Any], bool]


def has_fields(value: Any, first: Holds, second: Holds) -> bool:
    """An object with a field `a`, perhaps one `b`."""
    return isinstance(value, dict) and "a" in value and first(value["a"]) and ("b" not in value or second(value["b"]))


def put_together(first: Any, second: Any, constant: Any) -> list[tuple[Type, Holds]]:
    """Types made of two schemas and a literal, each with what it should hold."""
    mine, theirs = judge(first), judge(second)
    one_type, other = of(first), of(second)
    fields = {"a": (one_type, True), "b": (other, False)}
    return [
        (both(one_type, other), lambda value: mine(value) and theirs(value)),
        (either(one_type, other), lambda value: mine(value) or theirs(value)),
        (without(one_type, constant), lambda value: mine(value) and not equal(value, constant)),
        (only(one_type, constant), lambda value: mine(value) and equal(value, constant)),
        (
            array_of(one_type, 1, 2),
            lambda value: isinstance(value, list) and 0 < len(value) < 3 and all(map(mine, value)),
        ),
        (record(fields), lambda value: has_fields(value, mine, theirs) and value.keys() <= {"a", "b"}),
        (open_record(fields), lambda value: has_fields(value, mine, theirs)),
    ]


@MANY
@given(RANDOMS, st.sampled_from(CONSTANTS))
def test_they_hold_and_fit_what_their_parts_say(draws: random.Random, constant: Any) -> None:
    first, second, third = (one(draws.randrange) for _ in range(3))
    wanted, target = judge(third), of(third)
    near = near_both(draws.randrange, first, second, 1)
    values = [*near, *([item] for item in near), *({"a": item, "b": near[-1]} for item in near), {"a": near[0], "c": 1}]
    for type, should in put_together(first, second, constant):
        there, back = fits(type, target), fits(target, type)
        for value in (each.witness for each in (there, back)):
            assert value is None or should(value[0]) is not wanted(value[0])
        assert describe(type)
        found = sample(type)
        assert found is None or (should(found[0]) and not is_empty(type))
        for value in values:
            inside, also = should(value), wanted(value)
            told = (first, second, constant, third, value)
            assert holds(type, value) in (None, inside), told
            assert not (inside and not also and there.verdict is Verdict.ALWAYS), told
            assert not (also and not inside and back.verdict is Verdict.ALWAYS), told
            assert not (inside and also and Verdict.NEVER in (there.verdict, back.verdict)), told
            assert not inside or kind_of(value) in kinds(type), told


@MANY
@given(RANDOMS)
def test_a_literal_fits_as_the_judge_says(draws: random.Random) -> None:
    schema = one(draws.randrange)
    accepts = judge(schema)
    for value in near_both(draws.randrange, schema, schema, 2):
        assert fits(literal(value), of(schema)).verdict is (Verdict.ALWAYS if accepts(value) else Verdict.NEVER)
        for name in ("a", "b"):
            there = isinstance(value, dict) and name in value
            assert field(literal(value), name).presence is (Verdict.ALWAYS if there else Verdict.NEVER)


STRING, NULLABLE = of({"type": "string"}), of({"type": ["string", "null"]})
LEVELS = of({"enum": ["low", "high", None]})


@pytest.mark.parametrize(
    ("type", "words"),
    [
        (without(NULLABLE, None), "string"),
        (without(LEVELS, None), '"low" | "high"'),
        (without(LEVELS, "low"), '"high" | null'),
        (without(of({"type": "boolean"}), True), "false"),
        (only(NULLABLE, None), "null"),
        (only(STRING, "a"), '"a"'),
        (only(STRING, 1), "nothing"),
        (only(of({"type": "number"}), 1), "1"),
        (both(of({"type": "integer", "minimum": 1}), of({"type": "number", "maximum": 3})), "integer >= 1 and <= 3"),
        (both(STRING, of({"type": "null"})), "nothing"),
        (either(STRING, of({"type": "null"})), "string or null"),
        (either(), "nothing"),
        (both(), "any value"),
    ],
)
def test_what_is_left(type: Type, words: str) -> None:
    assert describe(type) == words


def test_what_is_nothing_and_what_is_anything() -> None:
    assert of(True) is of({"title": "any"}) is both() is both(ANYTHING) is either(STRING, ANYTHING) is ANYTHING
    assert (
        of(False)
        is either()
        is both(STRING, NOTHING)
        is array_of(NOTHING, 1)
        is record({"a": (NOTHING, True)})
        is NOTHING
    )
    assert is_empty(both(STRING, of({"type": "null"}))) and not is_empty(array_of(NOTHING))


def test_objects_of_more_keys_than_there_can_be_are_none() -> None:
    one_key = {"type": "object", "properties": {"a": {}, "b": False}, "additionalProperties": False}
    assert is_empty(of({**one_key, "minProperties": 2}))
    assert not is_empty(of({**one_key, "minProperties": 1}))


def test_what_is_the_same_is_one_type() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert of(schema) is of(dict(reversed(schema.items())))
    assert field(of(schema), "a").type is STRING
    assert literal("a") is equal_to("a") and literal(1) is not equal_to(1)
    assert either(STRING, either(NULLABLE, STRING)) is either(STRING, NULLABLE)
