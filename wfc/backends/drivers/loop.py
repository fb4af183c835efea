"""The one loop that runs a machine: it does what the machine asks for, one thing at a time, and decides nothing.

Reference 2.1. After each answer the first frame in trace order goes on; a delay holds up its own frame alone. Nothing
is kept here that the machine does not know, except when delays are over: `due`, which its owner may store and hand in
again. An interruption from outside leaves the machine between two answers, and a call in flight pending.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar, assert_never

from wfc.backends.drivers import dash, stride
from wfc.backends.drivers.clock import Clock
from wfc.backends.drivers.stop import Stop
from wfc.diagnostics import InternalError
from wfc.ir import Answer, Delay, Direct, Effect, Elapsed, Entry, Invoke, Withdraw, settled

_Result = TypeVar("_Result")


class Machine(stride.Machine, Protocol):
    """What the loop needs to know of a machine."""

    fuel: int | None

    @property
    def status(self) -> str: ...

    def poll(self) -> Effect | None: ...

    def answer(self, answer: Answer) -> None: ...


class Journal(stride.Journal, Protocol):
    """Where a run is recorded while it goes on. What was noted is kept when `commit` returns, all of it or nothing."""

    def answered(self, answer: Answer) -> None:
        """The machine was given an answer, with a result that is JSON."""

    def begins(self, call_id: str, due: float | None) -> None:
        """A call is to begin, or a delay that is over at `due`."""

    def note(self, entry: Entry) -> None:
        """Something else happened to the run."""

    def withdrawn(self, call_id: str) -> None:
        """A call was named as begun and was not."""

    def commit(self) -> None:
        """Keep what was noted. Raises `Stopped` when nothing further may begin."""


async def drive(
    machine: Machine,
    perform: Callable[[Invoke], Awaitable[Answer]],
    clock: Clock,
    *,
    due: dict[str, float] | None = None,
    stop_after: int | None = None,
    journal: Journal | None = None,
    stop: Stop | None = None,
    direct: Sequence[Direct | None] | None = None,
) -> None:
    """Run a machine until it has ended, waits for a person, or has written `stop_after` entries of its trace.

    `due` says by call id when delays are over (seconds of the epoch), at every moment those that run. A call begins
    only after a commit of the journal that names it. `direct` are functions that may be called without `perform`, by
    the slots of the machine. Raises `Stopped` before the next thing begins.
    """
    if stop_after is not None:
        machine.fuel = stop_after
    due, running = {} if due is None else due, set[str]()
    stop = stop or Stop()
    stop.moves()
    while True:
        if running:
            wake(machine, due, running, clock.now(), journal)
        elif direct is not None:
            await _hurry(machine, direct, journal, stop)
        match machine.poll():
            case Invoke() as invoke:
                stop.check()
                await _made(machine, perform, invoke, journal, stop)
            case Delay(call_id, seconds):
                begin_delay(call_id, due, clock.due(seconds), journal)
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
                await _slept(clock, min(due[call_id] for call_id in running), journal, stop)
            case None:
                raise InternalError("a machine that runs asks for nothing and waits for nothing")
            case other:
                assert_never(other)


async def _hurry(machine: Machine, direct: Sequence[Direct | None], journal: Journal | None, stop: Stop) -> None:
    if journal is None:
        await dash.dash(machine, direct)
    else:
        await stride.stride(machine, direct, journal, stop)


async def _slept(clock: Clock, until: float, journal: Journal | None, stop: Stop) -> None:
    stop.check()
    if journal is not None:
        journal.commit()
    await clock.sleep_until(until)


async def _performed(perform: Callable[[Invoke], Awaitable[Answer]], invoke: Invoke, stop: Stop) -> Answer:
    stop.is_outside = True
    try:
        return await perform(invoke)
    finally:
        stop.is_outside = False


async def _made(
    machine: Machine,
    perform: Callable[[Invoke], Awaitable[Answer]],
    invoke: Invoke,
    journal: Journal | None,
    stop: Stop,
) -> None:
    """Make a call, which begins after the commit that names it, and give its answer to the machine."""
    if journal is None:
        return machine.answer(await _performed(perform, invoke, stop))
    journal.begins(invoke.call_id, None)
    journal.commit()
    answer = settled(invoke.definition, await _performed(perform, invoke, stop))
    machine.answer(answer)
    return journal.answered(answer)


def begin_delay(call_id: str, due: dict[str, float], over: float, journal: Journal | None) -> None:
    """A delay begins, unless it had begun before a stop."""
    if call_id in due:
        return
    due[call_id] = over
    if journal is not None:
        journal.begins(call_id, over)


def wake(machine: Machine, due: dict[str, float], running: set[str], now: float, journal: Journal | None) -> None:
    """Tell the machine which delays are over, the earliest first."""
    for call_id in sorted(running, key=lambda one: (due[one], one)):
        if due[call_id] > now:
            return
        del due[call_id]
        running.remove(call_id)
        answer = Elapsed(call_id)
        machine.answer(answer)
        if journal is not None:
            journal.answered(answer)


def run_without_loop(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine that never has to wait for an event loop; `asyncio` is not needed for it."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    coroutine.close()
    raise InternalError("a run without an event loop came to something that needs one")
