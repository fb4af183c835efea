"""What a root holds after a barrier: the lineages that met there handed on what they wrote (reference 2.6).

Guarantees: a place that one lineage alone writes is as that lineage left it; one that several add to through a reducer
is of the type that any number of additions gives; where exclusive writes meet, the run has failed, and nothing is
promised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from wfc.passes import types
from wfc.passes.types import Type, both, either
from wfc.passes.values.cells import ALWAYS, MAYBE, NEVER, Cell, TypeOf, joined, loosened, opened, reach
from wfc.passes.values.points import Assign
from wfc.passes.values.roots import Parts
from wfc.records import dataclass, field, replace

_MOST_ADDED = 16
_ROUNDS = 2


@dataclass(slots=True)
class Written:
    """The places at and below one place that lineages write: `here` the writes of the place itself."""

    here: list[Assign] = field(default_factory=list)
    below: dict[str, Written] = field(default_factory=dict)

    def at(self, parts: Parts) -> Written:
        """The part of this for a place, made where there is none."""
        found = self
        for part in parts:
            found = found.below.setdefault(part, Written())
        return found


Locals = Mapping[str, "Locals"]
"""The places below one place that are local to a lineage, as a tree; one without further names is local itself."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """What one lineage left; `certain` tells that it always takes part, `wrote` what it hands on."""

    cell: Cell
    certain: bool
    wrote: Written | None

    def inside(self, name: str) -> Lineage:
        wrote = None if self.wrote is None else self.wrote.below.get(name)
        return Lineage(reach(self.cell, (name,)), self.certain, wrote)


@dataclass(frozen=True, slots=True)
class Merge:
    """How places are merged: their declared types, and the types that writes bring."""

    declared: TypeOf
    incoming: Callable[[Assign], Type]

    def merged(self, entry: Cell, lineages: Sequence[Lineage], local: Locals | None, parts: Parts = ()) -> Cell:
        """What a place holds after the barrier; `entry` is what it held when the lineages began."""
        if local is not None and not local:
            return entry
        writing = [each for each in lineages if each.wrote is not None]
        if not writing:
            return entry if local else _as_seen(entry, [each.cell for each in lineages if each.certain])
        if len(writing) == 1 and not local:
            return writing[0].cell if writing[0].certain else joined([entry, writing[0].cell])
        if any(each.wrote is not None and each.wrote.here for each in writing):
            return self._written_here(entry, writing, parts)
        return self._written_below(entry, lineages, local or {}, parts)

    def _written_here(self, entry: Cell, writing: Sequence[Lineage], parts: Parts) -> Cell:
        certain = [each.cell for each in writing if each.certain]
        found = joined([each.cell for each in writing] + ([] if certain else [entry]))
        there = ALWAYS if any(cell.there is ALWAYS for cell in certain) else found.there
        assigns = [assign for each in writing if each.wrote is not None for assign in each.wrote.here]
        if not all(assign.exact for assign in assigns):
            return Cell(there, self.declared(parts))
        if all(assign.write.replaces for assign in assigns):
            return Cell(there, found.type, found.fields, found.only)
        return Cell(there, self._added(either(found.type, entry.type), assigns, parts))

    def _added(self, held: Type, assigns: Sequence[Assign], parts: Parts) -> Type:
        """The type after any number of additions; the declared one where it does not come to rest soon."""
        declared = self.declared(parts)
        if len(assigns) > _MOST_ADDED:
            return declared
        for _ in range(_ROUNDS):
            before = held
            for assign in assigns:
                reducer = assign.write.reducer
                after = types.after_reducer(reducer.name, reducer.config, held, self.incoming(assign))
                held = held if types.fits(after, held).verdict is ALWAYS else loosened(either(held, after))
            if held is before:
                return both(declared, held)
        return declared

    def _written_below(self, entry: Cell, lineages: Sequence[Lineage], local: Locals, parts: Parts) -> Cell:
        names = dict.fromkeys(name for each in lineages if each.wrote is not None for name in each.wrote.below)
        found = opened(entry, names, self.declared(parts))
        fields = dict(found.fields)
        for name in (*names, *(name for name in local if name not in names)):
            begun = reach(entry, (name,))
            inside = [each.inside(name) for each in lineages]
            fields[name] = self.merged(begun, inside, local.get(name), (*parts, name))
        there = _object_there(entry, lineages, [fields[name] for name in names])
        result = Cell(there, found.type, fields, found.only)
        if entry.there is NEVER or types.is_object(entry.type) is ALWAYS or (not local and _makes_object(lineages)):
            return result
        return replace(joined([result, entry]), there=there)


def _as_seen(entry: Cell, seen: Sequence[Cell]) -> Cell:
    """What nobody writes is as before; what a lineage that always takes part has learnt of it still holds."""
    return next((cell for cell in seen if cell.there is not MAYBE), seen[0] if seen else entry)


def _makes_object(lineages: Sequence[Lineage]) -> bool:
    """Whether one of the lineages surely leaves an object."""
    sure = [each.cell for each in lineages if each.certain and each.wrote is not None]
    return any(cell.there is ALWAYS and types.is_object(cell.type) is ALWAYS for cell in sure)


def _object_there(entry: Cell, lineages: Sequence[Lineage], written: Sequence[Cell]) -> types.Verdict:
    """Whether the object is there in which something was written; local writes do not leave it behind."""
    if any(cell.there is ALWAYS for cell in (entry, *written)):
        return ALWAYS
    writing = [each.cell for each in lineages if each.wrote is not None]
    return NEVER if all(cell.there is NEVER for cell in (entry, *writing)) else MAYBE
