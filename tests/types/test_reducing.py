"""What reducers make of values is of the types that are told, and state schemas are seen to be closed under them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.types.schemas import Schemas, any_draft, buildable, judge
from tests.types.values import near_both
from wfc.ir import BY_NAME, ReducerError
from wfc.passes.types import ANYTHING, Verdict, after_reducer, describe, fits, holds, of, reducer_accepts, taken

MANY = settings(deadline=None, max_examples=600, suppress_health_check=list(HealthCheck))
KINDS = {"wf.std.merge_object": "object", "wf.std.add": "number", "wf.std.modulo_add": "number"} | dict.fromkeys(
    ("wf.std.append", "wf.std.extend", "wf.std.set_union"), "array"
)


def side(draws: random.Random, kind: str) -> Any:
    """A schema for one of the values that a reducer meets, most often of a kind that it takes."""
    made = Schemas(draws.randrange, any_draft(draws.randrange))
    made.names = []
    if draws.random() < 0.15:
        return buildable(made.document)
    named = "integer" if kind == "number" and draws.random() < 0.5 else kind
    return buildable(lambda: made.around({"type": named, **made.own(kind, 2)}, {}))


@MANY
@given(
    st.randoms(use_true_random=True), st.sampled_from(list(BY_NAME)), st.booleans(), st.sampled_from((3, 2.0, 1.5, 1))
)
def test_what_a_reducer_gives_is_of_the_type(draws: random.Random, name: str, missing: bool, modulus: Any) -> None:
    kind = KINDS.get(name) or draws.choice(("number", "string"))
    current, incoming = side(draws, kind), side(draws, kind)
    config = {"modulus": modulus} if name == "wf.std.modulo_add" else {}
    before = None if missing else of(current)
    after, accepts = after_reducer(name, config, before, of(incoming)), reducer_accepts(name, of(incoming), before)
    values = near_both(draws.randrange, current, incoming, 2)
    mine, theirs = (list(filter(judge(schema), values))[:10] for schema in (current, incoming))
    reducer = BY_NAME[name]
    for old, new in ((old, new) for old in (mine[:1] if missing else mine) for new in theirs):
        told = (name, config, current, incoming, old, new)
        try:
            found = reducer.first(new, config) if missing else reducer.merge(old, new, config)
        except ReducerError as refused:
            assert accepts is not Verdict.ALWAYS or "not finite" in str(refused), told
            continue
        assert accepts is not Verdict.NEVER, told
        assert holds(after, found), (told, found, describe(after))


@MANY
@given(
    st.randoms(use_true_random=True), st.sampled_from(list(BY_NAME)), st.booleans(), st.sampled_from((3, 2.0, 1.5, 1))
)
def test_what_a_reducer_can_have_taken_is_told(draws: random.Random, name: str, missing: bool, modulus: Any) -> None:
    """Whatever leaves a place as its schema asks was among what can have been taken there."""
    kind = KINDS.get(name) or draws.choice(("number", "string"))
    held, incoming = side(draws, kind), side(draws, kind)
    config = {"modulus": modulus} if name == "wf.std.modulo_add" else {}
    may_be = taken(name, config, of(incoming), of(held))
    values = near_both(draws.randrange, held, incoming, 2)
    of_held = judge(held)
    mine, theirs = (list(filter(one, values))[:10] for one in (of_held, judge(incoming)))
    reducer = BY_NAME[name]
    for old, new in ((old, new) for old in (mine[:1] if missing else mine) for new in theirs):
        try:
            found = reducer.first(new, config) if missing else reducer.merge(old, new, config)
        except ReducerError:
            continue
        if any(isinstance(each, (int, float)) and abs(each) >= 2**53 for each in (old, new, found)):
            continue  # There every double is whole, whatever was added.
        assert not of_held(found) or holds(may_be, new) is not False, (name, config, held, incoming, old, new, found)


STRING, INTEGER, NUMBER = ({"type": kind} for kind in ("string", "integer", "number"))
COUNT = {"type": "integer", "minimum": 0}
PERSON = {"type": "object", "properties": {"name": STRING, "age": INTEGER}, "required": ["name"]}


def many(items: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


# A path of the first schema stays of it, whatever of the second is written.
CLOSED = [
    ("append", many(STRING), STRING),
    ("append", many(PERSON, minItems=1), PERSON),
    ("append", {"type": "array"}, {}),
    ("append", {"type": "array", "prefixItems": [STRING], "items": {"type": ["string", "integer"]}}, STRING),
    ("extend", many(STRING), many({"const": "a"})),
    ("set_union", many(STRING, uniqueItems=True), many(STRING)),
    ("merge_object", PERSON, {"type": "object", "properties": {"name": STRING, "age": INTEGER}}),
    ("merge_object", {**PERSON, "additionalProperties": False}, {**PERSON, "additionalProperties": False}),
    (
        "merge_object",
        {"type": "object", "additionalProperties": INTEGER},
        {"type": "object", "additionalProperties": COUNT},
    ),
    ("max", INTEGER, COUNT),
    ("min", {"enum": ["a", "b"]}, {"const": "a"}),
    ("add", INTEGER, INTEGER),
    ("add", COUNT, COUNT),
    ("add", NUMBER, INTEGER),
    ("replace", STRING, {"const": "a"}),
    ("modulo_add", {"type": "integer", "minimum": 0, "maximum": 9}, INTEGER),
]
NOT_CLOSED = [
    ("append", many(STRING), INTEGER),
    ("append", many(STRING, maxItems=3), STRING),
    ("append", many(STRING, uniqueItems=True), STRING),
    ("extend", many(STRING), many(NUMBER)),
    ("merge_object", {**PERSON, "additionalProperties": False}, PERSON),
    ("merge_object", PERSON, {"type": "object", "properties": {"name": INTEGER}}),
    ("max", COUNT, INTEGER),
    ("add", COUNT, INTEGER),
    ("add", INTEGER, NUMBER),
    ("add", {"type": "integer", "maximum": 10}, COUNT),
    ("modulo_add", {"type": "integer", "minimum": 0, "maximum": 8}, INTEGER),
]


@pytest.mark.parametrize(("name", "state", "written"), CLOSED)
def test_a_state_schema_that_is_closed_under_its_reducer(name: str, state: Any, written: Any) -> None:
    config = {"modulus": 10}
    after = after_reducer(f"wf.std.{name}", config, of(state), of(written))
    assert fits(after, of(state)).verdict is Verdict.ALWAYS, describe(after)


@pytest.mark.parametrize(("name", "state", "written"), NOT_CLOSED)
def test_a_state_schema_that_a_write_may_leave(name: str, state: Any, written: Any) -> None:
    after = after_reducer(f"wf.std.{name}", {"modulus": 10}, of(state), of(written))
    assert fits(after, of(state)).verdict is not Verdict.ALWAYS, describe(after)


@pytest.mark.parametrize(
    ("name", "written", "first"),
    [
        ("append", STRING, many(STRING, minItems=1, maxItems=1)),
        ("extend", many(STRING), many(STRING)),
        ("set_union", many(STRING), many(STRING, uniqueItems=True)),
        ("merge_object", PERSON, PERSON),
        ("max", {"type": ["string", "null"]}, STRING),
        ("add", {"type": ["integer", "null"]}, INTEGER),
        ("modulo_add", INTEGER, {"type": "integer", "minimum": 0, "maximum": 9}),
        ("replace", {"type": ["integer", "null"]}, {"type": ["integer", "null"]}),
    ],
)
def test_the_first_write(name: str, written: Any, first: Any) -> None:
    after = after_reducer(f"wf.std.{name}", {"modulus": 10}, None, of(written))
    assert fits(after, of(first)).verdict is Verdict.ALWAYS, describe(after)


@pytest.mark.parametrize(
    ("name", "incoming", "current", "verdict"),
    [
        ("replace", {}, {}, Verdict.ALWAYS),
        ("append", {}, None, Verdict.ALWAYS),
        ("append", {}, many(STRING), Verdict.ALWAYS),
        ("append", {}, {"type": ["array", "null"]}, Verdict.MAYBE),
        ("append", {}, STRING, Verdict.NEVER),
        ("extend", many(STRING), None, Verdict.ALWAYS),
        ("extend", STRING, many(STRING), Verdict.NEVER),
        ("set_union", {}, many(STRING), Verdict.MAYBE),
        ("merge_object", PERSON, {"type": ["object", "null"]}, Verdict.MAYBE),
        ("max", STRING, STRING, Verdict.ALWAYS),
        ("max", STRING, INTEGER, Verdict.NEVER),
        ("max", {"type": ["string", "integer"]}, None, Verdict.ALWAYS),
        ("max", {"type": ["string", "integer"]}, STRING, Verdict.MAYBE),
        ("add", NUMBER, INTEGER, Verdict.ALWAYS),
        ("add", {"type": "boolean"}, None, Verdict.NEVER),
        ("modulo_add", {"type": ["integer", "null"]}, None, Verdict.MAYBE),
    ],
)
def test_what_a_reducer_takes(name: str, incoming: Any, current: Any, verdict: Verdict) -> None:
    before = None if current is None else of(current)
    assert reducer_accepts(f"wf.std.{name}", of(incoming), before) is verdict


def test_nothing_is_known_of_other_reducers() -> None:
    assert after_reducer("mine.best", {}, of(STRING), of(STRING)) is ANYTHING
    assert reducer_accepts("mine.best", of(STRING), of(STRING)) is Verdict.MAYBE


def test_what_no_document_can_hold_is_refused() -> None:
    most = 10**4000 - 1
    add = BY_NAME["wf.std.add"]
    assert add.merge(most - 1, 1, {}) == most
    for one, other in ((most, 1), (-most, -1)):
        with pytest.raises(ReducerError, match="more than 4000 digits"):
            add.merge(one, other, {})
