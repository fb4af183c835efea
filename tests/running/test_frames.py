"""What a stored run says of its frames and its question, and that a text which says something else is refused.

The run: `main` calls `middle`, which calls `asks`, whose loop asks once an item; every workflow has a `log` of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import wfc

Json = dict[str, Any]

LOG = {"type": "object", "properties": {"log": {"type": "array", "reducer": "wf.std.append"}}}


def flow(name: str, nodes: list[Json], *edges: str) -> Json:
    wired = [dict(zip(("from", "outcome", "to"), edge.split(), strict=True)) for edge in edges]
    return {
        "name": name,
        "state_schema": LOG,
        "output_schema": LOG,
        "start": nodes[0]["id"],
        "nodes": nodes,
        "edges": wired,
    }


def calling(id: str, child: str) -> Json:
    return {
        "id": id,
        "type": "subgraph",
        "workflow": {"name": child},
        "output": [{"source": "log", "target": "state.log"}],
    }


def note(id: str) -> Json:
    return {
        "id": id,
        "type": "node",
        "node": "wf.std.identity",
        "input": [{"target": "value", "value": id}],
        "output": [{"source": "value", "target": "state.log"}],
    }


ASK = {
    "id": "ask",
    "type": "interrupt",
    "kind": "text_input",
    "request": [{"target": "prompt", "path": "context.item"}],
    "resume": [{"source": "text", "target": "state.log"}],
    "outcomes": ["ok"],
}


def each(mode: str) -> Json:
    return {"id": "each", "type": "foreach", "over": {"value": ["a", "b"]}, "as": "item", "mode": mode}


def program(mode: str = "parallel", ask: Json = ASK) -> wfc.Program:
    middle = flow("middle", [calling("deep", "asks")], "deep ok __end__")
    asks = flow(
        "asks", [note("begin"), each(mode), ask], "begin ok each", "each item ask", "ask ok each", "each done __end__"
    )
    main = flow(
        "main",
        [note("before"), calling("call", "middle"), note("after")],
        "before ok call", "call ok after", "after ok __end__",
    )  # fmt: skip
    return wfc.compile({"workflows": [main, middle, asks]})


def waiting(mode: str = "parallel") -> wfc.RunState:
    return wfc.execute_workflow(program(mode), {}, run_id="r")


def told(run: wfc.RunState, *keys: str) -> list[tuple[Any, ...]]:
    return [tuple(frame.get(key) for key in keys) for frame in json.loads(run.to_json())["frames"]]


def test_every_frame_knows_its_kind_its_parent_and_where_it_stands() -> None:
    item = "root/call#1/deep#1/each#1"
    assert told(waiting(), "id", "kind", "parent", "step", "status", "scope") == [
        ("root", "root", None, "call", "blocked", "root"),
        ("root/call#1", "subgraph", "root", "deep", "blocked", "root/call#1"),
        ("root/call#1/deep#1", "subgraph", "root/call#1", "each", "blocked", "root/call#1/deep#1"),
        (f"{item}[0]", "foreach_item", "root/call#1/deep#1", "ask", "interrupted", "root/call#1/deep#1"),
        (f"{item}[1]", "foreach_item", "root/call#1/deep#1", "ask", "interrupted", "root/call#1/deep#1"),
    ]


def test_a_child_begins_at_its_start_while_the_step_is_blocked() -> None:
    run = wfc.start_workflow(program(), {})
    seen = [told(run := wfc.step_workflow(program(), run), "kind", "step", "status") for _ in range(2)]
    assert seen == [
        [("root", "call", "ready")],
        [("root", "call", "blocked"), ("subgraph", "deep", "blocked"), ("subgraph", "each", "ready")],
    ]
    assert [entry["step"] for entry in run.trace] == ["before", "begin"]


def test_a_question_names_the_outermost_step_and_its_route_each_level() -> None:
    run = waiting()
    asked = run.interrupt
    assert asked is not None
    assert (asked.node_id, asked.frame_id, asked.payload) == ("call", "root", {"prompt": "a"})
    item = "root/call#1/deep#1/each#1[0]"
    assert asked.route == (
        {
            "workflow": "middle",
            "scope": "root/call#1",
            "lineage": "root/call#1",
            "frame": "root/call#1",
            "step": "deep",
        },
        {"workflow": "asks", "scope": "root/call#1/deep#1", "lineage": item, "frame": item, "step": "ask"},
    )
    assert (item, "interrupted") in told(run, "id", "status")


@pytest.mark.parametrize("mode", ["serial", "parallel"])
def test_the_frame_of_a_question_knows_its_item(mode: str) -> None:
    run = waiting(mode)
    items = []
    while run.interrupt is not None:
        loops = dict(told(run, "id", "loop"))
        items.append(loops[run.interrupt.route[-1]["frame"]])
        run = wfc.resume_workflow(program(mode), run, outcome="ok", payload={"text": "x"})
    assert items == [{"alias": "item", "index": n, "item": item} for n, item in enumerate("ab")]


def test_an_answer_goes_into_the_child_and_the_step_around_it_waits_for_its_end() -> None:
    first = waiting("serial")
    assert first.state == {"log": ["before"]}
    second = wfc.resume_workflow(program("serial"), first, outcome="ok", payload={"text": "A"})
    assert (second.status, second.state) == ("interrupted", {"log": ["before"]})
    assert told(second, "step", "state") == [
        ("call", None),
        ("deep", {}),
        ("each", {"log": ["begin", "A"]}),
        ("ask", None),
    ]
    assert [entry["step"] for entry in second.trace[len(first.trace) :]] == ["ask", "each"]
    ended = wfc.resume_workflow(program("serial"), second, outcome="ok", payload={"text": "B"})
    assert ended.output == {"log": ["before", [["begin", "A", "B"]], "after"]}
    assert [entry["step"] for entry in ended.trace[len(second.trace) :]] == ["ask", "each", "deep", "call", "after"]
    assert told(ended, "kind", "status") == [("root", "completed")]


def test_a_step_that_is_reached_again_starts_its_child_anew() -> None:
    node = {"name": "more", "outcomes": ["again", "enough"]}
    child = flow("child", [note("begin")], "begin ok __end__")
    use = {"id": "ask", "type": "node", "node": "more"}
    main = flow("main", [calling("call", "child"), use], "call ok ask", "ask again call", "ask enough __end__")
    compiled = wfc.compile({"workflows": [{**main, "node_defs": [node]}, child]})
    answers = iter(["again", "enough"])
    run = wfc.execute_workflow(compiled, {}, handlers={"more": lambda payload: (next(answers), {})})
    assert run.state == {"log": [["begin"], ["begin"]]}
    assert [entry["scope"] for entry in run.trace if entry["step"] == "begin"] == ["root/call#1", "root/call#2"]


def test_a_failure_in_a_child_is_told_with_its_place_and_takes_no_outcome() -> None:
    node = {"name": "work", "outcomes": ["ok", "error"]}
    step = {"id": "work", "type": "node", "node": "work"}
    bad = {"id": "bad", "type": "end", "outcome": "error"}
    child = flow("child", [step, bad], "work ok __end__", "work error bad")
    call = {**calling("call", "child"), "output": [], "outcomes": ["ok", "error"]}
    main = flow("main", [call, note("after")], "call ok __end__", "call error after", "after ok __end__")
    both = [main, {**child, "node_defs": [node], "outcomes": ["ok", "error"]}]
    compiled = wfc.compile({"workflows": both})

    def fails(payload: Any) -> Any:
        raise ValueError("boom")

    run = wfc.execute_workflow(compiled, {}, handlers={"work": fails})
    assert (run.status, run.outcome, [entry["step"] for entry in run.trace]) == ("failed", None, ["work"])
    assert run.error is not None
    assert (run.error.code, run.error.node_id, run.error.frame_id) == ("node_failed", "work", "root/call#1")
    assert [(hop["workflow"], hop["scope"], hop["step"]) for hop in run.error.route] == [
        ("child", "root/call#1", "work")
    ]
    said = wfc.execute_workflow(compiled, {}, handlers={"work": lambda payload: ("error", {})})
    assert (said.status, said.state) == ("completed", {"log": ["after"]})


def no_key(record: Json, key: str) -> None:
    del record[key]


DAMAGE: dict[str, tuple[Callable[[Json], Any], str]] = {
    "a question of no step": (lambda run: no_key(run["interrupt"], "node_id"), "`/interrupt`"),
    "a question of no frame": (lambda run: no_key(run["interrupt"], "frame_id"), "`/interrupt`"),
    "a route of text": (lambda run: run["interrupt"].update(route=["root/call"]), "`/interrupt/route/0`"),
    "a hop that knows more": (lambda run: run["interrupt"]["route"][1].update(more=""), "`/interrupt/route/1`"),
    "a hop without its scope": (lambda run: no_key(run["interrupt"]["route"][0], "scope"), "`/interrupt/route/0`"),
    "a frame that knows more": (lambda run: run["frames"][1].update(more=""), "`/frames/1`"),
    "a frame of another kind": (lambda run: run["frames"][1].update(kind="thread"), "`/frames/1/kind`"),
    "a child without its workflow": (lambda run: no_key(run["frames"][1], "routine"), "`/frames/1`"),
    "an item without its loop": (lambda run: no_key(run["frames"][3], "loop"), "`/frames/3`"),
    "a root with the input of a child": (lambda run: run["frames"][0].update(input={}), "`/frames/0/input`"),
    "a frame below nobody": (lambda run: run["frames"][2].update(parent="nobody"), "the frame `nobody`"),
    "a second root": (lambda run: run["frames"][1].update(parent=None), "is the second without a parent"),
    "another format": (lambda run: run.update(schema="wfc.runstate/9"), "of the format `wfc.runstate/1`"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_text_that_is_no_run_state_is_refused(what: str) -> None:
    damage, message = DAMAGE[what]
    value = json.loads(waiting().to_json())
    assert wfc.RunState.from_json(json.dumps(value)) == waiting()
    damage(value)
    with pytest.raises(ValueError, match="this is no run state") as refused:
        wfc.RunState.from_json(json.dumps(value))
    assert message in str(refused.value)


@pytest.mark.parametrize("text", ["", "[1]", "[" * 100_000 + "]" * 100_000])
def test_a_text_that_is_something_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"this is no run state|Expecting value"):
        wfc.RunState.from_json(text)
