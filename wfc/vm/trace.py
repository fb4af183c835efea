"""The trace as a tree written depth first (reference 2.10): one entry per completed step, children in their place.

A frame's `entries` hold its entries and, where a child began, the child's list; reading them depth first is the trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wfc.ir import REPLACE
from wfc.vm.fault import MISSING
from wfc.vm.frames import Frame, Region
from wfc.vm.plans import Plan


def entry(frame: Frame, step: str, kind: str, **fields: Any) -> dict[str, Any]:
    """Write the next entry of a frame; a field that is `MISSING` is left out."""
    frame.sequence += 1
    frame.steps += 1
    made: dict[str, Any] = {
        "lineage": frame.id,
        "sequence": frame.sequence,
        "scope": frame.scope.id,
        "frame": frame.id,
        "parent": None,
        "step": step,
        "type": kind,
    }
    if frame.started_by is not None:
        made["parent"] = {
            "lineage": frame.started_by[0],
            "sequence": frame.started_by[1],
        }
    made.update((name, value) for name, value in fields.items() if value is not MISSING)
    frame.entries.append(made)
    return made


def changes(writes: Iterable[tuple[Plan, Any]]) -> Any:
    """The changes of an entry: path, incoming value, and the reducer unless it is replace; or `MISSING`."""
    made: list[dict[str, Any]] = []
    for plan, incoming in writes:
        change = {"path": plan.text, "value": incoming}
        if plan.reducer.name != REPLACE.name:
            change["reducer"] = plan.reducer.name
        made.append(change)
    return made or MISSING


def flat(entries: Sequence[Any]) -> list[dict[str, Any]]:
    """The entries of a tree, depth first."""
    made: list[dict[str, Any]] = []
    waiting = [iter(entries)]
    while waiting:
        for found in waiting[-1]:
            if isinstance(found, list):
                waiting.append(iter(found))
                break
            made.append(found)
        else:
            waiting.pop()
    return made


def cut(frame: Frame, region: Region, index: int) -> None:
    """Drop what a failed region did after its lineage `index`: later item entries and lineages (reference 2.10)."""
    first = _start(frame, region.started)
    if first == len(frame.entries):
        return
    each = 1 if frame.entries[first]["type"] == "fork" else 2
    skipped = 1 if each == 1 else 0
    del frame.entries[first + skipped + each * (index + 1) :]
    # What is cut never was: the sequence goes on after the last entry that stays.
    kept = [found["sequence"] for found in frame.entries[first:] if isinstance(found, dict)]
    frame.sequence = kept[-1] if kept else region.started - 1


def length_from(frame: Frame, started: int) -> int:
    """How many entries a frame has from the entry of this sequence on, those of its children included."""
    return len(flat(frame.entries[_start(frame, started) :]))


def _start(frame: Frame, sequence: int) -> int:
    """Where in a frame's list its own entry of this sequence stands; the end of the list when it is not there."""
    entries = frame.entries
    for at in range(len(entries) - 1, -1, -1):
        found = entries[at]
        if isinstance(found, dict) and found["sequence"] == sequence and found["lineage"] == frame.id:
            return at
    return len(entries)


def layout(frame: Frame) -> tuple[int, list[int]]:
    """How a frame's part of the flat trace is made up: entries before its live children's, and the length of each
    child's list. An entry of its own stands before each list of a foreach."""
    entries = frame.entries
    start = len(entries)
    if frame.child is not None:
        start -= 1
    elif frame.region is not None:
        start = _start(frame, frame.region.started)
        start += start < len(entries) and entries[start]["type"] == "fork"
    lists = [len(flat(found)) for found in entries[start:] if isinstance(found, list)]
    return len(flat(entries[:start])), lists


def rebuild(root: Frame, trace: Sequence[dict[str, Any]], layouts: Mapping[str, tuple[int, list[int]]]) -> None:
    """Give every live frame the list of its entries, from the flat trace of a stored run state and the layouts."""
    root.entries = list(trace)
    waiting = [root]
    while waiting:
        frame = waiting.pop()
        before, lengths = layouts[frame.id]
        part = frame.entries
        own, at = part[:before], before
        children = {child.index: child for child in frame.children()}
        entered = frame.region is not None and frame.scope.routine.blocks[frame.region.step].foreach is not None
        for index, length in enumerate(lengths):
            if entered:
                own.append(part[at])
                at += 1
            inner = part[at : at + length]
            own.append(inner)
            at += length
            if index in children:
                children[index].entries = inner
                waiting.append(children[index])
        frame.entries[:] = own
