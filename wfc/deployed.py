"""The verbs that run what a store holds: artifacts and deployments begun, stored runs gone on with.

Reference 4.4, 4.8.
"""

from __future__ import annotations

import os
from typing import Any, Unpack

from wfc import driver
from wfc.backends.stores import open_store
from wfc.configured import sources_of
from wfc.deploying import DEPLOYMENT, found_deployment, prepare
from wfc.ir import Program, RunState
from wfc.pinning import artifact_pin, deployment_pin, verify
from wfc.pinning import lock_pin as lock_pin
from wfc.project import Project, find_project
from wfc.publishing import artifact_program, found_artifact, is_artifact
from wfc.records import dataclass
from wfc.runs import Answering, Outside, durable


@dataclass(frozen=True, slots=True)
class Ready:
    """A program from a store, and what its runs are pinned to besides it."""

    program: Program
    pins: dict[str, str]


def is_stored(reference: str) -> bool:
    """Whether a text names an artifact or a deployment, not a file."""
    return is_artifact(reference) or reference.startswith(DEPLOYMENT)


def ready(reference: str, project: Project, store: str) -> Ready:
    """The program of `artifact:ID@N` or `deployment:NAME`, all of it found, bound and checked.

    Raises `StoreFault` for what is not there, `CompileError` for what does not hold together by what is known now,
    `Refused` for an artifact that compiles to another program than was published.
    """
    library = open_store(store).library
    if is_artifact(reference):
        artifact = found_artifact(reference, library)
        return Ready(artifact_program(artifact, store), artifact_pin(reference, artifact.summary.hash))
    deployment, text = found_deployment(reference.removeprefix(DEPLOYMENT), library)
    prepared = prepare(deployment, project, store)
    pins = artifact_pin(deployment.artifact, prepared.hash) | deployment_pin(deployment.name, text)
    return Ready(prepared.program, pins)


def run_deployment(
    name: str,
    input: Any,
    *,
    store: str | None = None,
    run_id: str | None = None,
    step_limit: int | None = None,
    **answering: Unpack[Answering],
) -> RunState:
    """Begin a durable run of a deployment, and let it go until it rests.

    `store` is a path or address, by default that of the configuration around the current folder, whose sources answer
    calls together with what `answering` brings. Raises `StoreFault`, `CompileError`, `Refused`, `ConfigFault`.
    """
    project = find_project()
    kept = store or project.store
    made = ready(f"{DEPLOYMENT}{name}", project, kept)
    pins = made.pins | lock_pin(project, made.program)
    outside = Outside(open_store(kept), _noted(project, kept), _answering(project, made.program, answering), pins=pins)
    chosen = run_id or f"{made.program.name}-{os.urandom(4).hex()}"
    limit = step_limit or project.settings.step_limit
    return durable.begin(made.program, input, outside, run_id=chosen, step_limit=limit)


def resume_run(
    run_id: str,
    outcome: str | None = None,
    payload: Any = None,
    *,
    store: str | None = None,
    interrupt_id: str | None = None,
    **answering: Unpack[Answering],
) -> RunState:
    """Go on with a stored run, an interrupted one with an answer, until it rests.

    Raises `Refused`, with the reason `drift` when the deployment, the artifact, the lock or a capability is another one
    by now; `UnknownRun`, `RunBusy`, `StoreFault`, `ConfigFault`. Whatever is raised before the first call, the run
    stays as it was.
    """
    project = find_project()
    opened = open_store(store or project.store)
    stored = opened.load(run_id)
    program = driver.loads_ir(stored.new.program)
    verify(stored.new.pins, opened.library, project, program)
    outside = Outside(answering=_answering(project, program, answering))
    return durable.resume(program, stored, opened, outside, outcome=outcome, payload=payload, interrupt_id=interrupt_id)


def _answering(project: Project, program: Program, given: Answering) -> Answering:
    made = given.copy()
    made["sources"] = {**sources_of(project, program), **given.get("sources", {})}
    return made


def _noted(project: Project, store: str) -> str | None:
    """Where the configuration was found, seen from the store."""
    if project.file is None or "://" in store:
        return None
    return os.path.relpath(project.file, os.path.dirname(store) or ".")
