"""A long workflow is built and checked in time that grows as it does."""

from __future__ import annotations

import json
import time

import pytest

import wfc


def chain(steps: int) -> wfc.WorkflowBuilder:
    flow = wfc.WorkflowBuilder("chain", state_schema={"n": int})
    before: wfc.Step | None = None
    for number in range(steps):
        step = flow.node("wf.std.identity", f"s{number}", value=number, output={"value": wfc.state_path("n")})
        if before is not None:
            flow.connect(before, "ok", step)
        before = step
    assert before is not None
    flow.connect(before, "okay", wfc.END)
    return flow


def seconds(steps: int) -> float:
    began = time.process_time()
    chain(steps).load()
    return time.process_time() - began


def test_building_is_linear() -> None:
    seconds(200)
    short = min(seconds(1_000) for _ in range(3))
    assert seconds(10_000) < 30 * short + 0.5


def test_a_condition_of_many_parts_is_no_recursion() -> None:
    check = wfc.state_path("n") > 0
    for number in range(5_000):
        check = ~check if number % 2 else check | (wfc.state_path("n") > number)
    flow = wfc.WorkflowBuilder("w", state_schema={"n": int})
    flow.condition("c", check)
    assert [one.code.code for one in flow.check().diagnostics] == ["WF005"]


@pytest.mark.parametrize("levels", range(192, 198))
def test_what_is_too_deep_in_json_is_too_deep_here(levels: int) -> None:
    value: list[object] = []
    for _ in range(levels - 1):
        value = [value]
    flow = wfc.WorkflowBuilder("w")
    flow.node("wf.std.identity", "s", value=value)
    node = {"id": "s", "type": "node", "node": "wf.std.identity", "input": [{"target": "value", "value": value}]}
    text = json.dumps({"name": "w", "start": "s", "nodes": [node]})
    assert flow.document().readable == wfc.loads(text).root.readable == (levels <= 195)
