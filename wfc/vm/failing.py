"""Failure: how the error of a step goes outward, region by region, until something takes it (reference 2.6).

A region that a lineage has failed waits for the lower lineages only; then it ends with the error of the lowest one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wfc.ir import RunError
from wfc.vm import flow, trace
from wfc.vm.fault import Fault
from wfc.vm.frames import CHILD, FAILED, READY, WAITING, Frame, below

if TYPE_CHECKING:
    from wfc.vm.machine import Machine

# No region takes these: they are about the run, not about one item (reference 2.6).
_NEVER_TAKEN = ("step_limit", "depth_limit", "cancelled", "drift")
_WITHOUT_ENTRY = ("step_limit", "cancelled")


def fail_step(machine: Machine, frame: Frame, fault: Fault) -> None:
    """A step has failed where the fault arose: its one entry, and then outward."""
    error = machine.run_error(frame, fault)
    if fault.code not in _WITHOUT_ENTRY:
        flow.write_entry(machine, frame, machine.block(frame), error=error.to_json())
    fail(machine, frame, error)


def fail(machine: Machine, frame: Frame, error: RunError) -> None:
    """A frame has failed, and its entry is written: outward until something takes the error (reference 2.6)."""
    while True:
        machine.cancel(frame.children())
        frame.region, frame.child, frame.status = None, None, FAILED
        holder = frame.parent
        if holder is None:
            return machine.fail_run(error)
        if frame.kind == CHILD:
            holder.child = None
            holder.steps += frame.steps - frame.base
            try:
                if _child_caught(machine, holder, error):
                    return None
            except Fault as fault:
                return fail_step(machine, holder, fault)
        elif _taken(machine, frame, error):
            return None
        else:
            closed = _note_failure(machine, holder, frame.index, error)
            if closed is None:
                return None
            error = closed
        frame = holder


def _taken(machine: Machine, frame: Frame, error: RunError) -> bool:
    """Whether the foreach around an item takes its failure; then the loop goes on."""
    holder = frame.parent
    assert holder is not None and holder.region is not None
    region, block = holder.region, machine.block_at(holder, holder.region.step)
    if block.foreach is None or block.foreach.on_item_error == "fail" or error.code in _NEVER_TAKEN:
        return False
    del region.live[frame.index]
    region.steps += frame.steps - frame.base
    if block.foreach.mode == "serial":
        holder.steps, region.steps = holder.steps + region.steps, 0
    item = region.items[frame.index]
    about = {"code": error.code, "message": error.message, "node_id": error.node_id}
    region.failed.append({"index": frame.index, "item": item, **about})
    machine.lineage_ended(holder)
    return True


def fail_region(machine: Machine, holder: Frame, index: int, error: RunError) -> None:
    closed = _note_failure(machine, holder, index, error)
    if closed is not None:
        fail(machine, holder, closed)


def _note_failure(machine: Machine, holder: Frame, index: int, error: RunError) -> RunError | None:
    """A lineage has failed its region: higher ones are cancelled, lower ones go on. The region's error, once it has
    none left to wait for."""
    region = holder.region
    assert region is not None
    if region.failure is None:
        machine.failing += 1
    if region.failure is None or index < region.failure[0]:
        region.failure = (index, error)
    region.live.pop(index, None)
    machine.cancel(child for at, child in region.live.items() if at > index)
    region.live = {at: child for at, child in region.live.items() if at < index}
    return _closed(machine, holder)


def _closed(machine: Machine, holder: Frame) -> RunError | None:
    """The error of a failing region when each lower lineage has ended, failed or parked; it ends here then."""
    region = holder.region
    assert region is not None and region.failure is not None
    lower = [frame for child in region.live.values() for frame in below(child)]
    if any(frame.status in (READY, WAITING) for frame in lower):
        return None
    machine.cancel(region.live.values())
    index, error = region.failure
    trace.cut(holder, region, index)
    holder.steps = region.base + trace.length_from(holder, region.started)
    machine.failing -= 1
    holder.region = None
    return error


def settle(machine: Machine, frame: Frame) -> None:
    """A frame has come to rest: end the failing regions around it that have nothing left to wait for."""
    around: Frame | None = frame
    while around is not None and machine.failing:
        if around.region is not None and around.region.failure is not None:
            error = _closed(machine, around)
            if error is not None:
                return fail(machine, around, error)
        around = around.parent
    return None


def _child_caught(machine: Machine, holder: Frame, error: RunError) -> bool:
    """Whether the `catch` of a subgraph step takes the failure of its child; then the step goes on."""
    block = machine.block(holder)
    outcome = flow.caught(block, error.code, error.type)
    if outcome is None:
        return False
    shown = {"code": error.code, "message": error.message} | ({"type": error.type} if error.type else {})
    holder.status = READY
    machine.count(holder)
    flow.finish(machine, holder, block, outcome, {"error": shown})
    machine.ready(holder)
    return True
