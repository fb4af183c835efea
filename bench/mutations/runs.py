"""What a program does on the tests of a workflow: enough to say whether two programs do the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass

from wfc.backends.drivers import InstantClock, run_without_loop
from wfc.backends.sources import Mocks, Unanswered
from wfc.ir import Answer, Invoke, Program, Refused, RunState, canonical
from wfc.runs import Execution, Perform
from wfc.testing import Scenario

_STEP_LIMIT = 3000


@dataclass(frozen=True)
class Seen:
    """`result`: status, outcome, output, error code and calls, as text; `trace`: every step, as text."""

    result: str
    trace: str


def seen_on(program: Program, tests: Sequence[Scenario]) -> tuple[Seen, ...]:
    return tuple(_seen(program, test) for test in tests)


def _seen(program: Program, test: Scenario) -> Seen:
    calls: Counter[str] = Counter()

    def counted(perform: Perform) -> Perform:
        def performed(invoke: Invoke) -> Awaitable[Answer]:
            calls[canonical([invoke.definition, invoke.payload])] += 1
            return perform(invoke)

        return performed

    execution = Execution(program, clock=InstantClock(), around=counted, mocks=Mocks.for_tests(test.mocks))
    execution.start(test.input, run_id="r", step_limit=min(test.max_steps or _STEP_LIMIT, _STEP_LIMIT))
    try:
        run = _answered(execution, test)
    except Unanswered as call:
        return Seen(f"unanswered: {call}", "")
    except Refused as refusal:
        return Seen(f"refused: {refusal.reason}", "")
    error = run.error.code if run.error else None
    result = [run.status, run.outcome, run.output, error, dict(sorted(calls.items()))]
    return Seen(canonical(result), canonical(list(run.trace)))


def _answered(execution: Execution, test: Scenario) -> RunState:
    """Run on, each question answered by the next entry; a refused entry is used up."""
    answers = list(test.resume)
    run = run_without_loop(execution.go(on_loop=False))
    while run.interrupt is not None and answers:
        answer = answers.pop(0)
        try:
            execution.answer(answer["outcome"], answer.get("payload"))
        except Refused:
            continue
        run = run_without_loop(execution.go(on_loop=False))
    return run
