"""Two processes and one run: stopped past its time, taken over, gone on with; and runs that only wait."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import wfc
from tests.stores.killing import Victim, ended, started
from tests.stores.test_kills import check
from tests.stores.test_store import ANSWER, BEGINNING, REST, a_run
from wfc.backends.stores import Page, Store, StoredRun, open_store, session
from wfc.backends.stores.owners import is_gone, this_process
from wfc.runs import durable, replaying


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
    store, ready = open_store(str(quick / "wfc.db")), chain(10_000)
    young, old = (killed_after(store, calls, f"after{calls}", ready) for calls in (1000, 6000))
    assert (young.length, old.length) == (1001, 6001)
    for stored in (young, old):
        assert stored.checkpoint is not None or stored is young
        assert len(stored.tail) < 2000
        assert replaying.standing(ready, stored).state == {"n": stored.length - 1}
    assert old.checkpoint is not None and len(old.checkpoint) < 1000
    assert replaying.differences(ready, old, store) == []


def test_runs_that_wait_do_not_slow_a_new_one(quick: Path) -> None:
    store = open_store(str(quick / "wfc.db"))
    few = work_of_a_new_run(store, "early")
    for number in range(1000):
        store.session(a_run(f"waits{number}")).write(Page((), "{}", ("interrupted", None)))
    many = work_of_a_new_run(store, "late")
    assert many < 1.5 * few
    assert len(store.list()) == 1002


def work_of_a_new_run(store: Store, run_id: str) -> int:
    """How many instructions SQLite carries out for it."""
    count = 0

    def carried_out() -> int:
        nonlocal count
        count += 1
        return 0

    session = store.session(a_run(run_id))
    session.write(BEGINNING)
    assert session._opened is not None
    session._opened._database.set_progress_handler(carried_out, 1)  # type: ignore[attr-defined]
    for _ in range(20):
        session.write(Page((ANSWER,)))
    session.write(REST)
    session._opened._database.set_progress_handler(None, 1)  # type: ignore[attr-defined]
    store.load(run_id)
    return count
