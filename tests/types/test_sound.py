"""ALWAYS and NEVER are never wrong: what is said of two schemas is held against the judge on values close to both."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.types.schemas import NAMES, judge, pair
from tests.types.values import near_both
from wfc.ir import kind_of
from wfc.passes.types import Verdict, elements, field, fits, holds, is_empty, kinds, lengths, of, sample
from wfc.passes.types.atoms import atoms_of
from wfc.passes.types.forms import made

# A seed a time: thousands of pairs are worth more than small ones.
RANDOMS = st.randoms(use_true_random=True)
MANY = settings(deadline=None, max_examples=600, suppress_health_check=list(HealthCheck))


@MANY
@given(RANDOMS)
def test_no_value_contradicts_a_fit(draws: random.Random) -> None:
    source, target = pair(draws.randrange)
    fit = fits(of(source), of(target))
    in_source, in_target = judge(source), judge(target)
    if fit.witness is not None:
        assert in_source(fit.witness[0]) and not in_target(fit.witness[0])
    for value in near_both(draws.randrange, source, target):
        if in_source(value):
            assert fit.verdict is not (Verdict.NEVER if in_target(value) else Verdict.ALWAYS), (source, target, value)


@MANY
@given(RANDOMS)
def test_atoms_are_exactly_the_schema(draws: random.Random) -> None:
    source, target = pair(draws.randrange)
    accepts, type = judge(source), made(*atoms_of(of(source)))
    for value in near_both(draws.randrange, source, target, 3):
        assert holds(type, value) in (None, accepts(value)), (source, value)


@MANY
@given(RANDOMS)
def test_samples_are_of_the_schema_and_empty_ones_have_none(draws: random.Random) -> None:
    source, target = pair(draws.randrange)
    accepts, empty = judge(source), is_empty(of(source))
    found = sample(of(source))
    assert found is None or (accepts(found[0]) and not empty), source
    assert not empty or not any(map(accepts, near_both(draws.randrange, source, target, 3))), source


@MANY
@given(RANDOMS)
def test_values_are_read_as_it_is_told(draws: random.Random) -> None:
    source, target = pair(draws.randrange)
    accepts = judge(source)
    for value in near_both(draws.randrange, source, target, 3):
        if accepts(value):
            is_read_as_told(source, value)


def is_read_as_told(schema: Any, value: Any) -> None:
    type = of(schema)
    assert kind_of(value) in kinds(type), (schema, value)
    if isinstance(value, list):
        least, most = lengths(type)
        assert least <= len(value) and (most is None or len(value) <= most), (schema, value)
        assert all(holds(elements(type), item) is not False for item in value), (schema, value)
    for name in (*NAMES, "zz"):
        found = field(type, name)
        there = isinstance(value, dict) and name in value
        assert found.presence is not (Verdict.NEVER if there else Verdict.ALWAYS), (schema, value, name)
        assert found.container is not (Verdict.NEVER if isinstance(value, dict) else Verdict.ALWAYS), (schema, value)
        assert not there or holds(found.type, value[name]) is not False, (schema, value, name)


def test_the_values_bite() -> None:
    """Of the values some are of both schemas, some of one and some of none, so that a wrong answer is seen."""
    draws = random.Random(5)
    seen = {(inside, also): 0 for inside in (True, False) for also in (True, False)}
    for _ in range(100):
        source, target = pair(draws.randrange)
        in_source, in_target = judge(source), judge(target)
        for value in near_both(draws.randrange, source, target):
            seen[in_source(value), in_target(value)] += 1
    assert min(seen.values()) > 250, seen
