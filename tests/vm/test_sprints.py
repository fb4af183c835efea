"""Sprints take the ordinary course of steps in bulk: whatever comes across them, the run is that of the reference.

The workflows here are what sprints are made for: chains of like steps, loops inside loops, bodies of one step and of
several, schemas that tell kinds apart and such that tell more.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wfc
from tests.vm.test_swift import Stopped, failure, result
from wfc.backends.drivers import InstantClock, drive, run_without_loop
from wfc.ir import Answer, Completed, Direct, Invoke, NodeFailed, NodeResult, RunState, canonical, copy
from wfc.vm import Linked, Machine, link

RELAXED = settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
Json = dict[str, Any]

VALUES: list[Json] = [
    {},
    {"type": "integer"},
    {"type": ["integer", "string"]},
    {"enum": [0, 1, 2, "a"]},
    {"maximum": 6},
]
STATE = {
    "n": {"default": 0},
    "count": {"type": "integer", "default": 0},
    "sum": {"type": "integer", "reducer": "wf.std.add", "default": 0},
    "log": {"type": "array", "items": {"type": "integer"}, "reducer": "wf.std.append", "default": []},
    "any": {"type": "array", "reducer": "wf.std.append"},
    "few": {"type": "array", "maxItems": 9, "reducer": "wf.std.append", "default": []},
    "deep": {"type": "object", "properties": {"n": {"type": "integer"}}, "default": {}},
}
ORDINARY = ["state.n", "state.count", "state.log", "input.seed"]
SOURCES = [*ORDINARY * 3, "state", "context.retry_count", "context.prior_outcome"]
TARGETS = ["n", "count", "log", "any", "sum", "few", "deep.n"]


class Making:
    """One workflow, made from choices."""

    def __init__(self, choose: Callable[[int], int]) -> None:
        self.choose = choose
        self.steps: list[Json] = []
        self.edges: list[Json] = []
        self.definitions: list[Json] = []

    def of(self, *what: Any) -> Any:
        return what[self.choose(len(what))]

    def definition(self) -> str:
        """One that is there already, mostly: then steps are alike."""
        if self.definitions and self.choose(4):
            return str(self.of(*self.definitions)["name"])
        name = f"work{len(self.definitions)}"
        given = {"type": "object", "properties": {"x": self.of(*VALUES)}, "additionalProperties": self.of(True, False)}
        made: Json = {"type": "object", "properties": {"n": self.of(*VALUES)}, "required": ["n"]}
        if self.choose(3) == 0:
            made["additionalProperties"] = self.of(True, False)
        if self.choose(4) == 0:
            made["properties"]["m"] = {"type": "integer"}
        outcomes = ["ok", "other"][: 1 + self.choose(2)]
        self.definitions.append(
            {"name": name, "input_schema": self.of({}, given), "output_schema": self.of({}, made), "outcomes": outcomes}
        )
        return name

    def node(self, loops: list[str]) -> tuple[str, list[str]]:
        name, node = f"s{len(self.steps)}", self.definition()
        sources = [*SOURCES, *(["context.loop_index"] if loops else []), *(f"context.{alias}" for alias in loops * 4)]
        moves: list[Json] = [{"target": "x", "path": self.of(*sources)}]
        if self.choose(4) == 0:
            moves.append({"target": self.of("y", "y.z"), **self.of({"value": [1]}, {"path": "state.count"})})
        targets = {self.of(*TARGETS) for _ in range(self.choose(3))}
        output = [{"source": self.of(*"nnnnnnnnm"), "target": f"state.{one}"} for one in sorted(targets)]
        self.steps.append({"id": name, "type": "node", "node": node, "input": moves, "output": output})
        return name, next(one["outcomes"] for one in self.definitions if one["name"] == node)

    def foreach(self, depth: int, loops: list[str]) -> tuple[str, list[str]]:
        name, alias = f"s{len(self.steps)}", f"item{len(self.steps)}"
        items = {"value": [self.of(0, 1, 2, 3, 4, 5, "a", "é", None, 1.0, [1]) for _ in range(self.choose(6))]}
        over = self.of(items, items, {"value": list(range(8))}, "state.log")
        fields: Json = {"mode": self.of("serial", "parallel"), "on_item_error": self.of("fail", "skip", "collect")}
        if self.choose(5) == 0:
            fields["locals"] = ["state.n"]
        self.steps.append({"id": name, "type": "foreach", "over": over, "as": alias, **fields})
        start = self.line(depth - 1, [*loops, alias], name)
        self.edges.append({"from": name, "outcome": "item", "to": start})
        return name, ["done"]

    def line(self, depth: int, loops: list[str], end: str) -> str:
        """Some steps in a row that lead to `end`; gives the first."""
        first, loose = "", []
        for _ in range(1 + self.of(0, 0, 0, 1, 2, 5)):
            inner = depth and self.choose(3) == 0
            made, outcomes = self.foreach(depth, loops) if inner else self.node(loops)
            self.edges += [{"from": step, "outcome": outcome, "to": made} for step, outcome in loose]
            first, loose = first or made, [(made, outcome) for outcome in outcomes]
        self.edges += [{"from": step, "outcome": outcome, "to": end} for step, outcome in loose]
        return first


def workflow(choose: Callable[[int], int]) -> Json:
    making = Making(choose)
    start = making.line(2, [], "__end__")
    return {
        "name": "sprints",
        "input_schema": {"type": "object", "properties": {"seed": {}}},
        "state_schema": {"type": "object", "properties": STATE},
        "output_schema": {"type": "object", "properties": {name: {} for name in STATE}},
        "node_defs": making.definitions,
        "start": start,
        "nodes": making.steps,
        "edges": making.edges,
    }


class Told:
    """Answers that follow from the payload; mostly ordinary ones. After `left` calls it is stopped."""

    def __init__(self, seed: int, left: int = -1) -> None:
        self.seed = seed
        self.left = left

    def __call__(self, payload: Any) -> Any:
        if self.left == 0:
            raise Stopped
        self.left -= 1
        number = int(hashlib.sha256(canonical([self.seed, payload]).encode()).hexdigest()[:8], 16)
        if number % (5 + self.seed % 40):
            return {"n": number % 7}
        if number % 7 == 0:
            raise NodeFailed("boom", type="Boom")
        odd = ["a", "é", True, 1.0, 0.5, None, 2**64, 2**70, [1, {"a": 2}], float("nan"), {"n": 1}, (1, 2)]
        told: list[Any] = [{"n": one} for one in odd]
        told += [{}, {"n": 1, "beside": 2}, {"n": 1, "m": 2}, {"m": 1}, [], ("ok", {"n": 1}), ("other", {"n": 2})]
        told += [NodeResult("other", {"n": 1}), NodeResult("ok", {"n": 2}, meta={"cost": 1}), payload]
        return told[number // 7 % len(told)]


def go(machine: Machine, told: Told, way: str) -> RunState:
    """Run a machine until it rests: by the reference, by calls made directly, or those by a handler that is awaited."""
    machine.is_reference = way == "reference"

    async def perform(invoke: Invoke) -> Answer:
        try:
            return Completed(invoke.call_id, result(told(copy(invoke.payload))))
        except NodeFailed as error:
            return failure(invoke.call_id, error)

    async def awaited(payload: Any) -> Any:
        await asyncio.sleep(0)
        return told(payload)

    called = Direct(awaited if way == "awaited" else told, True, way == "awaited", result, failure)
    direct = None if way == "reference" else [called] * len(machine.slots)
    run = drive(machine, perform, InstantClock(), direct=direct)
    try:
        asyncio.run(run) if way == "awaited" else run_without_loop(run)
    except Stopped:
        assert told.left == 0
    return machine.snapshot()


def start(linked: Linked, limit: int) -> Machine:
    return Machine.start(linked, {"seed": 2}, run_id="r", step_limit=limit)


@RELAXED
@given(st.data(), st.integers(0, 1000), st.integers(0, 40), st.sampled_from([7, 20, 60, 500]))
def test_a_sprint_is_the_run_of_the_reference(data: st.DataObject, seed: int, stops: int, limit: int) -> None:
    linked = link(wfc.compile(workflow(lambda below: data.draw(st.integers(0, below - 1))), unchecked=True))
    reference = go(start(linked, limit), Told(seed), "reference").to_json()
    cut = go(start(linked, limit), Told(seed, stops), "reference").to_json()
    for way in ("direct", "awaited"):
        assert go(start(linked, limit), Told(seed), way).to_json() == reference
        stopped, told = start(linked, limit), Told(seed, stops)
        assert go(stopped, told, way).to_json() == cut
        if told.left == 0:
            again = Machine.load(linked, RunState.from_json(cut))
            assert go(again, Told(seed), way).to_json() == reference


def looped(mode: str) -> Json:
    """A step, a loop of one step in a loop, and three steps alike."""
    node = {"type": "node", "node": "work", "output": [{"source": "n", "target": "state.log"}]}
    bodies = [
        {**node, "id": "body", "input": [{"target": "x", "path": "context.inner"}]},
        *({**node, "id": f"s{n}", "input": [{"target": "x", "path": "state.count"}]} for n in range(3)),
    ]
    loops = [
        {"id": one, "type": "foreach", "mode": mode, "over": {"value": [1, 2, 3, 4, 5]}, "as": one}
        for one in ("outer", "inner")
    ]
    edges = ["outer item inner", "inner item body", "body ok inner", "inner done outer", "outer done s0"]
    edges += ["s0 ok s1", "s1 ok s2", "s2 ok __end__"]
    return {
        "name": "looped",
        "state_schema": {"type": "object", "properties": STATE},
        "output_schema": {"type": "object", "properties": {"log": {}}},
        "node_defs": [{"name": "work", "input_schema": {}, "output_schema": {}, "outcomes": ["ok"]}],
        "start": "outer",
        "nodes": [*loops, *bodies],
        "edges": [dict(zip(("from", "outcome", "to"), edge.split(), strict=True)) for edge in edges],
    }


@pytest.mark.parametrize("mode", ["serial", "parallel"])
def test_what_is_alike_is_done_in_one_sprint(mode: str) -> None:
    """A loop of one step is one sprint, from its first item to its last, and so are steps in a row: so they pay."""
    linked = link(wfc.compile(looped(mode), unchecked=True))
    reference = go(start(linked, 500), Told(36), "reference")
    assert (reference.status, len(reference.trace)) == ("completed", 5 + 5 * (5 + 5 + 1) + 1 + 3)
    assert go(start(linked, 500), Told(36), "direct").to_json() == reference.to_json()
    sprints: list[str] = []

    def called(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name == "act" and inspect.CO_COROUTINE & frame.f_code.co_flags:
            sprints.append(frame.f_locals["frame"].id)

    machine = start(linked, 500)
    sys.setprofile(called)
    try:
        go(machine, Told(36), "direct")
    finally:
        sys.setprofile(None)
    assert sprints == [*(f"root/outer#1[{index}]/inner#1[0]" for index in range(5)), "root"]
