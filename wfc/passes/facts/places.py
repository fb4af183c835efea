"""Where what a path means is declared, and where it is written: the places that a finding shows beside its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from wfc.diagnostics import Place, Related
from wfc.ir import Schema, declarations, root_properties
from wfc.passes.facts import Facts
from wfc.passes.graph.flow import Flow
from wfc.paths import GraphSourcePath, overlap
from wfc.source import pointer_parts

_WRITTEN = 3


def around(facts: Facts, flow: Flow, path: GraphSourcePath) -> tuple[Related, ...]:
    """What is known of where a path comes from; nothing of what belongs to a loop or to the way here."""
    if path.base == "context" or not path.parts:
        return ()
    return (*declared(flow, path), *(_written(facts, flow, path.parts) if path.base == "state" else ()))


def declared(flow: Flow, path: GraphSourcePath, words: str = "declared here") -> tuple[Related, ...]:
    """Where a path of input or state is declared."""
    at = declared_at(flow, path)
    return () if at is None else (Related("declared", at, words),)


def declared_at(flow: Flow, path: GraphSourcePath) -> Place | None:
    """The place of the schema that declares a path of input or state, or else the nearest one above it.

    A state field that only the input declares begins with it.
    """
    for base in (path.base, "input"):
        root = _root(flow, base)
        if path.parts[0] not in root_properties(root):
            continue
        for depth in range(len(path.parts), 0, -1):
            found = declarations(root, path.parts[:depth])
            if found:
                return flow.workflow.at.below(f"{base}_schema", *pointer_parts(found[0][0]))
    return None


def is_declared(flow: Flow, path: GraphSourcePath) -> bool:
    """Whether a path of input or state is declared as a whole."""
    return bool(declarations(_root(flow, path.base), path.parts))


def _root(flow: Flow, base: str) -> Any:
    return _read(flow.workflow.input_schema if base == "input" else flow.workflow.state_schema)


@lru_cache(maxsize=32)
def _read(schema: Schema) -> Any:
    """The value of a schema, for looking at only; a large one is looked at for many findings."""
    return schema.value


def _written(facts: Facts, flow: Flow, parts: tuple[str, ...]) -> Iterator[Related]:
    """The first writes that touch a path, in the order in which steps are reached."""
    writes = facts.reads(flow).writers.get(parts[0], ())
    touching = [write for write in writes if overlap(write.path.parts, parts)]
    for write in touching[:_WRITTEN]:
        yield Related("written", write.at, f"`{write.step}` writes it")
