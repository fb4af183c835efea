"""Scripted answers: which entry answers, how often, and what a mock must not look like."""

import pytest

from tests.sources.calling import invoke
from wfc.backends.sources import MockFault, Mocks, Unanswered
from wfc.backends.sources.mocks import matches
from wfc.ir import Completed, Failed, NodeResult


def call(node="s", definition="d", capability="src.c", payload=None):
    return invoke(payload, node=node, definition=definition, capability=capability)


def given(outcome=None, output=None):
    return Completed("call-1", NodeResult(outcome, {} if output is None else output))


def test_step_id_goes_before_node_name_goes_before_capability():
    mocks = Mocks.for_tests({"s": [{"outcome": "a"}], "d": [{"outcome": "b"}], "src.c": [{"outcome": "c"}]})
    assert [mocks.answer(call()), mocks.answer(call("x")), mocks.answer(call("x", "x"))] == [
        given("a"),
        given("b"),
        given("c"),
    ]


def test_a_key_that_exists_and_does_not_fit_does_not_fall_through():
    mocks = Mocks.for_tests({"s": [{"when": {"n": 1}}], "d": [{"outcome": "b"}]})
    with pytest.raises(Unanswered, match=r"step `s` \(node `d`, capability `src.c`\) was called with .*, and no"):
        mocks.answer(call(payload={"n": 2}))


def test_entries_are_tried_in_order_as_often_as_they_may_answer():
    mocks = Mocks.for_tests({"s": [{"times": 2, "outcome": "a"}, {"when": {"n": 1}, "outcome": "b"}, {"outcome": "c"}]})
    answers = [mocks.answer(call(payload={"n": n})) for n in (1, 2, 1, 2)]
    assert answers == [given("a"), given("a"), given("b"), given("c")]


def test_defaults_and_an_explicit_null():
    mocks = Mocks.for_tests({"s": [{"times": 1}, {"output": None}]})
    assert mocks.answer(call()) == given(None, {})
    assert mocks.answer(call()) == Completed("call-1", NodeResult(None, None))


def test_an_output_is_a_copy_each_time():
    mocks = Mocks.for_tests({"s": [{"output": {"list": []}}]})
    mocks.answer(call()).result.output["list"].append(1)
    assert mocks.answer(call()) == given(None, {"list": []})


def test_errors():
    mocks = Mocks.for_tests(
        {
            "s": [{"error": {"code": "node_failed", "message": "boom", "type": "SoldOut"}}],
            "t": [{"error": {"code": "node_timeout"}}],
        }
    )
    assert mocks.answer(call()) == Failed("call-1", "node_failed", "boom", "SoldOut")
    assert mocks.answer(call("t")) == Failed("call-1", "node_timeout", "a mock gives `node_timeout`")


@pytest.mark.parametrize(
    ("when", "payload", "fits"),
    [
        ({}, {"a": 1}, True),
        ({"a": {"b": 1}}, {"a": {"b": 1.0, "c": 2}, "d": 3}, True),
        ({"a": {"b": 1}}, {"a": {"c": 2}}, False),
        ({"a": 1}, {"a": True}, False),
        ({"a": None}, {}, False),
        ({"a": [{"b": 1}]}, {"a": [{"b": 1}]}, True),
        ({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 2}]}, False),
        ({"a": []}, {"a": {}}, False),
        ({"a": {}}, {"a": []}, False),
        (None, None, True),
    ],
)
def test_when(when, payload, fits):
    assert matches(when, payload) is fits


def test_a_run_with_mocks_fails_on_what_they_leave_open():
    mocks = Mocks.for_runs({"mocks": {"s": []}})
    step = "step `s` (node `d`, capability `src.c`) was called with {}, and no entry of the mock `s` fits"
    assert mocks.answer(call()) == Failed("call-1", "capability_unavailable", step)
    step = "step `x` (node `d`, capability `src.c`) was called with {}, and no mock stands for `x`"
    assert mocks.answer(call("x")) == Failed("call-1", "capability_unavailable", step)


def test_a_mocks_object_may_have_a_step_named_mocks():
    assert Mocks.for_runs({"mocks": [{"outcome": "a"}]}).answer(call("mocks")) == given("a")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "`mocks` is array; expected an object of step ids, node names or capabilities"),
        ({"s": {}}, "`mocks.s` is object; expected an array of entries"),
        ({"s": [5]}, "`mocks.s[0]` is number; expected an object"),
        ({"s": [{}, {"outptu": 1}]}, "`mocks.s[1]` has the unknown key `outptu`; nearest: `output`"),
        ({"s": [{"times": 0}]}, "`mocks.s[0].times` is 0; expected an integer of 1 or more"),
        ({"s": [{"times": True}]}, "`mocks.s[0].times` is true; expected an integer of 1 or more"),
        ({"s": [{"outcome": 1}]}, "`mocks.s[0].outcome` is number; expected a string"),
        ({"s": [{"error": "x"}]}, "`mocks.s[0].error` is string; expected an object"),
        (
            {"s": [{"error": {"code": "boom"}}]},
            '`mocks.s[0].error.code` is "boom"; expected one of `node_failed`, `node_timeout`, `node_output_invalid`, '
            "`undeclared_outcome`, `capability_unavailable`",
        ),
        ({"s": [{"error": {}, "output": 1}]}, "`mocks.s[0]` has `error` beside an outcome or output; expected one of"),
    ],
)
def test_faults(value, message):
    with pytest.raises(MockFault) as fault:
        Mocks.for_tests(value)
    assert message in str(fault.value)


def test_notes_are_ignored():
    assert Mocks.for_tests({"s": [{"x-why": "a note", "outcome": "a"}]}).answer(call()) == given("a")
