"""One root cause is one finding, in strict mode as well: nothing is told of what only follows from it."""

from typing import Any

import pytest

import wfc
from tests.passes.workflows import Json, flow
from wfc.diagnostics import Severity


def told(document: Json) -> list[str]:
    """What strict mode finds but for notes, as code and pointer."""
    found = wfc.check(document, strict=True).diagnostics
    return [f"{one.code.code} {one.at.pointer}" for one in found if one.severity is not Severity.NOTE]


TEXT = {"type": "string"}
SAY = {"type": "object", "properties": {"text": TEXT}, "required": ["text"]}


@pytest.mark.parametrize(
    ("schema", "at"),
    [
        ({"type": "object", "properties": {"t": {"type": "str"}}, "required": ["t"]}, "/properties/t/type"),
        ({"type": "object", "properties": {"t": {"$ref": "#/$defs/t"}}, "required": ["t"]}, "/properties/t/$ref"),
        ({"type": "object", "properties": ["t"], "required": ["t"]}, "/properties"),
        ({"type": "object", "properties": {"t": TEXT}, "required": "t"}, "/required"),
        ({"type": "object", "properties": {"t": TEXT}, "required": ["t", 1]}, "/required/1"),
        ({"$ref": "#/$defs/t"}, "/$ref"),
        ({"type": "object", "properties": {"t": TEXT}, "required": True}, "/required"),
    ],
)
def test_what_a_faulty_schema_lets_through_is_no_finding(schema: Json, at: str) -> None:
    document = {
        "name": "w",
        "start": "a",
        "input_schema": schema,
        "node_defs": [{"name": "say", "outcomes": ["ok"], "input_schema": SAY}],
        "nodes": [{"id": "a", "type": "node", "node": "say", "input": [{"target": "text", "path": "input.t"}]}],
        "edges": [{"from": "a", "outcome": "ok", "to": "__end__"}],
    }
    assert [each.split()[1] for each in told(document)] == [f"/input_schema{at}"]


def test_one_required_field_is_listed() -> None:
    """Where it is named alone, it is meant, and only that is said."""
    document = flow("n:ok->__end__")
    document["input_schema"] = {"type": "object", "properties": {"t": TEXT}, "required": "t"}
    (found,) = [one for one in wfc.check(document).diagnostics if one.code.code == "WF016"]
    assert found.fixes[0].patch[-1] == {"op": "replace", "path": "/input_schema/required", "value": ["t"]}


def test_an_object_that_is_said_to_be_required_may_require_all_that_it_has() -> None:
    card = {"type": "object", "properties": {"t": TEXT}, "required": True}
    document = {
        "name": "w",
        "start": "a",
        "input_schema": {"type": "object", "properties": {"card": card}},
        "node_defs": [{"name": "say", "outcomes": ["ok"], "input_schema": SAY}],
        "nodes": [{"id": "a", "type": "node", "node": "say", "input": [{"target": "text", "path": "input.card.t"}]}],
        "edges": [{"from": "a", "outcome": "ok", "to": "__end__"}],
    }
    (found,) = wfc.check(document, strict=True).diagnostics
    assert (found.code.code, found.at.pointer) == ("WF016", "/input_schema/properties/card/required")
    assert [fix.title for fix in found.fixes] == [
        "List `card` under `required` of the object",
        "List every property",
    ]
    card["required"] = False
    assert told(document) == ["WF016 /input_schema/properties/card/required", "WF407 /nodes/0/input/0/path"]


def test_an_object_with_company_is_not_said_to_lack_what_that_brings() -> None:
    given: Json = {"whole": {"type": "object"}, "text": TEXT}
    document = {
        "name": "w",
        "start": "a",
        "input_schema": {"type": "object", "properties": given, "required": ["whole", "text"]},
        "node_defs": [{"name": "say", "outcomes": ["ok"], "input_schema": SAY}],
        "nodes": [{"id": "a", "type": "node", "node": "say", "input": [
            {"target": ".", "path": "input.whole"}, {"target": "text", "path": "input.text"}]}],
        "edges": [{"from": "a", "outcome": "ok", "to": "__end__"}],
    }  # fmt: skip
    assert told(document) == ["WF303 /nodes/0/input/1/target"]
    given["whole"] = {"type": "integer"}
    assert told(document) == ["WF302 /nodes/0/input/0/path", "WF303 /nodes/0/input/1/target"]
    given["whole"] = {"type": "object"}
    del document["nodes"][0]["input"][1]
    assert told(document) == ["WF390 /nodes/0/input/0/path"]


XS = {"type": "object", "properties": {"s": TEXT, "xs": {"type": "array", "items": TEXT}}, "required": ["s", "xs"]}
PUT = [{"source": "r", "target": "state.r"}]
SAID = {"id": "b", "type": "node", "node": "say", "input": [{"target": "text", "path": "state.r"}]}


