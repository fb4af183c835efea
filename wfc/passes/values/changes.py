"""What a root is after what happens at a point, and what it is where ways or lineages meet (reference 2.3 to 2.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, assert_never

from wfc.ir import ForeachStep
from wfc.passes import types
from wfc.passes.graph.flow import Flow
from wfc.passes.types import ANYTHING, Type, both
from wfc.passes.values.barriers import Lineage, Merge, Written
from wfc.passes.values.beginning import Beginning
from wfc.passes.values.cells import (
    ALWAYS,
    MAYBE,
    UNKNOWN,
    Cell,
    TypeOf,
    found_missing,
    found_there,
    joined,
    loosened,
    put,
    whole,
    widened,
)
from wfc.passes.values.cells import assigned as written
from wfc.passes.values.fixpoint import Needing, Recipe, every, known, together, value_of
from wfc.passes.values.handing import Handed, locals_of
from wfc.passes.values.keys import Given, Known
from wfc.passes.values.points import Assign, Barrier, Drop, Effect, End, Enter, Forget, Points, Prove, Region
from wfc.passes.values.reaching import Reaching
from wfc.passes.values.roots import Parts, Root
from wfc.paths import LocalPath
from wfc.records import dataclass, field

_PATIENCE = 3
_Then = Callable[[Cell], Cell]


@dataclass(frozen=True)
class Changes:
    """The changes and meetings of one workflow. `over` tells what a foreach goes over, `given` what steps hand on."""

    flow: Flow
    points: Points
    reaching: Reaching
    beginning: Beginning
    handed: Mapping[Region, Handed]
    touched: Mapping[Region, frozenset[Root]]
    over: Callable[[str], Needing[Cell]]
    given: Callable[[Given], Needing[Type]]
    _replacements: dict[tuple[Root, Type], Cell] = field(default_factory=dict, repr=False)
    _constants: dict[tuple[Root, Type, Parts], Needing[Cell]] = field(default_factory=dict, repr=False)
    _sources: dict[tuple[Type, LocalPath], Type] = field(default_factory=dict, repr=False)
    _ends: dict[str, dict[Root, list[End]]] = field(default_factory=dict, repr=False)

    def recipe(self, key: Known) -> Recipe:
        root, seen = key
        if seen is None:
            return Recipe(0, known(self.beginning.cell(root)))
        point, meeting = seen
        rank = 4 * self.reaching.order.rank[point]
        return self._meeting(root, point, rank) if meeting else Recipe(rank + 2, self._changed(root, point))

    def declared(self, root: Root) -> TypeOf:
        """What places below a root hold by declaration."""
        if root.base == "state":
            return lambda parts: self.beginning.declared.type((root.name, *parts))
        if root.base == "input":
            return lambda parts: types.at(self.beginning.input, (root.name, *parts)).type
        return lambda parts: ANYTHING

    def before(self, root: Root, point: int) -> Needing[Cell]:
        """What a look at a point sees of a root."""
        return value_of(Known(root, self.reaching.before(root, point)))

    def _after(self, root: Root, point: int) -> Needing[Cell]:
        return value_of(Known(root, self.reaching.after(root, point)))

    # What happens at a point

    def _changed(self, root: Root, point: int) -> Needing[Cell]:
        *_, last = happening = self.reaching.changes[root][point]
        if isinstance(last, Assign) and last.exact and not last.parts and last.write.replaces:
            # It makes no difference what was before.
            return self._put(last)
        before = Known(root, self.reaching.before(root, point))
        effects = [self._effect(effect) for effect in happening]
        if len(effects) == 1 and not effects[0].needs:
            return self._simply(before, effects[0].of(()))

        def applied(found: list[Any]) -> Cell:
            cell: Cell = found[0]
            for then in found[1:]:
                cell = then(cell)
            return cell

        return every([value_of(before), *effects]).then(applied)

    def _put(self, assign: Assign) -> Needing[Cell]:
        """What replaces a root; told at once where that depends on nothing that is read, as it mostly does."""
        given, source = self.given(Given(assign.write.step, assign.outcome)), assign.write.source
        replaced = partial(self._replaced, assign)
        if given.needs:
            return given.then(lambda type: replaced(self._source(type, source)))
        type = given.of(()) or ANYTHING
        key = (assign.root, type, source.parts)
        if key not in self._constants:
            self._constants[key] = known(replaced(self._source(type, source)))
        return self._constants[key]

    def _replaced(self, assign: Assign, incoming: Type) -> Cell:
        found = self._replacements.get((assign.root, incoming))
        if found is None:
            found = put(UNKNOWN, assign.write.reducer, incoming, self.declared(assign.root)(()))
            self._replacements[assign.root, incoming] = found
        return found

    def _simply(self, before: Known, then: _Then | None) -> Needing[Cell]:
        """One change that needs nothing but what was before, as almost all are."""
        if then is None:
            return known(UNKNOWN)
        return Needing((before,), lambda values: None if values[0] is None else then(values[0]))

    def _effect(self, effect: Effect) -> Needing[_Then]:
        match effect:
            case Prove(_, parts, there, type):
                return known(
                    partial(found_there, parts=parts, type=type) if there else partial(found_missing, parts=parts)
                )
            case Assign():
                return self._incoming(effect).then(partial(self._assigning, effect))
            case Enter(root):
                return self.over(root.name).then(_entering)
            case Forget(root):
                return known(lambda cell: Cell(MAYBE, self.declared(root)(())))
            case Drop(root, barrier):
                return self._dropping(root, barrier)
            case other:
                assert_never(other)

    def _incoming(self, assign: Assign) -> Needing[Type]:
        given = self.given(Given(assign.write.step, assign.outcome))
        return given.then(lambda type: self._source(type, assign.write.source))

    def _source(self, type: Type, path: LocalPath) -> Type:
        found = self._sources.get((type, path))
        if found is None:
            found = self._sources[type, path] = types.at(type, path.parts).type
        return found

    def _assigning(self, assign: Assign, incoming: Type) -> _Then:
        declared, reducer = self.declared(assign.root), assign.write.reducer
        held = declared(assign.parts)
        if not assign.exact:
            return lambda cell: written(cell, assign.parts, declared, lambda before: Cell(ALWAYS, held))
        return lambda cell: written(cell, assign.parts, declared, lambda before: put(before, reducer, incoming, held))

    def _dropping(self, root: Root, barrier: Barrier) -> Needing[_Then]:
        wrote, local = next(iter(self._wrote(barrier.ends, root)), None), locals_of(barrier, root)

        def dropping(merge: Merge, entry: Cell) -> _Then:
            return lambda cell: merge.merged(entry, [Lineage(cell, True, wrote)], local)

        parts: list[Needing[Any]] = [self._merge(root, [wrote]), self.before(root, barrier.entry)]
        return every(parts).then(lambda found: dropping(*found))

    # Where ways meet

    def _meeting(self, root: Root, point: int, rank: int) -> Recipe:
        settle = partial(_settled, self.declared(root)) if self._is_round_a_loop(point) else None
        return Recipe(rank, self._met(root, point), settle)

    def _is_round_a_loop(self, point: int) -> bool:
        """Whether what a meeting needs follows it; of barriers this holds where an edge jumps into a region."""
        barrier = self.points.barriers.get(point)
        ends = () if barrier is None else (barrier.entry, *(end.point for end in barrier.ends))
        ranks = self.reaching.order.rank
        return any(ranks[way] >= ranks[point] for way in (*self.points.before[point], *ends))

    def _met(self, root: Root, point: int) -> Needing[Cell]:
        barrier, ways = self.points.barriers.get(point), self.points.before[point]
        if barrier is not None and barrier.side_by_side:
            return self._merged(root, barrier)
        if barrier is not None and barrier.ends:
            return self._left(root, barrier, ways)
        return together([self._after(root, way) for way in ways]).then(_met)

    def _left(self, root: Root, barrier: Barrier, ways: Sequence[int]) -> Needing[Cell]:
        """A serial loop is left without any item having ended only where that is possible."""
        ended = [end.point for end in barrier.ends]
        passing = self._after(root, next(way for way in ways if way not in ended))
        parts: list[Needing[Any]] = [self._skips(barrier), passing, *(self._after(root, point) for point in ended)]

        def left(found: list[Any]) -> Cell | None:
            skips, entry, *cells = found
            if skips is None:
                return None
            # What the last item leaves is among what the next one would have begun with.
            return entry if skips else _met(cells)

        return together(parts).then(left)

    def _merged(self, root: Root, barrier: Barrier) -> Needing[Cell]:
        """Lineages side by side: a body is there as often as two items can meet, a branch once.

        Those in which nothing happens to the root make no difference.
        """
        ends = self._touching(barrier).get(root, ())
        wrote, local = self._wrote(ends, root), locals_of(barrier, root)
        parts: list[Needing[Any]] = [self._merge(root, wrote), self._skips(barrier), self._many(barrier)]

        def merged(found: list[Any]) -> Cell | None:
            merge, skips, many, entry, *cells = found
            if None in (merge, skips, many, entry):
                return None
            lineages = [
                Lineage(cell, end.certain and not skips, wrote[at])
                for at, (end, cell) in enumerate(zip(ends, cells, strict=True))
                if cell is not None
            ]
            result: Cell = merge.merged(entry, lineages * (2 if many else 1), local)
            return result

        left = (self._after(root, end.point) for end in ends)
        return together([*parts, self._after(root, barrier.entry), *left]).then(merged)

    def _touching(self, barrier: Barrier) -> Mapping[Root, Sequence[End]]:
        """Per root the ends of the lineages in which something happens to it."""
        found = self._ends.get(barrier.step)
        if found is None:
            found = self._ends[barrier.step] = {}
            for end in barrier.ends:
                for root in self.touched.get(end.region, ()):
                    found.setdefault(root, []).append(end)
        return found

    def _wrote(self, ends: Sequence[End], root: Root) -> list[Written | None]:
        """What the lineages of each end hand on."""
        return [self.handed.get(end.region, {}).get(root) for end in ends]

    def _merge(self, root: Root, wrote: Sequence[Written | None]) -> Needing[Merge]:
        """How a root is merged: the types that its reducers are given have to be known."""
        assigns = dict.fromkeys(assign for each in wrote if each is not None for assign in _added(each))
        incoming = every([self._incoming(assign) for assign in assigns])
        return incoming.then(
            lambda found: Merge(self.declared(root), dict(zip(assigns, found, strict=True)).__getitem__)
        )

    def _skips(self, barrier: Barrier) -> Needing[bool]:
        """Whether a loop may be left without any of its items having ended."""
        step = self.flow.steps[barrier.step]
        if not isinstance(step, ForeachStep):
            return known(False)
        if step.on_item_error != "fail":
            return known(True)
        return self.over(barrier.step).then(lambda cell: types.lengths(whole(cell))[0] == 0)

    def _many(self, barrier: Barrier) -> Needing[bool]:
        """Whether two items of a loop may meet."""
        if not isinstance(self.flow.steps[barrier.step], ForeachStep):
            return known(False)
        return self.over(barrier.step).then(lambda cell: (types.lengths(whole(cell))[1] or 2) > 1)


def _entering(over: Cell) -> _Then:
    item = Cell(ALWAYS, types.elements(whole(over)))
    return lambda cell: item


def _added(wrote: Written) -> Iterator[Assign]:
    """The writes that add to what is there."""
    waiting = [wrote]
    for each in waiting:
        yield from (assign for assign in each.here if not assign.write.replaces)
        waiting += each.below.values()


def _met(cells: Sequence[Cell | None]) -> Cell | None:
    """What holds where ways meet; one on which nothing has come yet does not count."""
    there = [cell for cell in cells if cell is not None]
    return joined(there) if there else None


def _settled(declared: TypeOf, before: Cell, now: Cell, changes: int) -> Cell:
    """Round a loop, what holds only grows; types that go on growing are first loosened, then given up."""
    if changes <= _PATIENCE:
        return joined([before, now])
    if changes <= 2 * _PATIENCE:
        return widened(before, now, lambda type, parts: both(declared(parts), loosened(type)))
    return widened(before, now, lambda type, parts: declared(parts))
