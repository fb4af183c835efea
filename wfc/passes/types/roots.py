"""The schemas that types come from, and the verdicts on values that follow from them.

Every verdict is that of jsonschema-rs (reference 1.2): `format` is an annotation, nothing is ever fetched. There is no
verdict where the schema cannot be built, or a value is nested too deeply for the package. This file is the room's door
to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from threading import Lock
from typing import Any
from urllib.parse import quote, unquote
from weakref import WeakValueDictionary

from wfc.engine import jsonschema_rs
from wfc.ir import DEFAULT_DRAFT, DRAFTS, canonical, draft_of
from wfc.records import dataclass
from wfc.source import lookup, pointer_parts

Draft = int
"""4, 6, 7, 2019 or 2020: drafts compare by age."""

_NUMBERS: dict[str, Draft] = dict(zip(DRAFTS, (4, 6, 7, 2019, 2020), strict=True))
_URIS: dict[Draft, str] = {number: uri for uri, number in _NUMBERS.items()}
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_ADDRESS = "urn:wfc:schema"


@dataclass(frozen=True, eq=False, repr=False)
class Root:
    """A schema document: places in it are JSON pointers. Two of one draft and text are the same object.

    `referring` are the identities of the containers in `value` at or below which a reference stands; `anchors` leads
    from a name to the pointer that has it. `mixed` tells that a part of it is a resource or dialect of its own, or that
    two parts have one name, so that references in it cannot be followed by their pointers alone.
    """

    draft: Draft
    text: str
    value: Any
    referring: frozenset[int]
    anchors: dict[str, str]
    mixed: bool


_ROOTS: WeakValueDictionary[tuple[Draft, str], Root] = WeakValueDictionary()
_MAKING = Lock()


@lru_cache(maxsize=4096)
def root_of(text: str) -> Root:
    """The root whose canonical JSON text is given."""
    value = json.loads(text)
    draft = _NUMBERS[draft_of(value)]
    if isinstance(value, dict) and "$schema" in value:
        value = {keyword: inner for keyword, inner in value.items() if keyword != "$schema"}
        text = canonical(value)
    return _root(draft, text, value)


def alone(root: Root, value: Any) -> Root | None:
    """A part of a root as a root of its own; none where what it means depends on what stands around it."""
    if value is root.value:
        return root
    if id(value) in root.referring or "$schema" in value:
        return None
    return _root(root.draft, canonical(value), value)


def keyword(name: str, operand: Any) -> Root:
    """A root of one keyword, of those that mean the same in all drafts."""
    value = {name: operand}
    return _root(_NUMBERS[DEFAULT_DRAFT], canonical(value), value)


def _root(draft: Draft, text: str, value: Any) -> Root:
    found = _ROOTS.get((draft, text))
    if found is not None:
        return found
    refers = any(f'"{name}"' in text for name in _REFERENCES)
    fresh = _scanned(draft, text, value) if refers else Root(draft, text, value, frozenset(), {}, False)
    with _MAKING:
        return _ROOTS.setdefault((draft, text), fresh)


def _scanned(draft: Draft, text: str, value: Any) -> Root:
    """A root in which references stand; what is data in it counts as well, which makes it `mixed` at worst."""
    identity = "id" if draft == 4 else "$id"
    referring: set[int] = set()
    anchors: dict[str, str] = {}
    mixed = False
    waiting: list[tuple[Any, str, tuple[Any, ...]]] = [(value, "", ())]
    while waiting:
        holder, at, above = waiting.pop()
        if isinstance(holder, dict):
            for name in _anchors(holder, identity):
                mixed = mixed or name in anchors
                anchors[name] = at
            if any(isinstance(holder.get(name), str) for name in _REFERENCES):
                referring.update(map(id, (*_chain(above), holder)))
            named = holder.get(identity)
            inner = bool(at) and isinstance(named, str) and not named.startswith("#")
            mixed = mixed or inner or isinstance(holder.get("$schema"), str)
        for key, item in _items(holder):
            if isinstance(item, (dict, list)):
                waiting.append((item, f"{at}/{key.replace('~', '~0').replace('/', '~1')}", (holder, above)))
    return Root(draft, text, value, frozenset(referring), anchors, mixed)


def _items(holder: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(holder, dict):
        yield from holder.items()
    elif isinstance(holder, list):
        yield from ((str(index), item) for index, item in enumerate(holder))


def _chain(above: tuple[Any, ...]) -> Iterator[Any]:
    while above:
        holder, above = above
        yield holder


def _anchors(holder: dict[str, Any], identity: str) -> Iterator[str]:
    for name in (holder.get("$anchor"), holder.get("$dynamicAnchor")):
        if isinstance(name, str):
            yield name
    named = holder.get(identity)
    if isinstance(named, str) and named.startswith("#"):
        yield named[1:]


def target(root: Root, reference: str) -> str | None:
    """The pointer that a reference inside the root means; none where it leads elsewhere, or nowhere."""
    if root.mixed or not reference.startswith("#"):
        return None
    fragment = unquote(reference[1:])
    if fragment and not fragment.startswith("/"):
        return root.anchors.get(fragment)
    parts = pointer_parts(fragment)
    return fragment if lookup(root.value, parts)[1] == parts else None


def accepts(root: Root, at: str, value: Any) -> bool | None:
    """Whether the schema at a pointer of the root admits a value; none where there is no verdict."""
    validator = _validator(root, at)
    if validator is None:
        return None
    try:
        return bool(validator.is_valid(value))
    except ValueError:
        return None


@lru_cache(maxsize=16384)
def _validator(root: Root, at: str) -> Any:
    """A validator; none where the schema cannot be built."""
    uri = _URIS[root.draft]
    whole = {"$schema": uri, **root.value} if isinstance(root.value, dict) else root.value
    try:
        if not at:
            return jsonschema_rs.validator_for(whole, validate_formats=False, offline=True)
        registry = jsonschema_rs.Registry([(_ADDRESS, whole)])
        reference = {"$schema": uri, "$ref": f"{_ADDRESS}#{quote(at)}"}
        return jsonschema_rs.validator_for(reference, registry=registry, validate_formats=False, offline=True)
    except (ValueError, jsonschema_rs.ReferencingError):
        return None


@lru_cache(maxsize=65536)
def matches(pattern: str, text: str) -> bool:
    """Whether a regular expression of ECMA-262 finds something in a text."""
    return accepts(keyword("pattern", pattern), "", text) is True
