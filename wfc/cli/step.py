"""`wfc step`: one step of a run, or the first one of a workflow."""

from __future__ import annotations

import os

import click

from wfc.backends.stores import open_store
from wfc.cli import options
from wfc.cli.carry_out import Telling, carry_out
from wfc.cli.given import STANDARD_INPUT
from wfc.cli.place import (
    last_heard,
    outside_of,
    pins_of,
    resumed_by,
    store_of,
    stored_trace,
    tell_drift,
    tell_moved_configuration,
)
from wfc.cli.programs import input_of, program_of, stored_program
from wfc.cli.running import id_of_new_run
from wfc.ir import decode
from wfc.project import find_project
from wfc.records import replace
from wfc.runs import durable


@click.command("step")
@click.argument("target", metavar="FILE|ARTIFACT|DEPLOYMENT|RUN")
@options.input
@options.set_value
@options.mock
@options.store
@options.run_id
@options.max_steps
@options.unchecked
@options.trace
@options.as_json
@options.no_color
def command(
    target: str,
    input_text: str | None,
    settings: tuple[str, ...],
    mock_file: str | None,
    store: str | None,
    run_id: str | None,
    max_steps: int | None,
    unchecked: bool,
    trace_file: str | None,
    as_json: bool,
    no_color: bool,
) -> int:
    """Make one step of a run. A file, an artifact and a deployment begin one; input, run id and limit are for that."""
    from_store = target.startswith(("artifact:", "deployment:"))
    if target != STANDARD_INPUT and not from_store and not os.path.exists(target):
        if input_text or settings or run_id is not None or max_steps or unchecked:
            raise click.UsageError(f"there is no file {target}; a run that goes on has its input, id and limit already")
        return _next_step(target, store, mock_file, Telling(as_json, no_color, None, trace_file))
    project = find_project(None if from_store else target)
    pins: dict[str, str] = {}
    if from_store:
        program, pins = stored_program(target, project, store_of(project, store), no_color)
    else:
        program = program_of(target, unchecked=unchecked, no_color=no_color, store=store)
    value = input_of(program, input_text, settings)
    kept = store_of(project, store)
    name = id_of_new_run(run_id, program.name)
    limit = max_steps or project.settings.step_limit
    return carry_out(
        lambda outside: durable.begin(program, value, outside, run_id=name, step_limit=limit, steps=1),
        outside_of(project, program, store=kept, mock_file=mock_file, pins=pins_of(project, program, kept, pins)),
        Telling(
            as_json,
            no_color,
            resumed_by(name, kept, mock_file=mock_file),
            trace_file,
            stepped_by=resumed_by(name, kept, "step", mock_file=mock_file),
        ),
    )


def _next_step(run_id: str, store: str | None, mock_file: str | None, telling: Telling) -> int:
    project = find_project()
    kept = store_of(project, store)
    opened = open_store(kept)
    stored = opened.load(run_id)
    program = decode(stored.new.program)
    tell_drift(stored, opened, project, program)
    tell_moved_configuration(stored, project, kept)
    return carry_out(
        lambda outside: durable.step(program, stored, opened, outside),
        outside_of(project, program, store=kept, mock_file=mock_file),
        replace(
            telling,
            resumed_by=resumed_by(run_id, kept, mock_file=mock_file),
            trace_of=lambda: stored_trace(program, opened, run_id),
            stepped_by=resumed_by(run_id, kept, "step", mock_file=mock_file),
            heard=lambda run: last_heard(run, opened),
        ),
    )
