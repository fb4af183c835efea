"""`--update-lock`: what sources offer now is accepted before a run, and said (reference 4.2)."""

from __future__ import annotations

import click

from wfc.cli.exits import REFUSED
from wfc.cli.terminal import one_line, say
from wfc.ir import Program
from wfc.project import Project, read_lock, write_lock
from wfc.tools import Change, Renewed, also_locked, look, renewed, used_by_program, used_capabilities


def accept_for_file(project: Project, file: str) -> None:
    """Lock what a workflow file uses as it is now; where that cannot be done, the command ends."""
    used, _ = used_capabilities(project, [file], read_lock(project.folder))
    _accept(project, used)


def accept_for_program(project: Project, program: Program) -> None:
    """The same for what a compiled program uses."""
    _accept(project, used_by_program(project, program))


def _accept(project: Project, used: dict[str, set[str]]) -> None:
    if not used:
        return
    lock = read_lock(project.folder)
    names = [name for name in project.settings.sources if name in used]
    made: Renewed = renewed(lock, look(project, names, lock), also_locked(used, lock))
    for problem in made.problems:
        say(f"error: {one_line(problem)}")
    if made.problems:
        raise click.exceptions.Exit(REFUSED)
    write_lock(project.folder, made.lock)
    for change in made.changes:
        say(_line(change))


def _line(change: Change) -> str:
    return f"accepted: {change.capability} ({change.what})" + (f"\n{change.diff}" if change.diff else "")
