"""`wfc run`: a workflow or a compiled program, run and kept."""

from __future__ import annotations

import os

import click

from wfc.cli import options
from wfc.cli.carry_out import Telling, carry_out
from wfc.cli.place import outside_of, pins_of, resumed_by, store_of
from wfc.cli.programs import input_of, is_compiled, program_of, stored_program
from wfc.project import find_project
from wfc.runs import durable


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
    from_store = file.startswith(("artifact:", "deployment:"))
    project = find_project(None if from_store else file)
    if updates_lock:
        from wfc.cli.accepting import accept_for_file, accept_for_program
    if updates_lock and not from_store and not is_compiled(file):
        # Before it is compiled: what the lock knows goes into the program.
        accept_for_file(project, file)
    pins: dict[str, str] = {}
    if from_store:
        program, pins = stored_program(file, project, store_of(project, store), no_color)
    else:
        program = program_of(file, unchecked=unchecked, no_color=no_color, store=store)
    if updates_lock and (from_store or is_compiled(file)):
        accept_for_program(project, program)
    value = input_of(program, input_text, settings)
    kept = None if no_store else store_of(project, store)
    name = run_id or new_run_id(program.name)
    return carry_out(
        lambda outside: durable.begin(
            program, value, outside, run_id=name, step_limit=max_steps or project.settings.step_limit
        ),
        outside_of(project, program, store=kept, mock_file=mock_file, pins=pins_of(project, program, kept, pins)),
        Telling(as_json, no_color, resumed_by(name, kept, mock_file=mock_file), trace_file),
    )


def new_run_id(program: str) -> str:
    return f"{program}-{os.urandom(4).hex()}"
