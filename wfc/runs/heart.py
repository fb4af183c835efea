"""The heartbeat of a run's owner: it says in time that it is still there, also while a call takes long (reference 4.3).

What it hears is passed on: that somebody wants the run cancelled, or that another process has taken it over.
"""

from __future__ import annotations

import threading
from types import TracebackType

from wfc.backends.drivers import CANCELLED, LOST, Stop
from wfc.backends.stores import BEAT_SECONDS, Connection, Session, Store, StoreFault


class Heart:
    """Beats while its block runs, in a thread of its own, over a connection of its own."""

    def __init__(self, store: Store, session: Session, stop: Stop) -> None:
        self._store, self._session, self._stop = store, session, stop
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="wfc-heart", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._is_over.set()
        self._thread.join()

    def _beat(self) -> None:
        connection: Connection | None = None
        try:
            while not self._is_over.wait(BEAT_SECONDS):
                connection = connection or self._store.connect()
                heard = self._session.beat(connection)
                if not heard.owned:
                    self._stop.ask(LOST)
                elif heard.cancel:
                    self._stop.ask(CANCELLED)
        except StoreFault:
            # The next commit meets the same store, in a thread that can say so.
            return
        finally:
            if connection is not None:
                connection.close()
