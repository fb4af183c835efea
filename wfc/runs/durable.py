"""Runs that a store keeps: begun, gone on with, answered, cancelled (reference 2.9, 4.3).

Guarantees: before anything is called the run is in the store, taken, and the call is named there; every answer is kept
before the next thing begins; when a verb returns, or a signal has stopped it (`KeyboardInterrupt`), the store holds the
run as it rests; a refused request leaves it as it was.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from wfc.backends.drivers import CANCELLED, LOST, Clock, Stop, Stopped, run_without_loop
from wfc.backends.sources import Broker
from wfc.backends.stores import NewRun, RunBusy, Session, Store, StoredRun, StoreFault
from wfc.ir import Answer, Invoke, Program, Refused, RunState
from wfc.records import dataclass, field
from wfc.runs.execution import Answering, Execution, Perform, text_of
from wfc.runs.heart import Heart
from wfc.runs.keeping import Keeper, Position, position_of
from wfc.runs.running import answered, steppable
from wfc.runs.stopping import Stoppable

if TYPE_CHECKING:
    from wfc.ir import Listing

ENDED = ("completed", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class Outside:
    """What a run meets: where it is kept, who answers its calls, and who looks on.

    `store` none: it is kept nowhere. `config` is where the configuration was found, as the store notes it. `watch` is
    told of every call that is made; without it calls are made at full speed. `clock` and `heart` are those of the world
    unless a test has one of its own. `pins` say what else has to be the same when the run goes on.
    """

    store: Store | None = None
    config: str | None = None
    answering: Answering = field(default_factory=lambda: Answering())
    watch: Callable[[Invoke], None] | None = None
    clock: Clock | None = None
    heart: Callable[[Store, Session, Stop], AbstractContextManager[None]] = Heart
    pins: Mapping[str, str] = field(default_factory=dict)


def begin(
    program: Program,
    input: Any,
    outside: Outside,
    *,
    run_id: str,
    step_limit: int | None = None,
    steps: int | None = None,
) -> RunState:
    """Run a program until it rests, or has made that many steps. One that fails before its first step is not kept.

    Raises `RunExists`, `StoreFault`.
    """
    return _begun(program, input, outside, run_id, step_limit).go(steps)


def _begun(program: Program, input: Any, outside: Outside, run_id: str, step_limit: int | None) -> _Motion:
    motion = _Motion(program, outside)
    machine = motion.execution.start(input, run_id=run_id, step_limit=step_limit).machine
    if outside.store is not None:
        text = text_of(program)
        new = NewRun(run_id, program.name, text, machine.input, machine.step_limit, outside.config, outside.pins)
        motion.keep(outside.store, new, Position(machine, {}))
    return motion


def resume(
    program: Program,
    stored: StoredRun,
    store: Store,
    outside: Outside,
    *,
    outcome: str | None = None,
    payload: Any = None,
    interrupt_id: str | None = None,
) -> RunState:
    """Go on with a stored run, an interrupted one with an answer. What comes back has no trace; `traced` gives it.

    One that was to be cancelled when its process went away is cancelled. Raises `Refused`, `RunBusy`, `StoreFault`.
    """
    motion = _resumed(program, stored, store, outside, outcome, payload, interrupt_id)
    return motion.cancel() if stored.cancel else motion.go(None)


async def begin_async(
    program: Program, input: Any, outside: Outside, *, run_id: str, step_limit: int | None = None
) -> RunState:
    """Like `begin`, on the event loop that awaits it; no signal stops it, but who cancels it does."""
    return await _begun(program, input, outside, run_id, step_limit).go_beside()


async def resume_async(
    program: Program,
    stored: StoredRun,
    store: Store,
    outside: Outside,
    *,
    outcome: str | None = None,
    payload: Any = None,
    interrupt_id: str | None = None,
) -> RunState:
    """Like `resume`, on the event loop that awaits it; no signal stops it, but who cancels it does."""
    motion = _resumed(program, stored, store, outside, outcome, payload, interrupt_id)
    return motion.cancel() if stored.cancel else await motion.go_beside()


def _resumed(
    program: Program,
    stored: StoredRun,
    store: Store,
    outside: Outside,
    outcome: str | None,
    payload: Any,
    interrupt_id: str | None,
) -> _Motion:
    """A stored run taken over, and answered if it waits. One whose journal ends it, and whose process went away just
    then, has only to be given back."""
    motion = _Motion(program, outside)
    motion.take_over(store, stored)
    has_ended = outcome is None and motion.execution.status in ENDED
    if stored.status in ENDED or not (stored.cancel or has_ended):
        answered(motion.execution, outcome, payload, interrupt_id)
    return motion


def step(program: Program, stored: StoredRun, store: Store, outside: Outside) -> RunState:
    """Make one step of a stored run. Raises `Refused`, `RunBusy`, `StoreFault`."""
    motion = _Motion(program, outside)
    motion.take_over(store, stored)
    steppable(motion.execution)
    return motion.go(1)


def cancel(program: Program, stored: StoredRun, store: Store) -> RunState | None:
    """Cancel a run: at once where nobody has it, else its owner is told, and nothing comes back.

    Raises `Refused` for a run that has ended.
    """
    while True:
        if stored.status in ENDED:
            raise Refused("ended", f"the run `{stored.run_id}` is {stored.status}; there is nothing left to cancel")
        if stored.taken:
            if store.ask_to_cancel(stored):
                return None
            stored = store.load(stored.run_id)
            continue
        motion = _Motion(program, Outside())
        motion.take_over(store, stored)
        try:
            return motion.cancel()
        except RunBusy:
            # Whoever took the run since it was loaded is asked next.
            before, stored = stored, store.load(stored.run_id)
            if stored == before:
                raise


def _pinned(store: Store, stored: StoredRun) -> Mapping[str, Listing]:
    """What the sources of a run offered when it began: the first that its journal says, where there are any."""
    first = store.first(stored)
    if first is None or first.kind != "pinned":
        return {}
    from wfc.project import listing_of

    return {name: listing_of(one) for name, one in first.value.items()}


class _Motion:
    """An execution and the store that it is kept in."""

    def __init__(self, program: Program, outside: Outside) -> None:
        answering = outside.answering
        self._outside = outside
        broker = Broker(answering.get("handlers"), answering.get("sources"), answering.get("mocks"))
        self._on_loop = outside.clock is not None or broker.needs_loop(program)
        self._stoppable = Stoppable(self._on_loop)
        self._session: Session | None = None
        self._heart: AbstractContextManager[None] = nullcontext()
        self._keeper: Keeper | None = None
        self.execution = Execution(
            program,
            clock=outside.clock or self._stoppable,
            around=None if outside.watch is None else partial(_around, outside.watch),
            stop=self._stoppable.stop,
            **answering,
        )

    def keep(self, store: Store, run: NewRun | StoredRun, position: Position) -> None:
        """From here on the run is kept; in the store nothing changes before the first commit."""
        self._session = store.session(run)
        self._heart = self._outside.heart(store, self._session, self._stoppable.stop)
        self._keeper = Keeper(self._session, position)
        self.execution.journal = self._keeper

    def take_over(self, store: Store, stored: StoredRun) -> None:
        """Stand where a stored run does. Raises `RunBusy` when somebody else has it."""
        if stored.taken:
            raise store.session(stored).busy()
        position = position_of(self.execution.linked, stored)
        self.execution.take_over(position.machine, position.calls, partial(_pinned, store, stored), stored.updated)
        self.execution.due = position.due
        self.keep(store, stored, position)

    def go(self, steps: int | None) -> RunState:
        """Run on in a process of its own, which signals stop, and keep what comes of it."""
        with self._owning(), self._stoppable.listening():
            try:
                return self._performed(self._going(steps))
            except Stopped:
                raise KeyboardInterrupt from None
            except KeyboardInterrupt:
                self._rest()
                raise

    async def go_beside(self) -> RunState:
        """Run on beside whatever else the event loop does; who cancels this stops the run, which is kept."""
        import asyncio

        with self._owning():
            try:
                return await self._going(None)
            except asyncio.CancelledError:
                self._rest()
                raise

    def cancel(self) -> RunState:
        """End the run as it stands."""
        assert self._keeper is not None
        with self._owning():
            self._keeper.cancel()
            return self._rest()

    @contextmanager
    def _owning(self) -> Iterator[None]:
        """Whatever ends this block, others may go on with the run; where the store itself is at fault, they wait until
        this process has ended."""
        try:
            yield
        except BaseException:
            if self._keeper is not None:
                with suppress(StoreFault):
                    self._keeper.give_up()
            raise
        finally:
            if self._keeper is not None:
                self._keeper.close()

    async def _going(self, steps: int | None) -> RunState:
        try:
            with self._heart:
                await self.execution.move(stop_after=steps, on_loop=self._on_loop)
        except Stopped as stopped:
            if stopped.why == LOST and self._session is not None:
                raise self._session.busy() from None
            if stopped.why != CANCELLED:
                self._rest()
                raise
            if self._keeper is not None:
                self._keeper.cancel()
        return self._rest()

    def _never_began(self) -> bool:
        """Whether nothing was called and nothing is to be kept: the id stays free. Raises `RunExists` if it is not."""
        store = self._outside.store
        if store is None or self.execution.status != "failed" or not self.execution.standing().never_began:
            return False
        store.require_free(self.execution.run_id)
        return True

    def _performed(self, going: Coroutine[Any, Any, RunState]) -> RunState:
        if not self._on_loop:
            return run_without_loop(going)
        import asyncio

        return asyncio.run(going)

    def _rest(self) -> RunState:
        self._stoppable.stop.moves()
        if self._keeper is None or self._never_began():
            return self.execution.standing()
        kept = self._keeper.rest()
        return kept if self.execution.machine.is_restored else self.execution.standing()


def _around(watch: Callable[[Invoke], None], perform: Perform) -> Perform:
    def watched(invoke: Invoke) -> Awaitable[Answer]:
        watch(invoke)
        return perform(invoke)

    return watched
