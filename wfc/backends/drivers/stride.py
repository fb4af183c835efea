"""Runs a machine like `dash`, with every answer kept before the next call begins: one commit a step (reference 2.9).

Guarantees the same run as `drive` alone, and a journal that says the same: whatever is not ordinary, a wish to stop and
a checkpoint that is due are handed back to the machine before the call that they hold up has begun.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from wfc.backends.drivers import dash
from wfc.backends.drivers.stop import Stop
from wfc.ir import LATE, PLOD, Answer, Completed, Direct, Invoke, settled


class Machine(dash.Machine, Protocol):
    """What striding needs of a machine beside what dashing does."""

    def call_of(self, frame: Any) -> str: ...

    def invoke_of(self, frame: Any) -> Invoke: ...

    def output_of(self, frame: Any) -> Any: ...


class Journal(Protocol):
    """What striding needs of a journal (see `loop.Journal`)."""

    def answered(self, answer: Answer) -> None: ...

    def took(self, call_id: str, outcome: str | None, output: Any) -> None:
        """Like `answered`, for a call that completed with this outcome and this JSON."""

    def turn(self, call_id: str) -> bool:
        """Like `begins` and `commit`, for a call; false, and nothing has begun, when it takes more than that."""


async def stride(machine: Machine, direct: Sequence[Direct | None], journal: Journal, stop: Stop) -> None:
    """Run on until something has to be done that no function in `direct` does, or the run rests."""
    while True:
        ahead = machine.ahead(direct)
        if ahead is None:
            return
        await _run(machine, *ahead, direct, journal, stop)


async def _run(
    machine: Machine, frame: Any, step: Any, direct: Sequence[Direct | None], journal: Journal, stop: Stop
) -> None:
    """Run one frame, from step to step."""
    limit = machine.step_limit
    while step is not None:
        if step.begin is None:
            step = step.end(frame, limit, step.end_with)
            if step is PLOD:
                return machine.plod(frame)
            continue
        made = direct[step.slot]
        if made is None:
            return None
        given = step.begin(frame, limit, made.foreign, step.begin_with)
        if given is PLOD:
            return machine.plod(frame)
        call = machine.call_of(frame)
        if not _begun(machine, frame, call, journal, stop):
            return machine.plod(frame)
        stop.is_outside = True
        try:
            returned = made.call(given, machine.invoke_of(frame)) if made.asks else made.call(given)
            if returned.__class__ is not dict and made.awaits and hasattr(returned.__class__, "__await__"):
                returned = await returned
            if returned.__class__ is dict:
                end, given, outcome, output = step.end, step.end_with, None, returned
            else:
                end, given, outcome, output = dash.ending(step, made, returned)
        except BaseException as error:  # noqa: BLE001 - `failure` raises what is the caller's
            stop.is_outside = False
            invoke = machine.late(frame)
            return _answered(machine, invoke, made.failure(call, error), journal)
        stop.is_outside = False
        step = end(frame, output, given)
        if step is LATE:
            invoke = machine.late(frame)
            return _answered(machine, invoke, Completed(call, made.result(returned)), journal)
        journal.took(call, outcome, machine.output_of(frame))
    return None


def _begun(machine: Machine, frame: Any, call: str, journal: Journal, stop: Stop) -> bool:
    """Whether the call of a frame is kept as begun."""
    if stop.why is not None:
        return False
    try:
        return journal.turn(call)
    except BaseException:
        # Where the run rests now the call stands as given out, as it does for whoever begins one by one.
        machine.late(frame)
        raise


def _answered(machine: Machine, invoke: Invoke, answer: Answer, journal: Journal) -> None:
    answer = settled(invoke.definition, answer)
    machine.answer(answer)
    journal.answered(answer)
