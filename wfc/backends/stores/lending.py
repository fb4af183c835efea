"""Connections that are lent: one that is given back waits for whoever asks next, because to open and to close one takes
longer than what most runs keep.

Guarantees: nobody is lent a connection that another still uses, that is at fault or inside a transaction; what waits
ends with its shelf.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar


class Lent:
    """A connection that goes back to its shelf when it is closed."""

    _give_back: Callable[[Any], bool] | None = None

    def lent(self, give_back: Callable[[Any], bool]) -> Self:
        """The connection as it goes out; `give_back` says whether it is taken back."""
        self._give_back = give_back
        return self

    def close(self) -> None:
        """Give the connection back to who lent it, who may keep it for the next one."""
        # What waits does not hold its shelf in turn: both end as soon as nobody uses them.
        give_back, self._give_back = self._give_back, None
        if give_back is None or not self.is_fit or not give_back(self):
            self.end()

    def end(self) -> None:
        raise NotImplementedError

    @property
    def is_fit(self) -> bool:
        """Whether, as far as is known here, it can be used again."""
        raise NotImplementedError

    @property
    def is_there(self) -> bool:
        """Whether what it leads to is still there."""
        raise NotImplementedError


_Connection = TypeVar("_Connection", bound=Lent)


class Shelf(Generic[_Connection]):
    """Where at most one connection waits."""

    def __init__(self) -> None:
        self._idle: list[_Connection] = []

    def __del__(self) -> None:
        while self._idle:
            self._idle.pop().end()

    def taken(self) -> _Connection | None:
        """The connection that waits, if it still leads anywhere."""
        while self._idle:
            kept = self._idle.pop()
            if kept.is_there:
                return kept.lent(self._put)
            kept.end()
        return None

    def lent(self, fresh: _Connection) -> _Connection:
        """A new connection, which comes here when it is closed."""
        return fresh.lent(self._put)

    def _put(self, connection: _Connection) -> bool:
        if self._idle:
            return False
        self._idle.append(connection)
        return True
