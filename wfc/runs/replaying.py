"""What a journal alone says of a run: its trace, and whether the run follows from it (reference 4.1, 4.3)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from wfc.backends.drivers import replay, settle
from wfc.backends.stores import Store, StoredRun
from wfc.ir import Program, Reducer, RunState
from wfc.runs.execution import linked
from wfc.runs.keeping import position_of
from wfc.vm import Linked, Machine


def standing(program: Program, stored: StoredRun, reducers: Iterable[Reducer] = ()) -> RunState:
    """A stored run as it is, without its trace, in time that does not depend on its age."""
    return position_of(linked(program, reducers), stored).machine.checkpoint()


def traced(program: Program, stored: StoredRun, store: Store, reducers: Iterable[Reducer] = ()) -> RunState:
    """A stored run with its trace, rebuilt from its journal."""
    ready = linked(program, reducers)
    machine = _rebuilt(ready, stored, store)
    _catch_up(machine, position_of(ready, stored).machine.checkpoint())
    return machine.snapshot()


def last_heard(stored: StoredRun, store: Store, call_id: str) -> float | None:
    """When the process that had made a call was last heard of, in seconds since 1970, where the call is in doubt."""
    doubts = [one.value for one in store.entries(stored) if one.kind == "doubted" and one.about == call_id]
    return doubts[-1] if doubts else None


def differences(program: Program, stored: StoredRun, store: Store, reducers: Iterable[Reducer] = ()) -> list[str]:
    """What of a stored run does not follow from its journal: the fields that differ, none when it does."""
    ready = linked(program, reducers)
    both = [_rebuilt(ready, stored, store), position_of(ready, stored).machine]
    values = []
    for machine in both:
        settle(machine)
        values.append(machine.checkpoint().to_value())
    rebuilt, kept = values
    return sorted(name for name in rebuilt if json.dumps(rebuilt[name]) != json.dumps(kept[name]))


def _rebuilt(ready: Linked, stored: StoredRun, store: Store) -> Machine:
    new = stored.new
    machine = Machine.start(ready, new.input, run_id=new.run_id, step_limit=new.step_limit)
    replay(machine, store.entries(stored))
    return machine


def _catch_up(machine: Machine, target: RunState) -> None:
    """Make the steps that need no answer, up to where the run was stopped."""
    if target.status != "running":
        settle(machine)
        return
    while machine.checkpoint() != target:
        machine.fuel = 1
        settle(machine)
        if machine.fuel != 0:
            break
    machine.fuel = None


class Follower:
    """Reads along with a run: its trace entries, each once it is there and every one that it told of still is."""

    def __init__(self, program: Program, stored: StoredRun, reducers: Iterable[Reducer] = ()) -> None:
        self._ready = linked(program, reducers)
        new = stored.new
        self._machine = Machine.start(self._ready, new.input, run_id=new.run_id, step_limit=new.step_limit)
        self._read = 0
        self._told: set[tuple[str, int]] = set()

    def further(self, stored: StoredRun, store: Store) -> Iterator[dict[str, Any]]:
        """What the run has done since the last time, as far as it was loaded."""
        replay(self._machine, store.entries(stored, self._read))
        self._read = stored.length
        if not stored.taken:
            _catch_up(self._machine, position_of(self._ready, stored).machine.checkpoint())
        for entry in self._machine.snapshot().trace:
            name = (entry["lineage"], entry["sequence"])
            if name not in self._told:
                self._told.add(name)
                yield entry
