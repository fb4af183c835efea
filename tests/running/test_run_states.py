"""What a run state shows: what is public of a run, and the frames of what is under way (reference 2.2, 2.6 to 2.8)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

import wfc
from wfc.ir import encode
from wfc.vm import interrupts, regions, snapshot, steps

Json = dict[str, Any]

ASK: Json = {
    "id": "ask",
    "type": "interrupt",
    "kind": "text_input",
    "request": [{"target": "prompt", "value": "?"}],
    "resume": [{"source": "text", "target": "state.got"}],
    "outcomes": ["ok"],
}
TEXTS: Json = {"type": "array", "items": {"type": "string"}}
STATE: Json = {"type": "object", "properties": {"got": {**TEXTS, "reducer": "wf.std.append", "default": []}}}
OUTPUT: Json = {"type": "object", "properties": {"got": TEXTS}, "required": ["got"]}


def workflow(nodes: list[Json], edges: str, **more: Any) -> Json:
    """A workflow that begins with its first step; edges are written `from:outcome>to`."""
    written = [one.replace(">", ":").split(":") for one in edges.split()]
    wired = [{"from": source, "outcome": outcome, "to": target} for source, outcome, target in written]
    start = {"name": "main", "start": nodes[0]["id"], "nodes": nodes, "edges": wired}
    return {"state_schema": STATE, "output_schema": OUTPUT, **start, **more}


def using(child: str) -> Json:
    output = [{"source": "got", "target": "state.log"}]
    return {"id": "use", "type": "subgraph", "workflow": {"name": child}, "output": output}


def say(id: str, text: str) -> Json:
    write = [{"source": "value", "target": "state.got"}]
    read = [{"target": "value", "value": text}]
    return {"id": id, "type": "node", "node": "wf.std.identity", "input": read, "output": write}


LOG: Json = {"log": {"type": "array", "items": TEXTS, "reducer": "wf.std.append", "default": []}}
ABOVE: Json = {
    "state_schema": {"type": "object", "properties": LOG},
    "output_schema": {"type": "object", "properties": {"log": {"type": "array"}}},
}
EACH: Json = {"id": "each", "type": "foreach", "over": {"value": ["a", "b"]}, "as": "x", "mode": "parallel"}
FORK: Json = {"id": "fork", "type": "fork", "branches": ["left", "right"]}
ROUND = "each:item>ask ask:ok>each each:done>__end__"
BRANCHES = "fork:left>ask fork:right>ask2 ask:ok>join ask2:ok>join join:ok>__end__"

CHILD = workflow([ASK], "ask:ok>__end__", name="child")
PLAIN = workflow([ASK], "ask:ok>__end__")
LOOP = workflow([EACH, ASK], ROUND)
SERIAL = workflow([{**EACH, "mode": "serial"}, ASK], ROUND)
FORKED = workflow([FORK, ASK, {**ASK, "id": "ask2"}, {"id": "join", "type": "join"}], BRANCHES)
PARENT: Json = {"workflows": [workflow([using("child")], "use:ok>__end__", **ABOVE), CHILD]}
MIDDLE = workflow([{**using("child"), "output": []}], "use:ok>__end__", name="middle")
DEEP: Json = {"workflows": [workflow([using("middle")], "use:ok>__end__", **ABOVE), MIDDLE, CHILD]}
IN_ITEMS = workflow([EACH, using("child")], "each:item>use use:ok>each each:done>__end__", **ABOVE)
LOOP_OF_CHILDREN: Json = {"workflows": [IN_ITEMS, CHILD]}


def started(document: Json) -> wfc.RunState:
    return wfc.execute_workflow(wfc.compile(document), {}, run_id="r")


def answered(document: Json) -> Iterator[wfc.RunState]:
    """A run each time that it rests, kept as text in between; its questions are answered `0`, `1` and so on."""
    program = wfc.compile(document)
    run = wfc.execute_workflow(program, {}, run_id="r")
    yield run
    for number in range(9):
        if run.status != "interrupted":
            return
        run = wfc.RunState.from_json(run.to_json())
        run = wfc.resume_workflow(program, run, outcome="ok", payload={"text": str(number)})
        yield run


# -- frames -----------------------------------------------------------------------------------------------------------


def tree(run: wfc.RunState) -> list[str]:
    """A line a frame: how deep it lies below the root, by its parents, and what is public of it."""
    records = {one["id"]: one for one in run.frames}

    def depth(record: Json) -> int:
        return 0 if record["parent"] is None else 1 + depth(records[record["parent"]])

    def line(record: Json) -> str:
        told = [record["kind"], record["status"], record["step"]]
        loop = record.get("loop")
        return " ".join(["-"] * depth(record) + told + ([] if loop is None else [f"{loop['item']}{loop['index']}"]))

    return [line(one) for one in run.frames]


FRAMES: list[tuple[str, Json, list[str]]] = [
    ("a plain run has one frame", PLAIN, ["root interrupted ask"]),
    ("all items of a parallel loop", LOOP,
     ["root blocked each", "- foreach_item interrupted ask a0", "- foreach_item interrupted ask b1"]),
    ("one item of a serial loop", SERIAL, ["root blocked each", "- foreach_item interrupted ask a0"]),
    ("the branches of a fork", FORKED,
     ["root blocked fork", "- fork_branch interrupted ask", "- fork_branch interrupted ask2"]),
    ("a child", PARENT, ["root blocked use", "- subgraph interrupted ask"]),
    ("a child of a child", DEEP, ["root blocked use", "- subgraph blocked use", "- - subgraph interrupted ask"]),
    ("a child in each item", LOOP_OF_CHILDREN,
     ["root blocked each", "- foreach_item blocked use a0", "- - subgraph interrupted ask",
      "- foreach_item blocked use b1", "- - subgraph interrupted ask"]),
]  # fmt: skip


@pytest.mark.parametrize(("document", "lines"), [pytest.param(*told, id=name) for name, *told in FRAMES])
def test_what_is_under_way_hangs_on_a_frame(document: Json, lines: list[str]) -> None:
    first, *_, last = answered(document)
    assert tree(first) == lines
    assert tree(last) == ["root completed __end__"]


def test_a_frame_is_blocked_until_what_it_began_has_ended() -> None:
    child = workflow([say("one", "1"), say("two", "2")], "one:ok>two two:ok>__end__", name="child")
    above = workflow(
        [using("child"), {"id": "nap", "type": "wait", "seconds": 0}], "use:ok>nap nap:ok>__end__", **ABOVE
    )
    program = wfc.compile({"workflows": [above, child]})
    run = wfc.start_workflow(program, {}, run_id="r")
    seen = []
    while run.status == "running":
        run = wfc.step_workflow(program, run)
        seen.append(([entry["step"] for entry in run.trace], [one["status"] for one in run.frames], run.state))
    # The child ends with the step that leads to its end.
    assert seen == [
        (["one"], ["blocked", "ready"], {"log": []}),
        (["one", "two", "use"], ["ready"], {"log": [["1", "2"]]}),
        (["one", "two", "use", "nap"], ["completed"], {"log": [["1", "2"]]}),
    ]


def scrambled(*parts: Any) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def without_ids(run: wfc.RunState) -> Any:
    told = ("step", "type", "index", "outcome", "input", "output", "changes", "next")
    entries = [[entry.get(key) for key in told] for entry in run.trace]
    question = run.interrupt and (
        run.interrupt.node_id,
        run.interrupt.payload,
        [hop["step"] for hop in run.interrupt.route],
    )
    return run.status, run.outcome, run.output, run.state, question, entries, tree(run)


@pytest.mark.parametrize("document", [LOOP, SERIAL, FORKED, DEEP, LOOP_OF_CHILDREN])
def test_no_logic_reads_an_id(document: Json, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = [without_ids(run) for run in answered(document)]
    for room, name in ((regions, "frame_id"), (regions, "frame_prefix"), (snapshot, "frame_prefix"),
                       (interrupts, "interrupt_id"), (steps, "call_id")):  # fmt: skip
        monkeypatch.setattr(room, name, scrambled)
    runs = list(answered(document))
    assert "#" not in "".join(one["id"] for run in runs for one in run.frames)
    assert [without_ids(run) for run in runs] == usual


def keys(value: Any) -> Iterator[str]:
    """The keys of every object in a JSON value."""
    inside: list[Any] = [value]
    while inside:
        one = inside.pop()
        if isinstance(one, dict):
            yield from one
        inside += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()


@pytest.mark.parametrize("document", [LOOP, PARENT, LOOP_OF_CHILDREN])
def test_no_object_is_keyed_by_paths(document: Json) -> None:
    told = [encode(wfc.compile(document)), *(run.to_json() for run in answered(document))]
    assert [
        key for one in told for key in keys(json.loads(one)) if "." in key or key.startswith(("state", "local"))
    ] == [key for one in told for key in keys(json.loads(one)) if key in ("state", "state_schema", "locals")]


# -- what is public of a run ------------------------------------------------------------------------------------------


def test_a_run_that_has_ended_says_all_of_itself() -> None:
    run = wfc.execute_workflow(wfc.compile(workflow([say("s", "hi")], "s:ok>__end__")), {"more": 1}, run_id="r")
    told = json.loads(run.to_json())
    public = ("program", "status", "outcome", "input", "state", "output", "interrupt", "error")
    assert {key: told[key] for key in public} == {
        "program": "main",
        "status": "completed",
        "outcome": "ok",
        "input": {"more": 1},
        "state": {"got": ["hi"]},
        "output": {"got": ["hi"]},
        "interrupt": None,
        "error": None,
    }
    assert [entry["step"] for entry in told["trace"]] == ["s"]
    edge = {"from": "s", "outcome": "ok", "to": "__end__"}
    assert (run.current_node, run.prior_outcome, run.activated_incoming_edge) == ("__end__", "ok", edge)


def test_a_run_under_way_has_no_output_yet() -> None:
    program = wfc.compile(workflow([say("a", "1"), say("b", "2")], "a:ok>b b:ok>__end__"))
    run = wfc.step_workflow(program, wfc.start_workflow(program, {}, run_id="r"))
    assert (run.status, run.output, run.outcome, run.current_node, run.prior_outcome) == (
        "running",
        None,
        None,
        "b",
        "ok",
    )
    assert wfc.resume_workflow(program, run).to_json() == wfc.execute_workflow(program, {}, run_id="r").to_json()


def test_a_run_that_fails_says_where_and_why() -> None:
    fail = {"id": "f", "type": "node", "node": "wf.std.fail", "input": [{"target": "message", "value": "boom"}]}
    run = started(workflow([say("s", "hi"), fail], "s:ok>f"))
    error = json.loads(run.to_json())["error"]
    assert (run.status, run.output, run.outcome, run.state) == ("failed", None, None, {"got": ["hi"]})
    assert error == {"code": "node_failed", "message": "boom", "node_id": "f", "frame_id": "root", "route": []}


def test_a_question_says_who_asks_what() -> None:
    run = started(PLAIN)
    told = json.loads(run.to_json())["interrupt"]
    wanted = {"frame_id": "root", "node_id": "ask", "kind": "text_input", "payload": {"prompt": "?"}, "resumable": True}
    assert {key: told[key] for key in wanted} == wanted
    assert told["id"] and (told["outcomes"], told["route"]) == (["ok"], [])
    assert (run.status, run.output, [one["status"] for one in run.frames if one["id"] == told["frame_id"]]) == (
        "interrupted",
        None,
        ["interrupted"],
    )


def test_entries_of_a_child_are_its_own_and_the_parent_has_one() -> None:
    *_, run = answered(PARENT)
    inner, outer = run.trace
    assert (inner["step"], inner["type"], inner["changes"]) == (
        "ask",
        "interrupt",
        [{"path": "state.got", "value": "0", "reducer": "wf.std.append"}],
    )
    assert (outer["step"], outer["type"], outer["outcome"], outer["frame"], outer["scope"]) == (
        "use",
        "subgraph",
        "ok",
        "root",
        "root",
    )
    assert outer["changes"] == [{"path": "state.log", "value": ["0"], "reducer": "wf.std.append"}]
    first, *_ = answered(PARENT)
    assert {inner["frame"], inner["scope"], inner["lineage"]} == {first.frames[1]["id"]}
