"""Where a state schema names reducers: the ones that count for a state path, and the others (reference 1.6).

Guarantees: every schema of the state schema that can say something of a value in state is looked at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

from wfc.ir import BY_NAME, REPLACE, pieces, reducer_ref, referenced
from wfc.records import dataclass
from wfc.source import lookup, pointer, pointer_parts

Parts = tuple[str, ...]

_BUILT_IN, _ALIKE = REPLACE.source, 0.8
_ONE = (
    "items", "additionalItems", "contains", "not", "if", "then", "else", "additionalProperties",
    "unevaluatedProperties", "unevaluatedItems", "propertyNames",
)  # fmt: skip
_SEVERAL = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_NAMED = ("properties", "patternProperties", "dependentSchemas", "dependencies")


@dataclass(frozen=True, slots=True)
class Counting:
    """A `reducer` that counts: its JSON pointer in the state schema, what is written, and a path that it is for."""

    at: str
    written: Any
    parts: Parts


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A `reducer` that does not count; `above` is the path of the nearest declared field around it, if there is one."""

    at: str
    written: Any
    above: tuple[str, Parts] | None


def reducers(schema: Any) -> tuple[list[Counting], list[Misplaced]]:
    """The reducers of a state schema, each once."""
    counting = _declaring(schema)
    found = [
        Counting(at + pointer("reducer"), piece["reducer"], parts)
        for at, (piece, parts) in counting.items()
        if "reducer" in piece
    ]
    others = [
        Misplaced(at + pointer("reducer"), inner["reducer"], _above(at, counting))
        for at, inner in _met(schema)
        if "reducer" in inner and at not in counting
    ]
    return found, others


def is_unknown(written: Any) -> bool:
    """Whether what is named is surely no reducer; a source of one's own may have some, which only a run knows."""
    found = reducer_ref(written)
    if found is None:
        return True
    slip = SequenceMatcher(None, found.source, _BUILT_IN).ratio() >= _ALIKE
    return slip and found.name not in BY_NAME


def _declaring(schema: Any) -> Mapping[str, tuple[dict[str, Any], Parts]]:
    """The schemas that a chain of `properties` leads to, by pointer, each with the first path that does."""
    found: dict[str, tuple[dict[str, Any], Parts]] = {}
    waiting: list[tuple[str, Parts]] = [(at, (name,)) for at, name in _properties("", schema)]
    for start, parts in waiting:
        for at, piece in pieces(schema, start):
            if at not in found:
                found[at] = (piece, parts)
                waiting += [(inner, (*parts, name)) for inner, name in _properties(at, piece)]
    return found


def _properties(at: str, schema: Any) -> Iterator[tuple[str, str]]:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name in properties if isinstance(properties, dict) else ():
        yield at + pointer("properties", name), name


def _met(schema: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema that judges a value somewhere in state, references followed; definitions alone judge nothing."""
    waiting, seen = [""], {""}
    for at in waiting:
        inner = lookup(schema, pointer_parts(at))[0]
        if not isinstance(inner, dict):
            continue
        yield at, inner
        onward = [at + below for below in _below(inner)]
        reference = inner.get("$ref")
        if isinstance(reference, str) and reference.startswith("#/") and referenced(schema, reference) is not None:
            onward.append(reference[1:])
        waiting += [target for target in onward if target not in seen]
        seen.update(onward)


def _below(schema: dict[str, Any]) -> Iterator[str]:
    for keyword, inner in schema.items():
        if keyword in _NAMED and isinstance(inner, dict):
            yield from (pointer(keyword, name) for name in inner)
        elif keyword in _SEVERAL and isinstance(inner, list):
            yield from (pointer(keyword, str(index)) for index in range(len(inner)))
        elif keyword in _ONE and isinstance(inner, dict):
            yield pointer(keyword)


def _above(at: str, counting: Mapping[str, tuple[dict[str, Any], Parts]]) -> tuple[str, Parts] | None:
    """The field whose value, elements or alternatives a schema speaks of, by pointer and path."""
    parts = pointer_parts(at)
    for length in range(len(parts) - 1, 0, -1):
        if parts[length] in _NAMED and parts[length] != "properties":
            return None
        found = counting.get(pointer(*parts[:length]))
        if found is not None:
            return None if "properties" in parts[length:] else (pointer(*parts[:length]), found[1])
    return None
