"""Runs a machine at full speed for as long as its steps are ordinary: calls are made directly, nothing is queued.

Guarantees the same run as `drive` alone: what is not ordinary is handed back to the machine, and an interruption from
outside leaves the call in flight pending.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from wfc.ir import LATE, PLOD, RAISED, Answer, Completed, Direct, Invoke


class Machine(Protocol):
    """What dashing needs of a machine; frames and steps are the machine's own."""

    @property
    def step_limit(self) -> int: ...

    def ahead(self, direct: Sequence[Any]) -> tuple[Any, Any] | None: ...

    def plod(self, frame: Any) -> None: ...

    def late(self, frame: Any) -> Invoke: ...

    def answer(self, answer: Answer) -> None: ...


async def dash(machine: Machine, direct: Sequence[Direct | None]) -> None:
    """Run on until something has to be done that no function in `direct` does, or the run rests."""
    while True:
        ahead = machine.ahead(direct)
        if ahead is None:
            return
        await _run(machine, *ahead, direct)


async def _run(machine: Machine, frame: Any, step: Any, direct: Sequence[Direct | None]) -> None:
    """Run one frame, from step to step."""
    limit = machine.step_limit
    while step is not None:
        if step.sprint is None:
            end = step.end
            step = end(frame, limit, step.end_with)
            if step is PLOD:
                return machine.plod(frame)
            continue
        act = step.sprint.act or step.sprint.made()
        step, sign, returned = await act(frame, step, limit, direct)
        if sign is None:
            continue
        made = direct[step.slot]
        if sign is PLOD:
            return machine.plod(frame)
        if made is None:
            return None
        if sign is RAISED:
            return _failed(machine, frame, made, returned)
        try:
            end, given, _, output = ending(step, made, returned)
        except BaseException as error:  # noqa: BLE001 - `failure` raises what is the caller's
            return _failed(machine, frame, made, error)
        step = end(frame, output, given)
        if step is LATE:
            return _late(machine, frame, made, returned)
    return None


def _failed(machine: Machine, frame: Any, made: Direct, error: BaseException) -> None:
    invoke = machine.late(frame)
    machine.answer(made.failure(invoke.call_id, error))


def ending(step: Any, made: Direct, returned: Any) -> tuple[Any, Any, Any, Any]:
    """Which function of a step takes what was returned, with its constants, and the outcome and output."""
    if returned.__class__ is dict:
        return step.end, step.end_with, None, returned
    if returned.__class__ is tuple and len(returned) == 2 and returned[0].__class__ is str:
        outcome, output = returned
    else:
        result = made.result(returned)
        outcome, output = result.outcome, result.output
        if result.extra or result.meta or not (outcome is None or outcome.__class__ is str):
            return *_NOWHERE, None, None
    found = step.ends.get(outcome, _NOWHERE) if output.__class__ is dict else _NOWHERE
    return *found, outcome, output


def _closer_look(frame: Any, output: Any, given: Any) -> Any:
    return LATE


_NOWHERE = (_closer_look, ())


def _late(machine: Machine, frame: Any, made: Direct, returned: Any) -> None:
    invoke = machine.late(frame)
    machine.answer(Completed(invoke.call_id, made.result(returned)))
