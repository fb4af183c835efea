"""What an attempt of a real function gets, how long it may take, and what its failure comes to."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

import wfc

Json = dict[str, Any]


def flow(definition: Json, **step: Any) -> wfc.Program:
    """One step, whose outcome `timeout` leads to another end than `ok`."""
    return wfc.compile(
        {
            "name": "main",
            "outcomes": ["ok", "late"],
            "node_defs": [{"name": "work", "outcomes": ["ok", "timeout"], **definition}],
            "start": "work",
            "nodes": [
                {"id": "work", "type": "node", "node": "work", "input": [{"target": "xs", "value": [1]}], **step},
                {"id": "late", "type": "end", "outcome": "late"},
            ],
            "edges": [
                {"from": "work", "outcome": "ok", "to": "__end__"},
                {"from": "work", "outcome": "timeout", "to": "late"},
            ],
        }
    )


def test_every_attempt_gets_the_input_of_the_first() -> None:
    seen: list[list[int]] = []

    def work(payload: Json) -> Json:
        seen.append(list(payload["xs"]))
        payload["xs"].append(2)
        if len(seen) < 3:
            raise ValueError("boom")
        return {}

    run = wfc.execute_workflow(flow({"retry": 3}), {}, handlers={"work": work})
    assert (run.status, seen, run.trace[0]["input"]) == ("completed", [[1], [1], [1]], {"xs": [1]})


@pytest.mark.parametrize(
    ("definition", "step", "status"),
    [
        ({"timeout_seconds": 300}, {"timeout_seconds": 0.05}, "failed"),
        ({"timeout_seconds": 0.05}, {"timeout_seconds": 300}, "completed"),
        ({"timeout_seconds": 0.05}, {}, "failed"),
        ({}, {}, "completed"),
    ],
)
@pytest.mark.parametrize("is_async", [False, True])
def test_the_time_of_the_step_wins_and_running_out_of_it_is_no_outcome(
    definition: Json, step: Json, status: str, is_async: bool
) -> None:
    seconds = 0.3 if status == "completed" else 600

    async def soon(payload: Json) -> Json:
        await asyncio.sleep(seconds)
        return {}

    def work(payload: Json) -> Json:
        time.sleep(seconds)
        return {}

    program = flow(definition, **step)
    if is_async:
        run = asyncio.run(wfc.execute_workflow_async(program, {}, handlers={"work": soon}))
    else:
        run = wfc.execute_workflow(program, {}, handlers={"work": work})
    assert (run.status, run.outcome) == (status, "ok" if status == "completed" else None)
    assert [entry["step"] for entry in run.trace] == ["work"]
    if status == "failed":
        assert run.error is not None and run.error.code == "node_timeout"


def test_a_function_of_a_child_that_is_async_is_refused_by_the_synchronous_door_before_the_first_step() -> None:
    child = {
        "name": "child",
        "node_defs": [{"name": "work", "outcomes": ["ok"]}],
        "start": "w",
        "nodes": [{"id": "w", "type": "node", "node": "work"}],
        "edges": [{"from": "w", "outcome": "ok", "to": "__end__"}],
    }
    main = {
        "name": "main",
        "node_defs": [{"name": "first", "outcomes": ["ok"]}],
        "start": "f",
        "nodes": [
            {"id": "f", "type": "node", "node": "first"},
            {"id": "call", "type": "subgraph", "workflow": {"name": "child"}},
        ],
        "edges": [{"from": "f", "outcome": "ok", "to": "call"}, {"from": "call", "outcome": "ok", "to": "__end__"}],
    }
    program = wfc.compile({"workflows": [main, child]})
    called: list[int] = []

    async def work(payload: Json) -> Json:
        return {}

    def first(payload: Json) -> Json:
        called.append(1)
        return {}

    handlers = {"first": first, "work": work}
    with pytest.raises(wfc.Refused, match="the function of the same name with `_async`"):
        wfc.execute_workflow(program, {}, handlers=handlers)
    assert called == []
    assert asyncio.run(wfc.execute_workflow_async(program, {}, handlers=handlers)).status == "completed"


def test_an_answer_names_an_outcome_and_no_place_in_the_program() -> None:
    ask = {"id": "ask", "type": "interrupt", "kind": "own", "outcomes": ["yes"]}
    after = {"id": "after", "type": "wait", "seconds": 0}
    edges = [{"from": "ask", "outcome": "yes", "to": "after"}, {"from": "after", "outcome": "ok", "to": "__end__"}]
    program = wfc.compile({"name": "main", "start": "ask", "nodes": [ask, after], "edges": edges})
    waiting = wfc.execute_workflow(program, {})
    for place in ("after", "__end__", "main/after"):
        with pytest.raises(wfc.Refused, match="is no outcome of `ask`"):
            wfc.resume_workflow(program, waiting, outcome=place)
    with pytest.raises(TypeError, match="`step` is no keyword of a run; expected one of handlers, "):
        wfc.resume_workflow(program, waiting, outcome="yes", step="after")  # type: ignore[call-arg]
    ended = wfc.resume_workflow(program, waiting, outcome="yes", payload={"goto": "__end__", "step": "x"})
    assert [entry["step"] for entry in ended.trace] == ["ask", "after"]


def test_a_misspelt_keyword_is_an_error() -> None:
    program = flow({})
    with pytest.raises(TypeError, match="`handler` is no keyword"):
        wfc.execute_workflow(program, {}, handler={"work": lambda payload: {}})  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="`mock` is no keyword"):
        asyncio.run(wfc.execute_workflow_async(program, {}, mock={}))  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="`handler` is no keyword"):
        wfc.step_workflow(program, wfc.start_workflow(program, {}), handler={})  # type: ignore[call-arg]


def test_a_child_that_nothing_prepared_is_told_with_its_step_before_the_first_one() -> None:
    before = {"id": "before", "type": "wait", "seconds": 0}
    call = {"id": "call", "type": "subgraph", "workflow": {"artifact_id": "c", "version": 1}}
    edges = [{"from": "before", "outcome": "ok", "to": "call"}, {"from": "call", "outcome": "ok", "to": "__end__"}]
    program = wfc.compile({"name": "main", "start": "before", "nodes": [before, call], "edges": edges})
    run = wfc.execute_workflow(program, {})
    assert run.error is not None
    assert (run.error.code, run.error.node_id, run.trace) == ("capability_unavailable", None, ())
    assert run.error.message == "`call` needs the workflow `artifact:c@1`, which nothing prepared"
