"""The one loop that runs a machine: it does what the machine asks for, one thing at a time, and decides nothing.

Reference 2.1. After each answer the first frame in trace order goes on; a delay holds up its own frame alone. Nothing is
kept here that the machine does not know, except when delays are over: `due`, which its owner may store and hand in
again. An interruption from outside leaves the machine between two answers, and a call in flight pending.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar, assert_never

from wfc.backends.drivers.clock import Clock
from wfc.diagnostics import InternalError
from wfc.ir import Answer, Delay, Effect, Elapsed, Invoke, Withdraw

_Result = TypeVar("_Result")


class Machine(Protocol):
    """What the loop needs to know of a machine."""

    status: str
    fuel: int | None

    def poll(self) -> Effect | None: ...

    def answer(self, answer: Answer) -> None: ...


async def drive(
    machine: Machine,
    perform: Callable[[Invoke], Awaitable[Answer]],
    clock: Clock,
    *,
    due: dict[str, float] | None = None,
    stop_after: int | None = None,
) -> None:
    """Run a machine until it has ended, waits for a person, or has written `stop_after` entries of its trace.

    `due` says by call id when delays are over (seconds of the epoch): those begun before a stop go on from there, and
    at every moment it holds the delays that run.
    """
    machine.fuel = stop_after
    waiting = {} if due is None else due
    begun: dict[str, float] = dict(waiting)
    waiting.clear()
    while True:
        _wake(machine, waiting, clock.now())
        effect = machine.poll()
        match effect:
            case Invoke():
                machine.answer(await perform(effect))
            case Delay(call_id, seconds):
                waiting[call_id] = begun.pop(call_id, None) or clock.due(seconds)
            case Withdraw(call_id):
                waiting.pop(call_id, None)
            case None if machine.status != "running" or machine.fuel == 0:
                return
            case None:
                await clock.sleep_until(min(waiting.values()))
            case other:
                assert_never(other)
