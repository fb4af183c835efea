"""The embedded store: one SQLite file, made when the first run is kept, every change one transaction.

Format 0. A file of a later format, one that is no database, and one that belongs to another program are refused with
a sentence and left as they are.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from wfc.backends.stores.records import RunBusy, RunExists, RunSummary, StoredRun, StoreFault, UnknownRun
from wfc.ir import RunState

FORMAT = 0
# How long a change waits while another process writes.
_PATIENCE_SECONDS = 10.0
_BUSY = (
    "the run `{run_id}` is under way in another process or was killed in the middle of it; this store keeps a run only"
    " where it rests, so begin a new one if that process is gone"
)
_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE programs (hash TEXT PRIMARY KEY, text TEXT NOT NULL)",
    """CREATE TABLE runs (
        number INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, workflow TEXT NOT NULL, status TEXT NOT NULL,
        outcome TEXT, program TEXT NOT NULL REFERENCES programs (hash), state TEXT NOT NULL, due TEXT NOT NULL,
        config TEXT, created REAL NOT NULL, updated REAL NOT NULL,
        turn INTEGER NOT NULL, taken INTEGER NOT NULL)""",
)


class SqliteStore:
    """Runs in the file at `path`; see `wfc.backends.stores.records.Store`."""

    def __init__(self, path: str) -> None:
        self.path = path

    def create(self, run: StoredRun) -> None:
        now, state = time.time(), run.state
        pinned = hashlib.sha256(run.program.encode()).hexdigest()
        with self._changing() as database:
            if _one(database, "SELECT 1 FROM runs WHERE run_id = ?", state.run_id):
                raise RunExists(f"the run id `{state.run_id}` is in use in {self.path}; give another or none")
            database.execute("INSERT OR IGNORE INTO programs VALUES (?, ?)", (pinned, run.program))
            values = (state.run_id, state.program, state.status, state.outcome, pinned, state.to_json())
            database.execute(
                "INSERT INTO runs (run_id, workflow, status, outcome, program, state, due, config, created, updated,"
                " turn, taken) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*values, json.dumps(dict(run.due)), run.config, now, now, run.turn, run.taken),
            )

    def take(self, run: StoredRun) -> None:
        run_id = run.state.run_id
        with self._changing() as database:
            changed = database.execute(
                "UPDATE runs SET taken = 1, turn = turn + 1 WHERE run_id = ? AND turn = ? AND NOT taken",
                (run_id, run.turn),
            )
            if not changed.rowcount:
                raise RunBusy(_BUSY.format(run_id=run_id))

    def save(self, state: RunState, due: Mapping[str, float]) -> None:
        values = (state.status, state.outcome, state.to_json(), json.dumps(dict(due)), time.time(), state.run_id)
        with self._changing() as database:
            changed = database.execute(
                "UPDATE runs SET status = ?, outcome = ?, state = ?, due = ?, updated = ?, taken = 0 WHERE run_id = ?",
                values,
            )
            if not changed.rowcount:
                raise self._unknown(state.run_id)

    def load(self, run_id: str) -> StoredRun:
        with self._reading() as database:
            row = database and _one(
                database,
                "SELECT state, text, due, config, turn, taken"
                " FROM runs JOIN programs ON program = hash WHERE run_id = ?",
                run_id,
            )
        if not row:
            raise self._unknown(run_id)
        state, program, due, config, turn, taken = row
        try:
            return StoredRun(RunState.from_json(state), program, json.loads(due), config, turn, bool(taken))
        except (ValueError, TypeError, KeyError) as wrong:
            raise StoreFault(f"the run `{run_id}` in {self.path} is damaged: {wrong}") from None

    def list(self) -> tuple[RunSummary, ...]:
        with self._reading() as database:
            if database is None:
                return ()
            rows = database.execute(
                "SELECT run_id, workflow, status, outcome, created, updated, taken FROM runs ORDER BY number DESC"
            ).fetchall()
        return tuple(map(_summary, rows))

    def _unknown(self, run_id: str) -> UnknownRun:
        return UnknownRun(f"{self.path} holds no run `{run_id}`; `wfc runs list` shows those that it does")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """The open store, or none where nothing has been kept yet."""
        if not os.path.exists(self.path):
            yield None
            return
        with self._connected() as database:
            yield database if _tables(database) else None

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """The open store inside one transaction, made first where there is none."""
        try:
            os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
        except OSError as wrong:
            raise StoreFault(f"the store {self.path} cannot be made: {wrong.strerror}") from None
        with self._connected() as database:
            database.execute("BEGIN IMMEDIATE")
            if not _tables(database):
                for table in _TABLES:
                    database.execute(table)
                database.execute("INSERT INTO meta VALUES ('format', ?)", (str(FORMAT),))
            yield database
            database.commit()

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE_SECONDS, isolation_level=None)) as database:
                self._refuse_foreign(database)
                yield database
        except sqlite3.Error as wrong:
            raise StoreFault(f"the store {self.path} cannot be used: {wrong}") from None

    def _refuse_foreign(self, database: sqlite3.Connection) -> None:
        tables = _tables(database)
        if tables and "meta" not in tables:
            raise StoreFault(f"{self.path} is a database of another program; give the path of a store")
        found = _one(database, "SELECT value FROM meta WHERE key = 'format'") if tables else (str(FORMAT),)
        if found != (str(FORMAT),):
            shown = f"format {found[0]}" if found else "no format"
            raise StoreFault(
                f"the store {self.path} has {shown}, and this version of wfc reads format {FORMAT};"
                " use the version that wrote it, or another store"
            )


def _summary(row: tuple[Any, ...]) -> RunSummary:
    run_id, workflow, status, outcome, created, updated, taken = row
    return RunSummary(run_id, workflow, status, outcome, created, updated, bool(taken))


def _tables(database: sqlite3.Connection) -> set[str]:
    return {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _one(database: sqlite3.Connection, query: str, *values: Any) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = database.execute(query, values).fetchone()
    return row
