"""Keys that are missing, where the rest of a workflow says what they held, or where they were put instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from wfc.diagnostics import Applicability
from wfc.frontend.bindings import records
from wfc.frontend.findings import Finding, Repair
from wfc.frontend.reader import Record
from wfc.frontend.reader_codes import MISSING_FIELD, UNKNOWN_FIELD
from wfc.frontend.scalars import HOLE
from wfc.ir import NodeStep, Step
from wfc.ir.std import INTERRUPT_KINDS
from wfc.paths import GraphSourcePath
from wfc.records import replace

_CONTEXT = ("retry_count", "prior_outcome", "activated_incoming_edge", "loop_item", "loop_index")


def completed(found: Finding, read: Record, written: Callable[[str], Any]) -> tuple[Repair, ...]:
    """What a step lacks, as far as the workflow says it."""
    step = next((one for one in records(read["nodes"]) if one.pointer == found.pointer), None)
    if step is None or len(found.facts["keys"]) != 1:
        return ()
    (key,) = found.facts["keys"]
    match step["type"], key:
        case "end", "outcome":
            return _only_outcome(found, step, read)
        case "foreach", "as":
            return _alias(found, step, read)
        case "interrupt", "outcomes":
            return _wired(found, step, read)
        case "interrupt", "kind":
            return _kind(found, step)
        case _:
            return ()


def _only_outcome(found: Finding, step: Record, read: Record) -> tuple[Repair, ...]:
    """An end gives the one outcome that the workflow has."""
    outcomes = read["outcomes"]
    if not isinstance(outcomes, (list, tuple)) or len(outcomes) != 1 or not isinstance(outcomes[0], str):
        return ()
    return _added(found, step, "outcome", outcomes[0], f"End with `{outcomes[0]}`", True)


def _added(found: Finding, step: Record, key: str, value: Any, title: str, safe: bool) -> tuple[Repair, ...]:
    test = {"op": "test", "path": f"{found.pointer}/type", "value": step["type"]}
    add = {"op": "add", "path": f"{found.pointer}/{key}", "value": value}
    return (Repair(title, (test, add), Applicability.SAFE if safe else Applicability.UNSAFE),)


def _alias(found: Finding, step: Record, read: Record) -> tuple[Repair, ...]:
    """A loop calls its item what steps read as a key of `context` that nothing else gives."""
    nodes = list(records(read["nodes"]))
    known = {*_CONTEXT, *(one["as"] for one in nodes if "as" in one.fields)}
    names = sorted({path.parts[0] for one in nodes for path in _paths(one) if path.base == "context" and path.parts})
    free = [name for name in names if name not in known]
    if len(free) != 1 or sum("as" in one.fields and one["as"] is HOLE for one in nodes) != 1:
        return ()
    return _added(found, step, "as", free[0], f"Call the item `{free[0]}`", True)


def _paths(record: Record) -> Iterator[GraphSourcePath]:
    """Every graph path that is read in a step."""
    waiting: list[Any] = list(record.fields.values())
    while waiting:
        inside = waiting.pop()
        if isinstance(inside, GraphSourcePath):
            yield inside
        elif isinstance(inside, Record):
            waiting += inside.fields.values()
        elif isinstance(inside, list):
            waiting += inside


def _wired(found: Finding, step: Record, read: Record) -> tuple[Repair, ...]:
    """A question has the outcomes by which edges leave it."""
    leaving = [edge["outcome"] for edge in records(read["edges"]) if edge["from"] == step["id"]]
    outcomes = [one for one in dict.fromkeys(leaving) if isinstance(one, str)]
    if not outcomes:
        return ()
    return _added(found, step, "outcomes", outcomes, "Declare the outcomes that have an edge", True)


def _kind(found: Finding, step: Record) -> tuple[Repair, ...]:
    """The one built-in kind that asks for what is bound, and is answered by what is read."""
    asked = {record["target"].parts[0] for record in records(step["request"]) if _is_named(record["target"])}
    answered = {record["source"].parts[0] for record in records(step["resume"]) if _is_named(record["source"])}
    fitting = [
        kind
        for kind, (request, resume) in INTERRUPT_KINDS.items()
        if set(request["required"]) <= asked <= set(request["properties"])
        and answered <= set(resume.get("properties", ()))
    ]
    if len(fitting) != 1 or not answered:
        return ()
    return _added(found, step, "kind", fitting[0], f"Make it of the kind `{fitting[0]}`", False)


def _is_named(path: Any) -> bool:
    return path is not HOLE and bool(path.parts)


def outcomes_moved(
    findings: Sequence[Finding], steps: Sequence[Step], written: Callable[[str], Any]
) -> Iterator[Finding]:
    """The findings, of which outcomes that stand at a step instead of at its definition are one."""
    lacking = [one.pointer for one in findings if one.code is MISSING_FIELD and one.facts["keys"] == ["outcomes"]]
    names = {written(f"{at}/name"): at for at in lacking if re.search(r"/node_defs/\d+$", at)}
    by_place = {f"{step.at.pointer}/outcomes": step for step in steps if isinstance(step, NodeStep)}
    moved: dict[str, Finding] = {}
    for one in findings:
        step = by_place.get(one.pointer) if one.code is UNKNOWN_FIELD else None
        at = names.get(step.definition) if step is not None else None
        if at is not None and at not in moved:
            moved[at] = replace(one, repairs=(_moved(one.pointer, at, written),), hides=1)
    told = {one.pointer: one for one in moved.values()}
    for one in findings:
        if one.pointer not in moved:
            yield told.get(one.pointer, one) if one.code is UNKNOWN_FIELD else one


def _moved(here: str, there: str, written: Callable[[str], Any]) -> Repair:
    test = {"op": "test", "path": here, "value": written(here)}
    move = {"op": "move", "from": here, "path": f"{there}/outcomes"}
    return Repair(f"Move them to `{written(f'{there}/name')}`", (test, move))
