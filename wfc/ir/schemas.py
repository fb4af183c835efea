"""A JSON Schema as a value, and the few questions about its shape that every room asks in the same way.

Nothing here validates: verdicts are those of jsonschema-rs (reference 1.2). What is answered here is where a schema
declares a place: chains of `properties`, also through `$ref` and `allOf` (reference 1.6), and which top-level keys of
an output it declares (reference 2.3.5).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from wfc.ir.values import canonical
from wfc.records import dataclass
from wfc.source import lookup, pointer, pointer_parts

DEFAULT_DRAFT = "https://json-schema.org/draft/2020-12/schema"
DRAFTS = (
    "http://json-schema.org/draft-04/schema",
    "http://json-schema.org/draft-06/schema",
    "http://json-schema.org/draft-07/schema",
    "https://json-schema.org/draft/2019-09/schema",
    DEFAULT_DRAFT,
)
_IN_PLACE = ("allOf", "anyOf", "oneOf")
_DATA = ("enum", "const", "default", "examples")


@dataclass(frozen=True, slots=True)
class Schema:
    """A JSON Schema, equal to another when their canonical texts are equal. `text` is that canonical text."""

    text: str

    @classmethod
    def of(cls, value: Any) -> Schema:
        return cls(canonical(value))

    @property
    def value(self) -> Any:
        """A fresh copy of the schema as JSON."""
        return json.loads(self.text)


OBJECT = Schema.of({"type": "object"})


def draft_of(schema: Any) -> str:
    """The draft that `$schema` names, without a fragment; 2020-12 where it names none or an unknown one."""
    named = schema.get("$schema") if isinstance(schema, dict) else None
    plain = named.rstrip("#") if isinstance(named, str) else DEFAULT_DRAFT
    return plain if plain in DRAFTS else DEFAULT_DRAFT


def resolve(root: Any, schema: Any) -> Any:
    """Follow `$ref` inside `root` until there is none; `True` where a reference leads nowhere or in a circle.

    Only references by JSON pointer are followed; siblings of `$ref` are not merged here.
    """
    seen: set[str] = set()
    while isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
        reference = schema["$ref"]
        if reference in seen or not reference.startswith("#"):
            return True
        seen.add(reference)
        found = referenced(root, reference)
        if found is None:
            return True
        schema = found[0]
    return schema


def referenced(root: Any, reference: str) -> tuple[Any] | None:
    """The subschema that a local reference names, in a one-tuple; none where it leads nowhere."""
    target = _target(root, reference)
    return None if target is None else (lookup(root, pointer_parts(target))[0],)


def subschemas(root: Any) -> Iterator[Any]:
    """Every schema object inside a schema, itself first."""
    return (schema for _, schema in located(root))


def pieces(root: Any, at: str, *, branches: bool = False) -> Iterator[tuple[str, dict[str, Any]]]:
    """The schema objects, with their JSON pointers in `root`, that speak about the same value as the one at `at`.

    These are itself, what its `$ref` names, and its `allOf`; with `branches`, also `anyOf` and `oneOf`. Each is given
    once, so that recursive references end.
    """
    keywords = _IN_PLACE if branches else ("allOf",)
    waiting, seen = [at], {at}
    for where in waiting:
        found, reached = lookup(root, pointer_parts(where))
        if not isinstance(found, dict) or len(reached) != len(pointer_parts(where)):
            continue
        yield where, found
        onward = [target for target in [_target(root, found.get("$ref"))] if target is not None]
        for keyword in keywords:
            inner = found.get(keyword)
            onward += [f"{where}/{keyword}/{index}" for index in range(len(inner) if isinstance(inner, list) else 0)]
        waiting += [target for target in onward if target not in seen]
        seen.update(onward)


def _target(root: Any, reference: Any) -> str | None:
    """The JSON pointer that a local reference means; none for a foreign one and one that leads nowhere."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    fragment = _unquoted(reference[1:])
    if fragment and not fragment.startswith("/"):
        return next((where for where, found in located(root) if fragment in _anchors(found)), None)
    parts = pointer_parts(fragment)
    return fragment if lookup(root, parts)[1] == parts else None


def _unquoted(fragment: str) -> str:
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote

    return unquote(fragment)


def _anchors(schema: Any) -> tuple[Any, ...]:
    return (schema.get("$anchor"), schema.get("$dynamicAnchor")) if isinstance(schema, dict) else ()


def located(root: Any) -> Iterator[tuple[str, Any]]:
    """Every object inside a schema with its JSON pointer, itself first; data under `enum`, `const`, … is left out."""
    waiting: list[tuple[str, Any]] = [("", root)]
    while waiting:
        where, found = waiting.pop()
        if isinstance(found, dict):
            yield where, found
            waiting += [(where + pointer(key), value) for key, value in found.items() if key not in _DATA]
        elif isinstance(found, list):
            waiting += [(f"{where}/{index}", value) for index, value in enumerate(found)]


def parts_in_place(root: Any, schema: Any, *, branches: bool = False) -> Iterator[dict[str, Any]]:
    """Like `pieces`, for a schema that is at hand as a value: the objects without their pointers."""
    keywords = _IN_PLACE if branches else ("allOf",)
    waiting, seen = [schema], set()
    for found in waiting:
        if not isinstance(found, dict) or id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        target = _target(root, found.get("$ref"))
        waiting += [] if target is None else [lookup(root, pointer_parts(target))[0]]
        for keyword in keywords:
            inner = found.get(keyword)
            waiting += inner if isinstance(inner, list) else ()


def declarations(root: Any, parts: tuple[str, ...]) -> list[tuple[str, Any]]:
    """Where, and by which schemas, the place `parts` below the root is declared: through `properties`, `$ref`, `allOf`.

    At the root itself only a literal `properties` counts (reference 1.2). Empty when the place is undeclared.
    """
    current: list[tuple[str, Any]] = [("", root)]
    for depth, part in enumerate(parts):
        following: list[tuple[str, Any]] = []
        for at, _ in current:
            for where, piece in [("", root)] if depth == 0 else pieces(root, at):
                properties = piece.get("properties") if isinstance(piece, dict) else None
                if isinstance(properties, dict) and part in properties:
                    following.append((where + "/properties" + pointer(part), properties[part]))
        current = following
    return current


def declared_at(root: Any, parts: tuple[str, ...]) -> list[Any]:
    """The schemas that declare a place; see `declarations`."""
    return [schema for _, schema in declarations(root, parts)]


def root_properties(schema: Any) -> dict[str, Any]:
    """The literal `properties` of a schema's root."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return properties if isinstance(properties, dict) else {}


@dataclass(frozen=True, slots=True)
class Kept:
    """The top-level keys of an output that stay in it: listed ones, and those that match one of the patterns."""

    names: frozenset[str]
    patterns: tuple[str, ...]


def kept_keys(schema: Any) -> Kept | None:
    """Which top-level output keys are kept, the others going to `extra`; none means that all are kept.

    Reference 2.3.5: a schema that lists properties and says nothing about further keys is silent; one that says
    something, in any subschema that speaks about the same value, keeps everything for the validator to judge.
    """
    names: set[str] = set()
    patterns: list[str] = []
    found = False
    for piece in parts_in_place(schema, schema, branches=True):
        if {"additionalProperties", "unevaluatedProperties"} & piece.keys():
            return None
        properties, matching = piece.get("properties"), piece.get("patternProperties")
        found = found or isinstance(properties, dict)
        names |= properties.keys() if isinstance(properties, dict) else set()
        patterns += matching if isinstance(matching, dict) else ()
    return Kept(frozenset(names), tuple(patterns)) if found else None
