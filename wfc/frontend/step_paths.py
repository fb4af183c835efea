"""Paths that read the output of an earlier step by the id of the step, as in other systems: `fetch.output.items`.

Here a step reads state, so that what is meant is the state path to which that step writes the field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wfc.frontend.findings import Finding, Repair, rewritten
from wfc.frontend.unwrapping import unwrapped
from wfc.ir import (
    InterruptStep,
    NodeDef,
    NodeStep,
    OutputBinding,
    Step,
    outputs_of,
    root_properties,
)

_AROUND = ("steps", "nodes", "tasks", "outputs", "context")
_WITHIN = ("output", "outputs", "result", "results", "response", "data")


def written_by_step(found: Finding, steps: Sequence[Step], defs: Sequence[NodeDef]) -> tuple[Repair, ...]:
    """The one state path that the named step fills with what is read."""
    written = found.facts["got"]
    parts = (unwrapped(written) or "").split(".")
    parts = parts[1:] if parts[0] in _AROUND else parts
    step = next((one for one in steps if one.id == parts[0]), None)
    if step is None:
        return ()
    writes = outputs_of(step)
    field = tuple(parts[2:] if parts[1:2] and parts[1] in _WITHIN else parts[1:])
    paths = set(_by_source(writes, field))
    if not paths and len(field) == 1 and field[0] not in _fields(step, defs):
        paths = {str(binding.target) for binding in writes if binding.target.parts[-1:] == field}
    if len(paths) != 1:
        return ()
    (path,) = paths
    return (rewritten(f"Read `{path}`, which `{step.id}` writes", found.pointer, written, path),)


def _by_source(writes: Sequence[OutputBinding], field: tuple[str, ...]) -> Iterator[str]:
    for binding in writes:
        source = binding.source.parts
        if field and field[: len(source)] == source:
            yield _below(binding, field[len(source) :])


def _below(binding: OutputBinding, rest: tuple[str, ...]) -> str:
    return ".".join((str(binding.target), *rest))


def _fields(step: Step, defs: Sequence[NodeDef]) -> set[str]:
    """The fields that the output of a step is known to have."""
    if isinstance(step, InterruptStep):
        own = [one for one in (step.resume_schema, *step.resume_schemas.values()) if one is not None]
        return {name for schema in own for name in root_properties(schema.value)}
    if not isinstance(step, NodeStep):
        return set()
    schemas = [
        schema
        for one in defs
        if one.name == step.definition
        for schema in (one.output_schema, *one.outcome_schemas.values())
    ]
    return {name for schema in schemas for name in root_properties(schema.value)}
