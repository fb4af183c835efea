"""Where a run is kept and what it meets, from the configuration and the options of a command."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from wfc.backends.stores import Store, StoredRun, open_store
from wfc.cli.given import json_file
from wfc.cli.outcome import resume_command
from wfc.cli.terminal import say
from wfc.ir import Program, RunState
from wfc.project import ConfigFault, Project, find_project
from wfc.runs import Answering, Outside


def outside_of(
    project: Project,
    program: Program,
    *,
    store: str | None,
    mock_file: str | None,
    pins: Mapping[str, str] | None = None,
) -> Outside:
    """What a run of a program meets; `store` none: it is kept nowhere. A new one is kept with its `pins`."""
    answering = Answering()
    if project.settings.sources:
        from wfc.configured import sources_of

        answering["sources"] = sources_of(project, program)
    if mock_file is not None:
        from wfc.backends.sources import Mocks

        answering["mocks"] = Mocks.for_runs(json_file(mock_file))
    if store is None:
        return Outside(answering=answering)
    return Outside(open_store(store), _noted(project, store), answering, pins=pins or {})


def pins_of(project: Project, program: Program, store: str | None, pins: Mapping[str, str]) -> Mapping[str, str]:
    """What a new run is pinned to besides its program; nothing where it is not kept."""
    if store is None or not (pins or project.settings.sources):
        return pins
    from wfc.pinning import lock_pin

    return {**pins, **lock_pin(project, program)}


def tell_drift(stored: StoredRun, store: Store, project: Project, program: Program) -> None:
    """Raises `Refused` when what a run is pinned to is another one by now."""
    if stored.new.pins:
        from wfc.pinning import verify

        verify(stored.new.pins, store.library, project, program)


def store_of(project: Project, store: str | None) -> str:
    """The store that an option names, else that of the project."""
    return store or project.store


def stored_trace(program: Program, store: Store, run_id: str) -> Sequence[dict[str, Any]]:
    """The trace of a run that a store keeps, as far as it has come."""
    from wfc.runs import replaying

    return replaying.traced(program, store.load(run_id), store).trace


def last_heard(run: RunState, store: Store) -> float | None:
    """When the process of a call in doubt was last heard of, in seconds since 1970; nothing for any other question."""
    if run.interrupt is None or run.interrupt.kind != "in_doubt":
        return None
    from wfc.runs import replaying

    return replaying.last_heard(store.load(run.run_id), store, run.interrupt.payload["call_id"])


def resumed_by(run_id: str, store: str | None, verb: str = "resume", *, mock_file: str | None = None) -> str | None:
    """The command that goes on with a run from the current folder; none when it is kept nowhere. `verb` is `resume`, or
    `step` for the one that makes one step of it; what was answered by mocks so far is answered by them then."""
    if store is None:
        return None
    try:
        found = find_project().store
    except ConfigFault:
        # Of another project than that of the run, which is none of its business.
        found = None
    command = resume_command(run_id, None if store == found else store, verb)
    return command if mock_file is None else f"{command} --mock {shlex.quote(mock_file)}"


def tell_moved_configuration(stored: StoredRun, project: Project, store: str) -> None:
    """Say so when a run goes on with another configuration than it began with."""
    if stored.new.config != _noted(project, store):
        began, here = (config or "no configuration" for config in (stored.new.config, _noted(project, store)))
        say(f"note: the run began with {began} and goes on with {here} (seen from the folder of the store)")


def _noted(project: Project, store: str) -> str | None:
    """Where the configuration was found, seen from the store, so that it means the same from every folder."""
    if project.file is None or "://" in store:
        return None
    return os.path.relpath(project.file, os.path.dirname(store) or ".")
