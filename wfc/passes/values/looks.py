"""What a look at a path sees, given what is known of the roots that it leads to (reference 1.5, 2.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from wfc.passes import types
from wfc.passes.graph.flow import Flow
from wfc.passes.types import ANYTHING, Type
from wfc.passes.values.beginning import Beginning
from wfc.passes.values.cells import ABSENT, ALWAYS, MAYBE, NEVER, Cell, reach, whole
from wfc.passes.values.results import context
from wfc.passes.values.roots import Root, Spot, loops, spot_of
from wfc.paths import GraphSourcePath
from wfc.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Look:
    """The roots that a path leads to, and what it sees when these are known, in the same order."""

    roots: Sequence[Root]
    of: Callable[[Sequence[Cell]], Cell]

    def told(self, cells: Sequence[Cell | None]) -> Cell | None:
        """What it sees; none while something is not known of one of its roots."""
        there = [cell for cell in cells if cell is not None]
        return self.of(there) if len(there) == len(cells) else None


@dataclass(frozen=True)
class Looks:
    """The looks of one workflow; `state` are the state fields that there can be."""

    flow: Flow
    beginning: Beginning
    state: Sequence[Root]
    _spots: dict[Spot, Look] = field(default_factory=dict, repr=False)
    _contexts: dict[str, Mapping[str, tuple[Type, bool]]] = field(default_factory=dict, repr=False)

    def at(self, step: str, path: GraphSourcePath) -> Look:
        """A path as a step sees it: whether something is there, and as what."""
        spot = spot_of(self.flow, step, path)
        if spot is not None:
            if spot not in self._spots:
                self._spots[spot] = _at_spot(spot)
            return self._spots[spot]
        if path.base == "input":
            return Look((), lambda cells: Cell(ALWAYS, self.beginning.input))
        if path.base == "state":
            return Look(self.state, lambda cells: Cell(ALWAYS, _record(self.state, cells)))
        known = self._context(step)
        if path.parts:
            type, always = known.get(path.parts[0], (None, False))
            begun = ABSENT if type is None else Cell(ALWAYS if always else MAYBE, type)
            return Look((), lambda cells: reach(begun, path.parts[1:]))
        items = dict(self._items(step))
        roots = tuple(dict.fromkeys(items.values()))
        return Look(roots, lambda cells: Cell(ALWAYS, types.record({**known, **_types(items, roots, cells)})))

    def _context(self, step: str) -> Mapping[str, tuple[Type, bool]]:
        found = self._contexts.get(step)
        if found is None:
            found = self._contexts[step] = context(self.flow, step)
        return found

    def _items(self, step: str) -> Iterator[tuple[str, Root]]:
        """The keys of `context` that are items of loops; of two with one name that of the inner loop, given last."""
        for name, foreach in reversed(list(loops(self.flow, step))):
            yield from ((key, Root("item", name)) for key in ("loop_item", foreach.alias))


def _at_spot(spot: Spot) -> Look:
    if not spot.parts:
        return Look((spot.root,), lambda cells: cells[0])
    if spot.exact:
        return Look((spot.root,), lambda cells: reach(cells[0], spot.parts))

    def deeper(cells: Sequence[Cell]) -> Cell:
        found = reach(cells[0], spot.parts)
        return found if found.there is NEVER else Cell(MAYBE, ANYTHING)

    return Look((spot.root,), deeper)


def _record(roots: Sequence[Root], cells: Sequence[Cell]) -> Type:
    there = [(root.name, cell) for root, cell in zip(roots, cells, strict=True) if cell.there is not NEVER]
    return types.record({name: (whole(cell), cell.there is ALWAYS) for name, cell in there})


def _types(items: Mapping[str, Root], roots: Sequence[Root], cells: Sequence[Cell]) -> Mapping[str, tuple[Type, bool]]:
    told = dict(zip(roots, map(whole, cells), strict=True))
    return {key: (told[root], True) for key, root in items.items()}
