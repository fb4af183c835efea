"""Repairs that need the workflow around a fault: which root has the field, which step is meant by a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wfc.diagnostics import Applicability
from wfc.frontend.bindings import records
from wfc.frontend.completing import completed, outcomes_moved
from wfc.frontend.findings import Finding, Repair, rewritten
from wfc.frontend.reader import Record
from wfc.frontend.reader_codes import BAD_NAME, BAD_PATH, BAD_VALUE, MISSING_FIELD, UNKNOWN_STEP_TYPE, WRONG_PATH_ROOT
from wfc.frontend.renaming import renamed_everywhere
from wfc.frontend.scalars import HOLE
from wfc.frontend.step_paths import written_by_step
from wfc.frontend.unwrapping import unwrapped
from wfc.ir import END, ForeachStep, NodeDef, Schema, Step, root_properties
from wfc.records import dataclass, replace
from wfc.source import lookup, pointer_parts

# Types of steps that other systems have for the place where a run begins.
_STARTS = ("start", "begin", "entry", "trigger")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of a workflow, as read and as meant. `steps` are those of its list of steps, in order.

    `document` is all that was written, `schemas` those of input and state.
    """

    read: Record
    document: Any
    schemas: Mapping[str, Schema]
    defs: tuple[NodeDef, ...]
    steps: tuple[Step, ...]

    def written(self, pointer: str) -> Any:
        """What stands in the document."""
        return lookup(self.document, pointer_parts(pointer))[0]

    def declares(self, path: str) -> bool:
        """Whether a schema declares the field in which a graph path begins."""
        root, _, rest = path.partition(".")
        return root in self.schemas and rest.split(".")[0] in root_properties(self.schemas[root].value)

    def named(self, *ends: str) -> set[str]:
        """The steps that its edges name at these ends."""
        return {record[end] for record in records(self.read["edges"]) for end in ends if isinstance(record[end], str)}


def better_repairs(findings: Iterable[Finding], around: Surroundings) -> list[Finding]:
    """The findings of a workflow, with what the rest of it says about how to repair them."""
    better = [replace(found, repairs=repairs) if (repairs := _repairs(found, around)) else found for found in findings]
    return list(outcomes_moved(better, around.steps, around.written))


def _repairs(found: Finding, around: Surroundings) -> tuple[Repair, ...]:
    if found.code is BAD_NAME:
        return renamed_everywhere(found, around.read, around.steps)
    if found.code in (WRONG_PATH_ROOT, BAD_PATH) and isinstance(found.facts["got"], str):
        return (
            _loop_item(found, around)
            or written_by_step(found, around.steps, around.defs)
            or _declared_root(found, around)
        )
    if found.code is UNKNOWN_STEP_TYPE and not found.repairs:
        return _no_step(found, around)
    if found.code is BAD_VALUE and len(found.repairs) > 1:
        return _declared_operand(found, around)
    if found.code is not MISSING_FIELD:
        return ()
    if found.facts["keys"] == ["start"] and found.pointer == around.read.pointer:
        return _first_step(found, around)
    if found.facts["keys"] == ["id"]:
        return _named_step(found, around)
    if found.facts["keys"] == ["outcome"] and found.pointer.startswith(f"{around.read.pointer}/edges/"):
        return _last_outcome(found, around)
    return completed(found, around.read, around.written)


def _declared_root(found: Finding, around: Surroundings) -> tuple[Repair, ...]:
    """A path without a root has the one under which its field is declared."""
    if len(found.repairs) < 2:
        return ()
    fitting = [repair for repair in found.repairs if around.declares(repair.patch[-1]["value"])]
    return (replace(fitting[0], applicability=Applicability.SAFE),) if len(fitting) == 1 else ()


