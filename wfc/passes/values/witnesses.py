"""Why a look may find nothing: a way through the workflow on which nothing has written the path, or something undid it.

Guarantees: at no point of the way is the path surely there. The way begins where the workflow does, or where the path
was there and a write, or the end of an item, took it away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wfc.passes.values.access import Read, Write
from wfc.passes.values.cells import ALWAYS, reach
from wfc.passes.values.keys import Known
from wfc.passes.values.points import Assign
from wfc.passes.values.roots import Spot, spot_of
from wfc.passes.values.solving import Solver
from wfc.paths import GraphSourcePath, overlap
from wfc.records import dataclass

_LONGEST = 12
_FURTHEST = 20_000


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a path may be missing.

    `way` leads there, as `("list:ok", "each:item", "one")`, of a long one its last part; empty where none was found.
    `undone` is the write that took the path away; none where it never was there. `writes` are all that could have put
    it there.
    """

    way: tuple[str, ...]
    undone: Write | None
    writes: tuple[Write, ...]


def why_missing(solver: Solver, read: Read, depth: int | None = None) -> Missing | None:
    """Why a look may not find the place up to the segment `depth` of its path, or all of it.

    None where it surely finds it, or where the path has no root of its own.
    """
    path = read.path if depth is None else GraphSourcePath(read.path.base, read.path.parts[: depth + 1])
    spot = spot_of(solver.flow, read.step, path)
    target = solver.points.read_at.get(read, solver.points.arrival[read.step])
    if spot is None or not _may_be_missing(solver, spot, target, before=True):
        return None
    writes = tuple(_writers(solver, spot))
    found = _way_back(solver, spot, target)
    if found is None:
        return Missing((), None, writes)
    undone = next((each for each in _assigned(solver, found[0], spot)), None)
    return Missing(_told(solver, found, read.step), undone, writes)


def _writers(solver: Solver, spot: Spot) -> Iterator[Write]:
    if spot.root.base == "state":
        path = (spot.root.name, *spot.parts)
        for access in solver.accesses.values():
            yield from (write for write in access.writes if overlap(write.path.parts, path))


def _assigned(solver: Solver, point: int, spot: Spot) -> Iterator[Write]:
    for effect in solver.points.effects[point]:
        if isinstance(effect, Assign) and effect.root == spot.root and effect.parts == spot.parts[: len(effect.parts)]:
            yield effect.write


def _way_back(solver: Solver, spot: Spot, target: int) -> list[int] | None:
    """A shortest way to a point on which the place may be missing, its first point being where that begins."""
    came: dict[int, int] = {target: -1}
    waiting = [target]
    for point in waiting:
        if point != target and (point == 0 or not _may_be_missing(solver, spot, point, before=True)):
            return list(_forward(came, point))
        for earlier in _before(solver, spot, point):
            if earlier not in came and len(came) < _FURTHEST:
                came[earlier] = point
                waiting.append(earlier)
    return None


def _before(solver: Solver, spot: Spot, point: int) -> list[int]:
    earlier = solver.points.before[point]
    return [each for each in earlier if _may_be_missing(solver, spot, each, before=False)]


def _may_be_missing(solver: Solver, spot: Spot, point: int, *, before: bool) -> bool:
    seen = (solver.reaching.before if before else solver.reaching.after)(spot.root, point)
    return reach(solver.cell(Known(spot.root, seen)), spot.parts).there is not ALWAYS


def _forward(came: dict[int, int], point: int) -> Iterator[int]:
    while point >= 0:
        yield point
        point = came[point]


def _told(solver: Solver, way: Sequence[int], step: str) -> tuple[str, ...]:
    """The way in words: the outcome by which each step was left, and at last the step."""
    first = solver.points.step[way[0]]
    words = solver.flow.trail(first)[:-1] if first else []
    for point in way:
        wire = solver.points.wire[point]
        word = f"{wire.source}:{wire.outcome}" if wire is not None else None
        if word is not None and word != (words[-1] if words else None):
            words.append(word)
    shown = words[-_LONGEST:]
    return (*(["…"] if len(shown) < len(words) and shown[0] != "…" else []), *shown, step)
