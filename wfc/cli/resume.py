"""`wfc resume`: a run that waits is answered, one that was stopped goes on."""

from __future__ import annotations

from typing import Any

import click

from wfc.backends.stores import Store, open_store
from wfc.cli import options
from wfc.cli.carry_out import Telling, carry_out
from wfc.cli.given import json_argument
from wfc.cli.place import (
    last_heard,
    outside_of,
    resumed_by,
    store_of,
    stored_trace,
    tell_drift,
    tell_moved_configuration,
)
from wfc.cli.questions import question
from wfc.cli.terminal import can_ask
from wfc.ir import RunState, decode
from wfc.project import find_project
from wfc.runs import durable, replaying


@click.command("resume")
@click.argument("run_id", metavar="RUN")
@click.option("--outcome", metavar="NAME", help="The outcome of the answer.")
@click.option("--payload", metavar="JSON", help="The payload of the answer: JSON, @file, or - for standard input.")
@click.option("--interrupt", "interrupt_id", metavar="ID", help="Refuse when another question waits by now.")
@options.mock
@options.store
@options.update_lock
@options.trace
@options.as_json
@options.no_color
def command(
    run_id: str,
    outcome: str | None,
    payload: str | None,
    interrupt_id: str | None,
    mock_file: str | None,
    store: str | None,
    updates_lock: bool,
    trace_file: str | None,
    as_json: bool,
    no_color: bool,
) -> int:
    """Go on with a run that waits for an answer or was stopped. On a terminal the answer is asked for."""
    project = find_project()
    kept = store_of(project, store)
    opened = open_store(kept)
    stored = opened.load(run_id)
    if payload is not None and outcome is None:
        raise click.UsageError("`--payload` needs the `--outcome` that it belongs to")
    given = None if payload is None else json_argument("--payload", payload)
    program = decode(stored.new.program)
    if outcome is None and not stored.taken:
        outcome, given, interrupt_id = _asked(replaying.standing(program, stored), opened, interrupt_id)
    if updates_lock:
        from wfc.cli.accepting import accept_for_program

        accept_for_program(project, program)
    tell_drift(stored, opened, project, program)
    tell_moved_configuration(stored, project, kept)
    return carry_out(
        lambda outside: durable.resume(
            program, stored, opened, outside, outcome=outcome, payload=given, interrupt_id=interrupt_id
        ),
        outside_of(project, program, store=kept, mock_file=mock_file),
        Telling(
            as_json,
            no_color,
            resumed_by(run_id, kept, mock_file=mock_file),
            trace_file,
            lambda: stored_trace(program, opened, run_id),
            heard=lambda run: last_heard(run, opened),
        ),
    )


def _asked(run: RunState, opened: Store, interrupt_id: str | None) -> tuple[str | None, Any, str | None]:
    """The answer of the person at the terminal; nothing for a run that asks nothing."""
    waiting = run.interrupt
    if waiting is None or (interrupt_id is not None and interrupt_id != waiting.id):
        return None, None, interrupt_id
    if not can_ask():
        outcomes = ", ".join(f"`{one}`" for one in waiting.outcomes)
        raise click.ClickException(
            f"the run waits at {question(waiting, last_heard(run, opened))}; give --outcome, one of {outcomes}"
        )
    from wfc.cli.form import ask

    return *ask(waiting, last_heard(run, opened)), waiting.id
