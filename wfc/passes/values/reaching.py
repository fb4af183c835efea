"""Which change of a root a point sees: the points at which something happens to a root, and those at which ways meet.

Guarantees: `before` and `after` name the one place that a look at a point sees, a change or a meeting of changes; where
there is none, it is what the root began with. Nothing is laid out for a root that nobody asks about.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from wfc.passes.values.order import Order, order_of
from wfc.passes.values.points import Effect, Points
from wfc.passes.values.roots import Root
from wfc.records import dataclass

Seen = tuple[int, bool] | None
"""A point, and whether the meeting of ways there is seen, or else the change at it; none for the beginning."""


@dataclass(frozen=True)
class Track:
    """What happens to one root, by the times of the order of points."""

    times: Sequence[int]
    seen: Sequence[Seen]

    def at(self, time: int) -> Seen:
        index = bisect_right(self.times, time)
        return self.seen[index - 1] if index else None


class Reaching:
    """The tracks of all roots of a workflow, laid out as they are asked for."""

    def __init__(self, points: Points) -> None:
        self.points = points
        self._tracks: dict[Root, Track] = {}

    @cached_property
    def order(self) -> Order:
        return order_of(self.points.after, self.points.before)

    @cached_property
    def changes(self) -> dict[Root, dict[int, list[Effect]]]:
        """What happens to each root, by point."""
        found: dict[Root, dict[int, list[Effect]]] = {}
        for point, effects in enumerate(self.points.effects):
            for effect in effects if self.order.enter[point] else ():
                found.setdefault(effect.root, {}).setdefault(point, []).append(effect)
        return found

    def before(self, root: Root, point: int) -> Seen:
        """What a look at a point sees of a root."""
        return self.track(root).at(self.order.enter[point])

    def after(self, root: Root, point: int) -> Seen:
        """What is seen of a root once a point has been passed."""
        return self.track(root).at(self.order.enter[point] + 1)

    def track(self, root: Root) -> Track:
        found = self._tracks.get(root)
        if found is None:
            found = self._tracks[root] = self._laid_out(root)
        return found

    def _laid_out(self, root: Root) -> Track:
        changes = self.changes.get(root, {})
        meetings = self._meetings(changes)
        enter, leave = self.order.enter, self.order.leave
        times: list[int] = []
        seen: list[Seen] = []
        around: list[tuple[int, Seen]] = []

        def close(time: int) -> None:
            while around and leave[around[-1][0]] < time:
                point, _ = around.pop()
                times.append(leave[point])
                seen.append(around[-1][1] if around else None)

        for point in sorted({*changes, *meetings}, key=enter.__getitem__):
            close(enter[point])
            if point in meetings:
                times.append(enter[point])
                seen.append((point, True))
            if point in changes:
                times.append(enter[point] + 1)
                seen.append((point, False))
            around.append((point, seen[-1]))
        close(2 * len(enter) * 2 + 2)
        return Track(times, seen)

    def _meetings(self, changes: Sequence[int] | dict[int, list[Effect]]) -> set[int]:
        """The points at which ways meet along which different things have happened to a root."""
        meetings: set[int] = set()
        waiting = list(changes)
        while waiting:
            for point in self.order.frontier_of(waiting.pop()):
                if point not in meetings:
                    meetings.add(point)
                    waiting.append(point)
        return meetings
