"""A machine as a run state, and back, without loss at every stop (reference 2.2).

A frame's record holds what the frame alone knows. What a lineage sees follows from its parent's state and its own
writes, so only the writes are kept; what a parent has is not written again in its children.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wfc.ir import InterruptRequest, RunError, RunState, Trace
from wfc.vm import doubts, interrupts, steps, trace
from wfc.vm.fault import MISSING
from wfc.vm.frames import (
    BRANCH,
    CHILD,
    ITEM,
    READY,
    WAITING,
    Call,
    Frame,
    Loop,
    Parked,
    Region,
    Scope,
    below,
    frame_prefix,
)
from wfc.vm.lineage import Lineage
from wfc.vm.link import LinkedRoutine
from wfc.vm.motion import Motion
from wfc.vm.patch import Write, hand_outward

_ENDED = ("completed", "failed", "cancelled")


def take(motion: Motion) -> RunState:
    """The run as a value."""
    entries = () if motion.root is None else _trace(motion, motion.root)
    return _taken(motion, trace.layout, entries)


def outline(motion: Motion) -> RunState:
    """The run as a value without its trace; of that it holds only how long the parts are that may still be cut."""
    return _taken(motion, trace.outline, ())


def _taken(motion: Motion, layout: Callable[[Frame], trace.Layout], entries: Sequence[dict[str, Any]]) -> RunState:
    root = motion.root
    return RunState(
        run_id=motion.run_id,
        program=motion.linked.program.name,
        program_hash=motion.linked.hash,
        status=motion.status,
        input=motion.input,
        state={} if root is None else root.lineage.read(()),
        outcome=motion.outcome,
        output=motion.output,
        frames=() if root is None else tuple(_record(frame, layout) for frame in below(root)),
        trace=entries,
        interrupt=_asked(motion),
        error=motion.error,
        step_limit=motion.step_limit,
    )


def _trace(motion: Motion, root: Frame) -> Sequence[dict[str, Any]]:
    made = trace.records(root.entries, motion.linked.marks)
    return Trace(made) if motion.status in _ENDED else tuple(made)


def _asked(motion: Motion) -> InterruptRequest | None:
    frame = motion.active
    if frame is None:
        return None
    return interrupts.request(motion, frame) if frame.call is None else doubts.request(motion, frame)


def _record(frame: Frame, layout: Callable[[Frame], trace.Layout]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": frame.id,
        "kind": frame.kind,
        "parent": None if frame.parent is None else frame.parent.id,
        "scope": frame.scope.id,
        "status": frame.status,
        "step": frame.step,
        "index": frame.index,
        "base": frame.base,
        "steps": frame.steps,
        "sequence": frame.sequence,
        "retries": frame.retries,
        "prior_outcome": frame.prior,
        "incoming": frame.incoming,
        "visits": dict(frame.visits),
        "started_by": None if frame.parent is None else list(frame.head[2:]),
        "ending": frame.ending,
    }
    if frame.child is not None or frame.region is not None:
        before, lists = layout(frame)
        made["entries"] = {"before": before, "lists": lists}
    if frame.payload is not MISSING:
        made["payload"] = frame.payload
    if frame.kind == CHILD:
        made |= {
            "routine": frame.scope.routine.index,
            "input": frame.scope.input,
            "state": frame.lineage.read(()),
        }
    if frame.kind == ITEM and frame.loop is not None:
        made["loop"] = {
            "alias": frame.loop.alias,
            "item": frame.loop.item,
            "index": frame.loop.index,
        }
    if frame.lineage.log is not None:
        made["writes"] = _written(frame.lineage.log)
    if frame.region is not None:
        made["region"] = _region(frame.region)
    if frame.call is not None:
        made["call"] = _called(frame.call)
    if frame.parked is not None:
        made["parked"] = frame.parked.id
    return made


def _called(call: Call) -> dict[str, Any]:
    made = {"id": call.id, "attempt": call.attempt, "errors": list(call.errors), "delay": call.delay}
    return made | ({"doubts": call.doubts} if call.doubts else {})


def _written(log: Sequence[Write]) -> list[list[Any]]:
    return [[list(plan.parts), incoming] for plan, incoming in log]


def _region(region: Region) -> dict[str, Any]:
    return {
        "step": region.step,
        "visit": region.visit,
        "items": list(region.items),
        "started": region.started,
        "base": region.base,
        "next": region.next,
        "logs": [[index, _written(region.logs[index])] for index in sorted(region.logs)],
        "failed": list(region.failed),
        "failure": None if region.failure is None else [region.failure[0], region.failure[1].to_json()],
        "steps": region.steps,
    }


def load(motion: Motion, run: RunState) -> Motion:
    """Put a stored run into a fresh machine; what was given out and not answered is given out again."""
    root = _frames(motion, run)
    if root is not None:
        trace.rebuild(root, run.trace, _layouts(run))
        _take_up_all(motion, root, run)
    return motion


def restore(motion: Motion, run: RunState) -> Motion:
    """Put an outline into a fresh machine."""
    root = _frames(motion, run)
    motion.is_restored = True
    if root is not None:
        trace.elide(root, _layouts(run))
        _take_up_all(motion, root, run)
    return motion


def _frames(motion: Motion, run: RunState) -> Frame | None:
    """The root of the stored frames, made anew, each without its entries."""
    motion.status, motion.outcome, motion.output, motion.error = run.status, run.outcome, run.output, run.error
    motion.input = run.input
    frames: dict[str, Frame] = {}
    for record in run.frames:
        frames[record["id"]] = _frame(motion, record, frames, run)
    if run.frames:
        motion.root = frames[run.frames[0]["id"]]
    return motion.root


def _layouts(run: RunState) -> dict[str, dict[str, Any]]:
    return {record["id"]: record["entries"] for record in run.frames if "entries" in record}


def _take_up_all(motion: Motion, root: Frame, run: RunState) -> None:
    for frame in below(root):
        _take_up(motion, frame, run)


def _frame(motion: Motion, record: dict[str, Any], frames: dict[str, Frame], run: RunState) -> Frame:
    parent = frames[record["parent"]] if record["parent"] is not None else None
    scope = _scope(motion, record, parent, run)
    frame = Frame(
        id=record["id"],
        kind=record["kind"],
        parent=parent,
        scope=scope,
        lineage=_lineage(record, parent, scope.routine, run),
        key=() if parent is None else (*parent.key, record["index"]),
        index=record["index"],
        step=record["step"],
        base=record["base"],
        head=(record["id"], scope.id, *(record["started_by"] or (None, 0))),
        loop=_loop(record, parent),
        status=record["status"],
        steps=record["steps"],
        sequence=record["sequence"],
        retries=record["retries"],
        prior=record["prior_outcome"],
        incoming=record["incoming"],
        visits=dict(record["visits"]),
        region=_region_of(record["id"], record.get("region"), scope.routine),
        payload=record.get("payload", MISSING),
        ending=record["ending"],
        call=_call(record),
    )
    if "parked" in record:
        frame.parked = Parked(record["parked"], frame.payload)
    _attach(frame, parent)
    return frame


def _scope(motion: Motion, record: dict[str, Any], parent: Frame | None, run: RunState) -> Scope:
    if parent is None:
        return Scope(record["scope"], motion.linked.routines[0], run.input, None)
    if record["kind"] == CHILD:
        return Scope(
            record["scope"],
            motion.linked.routines[record["routine"]],
            record["input"],
            parent,
        )
    return parent.scope


def _lineage(record: dict[str, Any], parent: Frame | None, routine: LinkedRoutine, run: RunState) -> Lineage:
    if parent is None:
        return Lineage(run.state)
    if record["kind"] == CHILD:
        return Lineage(record["state"])
    lineage = parent.lineage.branch()
    hand_outward(lineage, _writes(record["writes"], routine))
    return lineage


def _writes(written: list[list[Any]], routine: LinkedRoutine) -> list[Write]:
    return [(routine.plan(tuple(parts)), incoming) for parts, incoming in written]


def _loop(record: dict[str, Any], parent: Frame | None) -> Loop | None:
    if parent is None or record["kind"] == CHILD:
        return None
    if record["kind"] == BRANCH:
        return parent.loop
    own = record["loop"]
    return Loop(own["alias"], own["item"], own["index"], parent.loop)


def _region_of(holder: str, record: dict[str, Any] | None, routine: LinkedRoutine) -> Region | None:
    if record is None:
        return None
    failure = record["failure"]
    return Region(
        step=record["step"],
        visit=record["visit"],
        items=record["items"],
        started=record["started"],
        base=record["base"],
        at=0,
        next=record["next"],
        logs={index: _writes(log, routine) for index, log in record["logs"]},
        failed=list(record["failed"]),
        failure=None if failure is None else (failure[0], RunError.from_json(failure[1])),
        steps=record["steps"],
        prefix=frame_prefix(holder, record["step"], record["visit"]),
    )


def _call(record: dict[str, Any]) -> Call | None:
    call = record.get("call")
    if call is None:
        return None
    return Call(
        call["id"],
        record["payload"],
        call["attempt"],
        list(call["errors"]),
        call["delay"],
        doubts=call.get("doubts", 0),
    )


def _attach(frame: Frame, parent: Frame | None) -> None:
    if parent is None:
        return
    if frame.kind == CHILD:
        parent.child = frame
    elif parent.region is not None:
        parent.region.live[frame.index] = frame


def _take_up(motion: Motion, frame: Frame, run: RunState) -> None:
    if frame.region is not None and frame.region.failure is not None:
        motion.failing += 1
    if frame.status == READY:
        motion.ready(frame)
    if frame.status == WAITING:
        motion.wait(frame, steps.effect_of(motion, frame))
    if run.interrupt is not None and frame.parked is not None and frame.parked.id == run.interrupt.id:
        motion.active = frame
