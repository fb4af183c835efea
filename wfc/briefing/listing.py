"""The capabilities that a project may use: asked of its sources, or read from listings that somebody saved.

Guarantees: a source that cannot be asked is a sentence beside the others, never a gap that nobody is told of.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from wfc.ir import Catalogue, Contract, KnownSource
from wfc.project import ConfigFault, Project, read_lock
from wfc.records import dataclass
from wfc.tools import Seen, look

# What a tool gives that declares no output: its text (reference 4.2).
_TEXT: Mapping[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


@dataclass(frozen=True, slots=True)
class Known:
    """What may be used, in name order, and why something that is configured is not among it."""

    capabilities: tuple[Contract, ...] = ()
    faults: tuple[str, ...] = ()


def asked(project: Project) -> Known:
    """What the configured sources offer. Servers are started for it and ended again. Raises `ConfigFault`."""
    seen = look(project, list(project.settings.sources), read_lock(project.folder))
    found = [contract for one in seen for contract in one.contracts.values()]
    return Known(tuple(by_name(found).values()), tuple(fault for one in seen for fault in _faults(one)))


def _faults(seen: Seen) -> Iterable[str]:
    if seen.fault is not None:
        yield seen.fault
    if seen.wants is not None:
        yield f"source `{seen.name}` asks for authorisation: {seen.wants}"
    yield from (
        f"source `{seen.name}` lists `{tool}` in a way that cannot be used: {why}"
        for tool, why in seen.unusable.items()
    )


def listed(files: Iterable[str | Path]) -> Known:
    """What saved listings of MCP servers offer: JSON objects with `server` and `tools`. Raises `ConfigFault`."""
    found: list[Contract] = []
    for file in map(Path, files):
        try:
            found += capabilities_of_listing(json.loads(file.read_text("utf-8")))
        except OSError as wrong:
            raise ConfigFault(f"{file} cannot be read: {wrong.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise ConfigFault(f"{file} is no listing of tools; expected an object with `server` and `tools`") from None
    return Known(tuple(by_name(found).values()))


def capabilities_of_listing(listing: Mapping[str, Any]) -> tuple[Contract, ...]:
    """The tools of one MCP server as `tools/list` gives them, under the name of its key `server`.

    Raises `KeyError`, `TypeError` or `AttributeError` for a value of another shape.
    """
    return tuple(_of_tool(str(listing["server"]), tool) for tool in listing["tools"])


def _of_tool(server: str, tool: Mapping[str, Any]) -> Contract:
    hints = tool.get("annotations") or {}
    if not isinstance(tool.get("description", ""), str | None):
        raise TypeError("a description is a text")
    return Contract(
        name=f"{server}.{tool['name']}",
        input=tool["inputSchema"],
        output=tool.get("outputSchema") or dict(_TEXT),
        effects="read" if hints.get("readOnlyHint") else "idempotent" if hints.get("idempotentHint") else "write",
        description=tool.get("description"),
    )


def by_name(capabilities: Iterable[Contract]) -> dict[str, Contract]:
    return {one.name: one for one in sorted(capabilities, key=lambda one: one.name)}


def source_of(capability: Contract) -> str:
    return capability.name.partition(".")[0]


def catalogue_of(capabilities: Iterable[Contract]) -> Catalogue:
    """The capabilities as a check knows them: all that there are, and locked."""
    sources: dict[str, dict[str, Contract]] = {}
    for one in capabilities:
        sources.setdefault(source_of(one), {})[one.name.partition(".")[2]] = one
    return Catalogue(
        {name: KnownSource(name, tuple(contracts), contracts=contracts) for name, contracts in sources.items()}
    )
