"""Which keys of an object the schemas about it may have looked at, for `unevaluatedProperties`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfc.passes.types.keywords import said_by
from wfc.passes.types.roots import Root, target
from wfc.records import dataclass
from wfc.source import lookup, pointer_parts

_OPEN = frozenset(("additionalProperties", "patternProperties", "unevaluatedProperties"))
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


@dataclass(frozen=True, slots=True)
class Looked:
    """The keys that are looked at where they are there; `always` tells that it does not depend on the value."""

    names: frozenset[str]
    always: bool


def looked_at(root: Root, said: Mapping[str, Any]) -> Looked | None:
    """What is looked at beside and below a schema's `unevaluatedProperties`; none where that cannot be listed."""
    names: set[str] = set(said.get("properties", ()))
    always = True
    if _OPEN & said.keys() != {"unevaluatedProperties"}:
        return None
    waiting: list[tuple[Any, bool]] = list(_beside(root, said))
    seen: set[int] = set()
    for schema, surely in waiting:
        if isinstance(schema, bool) or id(schema) in seen:
            continue
        seen.add(id(schema))
        inner = said_by(root.draft, schema) if isinstance(schema, dict) else None
        if inner is None or _OPEN & inner.keys():
            return None
        names |= inner.get("properties", {}).keys()
        always = always and (surely or not inner.get("properties"))
        waiting += ((each, surely and also) for each, also in _beside(root, inner))
    return Looked(frozenset(names), always)


def _beside(root: Root, said: Mapping[str, Any]) -> Iterator[tuple[Any, bool]]:
    """The schemas about the same value, each with whether it always applies; none for one that cannot be found."""
    for keyword in _REFERENCES:
        if isinstance(said.get(keyword), str):
            found = target(root, said[keyword])
            yield (None if found is None else lookup(root.value, pointer_parts(found))[0]), True
    yield from ((inner, True) for inner in said.get("allOf", ()))
    for keyword in ("anyOf", "oneOf"):
        yield from ((inner, False) for inner in said.get(keyword, ()))
    yield from ((said[keyword], False) for keyword in ("if", "then", "else") if keyword in said)
    for keyword in ("dependentSchemas", "dependencies"):
        yield from ((inner, False) for inner in said.get(keyword, {}).values() if not isinstance(inner, list))
