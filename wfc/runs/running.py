"""The verbs that run a program: one execution, behind a synchronous and an asynchronous door (reference 4.8)."""

from __future__ import annotations

from typing import Any, Unpack

from wfc.ir import Program, Refused, RunState
from wfc.runs.execution import Answering, Execution

_ENDED = ("completed", "failed", "cancelled")


def execute_workflow(
    program: Program,
    input: Any,
    *,
    run_id: str | None = None,
    step_limit: int | None = None,
    **answering: Unpack[Answering],
) -> RunState:
    """Run a program until it has ended or waits for a person. Nothing here needs an event loop, and none is started.

    `input` is a JSON object; what answers calls is described at `Answering`. Raises `Refused` before the first step
    when a handler is async or an MCP source is called: `execute_workflow_async` can.
    """
    execution = Execution(program, is_unseen=True, **answering)
    return execution.start(input, run_id=run_id, step_limit=step_limit).go_without_loop()


async def execute_workflow_async(
    program: Program,
    input: Any,
    *,
    run_id: str | None = None,
    step_limit: int | None = None,
    **answering: Unpack[Answering],
) -> RunState:
    """Like `execute_workflow`, on the event loop that awaits it; sync and async handlers mix."""
    execution = Execution(program, is_unseen=True, **answering)
    return await execution.start(input, run_id=run_id, step_limit=step_limit).go()


def start_workflow(
    program: Program, input: Any, *, run_id: str | None = None, step_limit: int | None = None
) -> RunState:
    """A run that stands before its first step, for `step_workflow`."""
    return Execution(program).start(input, run_id=run_id, step_limit=step_limit).snapshot()


def step_workflow(
    program: Program,
    run: RunState,
    **answering: Unpack[Answering],
) -> RunState:
    """One step, with all its attempts, of the first frame that can go on. The given run is untouched.

    Raises `Refused` for a run that is interrupted or has ended, and for what the synchronous door cannot call.
    """
    execution = Execution(program, is_unseen=True, **answering)
    return steppable(execution.take_up(run)).go_without_loop(stop_after=1)


async def step_workflow_async(
    program: Program,
    run: RunState,
    **answering: Unpack[Answering],
) -> RunState:
    """Like `step_workflow`, on the event loop that awaits it."""
    execution = Execution(program, is_unseen=True, **answering)
    return await steppable(execution.take_up(run)).go(stop_after=1)


def resume_workflow(
    program: Program,
    run: RunState,
    *,
    outcome: str | None = None,
    payload: Any = None,
    interrupt_id: str | None = None,
    **answering: Unpack[Answering],
) -> RunState:
    """Go on with a run: an interrupted one with the answer `outcome` and `payload`, a stopped one without.

    Raises `Refused` with a reason of reference 2.7, and then the given run is as it was: `stale_interrupt`,
    `undeclared_outcome`, `unwired_outcome`, `payload_invalid`, `missing_path`, or the code of the patch.
    """
    execution = Execution(program, is_unseen=True, **answering)
    return answered(execution.take_up(run), outcome, payload, interrupt_id).go_without_loop()


async def resume_workflow_async(
    program: Program,
    run: RunState,
    *,
    outcome: str | None = None,
    payload: Any = None,
    interrupt_id: str | None = None,
    **answering: Unpack[Answering],
) -> RunState:
    """Like `resume_workflow`, on the event loop that awaits it."""
    execution = Execution(program, is_unseen=True, **answering)
    return await answered(execution.take_up(run), outcome, payload, interrupt_id).go()


def steppable(execution: Execution) -> Execution:
    if execution.status == "interrupted":
        raise Refused("interrupted", "the run waits for an answer; it cannot be stepped before it is resumed")
    if execution.status in _ENDED:
        raise Refused("ended", f"the run is {execution.status}; there is no step left")
    return execution


def answered(execution: Execution, outcome: str | None, payload: Any, interrupt_id: str | None) -> Execution:
    if execution.status in _ENDED:
        ended = f"the run is {execution.status}; it waits for no answer"
        raise Refused("stale_interrupt", f"{ended}, and what has ended can only be begun again, as another run")
    if outcome is not None:
        return execution.answer(outcome, payload, interrupt_id)
    if execution.status == "interrupted":
        raise Refused("undeclared_outcome", "the run waits for an answer; expected an outcome")
    return execution
