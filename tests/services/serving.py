"""The server as a real process, and clients of the published SDK that talk to it."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
from mcp import StdioServerParameters
from mcp.client import session
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

# A client that hears nothing for ten seconds would speak an old protocol from then on; here servers may be slow.
session.DISCOVER_TIMEOUT_SECONDS = 300.0
COMMAND = (sys.executable, "-P", "-m", "wfc", "mcp")
# The newest protocol, and the one that most published clients speak.
ERAS = ("auto", "legacy")


def port_of_our_own() -> int:
    """A port that is free, and that the system gives to nobody who asks for any: it stays free between two servers."""
    while True:
        port = random.SystemRandom().randrange(20_000, 30_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class Restarted:
    """A server over HTTP that is ended and started again at one address, while its clients wait."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = self._started(port_of_our_own())

    def _started(self, port: int) -> subprocess.Popen[str]:
        command = [*COMMAND, "--http", "--port", str(port)]
        process = subprocess.Popen(command, cwd=self._folder, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith("listening at "), line
        self.url = line.removeprefix("listening at ").strip()
        return process

    def again(self) -> None:
        port = int(self.url.rpartition(":")[2].partition("/")[0])
        self.end()
        self._process = self._started(port)

    def end(self) -> None:
        self._process.terminate()
        self._process.communicate(timeout=120)


@contextmanager
def http_server(folder: Path, *options: str, token: str | None = None) -> Iterator[str]:
    """The address of a server over HTTP on a free port; it is ended by a signal."""
    environment = {**os.environ, **({"WFC_MCP_TOKEN": token} if token else {})}
    command = [*COMMAND, "--http", "--port", "0", *options]
    with subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            assert line.startswith("listening at "), line
            yield line.removeprefix("listening at ").strip()
        finally:
            process.terminate()
            process.wait(120)


@asynccontextmanager
async def stdio_client(folder: Path, **options: Any) -> AsyncIterator[Client]:
    """A client that starts a server of its own over standard input and output."""
    parameters = StdioServerParameters(command=COMMAND[0], args=list(COMMAND[1:]), cwd=folder)
    async with Client(parameters, **options) as client:
        yield client


@asynccontextmanager
async def http_client(url: str, token: str | None = None, **options: Any) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=300) as http,
        Client(streamable_http_client(url, http_client=http), **options) as client,
    ):
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer; the SDK has compared it with the output schema."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    answer: dict[str, Any] = result.structured_content
    return answer


class Person:
    """Answers questions through a client, and remembers them."""

    def __init__(self, *answers: dict[str, Any] | None) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def __call__(self, context: Any, params: Any) -> types.ElicitResult:
        self.asked.append((params.message, params.requested_schema))
        answer = self.answers.pop(0)
        if answer is None:
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content=answer)
