"""What time it is and how to let it pass: the only place of a run that looks at a clock.

`due` is when a delay that begins now is over, in seconds of the epoch, so that it outlives a process.
"""

from __future__ import annotations

import time
from typing import Protocol

# Sleeping is done in parts: no delay is too long for the system, and a clock that was set is noticed.
_LONGEST_SLEEP = 3600.0
_FOREVER = 1e15


class Clock(Protocol):
    def now(self) -> float:
        """Seconds of the epoch."""

    def due(self, seconds: int | float) -> float:
        """When a delay that begins now is over."""

    async def sleep_until(self, due: float) -> None:
        """Let time pass until then."""


class InstantClock:
    """The clock of tests: every delay is over as soon as it begins (reference 4.5)."""

    def now(self) -> float:
        return 0.0

    def due(self, seconds: int | float) -> float:
        return 0.0

    async def sleep_until(self, due: float) -> None:
        """Nothing is ever left to wait for."""


class BlockingClock:
    """The time of day, for runs without an event loop: the thread sleeps."""

    def now(self) -> float:
        return time.time()

    def due(self, seconds: int | float) -> float:
        return time.time() + min(seconds, _FOREVER)

    async def sleep_until(self, due: float) -> None:
        while (left := due - time.time()) > 0:
            time.sleep(min(left, _LONGEST_SLEEP))


class LoopClock(BlockingClock):
    """The time of day, for runs on an event loop: everything else goes on."""

    async def sleep_until(self, due: float) -> None:
        import asyncio

        while (left := due - time.time()) > 0:
            await asyncio.sleep(min(left, _LONGEST_SLEEP))
