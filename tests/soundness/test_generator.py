"""The generator keeps its promises: values fit their schemas, relatives of schemas are wider or narrower, and so on."""

from __future__ import annotations

from collections import Counter
from random import Random

import jsonschema_rs
import pytest

from tests.soundness import generate, scene, shapes, values
from tests.soundness.judge import features
from tests.soundness.play import play
from tests.soundness.shapes import Json
from wfc.diagnostics import Severity
from wfc.driver import compile_checked
from wfc.ir import REDUCERS
from wfc.vm import link

NUMBERS = range(150)
FEW = range(60)


def valid(schema: Json, value: object) -> bool:
    return jsonschema_rs.validator_for(schema).is_valid(value)


@pytest.mark.parametrize("make", [shapes.schema, lambda rng: scene.bare(scene.field(rng, False)[1])])
def test_values_fit_their_schemas(make: object) -> None:
    for number in NUMBERS:
        rng = Random(number)
        schema = make(rng)  # type: ignore[operator]
        for _ in range(5):
            value = values.value(rng, schema)
            assert valid(schema, value), (schema, value)


def test_relatives_are_what_they_are_called() -> None:
    for number in NUMBERS:
        rng = Random(number)
        schema = shapes.schema(rng)
        wide, narrow = shapes.wider(rng, schema), shapes.narrower(rng, schema)
        for _ in range(5):
            inside, further_in = values.value(rng, schema), values.value(rng, narrow)
            assert valid(wide, inside), (schema, wide, inside)
            assert valid(schema, further_in), (schema, narrow, further_in)


def test_what_is_made_without_liberties_has_no_error_and_never_fails_structurally() -> None:
    for number in FEW:
        program, report = compile_checked(generate.workflow(Random(number), budget=0), unchecked=True)
        errors = [one for one in report.diagnostics if one.severity is Severity.ERROR]
        assert [(number, one.code.code, one.at.pointer, one.message) for one in errors] == []
        linked = link(program)
        for seed in range(4):
            run = play(linked, seed)
            assert not run.structural, (number, seed, run.error)


def test_every_feature_is_made() -> None:
    found = Counter(one for number in range(300) for one in features(generate.workflow(Random(number))))
    wanted = {f"step {one}" for one in STEP_TYPES} | {f"reducer {one.name}" for one in REDUCERS}
    wanted |= {"mode serial", "mode parallel", "with catch", "with locals", "with retry", "with when"}
    wanted |= {f"on_item_error {one}" for one in ("fail", "skip", "collect")}
    assert {one for one in wanted if found[one] < 7} == set()


STEP_TYPES = ("node", "condition", "foreach", "fork", "join", "wait", "interrupt", "subgraph", "end")
