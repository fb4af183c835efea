"""Of which type values are where a step stands: by declaration, by what was written, by what a check has said."""

from __future__ import annotations

from typing import Any

import pytest

from tests.values.studied import Json, Studied
from tests.values.workflows import (
    BOOLEAN,
    INTEGER,
    TEXT,
    both,
    call,
    choice,
    compare,
    copy,
    definition,
    each,
    exists,
    fork,
    join,
    no,
    put,
    record,
    some,
    stand,
    workflow,
    write,
)
from wfc.passes.types import describe
from wfc.paths import GraphSourcePath

FLAG = {"input_schema": record({"flag": BOOLEAN})}
IF = compare("eq", "input.flag", True)
ANY: Json = {}
NULLABLE = {"type": ["integer", "null"]}


def type_at(document: Json, step: str, path: str) -> str:
    studied = Studied(document)
    return describe(studied.values.seen_at(studied.flow, step, GraphSourcePath.parse(path)).type)


# What was written

MAKE = definition("make", record({"n": INTEGER, "o": record({"a": INTEGER}, {"b": TEXT})}, {"s": TEXT}))


def written(source: str, target: str, schema: Json) -> Json:
    return workflow(
        call("w", "make", [write(source, target)], ok="here"), stand("here"), state={"x": schema}, node_defs=[MAKE]
    )


@pytest.mark.parametrize(
    ("document", "path", "expected"),
    [
        (written("n", "state.x", ANY), "state.x", "integer"),
        (written("n", "state.x", {"type": "number", "minimum": 3}), "state.x", "integer >= 3"),
        (written("o", "state.x", {"type": "object"}), "state.x.a", "integer"),
        (written("o", "state.x", {"type": "object"}), "state.x.b", "string"),
        (written("n", "state.x.k", {"type": "object"}), "state.x.k", "integer"),
        (written("n", "state.x.k", {"type": "object"}), "state.x", "object with k"),
        (written("o", "state.x.k", {"type": "object"}), "state.x.k.a", "integer"),
        (workflow(put("w", "state.x", "here", "a"), stand("here"), state={"x": ANY}), "state.x", '"a"'),
        (
            workflow(
                choice("c", IF, "w", "v"),
                put("w", "state.x", "here", "a"),
                put("v", "state.x", "here", None),
                stand("here"),
                state={"x": ANY},
                **FLAG,
            ),
            "state.x",
            '"a" | null',
        ),
    ],
)
def test_what_was_written(document: Json, path: str, expected: str) -> None:
    assert type_at(document, "here", path) == expected


@pytest.mark.parametrize(
    ("reducer", "default", "value", "expected"),
    [
        ("wf.std.append", [], "a", 'array of "a" of 1 elements'),
        ("wf.std.append", None, "a", 'array of "a" of 1 elements'),
        ("wf.std.extend", [], ["a"], 'array of "a" of 1 elements'),
        ("wf.std.add", 1, 2, "integer >= 3 and <= 3"),
        ("wf.std.max", 1, 2, "1 | 2"),
        ("wf.std.merge_object", {"a": 1}, {"b": 2}, "object with a, b"),
    ],
)
def test_what_reducers_make(reducer: str, default: Any, value: Any, expected: str) -> None:
    schema = {"reducer": reducer, **({} if default is None else {"default": default})}
    found = type_at(workflow(put("w", "state.x", "here", value), stand("here"), state={"x": schema}), "here", "state.x")
    assert found == expected


def test_a_nested_write_keeps_what_is_known_of_its_siblings() -> None:
    steps = (call("w", "make", [write("o", "state.x")], ok="v"), put("v", "state.x.b", "here", "t"), stand("here"))
    document = workflow(*steps, state={"x": {"type": "object"}}, node_defs=[MAKE])
    assert type_at(document, "here", "state.x.a") == "integer"
    assert type_at(document, "here", "state.x.b") == '"t"'
    assert type_at(document, "here", "state.x") == "object with a, b"