def saying(state: Json, *nodes: Json, arrows: list[tuple[str, str, str]], **more: Any) -> Json:
    return {
        "name": "w",
        "start": nodes[0]["id"],
        "input_schema": XS,
        "state_schema": {"type": "object", "properties": {"r": state}},
        "node_defs": [{"name": "say", "outcomes": ["ok"], "input_schema": SAY}],
        "nodes": list(nodes),
        "edges": [{"from": source, "outcome": outcome, "to": target} for source, outcome, target in arrows],
        **more,
    }


@pytest.mark.parametrize("refused", [3, {"k": 1}, None])
def test_a_default_that_is_refused_is_told_once(refused: Any) -> None:
    """What reads the field is judged by the schema that refuses it."""
    check = {"op": "lt", "left": {"path": "state.r"}, "right": {"value": "m"}}
    document = saying(
        {**TEXT, "default": refused},
        SAID,
        {"id": "c", "type": "condition", "check": check},
        arrows=[("b", "ok", "c"), ("c", "true", "__end__"), ("c", "false", "__end__")],
        output_schema={"type": "object", "properties": {"r": TEXT}},
    )
    assert told(document) == ["WF409 /state_schema/properties/r/default"]


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        ({"id": "a", "type": "node", "node": "nobody", "output": PUT}, "WF105 /nodes/0/node"),
        ({"id": "a", "type": "subgraph", "workflow": {"name": "nobody"}, "output": PUT}, "WF700 /nodes/0/workflow"),
    ],
)
def test_nothing_follows_from_what_is_not_there(step: Json, fault: str) -> None:
    document = saying(TEXT, step, SAID, arrows=[("a", "ok", "b"), ("b", "ok", "__end__")])
    assert told(document) == [fault]


def test_a_loop_that_is_entered_from_outside_does_not_lose_its_item_twice() -> None:
    document = saying(
        TEXT,
        {"id": "c", "type": "condition", "check": {"op": "eq", "left": {"path": "input.s"}, "right": {"value": "x"}}},
        {"id": "e", "type": "foreach", "over": "input.xs", "as": "x"},
        {**SAID, "input": [{"target": "text", "path": "context.x"}]},
        arrows=[
            ("c", "true", "e"),
            ("c", "false", "b"),
            ("e", "item", "b"),
            ("b", "ok", "e"),
            ("e", "done", "__end__"),
        ],
        state_schema={"type": "object"},
    )
    assert told(document) == ["WF206 /edges/1"]


PART: Json = {
    "name": "part",
    "start": "a",
    "input_schema": SAY,
    "state_schema": {"type": "object", "properties": {"text": TEXT}},
    "output_schema": {"type": "object", "properties": {"text": TEXT}, "required": ["text"]},
    "nodes": [
        {
            "id": "a",
            "type": "node",
            "node": "wf.std.record",
            "input": [{"target": "text", "path": "input.text"}],
            "output": [{"source": "text", "target": "state.text"}],
        }
    ],
    "edges": [{"from": "a", "outcome": "ok", "to": "__end__"}],
}


@pytest.mark.parametrize(
    ("node", "field"),
    [("wf.std.record", "text"), ("wf.std.identity", "value")],
)
def test_what_a_binding_that_cannot_be_read_would_have_handed_on_is_not_missed(node: str, field: str) -> None:
    (step,) = PART["nodes"]
    handing = {"input": [{"target": field, "path": "text"}], "output": [{"source": field, "target": "state.text"}]}
    document = {**PART, "nodes": [{**step, "node": node, **handing}]}
    assert told(document) == ["WF021 /nodes/0/input/0/path"]


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        ({}, []),
        ({"start": 7}, ["WF012 /workflows/1/start"]),
        ({"start": "b"}, ["WF100 /workflows/1/start"]),
        ({"edges": []}, ["WF108 /workflows/1/nodes/0"]),
        ({"edges": [{"from": "a", "outcome": "fine", "to": "__end__"}]}, ["WF106 /workflows/1/edges/0/outcome"]),
        ({"edges": [{"from": "a", "outcome": "ok", "to": "nobody"}]}, ["WF101 /workflows/1/edges/0/to"]),
    ],
)
def test_a_fault_of_a_child_is_not_one_of_who_runs_it(fault: Json, found: list[str]) -> None:
    parent = {
        **PART,
        "name": "whole",
        "nodes": [
            {
                "id": "a",
                "type": "subgraph",
                "workflow": {"name": "part"},
                "input": [{"target": "text", "path": "input.text"}],
                "output": [{"source": "text", "target": "state.text"}],
            }
        ],
    }
    assert told({"workflows": [parent, {**PART, **fault}]}) == found
