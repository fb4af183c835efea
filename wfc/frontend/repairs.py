"""Repairs that need the workflow around a fault: which root has the field, which step is meant by a name."""

from __future__ import annotations

from collections.abc import Iterable

from wfc.diagnostics import Applicability
from wfc.frontend.bindings import records
from wfc.frontend.findings import Finding, Repair
from wfc.frontend.reader import Record
from wfc.frontend.reader_codes import MISSING_FIELD, WRONG_PATH_ROOT
from wfc.frontend.scalars import HOLE
from wfc.ir import END, Schema, Step, root_properties
from wfc.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of a workflow, as read and as meant. `steps` are those of its list of steps, in order."""

    read: Record
    input_schema: Schema
    state_schema: Schema
    steps: tuple[Step, ...]

    def named(self, *ends: str) -> set[str]:
        """The steps that its edges name at these ends."""
        return {record[end] for record in records(self.read["edges"]) for end in ends if isinstance(record[end], str)}


def better_repairs(findings: Iterable[Finding], around: Surroundings) -> list[Finding]:
    """The findings of a workflow, with what the rest of it says about how to repair them."""
    return [replace(found, repairs=repairs) if (repairs := _repairs(found, around)) else found for found in findings]


def _repairs(found: Finding, around: Surroundings) -> tuple[Repair, ...]:
    if found.code is WRONG_PATH_ROOT and len(found.repairs) > 1:
        return _declared_root(found, around)
    if found.code is not MISSING_FIELD:
        return ()
    if found.facts["keys"] == ["start"] and found.pointer == around.read.pointer:
        return _first_step(found, around)
    if found.facts["keys"] == ["id"]:
        return _named_step(found, around)
    return ()


def _declared_root(found: Finding, around: Surroundings) -> tuple[Repair, ...]:
    """A path without a root has the one under which its field is declared."""
    declared = {f"input.{name}" for name in root_properties(around.input_schema.value)}
    declared |= {f"state.{name}" for name in root_properties(around.state_schema.value)}
    fitting = [repair for repair in found.repairs if ".".join(repair.patch[-1]["value"].split(".")[:2]) in declared]
    return (replace(fitting[0], applicability=Applicability.SAFE),) if len(fitting) == 1 else ()


def _first_step(found: Finding, around: Surroundings) -> tuple[Repair, ...]:
    """A workflow starts at the one step that no edge leads to."""
    entered = around.named("to")
    first = [(index, step.id) for index, step in enumerate(around.steps) if step.id not in entered]
    if len(first) != 1 or not first[0][1]:
        return ()
    index, name = first[0]
    test = {"op": "test", "path": f"{found.pointer}/nodes/{index}/id", "value": name}
    return (Repair(f"Start at `{name}`", (test, {"op": "add", "path": f"{found.pointer}/start", "value": name})),)


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
