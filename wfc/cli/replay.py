"""`wfc replay`: a run rebuilt from its journal alone, and compared with what is kept of it."""

from __future__ import annotations

import click

from wfc.cli import options
from wfc.cli.exits import FINDINGS, OK
from wfc.cli.runs import loaded
from wfc.cli.terminal import put, put_json
from wfc.runs import replaying

FORMAT = "wfc.replay/1"


@click.command("replay")
@click.argument("run_id", metavar="RUN")
@options.store
@options.as_json
def command(run_id: str, store: str | None, as_json: bool) -> int:
    """Rebuild a run from its program, its input and its journal, calling nothing; exit 1 when it differs."""
    program, stored, opened = loaded(run_id, store)
    differing = replaying.differences(program, stored, opened)
    if as_json:
        put_json({"schema": FORMAT, "run_id": run_id, "entries": stored.length, "differences": differing})
    elif differing:
        put(f"run {run_id}: {', '.join(differing)} do not follow from its {stored.length} journal entries\n")
    else:
        put(f"run {run_id} follows from its {stored.length} journal entries\n")
    return FINDINGS if differing else OK
