"""Regions: how lineages begin, end, fail, and hand their writes outward at a barrier (reference 2.6, 2.8)."""

from __future__ import annotations

from typing import Any

from wfc.diagnostics import InternalError
from wfc.paths import Parts
from wfc.vm import failing, flow, trace
from wfc.vm.fault import Fault
from wfc.vm.frames import (
    BLOCKED,
    BRANCH,
    CHILD,
    COMPLETED,
    ITEM,
    READY,
    Frame,
    Loop,
    Region,
    Scope,
    frame_id,
    frame_prefix,
)
from wfc.vm.lineage import Lineage
from wfc.vm.link import LinkedBlock
from wfc.vm.motion import Motion
from wfc.vm.patch import Write, commit, hand_outward, merge


def end_of(motion: Motion, holder: Frame) -> str | None:
    """Where a lineage of the region that `holder` is blocked on ends: the foreach step itself, or the closing join.

    None where no branch leads to a join: unchecked, a cycle or a missing edge may keep each of them from it.
    """
    assert holder.region is not None
    fork = motion.block_at(holder, holder.region.step).fork
    return holder.region.step if fork is None else fork.join


# -- foreach ----------------------------------------------------------------------------------------------------------


def enter_foreach(motion: Motion, frame: Frame, block: LinkedBlock) -> None:
    """Read the array once and let the first items enter."""
    assert block.source
    items = block.source(frame)
    if not isinstance(items, list):
        raise Fault(
            "type_mismatch",
            f"`over` of `{block.id}` is an array, got {type(items).__name__}",
        )
    if items:
        flow.require_depth(frame)
        if block.activations[0][2] is None:
            raise Fault("unwired_outcome", f"the outcome `item` of `{block.id}` has no edge")
    frame.region = Region(block.id, frame.visit(block.id), items, frame.sequence + 1, frame.steps, len(frame.entries))
    frame.region.prefix = frame_prefix(frame.id, block.id, frame.region.visit)
    go_on(motion, frame)


def go_on(motion: Motion, frame: Frame) -> None:
    """A region's frame goes on: further items enter, as many as may; when the last lineage has ended it is left."""
    region = frame.region
    assert region is not None
    frame.status = BLOCKED
    block = motion.block(frame)
    if block.foreach is not None:
        _fill(motion, frame, region, block)
    elif not region.live:
        _leave_fork(motion, frame)


def _fill(motion: Motion, frame: Frame, region: Region, block: LinkedBlock) -> None:
    assert block.foreach
    limit = 1 if block.foreach.mode == "serial" or motion.hurries else block.foreach.limit
    if motion.hurries and block.foreach.limit > 1:
        motion.hurried[id(frame)] = frame
    while region.failure is None and region.next < len(region.items) and len(region.live) < limit:
        try:
            _enter_item(motion, frame, region, block)
        except Fault as fault:
            return failing.fail_region(motion, frame, region.next, motion.run_error(frame, fault))
    if region.failure is None and not region.live:
        _leave_foreach(motion, frame, region, block)
    return None


def let_enter(motion: Motion) -> None:
    """Let the items enter that may be under way, in the loops that were hurried through one by one."""
    hurried, motion.hurried, motion.hurries = motion.hurried, {}, False
    for frame in hurried.values():
        region = frame.region
        block = None if region is None else motion.block_at(frame, region.step)
        if frame.status == BLOCKED and region is not None and block is not None and block.foreach is not None:
            _fill(motion, frame, region, block)


def _enter_item(motion: Motion, frame: Frame, region: Region, block: LinkedBlock) -> None:
    motion.count(frame)
    assert block.foreach
    index, target = region.next, block.activations[0][2]
    assert target is not None
    motion.entered(trace.entry(frame, block.id, "foreach", index=index, outcome="item", next=target))
    region.next += 1
    name = frame_id(frame.id, block.id, region.visit, index)
    child = _lineage(frame, name, ITEM, index, target)
    child.loop = Loop(block.foreach.alias, region.items[index], index, frame.loop)
    child.prior, child.incoming = (
        "item",
        {"from": block.id, "outcome": "item", "to": target},
    )
    region.live[index] = child
    motion.ready(child)


