"""A signal stops a run between two moves of its machine, never within one, so that what is stored then is sound.

While something is done outside – a call, a delay – the signal takes effect at once; while the machine moves, before the
next thing is done outside. Further signals do not disturb the stop that is under way.
"""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from wfc.backends.drivers import BlockingClock, LoopClock
from wfc.ir import Answer, Invoke

SIGNALS = (signal.SIGINT, signal.SIGTERM)
Perform = Callable[[Invoke], Awaitable[Answer]]


class Stoppable:
    """What a run is given so that signals can stop it: something around its calls, and a clock.

    Raises `KeyboardInterrupt` where it stops.
    """

    def __init__(self, on_loop: bool) -> None:
        self._clock = LoopClock() if on_loop else BlockingClock()
        self._is_outside = True
        self._is_wanted = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen to the signals inside this block; to be used in the main thread only."""
        before = [signal.signal(one, self._signalled) for one in SIGNALS]
        try:
            yield
        finally:
            for one, handler in zip(SIGNALS, before, strict=True):
                signal.signal(one, handler)

    def around(self, perform: Perform) -> Perform:
        """Calls that a signal can stop. From here on the machine may move."""
        self.hold()

        async def performed(invoke: Invoke) -> Answer:
            with self._outside():
                return await perform(invoke)

        return performed

    def hold(self) -> None:
        """From here on a signal waits: what follows is done to its end."""
        self._is_outside = False

    def now(self) -> float:
        return self._clock.now()

    def due(self, seconds: int | float) -> float:
        return self._clock.due(seconds)

    async def sleep_until(self, due: float) -> None:
        with self._outside():
            await self._clock.sleep_until(due)

    @contextmanager
    def _outside(self) -> Iterator[None]:
        self._is_outside = True
        try:
            if self._is_wanted:
                raise KeyboardInterrupt
            yield
        finally:
            self._is_outside = False

    def _signalled(self, number: int, frame: FrameType | None) -> Any:
        for one in SIGNALS:
            signal.signal(one, signal.SIG_IGN)
        self._is_wanted = True
        if self._is_outside:
            raise KeyboardInterrupt
