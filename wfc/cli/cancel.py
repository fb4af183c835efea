"""`wfc cancel`: end a run for good, wherever it stands."""

from __future__ import annotations

import click

from wfc.cli import options
from wfc.cli.outcome import run_text
from wfc.cli.runs import loaded
from wfc.cli.terminal import put, put_json
from wfc.runs import durable


@click.command("cancel")
@click.argument("run_id", metavar="RUN")
@options.store
@options.as_json
def command(run_id: str, store: str | None, as_json: bool) -> None:
    """End a run: at once where nobody goes on with it, else as soon as its process notices. A run that has ended is
    refused."""
    run = durable.cancel(*loaded(run_id, store))
    if as_json:
        put_json({"schema": "wfc.cancel/1", "run_id": run_id, "status": "asked" if run is None else run.status})
    elif run is None:
        put(f"run {run_id} was asked to stop; its process ends it before it begins anything further\n")
    else:
        put(run_text(run) + "\n")
