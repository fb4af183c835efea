"""`wfc run`: a workflow or a compiled program, run and kept."""

from __future__ import annotations

import click

from wfc.cli import options
from wfc.cli.asking import Asked
from wfc.cli.running import run_file
from wfc.records import replace


@click.command("run")
@click.argument("file", metavar="FILE|IR|ARTIFACT|DEPLOYMENT")
@options.input
@options.set_value
@options.mock
@options.store
@click.option("--no-store", is_flag=True, help="Keep the run nowhere; it cannot be resumed.")
@options.run_id
@options.max_steps
@options.unchecked
@options.update_lock
@options.trace
@options.as_json
@options.no_color
def command(
    file: str,
    input_text: str | None,
    settings: tuple[str, ...],
    mock_file: str | None,
    store: str | None,
    no_store: bool,
    run_id: str | None,
    max_steps: int | None,
    unchecked: bool,
    updates_lock: bool,
    trace_file: str | None,
    as_json: bool,
    no_color: bool,
) -> int:
    """Check, compile and run a workflow, or run a compiled program (*.wfir.json), until it ends or waits."""
    if no_store and store is not None:
        raise click.UsageError("`--store` and `--no-store` exclude one another")
    asked = Asked(file, input_text, settings, mock_file, store, no_store, run_id, max_steps)
    return run_file(
        replace(
            asked,
            unchecked=unchecked,
            updates_lock=updates_lock,
            trace_file=trace_file,
            as_json=as_json,
            no_color=no_color,
        )
    )
