"""What steps hand to their output bindings, outcome by outcome, and what they are given."""

from __future__ import annotations

import pytest

from tests.values.studied import Json, Studied
from tests.values.workflows import (
    INTEGER,
    TEXT,
    ask,
    call,
    child,
    definition,
    each,
    put,
    record,
    stand,
    workflow,
    write,
)
from wfc.passes.types import describe, elements, field
from wfc.paths import GraphSourcePath

ANY: Json = {}
MAKE = definition("make", record({"n": INTEGER, "o": record({"a": INTEGER}, {"b": TEXT})}, {"s": TEXT}))


def type_at(document: Json, step: str, path: str) -> str:
    studied = Studied(document)
    return describe(studied.values.seen_at(studied.flow, step, GraphSourcePath.parse(path)).type)


# What steps give and are given


def given(document: Json, step: str, outcome: str) -> str:
    studied = Studied(document)
    return describe(studied.values.output(studied.flow, step, outcome))


def test_an_output_without_the_keys_that_are_not_handed_on() -> None:
    silent = definition("make", record({"n": INTEGER}))
    opened = definition("open", record({"n": INTEGER}, additionalProperties=True))
    steps = (call("a", "make", [], ok="b"), call("b", "open", [], ok="end"))
    studied = Studied(workflow(*steps, node_defs=[silent, opened]))
    flow, values = studied.flow, studied.values
    found = {step: field(values.output(flow, step, "ok"), "other").presence.value for step in ("a", "b")}
    assert found == {"a": "never", "b": "maybe"}


def test_built_ins_give_what_is_bound() -> None:
    steps = (
        (
            {
                "id": "i",
                "type": "node",
                "node": "wf.std.index",
                "input": [{"target": "array", "path": "input.xs"}, {"target": "position", "value": 0}],
                "output": [write("value", "state.x", "ok")],
            },
            {"ok": "here", "out_of_range": "end"},
        ),
        stand("here"),
    )
    document = workflow(*steps, state={"x": ANY}, input_schema=record({"xs": {"type": "array", "items": TEXT}}))
    assert type_at(document, "here", "state.x") == "string"


def test_a_built_in_behind_a_definition_that_keeps_less() -> None:
    made = {"name": "keep", "uses": "wf.std.record", "outcomes": ["ok"], "output_schema": record(optional={"a": ANY})}
    bound = [{"target": "a", "value": 1}, {"target": "b", "value": 2}]
    document = workflow(call("w", "keep", [], bound, ok="end"), node_defs=[made])
    assert given(document, "w", "ok") == "object with a"


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("fail", {"failed": "0", "errors": "[]"}),
        ("skip", {"errors": "[]"}),
        ("collect", {"errors": "array of object with code, index, item, message, node_id"}),
    ],
)
def test_what_a_loop_tells(policy: str, expected: dict[str, str]) -> None:
    document = workflow(
        each("e", "input.xs", "in", "end", on_item_error=policy),
        stand("in", "e"),
        input_schema=record({"xs": {"type": "array", "items": TEXT}}),
    )
    studied = Studied(document)
    told = studied.values.output(studied.flow, "e", "done")
    assert {name: describe(field(told, name).type) for name in expected} == expected
    if policy == "collect":
        assert describe(field(elements(field(told, "errors").type), "item").type) == "string"


def test_an_answer_has_what_its_bindings_read() -> None:
    schema = record(optional={"who": TEXT})
    step, wires = ask("a", [write("who", "state.x", "yes")], kind="own", yes="here", no="end")
    document = workflow((step | {"resume_schema": schema}, wires), stand("here"), state={"x": ANY})
    assert type_at(document, "here", "state.x") == "string"
    assert given(document, "a", "yes") == "object with who"


def test_a_payload_is_a_record_of_what_is_bound() -> None:
    bound = [{"target": "a.b", "path": "input.n"}, {"target": "c", "value": None}]
    document = workflow(call("w", "make", [], bound, ok="end"), node_defs=[MAKE], input_schema=record({"n": INTEGER}))
    studied = Studied(document)
    assert describe(studied.values.payload(studied.flow, "w")) == "object with a, c"


def test_a_whole_payload() -> None:
    document = workflow(
        call("w", "make", [], [{"target": ".", "path": "input.n"}], ok="end"),
        node_defs=[MAKE],
        input_schema=record({"n": INTEGER}),
    )
    studied = Studied(document)
    assert describe(studied.values.payload(studied.flow, "w")) == "integer"


def test_what_a_child_projects_is_what_its_parent_reads() -> None:
    inner = {
        **workflow(put("w", "state.x", "end", "a"), state={"x": ANY}),
        "name": "child",
        "output_schema": record(optional={"x": {"type": ["string", "null"]}}),
    }
    main = workflow(child("s", "child", [write("x", "state.r")], ok="here"), stand("here"), state={"r": ANY})
    assert type_at({"main": "main", "workflows": [main, inner]}, "here", "state.r") == '"a"'


def test_children_that_contain_one_another_are_known_by_their_schemas() -> None:
    projected = record(optional={"x": TEXT})
    one = {**workflow(child("s", "two", [write("x", "state.x")], ok="end"), state={"x": ANY}), "name": "one"}
    two = {**workflow(child("s", "one", [write("x", "state.x")], ok="end"), state={"x": ANY}), "name": "two"}
    studied = Studied(
        {"main": "one", "workflows": [one | {"output_schema": projected}, two | {"output_schema": projected}]}
    )
    assert {name: describe(type) for name, type in studied.values.exits(studied.flow).items()} == {
        "ok": "object with x"
    }
