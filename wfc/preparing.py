"""Programs from a store, made ready to run: artifacts and deployments found, bound and checked (reference 4.4)."""

from __future__ import annotations

from wfc.backends.stores import open_store
from wfc.deploying import DEPLOYMENT, found_deployment, prepare
from wfc.ir import Program
from wfc.pinning import artifact_pin, deployment_pin
from wfc.project import Project
from wfc.publishing import artifact_program, found_artifact, is_artifact
from wfc.records import dataclass


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
        return Ready(
            artifact_program(artifact, store, project.catalogue), artifact_pin(reference, artifact.summary.hash)
        )
    deployment, text = found_deployment(reference.removeprefix(DEPLOYMENT), library)
    prepared = prepare(deployment, project, store)
    pins = artifact_pin(deployment.artifact, prepared.hash) | deployment_pin(deployment.name, text)
    return Ready(prepared.program, pins)
