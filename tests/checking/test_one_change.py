"""One change of a workflow in which nothing is found gives the finding that it deserves, at its place, and no other."""

from __future__ import annotations

from typing import Any

import pytest

import wfc
from wfc.diagnostics import Severity
from wfc.edits import apply_patch

Json = dict[str, Any]

TEXT = {"type": "string"}
NAMES = {"type": "array", "items": TEXT}


def record(required: list[str], **fields: Any) -> Json:
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}


def edge(source: str, outcome: str, target: str) -> Json:
    return {"from": source, "outcome": outcome, "to": target}


SAY = {
    "name": "say",
    "input_schema": record(["text"], text=TEXT, user=record([], name=TEXT)),
    "output_schema": record(["text"], text=TEXT),
    "outcomes": ["ok", "odd"],
}
CHILD: Json = {
    "name": "child",
    "input_schema": record(["text"], text=TEXT),
    "state_schema": {"type": "object", "properties": {"text": TEXT}},
    "output_schema": record([], text=TEXT),
    "outcomes": ["ok", "late"],
    "node_defs": [SAY],
    "start": "told",
    "nodes": [
        {
            "id": "told",
            "type": "node",
            "node": "say",
            "input": [{"target": "text", "path": "input.text"}],
            "output": [{"source": "text", "target": "state.text"}],
        },
        {"id": "end_late", "type": "end", "outcome": "late"},
    ],
    "edges": [edge("told", "ok", "__end__"), edge("told", "odd", "end_late")],
}
MAIN: Json = {
    "name": "main",
    "input_schema": record(["names", "first"], names=NAMES, first=TEXT),
    "state_schema": {
        "type": "object",
        "properties": {"log": {**NAMES, "reducer": "wf.std.append", "default": []}, "last": TEXT, "child": TEXT},
    },
    "output_schema": record(["log"], log=NAMES, last=TEXT, child=TEXT),
    "node_defs": [SAY],
    "start": "say",
    "nodes": [
        {
            "id": "say",
            "type": "node",
            "node": "say",
            "input": [{"target": "text", "path": "input.first"}],
            "output": [{"source": "text", "target": "state.last"}],
        },
        {
            "id": "is_ada",
            "type": "condition",
            "check": {"op": "eq", "left": {"path": "state.last"}, "right": {"value": "Ada"}},
        },
        {"id": "met", "type": "join"},
        {"id": "each", "type": "foreach", "over": "input.names", "as": "name"},
        {
            "id": "one",
            "type": "node",
            "node": "say",
            "input": [{"target": "text", "path": "context.name"}],
            "output": [{"source": "text", "target": "state.log"}],
        },
        {
            "id": "ask",
            "type": "interrupt",
            "kind": "approval",
            "request": [{"target": "prompt", "value": "Go on?"}],
            "outcomes": ["yes", "no"],
        },
        {
            "id": "call",
            "type": "subgraph",
            "workflow": {"name": "child"},
            "input": [{"target": "text", "path": "state.last"}],
            "output": [{"source": "text", "target": "state.child"}],
            "outcomes": ["ok", "late"],
        },
    ],
    "edges": [
        edge("say", "ok", "is_ada"),
        edge("say", "odd", "is_ada"),
        edge("is_ada", "true", "met"),
        edge("is_ada", "false", "met"),
        edge("met", "ok", "each"),
        edge("each", "item", "one"),
        edge("one", "ok", "each"),
        edge("one", "odd", "each"),
        edge("each", "done", "ask"),
        edge("ask", "yes", "call"),
        edge("ask", "no", "__end__"),
        edge("call", "ok", "__end__"),
        edge("call", "late", "__end__"),
    ],
}
BASE = {"workflows": [MAIN, CHILD]}
PLACE = {one["id"]: f"/workflows/0/nodes/{number}" for number, one in enumerate(MAIN["nodes"])}
PLACE |= {"main": "/workflows/0", "child": "/workflows/1"}


def at(place: str) -> str:
    """The pointer of a place that begins with the name of a step of `main`, or of a workflow."""
    name, slash, rest = place.partition("/")
    return PLACE[name] + slash + rest


def changed(**values: Any) -> Json:
    """The workflow with values in their places; null stands for what is taken away."""
    patch = [
        {"op": "remove", "path": at(place)} if value is None else {"op": "add", "path": at(place), "value": value}
        for place, value in values.items()
    ]
    made: Json = apply_patch(BASE, patch)
    return made


def found(document: Json) -> list[str]:
    """Errors and warnings: a note that a field is now unread says nothing of the change."""
    told = [one for one in wfc.check(document).diagnostics if one.severity is not Severity.NOTE]
    return [f"{one.code.code} {one.severity.value[0].upper()} {one.at.pointer}" for one in told]


def test_in_the_workflow_nothing_is_found() -> None:
    assert [one.message for one in wfc.check(BASE, strict=True).diagnostics] == []


BOTH = {"value": ["Ada", "Bob"]}
ISLAND = {"id": "island", "type": "node", "node": "say", "input": [{"target": "text", "value": "a"}]}
EXISTS = {"op": "exists", "path": "context.doc"}

