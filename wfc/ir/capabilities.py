"""What is known of capabilities outside of a workflow: as their sources list them, and as a workflow meets them.

Reference 4.2. A listing is what a source says and what a lock pins; a contract is what comes of it when the
configuration has had its say. Nothing here asks a source.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Literal

from wfc.digests import sha256
from wfc.ir.calls import CapabilityRef
from wfc.ir.values import canonical
from wfc.records import dataclass, field, fields

# What a schema says to people only: no value is judged by it, so that a server may reword it.
_REMARKS = frozenset({"title", "description", "$comment", "examples", "markdownDescription"})
_REMARKS_OF_HINTS = frozenset({"title"})
# Keywords whose keys are names of the author's, and keywords that hold data.
_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"})
_DATA = frozenset({"enum", "const", "default"})
Effects = Literal["pure", "read", "idempotent", "write"]
_BY_STRENGTH: tuple[Effects, ...] = ("pure", "read", "idempotent", "write")
_BINDING = ("input_schema", "output_schema", "outcomes", "outcome_schemas", "annotations", "effects")


@dataclass(frozen=True, slots=True)
class Listing:
    """A capability as its source lists it. `output_schema` none: it declares none. `annotations` are claims of a
    server under their names in the protocol; `effects` is what a repeated call would do, as the source claims."""

    input_schema: Any
    output_schema: Any = None
    outcomes: tuple[str, ...] = ("ok",)
    outcome_schemas: Mapping[str, Any] = field(default_factory=dict)
    annotations: Mapping[str, Any] = field(default_factory=dict)
    effects: str | None = None
    description: str | None = None

    @property
    def hash(self) -> str:
        """A name for all that a call depends on; remarks for people are no part of it."""
        return "sha256:" + sha256(canonical(_binding(self)).encode())


def listing_json(listing: Listing) -> dict[str, Any]:
    """A listing as a lock holds it, without what is not there."""
    fields: dict[str, Any] = {
        "description": listing.description,
        "input_schema": listing.input_schema,
        "output_schema": listing.output_schema,
        "outcomes": list(listing.outcomes),
        "outcome_schemas": dict(listing.outcome_schemas) or None,
        "annotations": dict(listing.annotations) or None,
        "effects": listing.effects,
    }
    return {name: value for name, value in fields.items() if value is not None}


def difference(old: Listing, new: Listing, *, old_name: str, new_name: str) -> str:
    """What a call depends on and is not the same in both, as a unified diff; empty where nothing is."""
    import difflib

    was, now = (json.dumps(_binding(one), indent=2, sort_keys=True).splitlines() for one in (old, new))
    return "\n".join(difflib.unified_diff(was, now, old_name, new_name, lineterm="", n=2))


def _binding(listing: Listing) -> dict[str, Any]:
    """What a call depends on."""
    whole = listing_json(listing)
    bare: dict[str, Any] = {name: whole[name] for name in _BINDING if name in whole}
    for name in ("input_schema", "output_schema"):
        if name in bare:
            bare[name] = without_remarks(bare[name])
    if "outcome_schemas" in bare:
        bare["outcome_schemas"] = {key: without_remarks(one) for key, one in bare["outcome_schemas"].items()}
    if "annotations" in bare:
        bare["annotations"] = {key: one for key, one in bare["annotations"].items() if key not in _REMARKS_OF_HINTS}
    return bare


def without_remarks(schema: Any) -> Any:
    """A copy of a schema without what it says to people only. Names of fields stay, whatever they are called."""
    top: list[Any] = [schema]
    # What is still to be copied: a container, the key in it, and what its keys are.
    waiting: list[tuple[Any, Any, str]] = [(top, 0, "schema")]
    while waiting:
        holder, key, kind = waiting.pop()
        value = holder[key]
        if isinstance(value, dict):
            kept = {name: one for name, one in value.items() if kind != "schema" or name not in _REMARKS}
            holder[key] = kept
            waiting += [(kept, name, _kind_of(name, kind)) for name in kept if _kind_of(name, kind) != "data"]
        elif isinstance(value, list):
            holder[key] = list(value)
            waiting += [(holder[key], index, "schema") for index in range(len(value))]
    return top[0]


def _kind_of(name: str, kind: str) -> str:
    """What stands under a key: a schema, schemas by name, or data."""
    if kind == "names":
        return "schema"
    return "names" if name in _NAMED else "data" if name in _DATA else "schema"


# -- as a workflow meets them -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contract:
    """What a capability takes and gives, as a node definition would say it. The first outcome gives `output`; `others`
    maps further ones to their schema, where they have one of their own."""

    name: str
    input: Any
    output: Any
    outcomes: tuple[str, ...] = ("ok",)
    others: Mapping[str, Any] = field(default_factory=dict)
    effects: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class KnownSource:
    """What is known of a configured source without asking it.

    `names` are all its capabilities when it was locked, none where it never was. `contracts` are the locked ones.
    `allow` and `deny` are patterns over names; `drift` maps a locked capability to what is wrong with its entry.
    """

    name: str
    names: tuple[str, ...] | None = None
    allow: tuple[str, ...] = ("*",)
    deny: tuple[str, ...] = ()
    contracts: Mapping[str, Contract] = field(default_factory=dict)
    drift: Mapping[str, str] = field(default_factory=dict)

    def allows(self, key: str) -> bool:
        """Whether the configuration lets a capability through."""
        return is_allowed(key, self.allow, self.deny)


def is_allowed(key: str, allow: Sequence[str], deny: Sequence[str]) -> bool:
    """Whether patterns over names let a capability through; what is denied is never allowed."""
    denied = any(fnmatchcase(key, pattern) for pattern in deny)
    return not denied and any(fnmatchcase(key, pattern) for pattern in allow)


def effects_by_pattern(key: str, effects: Mapping[str, str]) -> str | None:
    """What a configuration says that a repeated call would do: by the name itself, else by the first pattern."""
    if key in effects:
        return effects[key]
    return next((effect for pattern, effect in effects.items() if fnmatchcase(key, pattern)), None)


def stronger(*said: str | None) -> Effects | None:
    """The one of what is said of a repeated call that does the most; none where nothing is said."""
    return max((one for one in _BY_STRENGTH if one in said), key=_BY_STRENGTH.index, default=None)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What a configuration and its lock know; without sources, nothing is known and nothing is asked.

    `texts` are values of the configuration that have to hold no secret, by their JSON pointer in `file`.
    """

    sources: Mapping[str, KnownSource] = field(default_factory=dict)
    file: str = "wfc.toml"
    texts: tuple[tuple[str, str], ...] = ()

    def contract(self, source: str | None, key: str) -> Contract | None:
        """What the lock knows of a capability."""
        known = self.sources.get(source) if source is not None else None
        return known.contracts.get(key) if known is not None else None

    def effects(self, uses: CapabilityRef, said: Effects | None) -> Effects | None:
        """What a repeated call would do: the stronger of what the lock says, and of what its definition has `said`."""
        known = self.contract(uses.source, uses.capability_key)
        return stronger(said, known.effects if known is not None else None)

    def contracts(self) -> Iterator[Contract]:
        """Every locked capability, by name."""
        for _, source in sorted(self.sources.items()):
            yield from (contract for _, contract in sorted(source.contracts.items()))


