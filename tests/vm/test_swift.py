"""Steps at full speed are the steps of the reference: the same run state and trace, byte for byte, whatever happens."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wfc
from tests import generated
from wfc.backends.drivers import InstantClock, drive, run_without_loop
from wfc.ir import Answer, Completed, Direct, Failed, Invoke, NodeFailed, NodeResult, RunState, canonical, codec
from wfc.vm import Linked, Machine, link

RELAXED = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))


class Stopped(BaseException):
    """A signal in the middle of a call."""


class Capability:
    """What both ways call: the answer follows from the payload alone. After `left` calls it is stopped."""

    def __init__(self, seed: int, left: int = -1) -> None:
        self.seed = seed
        self.left = left

    def __call__(self, payload: Any) -> Any:
        if self.left == 0:
            raise Stopped
        self.left -= 1
        number = int(hashlib.sha256(canonical([self.seed, payload]).encode()).hexdigest()[:8], 16)
        if number % 11 == 0:
            raise NodeFailed("boom", type="Boom")
        output = {"n": number % 5, "ns": [number % 3, number % 4], "beside": True}
        told: list[Any] = [
            {"n": number % 5, "ns": [number % 3]},
            NodeResult(None, output),
            NodeResult("other", {"n": 1, "ns": []}),
            ("ok", {"n": number % 5, "ns": []}),
            ("other", output),
            {"n": "no number", "ns": []},
            {"n": float("nan"), "ns": []},
            NodeResult("ok", {"n": 2, "ns": []}, meta={"cost": 1}),
            {"n": 3, "ns": [1], "beside": ("a", "tuple")},
        ]
        return told[number % 31 % len(told)]


def result(returned: Any) -> NodeResult:
    if isinstance(returned, NodeResult):
        return returned
    return NodeResult(*returned) if isinstance(returned, tuple) else NodeResult(None, returned)


def failure(call_id: str, error: BaseException) -> Failed:
    if not isinstance(error, NodeFailed):
        raise error
    return Failed(call_id, "node_failed", str(error), error.type)


def go(machine: Machine, capability: Capability, *, swift: bool | None) -> RunState:
    """Run a machine until it rests: by calls made directly, by effects and answers, or, for none, by the reference."""
    machine.is_reference = swift is None

    async def perform(invoke: Invoke) -> Answer:
        try:
            returned = invoke.payload if invoke.capability.startswith("wf.std") else capability(invoke.payload)
            return Completed(invoke.call_id, result(returned))
        except NodeFailed as error:
            return failure(invoke.call_id, error)

    builtin = Direct(lambda payload: payload, False, False, result, failure)
    direct = [
        builtin if name.startswith("wf.std") else Direct(capability, True, False, result, failure)
        for _, name in machine.slots
    ]
    try:
        run_without_loop(drive(machine, perform, InstantClock(), direct=direct if swift else None))
    except Stopped:
        assert capability.left == 0
    return machine.snapshot()


def finished(linked: Linked, seed: int, *, swift: bool | None, stops: int = -1) -> str:
    """The end of a run; it may be stopped at a call and gone on with in another machine, and is asked questions."""
    machine = start(linked)
    capability = Capability(seed, stops)
    run = go(machine, capability, swift=swift)
    if capability.left == 0:
        machine = Machine.load(linked, RunState.from_json(run.to_json()))
        run = go(machine, Capability(seed), swift=swift)
    for _ in range(20):
        if run.status != "interrupted":
            break
        generated.resume(machine, seed)
        run = go(machine, Capability(seed), swift=swift)
    return run.to_json()


def start(linked: Linked) -> Machine:
    return Machine.start(linked, {"seed": 2}, run_id="r", step_limit=500)


def compiled(choose: Callable[[int], int], depth: int = 2) -> Linked:
    return link(wfc.compile(generated.workflow(choose, depth), unchecked=True))


@RELAXED
@given(st.data(), st.integers(0, 1000))
def test_a_run_is_the_same_at_full_speed(data: st.DataObject, seed: int) -> None:
    linked = compiled(lambda below: data.draw(st.integers(0, below - 1)))
    reference = finished(linked, seed, swift=None)
    assert finished(linked, seed, swift=True) == reference
    assert finished(linked, seed, swift=False) == reference


@RELAXED
@given(st.data(), st.integers(0, 1000), st.integers(0, 30))
def test_a_call_that_is_stopped_is_pending_and_made_again(data: st.DataObject, seed: int, stops: int) -> None:
    linked = compiled(lambda below: data.draw(st.integers(0, below - 1)))
    reference = go(start(linked), Capability(seed, stops), swift=None).to_json()
    assert go(start(linked), Capability(seed, stops), swift=True).to_json() == reference
    assert go(start(linked), Capability(seed, stops), swift=False).to_json() == reference
    whole = finished(linked, seed, swift=None)
    assert finished(linked, seed, swift=True, stops=stops) == whole
    assert finished(linked, seed, swift=False, stops=stops) == whole


def asking_beside_failing() -> dict[str, Any]:
    """A fork whose first branch asks about each of two items, while the second fails."""
    ends = [{"from": "asks", "outcome": "yes", "to": "each"}, {"from": "each", "outcome": "done", "to": "met"}]
    request = [{"target": "prompt", "value": "?"}]
    return {
        "name": "beside",
        "input_schema": {"type": "object", "properties": {"seed": {"type": "integer"}}},
        "state_schema": {"type": "object", "properties": {"late": {"type": "integer"}}},
        "start": "both",
        "node_defs": [{"name": "work", "input_schema": {}, "output_schema": {"type": "object"}, "outcomes": ["ok"]}],
        "nodes": [
            {"id": "both", "type": "fork", "branches": ["left", "right"]},
            {"id": "each", "type": "foreach", "over": {"value": [0, 1]}, "as": "item", "mode": "parallel"},
            {"id": "asks", "type": "interrupt", "kind": "approval", "request": request, "outcomes": ["yes"]},
            {"id": "fails", "type": "node", "node": "work", "input": [{"target": "x", "path": "state.late"}]},
            {"id": "met", "type": "join"},
        ],
        "edges": [
            {"from": "both", "outcome": "left", "to": "each"},
            {"from": "each", "outcome": "item", "to": "asks"},
            *ends,
            {"from": "both", "outcome": "right", "to": "fails"},
            {"from": "fails", "outcome": "ok", "to": "met"},
            {"from": "met", "outcome": "ok", "to": "__end__"},
        ],
    }


def test_no_branch_goes_on_past_items_that_have_still_to_ask() -> None:
    """An item that waits for a person lets the next one enter at once, before any branch that stands after it."""
    linked = link(wfc.compile(asking_beside_failing(), unchecked=True))
    reference = go(start(linked), Capability(0), swift=None)
    assert [entry["step"] for entry in reference.trace] == ["both", "each", "each", "fails"]
    assert reference.status == "failed"
    for swift in (True, False):
        assert go(start(linked), Capability(0), swift=swift).to_json() == reference.to_json()


HOSTILE = [
    "__import__('os').abort()",
    "x\n raise SystemExit",
    "'); raise SystemExit #",
    '"""',
    "{frame.__class__}",
    "\\",
    "accepts",
    "é\u2028x",
]


