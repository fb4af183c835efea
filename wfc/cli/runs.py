"""`wfc runs`: what a store keeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import click

from wfc.backends.stores import RunSummary, StoredRun, open_store
from wfc.cli import options
from wfc.cli.outcome import pretty, run_json, run_text
from wfc.cli.place import store_of
from wfc.cli.terminal import put, put_json
from wfc.project import find_project

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
    run = _loaded(run_id, store).state
    if as_json:
        put_json(run_json(run))
        return
    put(f"{run_text(run)}\nstate\n{pretty(run.state)}\n")


@command.command("trace")
@click.argument("run_id", metavar="RUN")
@options.store
@options.as_json
def trace(run_id: str, store: str | None, as_json: bool) -> None:
    """The steps of a run in order, with what each gave and where it led."""
    run = _loaded(run_id, store).state
    if as_json:
        put_json({"schema": TRACE_FORMAT, "run_id": run_id, "trace": list(run.trace)})
        return
    put("".join(line + "\n" for line in _trace_lines(run.trace)))


def _loaded(run_id: str, store: str | None) -> StoredRun:
    return open_store(store_of(find_project(), store)).load(run_id)


def _listed(run: RunSummary) -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        "workflow": run.workflow,
        "status": run.status,
        "outcome": run.outcome,
        "created": _utc(run.created),
        "updated": _utc(run.updated),
        "taken": run.taken,
    }


def _row(run: RunSummary) -> tuple[str, ...]:
    return (run.run_id, run.workflow, _told(run), run.outcome or "", _utc(run.updated))


def _told(run: RunSummary) -> str:
    """A run that is going on is `running`, one that a signal stopped is not."""
    if run.taken:
        return "running"
    return "stopped" if run.status == "running" else run.status


def _utc(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _trace_lines(trace: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A line for each entry, what runs inside a step further in than the step."""
    depths: dict[str, int] = {}
    for entry in trace:
        parent = entry["parent"]
        depth = depths.setdefault(entry["lineage"], depths[parent["lineage"]] + 1 if parent else 0)
        told = [entry["step"] + (f"[{entry['index']}]" if "index" in entry else ""), f"({entry['type']})"]
        told += [entry[key] for key in ("outcome",) if key in entry]
        told += ["→ " + entry["next"]] if "next" in entry else []
        told += [f"{entry['error']['code']}: {entry['error']['message']}"] if "error" in entry else []
        yield "  " * depth + " ".join(told)
