"""The virtual machine: program × run state × answer → run state, effects. No I/O, no clock, no randomness, no threads.

Reference 2.1. A driver asks `poll` for what has to be done outside, does it, and hands back the `answer`; nothing else
moves a run. Frames go on in trace order, each until it waits, parks or ends, so one program with the same answers gives
one run, byte for byte, in whatever order parallel answers come.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wfc.diagnostics import InternalError
from wfc.ir import (
    END,
    LATE,
    PLOD,
    Answer,
    Completed,
    Delay,
    Effect,
    Elapsed,
    Failed,
    Invoke,
    NodeResult,
    NotJson,
    Refused,
    RunError,
    RunState,
    to_json,
)
from wfc.vm import doubts, failing, flow, interrupts, regions, snapshot, steps, trace
from wfc.vm.fault import MISSING, Fault
from wfc.vm.frames import (
    INTERRUPTED,
    READY,
    ROOT,
    WAITING,
    Call,
    Frame,
    Scope,
    below,
    call_id,
)
from wfc.vm.lineage import Lineage
from wfc.vm.link import Linked
from wfc.vm.motion import Motion
from wfc.vm.swift import Swift, made_swift

DEFAULT_STEP_LIMIT = 1_000_000
# A frame, and the step that it stands on.
Ahead = tuple[Frame, Swift]


class Machine:
    """A run that a driver moves. Made by `start` or `load`; left by `snapshot`, at any time between two calls."""

    def __init__(self, motion: Motion) -> None:
        self._motion = motion
        # Tests set this to have every step done by `steps` alone, which is what swift steps are compared with.
        self.is_reference = False
        made_swift(motion.linked)

    @classmethod
    def start(cls, linked: Linked, input: Any, *, run_id: str = "run", step_limit: int = DEFAULT_STEP_LIMIT) -> Machine:
        """A run that stands before its first step, or has failed before it (`input_invalid`, `state_invalid`, …)."""
        motion = Motion(linked, run_id, step_limit)
        try:
            motion.input = to_json(input)
            _begin(motion)
        except NotJson as error:
            motion.fail_run(RunError("input_invalid", f"the input is no JSON: {error}", path=error.path))
        except Fault as fault:
            motion.fail_run(RunError(fault.code, fault.message, path=fault.path))
        return cls(motion)

    @classmethod
    def load(cls, linked: Linked, run: RunState) -> Machine:
        """Take up a stored run; calls that were given out and not answered are given out again."""
        return cls(snapshot.load(Motion(linked, run.run_id, run.step_limit), run))

    @classmethod
    def restore(cls, linked: Linked, run: RunState) -> Machine:
        """Take up a run where `checkpoint` was taken; what the trace held until then stays unknown."""
        return cls(snapshot.restore(Motion(linked, run.run_id, run.step_limit), run))

    @property
    def run_id(self) -> str:
        return self._motion.run_id

    @property
    def status(self) -> str:
        return self._motion.status

    @property
    def question(self) -> str | None:
        """The id of the interrupt that waits for an answer."""
        active = self._motion.active
        return None if active is None or active.parked is None else active.parked.id

    @property
    def is_restored(self) -> bool:
        """Whether the machine was made from a checkpoint, and so does not know its whole trace."""
        return self._motion.is_restored

    @property
    def fuel(self) -> int | None:
        """How many entries of the trace may still be written; none for any number."""
        return self._motion.fuel

    @fuel.setter
    def fuel(self, entries: int | None) -> None:
        self._motion.fuel = entries

    def poll(self) -> Effect | None:
        """Run on until something has to be done outside; none when nothing can go on without an answer, or the fuel is
        used up."""
        motion = self._motion
        while not motion.effects and motion.status == "running":
            frame = motion.next()
            if frame is None or (motion.fuel == 0 and frame.step != END):
                _rest(motion, frame)
                break
            self._go(frame)
        return motion.effects.popleft() if motion.effects else None

    def _go(self, frame: Frame) -> None:
        """Do the step that a frame stands on, at full speed where that is possible."""
        motion, step = self._motion, self._swift(frame)
        if step is None:
            return _move(motion, frame, steps.enter)
        if step.begin is None:
            if step.end(frame, motion.step_limit, step.end_with) is PLOD:
                _move(motion, frame, steps.enter)
            return None
        payload = step.begin(frame, motion.step_limit, False, step.begin_with)
        if payload is PLOD:
            return _move(motion, frame, steps.enter)
        packed, frame.payload = frame.payload, payload
        steps.give_out(motion, frame).packed = packed
        motion.effects.append(steps.effect_of(motion, frame))
        return None

    def _swift(self, frame: Frame) -> Swift | None:
        motion = self._motion
        if self.is_reference or motion.fuel is not None or motion.heard is not None:
            return None
        if frame.region is not None or frame.child is not None:
            return None
        found: Swift | None = frame.scope.routine.swift[frame.step]
        return found

    def _end(self, frame: Frame, result: NodeResult) -> bool:
        """Take the result of a call at full speed; false, and nothing has changed, where that is not possible."""
        call, step, output = frame.call, self._swift(frame), result.output
        if call is None or call.packed is MISSING or call.errors or step is None or type(output) is not dict:
            return False
        if result.extra or result.meta or not (result.outcome is None or type(result.outcome) is str):
            return False
        end, given = step.ends.get(result.outcome, (None, ()))
        if end is None:
            return False
        frame.payload = call.packed
        if end(frame, output, given) is LATE:
            frame.payload = call.payload
            return False
        frame.call = None
        if not self._motion.is_next(frame):
            self._motion.ready(frame)
        return True

    def ahead(self, direct: Sequence[Any]) -> Ahead | None:
        """Run on like `poll`, up to a step that can go at full speed: a call whose slot in `direct` is not none, or a
        step that calls nothing. None when there is no such step next, or stepping was asked for; then `poll` goes on.

        What is given may be moved by `begin` and `end` of its steps, for as long as they give steps that can go on so;
        `plod` and `late` take over where they do not.
        """
        motion = self._motion
        motion.hurry()
        while motion.hurries and not motion.effects and motion.status == "running":
            frame = motion.next()
            if frame is None:
                break
            if frame.region is None and frame.child is None:
                swift = frame.scope.routine.swift[frame.step]
                if swift is not None and (swift.begin is None or direct[swift.slot] is not None):
                    return frame, swift
                if swift is not None:
                    break
            _move(motion, frame, steps.enter)
        regions.let_enter(motion)
        return None

    @property
    def slots(self) -> Mapping[tuple[str, str], int]:
        """The number of each definition, by the names of workflow and definition: the order of `direct`."""
        return self._motion.linked.slots

    @property
    def input(self) -> Any:
        """What the run was given."""
        return self._motion.input

    @property
    def step_limit(self) -> int:
        return self._motion.step_limit

    def listen(self) -> None:
        """From now on keep new entries of the trace until `heard` is asked for them."""
        self._motion.heard = []

    def heard(self) -> list[dict[str, Any]]:
        """The entries that are new since this was asked last, in the order in which they were made."""
        found, self._motion.heard = self._motion.heard or [], []
        return found

    def frames(self) -> list[Frame]:
        """The frames that are there now, in trace order; for looking at only."""
        return [] if self._motion.root is None else below(self._motion.root)

    def call_of(self, frame: Any) -> str:
        """The id of the call that a frame begins at full speed."""
        return call_id(self._motion.run_id, frame.id, frame.step, frame.sequence + 1)

    def invoke_of(self, frame: Any) -> Invoke:
        """The call that a frame begins at full speed, as whoever makes it sees it."""
        step = frame.scope.routine.swift[frame.step]
        call = Call(self.call_of(frame), trace.whole(step.inputs, frame.payload))
        return steps.invoke_of(self._motion, frame, call)

    def output_of(self, frame: Any) -> Any:
        """The output with which a frame has left a call at full speed, as the trace has it."""
        return trace.last_output(frame, self._motion.linked.marks)

    def plod(self, frame: Any) -> None:
        """Do the step that a frame stands on as the reference does it."""
        _move(self._motion, frame, steps.enter)

    def late(self, frame: Any) -> Invoke:
        """Note the call that a frame has begun at full speed as given out, so that it can be answered, or left open."""
        motion, step = self._motion, frame.scope.routine.swift[frame.step]
        frame.payload = trace.whole(step.inputs, frame.payload)
        steps.give_out(motion, frame)
        regions.let_enter(motion)
        invoke = steps.effect_of(motion, frame)
        assert isinstance(invoke, Invoke)
        return invoke

    def answer(self, answer: Answer) -> None:
        """Take the answer to an effect. One that nobody waits for any more is ignored."""
        frame = self._motion.calls.pop(answer.call_id, None)
        if frame is None:
            return
        frame.status = READY
        match answer:
            case Completed(_, result) if self._end(frame, result):
                return
            case Completed(_, result):
                _move(self._motion, frame, steps.completed, result)
            case Failed():
                _move(self._motion, frame, steps.failed, answer)
            case Elapsed():
                _move(self._motion, frame, steps.elapsed)

    def resume(self, outcome: str, payload: Any, interrupt_id: str | None = None) -> None:
        """Answer the active interrupt; raises `Refused`, and then nothing has changed (reference 2.7)."""
        motion, frame = self._motion, self._motion.active
        if motion.status != "interrupted" or frame is None:
            raise Refused("stale_interrupt", f"the run is {motion.status}; it waits for no answer")
        if frame.call is not None:
            said = doubts.accepted(motion, frame, outcome, payload, interrupt_id)
            motion.active, motion.status = None, "running"
            _move(motion, frame, doubts.go_on, said)
            return
        accepted = interrupts.accepted(motion, frame, outcome, payload, interrupt_id)
        motion.active, motion.status, motion.asks = None, "running", None
        interrupts.go_on(motion, frame, accepted)

    def awaits(self, call_id: str) -> bool:
        """Whether a call or delay of this id was given out and is not answered."""
        return call_id in self._motion.calls

    def doubt(self, call_id: str) -> None:
        """A call was begun and nobody knows whether it happened: ask a person (reference 2.9)."""
        motion = self._motion
        frame = motion.calls.pop(call_id, None)
        if frame is None:
            raise InternalError(
                f"the call `{call_id}` is in doubt and nothing waits for it", self.checkpoint().to_json()
            )
        motion.effects = deque(effect for effect in motion.effects if effect.call_id != call_id)
        _move(motion, frame, doubts.park)

    def cancel(self, message: str) -> None:
        """End the run from outside; what is under way is given up (reference 4.3)."""
        self._motion.cancel_run(RunError("cancelled", message))

    def fail_before(self, code: str, message: str) -> None:
        """End a run that has not begun: what it needs is not there."""
        self._motion.fail_run(RunError(code, message))

    @property
    def pending(self) -> tuple[Invoke | Delay, ...]:
        """What was given out and is not answered, in trace order."""
        frames = sorted(self._motion.calls.values(), key=lambda frame: frame.key)
        return tuple(steps.effect_of(self._motion, frame) for frame in frames)

    def snapshot(self) -> RunState:
        """The run as a value; it shares nothing that this machine will change.

        Raises `InternalError` for a machine that was restored and so does not know its trace.
        """
        if self._motion.is_restored:
            raise InternalError("a machine was asked for a trace that it was restored without")
        return snapshot.take(self._motion)

    def checkpoint(self) -> RunState:
        """The run without its trace, for `restore`: of a size that does not grow with the steps behind it."""
        return snapshot.outline(self._motion)


def _begin(motion: Motion) -> None:
    _require_prepared(motion.linked)
    routine = motion.linked.routines[0]
    motion.input, state = flow.begin(routine, motion.input, "input_invalid")
    scope = Scope("root", routine, motion.input, None)
    head = ("root", scope.id, None, 0)
    motion.root = Frame("root", ROOT, None, scope, Lineage(state), (), 0, routine.routine.start, 0, head)
    motion.status = "running"
    motion.ready(motion.root)


def _require_prepared(linked: Linked) -> None:
    if linked.missing_reducers:
        names = ", ".join(f"`{name}`" for name in linked.missing_reducers)
        raise Fault("capability_unavailable", f"nothing answers the reducer {names}")
    for routine in linked.routines:
        for block in routine.blocks.values():
            if block.child is not None and block.child.routine is None:
                message = f"`{block.id}` needs the workflow `{block.child.workflow}`, which nothing prepared"
                raise Fault("capability_unavailable", message)


def _move(motion: Motion, frame: Frame, action: Callable[..., None], *arguments: Any) -> None:
    """One move of a frame. A fault fails it at the step that it stands on, with the one entry of that step."""
    try:
        action(motion, frame, *arguments)
    except Fault as fault:
        failing.fail_step(motion, frame, fault)
    if frame.status == READY:
        if not motion.is_next(frame) and motion.status == "running":
            motion.ready(frame)
    elif motion.failing and frame.status != WAITING:
        failing.settle(motion, frame)


def _rest(motion: Motion, ready: Frame | None) -> None:
    """Nothing is runnable: ask the first question, if nothing is under way either."""
    if ready is not None or motion.calls or motion.root is None:
        return
    parked = [frame for frame in below(motion.root) if frame.status == INTERRUPTED]
    if not parked:
        raise InternalError("nothing is runnable, waiting or parked", snapshot.take(motion).to_json())
    # A call in doubt is like one in flight: what it gave may end those who ask beside it, so it is cleared up first.
    motion.active = next((frame for frame in parked if frame.in_doubt), parked[0])
    motion.status = "interrupted"