def _lineage(frame: Frame, name: str, kind: str, index: int, target: str) -> Frame:
    """A child frame with a lineage of its own, and its place in the trace."""
    head, key = (name, frame.scope.id, frame.id, frame.sequence), (*frame.key, index)
    branch = frame.lineage.branch()
    child = Frame(
        name,
        kind,
        frame,
        frame.scope,
        branch,
        key,
        index,
        target,
        frame.steps,
        head,
        loop=frame.loop,
    )
    frame.entries.append(child.entries)
    return child


def item_done(motion: Motion, frame: Frame) -> None:
    """An item has come back to its foreach step: in serial mode that is its barrier."""
    holder = frame.parent
    assert holder is not None and holder.region is not None
    block = motion.block(holder)
    log = _ended(frame, block.locals)
    assert block.foreach
    if block.foreach.mode == "parallel":
        holder.region.logs[frame.index] = log
    else:
        try:
            _commit_item(holder, log, block)
        except Fault as fault:
            return failing.fail_step(motion, holder, fault)
    return failing.lineage_ended(motion, holder)


def _commit_item(holder: Frame, log: list[Write], block: LinkedBlock) -> None:
    region = holder.region
    assert region is not None
    holder.steps, region.steps = holder.steps + region.steps, 0
    if block.locals:
        merge(holder.scope.routine.state, holder.lineage, {0: log}, ())
    else:
        hand_outward(holder.lineage, log)


def _ended(frame: Frame, local: tuple[Parts, ...]) -> list[Write]:
    """Take a lineage that has completed out of its region; the log is what it hands outward, without locals."""
    region = frame.parent.region if frame.parent is not None else None
    assert region is not None and frame.lineage.log is not None
    frame.status = COMPLETED
    del region.live[frame.index]
    region.steps += frame.steps - frame.base
    if not local:
        return frame.lineage.log
    return [write for write in frame.lineage.log if not any(write[0].parts[: len(path)] == path for path in local)]


def _leave_foreach(motion: Motion, frame: Frame, region: Region, block: LinkedBlock) -> None:
    """The last item has ended: the barrier of a parallel loop, the loop's own result, and the edge `done`."""
    frame.region = None
    frame.steps += region.steps
    frame.status = READY
    try:
        motion.count(frame)
        result = _result(region, block)
        target = flow.wired(block, "done")
        own = flow.resolved(block.patch(frame.scope.routine, "done"), result)
        logs = {index: region.logs[index] for index in sorted(region.logs)}
        if logs:
            merge(frame.scope.routine.state, frame.lineage, logs, own)
        else:
            commit(frame.scope.routine.state, frame.lineage, own)
    except Fault as fault:
        return failing.fail_step(motion, frame, fault)
    flow.write_entry(motion, frame, block, outcome="done", output=result, writes=own, target=target)
    flow.leave(frame, block, "done", target)
    return motion.ready(frame)


def _result(region: Region, block: LinkedBlock) -> dict[str, Any]:
    failed = sorted(region.failed, key=lambda error: error["index"])
    assert block.foreach
    return {
        "count": len(region.items),
        "succeeded": len(region.items) - len(failed),
        "failed": len(failed),
        "failed_indexes": [error["index"] for error in failed],
        "errors": failed if block.foreach.on_item_error == "collect" else [],
    }


# -- fork and join ----------------------------------------------------------------------------------------------------


