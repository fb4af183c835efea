"""A way through a workflow on which a state path is not written: what shows that it may be missing."""

from __future__ import annotations

from wfc.passes.facts import Facts
from wfc.passes.graph.flow import Flow
from wfc.passes.values import Read
from wfc.passes.values.points import Assign, Points, Prove
from wfc.passes.values.roots import Parts, Root

_LONGEST = 12


def way_without(facts: Facts, flow: Flow, read: Read, depth: int) -> list[str] | None:
    """A shortest way from the start to a look at state that passes no write of the path up to its segment `depth`.

    It reads `["list:ok", "each:done", "one"]`. There is none where what is written everywhere may be undone again, or
    belongs to an item that may fail.
    """
    solver = facts.values.solver(flow)
    points = solver.points
    root, parts = Root("state", read.path.parts[0]), read.path.parts[1 : depth + 1]
    target = points.read_at.get(read, points.arrival[read.step])
    came: dict[int, int] = {0: 0}
    waiting = [0]
    for point in waiting:
        if point == target:
            return _told(points, came, target, read.step)
        if not _is_written(points, point, root, parts):
            fresh = [following for following in points.after[point] if following not in came]
            came.update(dict.fromkeys(fresh, point))
            waiting += fresh
    return None


def _is_written(points: Points, point: int, root: Root, parts: Parts) -> bool:
    for effect in points.effects[point]:
        if effect.root == root and isinstance(effect, (Assign, Prove)):
            known = not isinstance(effect, Prove) or effect.there
            if known and (effect.parts[: len(parts)] == parts or parts[: len(effect.parts)] == effect.parts):
                return True
    return False


def _told(points: Points, came: dict[int, int], target: int, step: str) -> list[str]:
    way = [step]
    point = came[target]
    while point and len(way) <= _LONGEST:
        wire = points.wire[point]
        named = f"{wire.source}:{wire.outcome}" if wire is not None else None
        if named is not None and named != way[-1]:
            way.append(named)
        point = came[point]
    return [*(["…"] if point else []), *reversed(way)]
