"""A PostgreSQL database as a store that several machines share. The door of psycopg, an extra: `wfc[postgres]`.

The tables begin with `wfc_` and may stand beside those of others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from wfc.backends.stores.database import FORMAT, META, refusal
from wfc.backends.stores.lending import Lent, Shelf
from wfc.backends.stores.records import StoreFault

# What libpq calls a connection that waits for a statement.
_IDLE = 0
_CLOCK = "SELECT extract(epoch FROM clock_timestamp())::double precision"


class PostgresConnection(Lent):
    """An open database. Raises `StoreFault` for everything that the server refuses."""

    # So that a run cannot be taken over between the look at its epoch and the entry that names it.
    share = " FOR SHARE"

    def __init__(self, url: str, name: str, clock: Callable[[], float] | None) -> None:
        self._name, self._clock = name, clock
        self._process = os.getpid()
        try:
            import psycopg
        except ImportError:
            raise StoreFault(
                f"the store {name} needs the package `psycopg`; `pip install 'wfc[postgres]'` brings it"
            ) from None
        self._faults = psycopg.Error
        with self._told():
            self._database = psycopg.connect(url, autocommit=True)

    def run(self, statement: str, *values: Any) -> int:
        with self._told():
            return self._database.execute(statement.replace("?", "%s"), values).rowcount

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._told():
            return self._database.execute(query.replace("?", "%s"), values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._told(), self._database.transaction():
            yield

    def now(self) -> float:
        return self.rows(_CLOCK)[0][0] if self._clock is None else self._clock()

    def end(self) -> None:
        # A process that was forked has the same socket, and what it said there would end the connection for both.
        if self._process == os.getpid():
            with self._told():
                self._database.close()

    @property
    def is_fit(self) -> bool:
        """Whether this process opened it, and the server said no more than it was asked, as far as is known here."""
        return self._process == os.getpid() and self._database.info.transaction_status == _IDLE

    @property
    def is_there(self) -> bool:
        """Whether the server is still there; it may have ended a connection that was not used for a while."""
        if not self.is_fit:
            return False
        with suppress(StoreFault):
            return self.rows("SELECT 1") == [(1,)]
        return False

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except self._faults as wrong:
            first = (str(wrong) or type(wrong).__name__).splitlines()[0]
            raise StoreFault(f"the store {self._name} cannot be used: {first}") from None
        except UnicodeEncodeError as wrong:
            raise StoreFault(f"the store {self._name} holds text in UTF-8; `{wrong.object}` is none") from None


class PostgresDatabase:
    """The database at a URL; see `wfc.backends.stores.database.Database`. Its name leaves out the password."""

    def __init__(self, url: str, clock: Callable[[], float] | None = None) -> None:
        self._url, self._clock = url, clock
        self.name = _without_password(url)
        self._shelf = Shelf[PostgresConnection]()

    def connect(self) -> PostgresConnection:
        return self._ready(*self._opened())

    def existing(self) -> PostgresConnection | None:
        connection, found = self._opened()
        if found is not None:
            return self._ready(connection, found)
        connection.close()
        return None

    def _opened(self) -> tuple[PostgresConnection, int | None]:
        """A connection, and the format that it finds."""
        connection = self._shelf.taken()
        if connection is None:
            connection = self._shelf.lent(PostgresConnection(self._url, self.name, self._clock))
        try:
            return connection, self._format(connection)
        except BaseException:
            connection.end()
            raise

    def _ready(self, connection: PostgresConnection, found: int | None) -> PostgresConnection:
        try:
            if found is None or found < FORMAT:
                self._bring_forward(found)
        except BaseException:
            connection.end()
            raise
        return connection

    def address(self) -> tuple[str, str]:
        return "postgresql+psycopg", self._url.partition("://")[2]

    def _format(self, connection: PostgresConnection) -> int | None:
        if not connection.rows("SELECT 1 WHERE to_regclass(?) IS NOT NULL", META):
            return None
        found = [value for (value,) in connection.rows(f"SELECT value FROM {META} WHERE key = 'format'")]
        if not found or not found[0].isdigit() or not 1 <= int(found[0]) <= FORMAT:
            raise StoreFault(refusal(self.name, found[0] if found else None))
        return int(found[0])

    def _bring_forward(self, found: int | None) -> None:
        from wfc.backends.stores import tables

        try:
            if found is None:
                tables.create(self.address())
            else:
                tables.migrate(self.address())
        except tables.FAULTS as wrong:
            first = str(wrong).splitlines()[0]
            raise StoreFault(f"the store {self.name} cannot be made ready: {first}") from None


def _without_password(url: str) -> str:
    scheme, found, rest = url.partition("://")
    user, at, place = rest.rpartition("@")
    return f"{scheme}{found}{user.partition(':')[0]}{at}{place.partition('?')[0]}"
