"""One scenario, run: the workflow checked and compiled as ever, its calls answered by mocks, delays passing at once.

Reference 4.5. Calls are made one at a time; a call that no mock answers fails the test and is no error of the run.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Awaitable, Iterator, Mapping
from typing import Any

from wfc import driver
from wfc.backends.drivers import InstantClock, run_without_loop
from wfc.backends.sources import MockFault, Mocks, Unanswered
from wfc.diagnostics import Report, Severity
from wfc.ir import Answer, Invoke, Program, Refused, RunState
from wfc.runs import Execution, Perform
from wfc.testing.compare import RUN_EXPECTATIONS, Difference, Seen, check_differences, differences
from wfc.testing.files import Scenario, TestFileFault
from wfc.testing.results import Result


def run_scenario(scenario: Scenario) -> Result:
    """What became of a test. Raises `TestFileFault` when its workflow or its mocks cannot be read."""
    return Result(scenario.file, scenario.name, tuple(_differences(scenario)))


def _differences(scenario: Scenario) -> Iterator[Difference]:
    program, report = _compiled(scenario)
    errors, warnings = (_named(report, severity) for severity in (Severity.ERROR, Severity.WARNING))
    found = list(check_differences(scenario.expect, errors, warnings))
    yield from found
    if not RUN_EXPECTATIONS & scenario.expect.keys():
        return
    if program is None:
        yield from () if found else (Difference("check (a run is expected)", [], errors),)
        return
    try:
        seen = _seen(scenario, program)
    except Unanswered as call:
        yield Difference("calls", "every call is answered by a mock", str(call))
        return
    yield from differences(scenario.expect, seen)


def _compiled(scenario: Scenario) -> tuple[Program | None, Report]:
    try:
        return driver.compile_checked(_loaded(scenario), unchecked=scenario.unchecked)
    except driver.CompileError as stopped:
        return None, stopped.report


def _loaded(scenario: Scenario) -> driver.Loaded:
    """The workflow of a test: written in it, or a file whose path is seen from the test file."""
    if not isinstance(scenario.workflow, str):
        return driver.from_value(scenario.workflow, name=scenario.file)
    if "\0" in scenario.workflow:
        raise TestFileFault(f"{scenario.file}: the path `workflow` of `{scenario.name}` holds a null character")
    path = os.path.join(os.path.dirname(scenario.file), scenario.workflow)
    try:
        return driver.load(path)
    except OSError as wrong:
        told = f"{scenario.file}: the workflow {path} of `{scenario.name}` cannot be read: {wrong.strerror}"
        raise TestFileFault(told) from None


def _named(report: Report, severity: Severity) -> list[str]:
    """Findings as tests name them."""
    found = (one for one in report.diagnostics if one.severity is severity)
    return [f"{one.code.code} {one.at.pointer}" for one in found]


def _seen(scenario: Scenario, program: Program) -> Seen:
    calls: Counter[str] = Counter()

    def counted(perform: Perform) -> Perform:
        def performed(invoke: Invoke) -> Awaitable[Answer]:
            calls[invoke.node_id] += 1
            return perform(invoke)

        return performed

    try:
        mocks = Mocks.for_tests(scenario.mocks)
    except MockFault as wrong:
        raise TestFileFault(f"{scenario.file}: `{scenario.name}`: {wrong}") from None
    execution = Execution(program, clock=InstantClock(), around=counted, mocks=mocks)
    execution.start(scenario.input, step_limit=scenario.max_steps)
    run, interrupts, refused = _answered(execution, list(scenario.resume))
    return Seen(run, interrupts, refused, calls)


def _answered(
    execution: Execution, answers: list[Mapping[str, Any]]
) -> tuple[RunState, list[dict[str, Any]], list[dict[str, Any]]]:
    """Run on, each question answered by the next entry; a refused entry is used up and the next one answers."""
    interrupts: dict[str, dict[str, Any]] = {}
    refused: list[dict[str, Any]] = []
    run = _gone_on(execution)
    while run.interrupt is not None:
        interrupts[run.interrupt.id] = run.interrupt.to_json()
        if not answers:
            break
        answer = answers.pop(0)
        try:
            execution.answer(answer["outcome"], answer.get("payload"))
        except Refused as refusal:
            refused.append({"reason": refusal.reason, "message": str(refusal)})
        else:
            run = _gone_on(execution)
    return run, list(interrupts.values()), refused


def _gone_on(execution: Execution) -> RunState:
    return run_without_loop(execution.go(on_loop=False))