def _loop_item(found: Finding, around: Surroundings) -> tuple[Repair, ...]:
    """A path that begins with the name of a loop's item reads it, unless a schema declares a field of that name."""
    written = found.facts["got"]
    path = unwrapped(written)
    if path is None or len(found.repairs) < 2:
        return ()
    items = {step.alias for step in around.steps if isinstance(step, ForeachStep)}
    if path.partition(".")[0] not in items or any(around.declares(one.patch[-1]["value"]) for one in found.repairs):
        return ()
    read = f"context.{path}"
    return (rewritten(f"Read `{read}`, of the item of the loop", found.pointer, written, read),)


def _declared_operand(found: Finding, around: Surroundings) -> tuple[Repair, ...]:
    """A bare text in a comparison is a path where it is the path of a declared field."""
    first, *rest = found.repairs
    operand = first.patch[-1].get("value")
    path = operand.get("path") if isinstance(operand, dict) else None
    if not isinstance(path, str) or not around.declares(path):
        return ()
    return (replace(first, applicability=Applicability.SAFE), *rest)


def _first_step(found: Finding, around: Surroundings) -> tuple[Repair, ...]:
    """A workflow starts at the one step that no edge leads to."""
    entered = around.named("to")
    first = [(index, step.id) for index, step in enumerate(around.steps) if step.id not in entered]
    if len(first) != 1 or not first[0][1]:
        return ()
    index, name = first[0]
    test = {"op": "test", "path": f"{found.pointer}/nodes/{index}/id", "value": name}
    return (Repair(f"Start at `{name}`", (test, {"op": "add", "path": f"{found.pointer}/start", "value": name})),)


def _no_step(found: Finding, around: Surroundings) -> tuple[Repair, ...]:
    """A step that only marks where a workflow starts is none: `start` names the step behind it."""
    at, base = found.pointer.rpartition("/")[0], around.read.pointer
    step = around.written(at)
    name = step.get("id")
    ways = [edge for edge in records(around.read["edges"]) if edge["from"] == name]
    marks = found.facts["got"] in _STARTS and set(step) <= {"id", "type", "desc"}
    if not marks or len(ways) != 1 or around.read["start"] != name or not isinstance(ways[0]["to"], str):
        return ()
    edge, first = ways[0].pointer, ways[0]["to"]
    patch = [
        {"op": "test", "path": at, "value": step},
        {"op": "remove", "path": at},
        {"op": "remove", "path": edge},
        {"op": "replace", "path": f"{base}/start", "value": first},
    ]
    return (Repair(f"Start at `{first}`", tuple(patch)),)


def _last_outcome(found: Finding, around: Surroundings) -> tuple[Repair, ...]:
    """An edge without an outcome takes the one of its source that no other edge takes."""
    edges = list(records(around.read["edges"]))
    source = next((edge["from"] for edge in edges if edge.pointer == found.pointer), HOLE)
    step = next((step for step in around.steps if step.id == source), None)
    if step is None or step.outcomes is None:
        return ()
    wired = [edge["outcome"] for edge in edges if edge["from"] == source]
    free = [outcome for outcome in step.outcomes if outcome not in wired]
    if len(free) != 1 or sum(outcome is HOLE for outcome in wired) != 1:
        return ()
    test = {"op": "test", "path": f"{found.pointer}/from", "value": source}
    add = {"op": "add", "path": f"{found.pointer}/outcome", "value": free[0]}
    return (Repair(f"Lead `{free[0]}` along it", (test, add)),)


def _named_step(found: Finding, around: Surroundings) -> tuple[Repair, ...]:
    """A step without an id is the one that is referred to and not there."""
    start = around.read["start"]
    lost = around.named("from", "to") | ({start} if isinstance(start, str) else set())
    lost -= {END, *(step.id for step in around.steps)}
    nameless = [record for record in records(around.read["nodes"]) if record["id"] is HOLE]
    if len(lost) != 1 or len(nameless) != 1:
        return ()
    (name,) = lost
    test = {"op": "test", "path": f"{found.pointer}/type", "value": nameless[0]["type"]}
    return (Repair(f"Name it `{name}`", (test, {"op": "add", "path": f"{found.pointer}/id", "value": name})),)
