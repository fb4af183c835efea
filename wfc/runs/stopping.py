"""Signals stop a run between two moves of its machine, never within one, so that what is stored then is sound.

The first signal lets calls in flight end, for a while; delays and sources that are being opened are not waited for. The
second one waits for nothing. Once a run has stopped for it, further signals do not disturb what is left to do.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from wfc.backends.drivers import ASKED, GRACE_SECONDS, BlockingClock, LoopClock, Stop

SIGNALS = (signal.SIGINT, signal.SIGTERM)
# How soon a run without an event loop notices, while a delay runs, that it should stop.
_NOTICE_SECONDS = 0.1


class Stoppable:
    """What a run is given so that signals can stop it: a wish to look at, and a clock.

    `stop` is asked at the first signal; a second one raises `KeyboardInterrupt` in the main thread.
    """

    def __init__(self, on_loop: bool) -> None:
        self.stop = Stop()
        self._on_loop = on_loop
        self._clock = LoopClock() if on_loop else BlockingClock()
        self._timer: threading.Timer | None = None

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen to the signals inside this block; to be used in the main thread only."""
        before = [signal.signal(one, self._signalled) for one in SIGNALS]
        try:
            yield
        finally:
            if self._timer is not None:
                self._timer.cancel()
            for one, handler in zip(SIGNALS, before, strict=True):
                signal.signal(one, handler)

    def now(self) -> float:
        return self._clock.now()

    def due(self, seconds: int | float) -> float:
        return self._clock.due(seconds)

    async def sleep_until(self, due: float) -> None:
        if self._on_loop:
            await self._clock.sleep_until(due)
            return
        while (left := due - self._clock.now()) > 0:
            self.stop.check()
            await self._clock.sleep_until(self._clock.now() + min(left, _NOTICE_SECONDS))

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self.stop.ask(ASKED)
        if not self.stop.is_urgent and not self.stop.is_opening:
            self._timer = threading.Timer(GRACE_SECONDS, _send, (number,))
            self._timer.daemon = True
            self._timer.start()
        elif self.stop.is_outside:
            for one in SIGNALS:
                signal.signal(one, signal.SIG_IGN)
            raise KeyboardInterrupt


def _send(number: int) -> None:
    """Signal the main thread again, even where it waits for the system."""
    signal.pthread_kill(threading.main_thread().ident or 0, number)
