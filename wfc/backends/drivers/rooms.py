"""Sources that take only so many calls at once: which calls may begin, and which wait for another to end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from wfc.ir import Invoke

# The name of a source and how many calls of it may be in flight.
Limit = tuple[str, int]


class Rooms:
    """Calls are admitted in the order in which they were asked for, those of a full source later."""

    def __init__(self, limit_of: Callable[[Invoke], Limit | None]) -> None:
        self._limit_of = limit_of
        self._used: dict[str, int] = {}
        self._asked: list[Invoke] = []
        self._waiting: dict[str, deque[Invoke]] = {}
        self._freed: set[str] = set()

    def ask(self, call: Invoke) -> None:
        self._asked.append(call)

    def admitted(self) -> list[Invoke]:
        """The calls that may begin now, each once."""
        found: list[Invoke] = []
        for name in sorted(self._freed):
            queue = self._waiting.get(name, deque())
            while queue and self._enter(queue[0]):
                found.append(queue.popleft())
        self._freed.clear()
        for call in self._asked:
            if self._enter(call):
                found.append(call)
        self._asked.clear()
        return found

    def _enter(self, call: Invoke) -> bool:
        limit = self._limit_of(call)
        if limit is None:
            return True
        name, most = limit
        if self._used.get(name, 0) < most:
            self._used[name] = self._used.get(name, 0) + 1
            return True
        queue = self._waiting.setdefault(name, deque())
        if not queue or queue[0] is not call:
            queue.append(call)
        return False

    @property
    def are_wanted(self) -> bool:
        """Whether a call waits for another to end."""
        return any(self._waiting.values())

    def leave(self, call: Invoke) -> None:
        """A call that was admitted has ended."""
        limit = self._limit_of(call)
        if limit is not None:
            self._used[limit[0]] -= 1
            self._freed.add(limit[0])

    def withdraw(self, call_id: str) -> None:
        """Nobody waits any more for a call that was asked for and may not have been admitted."""
        self._asked = [call for call in self._asked if call.call_id != call_id]
        for queue in self._waiting.values():
            for call in [call for call in queue if call.call_id == call_id]:
                queue.remove(call)
