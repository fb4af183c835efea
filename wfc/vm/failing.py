"""Failure: how the error of a step goes outward, region by region, until something takes it (reference 2.6).

A region that a lineage has failed waits for the lower lineages only; then it ends with the error of the lowest one.
"""

from __future__ import annotations

from wfc.ir import RunError
from wfc.vm import flow, trace
from wfc.vm.fault import Fault
from wfc.vm.frames import CHILD, FAILED, READY, WAITING, Frame, below
from wfc.vm.motion import Motion

# No region takes these: they are about the run, not about one item (reference 2.6).
_NEVER_TAKEN = ("step_limit", "depth_limit", "cancelled", "drift")
_WITHOUT_ENTRY = ("step_limit", "cancelled")


def fail_step(motion: Motion, frame: Frame, fault: Fault) -> None:
    """A step has failed where the fault arose: its one entry, and then outward."""
    error = motion.run_error(frame, fault)
    if fault.code not in _WITHOUT_ENTRY:
        flow.write_entry(motion, frame, motion.block(frame), error=error.to_json())
    fail(motion, frame, error)


def fail(motion: Motion, frame: Frame, error: RunError) -> None:
    """A frame has failed, and its entry is written: outward until something takes the error (reference 2.6)."""
    while True:
        motion.cancel(frame.children())
        frame.region, frame.child, frame.status = None, None, FAILED
        holder = frame.parent
        if holder is None:
            return motion.fail_run(error)
        if frame.kind == CHILD:
            holder.child = None
            holder.steps += frame.steps - frame.base
            try:
                if _child_caught(motion, holder, error):
                    return None
            except Fault as fault:
                return fail_step(motion, holder, fault)
        elif _taken(motion, frame, error):
            return None
        else:
            closed = _note_failure(motion, holder, frame.index, error)
            if closed is None:
                return None
            error = closed
        frame = holder


def _taken(motion: Motion, frame: Frame, error: RunError) -> bool:
    """Whether the foreach around an item takes its failure; then the loop goes on."""
    holder = frame.parent
    assert holder is not None and holder.region is not None
    region, block = holder.region, motion.block_at(holder, holder.region.step)
    if block.foreach is None or block.foreach.on_item_error == "fail" or error.code in _NEVER_TAKEN:
        return False
    del region.live[frame.index]
    region.steps += frame.steps - frame.base
    if block.foreach.mode == "serial":
        holder.steps, region.steps = holder.steps + region.steps, 0
    item = region.items[frame.index]
    about = {"code": error.code, "message": error.message, "node_id": error.node_id}
    region.failed.append({"index": frame.index, "item": item, **about})
    lineage_ended(motion, holder)
    return True


def fail_region(motion: Motion, holder: Frame, index: int, error: RunError) -> None:
    closed = _note_failure(motion, holder, index, error)
    if closed is not None:
        fail(motion, holder, closed)


def _note_failure(motion: Motion, holder: Frame, index: int, error: RunError) -> RunError | None:
    """A lineage has failed its region: higher ones are cancelled, lower ones go on. The region's error, once it has
    none left to wait for."""
    region = holder.region
    assert region is not None
    if region.failure is None:
        motion.failing += 1
    if region.failure is None or index < region.failure[0]:
        region.failure = (index, error)
    region.live.pop(index, None)
    motion.cancel(child for at, child in region.live.items() if at > index)
    region.live = {at: child for at, child in region.live.items() if at < index}
    return _closed(motion, holder)


def _closed(motion: Motion, holder: Frame) -> RunError | None:
    """The error of a failing region when each lower lineage has ended, failed or parked; it ends here then."""
    region = holder.region
    assert region is not None and region.failure is not None
    lower = [frame for child in region.live.values() for frame in below(child)]
    if any(frame.status in (READY, WAITING) or frame.in_doubt for frame in lower):
        return None
    motion.cancel(region.live.values())
    index, error = region.failure
    trace.cut(holder, region, index)
    holder.steps = region.base + trace.length_from(holder, region)
    motion.failing -= 1
    holder.region = None
    return error


def lineage_ended(motion: Motion, holder: Frame) -> None:
    """A lineage of the region that a frame is blocked on has ended without failing it: the frame goes on."""
    if holder.region is not None and holder.region.failure is not None:
        settle(motion, holder)
    else:
        motion.ready(holder)


def settle(motion: Motion, frame: Frame) -> None:
    """A frame has come to rest: end the failing regions around it that have nothing left to wait for."""
    around: Frame | None = frame
    while around is not None and motion.failing:
        if around.region is not None and around.region.failure is not None:
            error = _closed(motion, around)
            if error is not None:
                return fail(motion, around, error)
        around = around.parent
    return None


def _child_caught(motion: Motion, holder: Frame, error: RunError) -> bool:
    """Whether the `catch` of a subgraph step takes the failure of its child; then the step goes on."""
    block = motion.block(holder)
    outcome = flow.caught(block, error.code, error.type)
    if outcome is None:
        return False
    shown = {"code": error.code, "message": error.message} | ({"type": error.type} if error.type else {})
    holder.status = READY
    motion.count(holder)
    flow.finish(motion, holder, block, outcome, {"error": shown})
    motion.ready(holder)
    return True
