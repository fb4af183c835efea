"""What a run is pinned to besides its program: the artifact, the deployment and the lock that it began with.

Reference 4.3, 4.4: a run whose artifact, deployment or lock is another one by now is not gone on with, and stays as it
is; once they are as they were, it goes on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from wfc.backends.stores import Library, UnknownArtifact, UnknownDeployment
from wfc.deploying import DEPLOYMENT
from wfc.digests import sha256
from wfc.ir import CapabilityRef, Program, Refused, canonical, std
from wfc.loading import ARTIFACT
from wfc.project import Project, read_lock
from wfc.publishing import found_artifact

_LOCK = "lock"


def name_of(text: str) -> str:
    """A name for a text."""
    return "sha256:" + sha256(text.encode())


def artifact_pin(reference: str, content: str) -> dict[str, str]:
    """That a run is one of a published version with that content hash."""
    return {reference: content}


def deployment_pin(name: str, text: str) -> dict[str, str]:
    """That a run is one of a deployment as it is now."""
    return {f"{DEPLOYMENT}{name}": name_of(canonical(json.loads(text)))}


def lock_pin(project: Project, program: Program) -> dict[str, str]:
    """What the lock says of the capabilities that a program uses; nothing where it says nothing."""
    if not project.settings.sources:
        return {}
    lock = read_lock(project.folder)
    known = {str(one): lock.listing(str(one.source), one.capability_key) for one in _used(program)}
    hashes = {name: listing.hash for name, listing in known.items() if listing is not None}
    return {_LOCK: name_of(canonical(hashes))} if hashes else {}


def verify(pins: Mapping[str, str], library: Library, project: Project, program: Program) -> None:
    """Raises `Refused` with the reason `drift` when something that a run is pinned to is another one by now."""
    for pinned, was in pins.items():
        if _now(pinned, library, project, program) != was:
            raise Refused("drift", f"{_told(pinned, project, program)}; put it back, or begin a new run")


def _told(pinned: str, project: Project, program: Program) -> str:
    """What is another one by now; a lock is asked about the sources that are configured, and may be as it was."""
    if pinned != _LOCK:
        return f"`{pinned}` is not what it was when the run began"
    configured = {*project.settings.sources, std.SOURCE}
    gone = sorted({f"`{one.source}`" for one in _used(program) if one.source not in configured})
    if gone:
        return f"the run began with the source {' and '.join(gone)}, which is configured no more"
    return "wfc.lock.json, in what the run uses, is not what it was when the run began"


def _used(program: Program) -> set[CapabilityRef]:
    """The capabilities of sources that a program names."""
    return {one.uses for routine in program.routines for one in routine.definitions if one.uses.source is not None}


def _now(pinned: str, library: Library, project: Project, program: Program) -> str | None:
    """What something pinned is now; none where it is gone."""
    try:
        if pinned.startswith(ARTIFACT):
            return found_artifact(pinned, library).summary.hash
        if pinned.startswith(DEPLOYMENT):
            name = pinned.removeprefix(DEPLOYMENT)
            return next(iter(deployment_pin(name, library.deployment(name).text).values()))
    except (UnknownArtifact, UnknownDeployment):
        return None
    except (ValueError, RecursionError):
        # Damaged, and so no deployment any more.
        return None
    return lock_pin(project, program).get(pinned)