# What a check has said

OPTIONS = {
    "input_schema": record({"tag": {"enum": ["a", "b", "c"]}, "n": NULLABLE, "k": {"type": ["integer", "string"]}})
}


def side(condition: Json, at: str, path: str) -> str:
    sides = {"true": "end", "false": "end", at: "here"}
    return type_at(
        workflow(choice("c", condition, sides["true"], sides["false"]), stand("here"), **OPTIONS), "here", path
    )


A, B = compare("eq", "input.tag", "a"), compare("eq", "input.tag", "b")


@pytest.mark.parametrize(
    ("condition", "at", "path", "expected"),
    [
        (A, "true", "input.tag", '"a"'),
        (A, "false", "input.tag", '"b" | "c"'),
        (compare("ne", "input.tag", "a"), "true", "input.tag", '"b" | "c"'),
        (some(A, B), "true", "input.tag", '"b" | "a"'),
        (some(A, B), "false", "input.tag", '"c"'),
        (both(no(A), no(B)), "true", "input.tag", '"c"'),
        (both(IF := compare("eq", "input.k", 1), A), "false", "input.tag", '"a" | "b" | "c"'),
        (compare("ne", "input.n", None), "true", "input.n", "integer"),
        (compare("eq", "input.n", None), "false", "input.n", "integer"),
        (compare("lt", "input.k", 3), "true", "input.k", "integer < 3"),
        (compare("lt", "input.k", 3), "false", "input.k", "integer >= 3"),
        (compare("ge", "input.k", "m"), "false", "input.k", "string"),
    ],
)
def test_conditions_narrow(condition: Json, at: str, path: str, expected: str) -> None:
    assert side(condition, at, path).replace("integer <= 2", "integer < 3") == expected


def test_a_narrowed_type_lasts_until_a_write() -> None:
    steps = (
        choice("c", compare("ne", "state.n", None), "one", "end"),
        stand("one", "w"),
        put("w", "state.n", "two", None),
        stand("two"),
    )
    document = workflow(*steps, input_schema=record({"n": NULLABLE}), state={"n": NULLABLE})
    assert [type_at(document, step, "state.n") for step in ("c", "one", "two")] == [
        "integer or null",
        "integer",
        "null",
    ]


def test_what_ways_with_the_same_origin_bring_together_is_the_origin() -> None:
    steps = (choice("c", compare("gt", "input.n", 3), "a", "b"), stand("a", "here"), stand("b", "here"), stand("here"))
    document = workflow(*steps, input_schema=record({"n": INTEGER}))
    assert type_at(document, "here", "input.n") == "integer <= 3 or integer >= 4"


TAGGED = {
    "anyOf": [
        record({"kind": {"const": "a"}, "x": INTEGER}),
        record({"kind": {"const": "b"}, "x": TEXT}, {"y": TEXT}),
    ]
}


@pytest.mark.parametrize(
    ("condition", "x", "y"),
    [
        (compare("eq", "input.event.kind", "a"), "integer", "any value"),
        (compare("ne", "input.event.kind", "a"), "string", "string"),
        (compare("eq", "input.event.kind", "b"), "string", "string"),
        (exists("input.event.kind"), "integer or string", "any value"),
    ],
)
def test_a_tag_tells_what_else_an_object_holds(condition: Json, x: str, y: str) -> None:
    steps = (choice("c", condition, "here", "end"), stand("here"))
    document = workflow(*steps, input_schema=record({"event": TAGGED}))
    assert [type_at(document, "here", f"input.event.{name}") for name in ("x", "y")] == [x, y]


# Round loops

TICK = {"n": {**INTEGER, "reducer": "wf.std.add", "default": 0}}


def test_a_loop_comes_to_rest_at_the_declared_type() -> None:
    steps = (put("w", "state.n", "c"), choice("c", compare("lt", "state.n", 9), "w", "here"), stand("here"))
    document = workflow(*steps, state=TICK)
    assert type_at(document, "w", "state.n") == "integer"
    assert type_at(document, "here", "state.n") == "integer >= 9"


