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

# Of a frame's part of the trace: entries before its live children's, and the length of each child's list.
Layout = tuple[int, list[int]]


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
    """The entries of a tree, depth first. What was elided has none."""
    made: list[dict[str, Any]] = []
    waiting = [iter(entries)]
    while waiting:
        for found in waiting[-1]:
            if isinstance(found, list):
                waiting.append(iter(found))
                break
            if type(found) is not int:
                made.append(found)
        else:
            waiting.pop()
    return made


def _count(entries: Sequence[Any]) -> int:
    """How many entries a tree has, those included that were elided."""
    count, waiting = 0, [entries]
    while waiting:
        for found in waiting.pop():
            if type(found) is list:
                waiting.append(found)
            else:
                count += found if type(found) is int else 1
    return count


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
    return _count(frame.entries[_start(frame, started) :])


def _start(frame: Frame, sequence: int) -> int:
    """Where in a frame's list its own entry of this sequence stands; the end of the list when it is not there."""
    entries = frame.entries
    for at in range(len(entries) - 1, -1, -1):
        found = entries[at]
        if isinstance(found, dict) and found["sequence"] == sequence and found["lineage"] == frame.id:
            return at
    return len(entries)


def layout(frame: Frame) -> Layout:
    """How a frame's part of the flat trace is made up: entries before its live children's, and the length of each
    child's list. An entry of its own stands before each list of a foreach."""
    start = _open_part(frame)
    return _count(frame.entries[:start]), _lengths(frame, start)


def outline(frame: Frame) -> Layout:
    """Like `layout`, but entries that no failing region can cut any more are not counted."""
    start = _open_part(frame)
    around = frame.parent
    while around is not None and around.region is None:
        around = around.parent
    if around is not None:
        return _count(frame.entries[:start]), _lengths(frame, start)
    is_fork = start > 0 and frame.region is not None and frame.scope.routine.blocks[frame.region.step].fork is not None
    return int(is_fork), [0] if frame.child is not None else _lengths(frame, start)


def _lengths(frame: Frame, start: int) -> list[int]:
    return [_count(found) for found in frame.entries[start:] if isinstance(found, list)]


def _open_part(frame: Frame) -> int:
    """Where in a frame's list the part of its live children begins."""
    entries = frame.entries
    start = len(entries)
    if frame.child is not None:
        start -= 1
    elif frame.region is not None:
        start = _start(frame, frame.region.started)
        start += start < len(entries) and entries[start]["type"] == "fork"
    return start


def rebuild(root: Frame, trace: Sequence[dict[str, Any]], layouts: Mapping[str, Layout]) -> None:
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


def elide(root: Frame, layouts: Mapping[str, Layout]) -> None:
    """Give every live frame a list that counts like its entries and holds none: a number stands for as many entries,
    a bare record for one of a region that is open."""
    root.entries = []
    waiting = [root]
    while waiting:
        frame = waiting.pop()
        before, lengths = layouts[frame.id]
        region, children = frame.region, {child.index: child for child in frame.children()}
        entered = region is not None and frame.scope.routine.blocks[region.step].foreach is not None
        if region is not None and not entered:
            # The entry of a fork is one of those before its branches'.
            frame.entries += [max(before - 1, 0), _elided(frame, region.started, "fork")]
        else:
            frame.entries.append(before)
        for index, length in enumerate(lengths):
            if region is not None and entered:
                frame.entries.append(_elided(frame, region.started + index, "foreach"))
            inner: list[Any] = [] if index in children else [length]
            frame.entries.append(inner)
            if index in children:
                children[index].entries = inner
                waiting.append(children[index])


def _elided(frame: Frame, sequence: int, kind: str) -> dict[str, Any]:
    return {"lineage": frame.id, "sequence": sequence, "type": kind}
