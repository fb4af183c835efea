"""Laws of the machine over generated workflows: the same answers give the same run, however it is cut or raced."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wfc
from tests import generated
from wfc.ir import Answer, Delay, Effect, Invoke, RunState, Withdraw, assembly, codec
from wfc.vm import Linked, Machine, link

RELAXED = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))


def compiled(choose: Callable[[int], int], depth: int = 2) -> Linked:
    return link(wfc.compile(generated.workflow(choose, depth), unchecked=True))


def start(linked: Linked) -> Machine:
    return Machine.start(linked, {"seed": 2}, run_id="r", step_limit=2000)


def choosing(data: st.DataObject) -> Callable[[int], int]:
    return lambda below: data.draw(st.integers(0, below - 1))


def undisturbed(linked: Linked, seed: int) -> str:
    return generated.run(start(linked), seed).snapshot().to_json()


def through_json(linked: Linked, machine: Machine) -> Machine:
    text = machine.snapshot().to_json()
    loaded = Machine.load(linked, RunState.from_json(text))
    assert loaded.snapshot().to_json() == text
    return loaded


def questions_of(machine: Machine, seed: int, go: Callable[[Machine], Machine]) -> Machine:
    for _ in range(30):
        machine = go(machine)
        if machine.status != "interrupted":
            break
        generated.resume(machine, seed)
    return machine


@RELAXED
@given(st.data(), st.integers(0, 1000))
def test_a_run_may_be_cut_after_every_event(data: st.DataObject, seed: int) -> None:
    linked = compiled(choosing(data))

    def go(machine: Machine) -> Machine:
        for _ in range(400):
            machine = through_json(linked, machine)
            effect = machine.poll()
            if effect is None:
                break
            machine = through_json(linked, machine)
            if isinstance(effect, (Invoke, Delay)):
                machine.answer(generated.answer(effect, seed))
        return generated.run(machine, seed, questions=1) if machine.status == "running" else machine

    assert questions_of(start(linked), seed, go).snapshot().to_json() == undisturbed(linked, seed)


@RELAXED
@given(st.data(), st.integers(0, 1000))
def test_a_run_may_be_cut_after_every_event_and_go_on_without_its_trace(data: st.DataObject, seed: int) -> None:
    linked = compiled(choosing(data))
    whole = generated.run(start(linked), seed)

    def cut(machine: Machine) -> Machine:
        text = machine.checkpoint().to_json()
        restored = Machine.restore(linked, RunState.from_json(text))
        assert restored.checkpoint().to_json() == text
        return restored

    machine = start(linked)
    for _ in range(30):
        machine = cut(machine)
        while (effect := machine.poll()) is not None:
            # What was given out is given out again after a cut.
            machine = cut(machine)
            effect = machine.poll()
            if isinstance(effect, (Invoke, Delay)):
                machine.answer(generated.answer(effect, seed))
            machine = cut(machine)
        if machine.status != "interrupted":
            break
        machine = cut(machine)
        generated.resume(machine, seed)
    assert machine.checkpoint().to_json() == whole.checkpoint().to_json()


@RELAXED
@given(st.data(), st.integers(0, 1000), st.randoms(use_true_random=False))
def test_answers_that_come_twice_or_late_are_ignored(data: st.DataObject, seed: int, order: random.Random) -> None:
    linked = compiled(choosing(data))
    given_before: list[Answer] = []

    def go(machine: Machine) -> Machine:
        while (effect := machine.poll()) is not None:
            if isinstance(effect, (Invoke, Delay)):
                answer = generated.answer(effect, seed)
                machine.answer(answer)
                given_before.append(answer)
            # An answer to an attempt that failed would be taken for that of the next: those come in order.
            late = order.choice(given_before) if given_before else None
            if late is not None and not machine.awaits(late.call_id):
                machine.answer(late)
        return machine

    assert questions_of(start(linked), seed, go).snapshot().to_json() == undisturbed(linked, seed)


@RELAXED
@given(st.data(), st.integers(0, 1000))
def test_stepping_to_the_end_equals_running(data: st.DataObject, seed: int) -> None:
    linked = compiled(choosing(data))

    def go(machine: Machine) -> Machine:
        while machine.status == "running":
            machine = through_json(linked, machine)
            machine.fuel = 1
            while (effect := machine.poll()) is not None:
                if isinstance(effect, (Invoke, Delay)):
                    machine.answer(generated.answer(effect, seed))
        return machine

    assert questions_of(start(linked), seed, go).snapshot().to_json() == undisturbed(linked, seed)


@RELAXED
@given(st.data(), st.integers(0, 1000), st.randoms(use_true_random=False))
def test_the_order_of_parallel_answers_decides_nothing(data: st.DataObject, seed: int, order: random.Random) -> None:
    linked = compiled(choosing(data))

    def go(machine: Machine) -> Machine:
        under_way: dict[str, Invoke | Delay] = {}
        while True:
            while (effect := machine.poll()) is not None:
                _note(under_way, effect)
            if not under_way:
                return machine
            chosen = under_way.pop(order.choice(sorted(under_way)))
            machine.answer(generated.answer(chosen, seed))
            if order.random() < 0.1:
                machine, under_way = through_json(linked, machine), {}

    assert questions_of(start(linked), seed, go).snapshot().to_json() == undisturbed(linked, seed)


def _note(under_way: dict[str, Invoke | Delay], effect: Effect) -> None:
    if isinstance(effect, Withdraw):
        under_way.pop(effect.call_id, None)
    else:
        under_way[effect.call_id] = effect


@RELAXED
@given(st.data())
def test_a_program_and_its_stored_forms_are_the_same_run(data: st.DataObject) -> None:
    program = wfc.compile(generated.workflow(choosing(data), 2), unchecked=True)
    stored = codec.decode(codec.encode(program))
    read_back = assembly.parse_program(assembly.print_program(program))
    assert stored == program == read_back
    assert undisturbed(link(stored), 5) == undisturbed(link(program), 5)


DIGEST = """
import hashlib, random, sys
from tests.vm.test_laws import digest
print(digest())
"""


def digest() -> str:
    """One number for compiled programs and runs of a fixed series of generated workflows."""
    whole = hashlib.sha256()
    for seed in range(40):
        linked = compiled(random.Random(seed).randrange)
        whole.update(codec.encode(linked.program).encode())
        whole.update(undisturbed(linked, seed).encode())
    return whole.hexdigest()


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_hash_seeds_change_nothing(hash_seed: str) -> None:
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(root)}
    ran = subprocess.run(
        [sys.executable, "-c", DIGEST], capture_output=True, text=True, cwd=root, env=environment, check=True
    )
    assert ran.stdout.strip() == digest()