def test_a_value_that_wraps_itself_comes_to_rest_as_anything() -> None:
    wrap = {"id": "w", "type": "node", "node": "wf.std.identity", "input": [{"target": "value.in", "path": "state.x"}]}
    steps = (
        (wrap | {"output": [write("value", "state.x")]}, {"ok": "c"}),
        choice("c", IF_FLAG, "w", "here"),
        stand("here"),
    )
    document = workflow(*steps, state={"x": {"default": 1}}, **FLAG)
    assert type_at(document, "w", "state.x") == "any value"


IF_FLAG = compare("eq", "input.flag", True)


@pytest.mark.parametrize("mode", ["serial", "parallel"])
def test_items_that_add_to_a_list(mode: str) -> None:
    steps = (each("e", "input.xs", "w", "here", mode=mode), copy("w", "context.it", "state.l", "e"), stand("here"))
    schema = {"type": "array", "reducer": "wf.std.append", "default": []}
    document = workflow(*steps, state={"l": schema}, input_schema=record({"xs": {"type": "array", "items": TEXT}}))
    assert type_at(document, "here", "state.l") == "array of string"


# Lineages


def test_branches_that_add_to_one_place() -> None:
    steps = (
        fork("k", {"p": "w", "q": "v"}),
        put("w", "state.l", "j", "a"),
        put("v", "state.l", "j", 1),
        join("j", "here"),
        stand("here"),
    )
    schema = {"type": "array", "items": {"type": ["string", "integer"]}, "reducer": "wf.std.append"}
    found = type_at(workflow(*steps, state={"l": schema}), "here", "state.l")
    assert found.startswith("array of")


def test_a_branch_alone_leaves_what_it_wrote() -> None:
    steps = (
        fork("k", {"p": "w", "q": "v"}),
        put("w", "state.x", "j", "a"),
        put("v", "state.y", "j"),
        join("j", "here"),
    )
    document = workflow(*steps, stand("here"), state={"x": ANY, "y": ANY})
    assert [type_at(document, "here", path) for path in ("state.x", "state.y")] == ['"a"', "1"]


def test_a_local_place_is_what_it_was() -> None:
    steps = (put("s", "state.x", "k", "a"), fork("k", {"p": "w"}, locals=["state.x"]), put("w", "state.x", "here"))
    document = workflow(*steps, stand("here", "j"), join("j", "after"), stand("after"), state={"x": ANY})
    assert [type_at(document, step, "state.x") for step in ("here", "after")] == ["1", '"a"']


def test_a_parallel_body_that_may_not_run_leaves_what_was_there() -> None:
    steps = (
        put("s", "state.x", "e", "a"),
        each("e", "input.xs", "w", "here", mode="parallel"),
        put("w", "state.x.k", "e"),
    )
    document = workflow(*steps, stand("here"), state={"x": ANY}, input_schema=record({"xs": {"type": "array"}}))
    assert '"a"' in type_at(document, "here", "state.x")


# Context


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("context.prior_outcome", '"true" | "false"'),
        ("context.activated_incoming_edge.from", '"c"'),
        ("context.activated_incoming_edge.to", '"here"'),
        ("context.retry_count", "integer >= 0"),
    ],
)
def test_context(path: str, expected: str) -> None:
    document = workflow(choice("c", exists("input.flag"), "here", "here"), stand("here"), **FLAG)
    assert type_at(document, "here", path) == expected


def test_an_inner_alias_hides_an_outer_one() -> None:
    steps = (
        each("outer", {"value": ["a"]}, "inner"),
        each("inner", {"value": [1]}, "here", "outer"),
        stand("here", "inner"),
    )
    document = workflow(*steps)
    assert [type_at(document, step, "context.it") for step in ("inner", "here")] == ['"a"', "1"]
