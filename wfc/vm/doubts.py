"""Calls in doubt: begun, and nobody knows whether they happened (reference 2.9). Only a person can say.

A frame in doubt is parked like one at an interrupt step and keeps its call. Being in doubt leaves nothing in the trace.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wfc.ir import InterruptRequest, NodeResult, NotJson, Refused, to_json
from wfc.vm import steps
from wfc.vm.fault import Fault
from wfc.vm.frames import INTERRUPTED, READY, Frame, Parked, interrupt_id, route
from wfc.vm.motion import Motion

KIND = "in_doubt"
OUTCOMES = ("retry", "completed", "fail")
_NOTHING: dict[str, Any] = {"type": "object", "maxProperties": 0}
Accepted = tuple[str, NodeResult | None]


def park(motion: Motion, frame: Frame) -> None:
    """Wait for a person to say what became of the call that this frame waits for."""
    call = frame.call
    assert call is not None
    call.doubts += 1
    name = interrupt_id(frame.id, frame.step, frame.sequence + 1)
    frame.parked = Parked(f"{name}:{KIND}:{call.attempt}:{call.doubts}", call.payload)
    frame.status = INTERRUPTED


def request(motion: Motion, frame: Frame) -> InterruptRequest:
    """The question, seen from the outermost step; the route leads back into the child."""
    call, parked, block = frame.call, frame.parked, motion.block(frame)
    assert call is not None and parked is not None and block.contract is not None
    outer, step, hops = route(frame, block.id)
    payload = {
        "node_id": block.id,
        "capability": str(block.contract.definition.uses),
        "input": call.payload,
        "call_id": call.id,
        "attempt": call.attempt,
    }
    further = {"completed": _result_schema(block.contract.definition.outcomes), "fail": _NOTHING}
    return InterruptRequest(parked.id, outer.id, step, KIND, payload, OUTCOMES, _NOTHING, further, hops)


def _result_schema(outcomes: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"outcome": {"type": "string", "enum": list(outcomes)}, "output": {}},
        "required": ["outcome", "output"],
        "additionalProperties": False,
    }


def accepted(motion: Motion, frame: Frame, outcome: str, payload: Any, asked: str | None) -> Accepted:
    """Judge an answer; raises `Refused`, and then nothing has changed."""
    assert frame.parked is not None
    if asked is not None and asked != frame.parked.id:
        message = f"`{asked}` is not the question that waits; that is `{frame.parked.id}`"
        raise Refused("stale_interrupt", message)
    if outcome not in OUTCOMES:
        told = ", ".join(f"`{one}`" for one in OUTCOMES)
        raise Refused("undeclared_outcome", f"`{outcome}` is no outcome of a call in doubt; it has {told}")
    try:
        given = to_json({} if payload is None else payload)
    except NotJson as error:
        raise Refused("payload_invalid", f"the payload is no JSON: {error}") from None
    if outcome == "completed":
        return outcome, _result(motion, frame, given)
    if given != {}:
        raise Refused("payload_invalid", f"`{outcome}` takes no payload; expected none or an empty object")
    return outcome, None


def _result(motion: Motion, frame: Frame, given: Any) -> NodeResult:
    contract = motion.block(frame).contract
    assert contract is not None
    if not isinstance(given, dict) or given.keys() != {"outcome", "output"}:
        raise Refused(
            "payload_invalid", "the payload says what the call gave; expected an object of `outcome`, `output`"
        )
    result = NodeResult(given["outcome"], given["output"])
    try:
        steps.accepted(contract, result)
    except Fault as fault:
        raise Refused("payload_invalid", fault.message) from None
    return result


def go_on(motion: Motion, frame: Frame, answer: Accepted) -> None:
    """Do what the person said: make the call again, take its result, or let it have failed for good."""
    outcome, result = answer
    call = frame.call
    assert call is not None
    frame.parked = None
    if outcome == "retry":
        return motion.wait(frame, steps.effect_of(motion, frame))
    frame.status = READY
    if result is not None:
        return steps.completed(motion, frame, result)
    message = f"attempt {call.attempt} was in doubt after a crash and was given up"
    return steps.given_up(motion, frame, Fault("node_failed", message))
