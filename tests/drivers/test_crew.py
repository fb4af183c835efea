"""The driver of an event loop: calls run beside one another, within their limits, and the run is the same."""

from __future__ import annotations

import asyncio
import random
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wfc
from tests import generated
from tests.stores.killing import result
from wfc.backends.drivers import ASKED, LOST, Stop, Stopped
from wfc.backends.sources import PythonSource
from wfc.runs import Execution

ITEM: dict[str, Any] = {"type": "object", "properties": {"x": {}}}


def each(count: int, **fields: Any) -> wfc.Program:
    """A parallel loop over so many items whose one step calls `work`; `fields` are those of the loop or definition."""
    definition = {"name": "work", "outcomes": ["ok"], "input_schema": ITEM, "output_schema": ITEM}
    definition |= {name: fields.pop(name) for name in ("uses", "timeout_seconds", "effects") if name in fields}
    return wfc.compile(
        {
            "name": "each",
            "state_schema": {
                "type": "object",
                "properties": {"ys": {"type": "array", "reducer": "wf.std.append", "default": []}},
            },
            "output_schema": {"type": "object", "properties": {"ys": {}}},
            "node_defs": [definition],
            "start": "each",
            "nodes": [
                {"id": "each", "type": "foreach", "over": {"value": list(range(count))}, "as": "x", "mode": "parallel"}
                | fields,
                {
                    "id": "work",
                    "type": "node",
                    "node": "work",
                    "input": [{"target": "x", "path": "context.x"}],
                    "output": [{"source": "x", "target": "state.ys"}],
                },
            ],
            "edges": [
                {"from": "each", "outcome": "item", "to": "work"},
                {"from": "work", "outcome": "ok", "to": "each"},
                {"from": "each", "outcome": "done", "to": "__end__"},
            ],
        },
        unchecked=True,
    )


class Watched:
    """An async handler that counts how many of its calls run at once."""

    def __init__(self) -> None:
        self.running = self.most = self.calls = 0
        self.tasks: set[Any] = set()

    async def __call__(self, payload: Any) -> Any:
        self.calls += 1
        self.running += 1
        self.most = max(self.most, self.running)
        self.tasks.add(asyncio.current_task())
        await asyncio.sleep(0)
        self.running -= 1
        return {"x": payload["x"]}


def ran(program: wfc.Program, handler: Any, **more: Any) -> wfc.RunState:
    return asyncio.run(wfc.execute_workflow_async(program, {}, handlers={"work": handler}, run_id="r", **more))


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.data(), st.integers(0, 1000), st.randoms(use_true_random=False))
def test_calls_that_overlap_in_any_way_give_the_run_of_one_at_a_time(
    data: st.DataObject, seed: int, order: random.Random
) -> None:
    module = generated.workflow(lambda below: data.draw(st.integers(0, below - 1)), 2)
    for step in (step for workflow in module["workflows"] for step in workflow["nodes"]):
        step.pop("retry", None)
        if step["type"] == "wait":
            step["seconds"] = 0
    program = wfc.compile(module, unchecked=True)

    def work(payload: Any, context: wfc.CallContext) -> wfc.NodeResult:
        return result(seed, context.call_id, context.attempt, payload)

    async def work_later(payload: Any, context: wfc.CallContext) -> wfc.NodeResult:
        for _ in range(order.randrange(6)):
            await asyncio.sleep(0)
        return work(payload, context)

    async def beside() -> wfc.RunState:
        run = await wfc.execute_workflow_async(
            program, {"seed": 2}, run_id="r", step_limit=2000, handlers={"work": work_later}
        )
        for _ in range(30):
            if run.interrupt is None:
                break
            run = await wfc.resume_workflow_async(program, run, outcome="no", handlers={"work": work_later})
        return run

    run = wfc.execute_workflow(program, {"seed": 2}, run_id="r", step_limit=2000, handlers={"work": work})
    for _ in range(30):
        if run.interrupt is None:
            break
        run = wfc.resume_workflow(program, run, outcome="no", handlers={"work": work})
    assert asyncio.run(beside()).to_json() == run.to_json()


@pytest.mark.parametrize("most", [1, 3, 8])
def test_no_more_items_run_at_once_than_the_loop_allows(most: int) -> None:
    handler = Watched()
    assert ran(each(50, max_concurrency=most), handler).output == {"ys": list(range(50))}
    assert (handler.most, handler.calls) == (most, 50)


