"""How many commits a run costs: one a step, and as few as can be where it stops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.stores.test_owners import chain
from wfc.backends.stores import Session, open_store
from wfc.runs import durable


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of journal entries in each commit of a run."""
    made: list[int] = []
    write, turn = Session.write, Session.turn

    def written(self: Session, page: Any) -> int:
        made.append(len(page.entries))
        return write(self, page)

    def turned(self: Session, *one: Any) -> int:
        made.append(1)
        return turn(self, *one)

    monkeypatch.setattr(Session, "write", written)
    monkeypatch.setattr(Session, "turn", turned)
    return made


def outside(path: Path, handler: Any) -> durable.Outside:
    return durable.Outside(open_store(str(path / "wfc.db")), None, {"handlers": {"one": handler}})


def one(payload: Any) -> Any:
    return {"n": 1}


async def one_later(payload: Any) -> Any:
    return {"n": 1}


@pytest.mark.parametrize("handler", [one, one_later])
def test_a_step_costs_one_commit(quick: Path, commits: list[int], handler: Any) -> None:
    durable.begin(chain(20), {}, outside(quick, handler), run_id="r")
    # The first names the first call, each further one an answer and the next call, the last where the run rests.
    assert commits == [1] * 21


@pytest.mark.parametrize("handler", [one, one_later])
def test_a_run_that_asks_and_is_answered_costs_three(quick: Path, commits: list[int], handler: Any) -> None:
    ready, around = chain(1), outside(quick, handler)
    assert around.store is not None
    assert durable.begin(ready, {}, around, run_id="r").status == "interrupted"
    said = {"outcome": "yes", "payload": {"approved": True}}
    ended = durable.resume(ready, around.store.load("r"), around.store, around, **said)
    assert (ended.status, commits) == ("completed", [1, 1, 1])
