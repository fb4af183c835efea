"""What is there before the first step, and what writes put there and take away."""

from __future__ import annotations

from typing import Any

import pytest

from tests.values.studied import Json
from tests.values.telling import ANY, FLAG, FOUND, IF, PAIR, check, presences, told
from tests.values.workflows import (
    INTEGER,
    call,
    choice,
    definition,
    put,
    record,
    stand,
    workflow,
    write,
)

# Before the first step

INPUT = record({"must": INTEGER}, {"may": INTEGER, "given": {**INTEGER, "default": 1}, "both": INTEGER})
SEEDED = workflow(
    stand("here"),
    input_schema=INPUT,
    state={
        "both": {**INTEGER, "default": 2},
        "own": {**INTEGER, "default": 3},
        "none": INTEGER,
        "built": record({"in": {"default": 1}}),
    },
)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("input.must", "always"),
        ("input.may", "maybe"),
        ("input.given", "always"),
        ("input.unknown", "maybe"),
        ("state.must", "always"),
        ("state.may", "maybe"),
        ("state.given", "always"),
        ("state.both", "always"),
        ("state.own", "always"),
        ("state.built.in", "always"),
        ("state.built.out", "never"),
        ("state.none", "never"),
        ("state.unknown", "never"),
        ("state", "always"),
        ("input", "always"),
        ("context", "always"),
    ],
)
def test_defaults_and_seeds(path: str, expected: str) -> None:
    assert presences(SEEDED, f"here {path}") == [expected]


def test_a_closed_input_has_no_other_keys() -> None:
    document = workflow(stand("here"), input_schema=record(optional={"may": INTEGER}, additionalProperties=False))
    assert presences(document, "here input.may", "here input.other", "here state.other") == ["maybe", "never", "never"]


# Writes, by outcome

DIAMOND = {"state": {"x": INTEGER, "y": INTEGER, "p": PAIR}, **FLAG}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        told(workflow(put("w", "state.x", "here"), stand("here"), **DIAMOND), state__x="always", state__y="never"),
        told(
            workflow(choice("c", IF, "w", "here"), put("w", "state.x", "here"), stand("here"), **DIAMOND),
            state__x="maybe",
        ),
        told(
            workflow(
                choice("c", IF, "w", "v"),
                put("w", "state.x", "here"),
                put("v", "state.x", "here"),
                stand("here"),
                **DIAMOND,
            ),
            state__x="always",
        ),
        told(
            workflow(
                call("f", "find", [write("x", "state.x", "found")], found="here", missing="end"),
                stand("here"),
                node_defs=[FOUND],
                **DIAMOND,
            ),
            state__x="always",
        ),
        told(
            workflow(
                call("f", "find", [write("x", "state.x", "found")], found="here", missing="here"),
                stand("here"),
                node_defs=[FOUND],
                **DIAMOND,
            ),
            state__x="maybe",
        ),
        told(
            workflow(
                call("f", "find", [write("x", "state.x", "found")], found="end", missing="here"),
                stand("here"),
                node_defs=[FOUND],
                **DIAMOND,
            ),
            state__x="never",
        ),
        # What is written has been found in the output, whether its schema requires it or not.
        told(
            workflow(
                call("f", "find", [write("y", "state.y", "found")], found="here", missing="end"),
                stand("here"),
                node_defs=[FOUND],
                **DIAMOND,
            ),
            state__y="always",
        ),
        # An outcome that is never given leads nowhere.
        told(
            workflow(
                choice("c", IF, "w", "f"),
                put("w", "state.x", "here"),
                call("f", "wf.std.fail", [], [{"target": "message", "value": ""}], ok="here"),
                stand("here"),
                **DIAMOND,
            ),
            state__x="always",
        ),
    ],
)
def test_writes(document: Json, expected: dict[str, str]) -> None:
    check(document, expected)


# Parents and children

NEED = {"type": "object", "properties": {"a": INTEGER, "b": INTEGER, "c": PAIR}, "required": ["a"]}


def unwriting(value: Any, schema: Json = PAIR) -> Json:
    return workflow(put("w", "state.p.b", "u"), put("u", "state.p", "here", value), stand("here"), state={"p": schema})


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        # A nested write makes its parents, and nothing else.
        told(
            workflow(put("w", "state.p.a", "here"), stand("here"), state={"p": PAIR}),
            state__p="always",
            state__p__a="always",
            state__p__b="never",
        ),
        told(
            workflow(put("w", "state.d.e.f", "here"), stand("here"), state={"d": {"type": "object"}}),
            state__d="always",
            state__d__e="always",
            state__d__e__f="always",
            state__d__g="never",
        ),
        # A replace of the parent takes away what it does not bring.
        told(unwriting({}), state__p="always", state__p__b="never"),
        told(unwriting({"b": 1}), state__p__b="always"),
        told(unwriting({"a": 1}, NEED), state__p__a="always", state__p__b="never"),
        told(
            workflow(
                put("w", "state.p.b", "u"),
                call("u", "make", [write("p", "state.p")], ok="here"),
                stand("here"),
                state={"p": PAIR},
                node_defs=[definition("make", record({"p": record({"a": INTEGER}, {"b": INTEGER})}))],
            ),
            state__p__a="always",
            state__p__b="maybe",
        ),
        told(
            workflow(
                put("w", "state.d.e.f", "u"),
                put("u", "state.d.e", "here", {}),
                stand("here"),
                state={"d": {"type": "object"}},
            ),
            state__d__e="always",
            state__d__e__f="never",
        ),
        # A nested write leaves the other fields as they were, also where nothing is known of them.
        told(
            workflow(
                call("w", "make", [write("p", "state.p")], ok="u"),
                put("u", "state.p.b", "here"),
                stand("here"),
                state={"p": PAIR},
                node_defs=[
                    definition("make", record({"p": record(optional={"a": INTEGER}, additionalProperties=False)}))
                ],
            ),
            state__p__a="maybe",
            state__p__b="always",
            state__p__c="never",
        ),
        # A merge keeps what it does not bring.
        told(
            workflow(
                put("w", "state.p.b", "u"),
                put("u", "state.p", "here", {"a": 1}),
                stand("here"),
                state={"p": {**PAIR, "reducer": "wf.std.merge_object"}},
            ),
            state__p__a="always",
            state__p__b="always",
        ),
        # What is there satisfies its declared schema.
        told(
            workflow(
                call("u", "make", [write("p", "state.p")], ok="here"),
                stand("here"),
                state={"p": NEED},
                node_defs=[definition("make", record({"p": {"type": "object"}}))],
            ),
            state__p__a="always",
            state__p__b="maybe",
            state__p__c__a="maybe",
        ),
        # Two nested writes of one step are judged together.
        told(
            workflow(
                call("u", "make", [write("x", "state.p.a"), write("x", "state.p.b")], ok="here"),
                stand("here"),
                state={"p": record({"a": INTEGER, "b": INTEGER})},
                node_defs=[definition("make", record({"x": INTEGER}))],
            ),
            state__p__a="always",
            state__p__b="always",
        ),
        # Nothing is found below what is no object.
        told(workflow(put("w", "state.n", "here", 3), stand("here"), state={"n": ANY}), state__n__x="never"),
    ],
)
def test_nested_places(document: Json, expected: dict[str, str]) -> None:
    check(document, expected)