NOTHING_KNOWN = Catalogue()


def catalogue_json(catalogue: Catalogue) -> dict[str, Any]:
    """A catalogue as a JSON value, to be kept."""
    return {
        "file": catalogue.file,
        "texts": [list(text) for text in catalogue.texts],
        "sources": {
            name: {
                "names": None if one.names is None else list(one.names),
                "allow": list(one.allow),
                "deny": list(one.deny),
                "contracts": {key: _contract_json(contract) for key, contract in one.contracts.items()},
                "drift": dict(one.drift),
            }
            for name, one in catalogue.sources.items()
        },
    }


def catalogue_from_json(value: Any) -> Catalogue:
    """A catalogue that was kept. Raises `KeyError`, `TypeError` or `AttributeError` for what is none."""
    return Catalogue(
        sources={
            name: KnownSource(
                name=name,
                names=None if one["names"] is None else tuple(one["names"]),
                allow=tuple(one["allow"]),
                deny=tuple(one["deny"]),
                contracts={
                    key: Contract(**{**contract, "outcomes": tuple(contract["outcomes"])})
                    for key, contract in one["contracts"].items()
                },
                drift=one["drift"],
            )
            for name, one in value["sources"].items()
        },
        file=value["file"],
        texts=tuple((pointer, text) for pointer, text in value["texts"]),
    )


def _contract_json(contract: Contract) -> dict[str, Any]:
    return {one.name: getattr(contract, one.name) for one in fields(contract)} | {
        "outcomes": list(contract.outcomes),
        "others": dict(contract.others),
    }
