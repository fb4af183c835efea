"""A run in motion: a machine, who answers its calls, and who looks on.

An execution is a machine, the broker that answers its calls, and the delays that run. `go` is the only thing that moves
it, and it is the same coroutine for both doors: what never waits for an event loop needs none.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from wfc.ir import Answer, Entry, Invoke, Program, Refused, RunState, copy, encode, to_json
from wfc.records import replace

if TYPE_CHECKING:
    from typing import TypedDict

    from wfc.backends.drivers import Clock, Journal, Stop
    from wfc.backends.sources import Broker, Mocks, Progress, Source
    from wfc.ir import Direct, Listing, Reducer
    from wfc.observing import FrameView, Observer
    from wfc.vm import Linked, Machine
else:

    class TypedDict(dict):
        """A dictionary. That of `typing` compiles all annotations of a class while it is made."""

        def __init_subclass__(cls, *, total):
            """Nobody looks which keys there are."""


Handlers = Mapping[str, Callable[..., Any]]
Perform = Callable[[Invoke], Awaitable[Answer]]
_KEPT = 8
_links: dict[int, tuple[Program, tuple[Any, ...], Linked]] = {}
_texts: dict[int, tuple[Program, str]] = {}


def linked(program: Program, reducers: Iterable[Reducer] = ()) -> Linked:
    """The program made ready to run; the last few are kept, because stepping and resuming come back to the same one."""
    from wfc.vm import link

    further = tuple(reducers)
    kept = _links.get(id(program))
    if kept is None or kept[0] is not program or kept[1] != further:
        kept = (program, further, link(program, [_on_copies(one) for one in further]))
        while len(_links) >= _KEPT:
            del _links[next(iter(_links))]
        _links[id(program)] = kept
    return kept[2]


def text_of(program: Program) -> str:
    """The text that runs are pinned to; the last few are kept, because a program is run many times."""
    kept = _texts.get(id(program))
    if kept is None or kept[0] is not program:
        kept = (program, encode(program))
        while len(_texts) >= _KEPT:
            del _texts[next(iter(_texts))]
        _texts[id(program)] = kept
    return kept[1]


def _on_copies(reducer: Reducer) -> Reducer:
    """The reducer, called with values of its own: nothing that it does to them reaches a state."""

    def merge(current: Any, new: Any, config: Mapping[str, Any]) -> Any:
        return reducer.merge(copy(current), copy(new), config)

    def first(new: Any, config: Mapping[str, Any]) -> Any:
        return reducer.first(copy(new), config)

    return replace(reducer, merge=merge, first=first)


class Answering(TypedDict, total=False):
    """Who answers calls and merges writes: functions by name, sources by name, scripted answers, further reducers.

    `handlers` map `workflow/definition`, a definition or a capability to a function; the first that is there answers.
    `progress` is told how far a call is, as its server says. The `observer` looks on.
    """

    handlers: Handlers
    sources: Mapping[str, Source]
    mocks: Mocks
    reducers: Iterable[Reducer]
    progress: Callable[[Invoke, Progress], None]
    observer: Observer


_ANSWERING = Answering.__annotations__.keys()


class Execution:
    """A run in motion. `due` says by call id when the delays that run are over, in seconds of the epoch.

    `around` may put something around every call, so that whoever runs a workflow can watch or hold up its calls.
    `journal` is told of everything before anything further begins; `stop` ends a run between two answers (`Stopped`).
    `is_alone` says whether nothing else waits for the event loop, which a call may then block; `is_unseen` that nobody
    looks at the run while it is in motion, which then goes at full speed.
    """

    def __init__(
        self,
        program: Program,
        *,
        clock: Clock | None = None,
        due: Mapping[str, float] | None = None,
        around: Callable[[Perform], Perform] | None = None,
        stop: Stop | None = None,
        is_alone: Callable[[], bool] = lambda: True,
        is_unseen: bool = False,
        **answering: Unpack[Answering],
    ) -> None:
        for name in answering:
            if name not in _ANSWERING:
                raise TypeError(f"`{name}` is no keyword of a run; expected one of {', '.join(_ANSWERING)}")
        self.program = program
        self.journal: Journal | None = None
        self._stop = stop
        self._is_alone = is_alone
        self._is_unseen = is_unseen
        self._crowd_size: Callable[[], int] = lambda: 1
        self._in_doubt: frozenset[str] = frozenset()
        self._has_begun = False
        self._heard: float | None = None
        self._pinned: Callable[[], Mapping[str, Listing]] | None = None
        self._around = around
        self.due = dict(due or {})
        self._machine: Machine
        self._linked = linked(program, answering.get("reducers", ()))
        self._answering = answering
        self._observer = answering.get("observer")
        self._clock = clock

    def start(self, input: Any, *, run_id: str | None = None, step_limit: int | None = None) -> Execution:
        """Stand before the first step of a new run."""
        from wfc.vm import DEFAULT_STEP_LIMIT, Machine

        name = _new_id() if run_id is None else run_id
        limit = DEFAULT_STEP_LIMIT if step_limit is None else step_limit
        self._machine = Machine.start(self._linked, input, run_id=name, step_limit=limit)
        return self

    def take_up(self, run: RunState) -> Execution:
        """Stand where a run has stopped. Raises `Refused` when it is a run of another program."""
        from wfc.vm import Machine

        if run.program_hash != self._linked.hash:
            message = f"the run was begun with the program {run.program_hash}; this one is {self._linked.hash}"
            raise Refused("drift", message)
        self._has_begun = bool(run.trace)
        self._machine = Machine.load(self._linked, run)
        return self

    def take_over(
        self, machine: Machine, begun: Iterable[str], pinned: Callable[[], Mapping[str, Listing]], heard: float
    ) -> Execution:
        """Stand where a journal ends. `begun` are the calls that had begun by then: one that cannot be made again
        without harm is asked about, and `heard`, when their process was last heard of, is kept beside the question.
        `pinned` gives what sources offered when the run began."""
        self._heard = heard
        self._has_begun = True
        self._pinned = pinned
        self._machine = machine
        self._in_doubt = frozenset(begun)
        return self

    def answer(self, outcome: str, payload: Any = None, interrupt_id: str | None = None) -> Execution:
        """Answer the question that waits; raises `Refused`, and then nothing has changed."""
        asked = self._machine.question
        self._machine.resume(outcome, payload, interrupt_id)
        if self.journal is not None:
            self._note(Entry("resumed", asked, [outcome, to_json(payload)]))
        return self

    @property
    def needs_loop(self) -> bool:
        """Whether the program calls something that only an event loop can call."""
        return self._broker(on_loop=False).needs_loop(self.program)

    @property
    def linked(self) -> Linked:
        return self._linked

    @property
    def machine(self) -> Machine:
        return self._machine

    @property
    def status(self) -> str:
        return self._machine.status

    @property
    def run_id(self) -> str:
        return self._machine.run_id

    @property
    def workflow(self) -> str:
        return self.program.name

    def frames(self) -> Iterator[FrameView]:
        """The frames that are there now, in trace order."""
        from wfc.observing import FrameView

        for frame in self._machine.frames():
            yield FrameView(frame.id, frame.kind, len(frame.key), frame.index, frame.step, frame.status)

    def snapshot(self) -> RunState:
        """The run as it is now; a call in flight is pending in it."""
        return self._machine.snapshot()

    async def go(self, *, stop_after: int | None = None, on_loop: bool = True) -> RunState:
        """Run on until the run has ended or waits for a person, or has made `stop_after` steps."""
        await self.move(stop_after=stop_after, on_loop=on_loop)
        return self.standing()

    async def move(self, *, stop_after: int | None = None, on_loop: bool = True) -> None:
        """Like `go`, for whoever asks afterwards how the run stands: to say it takes as long as its trace."""
        if self._machine.status == "running":
            await self._go(stop_after, on_loop)

    def standing(self) -> RunState:
        """The run as it is now; without its trace where that is not known here."""
        return self._machine.checkpoint() if self._machine.is_restored else self._machine.snapshot()

    async def _go(self, stop_after: int | None, on_loop: bool) -> None:
        broker = self._broker(on_loop=on_loop)
        try:
            await broker.open(self.program)
            missing = broker.missing(self.program)
            drift = [] if missing else broker.drift(self.program)
            if drift:
                from wfc.backends.sources import Drifted

                raise Drifted(drift)
            if missing:
                self._fail_before(missing)
                return
            self._pin(broker)
            self._ask_about_doubts(broker)
            # Without parallel steps nothing is ever beside a call, but somebody who wants to stop it.
            is_beside = self._stop is not None or broker.has_parallel(self.program)
            if on_loop and stop_after is None and is_beside:
                await self._drive_together(broker)
            else:
                await self._drive(broker, on_loop, stop_after)
        finally:
            await broker.close()
            if self._observer is not None:
                self._observer.rests(self)

    async def _drive(self, broker: Broker, on_loop: bool, stop_after: int | None) -> None:
        from wfc.backends.drivers import drive

        machine, perform, direct = self._driven(broker)
        await drive(
            machine,
            perform,
            self._time(on_loop),
            due=self.due,
            stop_after=stop_after,
            journal=self.journal,
            stop=self._stop,
            direct=direct,
        )

    async def _drive_together(self, broker: Broker) -> None:
        from wfc.backends.drivers import Crowd, World, drive_together

        crowd = Crowd()
        self._crowd_size = lambda: crowd.size
        machine, perform, _ = self._driven(broker)
        world = World(
            perform, self._time(True), self.due, crowd, broker.limit_of, journal=self.journal, stop=self._stop
        )
        await drive_together(machine, world)

    def _pin(self, broker: Broker) -> None:
        """A run goes on with the capabilities that it began with. Raises `Drifted` when they are others by now."""
        if self.journal is None:
            return
        now = broker.listings(self.program)
        if not now:
            return
        from wfc.ir import difference, listing_json

        if self._pinned is None:
            self._note(Entry("pinned", None, {name: listing_json(one) for name, one in now.items()}))
            return
        changed = [
            difference(then, now[name], old_name=f"{name} (when the run began)", new_name="now")
            for name, then in self._pinned().items()
            if name in now and then.hash != now[name].hash
        ]
        if changed:
            from wfc.backends.sources import Drifted

            raise Drifted(changed, "what it was when the run began; put it back, or begin a new run")

    def _ask_about_doubts(self, broker: Broker) -> None:
        """What was begun and is not answered is made again where that does no harm; else a person is asked (2.9)."""
        for call in self._machine.pending:
            if (
                isinstance(call, Invoke)
                and call.call_id in self._in_doubt
                and not broker.may_repeat(self.program, call)
            ):
                self._machine.doubt(call.call_id)
                self._note(Entry("doubted", call.call_id, self._heard))
        self._in_doubt = frozenset()

    def _note(self, entry: Entry) -> None:
        if self.journal is not None:
            self.journal.note(entry)

    def _driven(self, broker: Broker) -> tuple[Machine, Perform, Sequence[Direct | None] | None]:
        """The machine as it is driven, what performs its calls, and which of them are made directly: none of those that
        somebody wants to see or to hold up."""
        perform = broker.perform if self._around is None else self._around(broker.perform)
        if self._observer is not None:
            from time import monotonic

            from wfc.observing import ObservedMachine, observed

            self._observer.begins(self)
            machine: Any = ObservedMachine(self._machine, self._observer)
            return machine, observed(perform, self._observer, monotonic), None
        # At full speed what is kept nowhere does not look at a wish to stop, and cannot be looked at.
        is_free = self.journal is not None or (self._stop is None and self._is_unseen)
        if self._around is not None or not is_free:
            return self._machine, perform, None
        direct = broker.direct(self._machine.slots, self.program)
        if self.journal is None:
            # Nor is it told which call it is.
            direct = [None if one is None or one.asks else one for one in direct]
        return self._machine, perform, direct

    def go_without_loop(self, *, stop_after: int | None = None) -> RunState:
        """Like `go`, without an event loop. Raises `Refused` before the first step when the program needs one."""
        from wfc.backends.drivers import run_without_loop

        if self.needs_loop:
            what = "the program calls an async handler or an MCP source"
            raise Refused("needs_event_loop", f"{what}; expected the function of the same name with `_async`")
        return run_without_loop(self.go(stop_after=stop_after, on_loop=False))

    def _fail_before(self, missing: list[str]) -> None:
        if self._has_begun:
            raise Refused("drift", "; ".join(missing))
        self._machine.fail_before("capability_unavailable", "; ".join(missing))

    def _broker(self, *, on_loop: bool) -> Broker:
        from wfc.backends.sources import Broker

        given = self._answering
        return Broker(
            given.get("handlers"),
            given.get("sources"),
            given.get("mocks"),
            run_id=self._machine.run_id,
            on_loop=on_loop,
            is_alone=lambda: self._crowd_size() <= 1 and self._is_alone(),
            progress=given.get("progress"),
        )

    def _time(self, on_loop: bool) -> Clock:
        from wfc.backends.drivers import BlockingClock, LoopClock

        if self._clock is not None:
            return self._clock
        return LoopClock() if on_loop else BlockingClock()


def _new_id() -> str:
    from uuid import uuid4

    return uuid4().hex[:12]
