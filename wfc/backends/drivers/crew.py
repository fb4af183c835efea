"""The driver of an event loop: calls run beside one another, and the run is the same as if they did not.

A crew of workers makes the calls. Each gives its answer to the machine, takes the next call that has begun and makes it
without a detour, so a call that never waits costs no task, and there are never more workers than calls in flight.
From an answer to the commit that names what begins then nothing is awaited, so one worker at a time moves the machine.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import assert_never

from wfc.backends.drivers.clock import Clock
from wfc.backends.drivers.loop import Journal, Machine, begin_delay, wake
from wfc.backends.drivers.rooms import Limit, Rooms
from wfc.backends.drivers.stop import GRACE_SECONDS, Stop, Stopped
from wfc.diagnostics import InternalError
from wfc.ir import Answer, Delay, Invoke, Withdraw, settled
from wfc.records import dataclass, field

# How long a call that was cancelled may take to end before nobody waits for it any more.
_LEAVE_SECONDS = 1.0


@dataclass(slots=True)
class Crowd:
    """How many calls are in flight. One that is alone may use the thread of the event loop."""

    size: int = 0


@dataclass(frozen=True, slots=True)
class World:
    """What a crew works with. `limit_of` gives the source of a call that has a limit, and how many calls of it may be
    in flight; `due` is that of `drive`."""

    perform: Callable[[Invoke], Awaitable[Answer]]
    clock: Clock
    due: dict[str, float]
    crowd: Crowd = field(default_factory=Crowd)
    limit_of: Callable[[Invoke], Limit | None] = lambda invoke: None
    journal: Journal | None = None
    stop: Stop | None = None


async def drive_together(machine: Machine, world: World) -> None:
    """Run a machine until it has ended or waits for a person. Raises `Stopped` when it was asked to stop: by then the
    calls in flight have answered or used up their time."""
    await _Crew(machine, world).run()


class _Crew:
    """`flying` are the calls in flight by id, `begun` those of them that no worker has taken yet, `makers` the tasks of
    the others."""

    def __init__(self, machine: Machine, world: World) -> None:
        self._machine, self._world = machine, world
        self._rooms = Rooms(world.limit_of)
        self._delays: set[str] = set()
        self._flying: dict[str, Invoke] = {}
        self._begun: deque[Invoke] = deque()
        self._makers: dict[str, asyncio.Task[None]] = {}
        self._workers: set[asyncio.Task[None]] = set()
        self._idle: list[asyncio.Future[None]] = []
        self._is_closing = False
        self._timer: asyncio.Task[None] | None = None
        self._timed = 0.0
        self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[None] = self._loop.create_future()
        self._landed: asyncio.Future[None] | None = None

    async def run(self) -> None:
        if self._world.stop is not None:
            self._world.stop.is_opening = False
            self._world.stop.listen(self._told_to_stop)
        try:
            self._move(None)
            self._look_at_stop()
            self._hire(0)
            await self._over
        except Stopped:
            await self._wind_down()
            raise
        finally:
            await self._dismiss()

    # -- the machine --------------------------------------------------------------------------------------------------

    def _move(self, change: Callable[[], None] | None) -> None:
        """Change the machine, let it go on, and begin what it asks for. What goes wrong is raised by `run`."""
        try:
            with self._inside():
                if change is not None:
                    change()
                if self._is_closing or self._over.done():
                    self._commit()
                else:
                    self._go_on()
        except Exception as wrong:  # noqa: BLE001 - for whoever awaits `run`
            self._end(wrong)

    @contextmanager
    def _inside(self) -> Iterator[None]:
        stop = self._world.stop
        if stop is None:
            yield
            return
        stop.is_outside = False
        try:
            yield
        finally:
            stop.is_outside = True

    def _go_on(self) -> None:
        fresh = self._asked_for()
        if self._machine.status != "running":
            # The last answer is kept with where the run rests.
            self._world.due.clear()
            self._end(None)
            return
        if self._world.journal is not None:
            for call in fresh:
                self._world.journal.begins(call.call_id, None)
        self._commit()
        self._flying.update((call.call_id, call) for call in fresh)
        self._begun += fresh
        self._world.crowd.size = len(self._flying)
        self._set_timer()
        if not self._flying and not self._delays and not self._rooms.are_wanted:
            raise InternalError("a machine that runs asks for nothing and waits for nothing")

    def _asked_for(self) -> list[Invoke]:
        """The calls that can begin now; delays begin."""
        fresh: list[Invoke] = []
        while (effect := self._machine.poll()) is not None:
            match effect:
                case Invoke():
                    self._rooms.ask(effect)
                case Delay(call_id, seconds):
                    begin_delay(call_id, self._world.due, self._world.clock.due(seconds), self._world.journal)
                    self._delays.add(call_id)
                case Withdraw(call_id):
                    self._withdraw(call_id)
                case other:
                    assert_never(other)
        fresh += self._rooms.admitted()
        return fresh

    def _withdraw(self, call_id: str) -> None:
        self._world.due.pop(call_id, None)
        self._delays.discard(call_id)
        self._rooms.withdraw(call_id)
        self._flying.pop(call_id, None)
        if call_id in self._makers:
            self._makers[call_id].cancel()

    def _take(self, call: Invoke, answer: Answer) -> None:
        del self._flying[call.call_id]
        self._rooms.leave(call)
        journal = self._world.journal
        if journal is not None:
            answer = settled(call.definition, answer)
            journal.answered(answer)
        self._machine.answer(answer)

    def _commit(self) -> None:
        if self._world.journal is not None:
            self._world.journal.commit()

    def _end(self, wrong: Exception | None) -> None:
        if self._over.done():
            return
        if wrong is None:
            self._over.set_result(None)
        else:
            self._over.set_exception(wrong)

    # -- calls --------------------------------------------------------------------------------------------------------

    def _hire(self, kept: int) -> None:
        """Let workers see to the calls that have begun, but for as many as the one who asks sees to."""
        for _ in range(len(self._begun) - kept):
            if self._idle:
                self._idle.pop().set_result(None)
                continue
            worker = self._loop.create_task(self._work())
            worker.add_done_callback(self._gone)
            self._workers.add(worker)

    def _gone(self, worker: asyncio.Task[None]) -> None:
        """A worker ends when it is dismissed; before that, its call was cancelled by nobody here."""
        self._workers.discard(worker)
        if not self._is_closing:
            self._end(InternalError("a worker has left the crew of a run"))

    async def _work(self) -> None:
        while True:
            while self._begun:
                await self._see_to(self._begun.popleft())
                self._hire(1)
            bell: asyncio.Future[None] = self._loop.create_future()
            self._idle.append(bell)
            await bell

    async def _see_to(self, call: Invoke) -> None:
        if self._is_closing and call.call_id in self._flying:
            del self._flying[call.call_id]
            if self._world.journal is not None:
                self._world.journal.withdrawn(call.call_id)
        if call.call_id in self._flying:
            answer = await self._made(call)
            if answer is not None and call.call_id in self._flying:
                self._move(partial(self._take, call, answer))
            else:
                self._left(call)
        else:
            self._left(call)
        if self._landed is not None and not self._flying and not self._landed.done():
            self._landed.set_result(None)

    def _left(self, call: Invoke) -> None:
        """A call has made room without an answer; another may be waiting for that."""
        self._rooms.leave(call)
        if self._rooms.are_wanted:
            self._move(None)

    async def _made(self, call: Invoke) -> Answer | None:
        """Make a call; none when it was withdrawn or could not be made."""
        task = asyncio.current_task()
        assert task is not None
        self._makers[call.call_id] = task
        try:
            return await self._world.perform(call)
        except asyncio.CancelledError:
            if call.call_id in self._flying:
                raise
            return None
        except Exception as wrong:  # noqa: BLE001 - for whoever awaits `run`
            self._end(wrong)
            return None
        finally:
            del self._makers[call.call_id]
            if call.call_id not in self._flying:
                # It was cancelled as the maker of this call; it goes on as a worker.
                task.uncancel()

    # -- delays -------------------------------------------------------------------------------------------------------

    def _set_timer(self) -> None:
        first = min((self._world.due[call_id] for call_id in self._delays), default=None)
        if self._timer is not None and first != self._timed:
            self._timer.cancel()
            self._timer = None
        if first is not None and self._timer is None:
            self._timed = first
            self._timer = self._loop.create_task(self._wake_at(first))
            self._timer.add_done_callback(self._rung)

    def _rung(self, timer: asyncio.Task[None]) -> None:
        if not timer.cancelled() and timer.exception() is not None:
            self._end(InternalError("the timer of a run broke off"))

    async def _wake_at(self, due: float) -> None:
        await self._world.clock.sleep_until(due)
        self._timer = None
        if self._is_closing:
            return
        world = self._world
        self._move(lambda: wake(self._machine, world.due, self._delays, world.clock.now(), world.journal))
        self._hire(0)

    # -- the end ------------------------------------------------------------------------------------------------------

    def _told_to_stop(self) -> None:
        """Called by whoever asks, a signal or another thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._look_at_stop)

    def _look_at_stop(self) -> None:
        stop = self._world.stop
        if stop is None or stop.why is None:
            return
        self._end(Stopped(stop.why))
        if stop.is_urgent and self._landed is not None and not self._landed.done():
            self._landed.set_result(None)

    async def _wind_down(self) -> None:
        """Nothing further begins; what is in flight may end within its time, and its answers are kept."""
        self._is_closing = True
        stop = self._world.stop
        if not self._flying or (stop is not None and stop.is_urgent):
            return
        self._landed = self._loop.create_future()
        await asyncio.wait({self._landed}, timeout=GRACE_SECONDS)

    async def _dismiss(self) -> None:
        self._is_closing = True
        tasks = [*self._workers, *([self._timer] if self._timer is not None else [])]
        for task in tasks:
            task.cancel()
        if tasks:
            # A handler that does not want to end is left behind.
            await asyncio.wait(tasks, timeout=_LEAVE_SECONDS)
