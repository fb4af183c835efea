"""Durable work written by hand on SQLite, which stores are measured against; nothing of wfc is needed for it.

Every commit is on the disk when it returns (`synchronous=FULL`, a write-ahead log), as in a store of wfc.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bench.measure import inc

# What makes a database at a path and keeps something in it.
Work = Callable[[Path], object]
_ROUNDS = 15


def over(work: Work, by_hand: Work) -> tuple[float, float]:
    """Wall and CPU time of some work over those of the other, on the disk of the current folder.

    It is the ratio of a round in which both take their turn, and of all rounds the median; the first does not count.
    """
    ratios = []
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        for number in range(_ROUNDS + 1):
            other = _spent(by_hand, Path(folder, f"other{number}.db"))
            own = _spent(work, Path(folder, f"own{number}.db"))
            ratios.append((own[0] / other[0], own[1] / other[1]))
    wall, cpu = (median(one) for one in zip(*ratios[1:], strict=True))
    return wall, cpu


def _spent(work: Work, path: Path) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work(path)
    return time.perf_counter() - wall, time.process_time() - cpu


def opened(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    return database


def steps(path: Path, times: int) -> None:
    """A counter that goes up, with one commit for each step."""
    database = opened(path)
    database.execute("CREATE TABLE steps (run TEXT, step INTEGER, state TEXT, PRIMARY KEY (run, step)) WITHOUT ROWID")
    state = {"count": 0}
    for step in range(times):
        state.update(inc(state))
        database.execute("INSERT INTO steps VALUES ('r', ?, ?)", (step, json.dumps(state)))
    database.close()


def answered(path: Path, runs: int) -> None:
    """Runs that make a step and wait; each is then loaded, answered and finished: three commits a run."""
    database = opened(path)
    database.execute("CREATE TABLE runs (run INTEGER PRIMARY KEY, place INTEGER, state TEXT)")
    for run in range(runs):
        keep(database, run, 1, inc({"count": 0}))
    for run in range(runs):
        found = database.execute("SELECT state FROM runs WHERE run = ?", (run,)).fetchone()
        state = {**json.loads(found[0]), "answer": "yes"}
        keep(database, run, 2, state)
        keep(database, run, 3, {**state, **inc(state)})
    database.close()


def keep(database: sqlite3.Connection, run: int, place: int, state: dict[str, object]) -> None:
    database.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)", (run, place, json.dumps(state)))
