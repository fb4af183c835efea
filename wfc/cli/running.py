"""What `wfc run` does, once it is known what was asked."""

from __future__ import annotations

import os

from wfc.cli.asking import Asked
from wfc.cli.carry_out import Telling, carry_out
from wfc.cli.place import outside_of, pins_of, resumed_by, store_of
from wfc.cli.programs import input_of, is_compiled, program_of, stored_program
from wfc.project import find_project
from wfc.runs import durable


def run_file(asked: Asked) -> int:
    """Run what was asked until it ends or waits, tell it, and give the exit code."""
    from_store = asked.file.startswith(("artifact:", "deployment:"))
    project = find_project(None if from_store else asked.file)
    if asked.updates_lock:
        from wfc.cli.accepting import accept_for_file, accept_for_program
    if asked.updates_lock and not from_store and not is_compiled(asked.file):
        # Before it is compiled: what the lock knows goes into the program.
        accept_for_file(project, asked.file)
    pins: dict[str, str] = {}
    if from_store:
        program, pins = stored_program(asked.file, project, store_of(project, asked.store), asked.no_color)
    else:
        program = program_of(asked.file, unchecked=asked.unchecked, no_color=asked.no_color, store=asked.store)
    if asked.updates_lock and (from_store or is_compiled(asked.file)):
        accept_for_program(project, program)
    value = input_of(program, asked.input_text, asked.settings)
    kept = None if asked.no_store else store_of(project, asked.store)
    name = id_of_new_run(asked.run_id, program.name)
    return carry_out(
        lambda outside: durable.begin(
            program, value, outside, run_id=name, step_limit=asked.max_steps or project.settings.step_limit
        ),
        outside_of(project, program, store=kept, mock_file=asked.mock_file, pins=pins_of(project, program, kept, pins)),
        Telling(asked.as_json, asked.no_color, resumed_by(name, kept, mock_file=asked.mock_file), asked.trace_file),
    )


def id_of_new_run(given: str | None, program: str) -> str:
    """The id that was given, else one that nobody has. An empty one is a variable that was not set, not the wish for
    any id: who gives ids does so that nothing runs twice."""
    wrong = None
    if given == "":
        wrong = "is empty; expected an id, or the option left out"
    elif given is not None and given.startswith("-"):
        wrong = f"is `{given}`, which other commands would take for an option; expected an id without the `-` before it"
    if wrong is not None:
        from click import UsageError

        raise UsageError(f"`--run-id` {wrong}")
    return f"{program}-{os.urandom(4).hex()}" if given is None else given
