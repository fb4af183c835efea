"""What could be bound to a field: the paths that are surely there where a step stands, with a type that fits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Applicability, Fix
from wfc.ir import ForeachStep, InterruptStep, NodeStep, Step, SubgraphStep, root_properties
from wfc.passes import types
from wfc.passes.facts import Facts
from wfc.passes.flow import Flow
from wfc.passes.repairs import PLACEHOLDER, SAFE, UNSAFE, give
from wfc.passes.spelling import meant
from wfc.passes.types import Type, Verdict
from wfc.paths import GraphSourcePath, LocalPath

_MOST = 200


def fitting(facts: Facts, flow: Flow, name: str, wanted: Type) -> list[GraphSourcePath]:
    """The top-level fields of input and state, and the items of loops, that a step could surely bind, in this order."""
    solver = facts.values.solver(flow)
    found = []
    for path in _readable(flow, name):
        cell = solver.seen_at(name, path)
        if cell.there is Verdict.ALWAYS and types.fits(cell.type, wanted).verdict is Verdict.ALWAYS:
            found.append(path)
    return found


def _readable(flow: Flow, name: str) -> Iterator[GraphSourcePath]:
    """A flood of fields is not gone through for each fault."""
    workflow = flow.workflow
    for base, schema in (("input", workflow.input_schema), ("state", workflow.state_schema)):
        for field in list(root_properties(schema.value))[:_MOST]:
            yield GraphSourcePath(base, (field,))
    region = flow.region(name)
    for around in region.outwards() if region is not None else ():
        opener = flow.steps[around.step]
        if isinstance(opener, ForeachStep):
            yield GraphSourcePath("context", (opener.alias,))


def likely(
    paths: list[GraphSourcePath], name: str, used: frozenset[GraphSourcePath]
) -> tuple[GraphSourcePath, Applicability] | None:
    """The one path that is meant for a field of that name: of the same name, spelt like it, or the only one that is unused."""
    same = [path for path in paths if path.parts[-1] == name]
    if same:
        return same[0], SAFE if len(same) == 1 else UNSAFE
    by_name = {path.parts[-1]: path for path in paths}
    guess = meant(name, by_name)
    if guess is not None:
        return by_name[guess], UNSAFE
    unused = [path for path in paths if path not in used]
    return (unused[0], UNSAFE) if len(unused) == 1 else None


def binding(facts: Facts, flow: Flow, name: str, target: LocalPath, wanted: Type) -> tuple[Fix, ...]:
    """A binding for a field that has none: of a path that is surely meant, else of a value to be replaced."""
    step = flow.steps[name]
    found = likely(fitting(facts, flow, name, wanted), target.parts[-1], used(step))
    if found is not None:
        path, applicability = found
        return _bound(step, f"Bind `{target}` to `{path}`", {"target": str(target), "path": str(path)}, applicability)
    value = types.sample(wanted)
    if value is None:
        return ()
    return _bound(step, f"Bind `{target}` to a value", {"target": str(target), "value": value[0]}, PLACEHOLDER)


def used(step: Step) -> frozenset[GraphSourcePath]:
    """The paths that a step binds already."""
    return frozenset(each.source for each in bound(step) if isinstance(each.source, GraphSourcePath))


def bound(step: Step) -> tuple[Any, ...]:
    """The input bindings of a step, or those of the request of an interrupt."""
    if isinstance(step, InterruptStep):
        return step.request
    return step.input if isinstance(step, (NodeStep, SubgraphStep)) else ()


def _bound(step: Step, title: str, written: dict[str, Any], applicability: Applicability) -> tuple[Fix, ...]:
    """Where bindings stand in an older spelling there is no list to add to."""
    field = "request" if isinstance(step, InterruptStep) else "input"
    place, there = step.at.below(field), bound(step)
    if any(not each.at.pointer.startswith(f"{place.pointer}/") for each in there):
        return ()
    value: Any = written if there else [written]
    return (give(title, step, [(place.below("-") if there else place, value)], applicability),)
