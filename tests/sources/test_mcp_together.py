"""The calls of a run that are under way at once share one session, and the run is that of one call at a time."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.test_crew import each
from tests.sources.calling import raw_server
from wfc.backends.sources import McpSource
from wfc.ir import RunState
from wfc.records import replace
from wfc.runs import Execution

ITEMS, AT_ONCE = 48, 8
# Each round of calls is answered in an order that follows from this; none of them is the one in which they came.
ORDERS = ("a", "b", "c", "d")


def ran(log: Path, held: int, order: str, **together: Any) -> RunState:
    """A parallel loop over a server that holds so many calls before it answers any."""
    env = {"HELD": str(held), "ORDER": order, "JUGGLED": str(log)}
    source = McpSource(replace(raw_server("juggling"), env=env))
    program = each(ITEMS, uses="raw.juggle", max_concurrency=AT_ONCE, on_item_error="collect")
    execution = Execution(program, sources={"raw": source}).start({}, run_id="r", step_limit=1000)
    return asyncio.run(execution.go(**together))


def rounds(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


@pytest.fixture(scope="module")
def one_at_a_time(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The run of the driver that makes no call before the last one is answered."""
    log = tmp_path_factory.mktemp("alone") / "log"
    run = ran(log, 1, "", stop_after=1000)
    assert [one["answered"] for one in rounds(log)] == [[x] for x in range(ITEMS)]
    assert run.status == "completed"
    assert run.state["ys"] == [x * x for x in range(ITEMS) if x % 5 != 3]
    return run.to_json()


@pytest.mark.parametrize("order", ORDERS)
def test_calls_on_one_session_that_are_answered_in_any_order_give_the_run_of_one_at_a_time(
    order: str, one_at_a_time: str, tmp_path: Path
) -> None:
    run = ran(tmp_path / "log", AT_ONCE, order)
    made = rounds(tmp_path / "log")
    # The server was one process, and had so many calls before it answered the first.
    assert len({one["pid"] for one in made}) == 1
    assert [len(one["came"]) for one in made] == [AT_ONCE] * (ITEMS // AT_ONCE)
    assert all(one["answered"] != one["came"] for one in made)
    assert run.to_json() == one_at_a_time
