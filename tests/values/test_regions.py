"""What is there in and after loops over items, forks and loops by edges, and what `context` holds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.values.studied import Json
from tests.values.telling import ANY, EQ, FLAG, IF, MAY, PAIR, TWO, O, check, presences, told
from tests.values.workflows import (
    INTEGER,
    choice,
    each,
    fork,
    join,
    put,
    record,
    stand,
    workflow,
)

# Context

NEST = workflow(
    each("outer", TWO, "first", "after"),
    stand("first", "inner"),
    each("inner", TWO, "deep", "last", **{"as": "other"}),
    stand("deep", "inner"),
    stand("last", "outer"),
    stand("after"),
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("first context.it", "always"),
        ("first context.loop_item", "always"),
        ("first context.loop_index", "always"),
        ("first context.other", "never"),
        ("deep context.it", "always"),
        ("deep context.other", "always"),
        ("last context.other", "never"),
        ("after context.it", "never"),
        ("after context.loop_item", "never"),
        ("outer context.it", "never"),
        ("after context.retry_count", "always"),
        ("outer context.prior_outcome", "never"),
        ("first context.prior_outcome", "always"),
        ("after context.activated_incoming_edge.from", "always"),
        ("after context.activated_incoming_edge.nothing", "never"),
    ],
)
def test_context(question: str, expected: str) -> None:
    assert presences(NEST, question) == [expected]


def test_a_first_step_in_a_loop_has_a_prior_outcome_later() -> None:
    document = workflow(stand("here", "c"), choice("c", IF, "here", "end"), **FLAG)
    assert presences(document, "here context.prior_outcome", "c context.prior_outcome") == ["maybe", "always"]


def test_a_fork_and_its_join_count_as_steps_before() -> None:
    document = workflow(fork("k", {"p": "a"}), stand("a", "j"), join("j", "after"), stand("after"))
    assert presences(document, "a context.prior_outcome", "after context.prior_outcome") == ["always", "always"]


# Loops over items

LIST = {"input_schema": record({"xs": {"type": "array"}, "some": {"type": "array", "minItems": 1}})}


def loop(over: Any, **fields: Any) -> Json:
    """A body that writes `state.x`, a step before it, and one after the loop."""
    steps = (each("e", over, "in", "here", **fields), stand("in", "w"), put("w", "state.x", "e"), stand("here"))
    return workflow(*steps, state={"x": ANY}, **LIST)


@pytest.mark.parametrize("mode", ["serial", "parallel"])
@pytest.mark.parametrize(
    ("over", "fields", "expected"),
    [
        ("input.xs", {}, "maybe"),
        ("input.some", {}, "always"),
        (TWO, {}, "always"),
        ({"value": []}, {}, "maybe"),
        (TWO, {"on_item_error": "skip"}, "maybe"),
        (TWO, {"on_item_error": "collect"}, "maybe"),
        (TWO, {"locals": ["state.x"]}, "never"),
    ],
)
def test_what_a_body_writes_after_the_loop(mode: str, over: Any, fields: Json, expected: str) -> None:
    assert presences(loop(over, mode=mode, **fields), "here state.x") == [expected]


@pytest.mark.parametrize(("mode", "expected"), [("serial", "maybe"), ("parallel", "never")])
def test_what_an_item_sees_of_earlier_ones(mode: str, expected: str) -> None:
    assert presences(loop(TWO, mode=mode), "in state.x") == [expected]


def test_a_local_place_is_private_to_each_serial_item() -> None:
    assert presences(loop(TWO, locals=["state.x"]), "in state.x") == ["never"]


@pytest.mark.parametrize("mode", ["serial", "parallel"])
def test_a_body_that_unwrites(mode: str) -> None:
    steps = (
        put("w", "state.p.a", "e"),
        each("e", "input.xs", "u", "here", mode=mode),
        put("u", "state.p", "e", {}),
        stand("here"),
    )
    assert presences(workflow(*steps, state={"p": PAIR}, **LIST), "here state.p", "here state.p.a") == [
        "always",
        "maybe",
    ]


@pytest.mark.parametrize("mode", ["serial", "parallel"])
def test_a_local_place_below_another(mode: str) -> None:
    body = (
        each("e", TWO, "w", "here", mode=mode, locals=["state.p.a"]),
        put("w", "state.p.a", "v"),
        put("v", "state.p.b", "e"),
    )
    document = workflow(*body, stand("here"), state={"p": PAIR})
    assert presences(document, "here state.p.a", "here state.p.b") == ["never", "always"]


def test_items_and_what_they_hold() -> None:
    items = {"input_schema": record({"xs": {"type": "array", "items": record({"a": INTEGER}, {"b": INTEGER})}})}
    document = workflow(each("e", "input.xs", "here"), stand("here", "e"), **items)
    assert presences(document, "here context.it.a", "here context.it.b", "here context.it.a.x") == [
        "always",
        "maybe",
        "never",
    ]


# Forks

FORKED = {"state": {"x": ANY, "y": ANY, "p": PAIR}, **FLAG}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        told(
            workflow(
                fork("k", {"p": "w", "q": "v"}),
                put("w", "state.x", "j"),
                put("v", "state.y", "j"),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__x="always",
            state__y="always",
        ),
        told(
            workflow(
                fork("k", {"p": "w", "q": "v"}, {"q": IF}),
                put("w", "state.x", "j"),
                put("v", "state.y", "j"),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__x="always",
            state__y="maybe",
        ),
        told(
            workflow(
                fork("k", {"p": "w", "q": "v"}, locals=["state.x"]),
                put("w", "state.x", "j"),
                put("v", "state.y", "j"),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__x="never",
            state__y="always",
        ),
        # Two branches make one object.
        told(
            workflow(
                fork("k", {"p": "w", "q": "v"}),
                put("w", "state.p.a", "j"),
                put("v", "state.p.b", "j"),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__p__a="always",
            state__p__b="always",
        ),
        # What one branch takes away is gone.
        told(
            workflow(
                put("s", "state.p.a", "k"),
                fork("k", {"p": "u", "q": "v"}),
                put("u", "state.p", "j", {}),
                put("v", "state.y", "j"),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__p__a="never",
        ),
        told(
            workflow(
                put("s", "state.p.a", "k"),
                fork("k", {"p": "u"}, {"p": IF}),
                put("u", "state.p", "j", {}),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__p__a="maybe",
        ),
        # A branch writes on one of its ways.
        told(
            workflow(
                fork("k", {"p": "c", "q": "v"}),
                choice("c", IF, "w", "j"),
                put("w", "state.x", "j"),
                put("v", "state.y", "j"),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__x="maybe",
            state__y="always",
        ),
        # A sibling does not see it.
        told(
            workflow(
                fork("k", {"p": "w", "q": "here"}),
                put("w", "state.x", "j"),
                stand("here", "j"),
                join("j", "end"),
                **FORKED,
            ),
            state__x="never",
        ),
        # A branch knows what its own `when` has said.
        told(
            workflow(fork("k", {"p": "here"}, {"p": O}), stand("here", "j"), join("j"), **MAY),
            input__o="always",
        ),
        told(
            workflow(
                fork("k", {"p": "a", "q": "here"}, {"p": EQ}), stand("a", "j"), stand("here", "j"), join("j"), **MAY
            ),
            input__o="always",
        ),
    ],
)
def test_forks(document: Json, expected: dict[str, str]) -> None:
    check(document, expected)


# Loops by edges

ROUND = {"state": {"x": ANY, "p": PAIR}, **FLAG}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        told(
            workflow(stand("here", "w"), put("w", "state.x", "c"), choice("c", IF, "here", "end"), **ROUND),
            state__x="maybe",
        ),
        told(
            workflow(put("w", "state.x", "here"), stand("here", "c"), choice("c", IF, "w", "end"), **ROUND),
            state__x="always",
        ),
        told(
            workflow(
                put("s", "state.p.a", "here"),
                stand("here", "u"),
                put("u", "state.p", "c", {}),
                choice("c", IF, "here", "end"),
                **ROUND,
            ),
            state__p__a="maybe",
        ),
    ],
)
def test_loops(document: Json, expected: dict[str, str]) -> None:
    check(document, expected)


# Edges that jump into a region


@pytest.mark.parametrize("mode", ["serial", "parallel"])
def test_what_grows_round_a_loop_through_the_end_of_a_region_comes_to_rest(mode: str) -> None:
    growing = {"list": {"type": "array", "reducer": "wf.std.extend", "default": []}}
    steps = [
        each("each", TWO, "add", "jumped", mode=mode),
        put("add", "state.list", "jumped", [1]),
        stand("jumped", "each"),
    ]
    assert presences(workflow(*steps, state=growing), "jumped state.list") == ["always"]
