"""The one loop that runs a machine: it does what the machine asks for, one thing at a time, and decides nothing.

Reference 2.1. After each answer the first frame in trace order goes on; a delay holds up its own frame alone. Nothing
is kept here that the machine does not know, except when delays are over: `due`, which its owner may store and hand in
again. An interruption from outside leaves the machine between two answers, and a call in flight pending.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar, assert_never

from wfc.backends.drivers import dash
from wfc.backends.drivers.clock import Clock
from wfc.diagnostics import InternalError
from wfc.ir import Answer, Delay, Direct, Effect, Elapsed, Invoke, Withdraw

_Result = TypeVar("_Result")


class Machine(dash.Machine, Protocol):
    """What the loop needs to know of a machine."""

    fuel: int | None

    @property
    def status(self) -> str: ...

    def poll(self) -> Effect | None: ...

    def answer(self, answer: Answer) -> None: ...


async def drive(
    machine: Machine,
    perform: Callable[[Invoke], Awaitable[Answer]],
    clock: Clock,
    *,
    due: dict[str, float] | None = None,
    stop_after: int | None = None,
    direct: Sequence[Direct | None] | None = None,
) -> None:
    """Run a machine until it has ended, waits for a person, or has written `stop_after` entries of its trace.

    `due` says by call id when delays are over (seconds of the epoch): one that was begun before a stop goes on from
    there, and at every moment it holds those that run. `direct` are functions by which definitions may be called
    without asking `perform`, by the slots of the machine.
    """
    if stop_after is not None:
        machine.fuel = stop_after
    due = {} if due is None else due
    running: set[str] = set()
    while True:
        if running:
            _wake(machine, due, running, clock.now())
        elif direct is not None:
            await dash.dash(machine, direct)
        match machine.poll():
            case Invoke() as invoke:
                machine.answer(await perform(invoke))
            case Delay(call_id, seconds):
                due.setdefault(call_id, clock.due(seconds))
                running.add(call_id)
            case Withdraw(call_id):
                due.pop(call_id, None)
                running.discard(call_id)
            case None if machine.status != "running":
                due.clear()
                return
            case None if machine.fuel == 0:
                return
            case None if running:
                await clock.sleep_until(min(due[call_id] for call_id in running))
            case None:
                raise InternalError("a machine that runs asks for nothing and waits for nothing")
            case other:
                assert_never(other)


def _wake(machine: Machine, due: dict[str, float], running: set[str], now: float) -> None:
    """Tell the machine which delays are over, the earliest first."""
    for call_id in sorted(running, key=lambda one: (due[one], one)):
        if due[call_id] > now:
            return
        del due[call_id]
        running.remove(call_id)
        machine.answer(Elapsed(call_id))


def run_without_loop(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine that never has to wait for an event loop; `asyncio` is not needed for it."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    coroutine.close()
    raise InternalError("a run without an event loop came to something that needs one")
