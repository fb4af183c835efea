"""Interrupts: a frame parks, the first one in trace order is asked, an answer is accepted as a whole or refused.

Reference 2.7. A refused answer leaves the run exactly as it was.
"""

from __future__ import annotations

from typing import Any

from wfc.ir import InterruptRequest, NotJson, Refused, to_json
from wfc.vm import regions
from wfc.vm.fault import Fault
from wfc.vm.flow import leave, resolved, wired, write_entry
from wfc.vm.frames import INTERRUPTED, Frame, Parked, interrupt_id, route
from wfc.vm.link import LinkedBlock
from wfc.vm.motion import Motion
from wfc.vm.patch import Write, commit

Accepted = tuple[str, dict[str, Any], list[Write]]


def park(motion: Motion, frame: Frame, block: LinkedBlock) -> None:
    """Build and validate the request, and wait for an answer."""
    motion.count(frame)
    assert block.payload
    payload = frame.payload = block.payload(frame)
    if not isinstance(payload, dict):
        raise Fault(
            "node_input_invalid",
            f"the request of `{block.id}` is an object, got {type(payload).__name__}",
        )
    if block.payload_judge is not None:
        block.payload_judge.require(payload, "node_input_invalid", f"the request of `{block.id}`")
    frame.parked = Parked(interrupt_id(frame.id, block.id, frame.sequence + 1), payload)
    frame.status = INTERRUPTED
    # Whoever comes after it need not wait for a person.
    motion.asks = True
    regions.let_enter(motion)


def request(motion: Motion, frame: Frame) -> InterruptRequest:
    """What the caller sees of a parked frame: the outermost step as its place, the route back into the child."""
    block, parked = motion.block(frame), frame.parked
    assert block.ask and parked
    outer, step, hops = route(frame, block.id)
    judges = {outcome: judge.schema for outcome, judge in block.resume_judges.items()}
    first = judges.pop(block.ask.outcomes[0], None)
    return InterruptRequest(
        parked.id,
        outer.id,
        step,
        block.ask.kind,
        parked.payload,
        block.ask.outcomes,
        first,
        judges,
        hops,
    )


def accepted(motion: Motion, frame: Frame, outcome: str, payload: Any, asked: str | None) -> Accepted:
    """Judge an answer in the order of reference 2.7 and commit its patch; raises `Refused`."""
    block = motion.block(frame)
    assert block.ask and frame.parked
    if asked is not None and asked != frame.parked.id:
        raise Refused(
            "stale_interrupt",
            f"`{asked}` is not the question that waits; that is `{frame.parked.id}`",
        )
    if outcome not in block.ask.outcomes:
        declared = ", ".join(f"`{one}`" for one in block.ask.outcomes)
        raise Refused(
            "undeclared_outcome",
            f"`{outcome}` is no outcome of `{block.id}`; it has {declared}",
        )
    try:
        wired(block, outcome)
        given = _payload(block, outcome, payload)
        writes = resolved(block.patch(frame.scope.routine, outcome), given)
        commit(frame.scope.routine.state, frame.lineage, writes)
    except Fault as fault:
        raise Refused(fault.code, fault.message) from None
    return outcome, given, writes


def _payload(block: LinkedBlock, outcome: str, payload: Any) -> dict[str, Any]:
    try:
        given = to_json({} if payload is None else payload)
    except NotJson as error:
        raise Fault("payload_invalid", f"the payload is no JSON: {error}") from None
    if not isinstance(given, dict):
        raise Fault("payload_invalid", f"the payload is an object, got {type(given).__name__}")
    judge = block.resume_judges.get(outcome)
    if judge is not None:
        judge.require(given, "payload_invalid", "the payload")
    return given


def go_on(motion: Motion, frame: Frame, answer: Accepted) -> None:
    """Write the entry of the answered interrupt and follow its edge."""
    outcome, payload, writes = answer
    block = motion.block(frame)
    target = wired(block, outcome)
    write_entry(
        motion,
        frame,
        block,
        outcome=outcome,
        output=payload,
        writes=writes,
        target=target,
    )
    leave(frame, block, outcome, target)
    motion.ready(frame)
