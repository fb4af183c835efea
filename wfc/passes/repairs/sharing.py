"""Repairs of a place that lineages share: a reducer that merges what they write, or a place for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wfc.diagnostics import Applicability, Fix
from wfc.ir import ForeachStep, ForkStep, declarations
from wfc.passes import types
from wfc.passes.facts.uses import incoming
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import SAFE, UNSAFE, give, leave_out, patch
from wfc.passes.types import Type, Verdict
from wfc.passes.values.points import Assign
from wfc.passes.values.solving import Solver
from wfc.paths import StatePath
from wfc.source import pointer_parts


def merging(solver: Solver, path: StatePath, writes: Sequence[Assign]) -> tuple[Fix, ...]:
    """The reducer under which the place may hold what is written: elements, arrays or objects that are put together."""
    held = solver.looks.beginning.declared.type(path.parts)
    name = _reducer(held, types.either(*(incoming(solver, assign) for assign in writes)))
    if name is None and _counts(solver, path):
        name = "wf.std.add"
    return () if name is None else _by_reducer(solver, path, name, UNSAFE)


def appending(solver: Solver, path: StatePath, given: Type) -> tuple[Fix, ...]:
    """Let a list that is replaced by one of its elements append it."""
    held = solver.looks.beginning.declared.type(path.parts)
    appended = types.kinds(held) == {"array"} and _reducer(held, given) == "wf.std.append"
    return _by_reducer(solver, path, "wf.std.append", SAFE) if appended else ()


def _by_reducer(solver: Solver, path: StatePath, name: str, applicability: Applicability) -> tuple[Fix, ...]:
    workflow = solver.flow.workflow
    found = declarations(workflow.state_schema.value, path.parts)
    if not found or not isinstance(found[0][1], dict):
        return ()
    place = workflow.at.below("state_schema", *pointer_parts(found[0][0]))
    changes: list[dict[str, Any]] = [
        {"op": "test", "path": place.pointer, "value": found[0][1]},
        {"op": "add", "path": place.below("reducer").pointer, "value": name},
    ]
    return (patch(f"Let `{path}` merge by `{name}`", place, changes, applicability),)


def _counts(solver: Solver, path: StatePath) -> bool:
    """Whether a place is a number that begins at 0, as one does that is added to."""
    found = declarations(solver.flow.workflow.state_schema.value, path.parts)
    default = found[0][1].get("default") if found and isinstance(found[0][1], dict) else None
    return isinstance(default, (int, float)) and not isinstance(default, bool) and default == 0


def _reducer(held: Type, given: Type) -> str | None:
    if not types.kinds(given) or types.is_array(held) is not Verdict.ALWAYS:
        both_objects = all(types.kinds(each) == {"object"} for each in (held, given))
        return "wf.std.merge_object" if both_objects else None
    if _fits(given, types.elements(held)):
        return "wf.std.append"
    return "wf.std.extend" if _fits(given, held) else None


def _fits(given: Type, wanted: Type) -> bool:
    return types.fits(given, wanted).verdict is Verdict.ALWAYS


def local_to(flow: Flow, opener: ForeachStep | ForkStep, path: StatePath) -> tuple[Fix, ...]:
    """Let each lineage have the place for itself, where it is declared."""
    if not declarations(flow.workflow.state_schema.value, path.parts):
        return ()
    locals_ = opener.at.below("locals")
    value = (locals_.below("-"), str(path)) if opener.locals else (locals_, [str(path)])
    return (give(f"Make `{path}` local to each", opener, [value], UNSAFE),)


def one_by_one(opener: ForeachStep) -> tuple[Fix, ...]:
    """Let the items of a parallel loop begin one after the other, as those of a loop do that says nothing else."""
    return (
        leave_out(f"Run the items of `{opener.id}` one after the other", opener, [opener.at.below("mode")], UNSAFE),
    )
