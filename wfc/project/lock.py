"""`wfc.lock.json`: what sources offered when somebody last looked, pinned beside the configuration (reference 4.2).

Guarantees: one lock has one text, sorted and indented, so that a change of it can be reviewed; a lock that cannot be
used is a `ConfigFault` that says what to do.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wfc.ir import Listing, NotJson, listing_json, to_json
from wfc.project.settings import ConfigFault
from wfc.records import dataclass, field, replace
from wfc.replacing import write_whole

if TYPE_CHECKING:
    from pathlib import Path

LOCK_NAME = "wfc.lock.json"
LOCK_SCHEMA = "wfc.lock/1"
_AGAIN = "write it again with `wfc tools lock`"
_OBJECTS = ("outcome_schemas", "annotations")


@dataclass(frozen=True, slots=True)
class LockedSource:
    """What a source offered: the names of all its capabilities, and the pinned ones. `hashes` are as written."""

    kind: str
    names: tuple[str, ...] = ()
    capabilities: Mapping[str, Listing] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lock:
    """All locked sources by their names in the configuration."""

    sources: Mapping[str, LockedSource] = field(default_factory=dict)

    def listing(self, source: str, key: str) -> Listing | None:
        """What is pinned of a capability."""
        known = self.sources.get(source)
        return known.capabilities.get(key) if known is not None else None

    def with_source(self, name: str, source: LockedSource) -> Lock:
        return replace(self, sources={**self.sources, name: source})


def lock_file(folder: Path) -> Path:
    """Where the lock of a project is."""
    return folder / LOCK_NAME


def read_lock(folder: Path) -> Lock:
    """The lock of a project; an empty one where there is none. Raises `ConfigFault`."""
    return lock_of(lock_bytes(folder), str(lock_file(folder)))


def lock_bytes(folder: Path) -> bytes:
    """The content of a lock; empty where there is none. Raises `ConfigFault` for one that cannot be read."""
    file = lock_file(folder)
    try:
        return file.read_bytes() if os.path.lexists(file) else b""
    except OSError as wrong:
        raise ConfigFault(f"{file} cannot be read: {wrong.strerror}") from None


def lock_of(content: bytes, name: str) -> Lock:
    """The lock that a content means; `name` is the file for messages. Raises `ConfigFault`."""
    if not content:
        return Lock()
    try:
        value = to_json(json.loads(content))
    except (ValueError, RecursionError, NotJson) as wrong:
        raise ConfigFault(f"{name} is no JSON that can be used: {str(wrong).splitlines()[0]}; {_AGAIN}") from None
    if not isinstance(value, dict) or value.get("schema") != LOCK_SCHEMA:
        found = value.get("schema") if isinstance(value, dict) else None
        raise ConfigFault(f"{name} has the schema `{found}`; expected `{LOCK_SCHEMA}`; {_AGAIN}")
    try:
        return Lock({source: _source(one) for source, one in value["sources"].items()})
    except (KeyError, TypeError, AttributeError, ValueError) as wrong:
        raise ConfigFault(f"{name} lacks what a lock has: {type(wrong).__name__}: {wrong}; {_AGAIN}") from None


def lock_text(lock: Lock) -> str:
    """The one text of a lock."""
    sources = {
        name: {
            "kind": source.kind,
            "names": sorted(source.names),
            "capabilities": {
                key: {**listing_json(listing), "hash": listing.hash} for key, listing in source.capabilities.items()
            },
        }
        for name, source in lock.sources.items()
    }
    return json.dumps({"schema": LOCK_SCHEMA, "sources": sources}, indent=2, sort_keys=True) + "\n"


def write_lock(folder: Path, lock: Lock) -> None:
    """Put a lock in the place of the one that is there, as a whole. Raises `OSError`."""
    write_whole(lock_file(folder), lock_text(lock).encode("ascii"))


def _source(value: Mapping[str, Any]) -> LockedSource:
    capabilities = {str(key): listing_of(one) for key, one in value["capabilities"].items()}
    return LockedSource(
        kind=str(value["kind"]),
        names=tuple(map(str, value["names"])),
        capabilities=capabilities,
        hashes={str(key): str(one["hash"]) for key, one in value["capabilities"].items()},
    )


def listing_of(value: Mapping[str, Any]) -> Listing:
    """A listing as a lock holds it. Raises `KeyError` or `ValueError`."""
    for name in _OBJECTS:
        if not isinstance(value.get(name, {}), dict):
            raise ValueError(f"`{name}` is no object")
    outcomes = value["outcomes"]
    if not isinstance(outcomes, list) or not outcomes or not all(isinstance(one, str) for one in outcomes):
        raise ValueError("`outcomes` is no list of names")
    return Listing(
        input_schema=value["input_schema"],
        output_schema=value.get("output_schema"),
        outcomes=tuple(outcomes),
        outcome_schemas=value.get("outcome_schemas", {}),
        annotations=value.get("annotations", {}),
        effects=value.get("effects"),
        description=value.get("description"),
    )
