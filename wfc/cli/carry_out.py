"""How `run`, `resume` and `step` do what they were asked: watched, stoppable, and told in one way."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from typing import Any

from wfc.cli.outcome import show_run
from wfc.cli.progress import STANDARD_OUTPUT, progress, steps_told
from wfc.ir import RunState
from wfc.records import dataclass, replace
from wfc.replacing import require_writable, write_whole
from wfc.runs import Outside

Trace = Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Telling:
    """How a run is told: `resumed_by` is the command that goes on with it, none when it is kept nowhere. `trace_of`
    gives the trace of one that does not bring it along, `heard` when the process of a call in doubt was last heard of.
    `stepped_by` is the command that makes one more step, where
    steps are told as they are made."""

    as_json: bool
    no_color: bool
    resumed_by: str | None
    trace_file: str | None = None
    trace_of: Callable[[], Trace] | None = None
    stepped_by: str | None = None
    heard: Callable[[RunState], float | None] = lambda run: None


def carry_out(go: Callable[[Outside], RunState], outside: Outside, telling: Telling) -> int:
    """Let a run go until it rests, write it as the result, and return the exit code."""
    is_stream = telling.trace_file == STANDARD_OUTPUT
    if telling.trace_file is not None and not is_stream:
        require_writable(telling.trace_file)
    try:
        # What a handler prints is no result of this command.
        with progress(telling.no_color, telling.trace_file) as (watch, observer), redirect_stdout(sys.stderr):
            answering = outside.answering.copy()
            answering["progress"] = watch.told
            if telling.stepped_by is not None:
                answering["observer"] = steps_told(observer)
            elif observer is not None:
                answering["observer"] = observer
            run = go(replace(outside, watch=watch.called, answering=answering))
    except KeyboardInterrupt:
        from wfc.cli.faults import stopped

        told = "stopped" + (f"; go on with: {telling.resumed_by}" if telling.resumed_by else "")
        return stopped(told, as_json=telling.as_json or is_stream)
    code = show_run(
        run,
        # A stream is JSON lines to its end: whoever reads the entries reads the run as well.
        as_json=telling.as_json or is_stream,
        as_line=is_stream,
        resumed_by=telling.resumed_by,
        stepped_by=telling.stepped_by,
        heard=telling.heard(run),
    )
    if telling.trace_file is None or is_stream:
        return code
    return _trace_written(run.trace if telling.trace_of is None else telling.trace_of(), telling.trace_file, code)


def _trace_written(trace: Trace, path: str, code: int) -> int:
    """Write the trace as JSON lines, an entry each, and give the exit code. The run has been told by then: what came of
    it is known also where the disk is full."""
    try:
        write_whole(path, "".join(json.dumps(entry) + "\n" for entry in trace).encode("ascii"))
    except OSError as wrong:
        from wfc.cli.faults import told

        return told(wrong)
    return code
