"""The capabilities that a project may use: asked of its sources, or read from listings that somebody saved.

Guarantees: a source that cannot be asked is a sentence beside the others, never a gap that nobody is told of.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from wfc.backends.sources import McpSource, PythonSource, Source
from wfc.briefing.capability import TEXT_OUTPUT, Capability, by_name, capabilities_of_listing
from wfc.configured import every_source
from wfc.project import ConfigFault, Project
from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """What may be used, in name order, and why something that is configured is not among it."""

    capabilities: tuple[Capability, ...] = ()
    faults: tuple[str, ...] = ()


async def asked(project: Project) -> Known:
    """What the configured sources offer. Servers are started for it and ended again. Raises `ConfigFault`."""
    found: list[Capability] = []
    faults: list[str] = []
    for name, source in every_source(project).items():
        await source.open()
        try:
            offered = list(_offered(name, source))
            found += offered
            fault = None if offered else source.missing("")
        finally:
            await source.close()
        faults += [fault] if fault else []
    return Known(tuple(by_name(found).values()), tuple(faults))


def _offered(name: str, source: Source) -> Iterable[Capability]:
    if isinstance(source, McpSource):
        for key, tool in source.tools.items():
            shape = source.server.tools.get(key)
            output: Any = shape.output if shape is not None and shape.output is not None else tool.output_schema
            yield Capability(
                name=f"{name}.{key}",
                input=tool.input_schema,
                output=output or dict(TEXT_OUTPUT),
                effects=source.effects(key) or "write",
                description=tool.description,
            )
    elif isinstance(source, PythonSource):
        for key, contract in source.contracts().items():
            if source.missing(key) is None:
                yield Capability(
                    name=f"{name}.{key}",
                    input=contract.input_schema,
                    output=contract.output_schema,
                    outcomes=contract.outcomes,
                    others=contract.outcome_schemas,
                    effects=source.effects(key) or "write",
                )


def listed(files: Iterable[str | Path]) -> Known:
    """What saved listings of MCP servers offer: JSON objects with `server` and `tools`. Raises `ConfigFault`."""
    found: list[Capability] = []
    for file in map(Path, files):
        try:
            found += capabilities_of_listing(json.loads(file.read_text("utf-8")))
        except OSError as wrong:
            raise ConfigFault(f"{file} cannot be read: {wrong.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ConfigFault(f"{file} is no listing of tools; expected an object with `server` and `tools`") from None
    return Known(tuple(by_name(found).values()))
