"""A finding of the reading rooms, and how it becomes a diagnostic of a document.

What reads knows values and pointers only; the file, the names around a place and its span are added here, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from wfc.diagnostics import Applicability, Code, Diagnostic, Fix, Place, Related, close_match, nearest
from wfc.frontend.document import Document
from wfc.ir import canonical
from wfc.records import dataclass, field
from wfc.source import lookup, pointer_parts

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Repair:
    """A patch on the document that the finding is about."""

    title: str
    patch: tuple[Mapping[str, Any], ...]
    applicability: Applicability = Applicability.SAFE


@dataclass(frozen=True, slots=True)
class Finding:
    """A code at a pointer with its facts. `key` points at the key instead of its value.

    `beside` are other places, as role and pointer; `hides` counts what follows from it and is not reported.
    """

    code: Code
    pointer: str
    facts: dict[str, Any] = field(default_factory=dict)
    key: bool = False
    repairs: tuple[Repair, ...] = ()
    beside: tuple[tuple[str, str], ...] = ()
    hides: int = 0


def diagnose(document: Document, findings: Iterable[Finding]) -> list[Diagnostic]:
    """The diagnostics of a document's findings, in order of place, each with its span."""
    made = [_diagnostic(document, finding) for finding in findings]
    return sorted(made, key=_order)


def _order(found: Diagnostic) -> Any:
    assert found.at.span is not None
    return (found.at.span.start, found.code.code, found.at.pointer, found.message)


def _diagnostic(document: Document, finding: Finding) -> Diagnostic:
    fixes = tuple(Fix(repair.title, document.name, repair.patch, repair.applicability) for repair in finding.repairs)
    related = tuple(Related(role, place_of(document, pointer)) for role, pointer in finding.beside)
    return finding.code.at(
        place_of(document, finding.pointer, key=finding.key),
        related=related,
        fixes=fixes,
        hides=finding.hides,
        **finding.facts,
    )


def place_of(document: Document, pointer: str, *, key: bool = False) -> Place:
    """The place of a pointer, with the workflow, step and field around it and its span."""
    parts = pointer_parts(pointer)
    above = 2 if parts[:1] == ("workflows",) else 0
    workflow = _named(document.value, parts[:above], "name")
    below, step = above, None
    if parts[above : above + 1] in (("nodes",), ("node_defs",)) and len(parts) > above + 1:
        below = above + 2
        step = _named(document.value, parts[:below], "id")
    field_ = parts[below] if len(parts) > below else None
    return Place(document.name, pointer, workflow, step, field_, document.locate(pointer, key=key))


def _named(value: Any, parts: tuple[str, ...], key: str) -> str | None:
    found, reached = lookup(value, parts)
    name = found.get(key) if reached == parts and isinstance(found, dict) else None
    return name if isinstance(name, str) else None


def shown(value: Any) -> str:
    """A value as a message names it: scalars by their JSON text, containers by their kind."""
    if isinstance(value, dict):
        return "an object" if value else "an empty object"
    if isinstance(value, list):
        return "an array" if value else "an empty array"
    text = canonical(value)
    return f"`{text if len(text) <= _SHOWN else text[: _SHOWN - 3] + '...'}`"


# One misspelling is often made at each of thousands of steps.
ranked = lru_cache(maxsize=1024)(nearest)
surely_meant = lru_cache(maxsize=1024)(close_match)


def with_article(title: str) -> str:
    """A noun with its article."""
    return f"an {title}" if title[0] in "aeiou" else f"a {title}"


def rewritten(title: str, pointer: str, old: Any, new: Any) -> Repair:
    """Put another value in the place of one."""
    test, replace = {"op": "test", "path": pointer, "value": old}, {"op": "replace", "path": pointer, "value": new}
    return Repair(title, (test, replace))


def renamed(title: str, pointer: str, value: Any, new: str) -> Repair:
    """Give a value another key: move it to the pointer `new`."""
    test, move = {"op": "test", "path": pointer, "value": value}, {"op": "move", "from": pointer, "path": new}
    return Repair(title, (test, move))


def removed(title: str, pointer: str, value: Any) -> Repair:
    """Take a value out; what it said is lost, so that this is never safe."""
    test, remove = {"op": "test", "path": pointer, "value": value}, {"op": "remove", "path": pointer}
    return Repair(title, (test, remove), Applicability.UNSAFE)
