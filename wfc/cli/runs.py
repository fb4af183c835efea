"""`wfc runs`: what a store keeps."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import click

from wfc import driver
from wfc.backends.stores import RunSummary, Store, StoredRun, open_store
from wfc.cli import options
from wfc.cli.exits import of_run
from wfc.cli.outcome import entry_line, run_json, run_text
from wfc.cli.place import last_heard, resumed_by, store_of
from wfc.cli.questions import answers, question, utc
from wfc.cli.terminal import pretty, put, put_json, say
from wfc.ir import Program, RunState
from wfc.project import find_project
from wfc.runs import durable, replaying

LIST_FORMAT = "wfc.runs/1"
TRACE_FORMAT = "wfc.trace/1"


@click.group("runs")
def command() -> None:
    """Look at the runs in a store."""


@command.command("list")
@options.store
@options.as_json
def list_runs(store: str | None, as_json: bool) -> None:
    """All runs, the newest first."""
    runs = open_store(store_of(find_project(), store)).list()
    if as_json:
        put_json({"schema": LIST_FORMAT, "runs": [_listed(run) for run in runs]})
        return
    rows = [("RUN", "WORKFLOW", "STATUS", "OUTCOME", "CHANGED"), *(_row(run) for run in runs)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    put("".join("  ".join(map(str.ljust, row, widths)).rstrip() + "\n" for row in rows))


@command.command("show")
@click.argument("run_id", metavar="RUN")
@options.store
@options.as_json
def show(run_id: str, store: str | None, as_json: bool) -> None:
    """One run: where it stands, its state, and what it came to."""
    program, stored, opened = loaded(run_id, store)
    run = replaying.standing(program, stored)
    if as_json:
        put_json(run_json(run))
        return
    put(f"{run_text(run, last_heard(run, opened))}\nstate\n{pretty(run.state)}\n")
    for line in _answers(run, store):
        say(line)


@command.command("trace")
@click.argument("run_id", metavar="RUN")
@options.store
@options.as_json
def trace(run_id: str, store: str | None, as_json: bool) -> None:
    """The steps of a run in order, with what each gave and where it led."""
    entries = replaying.traced(*loaded(run_id, store)).trace
    if as_json:
        put_json({"schema": TRACE_FORMAT, "run_id": run_id, "trace": list(entries)})
        return
    depths: dict[str, int] = {}
    put("".join(trace_line(entry, depths) + "\n" for entry in entries))


@command.command("watch")
@click.argument("run_id", metavar="RUN")
@click.option("--every", metavar="SECONDS", type=click.FloatRange(min=0.05), default=0.5, help="How often to look.")
@click.option("--until-rest", is_flag=True, help="End also when it waits for an answer, or was stopped.")
@options.store
@options.as_json
def watch(run_id: str, every: float, until_rest: bool, store: str | None, as_json: bool) -> int:
    """The steps of a run as they are made, until it has ended; as JSON, an entry of the trace a line. What it waits for
    meanwhile is said beside them.

    Ends with the exit code that the run has come to.
    """
    program, stored, opened = loaded(run_id, store)
    follower = replaying.Follower(program, stored)
    depths: dict[str, int] = {}
    seen: tuple[Any, ...] = ()
    while True:
        now = (stored.status, stored.length, stored.epoch, stored.taken)
        if now != seen:
            for entry in follower.further(stored, opened):
                put(json.dumps(entry) + "\n" if as_json else trace_line(entry, depths) + "\n")
        if not stored.taken and (until_rest or stored.status in durable.ENDED):
            break
        if now != seen and not stored.taken:
            for line in _rests(replaying.standing(program, stored), opened, store):
                say(line)
        seen = now
        time.sleep(every)
        stored = opened.load(run_id)
    say(f"run {run_id} {_told_of(stored.status, stored.taken)}")
    return of_run(stored.status, stored.outcome)


def _rests(run: RunState, opened: Store, store: str | None) -> Iterator[str]:
    """What a run that nobody goes on with waits for."""
    if run.interrupt is None:
        yield f"run {run.run_id} stopped; go on with: {resumed_by(run.run_id, store_of(find_project(), store))}"
        return
    yield f"run {run.run_id} waits at {question(run.interrupt, last_heard(run, opened))}"
    yield from _answers(run, store)


def _answers(run: RunState, store: str | None) -> Iterator[str]:
    """The commands that answer a run which waits."""
    command = resumed_by(run.run_id, store_of(find_project(), store))
    if run.interrupt is not None and command is not None:
        yield from answers(run.interrupt, command)


def loaded(run_id: str, store: str | None) -> tuple[Program, StoredRun, Store]:
    """A run of a store, the program that it is pinned to, and the store."""
    opened = open_store(store_of(find_project(), store))
    stored = opened.load(run_id)
    return driver.loads_ir(stored.new.program), stored, opened


def _listed(run: RunSummary) -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        "workflow": run.workflow,
        "status": run.status,
        "outcome": run.outcome,
        "created": utc(run.created),
        "updated": utc(run.updated),
        "taken": run.taken,
    }


def _row(run: RunSummary) -> tuple[str, ...]:
    return (run.run_id, run.workflow, _told(run), run.outcome or "", utc(run.updated))


def _told(run: RunSummary) -> str:
    """A run that is going on is `running`, one that a signal stopped is not."""
    return _told_of(run.status, run.taken)


def _told_of(status: str, taken: bool) -> str:
    return "stopped" if status == "running" and not taken else status


def trace_line(entry: dict[str, Any], depths: dict[str, int]) -> str:
    """An entry in a line; what runs inside a step stands further in than the step. `depths` is that of the lineages."""
    parent = entry["parent"]
    depth = depths.setdefault(entry["lineage"], depths.get(parent["lineage"], 0) + 1 if parent else 0)
    return "  " * depth + entry_line(entry)