def plain_document() -> dict[str, Any]:
    """A workflow whose every free text is one of the names `h0`, `h1`, …"""
    move = {"target": "h3", "path": "state.h2"}
    return {
        "name": "hostile",
        "state_schema": {"type": "object", "properties": {"h2": {"default": "h4"}, "h3": {}}},
        "output_schema": {"type": "object", "properties": {"h2": {}, "h3": {}}},
        "node_defs": [{"name": "h5", "input_schema": {}, "output_schema": {}, "outcomes": ["ok", "h6"]}],
        "start": "h0",
        "nodes": [
            {
                "id": "h0",
                "type": "node",
                "node": "h5",
                "input": [move, {"target": "h6", "value": ["h7", {"h0": "h1"}]}],
                "output": [{"source": "h6", "target": "state.h3"}],
            },
            {
                "id": "h1",
                "type": "condition",
                "check": {"op": "eq", "left": {"path": "state.h2"}, "right": {"value": "h4"}},
            },
        ],
        "edges": [
            {"from": "h0", "outcome": "ok", "to": "h1"},
            {"from": "h0", "outcome": "h6", "to": "h1"},
            {"from": "h1", "outcome": "true", "to": "__end__"},
            {"from": "h1", "outcome": "false", "to": "__end__"},
        ],
    }


def hostile(value: Any) -> Any:
    """A JSON value in which every `h<n>` is the hostile text of that number."""
    if isinstance(value, str):
        return HOSTILE[int(value[1])] if value[:1] == "h" and value[1:].isdigit() else value
    if isinstance(value, list):
        return [hostile(item) for item in value]
    return {hostile(key): hostile(item) for key, item in value.items()} if isinstance(value, dict) else value


def test_no_text_of_a_user_becomes_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are checked long before, but the machine does not lean on that: a program may hold any text."""
    monkeypatch.setattr("wfc.paths._SEGMENT", re.compile(r"(?s).*\Z"))
    file = hostile(json.loads(codec.encode(wfc.compile(plain_document(), unchecked=True))))
    file["hash"] = "sha256:" + hashlib.sha256(canonical({k: file[k] for k in file if k != "hash"}).encode()).hexdigest()
    linked = link(codec.decode(canonical(file)))
    runs = [go(Machine.start(linked, {}), Echo(0), swift=swift) for swift in (True, False, None)]
    assert runs[0].to_json() == runs[1].to_json() == runs[2].to_json()
    assert (runs[0].status, len(runs[0].trace)) == ("completed", 2)
    assert runs[0].output == {HOSTILE[2]: HOSTILE[4], HOSTILE[3]: [HOSTILE[7], {HOSTILE[0]: HOSTILE[1]}]}


class Echo(Capability):
    """Gives back what it was given."""

    def __call__(self, payload: Any) -> Any:
        return payload


@pytest.mark.parametrize("seed", range(5))
def test_steps_of_one_shape_share_their_code(seed: int) -> None:
    """What is drafted depends on the shapes of steps alone, however many there are."""
    from wfc.vm import drafts, sprints

    linked = compiled(random.Random(seed).randrange)
    finished(linked, seed, swift=True)
    before = [made.cache_info().misses for made in (drafts.compiled, sprints.sprint)]
    again = link(linked.program)
    finished(again, seed, swift=True)
    assert [made.cache_info().misses for made in (drafts.compiled, sprints.sprint)] == before
