"""Which writes are looked at afterwards, by whomever: steps, ends, the next item, reducers, what follows a barrier.

Guarantees: a write that is not live makes no difference to any look that can follow it. One that is live may, on some way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from wfc.passes.values.access import Read, Write
from wfc.passes.values.cells import ALWAYS, NEVER, reach
from wfc.passes.values.keys import Known
from wfc.passes.values.points import Assign, Barrier, Drop, Enter
from wfc.passes.values.reaching import Seen
from wfc.passes.values.roots import Parts, Root, spot_of
from wfc.passes.values.solving import Solver
from wfc.paths import overlap

Written = tuple[Write, str]
"""A write when its step takes an outcome."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A place that was put below a replaced one by `writes`, may be gone after it, and may be looked at later."""

    parts: Parts
    writes: tuple[Write, ...]


@dataclass
class _Wanted:
    """What is looked at later: the writes that leave it, and for replaced places what is looked at strictly below them."""

    live: set[Written] = field(default_factory=set)
    below: dict[Written, dict[Parts, None]] = field(default_factory=dict)


class Liveness:
    """What becomes of the writes of one workflow."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver

    def is_live(self, write: Write, outcome: str) -> bool:
        """Whether what a write leaves with an outcome may be looked at later; yes where the outcome leads nobody knows where."""
        return (write.step, outcome) not in self._solver.points.leaving or (write, outcome) in self._wanted.live

    def dropped(self, write: Write, outcome: str) -> Iterator[Dropped]:
        """What writes of their own put below a replaced place, and it may have lost although it is looked at later."""
        wanted = self._wanted.below.get((write, outcome), ())
        for root, point in self._places(write, outcome) if wanted else ():
            seen = self._solver.reaching.before(root, point)
            before, after = self._solver.cell(Known(root, seen)), self._solver.cell(Known(root, (point, False)))
            for parts in wanted:
                if reach(before, parts).there is NEVER or reach(after, parts).there is ALWAYS:
                    continue
                put = tuple(dict.fromkeys(self._put(root, seen, parts, len(write.path.parts) - 1)))
                if put:
                    yield Dropped((root.name, *parts), put)

    def replacing(self, write: Write, outcome: str) -> tuple[Write, ...]:
        """The writes that first replace, on some way, what a write has left."""
        found: dict[Write, None] = {}
        for root, point in self._places(write, outcome):
            users, parts = self._users(root), write.path.parts[1:]
            waiting: list[Seen] = [(point, False)]
            known = set(waiting)
            for seen in waiting:
                for user in users.get(seen, ()):
                    killers = [each.write for each in self._assigns(root, user) if _covers(each, parts)]
                    found.update(dict.fromkeys(killers))
                    if not killers and user not in known:
                        known.add(user)
                        waiting.append(user)
        return tuple(found)

    def carried(self, step: str) -> tuple[Read, ...]:
        """The looks in the body of a serial foreach that may see what an earlier item has written."""
        solver = self._solver
        barrier = next((each for each in solver.points.barriers.values() if each.step == step), None)
        if barrier is None or barrier.side_by_side:
            return ()
        handed = [solver.handed.get(end.region, {}) for end in barrier.ends]
        roots = {root for each in handed for root in each}
        inside = (name for name in solver.accesses if solver.flow.is_inside(name, step))
        reads = (read for name in inside for read in solver.accesses[name].reads)
        return tuple(read for read in reads if any(self._sees(read, root, barrier) for root in roots))

    def _sees(self, read: Read, root: Root, barrier: Barrier) -> bool:
        """Whether a look sees what a root was when an item began, of a place that items write."""
        solver = self._solver
        spot = spot_of(solver.flow, read.step, read.path)
        parts = spot.parts if spot is not None else ()
        written = [solver.handed[end.region][root] for end in barrier.ends if root in solver.handed.get(end.region, {})]
        if root not in solver.looks.at(read.step, read.path).roots or not any(each.touches(parts) for each in written):
            return False
        point = solver.points.read_at.get(read, solver.points.arrival[read.step])
        known: set[Seen] = {solver.reaching.before(root, point)}
        waiting = list(known)
        while waiting:
            seen = waiting.pop()
            if seen == (barrier.entry, True):
                return True
            fresh = [each for each in self._sources(root, seen, parts, _Wanted()) if each not in known]
            known.update(fresh)
            waiting += fresh
        return False

    # Backwards from what is looked at

    @cached_property
    def _wanted(self) -> _Wanted:
        wanted = _Wanted()
        for root, uses in self._uses.items():
            known: set[tuple[Seen, Parts]] = set()
            waiting = [(seen, parts) for seen, places in uses.items() for parts in places]
            while waiting:
                seen, parts = waiting.pop()
                if (seen, parts) not in known:
                    known.add((seen, parts))
                    waiting += [(source, parts) for source in self._sources(root, seen, parts, wanted)]
        return wanted

    @cached_property
    def _uses(self) -> dict[Root, dict[Seen, dict[Parts, None]]]:
        """The places that are looked at, by what is seen there."""
        solver = self._solver
        found: dict[Root, dict[Seen, dict[Parts, None]]] = {}
        for access in solver.accesses.values():
            for read in access.reads:
                point = solver.points.read_at.get(read, solver.points.arrival[read.step])
                spot = spot_of(solver.flow, read.step, read.path)
                for root in solver.looks.at(read.step, read.path).roots:
                    places = found.setdefault(root, {}).setdefault(solver.reaching.before(root, point), {})
                    places[spot.parts if spot is not None else ()] = None
        return found

    def _sources(self, root: Root, seen: Seen, parts: Parts, wanted: _Wanted) -> Iterable[Seen]:
        """Where a place that is looked at comes from; of writes on the way it is noted that they are."""
        if seen is None:
            return ()
        point, meeting = seen
        if meeting:
            return self._met(root, point, parts)
        for effect in reversed(self._solver.reaching.changes[root][point]):
            if isinstance(effect, Enter):
                return ()
            if isinstance(effect, Assign) and overlap(effect.parts, parts):
                written = effect.write, effect.outcome
                wanted.live.add(written)
                if _covers(effect, parts):
                    if len(effect.parts) < len(parts):
                        wanted.below.setdefault(written, {})[parts] = None
                    return ()
            if isinstance(effect, Drop) and (places := _local(effect.barrier, root)):
                return self._dropped(root, point, effect.barrier, places, parts)
        return (self._solver.reaching.before(root, point),)

    def _met(self, root: Root, point: int, parts: Parts) -> list[Seen]:
        reaching, barrier = self._solver.reaching, self._solver.points.barriers.get(point)
        ways = self._solver.points.before[point]
        if barrier is not None and barrier.side_by_side and _is_inside(_local(barrier, root), parts):
            ways = [barrier.entry]
        return [reaching.after(root, way) for way in ways]

    def _dropped(self, root: Root, point: int, barrier: Barrier, places: list[Parts], parts: Parts) -> list[Seen]:
        """What is local to an item is afterwards what it was before."""
        reaching = self._solver.reaching
        begun, ended = reaching.before(root, barrier.entry), reaching.before(root, point)
        if _is_inside(places, parts):
            return [begun]
        return [begun, ended] if any(overlap(place, parts) for place in places) else [ended]

    # Forwards and backwards from a write

    @cached_property
    def _points(self) -> dict[Written, list[tuple[Root, int]]]:
        found: dict[Written, list[tuple[Root, int]]] = {}
        for root, changes in self._solver.reaching.changes.items():
            for point, effects in changes.items():
                for effect in effects:
                    if isinstance(effect, Assign):
                        found.setdefault((effect.write, effect.outcome), []).append((root, point))
        return found

    def _places(self, write: Write, outcome: str) -> Sequence[tuple[Root, int]]:
        return self._points.get((write, outcome), ())

    def _users(self, root: Root) -> dict[Seen, list[Seen]]:
        """What is made out of what, for one root."""
        if root not in self._known_users:
            users = self._known_users[root] = {}
            for seen in dict.fromkeys(self._solver.reaching.track(root).seen):
                for source in () if seen is None else self._all_sources(root, seen):
                    users.setdefault(source, []).append(seen)
        return self._known_users[root]

    @cached_property
    def _known_users(self) -> dict[Root, dict[Seen, list[Seen]]]:
        return {}

    def _all_sources(self, root: Root, seen: tuple[int, bool]) -> list[Seen]:
        reaching, (point, meeting) = self._solver.reaching, seen
        if meeting:
            return [reaching.after(root, way) for way in self._solver.points.before[point]]
        return [reaching.before(root, point)]

    def _assigns(self, root: Root, seen: Seen) -> list[Assign]:
        if seen is None or seen[1]:
            return []
        return [each for each in self._solver.reaching.changes[root][seen[0]] if isinstance(each, Assign)]

    def _put(self, root: Root, seen: Seen, parts: Parts, depth: int) -> Iterator[Write]:
        """The writes below the first `depth` parts that may have put a place there, back to where it was replaced."""
        known = {seen}
        waiting = [seen]
        for at in waiting:
            assigns = [each for each in self._assigns(root, at) if overlap(each.parts, parts)]
            yield from (each.write for each in assigns if len(each.parts) > depth)
            if at is None or any(_covers(each, parts) for each in assigns):
                continue
            fresh = [source for source in self._all_sources(root, at) if source not in known]
            known.update(fresh)
            waiting += fresh


def _covers(assign: Assign, parts: Parts) -> bool:
    """Whether a write leaves nothing of what was at a place."""
    return assign.exact and assign.write.replaces and assign.parts == parts[: len(assign.parts)]


def _local(barrier: Barrier, root: Root) -> list[Parts]:
    return [parts for each, parts in barrier.locals if each == root]


def _is_inside(places: list[Parts], parts: Parts) -> bool:
    return any(parts[: len(place)] == place for place in places)
