"""What a text leaves out: the step below, the outcome `ok` of an end, the roots of what is written and of items."""

from __future__ import annotations

from typing import Any

import pytest

from wfc.frontend import Document, read_document, text_of

HEAD = "workflow a {\n input { xs: [integer] }\n state { n: integer, done: boolean }\n"


def read(steps: str) -> Document:
    return read_document("a.wf", f"{HEAD}{steps}\n}}\n")


def value(steps: str) -> Any:
    found = read(steps)
    assert found.diagnostics == ()
    return found.value


@pytest.mark.parametrize(
    ("long", "short"),
    [
        (" b: f then c\n c: g then end ok", " b: f then\n c: g then end"),
        (" b: f then c\n   none -> end ok\n c: end ok", " b: f then  # on\n   none -> end\n c: end"),
        (" b: if state.done == true then c else end ok\n c: join", " b: if state.done == true else end\n c: join"),
        (" b: if state.done == true then end ok else c\n c: join", " b: if state.done == true then end\n c: join"),
        (" b: if state.done == true then c else c\n c: join", " b: if state.done == true else c\n c: join"),
        (
            " b: foreach x in input.xs do c then end ok\n c: f(v = context.x) then b",
            " b: foreach x in input.xs then end\n c: f(v = x) then b",
        ),
        (
            " b: foreach x in input.xs do b then c\n c: foreach y in context.x do b then end ok",
            " b: foreach x in input.xs do b\n c: foreach y in x do b then end",
        ),
        (" b: f -> state.n = m, state.done on ok then end ok", " b: f -> n = m, done on ok then end"),
        (" b: set state.n = 1, state.done = context.x then c\n c: end no", " b: set n = 1, done = x then\n c: end no"),
        (
            " b: f(v = context.then) -> state.state = . then end ok",
            " b: f(v = context.then) -> state.state = . then end",
        ),
        (" b: f -> state.input.x = . then end ok", " b: f -> state.input.x = . then end"),
    ],
)
def test_both_spellings_mean_the_same(long: str, short: str) -> None:
    assert value(long) == value(short)
    _head, _, written = text_of(value(long)).partition("\n\n")
    assert written.rstrip("}\n") == short.replace("  # on", "")


def test_an_edge_that_stands_below_leaves_nothing_to_be_said() -> None:
    assert value(" b: if state.done == true\n   true -> c\n c: end")["edges"] == [
        {"from": "b", "outcome": "true", "to": "c"}
    ]


def test_ways_are_in_the_order_of_their_outcomes() -> None:
    edges = value(" b: if state.done == true else end then\n c: end")["edges"]
    assert [(edge["outcome"], edge["to"]) for edge in edges] == [("true", "c"), ("false", "__end__")]


@pytest.mark.parametrize("word", ["timeout", "retry", "errors", "on"])
def test_a_keyword_is_an_outcome_behind_end(word: str) -> None:
    assert value(f" b: f then end {word}")["nodes"][-1]["outcome"] == word


@pytest.mark.parametrize("word", ["timeout", "retry", "errors", "on"])
def test_a_keyword_is_a_step_behind_then(word: str) -> None:
    assert value(f" b: f then {word}")["edges"][0]["to"] == word


def test_nothing_below_is_a_fault() -> None:
    (told,) = read(" b: f then").diagnostics
    assert told.message == "found the end of the line, expected a step, or `end`"
