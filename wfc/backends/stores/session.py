"""A run in the hands of its owner: every page of its journal is one commit, and only the owner's is taken (4.3).

Guarantees: a page is kept as a whole or not at all; none is kept once another process has the run, so no answer is
recorded twice; keeping one costs the same however long the journal is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from wfc.backends.stores.database import Connection
from wfc.backends.stores.records import CancelWanted, NewRun, Page, RunBusy, RunExists, StoredRun
from wfc.digests import sha256
from wfc.ir import COMPLETED, Entry
from wfc.records import dataclass

# How long an owner has a run without being heard of, and how long it may keep quiet.
LEASE_SECONDS = 30.0
BEAT_SECONDS = 10.0

_ADD = (
    "INSERT INTO wfc_journal (run, position, kind, about, value, begun)"
    " SELECT number, ?, ?, ?, ?, ? FROM wfc_runs WHERE number = ? AND epoch = ? AND cancel <= ?"
)
_PUT = "INSERT INTO wfc_journal (run, position, kind, about, value, begun) VALUES (?, ?, ?, ?, ?, ?)"
_RENEW = "UPDATE wfc_runs SET expires = ?, updated = ? WHERE number = ? AND epoch = ? AND cancel <= ?"
_REST = (
    "UPDATE wfc_runs SET status = ?, outcome = ?, updated = ?, owner = NULL, expires = 0"
    " WHERE number = ? AND epoch = ? AND cancel <= ?"
)
_TAKE = (
    "UPDATE wfc_runs SET epoch = epoch + 1, owner = ?, expires = ?, updated = ?, status = ?, outcome = ?"
    " WHERE number = ? AND epoch = ? AND expires = ? AND cancel <= ?"
)
_CREATE = (
    "INSERT INTO wfc_runs (run_id, workflow, program, input, step_limit, config, status, outcome, created, updated,"
    " epoch, owner, expires, cancel, pins) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, 0, ?)"
    " ON CONFLICT (run_id) DO NOTHING RETURNING number"
)
_CHECKPOINT = (
    "INSERT INTO wfc_checkpoints (run, position, value) VALUES (?, ?, ?)"
    " ON CONFLICT (run) DO UPDATE SET position = excluded.position, value = excluded.value"
)


@dataclass(frozen=True, slots=True)
class Beat:
    """What an owner hears when it says that it is still there: whether the run is still its own, and whether somebody
    wants it cancelled."""

    owned: bool
    cancel: bool


_Row = tuple[str, str | None, str | None, str | None]


class Session:
    """A run that this process goes on with. It is taken, or made, by the commit of the first page; nothing is called
    before that. `store` is how sentences call the store."""

    def __init__(self, connect: Callable[[], Connection], store: str, owner: str, run: NewRun | StoredRun) -> None:
        self._connect, self._store, self._owner = connect, store, owner
        self._opened: Connection | None = None
        self._run = run
        self._prefix = f"{run.run_id}:"
        self._number = 0 if isinstance(run, NewRun) else run.number
        self._epoch = 0 if isinstance(run, NewRun) else run.epoch
        self._length = 0 if isinstance(run, NewRun) else run.length
        self._is_taken = False

    @property
    def _connection(self) -> Connection:
        if self._opened is None:
            self._opened = self._connect()
            self._add_one = _ADD + self._opened.share
        return self._opened

    def write(self, page: Page) -> int:
        """Keep a page and give the number of characters that were added to the journal.

        Raises `RunExists` or `RunBusy` when the run is not ours, `CancelWanted`, `StoreFault`.
        """
        connection = self._connection
        is_due = not self._is_taken or page.rest is not None or page.checkpoint is not None
        if not is_due and len(page.entries) == 1:
            entry = page.entries[0]
            return self._put(self._columns(entry), 0 if entry.begun else 1)
        rows = [self._columns(entry) for entry in page.entries]
        moment = connection.now()
        with connection.transaction():
            number = self._owned(page, moment)
            for position, row in enumerate(rows, self._length):
                connection.run(_PUT, number, position, *row)
            length = self._length + len(page.entries)
            if page.checkpoint is not None:
                connection.run(_CHECKPOINT, number, length, page.checkpoint)
        if not self._is_taken:
            self._is_taken, self._epoch, self._number = True, self._epoch + 1, number
        self._length = length
        return sum(map(_size, rows))

    def turn(self, call_id: str, outcome: str | None, output: Any, begun: str) -> int:
        """Like `write`, for the page of an owner whose call has completed, and whose next one begins with that."""
        start = len(self._prefix)
        value = _text([outcome, output])
        return self._put((COMPLETED, call_id[start:], value, f"{{{_text(begun[start:])}:null}}"), 0)

    def _put(self, row: _Row, most: int) -> int:
        """The page of most commits: one entry, one statement. `most` is the wish to cancel that it still heeds not."""
        assert self._opened is not None
        if not self._opened.run(self._add_one, self._length, *row, self._number, self._epoch, most):
            raise self._refused()
        self._length += 1
        return _size(row)

    def _owned(self, page: Page, now: float) -> int:
        """The number of the run, which is ours inside this transaction, and nobody's behind it where it rests."""
        most = 0 if page.begins else 1
        if self._is_taken:
            renewed = (_RENEW, now + LEASE_SECONDS, now) if page.rest is None else (_REST, *page.rest, now)
            if not self._connection.run(*renewed, self._number, self._epoch, most):
                raise self._refused()
            return self._number
        owner, until = (self._owner, now + LEASE_SECONDS) if page.rest is None else (None, 0.0)
        status = page.rest or ("running", None)
        if isinstance(self._run, NewRun):
            return self._created(self._run, status, now, (owner, until))
        seen = self._run
        if not self._connection.run(_TAKE, owner, until, now, *status, seen.number, seen.epoch, seen.expires, most):
            raise self._refused()
        found = self._connection.rows(
            "SELECT count(*) FROM wfc_journal WHERE run = ? AND position >= ?", seen.number, seen.length
        )
        if found != [(0,)]:
            raise self.busy()
        return seen.number

    def _created(self, new: NewRun, status: tuple[str, str | None], now: float, owned: tuple[str | None, float]) -> int:
        connection = self._connection
        pinned = sha256(new.program.encode())
        connection.run(
            "INSERT INTO wfc_programs (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING", pinned, new.program
        )
        values = (new.run_id, new.workflow, pinned, json.dumps(new.input), new.step_limit, new.config)
        pins = json.dumps(dict(new.pins), sort_keys=True) if new.pins else None
        for (number,) in connection.rows(_CREATE, *values, *status, now, now, *owned, pins):
            return int(number)
        raise RunExists.of(new.run_id, self._store)

    def beat(self, connection: Connection) -> Beat:
        """Say that the owner is still there, over another connection: this may come from another thread."""
        if not self._is_taken:
            return Beat(True, False)
        now = connection.now()
        owned = connection.run(_RENEW, now + LEASE_SECONDS, now, self._number, self._epoch, 1)
        wanted = connection.rows("SELECT cancel FROM wfc_runs WHERE number = ?", self._number)
        return Beat(bool(owned), wanted == [(1,)])

    def give_up(self) -> None:
        """Give the run back where it stands in the journal; nothing that was not kept is known to anybody."""
        if self._is_taken:
            free = "UPDATE wfc_runs SET owner = NULL, expires = 0 WHERE number = ? AND epoch = ?"
            self._connection.run(free, self._number, self._epoch)

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _refused(self) -> Exception:
        """Why a page was not taken."""
        found = self._connection.rows("SELECT epoch, cancel FROM wfc_runs WHERE number = ?", self._number)
        return CancelWanted() if found == [(self._epoch, 1)] else self.busy()

    def busy(self) -> RunBusy:
        """That another process has the run."""
        if self._is_taken:
            why = "was taken over by another process; what this one did since then is not recorded"
        else:
            why = f"is under way in another process; `wfc runs watch {self._run.run_id}` follows it"
        return RunBusy(f"the run `{self._run.run_id}` {why}")

    def _columns(self, entry: Entry) -> _Row:
        prefix, begun = self._prefix, None
        about = None if entry.about is None else entry.about.removeprefix(prefix)
        value = None if entry.value is None else _text(entry.value)
        if entry.begun:
            begun = _started({call_id.removeprefix(prefix): due for call_id, due in entry.begun.items()})
        return entry.kind, about, value, begun


def entry_from(run_id: str, kind: str, about: str | None, value: str | None, begun: str | None) -> Entry:
    """An entry as it was before its columns were written. Raises `ValueError` for what was not."""
    is_call = kind in ("completed", "failed", "elapsed", "doubted")
    started: Mapping[str, float | None] = {} if begun is None else json.loads(begun)
    return Entry(
        kind,
        f"{run_id}:{about}" if is_call else about,
        None if value is None else json.loads(value),
        {f"{run_id}:{call_id}": due for call_id, due in started.items()},
    )


def _started(begun: Mapping[str, float | None]) -> str:
    """What begins with an entry, as JSON text."""
    # Nearly always one call, and a string alone is encoded in a tenth of the time.
    for call_id, due in begun.items():
        if due is None and len(begun) == 1:
            return f"{{{_text(call_id)}:null}}"
    return _text(begun)


def _size(row: _Row) -> int:
    kind, about, value, begun = row
    return len(kind) + len(about or "") + len(value or "") + len(begun or "")


_text: Callable[[Any], str] = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False).encode
