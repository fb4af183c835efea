"""The embedded database of a store: one SQLite file with a write-ahead log, made when the first run is kept.

A file of another format, one that is no database, and one that belongs to another program are refused with a sentence
and left as they are. A commit is on the disk when it returns.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from wfc.backends.stores.database import FORMAT, META, refusal
from wfc.backends.stores.lending import Lent, Shelf
from wfc.backends.stores.records import StoreFault

try:
    # The database without `datetime` and its conversions, which nothing here needs: half of what it costs to import.
    import _sqlite3 as sqlite3
except ImportError:
    import sqlite3  # type: ignore[no-redef]

# How long a change waits while another process writes.
_PATIENCE_SECONDS = 10.0
# The tables as `tables.py` describes them, written out so that making a store needs no SQLAlchemy; a test compares.
CREATE = (
    "CREATE TABLE wfc_artifacts (artifact_id TEXT NOT NULL, version INTEGER NOT NULL, hash TEXT NOT NULL,"
    " workflow TEXT NOT NULL, document TEXT NOT NULL, created DOUBLE NOT NULL, PRIMARY KEY (artifact_id, version))",
    "CREATE TABLE wfc_checkpoints (run INTEGER NOT NULL, position INTEGER NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY (run))",
    "CREATE TABLE wfc_deployments (name TEXT NOT NULL, text TEXT NOT NULL, applied DOUBLE NOT NULL,"
    " PRIMARY KEY (name))",
    "CREATE TABLE wfc_journal (run INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, about TEXT,"
    " value TEXT, begun TEXT, PRIMARY KEY (run, position)) WITHOUT ROWID",
    'CREATE TABLE wfc_meta ("key" TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY ("key"))',
    "CREATE TABLE wfc_programs (hash TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (hash))",
    "CREATE TABLE wfc_runs (number INTEGER NOT NULL, run_id TEXT NOT NULL, workflow TEXT NOT NULL,"
    " program TEXT NOT NULL, input TEXT NOT NULL, step_limit BIGINT NOT NULL, config TEXT, status TEXT NOT NULL,"
    " outcome TEXT, created DOUBLE NOT NULL, updated DOUBLE NOT NULL, epoch INTEGER NOT NULL, owner TEXT,"
    " expires DOUBLE NOT NULL, cancel INTEGER NOT NULL, pins TEXT, PRIMARY KEY (number), UNIQUE (run_id))",
)


class SqliteConnection(Lent):
    """An open file. Raises `StoreFault` for everything that SQLite refuses."""

    share = ""

    def __init__(self, path: str, clock: Callable[[], float]) -> None:
        self._path = path
        self.now = clock
        self._is_sound = True
        with self._told():
            self._database = sqlite3.connect(
                path, timeout=_PATIENCE_SECONDS, isolation_level=None, check_same_thread=False
            )
        self._execute = self._database.execute
        self.opened = (_identity(path), os.getpid())

    def run(self, statement: str, *values: Any) -> int:
        try:
            return self._execute(statement, values).rowcount
        except (sqlite3.Error, UnicodeEncodeError) as wrong:
            raise self._fault(wrong) from None

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            return self._execute(query, values).fetchall()
        except (sqlite3.Error, UnicodeEncodeError) as wrong:
            raise self._fault(wrong) from None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        try:
            self._execute("BEGIN IMMEDIATE")
            try:
                yield
                self._execute("COMMIT")
            except BaseException:
                # A full disk has rolled back by itself.
                if self._database.in_transaction:
                    self._execute("ROLLBACK")
                raise
        except sqlite3.Error as wrong:
            raise self._fault(wrong) from None

    def end(self) -> None:
        with self._told():
            self._database.close()

    @property
    def is_fit(self) -> bool:
        return self._is_sound and not self._database.in_transaction

    @property
    def is_there(self) -> bool:
        """Whether a path still names the file that is open here, and this is the process that opened it."""
        return self.opened == (_identity(self._path), os.getpid()) and self.opened[0] is not None

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as wrong:
            raise self._fault(wrong) from None

    def _fault(self, wrong: sqlite3.Error | UnicodeEncodeError) -> StoreFault:
        if isinstance(wrong, UnicodeEncodeError):
            return StoreFault(f"the store {self._path} holds text in UTF-8; `{wrong.object}` is none")
        self._is_sound = False
        return StoreFault(f"the store {self._path} cannot be used: {wrong}")


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


class SqliteDatabase:
    """The file at a path; see `wfc.backends.stores.database.Database`."""

    def __init__(self, path: str, clock: Callable[[], float] = time.time) -> None:
        self.name = path
        self._clock = clock
        self._shelf = Shelf[SqliteConnection]()

    def connect(self) -> SqliteConnection:
        if (kept := self._kept()) is not None:
            return kept
        try:
            os.makedirs(os.path.dirname(self.name) or ".", exist_ok=True)
        except OSError as wrong:
            is_other = isinstance(wrong, FileExistsError | NotADirectoryError)
            why = f"{wrong.filename} is no folder" if is_other else str(wrong.strerror).lower()
            raise StoreFault(f"the store {self.name} cannot be made: {why}") from None
        connection = self._shelf.lent(self._fresh())
        return self._ready(connection, self._found(connection))

    def existing(self) -> SqliteConnection | None:
        if (kept := self._kept()) is not None:
            return kept
        if not self._is_there():
            return None
        connection = self._shelf.lent(self._fresh())
        found = self._found(connection)
        if found is None:
            connection.end()
            return None
        return self._ready(connection, found)

    def _is_there(self) -> bool:
        """Whether there is a file. That it is out of reach is no word for no store."""
        try:
            os.stat(self.name)
        except (FileNotFoundError, NotADirectoryError):
            is_link = os.path.islink(self.name) or os.path.islink(os.path.dirname(self.name))
            away = os.path.dirname(os.path.realpath(self.name))
            if not is_link or os.path.isdir(away):
                return False
            why = f"its link leads to {away}, which is no folder"
        except OSError as wrong:
            why = str(wrong.strerror).lower()
        else:
            return True
        raise StoreFault(f"the store {self.name} cannot be used: {why}")

    def _fresh(self) -> SqliteConnection:
        return SqliteConnection(self.name, self._clock)

    def _kept(self) -> SqliteConnection | None:
        """A connection that waits, to the file that is at the path now, whose format is still ours."""
        connection = self._shelf.taken()
        if connection is None:
            return None
        try:
            if self._noted(connection, META) == FORMAT:
                return connection
        except BaseException:
            connection.end()
            raise
        connection.end()
        return None

    def _found(self, connection: SqliteConnection) -> int | None:
        """The format of a file that was opened; a connection to one that is not ours ends."""
        try:
            return self._format(connection)
        except BaseException:
            connection.end()
            raise

    def address(self) -> tuple[str, str]:
        return "sqlite", self.name

    def _ready(self, connection: SqliteConnection, found: int | None) -> SqliteConnection:
        try:
            if found is None:
                self._make(connection)
            elif found < FORMAT:
                from wfc.backends.stores.tables import migrate

                migrate(self.address())
            connection.run("PRAGMA synchronous=FULL")
        except BaseException:
            connection.end()
            raise
        return connection

    def _format(self, connection: SqliteConnection) -> int | None:
        """The format of the store in a file, none where nothing is yet; raises `StoreFault` for what is not ours."""
        names = {name for (name,) in connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not names:
            return None
        table = next((one for one in (META, "meta") if one in names), None)
        if table is None or (table == "meta" and "runs" not in names):
            raise StoreFault(f"{self.name} is a database of another program; give the path of a store")
        return self._noted(connection, table)

    def _noted(self, connection: SqliteConnection, table: str) -> int:
        found = [value for (value,) in connection.rows(f"SELECT value FROM {table} WHERE key = 'format'")]
        if not found or not found[0].isdigit() or not 1 <= int(found[0]) <= FORMAT:
            raise StoreFault(refusal(self.name, found[0] if found else None))
        return int(found[0])

    def _make(self, connection: SqliteConnection) -> None:
        # Of two who make a store at once, one finds it made.
        connection.rows("PRAGMA journal_mode=WAL")
        with connection.transaction():
            if self._format(connection) is None:
                for statement in CREATE:
                    connection.run(statement)
                connection.run(f"INSERT INTO {META} VALUES ('format', ?)", str(FORMAT))
