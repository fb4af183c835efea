"""Processes are killed in the middle of their runs, on both stores: every run ends like one that nobody disturbed."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path

from tests.kept import run_in
from tests.stores.killing import Victim, ended, killed, program, started, undisturbed
from wfc.backends.stores import open_store
from wfc.ir import RunState
from wfc.runs import replaying

# Generated workflows whose runs make eight calls or more, with all features between them.
SEEDS = (5, 29, 33, 53, 71, 105, 116, 145, 152, 157, 163, 170, 211)
RUNS = [
    (seed, effects, is_async) for seed in SEEDS for effects in ("write", "idempotent") for is_async in (True, False)
]
KILLS_A_RUN = 3
# Some may miss their run, when it is short or the machine is busy; on both stores together 200 have to hit, for which
# the runs are made once more if need be.
LEAST_KILLS = 100
MOST_TURNS = 20


@cache
def expected(seed: int, effects: str) -> str:
    return told(undisturbed(Victim(seed, effects, False, "", Path("nowhere"))))


def told(run: RunState) -> str:
    """A run as text, whatever its id."""
    return run.to_json().replace(f'"{run.run_id}', '"run')


def test_runs_whose_processes_are_killed_end_as_if_they_were_not(address: str, quick: Path) -> None:
    chance, hits = random.Random(7), 0
    for number, (turn, (seed, effects, is_async)) in enumerate(product(range(MOST_TURNS), RUNS)):
        if turn and hits >= LEAST_KILLS:
            break
        victim = Victim(seed, effects, is_async, address, quick / f"{number}.log", turn=turn)
        expected(seed, effects)
        hits += sum(killed(victim, chance.randrange(4), chance.random() * 0.01) for _ in range(KILLS_A_RUN))
        assert ended(started(victim)) == 0, victim
        check(victim)
    assert hits >= LEAST_KILLS


def check(victim: Victim) -> None:
    """The run is the undisturbed one, follows from its journal, and no call was made twice that should not be."""
    run = run_in(victim.address, victim.run_id)
    assert told(run) == expected(victim.seed, victim.effects), victim
    store = open_store(victim.address)
    assert replaying.differences(program(victim.seed, victim.effects), store.load(victim.run_id), store) == [], victim
    calls = victim.calls()
    if victim.effects == "write":
        again = calls - Counter(dict.fromkeys(calls, 1))
        assert again - victim.retries() == Counter(), victim
