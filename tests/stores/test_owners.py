"""Two processes and one run: stopped past its time, taken over, gone on with; and runs that only wait."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import wfc
from tests.stores.killing import Victim, ended, started
from tests.stores.test_kills import check
from tests.stores.test_store import ANSWER, BEGINNING, REST, a_run
from wfc.backends.stores import Owner, Page, SqliteDatabase, Store, StoredRun, open_store, session
from wfc.backends.stores.owners import is_gone, this_process
from wfc.ir import Entry, Refused
from wfc.runs import Answering, durable, replaying


def test_a_process_knows_whether_another_is_gone() -> None:
    assert not is_gone(this_process())
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        os.write(write, this_process().encode())
        os._exit(0)
    name = os.read(read, 1000).decode()
    os.close(read), os.close(write)
    # It has ended, and nobody has asked how.
    while not is_gone(name):
        time.sleep(0.001)
    os.waitpid(pid, 0)
    assert is_gone(name)
    started = this_process().rpartition("/")[0]
    assert is_gone(f"{started}/1")
    assert not is_gone("elsewhere/boot/pid:[1]/1/1")


def test_a_process_that_was_stopped_past_its_time_is_told_when_it_goes_on(
    quick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "LEASE_SECONDS", 0.2)
    victim = Victim(53, "write", False, str(quick / "wfc.db"), quick / "log")
    pid = started(replace(victim, stops_at=3))
    assert os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1])
    time.sleep(0.25)
    assert not open_store(victim.address).load(victim.run_id).taken
    assert ended(started(victim)) == 0
    os.kill(pid, signal.SIGCONT)
    # It was refused its next page, and the run is none of its business any more.
    assert ended(pid) == 1
    check(victim)


def test_of_two_processes_that_go_on_at_once_one_does(address: str, quick: Path) -> None:
    for seed in (29, 53, 116):
        victim = Victim(seed, "write", True, address, quick / f"{seed}.log")
        pids = [started(victim) for _ in range(3)]
        codes = sorted(ended(pid) for pid in pids)
        assert ended(started(victim)) == 0
        assert set(codes) <= {0, 1}
        check(victim)


def test_who_cancels_a_run_that_was_taken_meanwhile_asks_whoever_has_it(quick: Path) -> None:
    store, ready = open_store(str(quick / "wfc.db")), chain(1)
    durable.begin(ready, {}, durable.Outside(store, answering={"handlers": {"one": one}}), run_id="r")
    seen = store.load("r")
    other = Store(SqliteDatabase(str(quick / "wfc.db")), Owner("elsewhere/1/1"))
    with closing(other.session(seen)) as session:
        session.write(Page((Entry("begun"),)))
        assert (seen.taken, durable.cancel(ready, seen, store)) == (False, None)
        assert (store.load("r").taken, store.load("r").cancel) == (True, True)


def test_of_two_who_cancel_at_once_the_second_is_told_that_it_has_ended(quick: Path) -> None:
    store, ready = open_store(str(quick / "wfc.db")), chain(1)
    durable.begin(ready, {}, durable.Outside(store, answering={"handlers": {"one": one}}), run_id="r")
    seen = store.load("r")
    assert getattr(durable.cancel(ready, seen, store), "status", None) == "cancelled"
    with pytest.raises(Refused, match="the run `r` is cancelled; there is nothing left to cancel"):
        durable.cancel(ready, seen, store)


def chain(steps: int) -> wfc.Program:
    """A loop that calls a node so many times."""
    count = {"type": "integer"}
    return wfc.compile(
        {
            "name": "chain",
            "state_schema": {
                "type": "object",
                "properties": {"n": {"type": "integer", "reducer": "wf.std.add", "default": 0}},
            },
            "output_schema": {"type": "object", "properties": {"n": count}},
            "node_defs": [
                {
                    "name": "one",
                    "outcomes": ["ok"],
                    "output_schema": {"type": "object", "properties": {"n": count}, "required": ["n"]},
                }
            ],
            "start": "one",
            "nodes": [
                {"id": "one", "type": "node", "node": "one", "output": [{"source": "n", "target": "state.n"}]},
                {
                    "id": "more",
                    "type": "condition",
                    "check": {"op": "lt", "left": {"path": "state.n"}, "right": {"value": steps}},
                },
                {
                    "id": "ask",
                    "type": "interrupt",
                    "kind": "approval",
                    "request": [{"target": "prompt", "value": "?"}],
                    "outcomes": ["yes"],
                },
            ],
            "edges": [
                {"from": "one", "outcome": "ok", "to": "more"},
                {"from": "more", "outcome": "true", "to": "one"},
                {"from": "more", "outcome": "false", "to": "ask"},
                {"from": "ask", "outcome": "yes", "to": "__end__"},
            ],
        },
        unchecked=True,
    )


DIES: dict[str, int] = {}


def one(payload: Any) -> Any:
    """Counts, and ends its process on the spot when it should."""
    DIES["left"] = DIES.get("left", -1) - 1
    if DIES["left"] == 0:
        os._exit(0)
    return {"n": 1}


def killed_after(store: Store, calls: int, run_id: str, ready: wfc.Program) -> StoredRun:
    """A run whose process went away in the call after so many others."""
    pid = os.fork()
    if not pid:
        try:
            DIES["left"] = calls + 1
            durable.begin(ready, {}, durable.Outside(store, None, {"handlers": {"one": one}}), run_id=run_id)
        finally:
            # Whatever happens, this process is not the one that tests.
            os._exit(1)
    assert ended(pid) == 0
    return store.load(run_id)


def test_what_a_resume_reads_does_not_grow_with_the_age_of_a_run(quick: Path) -> None:
    store, ready = open_store(str(quick / "wfc.db")), chain(50_000)
    # Each call is followed by a condition, so the old one has made 99,998 steps.
    young, old = (killed_after(store, calls, f"after{calls}", ready) for calls in (1000, 49_999))
    assert (young.length, old.length) == (1001, 50_000)
    for stored in (young, old):
        assert stored.checkpoint is not None or stored is young
        assert len(stored.tail) < 2000
        assert replaying.standing(ready, stored).state == {"n": stored.length - 1}
    assert old.checkpoint is not None and len(old.checkpoint) < 1000
    assert replaying.differences(ready, old, store) == []


def test_a_run_of_100_000_steps_goes_on_at_its_end_like_one_of_100(quick: Path) -> None:
    young, old = (work_of_the_last_step(str(quick / "wfc.db"), calls) for calls in (50, 50_000))
    # The counts of the older run have some digits more.
    assert (young.entries, old.entries) == (0, 0)
    assert young.characters < old.characters < young.characters + 50
    assert old.instructions == young.instructions
    assert old.functions < 1.02 * young.functions


@dataclass(frozen=True)
class Work:
    """What it took to load a run and to go on with it: entries of the journal and characters of the checkpoint that
    were read, instructions that SQLite carried out, functions of Python that were called."""

    entries: int
    characters: int
    instructions: int
    functions: int


def work_of_the_last_step(address: str, calls: int) -> Work:
    """What it takes to answer the question at the end of a loop that called so often."""
    ready, answering = chain(calls), Answering(handlers={"one": one})
    waits = durable.begin(ready, {}, durable.Outside(open_store(address), None, answering), run_id=f"of{calls}")
    assert (waits.status, waits.state, len(waits.trace)) == ("interrupted", {"n": calls}, 2 * calls)
    functions = 0

    def called(frame: Any, event: str, argument: Any) -> None:
        nonlocal functions
        functions += event == "call"

    with carried_out() as instructions:
        sys.setprofile(called)
        try:
            store = open_store(address)
            stored = store.load(waits.run_id)
            done = durable.resume(ready, stored, store, durable.Outside(store, None, answering), outcome="yes")
        finally:
            sys.setprofile(None)
    assert (done.status, done.state) == ("completed", {"n": calls})
    assert stored.checkpoint is not None
    return Work(len(stored.tail), len(stored.checkpoint), instructions(), functions)


@contextmanager
def carried_out() -> Iterator[Callable[[], int]]:
    """How many instructions SQLite carries out over the connections that are opened meanwhile."""
    count = 0

    def one_more() -> int:
        nonlocal count
        count += 1
        return 0

    connect = sqlite3.connect

    def counted(*given: Any, **named: Any) -> sqlite3.Connection:
        database = connect(*given, **named)
        database.set_progress_handler(one_more, 1)
        return database

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wfc.backends.stores.sqlite.sqlite3.connect", counted)
        yield lambda: count


def test_runs_that_wait_do_not_slow_a_new_one(quick: Path) -> None:
    address = str(quick / "wfc.db")
    # Whoever comes first makes the tables.
    work_of_a_new_run(address, "first")
    few = work_of_a_new_run(address, "early")
    store = open_store(address)
    for number in range(1000):
        store.session(a_run(f"waits{number}")).write(Page((), "{}", ("interrupted", None)))
    many = work_of_a_new_run(address, "late")
    assert many < 1.5 * few
    assert len(store.list()) == 1003


def work_of_a_new_run(address: str, run_id: str) -> int:
    """How many instructions SQLite carries out for it."""
    with carried_out() as instructions:
        store = open_store(address)
        session = store.session(a_run(run_id))
        session.write(BEGINNING)
        for _ in range(20):
            session.write(Page((ANSWER,)))
        session.write(REST)
        store.load(run_id)
    return instructions()
