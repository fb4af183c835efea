"""Runs that a store keeps: begun, gone on with, answered, and kept again wherever they come to rest.

Guarantees: before anything is called the run is in the store and taken; when a verb here returns, or a signal has
stopped it (`KeyboardInterrupt`), the store holds the run as it rests; a refused request leaves it as it was.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from wfc.backends.drivers import run_without_loop
from wfc.backends.sources import Broker
from wfc.backends.stores import NoStore, Store, StoredRun
from wfc.ir import Answer, Invoke, Program, Refused, RunState, encode
from wfc.records import dataclass, field
from wfc.running import Answering, Execution, Perform, answered, steppable
from wfc.stopping import Stoppable


@dataclass(frozen=True, slots=True)
class Outside:
    """What a run meets: where it is kept, who answers its calls, and who looks on.

    `config` is where the configuration was found, as the store notes it. `watch` is told of every call that is made.
    """

    store: Store = field(default_factory=NoStore)
    config: str | None = None
    answering: Answering = field(default_factory=lambda: Answering())
    watch: Callable[[Invoke], None] = lambda invoke: None


def begin(
    program: Program,
    input: Any,
    outside: Outside,
    *,
    run_id: str | None = None,
    step_limit: int | None = None,
    steps: int | None = None,
) -> RunState:
    """Run a program until it rests, or has made that many steps. Raises `RunExists`, `StoreFault`."""
    motion = _Motion(program, outside)
    motion.execution.start(input, run_id=run_id, step_limit=step_limit)
    fresh = StoredRun(motion.execution.snapshot(), encode(program), config=outside.config)
    return motion.go(fresh, outside.store.create, steps)


def resume(
    program: Program,
    stored: StoredRun,
    outside: Outside,
    *,
    outcome: str | None = None,
    payload: Any = None,
    interrupt_id: str | None = None,
) -> RunState:
    """Go on with a stored run, an interrupted one with an answer. Raises `Refused`, `RunBusy`, `StoreFault`."""
    motion = _Motion(program, outside, stored)
    answered(motion.execution.take_up(stored.state), outcome, payload, interrupt_id)
    return motion.go(stored, outside.store.take)


def step(program: Program, stored: StoredRun, outside: Outside) -> RunState:
    """Make one step of a stored run. Raises `Refused`, `RunBusy`, `StoreFault`."""
    motion = _Motion(program, outside, stored)
    steppable(motion.execution.take_up(stored.state))
    return motion.go(stored, outside.store.take, 1)


class _Motion:
    """An execution that a signal can stop, and the store that it is kept in."""

    def __init__(self, program: Program, outside: Outside, stored: StoredRun | None = None) -> None:
        answering = outside.answering
        self._store = outside.store
        self._watch = outside.watch
        self._on_loop = Broker(sources=answering.get("sources"), mocks=answering.get("mocks")).needs_loop(program)
        self._stoppable = Stoppable(self._on_loop)
        self.execution = Execution(
            program,
            clock=self._stoppable,
            due=None if stored is None else stored.due,
            around=self._around,
            **answering,
        )

    def go(self, before: StoredRun, take: Callable[[StoredRun], None], steps: int | None = None) -> RunState:
        """Take the run in the store, run on, and keep what comes of it."""
        with self._stoppable.listening():
            take(before)
            try:
                self._run(steps)
            except Refused:
                self._store.save(before.state, before.due)
                raise
            except KeyboardInterrupt:
                self._keep()
                raise
            return self._keep()

    def _run(self, steps: int | None) -> None:
        going = self.execution.go(stop_after=steps, on_loop=self._on_loop)
        if not self._on_loop:
            run_without_loop(going)
            return
        import asyncio

        asyncio.run(going)

    def _keep(self) -> RunState:
        self._stoppable.hold()
        run = self.execution.snapshot()
        self._store.save(run, self.execution.due)
        return run

    def _around(self, perform: Perform) -> Perform:
        def watched(invoke: Invoke) -> Awaitable[Answer]:
            self._watch(invoke)
            return perform(invoke)

        return self._stoppable.around(watched)
