"""The trace as a tree written depth first (reference 2.10): one entry per completed step, children in their place.

A frame's `entries` begin with its head, or with what tells the heads of all items of a region. Then come its entries
and, where a child began, the child's list; reading them depth first is the trace. An entry is a record; or, for a step
that went at full speed, four elements side by side from which the record follows: the number of a mark, the sequence,
the input, the output. So most of the trace is nothing that the garbage collector has to look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from wfc.ir import REPLACE
from wfc.paths import Parts
from wfc.records import dataclass
from wfc.vm.fault import MISSING
from wfc.vm.frames import Frame, Head, Heads, Region
from wfc.vm.plans import Plan
from wfc.vm.reading import walk

_BRIEF = 4
# How many entries stand before those of a frame's live children, and the length of each child's list.
Layout = tuple[int, list[int]]


@dataclass(frozen=True, slots=True)
class Elided:
    """So many entries of which a machine knows nothing but that they are there."""

    count: int


@dataclass(frozen=True, slots=True)
class Mark:
    """What all entries that leave a step in one way have in common. `writes` are places in the output, and plans.

    Where `inputs` are named, an entry has their values alone; where an `output` is, the value under that key.
    """

    step: str
    kind: str
    outcome: str
    next: str
    writes: tuple[tuple[Parts, Plan], ...] = ()
    inputs: tuple[str, ...] | None = None
    output: str | None = None


def record(head: Head, mark: Mark, sequence: int, payload: Any, output: Any) -> dict[str, Any]:
    """The record that a brief entry stands for. That of an item which enters has its index in place of the input."""
    name, scope, starter, started = head
    made: dict[str, Any] = {"lineage": name, "sequence": sequence, "scope": scope, "frame": name}
    made["parent"] = None if starter is None else {"lineage": starter, "sequence": started}
    made |= {"step": mark.step, "type": mark.kind}
    if payload is not MISSING:
        made["index" if mark.kind == "foreach" else "input"] = whole(mark.inputs, payload)
    made["outcome"] = mark.outcome
    if output is not MISSING:
        output = made["output"] = output if mark.output is None else {mark.output: output}
    if mark.writes:
        made["changes"] = changes([(plan, walk(output, parts)) for parts, plan in mark.writes])
    made["next"] = mark.next
    return made


def last_output(frame: Frame, marks: Sequence[Mark]) -> Any:
    """The output in the last entry of a frame, which is a brief one."""
    mark, _, _, output = frame.entries[-_BRIEF:]
    name = marks[mark].output
    return output if name is None else {name: output}


def whole(inputs: tuple[str, ...] | None, payload: Any) -> Any:
    """The payload of which a frame keeps the values under these names."""
    if inputs is None:
        return payload
    return {inputs[0]: payload} if len(inputs) == 1 else dict(zip(inputs, payload, strict=True))


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
    _, _, starter, started = frame.head
    if starter is not None:
        made["parent"] = {"lineage": starter, "sequence": started}
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


def records(entries: Sequence[Any], marks: Sequence[Mark]) -> Iterator[dict[str, Any]]:
    """The records of a tree, depth first."""
    waiting = [(entries[0], entries, 1)]
    while waiting:
        head, found, at = waiting.pop()
        while at < len(found):
            one = found[at]
            if type(one) is int:
                yield record(head, marks[one], *found[at + 1 : at + _BRIEF])
                at += _BRIEF
            elif type(one) is list:
                # The entry with which an item enters stands before its list.
                first = one[0].of(found[at - 2], found[at - 3]) if type(one[0]) is Heads else one[0]
                waiting += [(head, found, at + 1), (first, one, 1)]
                break
            else:
                if type(one) is not Elided:
                    yield one
                at += 1


def _places(entries: Sequence[Any], start: int = 1) -> Iterator[int]:
    """Where in the list of a frame its entries, and the lists of its children, begin."""
    at = start
    while at < len(entries):
        yield at
        at += _BRIEF if type(entries[at]) is int else 1


def _count(entries: Sequence[Any], start: int = 1, end: int | None = None) -> int:
    """How many entries a tree has, between two places in its list."""
    count, waiting = 0, [entries[start:end]]
    while waiting:
        found = waiting.pop()
        for at in _places(found, 0):
            one = found[at]
            if type(one) is list:
                waiting.append(one[1:])
            else:
                count += one.count if type(one) is Elided else 1
    return count


def blame(frame: Frame, error: Mapping[str, Any], marks: Sequence[Mark]) -> None:
    """Put an error into the last entry of a frame."""
    *_, last = _places(frame.entries)
    found = frame.entries[last]
    made = record(frame.head, marks[found], *frame.entries[last + 1 :]) if type(found) is int else found
    frame.entries[last:] = [{**made, "error": error}]


def cut(frame: Frame, region: Region, index: int) -> None:
    """Drop what a failed region did after its lineage `index`: later item entries and lineages (reference 2.10)."""
    entries, first = frame.entries, _start(frame, region)
    if first == len(entries):
        return
    places = [*_places(entries, first), len(entries)]
    kept = 2 + index if _is_fork(entries[first]) else 2 * (index + 1)
    del entries[places[min(kept, len(places) - 1)] :]
    # What is cut never was: the sequence goes on after the last entry that stays.
    own = [at for at in places if at < len(entries) and type(entries[at]) is not list]
    frame.sequence = _sequence(entries, own[-1]) if own else region.started - 1


def length_from(frame: Frame, region: Region) -> int:
    """How many entries a frame has from the first one of a region on, those of its children included."""
    return _count(frame.entries, _start(frame, region))


def _start(frame: Frame, region: Region) -> int:
    """Where in a frame's list the first entry of a region stands; the end of the list when it is not there."""
    entries, at = frame.entries, region.at
    return at if at < len(entries) and _sequence(entries, at) == region.started else len(entries)


