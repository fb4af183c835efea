"""What a run came to, as text, as `wfc.run/1` and as an exit code (reference 4.1)."""

from __future__ import annotations

import json
import shlex
from typing import Any

from wfc.cli.exits import of_run
from wfc.cli.terminal import one_line, pretty, put, put_json, say
from wfc.ir import RunState

FORMAT = "wfc.run/1"


def run_json(run: RunState) -> dict[str, Any]:
    return {
        "schema": FORMAT,
        "run_id": run.run_id,
        "status": run.status,
        "outcome": run.outcome,
        "output": run.output,
        "state": run.state,
        "interrupt": run.interrupt and run.interrupt.to_json(),
        "error": run.error and run.error.to_json(),
    }


def show_run(
    run: RunState,
    *,
    as_json: bool,
    resumed_by: str | None,
    as_line: bool = False,
    stepped_by: str | None = None,
    heard: float | None = None,
) -> int:
    """Write a run as a result and return its exit code; `resumed_by` is the command that goes on with it, if any, and
    `stepped_by` the one that makes one more step. `heard` is told of a call in doubt.

    As JSON it is one line where it is the last `as_line` of a stream.
    """
    if as_json and as_line:
        put(json.dumps(run_json(run)) + "\n")
    elif as_json:
        put_json(run_json(run))
    else:
        put(run_text(run, heard) + "\n")
    if run.interrupt is not None and resumed_by is not None:
        from wfc.cli.questions import answers

        for line in answers(run.interrupt, resumed_by):
            say(line)
    if resumed_by is not None and run.never_began:
        say(f"nothing was called and nothing is kept; the id `{run.run_id}` is free")
    if run.status == "running" and resumed_by is not None:
        say(f"go on with: {resumed_by}" if stepped_by is None else f"go on with: {stepped_by}, or {resumed_by}")
    return of_run(run.status, run.outcome)


def resume_command(run_id: str, store: str | None, verb: str = "resume") -> str:
    """The command that goes on with a run; `store` where it is not the one that is found anyway."""
    return f"wfc {verb} {shlex.quote(run_id)}" + (f" --store {shlex.quote(store)}" if store else "")


def entry_line(entry: dict[str, Any]) -> str:
    """An entry of a trace in a line: the step, what it gave and where it led."""
    told = [entry["step"] + (f"[{entry['index']}]" if "index" in entry else ""), f"({entry['type']})"]
    told += [entry["outcome"]] if "outcome" in entry else []
    told += ["→ " + entry["next"]] if "next" in entry else []
    told += [f"{entry['error']['code']}: {one_line(entry['error']['message'])}"] if "error" in entry else []
    return " ".join(told)


def run_text(run: RunState, heard: float | None = None) -> str:
    """How a run stands, for people; `heard` is told of a call in doubt."""
    head = f"run {run.run_id} {run.status}"
    if run.status == "completed":
        return f"{head} with outcome {run.outcome}\n{pretty(run.output)}"
    if run.error is not None:
        where = f" at {run.error.node_id}" if run.error.node_id else ""
        return f"{head}{where}: {run.error.code}: {one_line(run.error.message)}"
    if run.interrupt is not None:
        from wfc.cli.questions import question

        return f"{head} at {question(run.interrupt, heard)}"
    return f"{head}, next step {run.current_node}"
