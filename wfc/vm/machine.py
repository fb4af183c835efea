"""The virtual machine: program × run state × answer → run state, effects. No I/O, no clock, no randomness, no threads.

Reference 2.1. A driver asks `poll` for what has to be done outside, does it, and hands back the `answer`; nothing else
moves a run. Frames go on in trace order, each until it waits, parks or ends, so one program with the same answers gives
one run, byte for byte, in whatever order parallel answers come.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from heapq import heappop, heappush
from typing import Any

from wfc.diagnostics import InternalError
from wfc.ir import (
    END,
    Answer,
    Completed,
    Delay,
    Effect,
    Elapsed,
    Failed,
    Invoke,
    NotJson,
    Refused,
    RunError,
    RunState,
    Withdraw,
    to_json,
)
from wfc.vm import failing, flow, interrupts, snapshot, steps
from wfc.vm.fault import Fault
from wfc.vm.frames import (
    CANCELLED,
    INTERRUPTED,
    READY,
    ROOT,
    WAITING,
    Frame,
    Scope,
    below,
)
from wfc.vm.frames import route as route_of
from wfc.vm.lineage import Lineage
from wfc.vm.link import Linked, LinkedBlock

DEFAULT_STEP_LIMIT = 1_000_000


class Machine:
    """A run in motion. Made by `start` or `load`; left by `snapshot`, at any time between two calls."""

    def __init__(self, linked: Linked, run_id: str, step_limit: int) -> None:
        self.linked = linked
        self.run_id = run_id
        self.step_limit = step_limit
        self.status = "created"
        self.input: Any = None
        self.root: Frame | None = None
        self.outcome: str | None = None
        self.output: Any = None
        self.error: RunError | None = None
        self.active: Frame | None = None
        self.failing = 0
        self.fuel: int | None = None
        self._ready: list[tuple[tuple[int, ...], int, Frame]] = []
        self._pushed = 0
        self._calls: dict[str, Frame] = {}
        self._effects: deque[Effect] = deque()

    @classmethod
    def start(
        cls,
        linked: Linked,
        input: Any,
        *,
        run_id: str = "run",
        step_limit: int = DEFAULT_STEP_LIMIT,
    ) -> Machine:
        """A run that stands before its first step, or has failed before it (`input_invalid`, `state_invalid`, …)."""
        machine = cls(linked, run_id, step_limit)
        try:
            machine.input = to_json(input)
            machine._begin()
        except NotJson as error:
            machine.fail_run(RunError("input_invalid", f"the input is no JSON: {error}", path=error.path))
        except Fault as fault:
            machine.fail_run(RunError(fault.code, fault.message, path=fault.path))
        return machine

    @classmethod
    def load(cls, linked: Linked, run: RunState) -> Machine:
        """Take up a stored run; calls that were given out and not answered are given out again."""
        return snapshot.load(cls(linked, run.run_id, run.step_limit), run)

    def _begin(self) -> None:
        self._require_prepared()
        routine = self.linked.routines[0]
        given, state = flow.begin(routine, self.input, "input_invalid")
        self.input = given
        scope = Scope("root", routine, given, None)
        frame = Frame(
            "root",
            ROOT,
            None,
            scope,
            Lineage(state),
            (),
            0,
            routine.routine.start,
            0,
            None,
        )
        self.root = frame
        self.status = "running"
        self.ready(frame)

    def _require_prepared(self) -> None:
        if self.linked.missing_reducers:
            names = ", ".join(f"`{name}`" for name in self.linked.missing_reducers)
            raise Fault("capability_unavailable", f"nothing answers the reducer {names}")
        for routine in self.linked.routines:
            for block in routine.blocks.values():
                if block.child is not None and block.child.routine is None:
                    message = f"`{block.id}` needs the workflow `{block.child.workflow}`, which nothing prepared"
                    raise Fault("capability_unavailable", message)

    # -- what a driver calls ------------------------------------------------------------------------------------------

    def poll(self) -> Effect | None:
        """Run on until something has to be done outside; none when nothing can go on without an answer.

        With `fuel` set, also none after that many entries of the trace.
        """
        while not self._effects and self.status == "running":
            frame = self._next()
            if frame is None or (self.fuel == 0 and frame.step != END):
                self._rest(frame)
                break
            self._step(frame, steps.enter)
        return self._effects.popleft() if self._effects else None

    def answer(self, answer: Answer) -> None:
        """Take the answer to an effect. One that nobody waits for any more is ignored."""
        frame = self._calls.pop(answer.call_id, None)
        if frame is None:
            return
        frame.status = READY
        match answer:
            case Completed(_, result):
                self._step(frame, steps.completed, result)
            case Failed():
                self._step(frame, steps.failed, answer)
            case Elapsed():
                self._step(frame, steps.elapsed)

    def resume(self, outcome: str, payload: Any, interrupt_id: str | None = None) -> None:
        """Answer the active interrupt; raises `Refused`, and then nothing has changed (reference 2.7)."""
        frame = self.active
        if self.status != "interrupted" or frame is None:
            raise Refused("stale_interrupt", f"the run is {self.status}; it waits for no answer")
        accepted = interrupts.accepted(self, frame, outcome, payload, interrupt_id)
        self.active, self.status = None, "running"
        interrupts.go_on(self, frame, accepted)

    def fail_before(self, code: str, message: str) -> None:
        """End a run that has not begun: what it needs is not there."""
        self.fail_run(RunError(code, message))

    @property
    def pending(self) -> tuple[Invoke | Delay, ...]:
        """What was given out and is not answered, in trace order."""
        frames = sorted(self._calls.values(), key=lambda frame: frame.key)
        return tuple(steps.effect_of(self, frame) for frame in frames)

    def snapshot(self) -> RunState:
        """The run as a value; it shares nothing that this machine will change."""
        return snapshot.take(self)

    # -- what steps and regions call ----------------------------------------------------------------------------------

    def block(self, frame: Frame) -> LinkedBlock:
        return frame.scope.routine.blocks[frame.step]

    def block_at(self, frame: Frame, step: str) -> LinkedBlock:
        return frame.scope.routine.blocks[step]

    def ready(self, frame: Frame) -> None:
        """Queue a frame; it goes on when it is the first in trace order that can."""
        frame.status = READY
        self._pushed += 1
        heappush(self._ready, (frame.key, self._pushed, frame))

    def lineage_ended(self, holder: Frame) -> None:
        """A lineage of the region that a frame is blocked on has ended without failing it: the frame goes on."""
        if holder.region is not None and holder.region.failure is not None:
            failing.settle(self, holder)
        else:
            self.ready(holder)

    def wait(self, frame: Frame, effect: Invoke | Delay) -> None:
        """Give out an effect; the frame waits for its answer."""
        frame.status = WAITING
        self._calls[effect.call_id] = frame
        self._effects.append(effect)

    def count(self, frame: Frame) -> None:
        """Raise `step_limit` when the next entry of a frame would be one too many (reference 2.6)."""
        if frame.steps >= self.step_limit:
            raise Fault("step_limit", f"the run has used its {self.step_limit} steps")

    def entered(self) -> None:
        """Note that the trace has grown by what stepping counts as a step."""
        if self.fuel:
            self.fuel -= 1

    def cancel(self, frames: Iterable[Frame]) -> None:
        """End frames, and all below them, for good; nobody waits for their calls any more."""
        for top in frames:
            for frame in below(top):
                if frame.status == WAITING and frame.call is not None:
                    self._calls.pop(frame.call.id, None)
                    self._effects.append(Withdraw(frame.call.id))
                if frame.region is not None and frame.region.failure is not None:
                    self.failing -= 1
                frame.status = CANCELLED

    def run_error(self, frame: Frame, fault: Fault) -> RunError:
        """A fault as the error of a run, at the step that the frame stands on."""
        _, _, hops = route_of(frame, frame.step)
        return RunError(
            fault.code,
            fault.message,
            frame.step,
            frame.id,
            hops,
            fault.type,
            fault.path,
            fault.details,
        )

    def complete_run(self, outcome: str, output: Any) -> None:
        self.outcome, self.output = outcome, output
        self._end("completed")

    def fail_run(self, error: RunError) -> None:
        self.error = error
        self._end("failed")

    # -- the loop -----------------------------------------------------------------------------------------------------

    def _next(self) -> Frame | None:
        """The first frame in trace order that can go on; it stays queued until it waits, parks or ends."""
        while self._ready:
            frame = self._ready[0][2]
            if frame.status == READY:
                return frame
            heappop(self._ready)
        return None

    def _step(self, frame: Frame, action: Any, *arguments: Any) -> None:
        """One move of a frame. A fault fails it at the step that it stands on, with the one entry of that step."""
        try:
            action(self, frame, *arguments)
        except Fault as fault:
            failing.fail_step(self, frame, fault)
        if frame.status == READY:
            if not self._queued(frame) and self.status == "running":
                self.ready(frame)
        elif self.failing and frame.status != WAITING:
            failing.settle(self, frame)

    def _queued(self, frame: Frame) -> bool:
        return bool(self._ready) and self._ready[0][2] is frame

    def _rest(self, ready: Frame | None) -> None:
        """Nothing is runnable: ask the first question, if nothing is under way either."""
        if ready is not None or self._calls or self.root is None:
            return
        parked = [frame for frame in below(self.root) if frame.status == INTERRUPTED]
        if not parked:
            raise InternalError("nothing is runnable, waiting or parked", self.snapshot().to_json())
        self.active, self.status = parked[0], "interrupted"

    def _end(self, status: str) -> None:
        if self.root is not None:
            self.root.status = status
        self.active, self.status = None, status
        self._ready.clear()
        self._calls.clear()