def _sequence(entries: Sequence[Any], at: int) -> int:
    sequence: int = entries[at + 1] if type(entries[at]) is int else entries[at]["sequence"]
    return sequence


def _is_fork(found: Any) -> bool:
    return type(found) is dict and found["type"] == "fork"


def _is_loop(frame: Frame) -> bool:
    region = frame.region
    return region is not None and frame.scope.routine.blocks[region.step].foreach is not None


def layout(frame: Frame) -> Layout:
    """How a frame's part of the flat trace is made up: entries before its live children's, and the length of each
    child's list. An entry of its own stands before each list of a foreach."""
    start = _open_part(frame)
    return _count(frame.entries, 1, start), _lengths(frame, start)


def outline(frame: Frame) -> Layout:
    """Like `layout`, but entries that no failing region can cut any more are not counted."""
    start = _open_part(frame)
    around = frame.parent
    while around is not None and around.region is None:
        around = around.parent
    if around is not None:
        return _count(frame.entries, 1, start), _lengths(frame, start)
    is_fork = frame.region is not None and not _is_loop(frame)
    return int(is_fork), [0] if frame.child is not None else _lengths(frame, start)


def _lengths(frame: Frame, start: int) -> list[int]:
    entries = frame.entries
    return [_count(entries[at]) for at in _places(entries, start) if type(entries[at]) is list]


def _open_part(frame: Frame) -> int:
    """Where in a frame's list the part of its live children begins."""
    entries = frame.entries
    start = len(entries)
    if frame.child is not None:
        start -= 1
    elif frame.region is not None:
        start = _start(frame, frame.region)
        start += start < len(entries) and _is_fork(entries[start])
    return start


def rebuild(root: Frame, trace: Sequence[dict[str, Any]], layouts: Mapping[str, Mapping[str, Any]]) -> None:
    """Give every live frame the list of its entries, from the flat trace of a stored run state and the layouts of those
    that have frames below them."""
    waiting = [(root, list(trace))]
    while waiting:
        frame, part = waiting.pop()
        if frame.id not in layouts:
            frame.entries += part
            continue
        before, lengths = layouts[frame.id]["before"], layouts[frame.id]["lists"]
        frame.entries += part[:before]
        children = {child.index: child for child in frame.children()}
        at, entered = before, _is_loop(frame)
        if frame.region is not None:
            # The entry of a fork stands before the lists, that of an item before its own.
            frame.region.at = len(frame.entries) - (not entered)
        for index, length in enumerate(lengths):
            if entered:
                frame.entries.append(part[at])
                at += 1
            inner = part[at : at + length]
            at += length
            child = children.get(index)
            frame.entries.append([None, *inner] if child is None else child.entries)
            if child is not None:
                waiting.append((child, inner))


def elide(root: Frame, layouts: Mapping[str, Mapping[str, Any]]) -> None:
    """Give every live frame a list that counts like its entries and holds none but the first of what an open region
    began, from the outlines of those that have frames below them."""
    waiting = [(root, 0)]
    while waiting:
        frame, length = waiting.pop()
        if frame.id not in layouts:
            frame.entries.append(Elided(length))
            continue
        before, lengths = layouts[frame.id]["before"], layouts[frame.id]["lists"]
        region, entered = frame.region, _is_loop(frame)
        children = {child.index: child for child in frame.children()}
        frame.entries.append(Elided(before if region is None or entered else max(before - 1, 0)))
        if region is not None:
            region.at = len(frame.entries)
            frame.entries += [] if entered else [{"sequence": region.started, "type": "fork"}]
        for index, inner in enumerate(lengths):
            if region is not None and entered:
                frame.entries.append({"sequence": region.started + index, "type": "foreach"})
            child = children.get(index)
            frame.entries.append([None, Elided(inner)] if child is None else child.entries)
            if child is not None:
                waiting.append((child, inner))
