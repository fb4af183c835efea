"""A life of an MCP server in a task of its own, because what the SDK opens must be closed by the task that opened it.

When `end` has returned, or the event loop has cancelled the task, the server is gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from wfc.backends.sources import mcp_session
from wfc.backends.sources.http import Address
from wfc.backends.sources.mcp_session import Session, Told
from wfc.backends.sources.process import Command
from wfc.backends.sources.tool import NotStarted, Said, ToolFault

# A server may be downloaded when it is first started.
START_SECONDS = 60.0
# A server that dies sooner is not steady: the next one is waited for, longer each time.
STEADY_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 10.0

Find = Callable[[], Awaitable[Command | Address]]


class Life:
    """From the start of a server to its end. `find` says what to start. `previous` is the life before it, which is
    ended first; after several short ones a pause comes before this one."""

    def __init__(self, find: Find, previous: Life | None) -> None:
        loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        self._began = loop.time()
        self._ready: asyncio.Future[Session] = loop.create_future()
        self._ready.add_done_callback(lambda ready: ready.cancelled() or ready.exception())
        short = previous is not None and self._began - previous._began < STEADY_SECONDS
        self._in_a_row: int = previous._in_a_row + 1 if previous is not None and short else 0
        self._task = asyncio.create_task(self._live(find, previous))

    @property
    def pause(self) -> float:
        """The seconds before the start: none for the first and after a steady life, and for the first one again."""
        return 0.0 if self._in_a_row < 2 else min(FIRST_PAUSE * 2 ** (self._in_a_row - 2), LONGEST_PAUSE)

    @property
    def ended(self) -> bool:
        """Whether no call can be made any more."""
        if not self._ready.done():
            return False
        if self._task.done() or self._ready.cancelled() or self._ready.exception() is not None:
            return True
        return self._ready.result().ended

    async def session(self) -> Session:
        """The server, when it is ready; raises `NotStarted`, `NotAuthorised`, or what `find` raises."""
        return await asyncio.shield(self._ready)

    async def end(self) -> None:
        """End the server, whatever it is doing."""
        self._stop.set()
        if not self._ready.done():
            self._task.cancel()
        await asyncio.wait({self._task})
        if not self._task.cancelled():
            self._task.result()

    async def _live(self, find: Find, previous: Life | None) -> None:
        try:
            async with AsyncExitStack() as stack:
                if previous is not None:
                    await previous.end()
                await asyncio.sleep(self.pause)
                self._began = asyncio.get_running_loop().time()
                self._ready.set_result(await _started(stack, find))
                await self._stop.wait()
        except Exception as error:
            if self._ready.done():
                raise
            self._ready.set_exception(error)
        finally:
            self._ready.cancel()


async def _started(stack: AsyncExitStack, find: Find) -> Session:
    try:
        async with asyncio.timeout(START_SECONDS) as clock:
            return await mcp_session.start(stack, await find())
    except TimeoutError:
        if not clock.expired():
            raise
        raise NotStarted(f"the server was not ready within {START_SECONDS:g} seconds") from None


async def call(
    session: Session, name: str, arguments: Any, meta: dict[str, Any], seconds: float | None, told: Told | None = None
) -> Said:
    """Make one call that may take so long; raises like `Session.call`. The server is told when nobody waits."""
    try:
        async with asyncio.timeout(seconds) as clock:
            return await session.call(name, arguments, meta, told)
    except TimeoutError:
        if not clock.expired():
            raise
        raise ToolFault("node_timeout", f"no answer within {seconds:g} seconds{session.quoted}") from None
