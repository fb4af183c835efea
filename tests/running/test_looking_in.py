"""A run that is looked at while it is in motion: what is seen is whole, whatever the functions are that it calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import wfc

Json = dict[str, Any]


def counting(steps: int) -> wfc.Program:
    """So many steps alike, each of which counts on."""
    names = [f"s{n}" for n in range(steps)]
    move = {"target": "count", "path": "state.count"}
    write = {"source": "count", "target": "state.count"}
    edges = zip(names, [*names[1:], "__end__"], strict=True)
    document = {
        "name": "counting",
        "state_schema": {"type": "object", "properties": {"count": {"type": "integer", "default": 0}}},
        "output_schema": {"type": "object", "properties": {"count": {"type": "integer"}}},
        "node_defs": [{"name": "inc", "input_schema": {}, "output_schema": {}, "outcomes": ["ok"]}],
        "start": "s0",
        "nodes": [{"id": name, "type": "node", "node": "inc", "input": [move], "output": [write]} for name in names],
        "edges": [{"from": one, "outcome": "ok", "to": other} for one, other in edges],
    }
    return wfc.compile(document)


def inc(given: Json) -> Json:
    return {"count": given["count"] + 1}


def called_by(way: str, function: Callable[[Json], Json]) -> Callable[[Json], Any]:
    """The function as one that is sync, async, or async and really waits."""

    async def called(given: Json) -> Json:
        await asyncio.sleep(0)
        return function(given)

    async def at_once(given: Json) -> Json:
        return function(given)

    return {"sync": function, "async": at_once, "waiting": called}[way]


@pytest.mark.parametrize("way", ["sync", "async", "waiting"])
def test_a_function_sees_the_run_that_calls_it_with_its_call_in_flight(way: str) -> None:
    program, seen = counting(6), []
    whole = wfc.execute_workflow(program, {}, run_id="r", handlers={"inc": inc})

    def looking(given: Json) -> Json:
        seen.append((execution.snapshot(), [(frame.step, frame.status) for frame in execution.frames()]))
        return inc(given)

    execution = wfc.Execution(program, handlers={"inc": called_by(way, looking)}).start({}, run_id="r")
    assert asyncio.run(execution.go()).to_json() == whole.to_json()
    for done, (run, frames) in enumerate(seen):
        assert (len(run.trace), frames) == (done, [(f"s{done}", "waiting")])
        again = wfc.resume_workflow(program, run, handlers={"inc": inc})
        assert again.to_json() == whole.to_json()


def test_somebody_beside_a_run_sees_it_whole() -> None:
    program, seen = counting(6), []
    whole = wfc.execute_workflow(program, {}, run_id="r", handlers={"inc": inc})
    execution = wfc.Execution(program, handlers={"inc": called_by("waiting", inc)}).start({}, run_id="r")

    async def both() -> wfc.RunState:
        going = asyncio.create_task(execution.go())
        while not going.done():
            seen.append(execution.snapshot())
            await asyncio.sleep(0)
        return going.result()

    assert asyncio.run(both()).to_json() == whole.to_json()
    assert {len(run.trace) for run in seen} >= set(range(1, 6))
    for run in seen:
        assert wfc.resume_workflow(program, run, handlers={"inc": inc}).to_json() == whole.to_json()
