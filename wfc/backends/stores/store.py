"""A store of durable runs in a database: begun, loaded, listed, asked to be cancelled (reference 4.3)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from wfc.backends.stores.database import Connection, Database
from wfc.backends.stores.owners import is_gone, this_process
from wfc.backends.stores.records import NewRun, RunExists, RunSummary, StoredRun, StoreFault, UnknownRun
from wfc.backends.stores.session import Session, entry_from
from wfc.diagnostics import close_match
from wfc.ir import Entry
from wfc.records import dataclass, replace

if TYPE_CHECKING:
    from wfc.backends.stores.library import Library

_LOAD = (
    "SELECT number, workflow, text, input, step_limit, config, status, outcome, epoch, owner, expires, cancel, pins,"
    " updated, position, value FROM wfc_runs JOIN wfc_programs ON program = hash"
    " LEFT JOIN wfc_checkpoints ON run = number WHERE run_id = ?"
)
_ENTRIES = "SELECT kind, about, value, begun FROM wfc_journal WHERE run = ? AND position >= ? ORDER BY position"
_PART = 1000
# How far ahead the time of an owner may lie; clocks that differ by less than that disturb nobody.
_FARTHEST_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Owner:
    """Under which name runs are taken here, and which other owners are known to be gone."""

    name: str
    is_gone: Callable[[str], bool] = is_gone


class Store:
    """Runs in a database. Every method raises `StoreFault` when the database is at fault."""

    def __init__(self, database: Database, owner: Owner | None = None) -> None:
        self._database = database
        self._owner = owner or Owner(this_process())

    @property
    def name(self) -> str:
        return self._database.name

    @property
    def library(self) -> Library:
        """The published workflows and the deployments in the same database."""
        from wfc.backends.stores.library import Library

        return Library(self._database)

    def session(self, run: NewRun | StoredRun) -> Session:
        """Go on with a run, or begin one; whoever did so first has it, which the first page finds out."""
        return Session(self._database.connect, self.name, self._owner.name, run)

    def require_free(self, run_id: str) -> None:
        """Raises `RunExists` for an id that a run has."""
        connection = self._database.existing()
        if connection is None:
            return
        try:
            if connection.rows("SELECT number FROM wfc_runs WHERE run_id = ?", run_id):
                raise RunExists.of(run_id, self.name)
        finally:
            connection.close()

    def connect(self) -> Connection:
        return self._database.connect()

    def load(self, run_id: str) -> StoredRun:
        """A run as it is now. Raises `UnknownRun`.

        While its owner goes on, what is read later may be newer than what was read before: entries are only added.
        """
        with self._reading(run_id) as connection:
            found = connection.rows(_LOAD, run_id)
            if not found:
                raise self._unknown(run_id)
            number, workflow, text, given, limit, config, *rest = found[0]
            status, outcome, epoch, owner, expires, cancel, pins, updated, position, checkpoint = rest
            at = position or 0
            rows = connection.rows(_ENTRIES, number, at)
            taken = self._is_taken(owner, expires, connection.now())
        with self._sound(run_id):
            new = NewRun(run_id, workflow, text, json.loads(given), limit, config, _pins(pins))
            tail = tuple(entry_from(run_id, *row) for row in rows)
        length = at + len(tail)
        owned = (epoch, owner, expires, taken, bool(cancel), updated)
        return StoredRun(new, number, status, outcome, checkpoint, at, length, tail, *owned)

    def first(self, stored: StoredRun) -> Entry | None:
        """What the journal of a run begins with."""
        return next(self.entries(replace(stored, length=min(stored.length, 1))), None)

    def entries(self, stored: StoredRun, start: int = 0) -> Iterator[Entry]:
        """The journal of a run, from its beginning or a later entry on, to where it was loaded."""
        query = f"{_ENTRIES} LIMIT ?"
        with self._reading(stored.run_id) as connection:
            for first in range(start, stored.length, _PART):
                for row in connection.rows(query, stored.number, first, min(_PART, stored.length - first)):
                    with self._sound(stored.run_id):
                        entry = entry_from(stored.run_id, *row)
                    yield entry

    def ask_to_cancel(self, stored: StoredRun) -> bool:
        """Tell the owner of a run that it should end it; false when nobody has the run any more."""
        with self._reading(stored.run_id) as connection:
            wish = "UPDATE wfc_runs SET cancel = 1 WHERE number = ? AND epoch = ? AND owner IS NOT NULL"
            return bool(connection.run(wish, stored.number, stored.epoch))

    def list(self) -> tuple[RunSummary, ...]:
        """All runs, the newest first."""
        connection = self._database.existing()
        if connection is None:
            return ()
        now = connection.now()
        connection.close()
        from wfc.backends.stores import tables

        try:
            rows = tables.listed(self._database.address())
        except tables.FAULTS as wrong:
            raise StoreFault(f"the store {self.name} cannot be listed: {str(wrong).splitlines()[0]}") from None
        return tuple(self._summary(row, now) for row in rows)

    def _summary(self, row: tuple[Any, ...], now: float) -> RunSummary:
        run_id, workflow, status, outcome, created, updated, owner, expires = row
        return RunSummary(run_id, workflow, status, outcome, created, updated, self._is_taken(owner, expires, now))

    def _is_taken(self, owner: str | None, expires: float, now: float) -> bool:
        # No owner has a run for longer: it took it before the clock was set back, and would have been heard of since.
        return owner is not None and now < expires <= now + _FARTHEST_SECONDS and not self._owner.is_gone(owner)

    @contextmanager
    def _reading(self, run_id: str) -> Iterator[Connection]:
        connection = self._database.existing()
        if connection is None:
            raise self._unknown(run_id)
        try:
            yield connection
        finally:
            connection.close()

    @contextmanager
    def _sound(self, run_id: str) -> Iterator[None]:
        try:
            yield
        except (ValueError, TypeError, KeyError, AttributeError) as wrong:
            raise StoreFault(f"the run `{run_id}` in {self.name} is damaged: {wrong}") from None

    def _unknown(self, run_id: str) -> UnknownRun:
        near = self._nearest(run_id)
        told = "`wfc runs list` shows those that it does" if near is None else f"nearest: `{near}`"
        return UnknownRun(f"{self.name} holds no run `{run_id}`; {told}")

    def _nearest(self, run_id: str) -> str | None:
        """The run that is meant: the only one that begins so, else one that is misspelt."""
        connection = self._database.existing()
        if connection is None:
            return None
        try:
            known = [name for (name,) in connection.rows("SELECT run_id FROM wfc_runs ORDER BY number DESC")]
        finally:
            connection.close()
        begun = [one for one in known if run_id and one.startswith(run_id)]
        return begun[0] if len(begun) == 1 else close_match(run_id, known)


def _pins(text: str | None) -> dict[str, str]:
    return {} if text is None else dict(json.loads(text))