CHANGES: dict[str, tuple[Json, str]] = {
    "start at the end token": ({"main/start": "__end__"}, "WF100 E main/start"),
    "an edge from the end token": ({"main/edges/-": edge("__end__", "ok", "say")}, "WF102 E main/edges/13/from"),
    "an edge with a condition": ({"main/edges/0/condition": EXISTS}, "WF010 E main/edges/0/condition"),
    "an edge with data": ({"main/edges/0/data": "x"}, "WF010 E main/edges/0/data"),
    "a join with bindings": ({"met/output": []}, "WF010 E met/output"),
    "a join without its edge": ({"main/edges/4": None}, "WF108 E met"),
    "a question with one of two answers wired": ({"main/edges/10": None}, "WF108 E ask"),
    "a child with one of two outcomes wired": ({"main/edges/12": None}, "WF108 E call"),
    "an unwired outcome within a child": ({"child/edges/0": None}, "WF108 E child/nodes/0"),
    "a step that nothing leads to, with outcomes unwired": ({"main/nodes/-": ISLAND}, "WF200 W main/nodes/7"),
    "a target that is no path": ({"say/input/0/target": "0x"}, "WF020 E say/input/0/target"),
    "a wire from step to step": ({"one/input/0/path": "say.text"}, "WF021 E one/input/0/path"),
    "a condition on an unknown input field": (
        {"is_ada/check/left/path": "input.nope"},
        "WF305 E is_ada/check/left/path",
    ),
    "a condition on an unknown state field": (
        {"is_ada/check/left/path": "state.nope"},
        "WF305 E is_ada/check/left/path",
    ),
    "a condition on an unknown context key": (
        {"is_ada/check/left/path": "context.nope"},
        "WF309 E is_ada/check/left/path",
    ),
    "whether a context key is there that never is": ({"is_ada/check": EXISTS}, "WF309 W is_ada/check/path"),
    "a read of undeclared state": ({"say/input/0/path": "state.nope"}, "WF305 E say/input/0/path"),
    "a source that the node does not give": ({"say/output/0/source": "txet"}, "WF306 E say/output/0/source"),
    "a loop over undeclared state": ({"each/over": "state.nope"}, "WF305 E each/over"),
    "a loop over an outcome": ({"each/over": "context.prior_outcome"}, "WF312 E each/over"),
    "items side by side that all replace one path": (
        {"each/mode": "parallel", "each/over": BOTH, "one/output/0/target": "state.last"},
        "WF500 E one/output/0/target",
    ),
    "items side by side that may replace one path": (
        {
            "each/mode": "parallel",
            "each/over": BOTH,
            "one/output/0": {"source": "text", "target": "state.last", "on": ["odd"]},
        },
        "WF501 W one/output/0/target",
    ),
    "a reducer below an array": (
        {"main/state_schema/properties/log/items/reducer": "wf.std.max"},
        "WF415 W main/state_schema/properties/log/items/reducer",
    ),
    "a target inside another": (
        {"say/input/-": {"target": "user", "value": {}}, "say/input/1": {"target": "user.name", "value": "x"}},
        "WF303 E say/input/2/target",
    ),
    "a target inside another, in the older spelling": (
        {
            "say/input": None,
            "say/in_map": {"state.first": "text", "input.first": "user.name"},
            "say/input_values": {"user": {}},
            "say/output": None,
            "say/out_map": {"text": "state.last"},
        },
        "WF303 E say/input_values/user",
    ),
    "a child's input schema without what it requires": (
        {"call/input_schema": record([])},
        "WF703 E call/input_schema",
    ),
    "a target that the child does not have": (
        {"call/input/-": {"target": "nope", "path": "state.last"}},
        "WF300 E call/input/1/target",
    ),
    "a source that the child does not give": ({"call/output/0/source": "nope"}, "WF306 E call/output/0/source"),
    "a child's output into input": ({"call/output/0/target": "input.first"}, "WF021 E call/output/0/target"),
    "a child's outcome that the step does not declare": (
        {"call/outcomes": ["ok"], "main/edges/12": None},
        "WF702 E call/outcomes",
    ),
    "a reference with handlers": (
        {"call/workflow": {"name": "child", "handlers": {}}},
        "WF010 E call/workflow/handlers",
    ),
    "a reference with a deployment": (
        {"call/workflow": {"artifact_id": "c", "version": 1, "deployment_id": "d"}},
        "WF010 E call/workflow/deployment_id",
    ),
    "a reference by text is a name, whatever it looks like": ({"call/workflow": "child@1"}, "WF700 E call/workflow"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_told_at_its_place(change: str) -> None:
    values, told = CHANGES[change]
    code, severity, place = told.split()
    assert found(changed(**values)) == [f"{code} {severity} {at(place)}"]


def test_five_faults_of_edges_are_five_findings_in_the_order_of_their_places() -> None:
    faulty = {
        "main/edges/0/from": "sya",
        "main/edges/2/to": "mett",
        "main/edges/3/outcome": "maybe",
        "main/edges/8": None,
        "main/edges/-": edge("met", "ok", "each"),
    }
    assert found(changed(**faulty)) == [
        f"WF108 E {at('each')}",
        f"WF102 E {at('main/edges/0/from')}",
        f"WF101 E {at('main/edges/2/to')}",
        f"WF106 E {at('main/edges/3/outcome')}",
        f"WF107 E {at('main/edges/12')}",
    ]
