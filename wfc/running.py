"""The verbs that run a program: one execution, behind a synchronous and an asynchronous door (reference 4.8).

An execution is a machine, the broker that answers its calls, and the delays that run. `go` is the only thing that moves
it, and it is the same coroutine for both doors: what never waits for an event loop needs none.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from wfc.ir import Answer, Entry, Invoke, Program, Refused, RunState, to_json

if TYPE_CHECKING:
    from wfc.backends.drivers import Clock, Journal, Stop
    from wfc.backends.sources import Broker, Mocks, Progress, Source
    from wfc.ir import Reducer
    from wfc.vm import Linked, Machine

Handlers = Mapping[str, Callable[..., Any]]
Perform = Callable[[Invoke], Awaitable[Answer]]
_ENDED = ("completed", "failed", "cancelled")
_LINKS_KEPT = 8
_links: dict[int, tuple[Program, tuple[Any, ...], Linked]] = {}


def linked(program: Program, reducers: Iterable[Reducer] = ()) -> Linked:
    """The program made ready to run; the last few are kept, because stepping and resuming come back to the same one."""
    from wfc.vm import link

    further = tuple(reducers)
    kept = _links.get(id(program))
    if kept is None or kept[0] is not program or kept[1] != further:
        kept = (program, further, link(program, further))
        while len(_links) >= _LINKS_KEPT:
            del _links[next(iter(_links))]
        _links[id(program)] = kept
    return kept[2]


class Answering(TypedDict, total=False):
    """Who answers calls and merges writes: functions by name, sources by name, scripted answers, further reducers.

    `handlers` map `workflow/definition`, a definition or a capability to a function; the first that is there answers.
    `progress` is told how far a call is, as its server says.
    """

    handlers: Handlers
    sources: Mapping[str, Source]
    mocks: Mocks
    reducers: Iterable[Reducer]
    progress: Callable[[Invoke, Progress], None]


class Execution:
    """A run in motion. `due` says by call id when the delays that run are over, in seconds of the epoch.

    `around` may put something around every call, so that whoever runs a workflow can watch or hold up its calls.
    `journal` is told of everything before anything further begins; `stop` ends a run between two answers (`Stopped`).
    """

    def __init__(
        self,
        program: Program,
        *,
        clock: Clock | None = None,
        due: Mapping[str, float] | None = None,
        around: Callable[[Perform], Perform] = lambda perform: perform,
        stop: Stop | None = None,
        **answering: Unpack[Answering],
    ) -> None:
        self.program = program
        self.journal: Journal | None = None
        self._stop = stop
        self._crowd_size: Callable[[], int] = lambda: 1
        self._in_doubt: frozenset[str] = frozenset()
        self._has_begun = False
        self._around = around
        self.due = dict(due or {})
        self._machine: Machine
        self._linked = linked(program, answering.get("reducers", ()))
        self._answering = answering
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

    def take_over(self, machine: Machine, begun: Iterable[str]) -> Execution:
        """Stand where a journal ends. `begun` are the calls that had begun by then: one that cannot be made again
        without harm is asked about."""
        self._has_begun = True
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

    def snapshot(self) -> RunState:
        """The run as it is now; a call in flight is pending in it."""
        return self._machine.snapshot()

    async def go(self, *, stop_after: int | None = None, on_loop: bool = True) -> RunState:
        """Run on until the run has ended or waits for a person, or has made `stop_after` steps."""
        if self._machine.status == "running":
            await self._go(stop_after, on_loop)
        return self.standing()

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
            self._ask_about_doubts(broker)
            perform = self._around(broker.perform)
            if on_loop and stop_after is None:
                await self._drive_together(perform, broker)
            else:
                await self._drive(perform, on_loop, stop_after)
        finally:
            await broker.close()

    async def _drive(self, perform: Perform, on_loop: bool, stop_after: int | None) -> None:
        from wfc.backends.drivers import drive

        await drive(
            self._machine,
            perform,
            self._time(on_loop),
            due=self.due,
            stop_after=stop_after,
            journal=self.journal,
            stop=self._stop,
        )

    async def _drive_together(self, perform: Perform, broker: Broker) -> None:
        from wfc.backends.drivers import Crowd, World, drive_together

        crowd = Crowd()
        self._crowd_size = lambda: crowd.size
        world = World(
            perform, self._time(True), self.due, crowd, broker.limit_of, journal=self.journal, stop=self._stop
        )
        await drive_together(self._machine, world)

    def _ask_about_doubts(self, broker: Broker) -> None:
        """What was begun and is not answered is made again where that does no harm; else a person is asked (2.9)."""
        for call in self._machine.pending:
            if (
                isinstance(call, Invoke)
                and call.call_id in self._in_doubt
                and not broker.may_repeat(self.program, call)
            ):
                self._machine.doubt(call.call_id)
                self._note(Entry("doubted", call.call_id))
        self._in_doubt = frozenset()

    def _note(self, entry: Entry) -> None:
        if self.journal is not None:
            self.journal.note(entry)

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
        error = ("capability_unavailable", "; ".join(missing))
        self._machine.fail_before(*error)
        self._note(Entry("unavailable", None, list(error)))

    def _broker(self, *, on_loop: bool) -> Broker:
        from wfc.backends.sources import Broker

        given = self._answering
        return Broker(
            given.get("handlers"),
            given.get("sources"),
            given.get("mocks"),
            run_id=self._machine.run_id,
            on_loop=on_loop,
            is_alone=lambda: self._crowd_size() <= 1,
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


# -- the doors --------------------------------------------------------------------------------------------------------


def execute_workflow(
    program: Program,
    input: Any,
    *,
    run_id: str | None = None,
    step_limit: int | None = None,
    **answering: Unpack[Answering],
) -> RunState:
    """Run a program until it has ended or waits for a person. Nothing here needs an event loop, and none is started.

    `input` is a JSON object; what answers calls is described at `Answering`. Raises `Refused` before the first step
    when a handler is async or an MCP source is called: `execute_workflow_async` can.
    """
    execution = Execution(program, **answering)
    return execution.start(input, run_id=run_id, step_limit=step_limit).go_without_loop()


async def execute_workflow_async(
    program: Program,
    input: Any,
    *,
    run_id: str | None = None,
    step_limit: int | None = None,
    **answering: Unpack[Answering],
) -> RunState:
    """Like `execute_workflow`, on the event loop that awaits it; sync and async handlers mix."""
    execution = Execution(program, **answering)
    return await execution.start(input, run_id=run_id, step_limit=step_limit).go()


def start_workflow(
    program: Program, input: Any, *, run_id: str | None = None, step_limit: int | None = None
) -> RunState:
    """A run that stands before its first step, for `step_workflow`."""
    return Execution(program).start(input, run_id=run_id, step_limit=step_limit).snapshot()


def step_workflow(
    program: Program,
    run: RunState,
    **answering: Unpack[Answering],
) -> RunState:
    """One step, with all its attempts, of the first frame that can go on. The given run is untouched.

    Raises `Refused` for a run that is interrupted or has ended, and for what the synchronous door cannot call.
    """
    execution = Execution(program, **answering)
    return steppable(execution.take_up(run)).go_without_loop(stop_after=1)


async def step_workflow_async(
    program: Program,
    run: RunState,
    **answering: Unpack[Answering],
) -> RunState:
    """Like `step_workflow`, on the event loop that awaits it."""
    execution = Execution(program, **answering)
    return await steppable(execution.take_up(run)).go(stop_after=1)


def resume_workflow(
    program: Program,
    run: RunState,
    *,
    outcome: str | None = None,
    payload: Any = None,
    interrupt_id: str | None = None,
    **answering: Unpack[Answering],
) -> RunState:
    """Go on with a run: an interrupted one with the answer `outcome` and `payload`, a stopped one without.

    Raises `Refused` with a reason of reference 2.7, and then the given run is as it was: `stale_interrupt`,
    `undeclared_outcome`, `unwired_outcome`, `payload_invalid`, `missing_path`, or the code of the patch.
    """
    execution = Execution(program, **answering)
    return answered(execution.take_up(run), outcome, payload, interrupt_id).go_without_loop()


async def resume_workflow_async(
    program: Program,
    run: RunState,
    *,
    outcome: str | None = None,
    payload: Any = None,
    interrupt_id: str | None = None,
    **answering: Unpack[Answering],
) -> RunState:
    """Like `resume_workflow`, on the event loop that awaits it."""
    execution = Execution(program, **answering)
    return await answered(execution.take_up(run), outcome, payload, interrupt_id).go()


def steppable(execution: Execution) -> Execution:
    if execution.status == "interrupted":
        raise Refused("interrupted", "the run waits for an answer; it cannot be stepped before it is resumed")
    if execution.status in _ENDED:
        raise Refused("ended", f"the run is {execution.status}; there is no step left")
    return execution


def answered(execution: Execution, outcome: str | None, payload: Any, interrupt_id: str | None) -> Execution:
    if execution.status in _ENDED:
        raise Refused("stale_interrupt", f"the run is {execution.status}; it waits for no answer")
    if outcome is not None:
        return execution.answer(outcome, payload, interrupt_id)
    if execution.status == "interrupted":
        raise Refused("undeclared_outcome", "the run waits for an answer; expected an outcome")
    return execution
