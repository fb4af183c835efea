"""A server over HTTP that is started again while a question is open: it is answered once, in the same run."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import MCPError

from tests.cli.conftest import APPROVAL
from tests.services.flows import project
from tests.services.serving import Person, Restarted, call, http_client

GIVEN: dict[str, Any] = {"workflow": APPROVAL, "wait_seconds": 60}
ANSWER = {"outcome": "sent", "approved": True, "comment": None}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Restarted]:
    made = Restarted(project(tmp_path))
    yield made
    made.end()


class Slow(Person):
    """Answers when the server that asked is gone and another stands in its place."""

    def __init__(self, server: Restarted, answer: dict[str, Any]) -> None:
        super().__init__(answer)
        self._server = server

    async def __call__(self, context: Any, params: Any) -> types.ElicitResult:
        await asyncio.to_thread(self._server.again)
        return await super().__call__(context, params)


def test_an_answer_finds_its_run_at_the_server_after(server: Restarted, tmp_path: Path) -> None:
    """The client brings back what was sealed; it knows no run id."""
    person = Slow(server, ANSWER)

    async def work() -> Any:
        async with http_client(server.url, elicitation_callback=person) as client:
            return await call(client, "run_workflow", **GIVEN), (await call(client, "read_run"))["value"]

    ended, runs = asyncio.run(work())
    assert (ended["status"], ended["outcome"], len(person.asked)) == ("completed", "ok", 1)
    assert [one["run_id"] for one in runs] == [ended["run_id"]]
    assert stat.S_IMODE((tmp_path / ".wfc" / "mcp.key").stat().st_mode) == 0o600


def test_a_request_that_went_down_with_its_server_is_repeated(server: Restarted) -> None:
    """In the protocol before, the question is part of a request, which is lost; the run is not."""
    given = {**GIVEN, "run_id": "r1"}
    first, second = Slow(server, ANSWER), Person(ANSWER)

    async def lost() -> None:
        async with http_client(server.url, mode="legacy", elicitation_callback=first) as client:
            await call(client, "run_workflow", **given)

    async def repeated() -> Any:
        async with http_client(server.url, mode="legacy", elicitation_callback=second) as client:
            return await call(client, "run_workflow", **given), (await call(client, "read_run"))["value"]

    with pytest.RaisesGroup(MCPError, flatten_subgroups=True):
        asyncio.run(lost())
    ended, runs = asyncio.run(repeated())
    assert (ended["status"], ended["outcome"]) == ("completed", "ok")
    assert [one["run_id"] for one in runs] == ["r1"] and len(second.asked) == 1


def test_a_question_that_was_a_result_is_answered_at_the_server_after(server: Restarted) -> None:
    async def work() -> Any:
        async with http_client(server.url) as client:
            asked = await call(client, "run_workflow", **GIVEN)
            await asyncio.to_thread(server.again)
            answer = {"run_id": asked["run_id"], "interrupt_id": asked["interrupt"]["id"], "action": "resume"}
            return await call(client, "control_run", **answer, outcome="dropped", wait_seconds=60)

    ended = asyncio.run(work())
    assert (ended["status"], ended["outcome"]) == ("completed", "rejected")
