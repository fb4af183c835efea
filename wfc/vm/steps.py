"""What each kind of step does, from arriving at it to having its outcome (reference 2.3, 2.9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wfc.ir import END, Delay, Failed, Invoke, NodeResult, Unfit, json_result
from wfc.vm import interrupts, regions
from wfc.vm.fault import MISSING, Fault
from wfc.vm.flow import caught, finish, matches, project, write_entry
from wfc.vm.frames import BRANCH, ITEM, WAITING, Call, Frame, call_id, context
from wfc.vm.link import Contract, LinkedBlock
from wfc.vm.motion import Motion


def enter(motion: Motion, frame: Frame) -> None:
    """Do the step that a frame stands on; or end the frame, where it has come to the end of its scope or region."""
    if frame.step == END:
        return regions.scope_done(motion, frame)
    if frame.region is not None:
        return regions.go_on(motion, frame)
    if frame.kind == ITEM and frame.parent is not None and frame.step == regions.end_of(motion, frame.parent):
        return regions.item_done(motion, frame)
    if frame.kind == BRANCH and frame.parent is not None and frame.step == regions.end_of(motion, frame.parent):
        return regions.branch_done(motion, frame)
    block = motion.block(frame)
    return _ENTER[block.kind](motion, frame, block)


def _enter_node(motion: Motion, frame: Frame, block: LinkedBlock) -> None:
    motion.count(frame)
    assert block.payload and block.contract
    payload = frame.payload = block.payload(frame)
    name = block.contract.definition.name
    block.contract.input.require(payload, "node_input_invalid", f"the input of `{name}`")
    frame.call = Call(call_id(motion.run_id, frame.id, block.id, frame.sequence + 1), payload)
    motion.wait(frame, effect_of(motion, frame))


def _enter_condition(motion: Motion, frame: Frame, block: LinkedBlock) -> None:
    motion.count(frame)
    assert block.check
    finish(motion, frame, block, "true" if block.check(frame) else "false", MISSING)


def _enter_join(motion: Motion, frame: Frame, block: LinkedBlock) -> None:
    motion.count(frame)
    finish(motion, frame, block, "ok", MISSING)


def _enter_wait(motion: Motion, frame: Frame, block: LinkedBlock) -> None:
    motion.count(frame)
    assert block.source
    seconds = block.source(frame)
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or seconds < 0:
        raise Fault("type_mismatch", f"`seconds` is a number from 0 on, got {seconds!r}")
    frame.payload = {"seconds": seconds}
    frame.call = Call(
        call_id(motion.run_id, frame.id, block.id, frame.sequence + 1),
        frame.payload,
        delay=seconds,
    )
    motion.wait(frame, effect_of(motion, frame))


def _enter_end(motion: Motion, frame: Frame, block: LinkedBlock) -> None:
    motion.count(frame)
    project(frame)
    write_entry(motion, frame, block, outcome=block.outcome)
    frame.ending, frame.step = block.outcome, END


_ENTER: Mapping[str, Callable[[Motion, Frame, LinkedBlock], None]] = {
    "node": _enter_node,
    "condition": _enter_condition,
    "foreach": regions.enter_foreach,
    "fork": regions.enter_fork,
    "join": _enter_join,
    "wait": _enter_wait,
    "interrupt": interrupts.park,
    "subgraph": regions.enter_child,
    "end": _enter_end,
}


# -- calls ------------------------------------------------------------------------------------------------------------


def effect_of(motion: Motion, frame: Frame) -> Invoke | Delay:
    """What the world has to do for the call of a frame."""
    call = frame.call
    assert call is not None
    return invoke_of(motion, frame, call) if call.delay is None else Delay(call.id, call.delay)


def invoke_of(motion: Motion, frame: Frame, call: Call) -> Invoke:
    """A call as whoever makes it sees it."""
    block = motion.block(frame)
    assert block.call and block.contract
    definition = block.contract.definition
    return Invoke(
        call.id,
        call.attempt,
        frame.scope.routine.name,
        definition.name,
        str(definition.uses),
        block.id,
        frame.id,
        call.payload,
        block.call.timeout_seconds,
        definition.effects or "write",
        context(frame),
    )


def give_out(motion: Motion, frame: Frame) -> Call:
    """Note the call whose payload a frame holds as given out, without asking for it once more."""
    block = motion.block(frame)
    frame.call = Call(call_id(motion.run_id, frame.id, block.id, frame.sequence + 1), frame.payload)
    frame.status = WAITING
    motion.calls[frame.call.id] = frame
    return frame.call


def completed(motion: Motion, frame: Frame, result: NodeResult) -> None:
    """A capability has returned: make JSON of it, split, validate, then finish the step or let the attempt fail."""
    block = motion.block(frame)
    assert block.contract
    try:
        outcome, output, extra, meta = accepted(block.contract, result)
    except Fault as fault:
        return _attempt_failed(motion, frame, block, fault)
    return finish(motion, frame, block, outcome, output, extra=extra, meta=meta)


def failed(motion: Motion, frame: Frame, answer: Failed) -> None:
    """A call has failed: another attempt, a caught outcome, or the failure of the step."""
    fault = Fault(answer.code, answer.message, type=answer.type, path=answer.path, details=answer.details)
    _attempt_failed(motion, frame, motion.block(frame), fault)


def elapsed(motion: Motion, frame: Frame) -> None:
    """A delay has passed: the next attempt begins, or a `wait` step goes on."""
    block = motion.block(frame)
    if block.kind == "wait":
        return finish(motion, frame, block, "ok", MISSING)
    assert frame.call
    frame.call.delay = None
    return motion.wait(frame, effect_of(motion, frame))


def accepted(contract: Contract, result: NodeResult) -> tuple[str, Any, Any, Any]:
    """Outcome, output, `extra` and `meta` of a result, split and validated; raises what the contract refuses."""
    outcomes = contract.definition.outcomes
    name = contract.definition.name
    try:
        result = json_result(name, result)
    except Unfit as unfit:
        raise Fault("node_output_invalid", unfit.message, path=unfit.path) from None
    output, extra, meta = result.output, result.extra, result.meta
    outcome = outcomes[0] if result.outcome is None else result.outcome
    beside = contract.keeper(outcome).extra(output)
    if beside:
        extra = {**{key: value for key, value in output.items() if key in beside}, **(extra or {})}
        output = {key: value for key, value in output.items() if key not in beside}
    contract.output(outcome).require(output, "node_output_invalid", f"the output of `{name}`")
    if outcome not in outcomes:
        declared = ", ".join(f"`{one}`" for one in outcomes)
        raise Fault(
            "undeclared_outcome",
            f"`{name}` gave the outcome `{outcome}`; it declares {declared}",
        )
    return outcome, output, extra or MISSING, meta or MISSING


def _attempt_failed(motion: Motion, frame: Frame, block: LinkedBlock, fault: Fault) -> None:
    call = frame.call
    assert call and block.call
    retry = block.call.retry
    if retry is not None and call.attempt < retry.max_attempts and matches(retry.on, fault.code, fault.type):
        wait = retry.delay_seconds * retry.backoff ** (call.attempt - 1) if retry.delay_seconds else 0
        call.delay = (
            min(
                wait,
                retry.max_delay_seconds if retry.max_delay_seconds is not None else wait,
            )
            or None
        )
        call.errors.append(_shown(fault))
        call.attempt += 1
        call.doubts = 0
        return motion.wait(frame, effect_of(motion, frame))
    return given_up(motion, frame, fault)


def given_up(motion: Motion, frame: Frame, fault: Fault) -> None:
    """No further attempt: a caught outcome, or the failure of the step."""
    call, block = frame.call, motion.block(frame)
    assert call
    error = _shown(fault)
    call.errors.append(error)
    call.doubts = 0
    outcome = caught(block, fault.code, fault.type)
    if outcome is None:
        raise fault
    return finish(motion, frame, block, outcome, {"error": error})


def _shown(fault: Fault) -> dict[str, Any]:
    return {"code": fault.code, "message": fault.message} | ({"type": fault.type} if fault.type else {})
