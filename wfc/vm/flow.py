"""What every step does when it begins and when it leaves: entries, patches, edges, projections (reference 2.3).

Nothing here knows what kind of step it is. A frame that has followed an edge to `__end__` stands on that label; what
ends then is for `regions` to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wfc.ir import copy
from wfc.paths import Parts
from wfc.vm.fault import MISSING, Fault
from wfc.vm.frames import MAX_DEPTH, Frame
from wfc.vm.link import LinkedBlock, LinkedRoutine
from wfc.vm.motion import Motion
from wfc.vm.patch import commit
from wfc.vm.plans import Plan
from wfc.vm.reading import walk
from wfc.vm.trace import changes, entry
from wfc.vm.verdicts import refusal


def begin(routine: LinkedRoutine, given: Any, code: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The input and the first state of a workflow (reference 2.3.1); raises `code`, or `state_invalid` for a seed."""
    if not isinstance(given, dict):
        raise Fault(
            code,
            f"the input of `{routine.name}` is an object, got {type(given).__name__}",
        )
    missing = {name: value for name, value in routine.input_defaults.items() if name not in given}
    given = {**given, **copy(missing)} if missing else given
    routine.input.require(given, code, f"the input of `{routine.name}`")
    state = copy(routine.initial)
    for name in routine.seeds:
        if name in given:
            state[name] = given[name]
            _require_seed(routine, name, given[name])
    return given, state


def _require_seed(routine: LinkedRoutine, name: str, value: Any) -> None:
    plan = routine.plan((name,))
    for check in plan.checks:
        if not check.verdict.is_valid(value):
            raise refusal(
                routine.state,
                check.at,
                value,
                "state_invalid",
                f"the input for `{plan.text}`",
                plan.text,
            )


def require_depth(frame: Frame) -> None:
    """Raise `depth_limit` when a frame below this one would be nested too deep."""
    if len(frame.key) >= MAX_DEPTH:
        raise Fault("depth_limit", f"frames are nested deeper than {MAX_DEPTH}")


def finish(
    motion: Motion,
    frame: Frame,
    block: LinkedBlock,
    outcome: str,
    output: Any,
    *,
    extra: Any = MISSING,
    meta: Any = MISSING,
) -> None:
    """A step has its outcome: find the edge, commit one patch, write the entry, go on (reference 2.3.7, 2.3.8)."""
    target = wired(block, outcome)
    writes = resolved(block.patch(frame.scope.routine, outcome), output)
    commit(frame.scope.routine.state, frame.lineage, writes)
    fields = {
        "outcome": outcome,
        "output": output,
        "target": target,
        "extra": extra,
        "meta": meta,
    }
    write_entry(motion, frame, block, writes=writes, **fields)
    leave(frame, block, outcome, target)


def wired(block: LinkedBlock, outcome: str) -> str:
    """The step that an outcome leads to; raises `unwired_outcome`."""
    target = block.arms.get(outcome)
    if target is None:
        raise Fault("unwired_outcome", f"the outcome `{outcome}` of `{block.id}` has no edge")
    return target


def resolved(patch: Sequence[tuple[Parts, Plan]], output: Any) -> list[tuple[Plan, Any]]:
    """The writes of a patch with their incoming values; raises `missing_path` before anything is written."""
    writes: list[tuple[Plan, Any]] = []
    for parts, plan in patch:
        value = walk(output, parts)
        if value is MISSING:
            source = ".".join(parts)
            raise Fault(
                "missing_path",
                f"the output has no `{source}` to write to `{plan.text}`",
                path=source,
            )
        writes.append((plan, value))
    return writes


def write_entry(
    motion: Motion,
    frame: Frame,
    block: LinkedBlock,
    *,
    outcome: Any = MISSING,
    output: Any = MISSING,
    writes: Sequence[tuple[Plan, Any]] = (),
    target: Any = MISSING,
    **fields: Any,
) -> dict[str, Any]:
    """Write the one entry of a step."""
    attempts = list(frame.call.errors) if frame.call is not None and frame.call.errors else MISSING
    made = entry(
        frame,
        block.id,
        block.kind,
        attempts=attempts,
        input=frame.payload,
        outcome=outcome,
        output=output,
        changes=changes(writes),
        next=target,
        **fields,
    )
    motion.entered(made)
    return made


def leave(frame: Frame, block: LinkedBlock, outcome: str, target: str) -> None:
    """Follow an edge."""
    frame.retries = frame.call.attempt - 1 if frame.call is not None and block.kind == "node" else 0
    frame.prior, frame.incoming = (
        outcome,
        {"from": block.id, "outcome": outcome, "to": target},
    )
    frame.call, frame.payload, frame.parked = None, MISSING, None
    frame.step = target


def matches(codes: Sequence[str], code: str, type: str | None) -> bool:
    """Whether a list of `retry.on` or `catch` names an error; `node_failed:TYPE` means that type alone."""
    return code in codes or (type is not None and f"{code}:{type}" in codes)


def caught(block: LinkedBlock, code: str, type: str | None) -> str | None:
    """The outcome that a step's `catch` makes of an error; none when it takes no such error."""
    return next(
        (handler.outcome for handler in block.catch if matches(handler.codes, code, type)),
        None,
    )


def project(frame: Frame) -> dict[str, Any]:
    """The output of a workflow: its declared top-level fields that state has; raises `output_invalid`."""
    routine = frame.scope.routine
    found = {name: frame.lineage.read((name,)) for name in routine.output_keys}
    output = {name: value for name, value in found.items() if value is not MISSING}
    routine.output.require(output, "output_invalid", f"the output of `{routine.name}`")
    return output
