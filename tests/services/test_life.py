"""The life of runs: they belong to the server, whatever becomes of the requests that wait for them."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.cli.conftest import APPROVAL
from tests.services.flows import calls, notes, project
from tests.services.serving import COMMAND, ERAS, Person, call, http_client, http_server, stdio_client
from wfc.services import Desk, build
from wfc.services.questions import answer_of, form_of, message_of

from mcp.client.client import Client  # isort: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return project(tmp_path)


async def until(file: Path) -> None:
    """Wait for a file that somebody makes."""
    with anyio.fail_after(120):
        while not file.exists():
            await anyio.sleep(0.02)


def until_stopped(folder: Path) -> str:
    """What is listed of the runs once the process of the last one is gone."""
    command = [sys.executable, "-P", "-m", "wfc", "runs", "list"]
    end = time.monotonic() + 120
    while True:
        shown = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
        if "stopped" in shown or time.monotonic() > end:
            return shown


def served(work: Any, **options: Any) -> Any:
    """What a client of a server in this process comes to."""

    async def main() -> Any:
        desk = Desk()
        try:
            async with Client(build(desk), **options) as client:
                return await work(client)
        finally:
            await desk.runs.close()

    return asyncio.run(main())


@pytest.mark.parametrize("era", ERAS)
def test_a_client_that_can_ask_is_asked_and_the_run_is_one(era: str, here: Path) -> None:
    person = Person({"outcome": "sent", "approved": True, "comment": None})

    async def work() -> Any:
        async with stdio_client(here, mode=era, elicitation_callback=person) as client:
            ended = await call(client, "run_workflow", workflow=APPROVAL, wait_seconds=60)
            return ended, (await call(client, "read_run"))["value"]

    ended, runs = asyncio.run(work())
    assert (ended["status"], ended["output"]) == ("completed", {"text": "Hello Ada!", "approved": True})
    assert [one["run_id"] for one in runs] == [ended["run_id"]]
    assert [message for message, _ in person.asked] == ["Send it?"]


def test_a_question_that_is_declined_is_a_result(here: Path) -> None:
    person = Person(None)

    async def work(client: Client) -> Any:
        return await call(client, "run_workflow", workflow=APPROVAL, run_id="r1", wait_seconds=60)

    asked = served(work, elicitation_callback=person)
    assert (asked["status"], asked["interrupt"]["outcomes"], len(person.asked)) == (
        "interrupted",
        ["sent", "dropped"],
        1,
    )


def test_what_no_form_can_say_is_not_asked() -> None:
    question = {"node_id": "ask", "kind": "choice", "payload": {"prompt": "Which?", "options": [1]}, "outcomes": ["ok"]}
    assert form_of({**question, "resume_schema": {"type": "object", "properties": {"choice": {}}}}) is None
    assert form_of({**question, "resume_schema": {"properties": {"outcome": {"type": "string"}}}}) is None
    flat = {"type": "object", "properties": {"text": {"type": "string", "x": 1}}, "required": ["text"]}
    assert form_of({**question, "resume_schema": flat}) == {
        "type": "object",
        "properties": {"outcome": {"type": "string", "enum": ["ok"]}, "text": {"type": "string"}},
        "required": ["outcome", "text"],
    }
    assert message_of(question) == 'Which?\n{\n "options": [\n  1\n ]\n}'
    assert answer_of({"outcome": "ok", "text": "a", "comment": None}) == ("ok", {"text": "a"})


def test_a_long_run_reports_progress_and_goes_on_by_itself(here: Path) -> None:
    told: list[str] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append(str(message))

    async def work(client: Client) -> Any:
        flow = calls(("note", "a"), ("slowly", "go"), ("note", "b"))
        given = {"workflow": flow, "run_id": "r1", "wait_seconds": 2}
        first = (await client.call_tool("run_workflow", given, progress_callback=progress)).structured_content
        await until(here / "go.begun")
        looked = await call(client, "read_run", run_id="r1")
        (here / "go").touch()
        second = await call(client, "control_run", run_id="r1", action="wait", wait_seconds=60)
        again = await call(client, "control_run", run_id="r1", action="wait")
        return first, looked, second, again

    first, looked, second, again = served(work)
    assert [one.get("status", one) for one in (first, looked, second, again)] == [
        *["running"] * 2,
        *["completed"] * 2,
    ]
    assert told and all("calls, " in one for one in told)
    assert second["calls"] == 3 and notes(here) == ["a", "b"]


def test_a_run_whose_process_is_not_there_yet_is_under_way(here: Path) -> None:
    async def work(client: Client) -> Any:
        given = {"workflow": calls(("slowly", "go")), "run_id": "r1"}
        begun = await call(client, "run_workflow", **given, wait_seconds=0)
        looked = await call(client, "read_run", run_id="r1")
        (here / "go").touch()
        return begun, looked, await call(client, "control_run", run_id="r1", action="wait", wait_seconds=60)

    assert [one.get("status", one) for one in served(work)] == ["running", "running", "completed"]


def test_a_cancelled_request_loses_no_run_and_a_repeated_one_starts_none(here: Path) -> None:
    async def work(client: Client) -> Any:
        given = {"workflow": calls(("note", "a"), ("slowly", "go"), ("note", "b")), "run_id": "r1", "wait_seconds": 60}
        async with anyio.create_task_group() as requests:
            requests.start_soon(client.call_tool, "run_workflow", given)
            await until(here / "go.begun")
            requests.cancel_scope.cancel()
        (here / "go").touch()
        repeated = await call(client, "run_workflow", **given)
        other = await call(client, "run_workflow", **{**given, "input": {"x": 1}})
        return repeated, other, (await call(client, "read_run"))["value"]

    repeated, other, runs = served(work)
    assert repeated["status"] == "completed"
    assert other["error"] == "the run id `r1` is in use for another workflow or input; give another or none"
    assert [one["run_id"] for one in runs] == ["r1"] and notes(here) == ["a", "b"]


def test_an_answer_given_twice_is_one_answer(here: Path) -> None:
    async def work(client: Client) -> Any:
        asked = await call(client, "run_workflow", workflow=APPROVAL, run_id="r1", wait_seconds=60)
        answer = {"run_id": "r1", "action": "resume", "outcome": "dropped", "interrupt_id": asked["interrupt"]["id"]}
        both = [await call(client, "control_run", **answer, wait_seconds=60) for _ in range(2)]
        return both, await call(client, "control_run", **{**answer, "outcome": "sent"}, wait_seconds=60)

    both, late = served(work)
    assert both[0] == both[1] and both[0]["outcome"] == "rejected"
    assert late["ok"] is False and "stale_interrupt" in late["error"]


def test_a_run_is_cancelled_while_it_goes_on(here: Path) -> None:
    async def work(client: Client) -> Any:
        flow = calls(("slowly", "go"), ("note", "never"))
        await call(client, "run_workflow", workflow=flow, run_id="r1", wait_seconds=0)
        await until(here / "go.begun")
        await call(client, "control_run", run_id="r1", action="cancel")
        (here / "go").touch()
        return await call(client, "control_run", run_id="r1", action="wait", wait_seconds=60)

    assert served(work)["status"] == "cancelled"
    assert notes(here) == []


def test_a_lost_stream_loses_no_run(here: Path) -> None:
    given = {"workflow": calls(("slowly", "go"), ("note", "b")), "run_id": "r1", "wait_seconds": 60}

    async def lost(url: str) -> None:
        async with http_client(url) as client, anyio.create_task_group() as requests:
            requests.start_soon(client.call_tool, "run_workflow", given)
            await until(here / "go.begun")
            requests.cancel_scope.cancel()

    async def found(url: str) -> Any:
        async with http_client(url) as client:
            return await call(client, "run_workflow", **given)

    with http_server(here) as url:
        asyncio.run(lost(url))
        (here / "go").touch()
        ended = asyncio.run(found(url))
    assert ended["status"] == "completed" and notes(here) == ["b"]


def test_ten_clients_at_once(here: Path) -> None:
    async def one(url: str, number: int) -> Any:
        async with http_client(url) as client:
            flow = calls(("note", str(number)))
            found = await call(client, "check_workflow", workflow=flow)
            ended = await call(client, "run_workflow", workflow=found["hash"], run_id=f"r{number}", wait_seconds=300)
            return ended["status"], ended["run_id"]

    async def all_of_them(url: str) -> list[Any]:
        return await asyncio.gather(*(one(url, number) for number in range(10)))

    with http_server(here) as url:
        ended = asyncio.run(all_of_them(url))
    assert ended == [("completed", f"r{number}") for number in range(10)]
    assert sorted(notes(here)) == sorted(map(str, range(10)))


def test_a_server_that_ends_leaves_runs_that_can_be_taken_up(here: Path) -> None:
    async def work() -> None:
        async with stdio_client(here) as client:
            flow = calls(("note", "a"), ("slowly", "go"), ("note", "b"))
            await call(client, "run_workflow", workflow=flow, run_id="r1", wait_seconds=0)
            await until(here / "go.begun")

    asyncio.run(work())
    shown = until_stopped(here)
    assert "r1" in shown and "stopped" in shown and notes(here) == ["a"]


@pytest.fixture(params=["stdio", "http"])
def servers(request: pytest.FixtureRequest, here: Path) -> Any:
    """What makes a client of a server of its own, so that every client finds the server started again."""

    @asynccontextmanager
    async def over_http(**options: Any) -> Any:
        with http_server(here) as url:
            async with http_client(url, **options) as client:
                yield client

    return over_http if request.param == "http" else partial(stdio_client, here)


def test_a_server_that_was_started_again_finds_a_run_by_its_id_and_starts_none(servers: Any, here: Path) -> None:
    async def one(**given: Any) -> Any:
        async with servers() as client:
            return await call(client, "run_workflow", run_id="r1", **given)

    flow = calls(("note", "a"))
    first, again, other, late = (
        asyncio.run(one(workflow=workflow, input=value, wait_seconds=60))
        for workflow, value in ((flow, {}), (flow, {}), (calls(("note", "b")), {}), (flow, {"x": 1}))
    )
    assert first["status"] == "completed" and again == {key: first[key] for key in first if key != "calls"}
    assert [(one["ok"], one["error"].partition(" in ")[0]) for one in (other, late)] == [
        (False, "the run id `r1` is")
    ] * 2
    assert notes(here) == ["a"]


def test_a_question_is_still_asked_after_a_restart(servers: Any) -> None:
    person = Person({"outcome": "sent", "approved": True, "comment": None})

    async def one(**options: Any) -> Any:
        async with servers(**options) as client:
            return await call(client, "run_workflow", workflow=APPROVAL, run_id="r1", wait_seconds=60)

    asked, ended = asyncio.run(one()), asyncio.run(one(elicitation_callback=person))
    assert (asked["status"], ended["status"], len(person.asked)) == ("interrupted", "completed", 1)
    assert ended["output"] == {"text": "Hello Ada!", "approved": True}


def test_a_run_that_a_server_left_is_told_as_stopped_and_is_taken_up(here: Path) -> None:
    given = {"workflow": calls(("note", "a"), ("slowly", "go"), ("note", "b")), "run_id": "r1", "wait_seconds": 0}

    async def left() -> Any:
        async with stdio_client(here) as client:
            begun = await call(client, "run_workflow", **given)
            await until(here / "go.begun")
            return begun

    async def taken_up() -> Any:
        async with stdio_client(here) as client:
            found = await call(client, "run_workflow", **{**given, "wait_seconds": 60})
            return found, await call(client, "control_run", run_id="r1", action="resume", wait_seconds=60)

    first = asyncio.run(left())
    until_stopped(here)
    (here / "go").touch()
    found, ended = asyncio.run(taken_up())
    assert [one.get("status", one) for one in (first, found, ended)] == ["running", "stopped", "completed"]
    assert notes(here) == ["a", "b"]


def test_what_is_no_message_is_answered_and_harms_nothing(here: Path) -> None:
    first = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": first}),
        "this is no JSON",
        '{"cut": ',
        '{"id": 7, "method": "tools/list"}',
        "[]",
        "\xff\xfe",
        json.dumps({"jsonrpc": "2.0", "id": 2, "method": "nowhere"}),
        json.dumps({"jsonrpc": "2.0", "id": 3, "method": "ping"}),
    ]
    given = ("\n".join(lines) + "\n").encode("latin-1")
    with subprocess.Popen(COMMAND, cwd=here, stdin=-1, stdout=-1, stderr=-1) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(given)
        process.stdin.flush()
        # A server whose input ends need not answer what it has just read.
        told = [json.loads(process.stdout.readline()) for _ in range(8)]
        process.communicate(timeout=60)
    # Each is answered when its answer is ready: the protocol promises an id, and no order.
    answers = Counter((one["id"], one.get("error", {}).get("code")) for one in told)
    assert answers == {(None, -32700): 3, (None, -32600): 2, (1, None): 1, (2, -32601): 1, (3, None): 1}
