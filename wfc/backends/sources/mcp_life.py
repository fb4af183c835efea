"""A life of an MCP server in a task of its own, because what the SDK opens must be closed by the task that opened it.

When `end` has returned, or the event loop has cancelled the task, the server is gone.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from wfc.backends.sources import mcp_session
from wfc.backends.sources.mcp_session import Session
from wfc.backends.sources.process import Command
from wfc.backends.sources.tool import NotStarted, Said, ToolFault

# A server may be downloaded when it is first started.
START_SECONDS = 60.0


class Life:
    """From the start of a server to its end. `previous` is the life before it, which is ended first."""

    def __init__(self, command: Command, previous: Life | None) -> None:
        self._stop = asyncio.Event()
        self._ready: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        self._ready.add_done_callback(lambda ready: ready.cancelled() or ready.exception())
        self._task = asyncio.create_task(self._live(command, previous))

    @property
    def ended(self) -> bool:
        """Whether no call can be made any more."""
        if not self._ready.done():
            return False
        return self._ready.cancelled() or self._ready.exception() is not None or self._ready.result().ended

    async def session(self) -> Session:
        """The server, when it is ready; raises `NotStarted`."""
        return await asyncio.shield(self._ready)

    async def end(self) -> None:
        """End the server, whatever it is doing."""
        self._stop.set()
        if not self._ready.done():
            self._task.cancel()
        await asyncio.wait({self._task})
        if not self._task.cancelled():
            self._task.result()

    async def _live(self, command: Command, previous: Life | None) -> None:
        try:
            async with AsyncExitStack() as stack:
                if previous is not None:
                    await previous.end()
                self._ready.set_result(await _started(stack, command))
                await self._stop.wait()
        except Exception as error:
            if self._ready.done():
                raise
            self._ready.set_exception(error)
        finally:
            self._ready.cancel()


async def _started(stack: AsyncExitStack, command: Command) -> Session:
    try:
        async with asyncio.timeout(START_SECONDS) as clock:
            return await mcp_session.start(stack, command)
    except TimeoutError:
        if not clock.expired():
            raise
        raise NotStarted(f"the server was not ready within {START_SECONDS:g} seconds") from None


async def call(session: Session, name: str, arguments: Any, meta: dict[str, Any], seconds: float | None) -> Said:
    """Make one call that may take so long; raises `ToolFault`. The server is told when nobody waits any more."""
    try:
        async with asyncio.timeout(seconds) as clock:
            return await session.call(name, arguments, meta)
    except TimeoutError:
        if not clock.expired():
            raise
        raise ToolFault("node_timeout", f"no answer within {seconds:g} seconds{session.quoted}") from None
