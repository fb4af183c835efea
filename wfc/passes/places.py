"""Where what a path means is declared, and where it is written: the places that a finding about it shows beside its own."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Place, Related
from wfc.ir import declarations, root_properties
from wfc.passes.facts import Facts
from wfc.passes.flow import Flow
from wfc.paths import GraphSourcePath, overlap
from wfc.source import pointer_parts

_WRITTEN = 3


def around(facts: Facts, flow: Flow, path: GraphSourcePath) -> tuple[Related, ...]:
    """What is known of where a path comes from; nothing of what belongs to a loop or to the way here."""
    if path.base == "context" or not path.parts:
        return ()
    return (*_declared(flow, path), *(_written(facts, flow, path.parts) if path.base == "state" else ()))


def declared_at(flow: Flow, path: GraphSourcePath) -> Place | None:
    """The place of the schema that declares a path of input or state, or else the nearest one above it.

    A state field that only the input declares begins with it.
    """
    for field in (f"{path.base}_schema", "input_schema"):
        schema = flow.workflow.input_schema if field == "input_schema" else flow.workflow.state_schema
        root = schema.value
        if path.parts[0] not in root_properties(root):
            continue
        for depth in range(len(path.parts), 0, -1):
            found = declarations(root, path.parts[:depth])
            if found:
                return flow.workflow.at.below(field, *pointer_parts(found[0][0]))
    return None


def _declared(flow: Flow, path: GraphSourcePath) -> Iterator[Related]:
    at = declared_at(flow, path)
    if at is not None:
        yield Related("declared", at, "declared here")


def _written(facts: Facts, flow: Flow, parts: tuple[str, ...]) -> Iterator[Related]:
    """The first writes that touch a path, in the order in which steps are reached."""
    left = _WRITTEN
    for access in facts.values.solver(flow).accesses.values():
        for write in access.writes:
            if overlap(write.path.parts, parts) and left:
                left -= 1
                yield Related("written", write.at, f"`{write.step}` writes it")
