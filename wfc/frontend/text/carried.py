"""The named types of a state that an output takes over together with fields that have their type from there (1.10).

Guarantees: reading and writing reckon alike, so that a document comes back; nothing recurses, and each schema is looked
through once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from wfc.ir import equal

Definitions = Mapping[str, Any]
_NAMED = re.compile(r"#/\$defs/([A-Za-z_][A-Za-z0-9_]*)(?:/|\Z)")


def definitions(schema: Any) -> Definitions:
    """The named types that a schema declares."""
    found = schema.get("$defs") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def carried(types: Iterable[Any], state: Definitions, own: Definitions) -> dict[str, Any]:
    """The definitions of a state that types need, directly or through others, and that the output does not have."""
    links = _links(state, own)
    needed = _reached(set().union(*map(_names, types)), links)
    return {name: schema for name, schema in state.items() if name in needed and name not in own}


def unsaid(output: dict[str, Any], like: Definitions, state: Definitions) -> tuple[dict[str, Any], Definitions]:
    """A record without the definitions that come along with its fields, and the types that fields need not say.

    A field that would bring a definition which the record does not have must say its type, for which stands none.
    """
    own, fields = definitions(output), output.get("properties", {})
    links = _links(state, own)
    lacking = _reached(state.keys() - own.keys(), _reversed(links))
    named = {name: _names(schema) for name, schema in like.items() if equal(schema, fields.get(name))}
    known = {name: None if named.get(name, set()) & lacking else schema for name, schema in like.items()}
    needed = _reached(set().union(*(names for names in named.values() if not names & lacking)), links)
    left = {name: schema for name, schema in own.items() if name not in needed or not _same(name, state, schema)}
    made = {key: left if key == "$defs" else inner for key, inner in output.items() if key != "$defs" or left}
    return made, known


def _same(name: str, state: Definitions, schema: Any) -> bool:
    return name in state and equal(state[name], schema)


def _links(state: Definitions, own: Definitions) -> dict[str, set[str]]:
    """Which definitions each one names; what the output has itself stands before what the state has."""
    return {name: _names(schema) for name, schema in {**state, **own}.items()}


def _reversed(links: Mapping[str, set[str]]) -> dict[str, set[str]]:
    made: dict[str, set[str]] = {name: set() for name in links}
    for name, others in links.items():
        for other in others & links.keys():
            made[other].add(name)
    return made


def _reached(names: Iterable[str], links: Mapping[str, set[str]]) -> set[str]:
    waiting = [name for name in names if name in links]
    seen = set(waiting)
    while waiting:
        fresh = (links[waiting.pop()] & links.keys()) - seen
        seen |= fresh
        waiting += fresh
    return seen


def _names(schema: Any) -> set[str]:
    """The definitions that a schema refers to itself."""
    waiting, found = [schema], set()
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += item
        elif isinstance(item, dict):
            waiting += item.values()
            named = _NAMED.match(item["$ref"]) if isinstance(item.get("$ref"), str) else None
            if named:
                found.add(named[1])
    return found
