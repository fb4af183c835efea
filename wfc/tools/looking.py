"""Sources asked what they offer: each is opened, listed and closed again; one that fails never hides the others."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wfc.configured import kind_of, source_of
from wfc.diagnostics import close_match
from wfc.ir import Contract, Listing
from wfc.project import ConfigFault, Lock, Project, contract_of
from wfc.records import dataclass, field, replace

if TYPE_CHECKING:
    from wfc.backends.sources import Source


@dataclass(frozen=True, slots=True)
class Seen:
    """A source as it answered. `listings` are all its capabilities, `contracts` those that the configuration allows, as
    workflows meet them. `fault` says why it did not answer, `config` that the configuration is why; `wants` is what it
    said when it asked for authorisation. `server` is who answered, with the version of the protocol."""

    name: str
    kind: str
    listings: Mapping[str, Listing] = field(default_factory=dict)
    contracts: Mapping[str, Contract] = field(default_factory=dict)
    unusable: Mapping[str, str] = field(default_factory=dict)
    fault: str | None = None
    config: bool = False
    wants: str | None = None
    server: Mapping[str, str] = field(default_factory=dict)
    strays: tuple[str, ...] = ()

    @property
    def answered(self) -> bool:
        return self.fault is None and self.wants is None


def wanted_sources(project: Project, names: Sequence[str]) -> list[str]:
    """The configured sources that are meant; all where none is named. Raises `ConfigFault` for one that is not."""
    configured = list(project.settings.sources)
    if not configured:
        where = f"{project.file}" if project.file is not None else "no `wfc.toml` was found, and so"
        raise ConfigFault(f"{where} names no source; expected a table such as `[sources.files]`")
    for name in names:
        if name not in configured:
            near = close_match(name, configured)
            hint = f"nearest: `{near}`" if near else f"configured are {', '.join(f'`{one}`' for one in configured)}"
            raise ConfigFault(f"{project.file} has no source `{name}`; {hint}")
    return [name for name in configured if not names or name in names]


def look(project: Project, names: Sequence[str], lock: Lock) -> list[Seen]:
    """What sources offer now, in the order of the names."""
    return asyncio.run(_look(project, names, lock))


async def _look(project: Project, names: Sequence[str], lock: Lock) -> list[Seen]:
    return await asyncio.gather(*(_seen(project, name, lock) for name in names))


async def _seen(project: Project, name: str, lock: Lock) -> Seen:
    kind = kind_of(project.settings.sources[name])
    try:
        source = source_of(project, name, lock)
    except ConfigFault as wrong:
        return Seen(name, kind, fault=str(wrong), config=True)
    await source.open()
    try:
        return known(project, name, source)
    finally:
        await source.close()


def known(project: Project, name: str, source: Source) -> Seen:
    """What an opened source offers."""
    from wfc.backends.sources import McpSource, PythonSource
    from wfc.nested import WorkflowSource

    settings = project.settings.sources[name]
    seen = Seen(name, kind_of(settings))
    if isinstance(source, PythonSource):
        keys = list(source.contracts())
        seen = replace(seen, fault=source.fault)
    elif isinstance(source, McpSource):
        keys = list(source.listed)
        said = source.introduction
        told = {} if said is None else {"protocol": said.protocol, "name": said.name, "version": said.version}
        seen = replace(
            seen,
            unusable=dict(source.unusable),
            fault=source.fault,
            wants=source.wants_authorisation,
            server={key: value for key, value in told.items() if value is not None},
            strays=tuple(source.take_strays()),
        )
    elif isinstance(source, WorkflowSource):
        keys = source.keys
        seen = replace(seen, unusable=source.faults)
    else:
        raise ConfigFault(f"source `{name}` is of a kind that cannot be listed")
    listings = {key: listing for key in keys if (listing := source.listing(key)) is not None}
    contracts = {
        key: contract_of(name, key, settings, listing)
        for key, listing in listings.items()
        if source.missing(key) is None
    }
    return replace(seen, listings=listings, contracts=contracts)
