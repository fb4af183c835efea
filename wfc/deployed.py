"""What Python programs do with a store: workflows published and deployed, begun, and their runs gone on with.

Reference 4.4, 4.8.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any, Unpack

from wfc import driver, publishing
from wfc.backends.stores import Store, StoredRun, open_store
from wfc.configured import sources_of
from wfc.deploying import DEPLOYMENT, Deployment, apply, deployment_of
from wfc.ir import Program, Refused, RunState, to_json
from wfc.pinning import lock_pin, verify
from wfc.preparing import ready
from wfc.project import Project, find_project
from wfc.records import dataclass
from wfc.runs import Answering, Outside, durable


@dataclass(frozen=True, slots=True)
class _Begun:
    """A run of a deployment that is about to begin."""

    program: Program
    outside: Outside
    run_id: str
    step_limit: int | None


@dataclass(frozen=True, slots=True)
class _Stopped:
    """A stored run that is about to go on, with nothing changed that it is pinned to."""

    program: Program
    run: StoredRun
    store: Store
    outside: Outside


def publish(
    workflow: driver.Source, *, artifact_id: str | None = None, store: str | None = None
) -> publishing.Published:
    """Keep a workflow that checks clean as a version; `.artifact.ref()` is what a subgraph step names to run it.

    `workflow` is a path, a JSON value or what was loaded, `store` a path or address, by default that of the
    configuration around the current folder. Raises `CompileError`, `StoreFault`, `ConfigFault`.
    """
    kept = store or find_project().store
    if isinstance(workflow, driver.Loaded):
        given = workflow
    elif isinstance(workflow, Mapping):
        given = driver.loads(json.dumps(to_json(workflow)), form="json", name="<python>", store=kept)
    else:
        given = driver.load(workflow, store=kept)
    return publishing.publish(given, kept, artifact_id)


def deploy(deployment: Mapping[str, Any], *, store: str | None = None) -> Deployment:
    """Keep a deployment, given as the JSON value of its file, once its whole tree was found, bound and checked.

    Raises `StoreFault` for what is not there or bound to nothing, `CompileError`, `ConfigFault`.
    """
    project = find_project()
    made = deployment_of(to_json(deployment), "the deployment")
    apply(made, project, store or project.store)
    return made


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
    calls together with what `answering` brings. Raises `StoreFault`, `CompileError`, `ConfigFault`; `Refused`, also on
    an event loop, where `run_deployment_async` is for.
    """
    _outside_of_loops("run_deployment_async")
    new = _begun(name, store, run_id, step_limit, answering)
    return durable.begin(new.program, input, new.outside, run_id=new.run_id, step_limit=new.step_limit)


async def run_deployment_async(
    name: str,
    input: Any,
    *,
    store: str | None = None,
    run_id: str | None = None,
    step_limit: int | None = None,
    **answering: Unpack[Answering],
) -> RunState:
    """Like `run_deployment`, on the event loop that awaits it; who cancels it stops the run, which is kept."""
    new = _begun(name, store, run_id, step_limit, answering)
    return await durable.begin_async(new.program, input, new.outside, run_id=new.run_id, step_limit=new.step_limit)


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
    stays as it was. On an event loop `resume_run_async` is for it.
    """
    _outside_of_loops("resume_run_async")
    old = _stopped(run_id, store, answering)
    given = {"outcome": outcome, "payload": payload, "interrupt_id": interrupt_id}
    return durable.resume(old.program, old.run, old.store, old.outside, **given)


async def resume_run_async(
    run_id: str,
    outcome: str | None = None,
    payload: Any = None,
    *,
    store: str | None = None,
    interrupt_id: str | None = None,
    **answering: Unpack[Answering],
) -> RunState:
    """Like `resume_run`, on the event loop that awaits it; who cancels it stops the run, which is kept."""
    old = _stopped(run_id, store, answering)
    given = {"outcome": outcome, "payload": payload, "interrupt_id": interrupt_id}
    return await durable.resume_async(old.program, old.run, old.store, old.outside, **given)


def _begun(name: str, store: str | None, run_id: str | None, step_limit: int | None, given: Answering) -> _Begun:
    project = find_project()
    kept = store or project.store
    made = ready(f"{DEPLOYMENT}{name}", project, kept)
    pins = made.pins | lock_pin(project, made.program)
    outside = Outside(open_store(kept), _noted(project, kept), _answering(project, made.program, given), pins=pins)
    chosen = run_id or f"{made.program.name}-{os.urandom(4).hex()}"
    return _Begun(made.program, outside, chosen, step_limit or project.settings.step_limit)


def _stopped(run_id: str, store: str | None, given: Answering) -> _Stopped:
    project = find_project()
    opened = open_store(store or project.store)
    stored = opened.load(run_id)
    program = driver.loads_ir(stored.new.program)
    verify(stored.new.pins, opened.library, project, program)
    return _Stopped(program, stored, opened, Outside(answering=_answering(project, program, given)))


def _outside_of_loops(twin: str) -> None:
    """Raises `Refused` where an event loop runs, which a function that waits would hold up."""
    # What was never imported runs no loop.
    asyncio = sys.modules.get("asyncio")
    if asyncio is not None and asyncio._get_running_loop() is not None:
        raise Refused("needs_event_loop", f"an event loop runs here; expected `await wfc.{twin}(…)`")


def _answering(project: Project, program: Program, given: Answering) -> Answering:
    made = given.copy()
    made["sources"] = {**sources_of(project, program), **given.get("sources", {})}
    return made


def _noted(project: Project, store: str) -> str | None:
    """Where the configuration was found, seen from the store."""
    if project.file is None or "://" in store:
        return None
    return os.path.relpath(project.file, os.path.dirname(store) or ".")
