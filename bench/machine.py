"""What running costs: a step, growth with graph, run and state, an item of a loop, an async handler (goals 1 to 4)."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import wfc
from bench import workflows
from bench.measure import Figure, cost, costs, growth, inc

HANDLERS: dict[str, Callable[..., Any]] = {"inc": inc, "body": lambda given: {"out": given["item"] + 1}}
BIG = {"type": "array", "default": ["x" * 100] * 10_000}


async def _async_inc(state: dict[str, int]) -> dict[str, int]:
    return {"count": state["count"] + 1}


# What is to be done, and of how many units.
Work = tuple[Callable[[], object], int]


def _running(document: dict[str, Any], units: int, input: Any = None) -> Work:
    """Running a workflow that has so many units of work."""
    program = wfc.compile(document, unchecked=True)
    given = {} if input is None else input

    def work() -> None:
        run = wfc.execute_workflow(program, given, handlers=HANDLERS)
        assert run.status == "completed", run.error

    return work, units


def _run(document: dict[str, Any], units: int, input: Any = None, rounds: int = 5) -> float:
    """What running a workflow costs for each of its units of work."""
    return cost(*_running(document, units, input), rounds)


def _awaiting(handler: Callable[..., Any], units: int) -> Work:
    program = wfc.compile(workflows.chain(units), unchecked=True)

    def work() -> None:
        run = asyncio.run(wfc.execute_workflow_async(program, {}, handlers={"inc": handler}))
        assert run.status == "completed", run.error

    return work, units


def _resident(mode: str, items: int) -> float:
    """The bytes for each item that a loop holds at its peak, what it notes for the trace among them."""
    program = wfc.compile(workflows.each(mode), unchecked=True)
    given = {"items": list(range(items))}
    wfc.execute_workflow(program, {"items": [1]}, handlers=HANDLERS)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    wfc.execute_workflow(program, given, handlers=HANDLERS)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (peak - before) / items


def figures() -> Iterator[Figure]:
    yield Figure("1: one step, everything validated", _run(workflows.chain(1000), 1000), 15)
    yield Figure("1: one step, no check needed", _run(workflows.chain(10_000, checked=False), 10_000, rounds=3), 7)
    yield from _growth()
    body = cost(lambda: [HANDLERS["body"]({"item": 1}) for _ in range(10_000)], 10_000)
    for mode in ("serial", "parallel"):
        each = _run(workflows.each(mode), 10_000, {"items": list(range(10_000))})
        yield Figure(f"3: {mode} foreach, an item over its body's cost", each - body, 18)
        yield Figure(f"3: {mode} foreach, bytes an item, trace included", _resident(mode, 10_000), 1024, "bytes")
    awaited, direct = costs([_awaiting(one, 2000) for one in (_async_inc, inc)], rounds=15)
    yield Figure("4: an async handler over a sync one", awaited - direct, 3)


def _growth() -> Iterator[Figure]:
    steps = [_running(workflows.chain(steps), steps) for steps in (1000, 10_000)]
    yield Figure("2: a step of 10,000 over one of 1,000", growth(*steps), 1.15, "×")
    appends = [_running(workflows.appends(times), times) for times in (10_000, 100_000)]
    yield Figure("2: an append of 100,000 over one of 10,000", growth(*appends), 1.15, "×")
    states: list[dict[str, Any]] = [{}, {"big": BIG}]
    beside = [_running(workflows.loop(20_000, **state), 20_000) for state in states]
    yield Figure("2: a step beside 1 MB of state over one beside none", growth(*beside), 1.15, "×")
