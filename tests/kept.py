"""Looking at what a store holds of a run, as the commands do."""

from __future__ import annotations

from wfc import driver
from wfc.backends.stores import open_store
from wfc.ir import RunState
from wfc.runs import replaying


def run_in(store: str, run_id: str) -> RunState:
    """A run with its trace, from the store at an address."""
    opened = open_store(store)
    stored = opened.load(run_id)
    return replaying.traced(driver.loads_ir(stored.new.program), stored, opened)
