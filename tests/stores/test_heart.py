"""A run's owner is heard of while a call takes long, and not any more once the run rests (reference 4.3)."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.stores.test_owners import chain
from wfc.backends.stores import open_store
from wfc.runs import durable, heart

PATIENCE_SECONDS = 120.0


def waited_for(is_so: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_so() and time.monotonic() < until:
        time.sleep(0.01)
    return is_so()


def hearts() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name == "wfc-heart"]


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heart, "BEAT_SECONDS", 0.02)


@pytest.mark.usefixtures("quickly")
def test_an_owner_is_heard_of_while_its_call_takes_long(quick: Path) -> None:
    store = open_store(str(quick / "wfc.db"))
    heard: list[bool] = []

    def one(payload: Any) -> Any:
        before = store.load("r").expires
        heard.append(waited_for(lambda: store.load("r").expires > before))
        return {"n": 1}

    run = durable.begin(chain(2), {}, durable.Outside(store, answering={"handlers": {"one": one}}), run_id="r")
    assert (run.status, heard) == ("interrupted", [True, True])
    assert hearts() == []


@pytest.mark.usefixtures("quickly")
def test_a_wish_to_cancel_is_heard_while_a_call_takes_long(quick: Path) -> None:
    store, ready = open_store(str(quick / "wfc.db")), chain(2)
    calls: list[bool] = []

    def one(payload: Any) -> Any:
        assert durable.cancel(ready, store.load("r"), store) is None
        calls.append(waited_for(lambda: motion._stoppable.stop.why == "cancelled"))
        return {"n": 1}

    outside = durable.Outside(store, answering={"handlers": {"one": one}})
    motion = durable._begun(ready, {}, outside, "r", None)
    assert (motion.go(None).status, calls) == ("cancelled", [True])


@pytest.mark.usefixtures("quickly")
def test_a_forked_process_is_heard_of_too(quick: Path) -> None:
    """The thread that waits for first beats is not there in a process that was forked from one that had it."""
    store = open_store(str(quick / "wfc.db"))

    def one(payload: Any) -> Any:
        before = store.load(name).expires
        return {"n": 1 if waited_for(lambda: store.load(name).expires > before) else 0}

    outside = durable.Outside(store, answering={"handlers": {"one": one}})
    name = "before"
    assert durable.begin(chain(1), {}, outside, run_id=name).state == {"n": 1}
    pid = os.fork()
    if pid == 0:
        name, code = "forked", 1
        try:
            code = 0 if durable.begin(chain(1), {}, outside, run_id=name).state == {"n": 1} else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_a_run_that_rests_before_its_first_beat_has_no_thread(quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heart, "BEAT_SECONDS", 600.0)
    seen: list[int] = []

    def one(payload: Any) -> Any:
        seen.append(len(hearts()))
        return {"n": 1}

    outside = durable.Outside(open_store(str(quick / "wfc.db")), answering={"handlers": {"one": one}})
    durable.begin(chain(3), {}, outside, run_id="r")
    assert seen == [0, 0, 0]
