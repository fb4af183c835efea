"""Servers of every version of the protocol answer alike: over a child's lines, and over HTTP."""

import asyncio
import subprocess
import sys
import time
from contextlib import contextmanager

import httpx2
import pytest

from tests.sources.calling import ON_LOOP, SERVERS, called, invoke, is_gone, library_server, raw_server, with_source
from wfc.backends.sources import Circumstances, McpServer, Progress


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """A client that hears nothing for ten seconds speaks an old protocol; here servers may be slow."""
    monkeypatch.setattr("mcp.client.session.DISCOVER_TIMEOUT_SECONDS", 300.0)


@contextmanager
def library_over_http():
    """The same server as over stdio, behind an address, on the loopback only."""
    command = [sys.executable, str(SERVERS / "library.py"), "http"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = int(child.stdout.readline())
        yield McpServer("library", url=f"http://127.0.0.1:{port}/mcp")
    finally:
        child.terminate()
        child.wait()
        child.stdout.close()
        assert is_gone(child.pid)


def until_it_answers(server, seconds=120.0):
    """A server behind an address takes a moment to be there."""

    async def ask(source):
        return source.fault, source.introduction

    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        fault, introduction = with_source(server, ask)
        if fault is None:
            return introduction
        time.sleep(0.1)
    raise AssertionError(fault)


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_every_version_with_the_old_handshake(version):
    async def use(source):
        return source.introduction.protocol, await source.perform("say", invoke({"text": "a"}), ON_LOOP)

    protocol, answer = with_source(raw_server(version), use)
    assert protocol == version
    assert answer.result.output == {"text": "a"}


def test_a_version_that_nobody_knows():
    async def use(source):
        return source.missing("say")

    assert "the server answers the handshake with what cannot be used" in with_source(raw_server("2001-01-01"), use)


def test_the_newest_version():
    async def use(source):
        return source.introduction.protocol

    assert with_source(library_server(), use) == "2026-07-28"


def test_the_newest_version_over_http(tmp_path):
    with library_over_http() as server:
        assert until_it_answers(server).protocol == "2026-07-28"
        (answer,) = called(server, ("add", {"left": 2, "right": 3}))
        assert answer.result.output == {"result": 5}
        assert patience(server, tmp_path / "file") == ("node_timeout", [Progress(1, 2, "half way")])


def test_who_was_not_there_at_the_first_question_is_not_asked_in_an_old_way(monkeypatch):
    with library_over_http() as server:
        until_it_answers(server)
        send, tried = httpx2.AsyncClient.send, []

        async def late(client, request, **options):
            tried.append(request.method)
            if len(tried) == 1:
                raise httpx2.ConnectError("All connection attempts failed")
            return await send(client, request, **options)

        monkeypatch.setattr(httpx2.AsyncClient, "send", late)

        async def ask(source):
            return source.fault, source.introduction

        fault = "source `library`: the server cannot be reached: All connection attempts failed"
        assert with_source(server, ask) == (fault, None)
        assert tried == ["POST"]
        assert with_source(server, ask)[1].protocol == "2026-07-28"


def test_nobody_waits_any_more_over_stdio(tmp_path):
    assert patience(library_server(), tmp_path / "file") == ("node_timeout", [Progress(1, 2, "half way")])


def patience(server, file):
    """What comes of a call that takes too long, and how far it was; the server is told that nobody waits."""
    told = []
    circumstances = Circumstances("run-1", True, progress=lambda call, progress: told.append(progress))

    async def use(source):
        # The server has its time to be heard in, however slow the machine is.
        for seconds in (1.5, 15, 150):
            answer = await source.perform("wait", invoke({"file": str(file)}, timeout=seconds), circumstances)
            if told:
                break
        after = await source.perform("add", invoke({"left": 1, "right": 1}), ON_LOOP)
        assert after.result.output == {"result": 2}
        async with asyncio.timeout(120):
            while not file.exists() or file.read_text() != "cancelled":
                await asyncio.sleep(0.05)
        return answer.code

    return with_source(server, use), told
