"""One call of one capability, outside of any workflow, and what was said in it, to be kept as a sample."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from wfc.configured import source_of
from wfc.ir import Answer, Contract, Invoke, Listing, Refused
from wfc.project import DATA_FOLDER, ConfigFault, Lock, McpSettings, Project, SourceSettings, contract_of
from wfc.records import dataclass, replace
from wfc.replacing import write_whole
from wfc.tools.judging import judged, refused_payload, unusable
from wfc.tools.looking import wanted_sources

if TYPE_CHECKING:
    from wfc.backends.sources import Progress, Said

SAMPLE_SCHEMA = "wfc.sample/1"
_SAMPLES = "samples"


@dataclass(frozen=True, slots=True)
class Called:
    """The answer of a capability as a run would judge it, what a tool said before anything was made of it, and by which
    schemas nothing could be judged."""

    answer: Answer
    said: Said | None
    unjudged: tuple[str, ...] = ()


def call(
    project: Project,
    name: str,
    payload: Any,
    lock: Lock,
    *,
    seconds: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Called:
    """Make one call of `source.key`. Raises `ConfigFault` for a source that is not there, `Refused` for a capability
    that cannot be called or is not what the lock says of it, and for a payload that its schema refuses; then nothing
    was called."""
    source_name, dot, key = name.partition(".")
    if not dot:
        raise ConfigFault(f"`{name}` names no capability; expected a source and its capability, such as `files.read`")
    wanted_sources(project, [source_name])
    return asyncio.run(_call(project, source_name, key, payload, lock, seconds, progress))


async def _call(
    project: Project,
    name: str,
    key: str,
    payload: Any,
    lock: Lock,
    seconds: float | None,
    progress: Callable[[Progress], None] | None,
) -> Called:
    from wfc.backends.sources import Circumstances, Drifted

    source = source_of(project, name, lock, [key])
    heard: list[Said] = []
    run_id = uuid4().hex[:12]
    told = None if progress is None else lambda invoke, how_far: progress(how_far)
    await source.open()
    try:
        why = source.missing(key)
        if why is not None:
            raise Refused("capability_unavailable", why)
        drift = source.drifted(key)
        if drift is not None:
            raise Drifted([drift])
        listing = lock.listing(name, key) or source.listing(key)
        # One that asks for authorisation first has said nothing yet.
        contract = None if listing is None else _declared(project.settings.sources[name], name, key, listing)
        refused = None if contract is None else refused_payload(contract, payload)
        if refused is not None:
            raise Refused("node_input_invalid", refused)
        invoke = _invoke(run_id, f"{name}.{key}", payload, seconds, source.effects(key) or "write")
        answer = await source.perform(key, invoke, Circumstances(run_id, True, progress=told, heard=heard.append))
        said = heard[0] if heard else None
        return (
            Called(answer, said)
            if contract is None
            else Called(judged(contract, answer), said, tuple(unusable(contract)))
        )
    finally:
        await source.close()


def _declared(settings: SourceSettings, name: str, key: str, listing: Listing) -> Contract:
    """What a capability takes and gives, as far as anybody has declared it: that a tool without an output schema gives
    text is only what is assumed of it."""
    contract = contract_of(name, key, settings, listing)
    if not isinstance(settings, McpSettings) or listing.output_schema is not None:
        return contract
    shape = settings.tools.get(key)
    is_shaped = shape is not None and (shape.output is not None or bool(shape.adapt))
    return contract if is_shaped else replace(contract, output=True)


def _invoke(run_id: str, capability: str, payload: Any, seconds: float | None, effects: str) -> Invoke:
    return Invoke(
        call_id=f"{run_id}/call",
        attempt=1,
        workflow="",
        definition=capability,
        capability=capability,
        node_id=capability,
        frame_id="root",
        payload=payload,
        timeout_seconds=seconds,
        effects=effects,
        context={},
    )


# -- samples ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sample:
    """What a tool once said."""

    capability: str
    text: str
    structured: Any = None


def sample_of(project: Project, capability: str, said: Said) -> Path:
    """Keep what was said, in place of what was kept of the same capability. Raises `OSError`."""
    folder = project.folder / DATA_FOLDER / _SAMPLES
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("*\n")
    file = folder / f"{capability.replace('/', '_')}.json"
    kept = {"schema": SAMPLE_SCHEMA, "capability": capability, "text": said.text, "structured": said.structured}
    write_whole(file, (json.dumps(kept, indent=2) + "\n").encode("ascii"))
    return file


def samples(project: Project) -> list[Sample]:
    """The samples that are kept, by name. Raises `ConfigFault` for a file that is none."""
    folder = project.folder / DATA_FOLDER / _SAMPLES
    return [_read(file) for file in sorted(folder.glob("*.json"))] if folder.is_dir() else []


def _read(file: Path) -> Sample:
    try:
        kept = json.loads(file.read_bytes())
        if kept["schema"] != SAMPLE_SCHEMA:
            raise ValueError(f"its schema is `{kept['schema']}`")
        return Sample(str(kept["capability"]), str(kept["text"]), kept["structured"])
    except (ValueError, TypeError, KeyError, RecursionError, OSError) as wrong:
        raise ConfigFault(f"{file} is no sample: {wrong}; record it again with `wfc tools call`") from None