def test_there_is_never_a_task_an_item() -> None:
    handler = Watched()
    ran(each(1000), handler)
    assert len(handler.tasks) == 8


def test_a_call_that_never_waits_costs_no_task() -> None:
    tasks = set()

    async def at_once(payload: Any) -> Any:
        tasks.add(asyncio.current_task())
        return {"x": payload["x"]}

    ran(each(1000), at_once)
    assert len(tasks) == 1


LIMITED = """
import asyncio, wfc
running = most = 0

@wfc.node(effects="read")
async def work(payload):
    global running, most
    running += 1
    most = max(most, running)
    await asyncio.sleep(0)
    running -= 1
    return {"x": payload["x"]}
"""


def test_a_source_takes_as_many_calls_as_it_may(tmp_path: Path) -> None:
    (tmp_path / "limited_for_the_test.py").write_text(LIMITED)
    source = PythonSource("mine", "limited_for_the_test", folder=tmp_path, max_concurrency=2)
    run = asyncio.run(wfc.execute_workflow_async(each(30, uses="mine.work"), {}, sources={"mine": source}))
    assert (run.output, sys.modules["limited_for_the_test"].most) == ({"ys": list(range(30))}, 2)


def test_sync_handlers_run_beside_one_another_in_threads() -> None:
    together = threading.Barrier(4, timeout=120)

    def work(payload: Any) -> Any:
        together.wait()
        return {"x": payload["x"]}

    assert ran(each(8, max_concurrency=4), work).output == {"ys": list(range(8))}


def test_a_sync_handler_that_is_alone_needs_no_thread() -> None:
    threads = []

    def work(payload: Any) -> Any:
        threads.append(threading.current_thread())
        return {"x": payload["x"]}

    ran(each(3, max_concurrency=1), work)
    assert set(threads) == {threading.main_thread()}


def test_what_a_failed_region_no_longer_needs_is_cancelled() -> None:
    cancelled = []

    async def work(payload: Any) -> Any:
        if payload["x"] == 0:
            await asyncio.sleep(0.01)
            raise wfc.NodeFailed("no")
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            cancelled.append(payload["x"])
            raise
        return {"x": 0}

    run = ran(each(20, max_concurrency=4), work)
    assert run.error is not None
    assert (run.status, run.error.message, sorted(cancelled)) == ("failed", "no", [1, 2, 3])


def test_an_attempt_that_outlives_its_time_is_cancelled() -> None:
    cancelled = []

    async def work(payload: Any) -> Any:
        if payload["x"] != 1:
            return {"x": payload["x"]}
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            cancelled.append(payload["x"])
            raise
        return {"x": -1}

    run = ran(each(3, timeout_seconds=0.05, on_item_error="skip"), work)
    assert (run.output, cancelled) == ({"ys": [0, 2]}, [1])


def test_a_run_that_should_stop_keeps_what_ends_in_time_and_begins_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wfc.backends.drivers.crew.GRACE_SECONDS", 120.0)
    stop, begun = Stop(), []

    async def work(payload: Any) -> Any:
        begun.append(payload["x"])
        if payload["x"] == 1:
            stop.ask(ASKED)
        await asyncio.sleep(0.01)
        return {"x": payload["x"]}

    execution = Execution(each(20, max_concurrency=3), handlers={"work": work}, stop=stop).start({}, run_id="r")
    with pytest.raises(Stopped):
        asyncio.run(execution.go())
    assert begun == [0, 1, 2]
    assert [entry["step"] for entry in execution.snapshot().trace].count("work") == 3
    later = Watched()
    ended = asyncio.run(wfc.resume_workflow_async(execution.program, execution.snapshot(), handlers={"work": later}))
    assert (ended.output, later.calls) == ({"ys": list(range(20))}, 17)


def test_a_run_that_was_lost_waits_for_nothing() -> None:
    stop = Stop()

    async def work(payload: Any) -> Any:
        stop.ask(LOST)
        await asyncio.sleep(600)

    with pytest.raises(Stopped):
        asyncio.run(Execution(each(2), handlers={"work": work}, stop=stop).start({}).go())


def test_whoever_awaits_a_run_may_cancel_it() -> None:
    async def work(payload: Any) -> Any:
        await asyncio.sleep(600)

    async def impatient() -> None:
        await asyncio.wait_for(wfc.execute_workflow_async(each(3), {}, handlers={"work": work}), 0.05)

    with pytest.raises(TimeoutError):
        asyncio.run(impatient())
