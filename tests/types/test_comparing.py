"""What comparisons of two types give, held against comparisons of their values."""

from __future__ import annotations

import operator
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.types.schemas import URIS, judge, pair
from tests.types.values import near_both
from wfc.ir import equal, kind_of
from wfc.passes.types import Verdict, comparable, compared, literal, may_equal, of

MANY = settings(deadline=None, max_examples=200, suppress_health_check=list(HealthCheck))
OPERATORS = {"eq": equal, "ne": lambda left, right: not equal(left, right)} | {
    name: getattr(operator, name) for name in ("lt", "le", "gt", "ge")
}


def agrees(verdict: Verdict, true: bool) -> bool:
    return verdict is not (Verdict.NEVER if true else Verdict.ALWAYS)


@MANY
@given(st.randoms(use_true_random=True))
def test_no_values_contradict_it(draws: random.Random) -> None:
    first, second = pair(draws.randrange)
    left, right = of(first), of(second)
    values = near_both(draws.randrange, first, second, 2)
    mine, theirs = (list(filter(judge(schema), values))[:12] for schema in (first, second))
    ordered, told = comparable(left, right), {op: compared(op, left, right) for op in OPERATORS}
    for one, other in ((one, other) for one in mine for other in theirs):
        kinds = {kind_of(one), kind_of(other)}
        takes = len(kinds) == 1 and kinds <= {"number", "string"}
        assert agrees(ordered, takes), (first, second, one, other)
        for op, compare in OPERATORS.items():
            if takes or op in ("eq", "ne"):
                assert agrees(told[op], compare(one, other)), (op, first, second, one, other)


STRING, INTEGER, NULL = ({"type": kind} for kind in ("string", "integer", "null"))


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (INTEGER, {"type": "number"}, Verdict.ALWAYS),
        (STRING, {"enum": ["a", "b"]}, Verdict.ALWAYS),
        ({"type": ["integer", "null"]}, INTEGER, Verdict.MAYBE),
        ({"type": ["integer", "string"]}, {"type": ["integer", "string"]}, Verdict.MAYBE),
        (STRING, INTEGER, Verdict.NEVER),
        ({"type": "boolean"}, {"type": "boolean"}, Verdict.NEVER),
        (NULL, {}, Verdict.NEVER),
        ({}, STRING, Verdict.MAYBE),
    ],
)
def test_what_has_an_order(left: Any, right: Any, verdict: Verdict) -> None:
    assert comparable(of(left), of(right)) is comparable(of(right), of(left)) is verdict


DRAFT_4 = URIS[4]
COUNT = {"type": "integer", "minimum": 0}


@pytest.mark.parametrize(
    ("left", "op", "right", "verdict"),
    [
        ({"enum": ["a", "b"]}, "eq", "c", Verdict.NEVER),
        ({"enum": ["a", "b"]}, "eq", "a", Verdict.MAYBE),
        ({"enum": ["a", "b"]}, "ne", "c", Verdict.ALWAYS),
        ({"const": 1}, "eq", 1.0, Verdict.ALWAYS),
        ({"const": {"a": [1]}}, "eq", {"a": [1.0]}, Verdict.ALWAYS),
        ({"enum": [{"a": 1}, {"a": 2}]}, "eq", {"a": 1.0}, Verdict.MAYBE),
        (STRING, "eq", None, Verdict.NEVER),
        (INTEGER, "eq", 0.5, Verdict.NEVER),
        (INTEGER, "eq", 1.0, Verdict.MAYBE),
        ({"$schema": DRAFT_4, **INTEGER}, "eq", 1.0, Verdict.MAYBE),
        ({"$schema": DRAFT_4, "properties": {"a": INTEGER}, "required": ["a"]}, "eq", {"a": 1.0}, Verdict.MAYBE),
        ({"$schema": DRAFT_4, **STRING, "maxLength": 1}, "eq", "ab", Verdict.NEVER),
        (COUNT, "ge", 0, Verdict.ALWAYS),
        (COUNT, "lt", 0, Verdict.NEVER),
        (COUNT, "gt", 0, Verdict.MAYBE),
        (COUNT, "lt", 1, Verdict.MAYBE),
        ({"type": ["integer", "null"], "minimum": 0}, "ge", 0, Verdict.MAYBE),
        ({"const": "a"}, "lt", "b", Verdict.ALWAYS),
        ({"type": "number", "exclusiveMinimum": 5}, "le", 5, Verdict.MAYBE),
        ({"type": "number", "exclusiveMinimum": 5}, "lt", 5, Verdict.NEVER),
    ],
)
def test_constant_comparisons(left: Any, op: str, right: Any, verdict: Verdict) -> None:
    assert compared(op, of(left), literal(right)) is verdict


def test_literals_of_one_list_may_be_equal_however_they_are_written() -> None:
    assert may_equal(of({"enum": [1, 2]}), of({"enum": [2.0, 3]})) is Verdict.MAYBE
    assert may_equal(literal([1]), literal([1.0])) is Verdict.ALWAYS
