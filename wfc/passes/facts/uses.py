"""Which writes of state somebody looks at: each look is followed back to all writes whose value it may see.

Guarantees: a write that is not used changes nothing that any step, condition or end of its workflow ever sees. A
drop is the replacing of an object by one without a field that is written elsewhere and read behind it. The time that
one look takes is at most about linear in what happens to its root.
"""

from __future__ import annotations

from collections.abc import Iterator

from wfc.passes import types
from wfc.passes.types import Reached, Type, Verdict
from wfc.passes.values import Read
from wfc.passes.values.points import Assign, Barrier, Drop
from wfc.passes.values.reaching import Seen
from wfc.passes.values.roots import DEEPEST, Parts, Root
from wfc.passes.values.solving import Solver
from wfc.paths import overlap
from wfc.records import dataclass, field

_MOST_PLACES = 100


@dataclass(frozen=True, slots=True)
class Dropped:
    """A replace of an object that holds no `parts` any more, which `reads` look at and `writes` have written."""

    assign: Assign
    reads: tuple[Read, ...]
    parts: Parts
    certain: bool
    writes: tuple[Assign, ...]


@dataclass(frozen=True, slots=True)
class Uses:
    """The writes of one workflow as others see them."""

    used: frozenset[Assign]
    dropped: tuple[Dropped, ...]


def uses_of(solver: Solver) -> Uses:
    used: set[Assign] = set()
    dropped: list[Dropped] = []
    for (root, parts), reads in _places(solver).items():
        following = _Following(solver, root, parts)
        following.follow(reads)
        used |= following.used
        dropped += following.dropped(reads)
    return Uses(frozenset(used), tuple(dropped))


def incoming(solver: Solver, assign: Assign) -> Type:
    """The type of what a write brings."""
    return types.at(solver.result(assign.write.step, assign.outcome), assign.write.source.parts).type


def _places(solver: Solver) -> dict[tuple[Root, Parts], list[Read]]:
    """The looks by place; where very many places of a root are looked at, some are taken for looks at all of it."""
    roots = list(solver.reaching.changes)
    found: dict[tuple[Root, Parts], list[Read]] = {}
    counted: dict[Root, int] = {}
    for access in solver.accesses.values():
        for read in access.reads:
            for root, parts in _spots(read, roots):
                if (root, parts) not in found and counted.get(root, 0) >= _MOST_PLACES:
                    parts = ()
                if (root, parts) not in found:
                    counted[root] = counted.get(root, 0) + 1
                found.setdefault((root, parts), []).append(read)
    return found


def _spots(read: Read, roots: list[Root]) -> Iterator[tuple[Root, Parts]]:
    if read.path.base != "state":
        return
    if read.path.parts:
        yield Root("state", read.path.parts[0]), read.path.parts[1 : DEEPEST + 1]
        return
    yield from ((root, ()) for root in roots if root.base == "state")


@dataclass
class _Following:
    """The changes of a root that looks at one place of it may see; owned by `uses_of`."""

    solver: Solver
    root: Root
    parts: Parts
    used: set[Assign] = field(default_factory=set)
    drops: dict[Assign, Reached] = field(default_factory=dict)

    def follow(self, reads: list[Read]) -> None:
        reaching, points = self.solver.reaching, self.solver.points
        waiting = [reaching.before(self.root, points.read_at.get(read, points.arrival[read.step])) for read in reads]
        known: set[Seen] = set()
        while waiting:
            seen = waiting.pop()
            if seen is None or seen in known:
                continue
            known.add(seen)
            point, meeting = seen
            waiting += self._met(point) if meeting else self._before(point)

    def _met(self, point: int) -> Iterator[Seen]:
        """Where ways meet, all of them; at a barrier local places are as they were before."""
        barrier = self.solver.points.barriers.get(point)
        local = barrier is not None and barrier.side_by_side and self._is_local(barrier)
        left = {end.point for end in barrier.ends} if barrier is not None and local else ()
        for way in self.solver.points.before[point]:
            if way not in left:
                yield self.solver.reaching.after(self.root, way)

    def _before(self, point: int) -> Iterator[Seen]:
        """What is behind the changes at a point, unless one of them leaves nothing of it."""
        for effect in reversed(self.solver.reaching.changes[self.root][point]):
            if isinstance(effect, Drop) and self._is_local(effect.barrier):
                yield self.solver.reaching.before(self.root, effect.barrier.entry)
                return
            if isinstance(effect, Assign) and overlap(effect.parts, self.parts):
                self.used.add(effect)
                if self._covers(effect) and not self._drops(effect):
                    return
        yield self.solver.reaching.before(self.root, point)

    def _covers(self, assign: Assign) -> bool:
        """Whether nothing of what was there before is left."""
        return assign.exact and assign.write.replaces and assign.parts == self.parts[: len(assign.parts)]

    def _drops(self, assign: Assign) -> bool:
        """Whether what is put in a place above has, as far as is known, no such field; what was there is used."""
        rest = self.parts[len(assign.parts) :]
        if not rest:
            return False
        reached = types.at(incoming(self.solver, assign), rest)
        silent = reached.failing is not None and _is_not_mentioned(reached)
        if reached.presence is Verdict.NEVER or (reached.presence is Verdict.MAYBE and silent):
            self.drops[assign] = reached
            return True
        return False

    def _is_local(self, barrier: Barrier) -> bool:
        return any(root == self.root and parts == self.parts[: len(parts)] for root, parts in barrier.locals)

    def dropped(self, reads: list[Read]) -> Iterator[Dropped]:
        """The drops, where something below the dropped place is written by itself and a look has to find it."""
        if not self.drops:
            return
        looking = [read for read in reads if self._misses(read)]
        for assign, reached in self.drops.items():
            inside = (each for each in self.used if len(each.parts) > len(assign.parts))
            writes = sorted(inside, key=lambda each: self.solver.points.arrival[each.write.step])
            if looking and writes:
                certain = reached.presence is Verdict.NEVER
                yield Dropped(assign, tuple(looking), self.parts, certain, tuple(writes))

    def _misses(self, read: Read) -> bool:
        """Whether a look may miss what was dropped; one that asks for it, when it never finds it."""
        there = self.solver.seen(read).there
        return there is Verdict.NEVER or (there is Verdict.MAYBE and read.role != "exists")


def _is_not_mentioned(reached: Reached) -> bool:
    found = reached.fields[reached.failing or 0]
    return not found.listed and found.further == "silent"
