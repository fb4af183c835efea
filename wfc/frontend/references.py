"""Where the references of a JSON Schema lead: each to something inside the schema, and never only round in a circle.

Reference 1.2. Base URIs by `$id` are followed, so that a reference by name to a part of the same schema stays inside.
Only places that are schemas are looked at: a key `$ref` of a literal or of a property's name is data.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from wfc.ir import DRAFTS, draft_of
from wfc.records import dataclass
from wfc.source import lookup, pointer_parts

Spot = tuple[str, ...]
_ONE = (
    "not", "if", "then", "else", "additionalProperties", "unevaluatedProperties", "additionalItems", "items",
    "unevaluatedItems", "contains", "propertyNames", "contentSchema",
)  # fmt: skip
_SEVERAL = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_SAME_VALUE = frozenset(("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"))
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


@dataclass(frozen=True, slots=True)
class Astray:
    """A reference that cannot be followed: where it stands, what is written, what is wrong and what was expected."""

    spot: Spot
    written: str
    problem: str
    expected: str


@dataclass(frozen=True, slots=True)
class _Node:
    """A schema inside the schema. `base` is its URI, `root` the place of the resource that it belongs to."""

    spot: Spot
    value: dict[str, Any]
    base: str
    root: Spot
    same: list[Spot]


def astray(schema: Any) -> list[Astray]:
    """The references of a schema that leave it, find nothing, or only lead to one another."""
    if not isinstance(schema, dict):
        return []
    draft = draft_of(schema)
    nodes = _nodes(schema, (), "", (), draft)
    wrong: list[Astray] = []
    links: dict[Spot, list[tuple[str, Spot]]] = {}
    waiting = list(nodes.values())
    resources = {node.base: node.spot for node in waiting if node.root == node.spot}
    anchors = {(node.root, name): node.spot for node in waiting for name in _anchors(node.value)}
    while waiting:
        node = waiting.pop()
        for keyword in _REFERENCES:
            written = node.value.get(keyword)
            if not isinstance(written, str):
                continue
            target = _target(schema, node, written, resources, anchors, draft)
            if isinstance(target, str):
                expected = "a place in the same schema such as `#/$defs/NAME`"
                wrong.append(Astray((*node.spot, keyword), written, target, expected))
                continue
            if target is None:
                continue
            links.setdefault(node.spot, []).append((keyword, target))
            if target not in nodes:
                value, _ = lookup(schema, target)
                found = _nodes(value, target, node.base, node.root, draft) if isinstance(value, dict) else {}
                fresh = {spot: inner for spot, inner in found.items() if spot not in nodes}
                nodes |= fresh
                waiting += fresh.values()
    return wrong + list(_circles(nodes, links))


def _nodes(value: dict[str, Any], spot: Spot, base: str, root: Spot, draft: str) -> dict[Spot, _Node]:
    """Every schema object at and below a place, by its place."""
    found: dict[Spot, _Node] = {}
    waiting = [(value, spot, base, root)]
    while waiting:
        value, spot, base, root = waiting.pop()
        identity = value.get("id" if draft.endswith("draft-04/schema") else "$id")
        if isinstance(identity, str) and not identity.startswith("#"):
            base, root = urldefrag(urljoin(base, identity))[0], spot
        node = _Node(spot, value, base, root, [])
        # Before 2019-09 a reference stands alone: what is beside it is not applied.
        alone = "$ref" in value and draft in DRAFTS[:3]
        found[spot] = node
        for path, inner in _below(value):
            waiting.append((inner, (*spot, *path), base, root))
            if path[0] in _SAME_VALUE and not alone:
                node.same.append((*spot, *path))
    return found


def _below(value: dict[str, Any]) -> Iterator[tuple[Spot, dict[str, Any]]]:
    for keyword, inner in value.items():
        if keyword in _ONE and isinstance(inner, dict):
            yield (keyword,), inner
        elif keyword in _SEVERAL and isinstance(inner, list):
            yield from (((keyword, str(at)), item) for at, item in enumerate(inner) if isinstance(item, dict))
        elif keyword in _NAMED and isinstance(inner, dict):
            yield from (((keyword, name), item) for name, item in inner.items() if isinstance(item, dict))


def _anchors(value: dict[str, Any]) -> list[str]:
    named = [value.get(keyword) for keyword in ("$anchor", "$dynamicAnchor")]
    for keyword in ("$id", "id"):
        identity = value.get(keyword)
        if isinstance(identity, str) and identity.startswith("#"):
            named.append(identity[1:])
    return [name for name in named if isinstance(name, str)]


def _target(
    schema: Any,
    node: _Node,
    written: str,
    resources: dict[str, Spot],
    anchors: dict[tuple[Spot, str], Spot],
    draft: str,
) -> Spot | str | None:
    """The place that a reference leads to; none for the draft's own meta-schema; else what is wrong with it."""
    address, fragment = urldefrag(urljoin(node.base, written))
    root = node.root if written.startswith("#") else resources.get(address)
    if root is None:
        return None if address == draft else "leaves the schema"
    fragment = unquote(fragment)
    if fragment and not fragment.startswith("/"):
        return anchors.get((root, fragment), "finds no anchor of that name")
    spot = (*root, *pointer_parts(fragment))
    return spot if lookup(schema, spot)[1] == spot else "finds nothing"


def _circles(nodes: dict[Spot, _Node], links: dict[Spot, list[tuple[str, Spot]]]) -> Iterator[Astray]:
    """References by which a value would be judged by the same schema again without going deeper into the value."""
    done: set[Spot] = set()
    for start in nodes:
        if start in done:
            continue
        above: set[Spot] = {start}
        trail: list[tuple[Spot, Iterator[tuple[str, Spot]]]] = [(start, _onward(nodes[start], links))]
        while trail:
            spot, onward = trail[-1]
            step = next((step for step in onward if step[1] not in done and step[1] in nodes), None)
            if step is None:
                trail.pop()
                above.discard(spot)
                done.add(spot)
            elif step[1] not in above:
                above.add(step[1])
                trail.append((step[1], _onward(nodes[step[1]], links)))
            elif step[0]:
                written = nodes[spot].value[step[0]]
                yield Astray((*spot, step[0]), written, "leads back to itself", "a chain that ends at a schema")


def _onward(node: _Node, links: dict[Spot, list[tuple[str, Spot]]]) -> Iterator[tuple[str, Spot]]:
    yield from links.get(node.spot, ())
    yield from (("", spot) for spot in node.same)
