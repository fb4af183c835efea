"""What is there by an answer, by an error that was caught, by a child, and at the ends."""

from __future__ import annotations

import pytest

from tests.values.studied import Json, Studied
from tests.values.telling import ANY, FLAG, FOUND, IF, check, presences, told
from tests.values.workflows import (
    TEXT,
    ask,
    call,
    child,
    choice,
    copy,
    finish,
    put,
    record,
    stand,
    workflow,
    write,
)

# Answers, errors, children

CATCH = {"catch": [{"codes": ["node_failed"], "outcome": "broke"}]}
BREAKS = call(
    "f",
    "find",
    [write("error.code", "state.x", "broke"), write("error.type", "state.y", "broke")],
    broke="here",
    found="end",
    missing="end",
)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        # A field that an answer has to have: by the refusal of one without it.
        told(
            workflow(
                ask("a", [write("comment", "state.x", "yes")], yes="here", no="end"), stand("here"), state={"x": ANY}
            ),
            state__x="always",
        ),
        told(
            workflow(
                ask("a", [write("comment", "state.x", "yes")], yes="end", no="here"), stand("here"), state={"x": ANY}
            ),
            state__x="never",
        ),
        told(
            workflow((BREAKS[0] | CATCH, BREAKS[1]), stand("here"), state={"x": ANY, "y": ANY}, node_defs=[FOUND]),
            state__x="always",
            state__y="always",
        ),
    ],
)
def test_answers_and_errors(document: Json, expected: dict[str, str]) -> None:
    check(document, expected)


CHILD = {
    **workflow(
        choice("c", IF, "w", "late"), put("w", "state.x"), finish("late", "late"), state={"x": ANY, "y": ANY}, **FLAG
    ),
    "name": "child",
    "outcomes": ["ok", "late"],
    "output_schema": record(optional={"x": ANY, "y": ANY}),
}


@pytest.mark.parametrize(
    ("outcome", "source", "expected"),
    [
        ("ok", "x", "always"),
        ("ok", "y", "never"),
        ("late", "x", "never"),
        ("broke", "error.code", "always"),
        ("broke", "error.message", "always"),
        ("broke", "error.type", "maybe"),
        ("broke", "x", "never"),
    ],
)
def test_what_a_child_gives(outcome: str, source: str, expected: str) -> None:
    step, wires = child("s", "child", [write(source, "state.r", outcome)], ok="end", late="end")
    main = workflow((step | CATCH, wires | {"broke": "end"}), state={"r": ANY})
    studied = Studied({"main": "main", "workflows": [main, CHILD]})
    (found,) = studied.values.writes_of(studied.flow, "s")
    assert studied.values.source(found, outcome).presence.value == expected


def test_an_outcome_that_a_child_never_gives_leads_nowhere() -> None:
    step = child("s", "child", [write("x", "state.x", "ok")], ok="here", late="here", lost="here")
    main = workflow(step, stand("here"), state={"x": ANY})
    document = {
        "main": "main",
        "workflows": [main, {**CHILD, "start": "w", "nodes": CHILD["nodes"][1:], "edges": CHILD["edges"][2:]}],
    }
    assert presences(document, "here state.x") == ["always"]


def test_the_ends_of_a_workflow() -> None:
    studied = Studied(CHILD)
    reads = {
        (read.step, str(read.path)): studied.values.presence(read).value for read in studied.values.reads(studied.flow)
    }
    ends = {key: said for key, said in reads.items() if key[1].startswith("state")}
    assert ends == {
        ("w", "state.x"): "always",
        ("w", "state.y"): "never",
        ("late", "state.x"): "never",
        ("late", "state.y"): "never",
    }


def test_copying_needs_what_is_copied() -> None:
    document = workflow(copy("c", "state.x", "state.y", "here"), stand("here"), state={"x": TEXT, "y": TEXT})
    assert presences(document, "c state.x", "here state.y") == ["never", "always"]
