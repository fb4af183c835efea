"""What a run tells of itself: its trace entries, its questions, and what reducers may do."""

from __future__ import annotations

from typing import Any

import pytest

import wfc
from wfc.ir import REDUCERS

TEXT = {"type": "string"}
TAGS = {"type": "array", "items": TEXT, "reducer": "wf.std.append", "default": ["a"]}


def flow(**more: Any) -> dict[str, Any]:
    """One step that calls `echo`, which is tried three times, and writes what comes back."""
    return {
        "name": "one",
        "input_schema": {"type": "object", "properties": {"q": TEXT}, "required": ["q"]},
        "state_schema": {"type": "object", "properties": {"tags": TAGS, "n": {"type": "integer"}}},
        "node_defs": [
            {
                "name": "echo",
                "outcomes": ["ok"],
                "retry": 3,
                "output_schema": {"type": "object", "properties": {"echoed": TEXT, "n": {}}},
            }
        ],
        "start": "e",
        "nodes": [
            {
                "id": "e",
                "type": "node",
                "node": "echo",
                "input": [{"target": "text", "path": "input.q"}],
                "output": [{"source": "echoed", "target": "state.tags"}],
            }
        ],
        "edges": [{"from": "e", "outcome": "ok", "to": "__end__"}],
        **more,
    }


def run(handler: Any) -> wfc.RunState:
    return wfc.execute_workflow(wfc.compile(flow()), {"q": "hi"}, handlers={"echo": handler})


def test_an_entry_says_what_a_step_did() -> None:
    (entry,) = run(lambda payload: {"echoed": payload["text"]}).trace
    assert {key: entry[key] for key in ("step", "type", "input", "outcome", "output", "changes", "next")} == {
        "step": "e",
        "type": "node",
        "input": {"text": "hi"},
        "outcome": "ok",
        "output": {"echoed": "hi"},
        "changes": [{"path": "state.tags", "value": "hi", "reducer": "wf.std.append"}],
        "next": "__end__",
    }
    assert (entry["scope"], entry["lineage"], entry["frame"], entry["parent"]) == ("root", "root", "root", None)
    assert "metadata" not in entry


def test_a_join_has_an_entry_and_writes_nothing() -> None:
    branches = [
        {"id": name, "type": "node", "node": "wf.std.identity", "input": [{"target": "value", "value": name}],
         "output": [{"source": "value", "target": "state.tags"}]}
        for name in "ab"
    ]  # fmt: skip
    fork = {"id": "fork", "type": "fork", "branches": ["a", "b"]}
    wired = (
        ("fork", "a", "a"),
        ("fork", "b", "b"),
        ("a", "ok", "join"),
        ("b", "ok", "join"),
        ("join", "ok", "__end__"),
    )
    edges = [dict(zip(("from", "outcome", "to"), edge, strict=True)) for edge in wired]
    nodes = [fork, *branches, {"id": "join", "type": "join"}]
    document = flow(node_defs=[], start="fork", nodes=nodes, edges=edges)
    ended = wfc.execute_workflow(wfc.compile(document), {"q": "hi"})
    assert ended.state["tags"] == ["a", "a", "b"]
    entry = ended.trace[-1]
    assert (entry["step"], entry["type"], entry["outcome"], entry["next"]) == ("join", "join", "ok", "__end__")
    assert entry.get("changes", []) == [] and "input" not in entry and "output" not in entry


def test_what_a_handler_says_beside_its_output_is_in_the_trace_alone() -> None:
    given = wfc.NodeResult("ok", {"echoed": "b", "debug": 1}, meta={"latency": 3}, extra={"more": 2})
    ended = run(lambda payload: given)
    (entry,) = ended.trace
    assert (entry["extra"], entry["meta"]) == ({"debug": 1, "more": 2}, {"latency": 3})
    assert ended.state == {"q": "hi", "tags": ["a", "b"]}


def test_an_entry_tells_failed_attempts() -> None:
    calls: list[int] = []

    def late(payload: Any) -> Any:
        calls.append(1)
        if len(calls) < 3:
            raise ValueError("boom")
        return {"echoed": "b"}

    (entry,) = run(late).trace
    assert entry["attempts"] == [{"code": "node_failed", "message": "boom", "type": "ValueError"}] * 2


def test_the_entries_of_a_scope_are_found() -> None:
    step = {"id": "child", "type": "subgraph", "workflow": "one", "input": [{"target": "q", "value": "hi"}]}
    edge = {"from": "child", "outcome": "ok", "to": "__end__"}
    parent = {"name": "parent", "start": "child", "nodes": [step], "edges": [edge]}
    program = wfc.compile({"workflows": [parent, flow()]})
    ended = wfc.execute_workflow(program, {}, handlers={"echo": lambda payload: {"echoed": "b"}})
    inner, outer = ended.trace
    assert (inner["step"], outer["step"], outer["type"]) == ("e", "child", "subgraph")
    assert ended.trace_for_scope(inner["scope"]) == (inner,)
    assert ended.trace_for_scope("root") == (outer,)


def test_a_question_of_the_root_has_no_route_and_one_of_a_child_leads_there() -> None:
    ask = {
        "name": "asks",
        "start": "ask",
        "nodes": [
            {"id": "ask", "type": "interrupt", "kind": "approval", "request": [{"target": "prompt", "value": "?"}],
             "outcomes": ["yes"]}
        ],
        "edges": [{"from": "ask", "outcome": "yes", "to": "__end__"}],
    }  # fmt: skip
    step = {"id": "child", "type": "subgraph", "workflow": "asks"}
    edge = {"from": "child", "outcome": "ok", "to": "__end__"}
    parent = {"name": "parent", "start": "child", "nodes": [step], "edges": [edge]}
    alone = wfc.execute_workflow(wfc.compile(ask), {}).interrupt
    below = wfc.execute_workflow(wfc.compile({"workflows": [parent, ask]}), {}).interrupt
    assert alone is not None and below is not None
    assert (alone.node_id, alone.route) == ("ask", ())
    assert (below.node_id, [hop["step"] for hop in below.route]) == ("child", ["ask"])


def test_each_reducer_says_whether_siblings_may_write() -> None:
    assert [one.name for one in REDUCERS if not one.mergeable] == ["wf.std.replace"]
    wanted = {"replace", "append", "extend", "max", "min", "add", "modulo_add", "merge_object", "set_union"}
    assert {one.name for one in REDUCERS} == {f"wf.std.{name}" for name in wanted}


@pytest.mark.parametrize("n", [3, "no integer"])
def test_a_reducer_cannot_change_state(n: Any) -> None:
    def spoil(current: Any, new: Any, config: Any) -> Any:
        current.append("spoilt")
        return [*current, new]

    own = wfc.Reducer("own.spoil", True, ("array",), merge=spoil, first=lambda new, config: [new])
    document = flow()
    document["state_schema"]["properties"]["tags"] = {**TAGS, "reducer": "own.spoil"}
    document["nodes"][0]["output"].append({"source": "n", "target": "state.n"})
    program = wfc.compile(document, unchecked=True)
    given = {"echoed": "b", "n": n}
    ended = wfc.execute_workflow(program, {"q": "hi"}, handlers={"echo": lambda payload: given}, reducers=[own])
    kept = ["a", "spoilt", "b"] if n == 3 else ["a"]
    assert ended.state["tags"] == kept