def enter_fork(motion: Motion, frame: Frame, block: LinkedBlock) -> None:
    """Evaluate every `when`, then start the activated branches; with none, go to the join at once."""
    motion.count(frame)
    active = [(name, target) for name, when, target in block.activations if when is None or when(frame)]
    for name, target in active:
        if target is None:
            raise Fault("unwired_outcome", f"the branch `{name}` of `{block.id}` has no edge")
    if active:
        flow.require_depth(frame)
    elif block.fork is not None and block.fork.join is None:
        raise Fault("unwired_outcome", f"no branch of `{block.id}` is active, and none leads to a join")
    visit = frame.visit(block.id)
    ids = [frame_id(frame.id, block.id, visit, index) for index in range(len(active))]
    frame.region = Region(block.id, visit, ids, frame.sequence + 1, frame.steps, len(frame.entries))
    motion.entered(trace.entry(frame, block.id, "fork", branches=[name for name, _ in active]))
    for index, (name, target) in enumerate(active):
        assert target is not None
        child = _lineage(frame, ids[index], BRANCH, index, target)
        child.prior, child.incoming = (
            name,
            {"from": block.id, "outcome": name, "to": target},
        )
        frame.region.live[index] = child
        motion.ready(child)
    go_on(motion, frame)


def branch_done(motion: Motion, frame: Frame) -> None:
    """A branch has come to the join that closes its fork."""
    holder = frame.parent
    assert holder is not None and holder.region is not None
    holder.region.logs[frame.index] = _ended(frame, motion.block_at(holder, holder.region.step).locals)
    failing.lineage_ended(motion, holder)


def _leave_fork(motion: Motion, frame: Frame) -> None:
    """Every activated branch has ended: the barrier, and the entry of the join."""
    region = frame.region
    assert region is not None
    end = end_of(motion, frame)
    if end is None:
        raise InternalError(f"all branches of `{region.step}` have ended without a join")
    frame.step, frame.region = end, None
    frame.steps += region.steps
    frame.status = READY
    join = motion.block(frame)
    try:
        motion.count(frame)
        target = flow.wired(join, "ok")
        logs = {index: region.logs[index] for index in sorted(region.logs)}
        merge(frame.scope.routine.state, frame.lineage, logs, ())
    except Fault as fault:
        return failing.fail_step(motion, frame, fault)
    flow.write_entry(motion, frame, join, outcome="ok", target=target)
    flow.leave(frame, join, "ok", target)
    return motion.ready(frame)


# -- subgraph ---------------------------------------------------------------------------------------------------------


def enter_child(motion: Motion, frame: Frame, block: LinkedBlock) -> None:
    """Start a child workflow in a scope of its own."""
    assert block.payload and block.child and block.child.routine is not None
    frame.payload = block.payload(frame)
    routine = motion.linked.routines[block.child.routine]
    given, state = flow.begin(routine, frame.payload, "node_input_invalid")
    flow.require_depth(frame)
    name = frame_id(frame.id, block.id, frame.visit(block.id), None)
    scope = Scope(name, routine, given, frame)
    # The entry that stands for the child is the one that the step will have when the child has ended.
    head = (name, name, frame.id, frame.sequence + 1)
    start = routine.routine.start
    child = Frame(
        name,
        CHILD,
        frame,
        scope,
        Lineage(state),
        (*frame.key, 0),
        0,
        start,
        frame.steps,
        head,
    )
    frame.child, frame.status = child, BLOCKED
    frame.entries.append(child.entries)
    motion.ready(child)


def scope_done(motion: Motion, frame: Frame) -> None:
    """A workflow has come to an end: project its output; then the run is complete, or a subgraph step has its answer.

    A projection that fails at `__end__` puts its error into the entry of the step that led there (reference 2.10).
    """
    outcome = frame.ending or "ok"
    try:
        output = flow.project(frame)
    except Fault as fault:
        assert frame.incoming is not None
        frame.step = frame.incoming["from"]
        error = motion.run_error(frame, fault)
        trace.blame(frame, error.to_json(), motion.linked.marks)
        return failing.fail(motion, frame, error)
    if frame.parent is None:
        return motion.complete_run(outcome, output)
    return _child_done(motion, frame, frame.parent, outcome, output)


def _child_done(motion: Motion, frame: Frame, holder: Frame, outcome: str, output: Any) -> None:
    frame.status = COMPLETED
    holder.child, holder.status = None, READY
    holder.steps += frame.steps - frame.base
    try:
        motion.count(holder)
        flow.finish(motion, holder, motion.block(holder), outcome, output)
    except Fault as fault:
        return failing.fail_step(motion, holder, fault)
    return motion.ready(holder)
