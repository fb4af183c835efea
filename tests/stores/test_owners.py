"""Two processes and one run: stopped past its time, taken over, gone on with; and runs that only wait."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

import wfc
from tests.stores.killing import Victim, ended, program, started
from tests.stores.test_kills import check, expected
from wfc import durable, replaying
from wfc.backends.stores import Page, Store, open_store, session
from wfc.backends.stores.owners import is_gone, this_process


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
    pid = started(victim)
    while victim.calls().total() < 3:
        time.sleep(0.001)
    os.kill(pid, signal.SIGSTOP)
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
        assert codes[0] == 0 or 1 in codes
        check(victim)
        assert expected(seed, "write")


def chain(steps: int) -> wfc.Program:
    """A loop that calls a node so many times."""
    count = {"type": "integer"}
    return wfc.compile(
        {
            "name": "chain",
            "state_schema": {"type": "object", "properties": {"n": {"type": "integer", "reducer": "wf.std.add", "default": 0}}},
            "output_schema": {"type": "object", "properties": {"n": count}},
            "node_defs": [{"name": "one", "outcomes": ["ok"], "output_schema": {"type": "object", "properties": {"n": count}, "required": ["n"]}}],
            "start": "one",
            "nodes": [
                {"id": "one", "type": "node", "node": "one", "output": [{"source": "n", "target": "state.n"}]},
                {"id": "more", "type": "condition", "check": {"op": "lt", "left": {"path": "state.n"}, "right": {"value": steps}}},
                {"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes"]},
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


def rows_read(store: Store, run_id: str) -> int:
    return len(store.load(run_id).tail)


def begun(store: Store, steps: int, run_id: str) -> wfc.RunState:
    outside = durable.Outside(store, None, {"handlers": {"one": lambda payload: {"n": 1}}})
    return durable.begin(chain(steps), {}, outside, run_id=run_id)
