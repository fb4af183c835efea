"""A run is cut after every single entry of its journal, taken up by a new machine, and goes on: the end is equal."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

import wfc
from tests.kept import run_in
from tests.stores.killing import INPUT, Victim, program, result, said_to
from tests.stores.test_kills import SEEDS, expected, told
from wfc.backends.stores import Store, open_store
from wfc.ir import Answer, Completed, Delay, Elapsed, Failed, Invoke, NodeResult
from wfc.runs import durable, linked, position_of, replaying
from wfc.vm import Machine


def run_to_its_end(victim: Victim, store: Store) -> None:
    ready = program(victim.seed, victim.effects)
    outside = durable.Outside(store, None, {"handlers": victim.handlers(disturbed=False)})

    async def through() -> None:
        run = await durable.begin_async(ready, INPUT, outside, run_id=victim.run_id, step_limit=2000)
        while run.interrupt is not None:
            outcome, payload = said_to(run.interrupt, victim)
            stored = store.load(victim.run_id)
            run = await durable.resume_async(ready, stored, store, outside, outcome=outcome, payload=payload)

    asyncio.run(through())


def answer(effect: Invoke | Delay, seed: int) -> Answer:
    if isinstance(effect, Delay):
        return Elapsed(effect.call_id)
    if effect.capability == "wf.std.identity":
        return Completed(effect.call_id, NodeResult(None, effect.payload))
    try:
        return Completed(effect.call_id, result(seed, effect.call_id, effect.attempt, effect.payload))
    except wfc.NodeFailed as failed:
        return Failed(effect.call_id, "node_failed", str(failed), failed.type)


def go_on(machine: Machine, victim: Victim) -> str:
    while True:
        while (effect := machine.poll()) is not None:
            if isinstance(effect, (Invoke, Delay)):
                machine.answer(answer(effect, victim.seed))
        asked = machine.checkpoint().interrupt
        if asked is None:
            return machine.checkpoint().to_json()
        machine.resume(*said_to(asked, victim))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_that_is_cut_anywhere_ends_as_if_it_were_not(seed: int, quick: Path) -> None:
    victim = Victim(seed, "write", True, str(quick / "wfc.db"), quick / "log")
    store, ready = open_store(victim.address), program(seed, "write")
    run_to_its_end(victim, store)
    assert told(run_in(victim.address, victim.run_id)) == expected(seed, "write")
    stored = store.load(victim.run_id)
    entries, end = tuple(store.entries(stored)), replaying.standing(ready, stored).to_json()
    assert len(entries) > 8
    for length in range(len(entries) + 1):
        cut = replace(stored, status="running", checkpoint=None, checkpointed=0, tail=entries[:length], length=length)
        assert go_on(position_of(linked(ready), cut).machine, victim) == end, length
