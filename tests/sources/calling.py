"""What the tests of sources share: one invoke, one source on one loop, and whether a process is there."""

import asyncio
import os
import sys
import time
from pathlib import Path

from wfc.backends.sources import McpServer, McpSource
from wfc.backends.sources.source import Circumstances
from wfc.ir import Invoke

SERVERS = Path(__file__).parent / "servers"
ON_LOOP = Circumstances("run-1", True)
BLOCKING = Circumstances("run-1", False)


def invoke(payload=None, *, timeout=None, node="step", definition="node", capability="node", context=None, attempt=1):
    return Invoke(
        call_id="call-1",
        attempt=attempt,
        workflow="main",
        definition=definition,
        capability=capability,
        node_id=node,
        frame_id="root",
        payload={} if payload is None else payload,
        timeout_seconds=timeout,
        effects="write",
        context=context or {},
    )


def raw_server(*manners, name="raw", **more):
    return McpServer(name, sys.executable, (str(SERVERS / "raw.py"), *manners), **more)


def library_server():
    return McpServer("library", sys.executable, (str(SERVERS / "library.py"),))


def with_source(server, use):
    """Open a source on a loop of its own, use it, close it; what `use` returns."""

    async def run():
        source = McpSource(server)
        await source.open()
        try:
            return await use(source)
        finally:
            await source.close()

    return asyncio.run(run())


def called(server, *calls):
    """The answers of a server to `(tool, payload, …)`, one after the other in one session."""

    async def use(source):
        return [await source.perform(tool, invoke(*rest), ON_LOOP) for tool, *rest in calls]

    return with_source(server, use)


def is_gone(pid, seconds=120.0):
    """Whether a process ends within that time; one that only waits to be collected has ended."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False
