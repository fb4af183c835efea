"""The entry points for Python: one execution behind a synchronous and an asynchronous door (reference 4.8)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

import wfc

NODE: dict[str, Any] = {"input_schema": {}, "output_schema": {}, "outcomes": ["ok", "other"]}
DOCUMENT: dict[str, Any] = {
    "name": "greet",
    "input_schema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    "state_schema": {"type": "object", "properties": {"text": {}, "times": {}}},
    "output_schema": {"type": "object", "properties": {"text": {}}},
    "node_defs": [{"name": "say", "uses": "voice.say", **NODE}],
    "start": "say",
    "nodes": [
        {
            "id": "say",
            "type": "node",
            "node": "say",
            "input": [{"target": "name", "path": "input.name"}],
            "output": [{"source": "text", "target": "state.text"}],
        },
        {
            "id": "ask",
            "type": "interrupt",
            "kind": "approval",
            "request": [{"target": "prompt", "path": "state.text"}],
            "outcomes": ["yes"],
        },
    ],
    "edges": [
        {"from": "say", "outcome": "ok", "to": "ask"},
        {"from": "say", "outcome": "other", "to": "__end__"},
        {"from": "ask", "outcome": "yes", "to": "__end__"},
    ],
}


@pytest.fixture
def program() -> wfc.Program:
    return wfc.compile(DOCUMENT)


def hello(payload: dict[str, Any]) -> dict[str, Any]:
    return {"text": f"hello {payload['name']}"}


async def hello_later(payload: dict[str, Any]) -> dict[str, Any]:
    await asyncio.sleep(0)
    return hello(payload)


@pytest.mark.parametrize("name", ["greet/say", "say", "voice.say"])
def test_a_handler_is_found_by_workflow_and_definition_by_definition_by_capability(
    program: wfc.Program, name: str
) -> None:
    run = wfc.execute_workflow(program, {"name": "Ada"}, handlers={name: hello})
    assert (run.status, run.state["text"]) == ("interrupted", "hello Ada")


def test_the_first_name_that_is_there_answers(program: wfc.Program) -> None:
    handlers = {"voice.say": lambda payload: {"text": "third"}, "say": lambda payload: {"text": "second"}}
    assert wfc.execute_workflow(program, {"name": "Ada"}, handlers=handlers).state["text"] == "second"
    handlers["greet/say"] = lambda payload: {"text": "first"}
    assert wfc.execute_workflow(program, {"name": "Ada"}, handlers=handlers).state["text"] == "first"


def test_run_step_and_resume_give_one_run(program: wfc.Program) -> None:
    handlers = {"say": hello}
    whole = wfc.execute_workflow(program, {"name": "Ada"}, handlers=handlers, run_id="r")
    stepped = wfc.start_workflow(program, {"name": "Ada"}, run_id="r")
    while stepped.status == "running":
        stepped = wfc.step_workflow(program, stepped, handlers=handlers)
    assert stepped == whole
    ended = wfc.resume_workflow(program, whole, outcome="yes", payload={"approved": True}, handlers=handlers)
    assert (ended.status, ended.outcome, ended.output) == ("completed", "ok", {"text": "hello Ada"})
    assert [entry["step"] for entry in ended.trace] == ["say", "ask"]


def test_a_step_is_one_entry_and_leaves_the_given_run_alone(program: wfc.Program) -> None:
    before = wfc.start_workflow(program, {"name": "Ada"})
    kept = before.to_json()
    after = wfc.step_workflow(program, before, handlers={"say": hello})
    assert ([entry["step"] for entry in after.trace], after.current_node) == (["say"], "ask")
    assert before.to_json() == kept


def test_what_waits_or_has_ended_cannot_be_stepped(program: wfc.Program) -> None:
    waiting = wfc.execute_workflow(program, {"name": "Ada"}, handlers={"say": hello})
    with pytest.raises(wfc.Refused, match="waits for an answer"):
        wfc.step_workflow(program, waiting)
    ended = wfc.resume_workflow(program, waiting, outcome="yes", handlers={"say": hello})
    with pytest.raises(wfc.Refused, match="completed"):
        wfc.step_workflow(program, ended)


@pytest.mark.parametrize(
    ("outcome", "payload", "asked", "reason"),
    [
        ("yes", {}, "another", "stale_interrupt"),
        ("no", {}, None, "undeclared_outcome"),
        ("yes", {"approved": "so"}, None, "payload_invalid"),
        ("yes", [1], None, "payload_invalid"),
    ],
)
def test_a_refused_answer_changes_nothing(
    program: wfc.Program, outcome: str, payload: Any, asked: str | None, reason: str
) -> None:
    waiting = wfc.execute_workflow(program, {"name": "Ada"}, handlers={"say": hello})
    kept = waiting.to_json()
    with pytest.raises(wfc.Refused) as refused:
        wfc.resume_workflow(program, waiting, outcome=outcome, payload=payload, interrupt_id=asked)
    assert (refused.value.reason, waiting.to_json()) == (reason, kept)


def test_the_synchronous_door_refuses_an_async_handler_before_the_first_step(program: wfc.Program) -> None:
    with pytest.raises(wfc.Refused, match="_async"):
        wfc.execute_workflow(program, {"name": "Ada"}, handlers={"say": hello_later})


def test_the_synchronous_door_starts_no_loop_and_may_be_used_within_one(program: wfc.Program) -> None:
    async def within() -> wfc.RunState:
        return wfc.execute_workflow(program, {"name": "Ada"}, handlers={"say": hello}, run_id="r")

    assert asyncio.run(within()) == wfc.execute_workflow(program, {"name": "Ada"}, handlers={"say": hello}, run_id="r")


def test_both_doors_give_the_same_run(program: wfc.Program) -> None:
    sync = wfc.execute_workflow(program, {"name": "Ada"}, handlers={"say": hello}, run_id="r")

    async def through_the_other() -> list[wfc.RunState]:
        handlers = {"say": hello_later}
        whole = await wfc.execute_workflow_async(program, {"name": "Ada"}, handlers=handlers, run_id="r")
        stepped = wfc.start_workflow(program, {"name": "Ada"}, run_id="r")
        while stepped.status == "running":
            stepped = await wfc.step_workflow_async(program, stepped, handlers=handlers)
        return [whole, stepped, await wfc.resume_workflow_async(program, whole, outcome="yes", handlers=handlers)]

    whole, stepped, ended = asyncio.run(through_the_other())
    assert sync == whole == stepped
    assert ended == wfc.resume_workflow(program, sync, outcome="yes", handlers={"say": hello})


def test_what_nothing_answers_fails_before_the_first_step(program: wfc.Program) -> None:
    run = wfc.execute_workflow(program, {"name": "Ada"})
    assert run.error is not None
    assert (run.status, run.error.code, run.error.node_id, run.trace) == ("failed", "capability_unavailable", None, ())


def test_a_run_that_began_is_refused_when_something_is_missing_later(program: wfc.Program) -> None:
    begun = wfc.step_workflow(program, wfc.start_workflow(program, {"name": "Ada"}), handlers={"say": hello})
    with pytest.raises(wfc.Refused) as refused:
        wfc.step_workflow(program, begun)
    assert refused.value.reason == "drift"


def test_the_input_is_validated_and_never_changed(program: wfc.Program) -> None:
    given: dict[str, Any] = {"name": "Ada"}

    def spoil(payload: dict[str, Any]) -> dict[str, Any]:
        payload["name"] = "changed"
        return {"text": "t"}

    run = wfc.execute_workflow(program, given, handlers={"say": spoil})
    assert (given, run.trace[0]["input"]) == ({"name": "Ada"}, {"name": "Ada"})
    refused = wfc.execute_workflow(program, {"name": 3}, handlers={"say": hello})
    assert refused.error is not None and refused.error.code == "input_invalid"


@dataclass
class Greeting:
    text: str


@pytest.mark.parametrize(
    ("returned", "outcome"),
    [
        (Greeting("hi"), "ok"),
        (("other", {"text": "hi"}), "other"),
        (wfc.NodeResult("other", {"text": "hi"}, meta={"ms": 3}), "other"),
    ],
)
def test_what_a_handler_may_return(program: wfc.Program, returned: Any, outcome: str) -> None:
    run = wfc.execute_workflow(program, {"name": "Ada"}, handlers={"say": lambda payload: returned})
    assert (run.trace[0]["outcome"], run.trace[0]["output"]) == (outcome, {"text": "hi"})


def test_an_error_type_is_the_class_or_what_the_handler_names(program: wfc.Program) -> None:
    def named(payload: Any) -> Any:
        raise wfc.NodeFailed("no voice", type="hoarse")

    def raised(payload: Any) -> Any:
        raise KeyError("voice")

    errors = [wfc.execute_workflow(program, {"name": "A"}, handlers={"say": one}).error for one in (named, raised)]
    assert [error and (error.code, error.type) for error in errors] == [
        ("node_failed", "hoarse"),
        ("node_failed", "KeyError"),
    ]


def test_the_run_of_a_file_is_the_run_of_its_source(program: wfc.Program) -> None:
    from wfc.ir import encode

    stored = wfc.loads_ir(encode(program))
    runs = [wfc.execute_workflow(one, {"name": "A"}, handlers={"say": hello}, run_id="r") for one in (program, stored)]
    assert runs[0].to_json() == runs[1].to_json()
