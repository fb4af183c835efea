"""A request from outside that a run should stop, and who is told of it. Safe to use from signals and other threads."""

from __future__ import annotations

from collections.abc import Callable

# Why a run should stop: somebody at its process, `wfc cancel`, or another process that has taken it over.
ASKED, CANCELLED, LOST = "asked", "cancelled", "lost"
# How long calls in flight may take to end when a run is stopped.
GRACE_SECONDS = 5.0


class Stopped(Exception):
    """A run was asked to stop and came to rest between two answers. `why` is one of the reasons above."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the run was stopped: {why}")
        self.why = why


class Stop:
    """What a driver looks at before it begins anything. `is_outside` says that no machine moves and nothing is being
    kept, so that an exception may be raised wherever the run is; `is_opening` that none has moved yet."""

    def __init__(self) -> None:
        self.why: str | None = None
        self.is_urgent = False
        self.is_outside = True
        self.is_opening = True
        self._told: list[Callable[[], None]] = []

    def ask(self, why: str) -> None:
        """Stop, for this reason, unless there was another before. Asking again makes it urgent: nothing is awaited."""
        self.is_urgent = self.is_urgent or self.why is not None or why == LOST
        self.why = self.why or why
        for tell in list(self._told):
            tell()

    def moves(self) -> None:
        """From here on the machine moves, and what it does is done to its end."""
        self.is_opening = self.is_outside = False

    def listen(self, tell: Callable[[], None]) -> None:
        """Call this whenever somebody asks."""
        self._told.append(tell)

    def check(self) -> None:
        """Raise `Stopped` where that was asked for."""
        if self.why is not None:
            raise Stopped(self.why)
