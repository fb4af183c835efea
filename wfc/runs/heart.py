"""The heartbeat of a run's owner: it says in time that it is still there, also while a call takes long (reference 4.3).

What it hears is passed on: that somebody wants the run cancelled, or that another process has taken it over. Most runs
rest before their first beat is due and never need a thread of their own.
"""

from __future__ import annotations

import _thread
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType

from wfc.backends.drivers import CANCELLED, LOST, Stop
from wfc.backends.stores import BEAT_SECONDS, Connection, Session, Store, StoreFault


class Heart:
    """Beats while its block runs, in a thread of its own, over a connection of its own."""

    def __init__(self, store: Store, session: Session, stop: Stop) -> None:
        self._beating: Callable[[], None] | None = lambda: self._beat(store, session, stop)
        self._guard = threading.Lock()
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> None:
        _first_beats.wait_for(self)

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with self._guard:
            self._is_over.set()
            # Nobody keeps the store any longer for a beat that will not come.
            self._beating = None
        if self._thread is not None:
            self._thread.join()

    def begin(self) -> None:
        """Beat for the first time, and from then on, unless the block has ended by now."""
        with self._guard:
            if self._beating is None:
                return
            self._thread = threading.Thread(target=self._beating, name="wfc-heart", daemon=True)
            self._thread.start()

    def _beat(self, store: Store, session: Session, stop: Stop) -> None:
        connection: Connection | None = None
        try:
            while True:
                connection = connection or store.connect()
                heard = session.beat(connection)
                if not heard.owned:
                    stop.ask(LOST)
                elif heard.cancel:
                    stop.ask(CANCELLED)
                if self._is_over.wait(BEAT_SECONDS):
                    return
        except StoreFault:
            # The next commit meets the same store, in a thread that can say so.
            return
        finally:
            if connection is not None:
                connection.close()


class _FirstBeats:
    """Who waits for a first beat, the earliest first: one thread for all of a process, which touches no store, so that
    no run waits for another's."""

    def __init__(self) -> None:
        self._due: deque[tuple[float, Heart]] = deque()
        self._added = threading.Semaphore(0)
        self._process: int | None = None

    def wait_for(self, heart: Heart) -> None:
        if self._process != os.getpid():
            # A process that was forked has no threads but the one that forked it.
            self.__init__()  # type: ignore[misc]
            self._process = os.getpid()
            # Unlike `threading.Thread.start` this does not wait until the thread runs.
            _thread.start_new_thread(self._wait, ())
        self._due.append((time.monotonic() + BEAT_SECONDS, heart))
        self._added.release()

    def _wait(self) -> None:
        while True:
            self._added.acquire()
            moment, heart = self._due.popleft()
            while (left := moment - time.monotonic()) > 0:
                time.sleep(left)
            heart.begin()
            del heart


_first_beats = _FirstBeats()
