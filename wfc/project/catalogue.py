"""What is known of capabilities without asking anybody: the lock, seen through the configuration (reference 4.2).

The configuration wins: it renames parameters, types outputs, says what a repeated call would do, and lets names
through or not. Nothing is started, imported or connected to here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from wfc.ir import Catalogue, Contract, KnownSource, Listing, effects_by_pattern, is_allowed
from wfc.project.lock import Lock, LockedSource, listing_of
from wfc.project.settings import Adapter, McpSettings, Settings, SourceSettings, ToolSettings
from wfc.records import replace

_TEXT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
}
_LINES: Mapping[str, Any] = {
    "type": "object",
    "properties": {"lines": {"type": "array", "items": {"type": "string"}}},
    "required": ["lines"],
}
_DEFINITIONS = ("$defs", "definitions", "$schema")
_PLAIN = ToolSettings()
# Of a pattern: escaped signs and character classes; and what lets a match do without a group.
_LITERAL = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_OPTIONAL = re.compile(r"\||\)(?:[?*]|\{0|\{,)|\(\?<?[!=]|\(\?\(")


def catalogue_of(settings: Settings, lock: Lock, file: str = "wfc.toml") -> Catalogue:
    """What a configuration and its lock know; `file` is where the configuration stands."""
    sources = {name: _known(name, one, lock.sources.get(name)) for name, one in settings.sources.items()}
    texts = tuple(text for name, one in settings.sources.items() for text in _texts(name, one))
    return Catalogue(sources, file, texts)


def catalogue_of_example(config: Mapping[str, Any]) -> Catalogue:
    """What is known where the example of a diagnostic is: its `sources`, and its `lock`, where a hash is that of the
    content unless it is given."""
    from wfc.project.parse import parse_settings

    settings = parse_settings({"sources": config.get("sources", {})}, "wfc.toml")
    locked = {}
    for name, capabilities in config.get("lock", {}).items():
        listings = {key: listing_of(value) for key, value in capabilities.items()}
        hashes = {key: capabilities[key].get("hash", one.hash) for key, one in listings.items()}
        locked[name] = LockedSource(settings.sources[name].kind, tuple(listings), listings, hashes)
    return catalogue_of(settings, Lock(locked))


def contract_of(name: str, key: str, settings: SourceSettings, listing: Listing) -> Contract:
    """A listed capability as a workflow meets it."""
    shape = settings.tools.get(key, _PLAIN) if isinstance(settings, McpSettings) else _PLAIN
    is_tool = isinstance(settings, McpSettings)
    effects = shape.effects or effects_by_pattern(key, settings.effects) or listing.effects
    return Contract(
        name=f"{name}.{key}",
        input=_renamed(listing.input_schema, shape.rename),
        output=adapted(shape, listing.output_schema) if is_tool else _or_any(listing.output_schema),
        outcomes=listing.outcomes,
        others=listing.outcome_schemas,
        effects=effects,
        description=listing.description,
    )


def _known(name: str, settings: SourceSettings, locked: LockedSource | None) -> KnownSource:
    if locked is None:
        return KnownSource(name, allow=settings.allow, deny=settings.deny)
    drift = {
        key: f"the entry was changed after it was locked: its hash is `{locked.hashes[key]}`, its content has another"
        for key, listing in locked.capabilities.items()
        if listing.hash != locked.hashes[key]
    }
    if locked.kind != settings.kind:
        told = f"a source of kind `{locked.kind}` was locked, and one of kind `{settings.kind}` is configured"
        drift = dict.fromkeys(locked.capabilities, told)
    contracts = {key: contract_of(name, key, settings, one) for key, one in locked.capabilities.items()}
    # Nobody knows what a changed entry is worth; its schemas may be none.
    contracts |= {key: replace(contracts[key], input=True, output=True, others={}) for key in drift}
    return KnownSource(name, locked.names, settings.allow, settings.deny, contracts, drift)


def allowed_names(settings: SourceSettings, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names that a configuration lets through."""
    return tuple(name for name in names if is_allowed(name, settings.allow, settings.deny))


def _or_any(schema: Any) -> Any:
    return True if schema is None else schema


# -- shapes of tools --------------------------------------------------------------------------------------------------


def _renamed(schema: Any, rename: Mapping[str, str]) -> Any:
    """The input schema under the names that workflows use."""
    if not rename or not isinstance(schema, dict):
        return schema
    made = dict(schema)
    if isinstance(schema.get("properties"), dict):
        made["properties"] = {rename.get(name, name): one for name, one in schema["properties"].items()}
    if isinstance(schema.get("required"), list):
        made["required"] = [rename.get(name, name) for name in schema["required"]]
    return made


def adapted(shape: ToolSettings, listed: Any) -> Any:
    """The schema of what comes out of a tool's adapters, when its structured content has the schema `listed`."""
    if shape.output is not None:
        return shape.output
    given: Any = _TEXT if listed is None else listed
    known = listed
    for adapter in shape.adapt:
        if isinstance(adapter, str) or "error-when" not in adapter:
            given = known = _after(adapter, known)
    return given


def _after(adapter: Adapter, known: Any) -> Any:
    """What an adapter makes of a value with the schema `known`; none: of whatever was said."""
    if adapter == "text":
        return dict(_TEXT)
    if adapter == "lines":
        return dict(_LINES)
    if isinstance(adapter, str):
        return True
    if "unwrap" in adapter:
        return _inside(known, str(adapter["unwrap"]))
    record = _record(str(adapter["regex"]))
    if not adapter.get("all"):
        return record
    return {"type": "object", "properties": {"matches": {"type": "array", "items": record}}, "required": ["matches"]}


def _inside(schema: Any, field: str) -> Any:
    """The schema of a field, with the definitions that it may refer to."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    found = properties.get(field, True) if isinstance(properties, dict) else True
    if not isinstance(found, dict):
        return found
    return {**{name: schema[name] for name in _DEFINITIONS if name in schema}, **found}


def _record(pattern: str) -> Any:
    """The named groups of a pattern; one that need not take part in a match may be null."""
    try:
        groups = list(re.compile(pattern).groupindex)
    except re.error:
        # Told when the source is made: a check has no use for a second message.
        return True
    text = {"type": ["string", "null"] if _may_be_left_out(pattern) else "string"}
    return {"type": "object", "properties": dict.fromkeys(groups, text), "required": groups}


def _may_be_left_out(pattern: str) -> bool:
    """Whether a match may do without some group: only alternatives, optional groups and lookarounds can make it so."""
    bare = _LITERAL.sub("", pattern)
    return _OPTIONAL.search(bare) is not None


# -- texts that may hold a secret -------------------------------------------------------------------------------------


def _texts(name: str, settings: SourceSettings) -> Iterator[tuple[str, str]]:
    """What of a source's settings may hold a secret by mistake, by its pointer."""
    if not isinstance(settings, McpSettings):
        return
    at = f"/sources/{_segment(name)}"
    for field in ("command", "url"):
        value = getattr(settings, field)
        if value is not None:
            yield f"{at}/{field}", value
    yield from ((f"{at}/args/{index}", value) for index, value in enumerate(settings.args))
    for field, table in (("env", settings.env), ("headers", settings.headers)):
        yield from ((f"{at}/{field}/{_segment(key)}", value) for key, value in table.items())


def _segment(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
