"""A few hundred simulated worlds; `python -m tests.stores.worlds 0 100000` lives through many more, and so does
`tests.stores.blocking`."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.stores import worlds
from tests.stores.blocking import blocking_world_of
from wfc.backends.stores.session import Session

# Worlds whose workflows are few, so that compiling them does not take longer than living in them.
WORLDS = 200
WorldOf = Callable[[int, str], worlds.World]


@pytest.fixture(autouse=True)
def few_workflows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "WORKFLOWS", 24)


@pytest.fixture(params=[worlds.world_of, blocking_world_of])
def world_of(request: pytest.FixtureRequest) -> WorldOf:
    made: WorldOf = request.param
    return made


def test_whatever_happens_a_run_ends_as_if_nothing_had(quick: Path, world_of: WorldOf) -> None:
    sums: Counter[str] = Counter()
    for seed in range(WORLDS):
        world = world_of(seed, str(quick / "wfc.db"))
        sums[worlds.judge(world).status] += 1
        sums += Counter(deaths=world.deaths, takeovers=world.takeovers, faults=world.faults)
        sums += Counter(doubts=len(world.retries), calls=world.calls.total())
    assert sums["deaths"] > WORLDS / 4
    assert min(sums["takeovers"], sums["faults"], sums["cancelled"], sums["completed"], sums["failed"]) > 0


def lived(world_of: WorldOf, seed: int, path: Path) -> Any:
    world = world_of(seed, str(path))
    worlds.judge(world)
    with closing(sqlite3.connect(path)) as database:
        return world.log, world.pages, database.execute("SELECT * FROM wfc_journal").fetchall()


def test_the_same_seed_is_the_same_world(quick: Path, world_of: WorldOf) -> None:
    for seed in range(20):
        assert lived(world_of, seed, quick / f"{seed}.a.db") == lived(world_of, seed, quick / f"{seed}.b.db")


def test_a_store_that_lets_two_owners_write_is_found_out(
    quick: Path, world_of: WorldOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wfc.backends.stores import session

    monkeypatch.setattr(session, "_ADD", session._ADD.replace("epoch = ?", "epoch <= ? + 1000"))
    monkeypatch.setattr(session, "_RENEW", session._RENEW.replace("epoch = ?", "epoch <= ? + 1000"))
    with pytest.raises(Exception, match=r"seed|cannot be used|never ends"):
        for seed in range(400):
            worlds.judge(world_of(seed, str(quick / "wfc.db")))


def test_an_owner_that_begins_before_it_has_said_so_is_found_out(
    quick: Path, world_of: WorldOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Session.write

    def silent(self: Session, page: Any) -> int:
        entries = tuple(type(one)(one.kind, one.about, one.value) for one in page.entries)
        return whole(self, type(page)(entries, page.checkpoint, page.rest))

    monkeypatch.setattr(Session, "write", silent)
    with pytest.raises(AssertionError, match="too often"):
        for seed in range(400):
            worlds.judge(world_of(seed, str(quick / "wfc.db")))


def test_an_owner_at_full_speed_that_begins_before_it_has_said_so_is_found_out(
    quick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Session._put
    monkeypatch.setattr(Session, "_put", lambda self, row, most: whole(self, (*row[:3], None), most))
    with pytest.raises(AssertionError, match="too often"):
        for seed in range(400):
            worlds.judge(blocking_world_of(seed, str(quick / "wfc.db")))
