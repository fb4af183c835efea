"""What is known of one root at one point: whether it is there and what it holds, and so for each place below it.

Guarantees: every operation is sound: what a cell says holds for each value that the operation can leave. A cell is a
statement about a value, with further ones about fields of it; all of them hold. Places are at most `DEEPEST` deep,
which bounds every recursion here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from wfc.ir import ReducerRef
from wfc.passes import types
from wfc.passes.types import ANYTHING, NOTHING, Type, Verdict, both, either
from wfc.passes.types.forms import made
from wfc.passes.types.shapes import is_closed, objects_of
from wfc.passes.values.roots import Parts
from wfc.records import dataclass, field, replace

ALWAYS, MAYBE, NEVER = Verdict.ALWAYS, Verdict.MAYBE, Verdict.NEVER
TypeOf = Callable[[Parts], Type]
"""The declared type of a place below a root, which holds whenever something is there."""

_OBJECT = types.open_record({})
_INTEGER, _NUMBER = types.of({"type": "integer"}), types.of({"type": "number"})
_NO_OBJECT = types.of({"not": {"type": "object"}})
_MOST_NAMES = 100
_MOST_NARROWED = 24
_MOST_WAYS_NARROWED = 4
_LONGEST = 16


@dataclass(frozen=True, slots=True)
class Cell:
    """Whether a value is there, and of which type it is when it is.

    `fields` say more of what is below, each for a value that is there and an object; `only` are the keys that there can
    be, where that is known beside the type. `origin` is the type before comparisons narrowed it, `narrowed` how often
    they did.
    """

    there: Verdict
    type: Type
    fields: Mapping[str, Cell] = field(default_factory=dict)
    only: frozenset[str] | None = None
    origin: Type | None = None
    narrowed: int = 0


ABSENT = Cell(NEVER, NOTHING)
UNKNOWN = Cell(MAYBE, ANYTHING)


def maybe(cell: Cell) -> Cell:
    """The same where something else may have kept the value from being there."""
    return replace(cell, there=MAYBE) if cell.there is ALWAYS else cell


# Looking below


def below(cell: Cell, name: str) -> Cell:
    """A field of the value, when that is there."""
    found, own = types.field(cell.type, name), cell.fields.get(name)
    if found.container is NEVER and not types.kinds(cell.type):
        # No value is possible here, so that nothing can be missing either.
        return own or Cell(ALWAYS, NOTHING)
    if own is None:
        impossible = cell.only is not None and name not in cell.only and found.presence is MAYBE
        return ABSENT if impossible else Cell(found.presence, found.type)
    return replace(own, there=ALWAYS) if found.presence is ALWAYS else own


def reach(cell: Cell, parts: Sequence[str]) -> Cell:
    """A place below the root: whether it is there, whatever keeps it from that."""
    for part in parts:
        inner = below(cell, part)
        if cell.there is not ALWAYS:
            inner = ABSENT if cell.there is NEVER else maybe(inner)
        cell = inner
    return cell


def whole(cell: Cell) -> Type:
    """The type of the value with all that is known of its fields."""
    if not cell.fields and cell.only is None:
        return cell.type
    known = {
        name: (NOTHING if inner.there is NEVER else whole(inner), inner.there is ALWAYS)
        for name, inner in cell.fields.items()
    }
    if cell.only is not None:
        needed = (name for each in objects_of(cell.type) for name in each.required)
        told = types.record(dict.fromkeys((*sorted(cell.only), *needed), (ANYTHING, False)) | known)
    else:
        told = types.open_record(known)
    if types.is_object(cell.type) is not ALWAYS and not any(inner.there is ALWAYS for inner in cell.fields.values()):
        told = either(told, _NO_OBJECT)
    return both(cell.type, told)


# Learning


def found_there(cell: Cell, parts: Parts, type: Type) -> Cell:
    """After a look, or a comparison, has found a value of a type at a place."""
    if not parts:
        return cell if type is ANYTHING and cell.there is ALWAYS else _narrowed(cell, type)
    way = _way(cell, parts)
    if type is ANYTHING and all(each.there is ALWAYS for each in way):
        return cell
    result = _narrowed(way[-1], type)
    for above, name in zip(reversed(way[:-1]), reversed(parts), strict=True):
        holding = _alternatives(_as_object(above), name, result)
        result = replace(holding, there=ALWAYS, fields={**above.fields, name: result})
    return result


def _narrowed(cell: Cell, type: Type) -> Cell:
    """A value that is there and of a type as well; what was learnt very often before is given up for it."""
    if type is ANYTHING:
        return replace(cell, there=ALWAYS)
    origin = cell.origin or cell.type
    if cell.narrowed < _MOST_NARROWED:
        return Cell(ALWAYS, both(cell.type, type), cell.fields, cell.only, origin, cell.narrowed + 1)
    return Cell(ALWAYS, both(origin, type), cell.fields, cell.only, origin, 1)


def found_missing(cell: Cell, parts: Parts) -> Cell:
    """After a look has found nothing at a place; a place that has to be there stays so, and nothing comes here."""
    way = _way(cell, parts)
    depth = next((depth for depth in reversed(range(len(way))) if way[depth].there is not ALWAYS), None)
    if depth is None or way[depth].there is NEVER:
        return cell
    result = ABSENT
    for above, name in zip(reversed(way[:depth]), reversed(parts[:depth]), strict=True):
        result = replace(_alternatives(above, name, result), fields={**above.fields, name: result})
    return result


def _alternatives(cell: Cell, name: str, inner: Cell) -> Cell:
    """Of several kinds of objects, those in which a field can be as has been found: a tag tells which one it is."""
    atoms = list(objects_of(cell.type)) if name not in cell.fields else []
    if len(atoms) < 2 or types.is_object(cell.type) is not ALWAYS:
        return cell
    fields = [types.field(made(atom), name) for atom in atoms]
    if inner.there is NEVER:
        kept = [atom for atom, found in zip(atoms, fields, strict=True) if found.presence is not ALWAYS]
    else:
        kept = [atom for atom, found in zip(atoms, fields, strict=True) if not types.disjoint(found.type, inner.type)]
    return replace(cell, type=made(*kept)) if 0 < len(kept) < len(atoms) else cell


def _way(cell: Cell, parts: Parts) -> list[Cell]:
    """The cells down to a place, each for a value above that is there."""
    way = [cell]
    for part in parts:
        way.append(below(way[-1], part))
    return way


# Writing


def assigned(cell: Cell, parts: Parts, declared: TypeOf, put: Callable[[Cell], Cell]) -> Cell:
    """After a write to a place; missing parents are created, and `put` says what the place holds then."""
    if not parts:
        return put(cell)
    way = [cell]
    for part in parts:
        way.append(reach(_as_object(way[-1]), (part,)))
    result = put(way[-1])
    for depth in reversed(range(len(parts))):
        above = opened(way[depth], [parts[depth]], declared(parts[:depth]))
        result = replace(above, fields={**above.fields, parts[depth]: result})
    return result


def opened(cell: Cell, written: Iterable[str], declared: Type) -> Cell:
    """The object that some fields are about to be written in, with what is known of all others."""
    cell, fields = _as_object(cell), {}
    for name in _names(cell) if cell.there is not NEVER else ():
        inner, said = reach(cell, (name,)), types.field(declared, name)
        if inner.there is not said.presence or inner.type is not said.type or inner.fields:
            fields[name] = inner
    only = frozenset() if cell.there is NEVER else _only(cell)
    return Cell(ALWAYS, both(declared, _OBJECT), fields, None if only is None else only.union(fields, written))


def _only(cell: Cell) -> frozenset[str] | None:
    """The keys that there can be, where they can be told."""
    if cell.only is not None:
        return cell.only
    objects = list(objects_of(cell.type))
    if not all(is_closed(each) for each in objects):
        return None
    return frozenset(cell.fields).union(*(each.by_name for each in objects))


def _as_object(cell: Cell) -> Cell:
    """The same, if what is there is no object then something has failed."""
    return cell if types.is_object(cell.type) is ALWAYS else replace(cell, type=both(cell.type, _OBJECT))


def _names(cell: Cell) -> Iterable[str]:
    """The fields of which something is known."""
    named = dict.fromkeys((*cell.fields, *(name for each in objects_of(cell.type) for name in each.by_name)))
    return named if len(named) <= _MOST_NAMES else cell.fields


def put(cell: Cell, reducer: ReducerRef, incoming: Type, declared: Type) -> Cell:
    """What a place holds after a write of a value through its reducer."""
    if reducer.name == "wf.std.replace":
        return Cell(ALWAYS, both(declared, incoming))
    found = []
    if cell.there is not NEVER:
        found.append(types.after_reducer(reducer.name, reducer.config, whole(cell), incoming))
    if cell.there is not ALWAYS:
        found.append(types.after_reducer(reducer.name, reducer.config, None, incoming))
    return Cell(ALWAYS, both(declared, _shortened(either(*found))))


def _shortened(type: Type) -> Type:
    """Arrays that are known element by element stay so while they are short."""
    least, _ = types.lengths(type)
    if least <= _LONGEST or types.is_array(type) is not ALWAYS:
        return type
    return types.array_of(types.elements(type), _LONGEST)


# Meeting


def joined(cells: Sequence[Cell]) -> Cell:
    """What holds where one does not know which of the cells does."""
    first, *others = cells
    if all(each is first for each in others):
        return first
    there = types.all_of([each.there for each in cells])
    held = [each for each in cells if each.there is not NEVER]
    if not held:
        return ABSENT
    names = dict.fromkeys(name for each in held for name in each.fields)
    fields = {name: joined([below(each, name) for each in held]) for name in names}
    only = None
    if any(each.only is not None for each in held):
        keys = [_only(each) for each in held]
        only = None if None in keys else frozenset().union(*(each for each in keys if each is not None))
    return _of_types(there, held, fields, only)


def _of_types(there: Verdict, cells: Sequence[Cell], fields: Mapping[str, Cell], only: frozenset[str] | None) -> Cell:
    """Types that were narrowed from one are that one again where they are many, or where one of them is it."""
    distinct = list(dict.fromkeys(each.type for each in cells))
    if len(distinct) == 1:
        return replace(cells[0], there=there, fields=fields, only=only)
    origins = {each.origin or each.type for each in cells}
    origin = origins.pop() if len(origins) == 1 else None
    narrowed = 1 + max(each.narrowed for each in cells)
    if origin is not None and (origin in distinct or narrowed > _MOST_WAYS_NARROWED):
        return Cell(there, origin, fields, only)
    return Cell(there, either(*distinct), fields, only, origin, narrowed if origin is not None else 0)


def widened(before: Cell, now: Cell, wider: Callable[[Type, Parts], Type], parts: Parts = ()) -> Cell:
    """A cell that holds wherever one of two does; of types that have grown what `wider` makes of them."""
    met = joined([before, now])
    if met.type is before.type:
        type = before.type
    else:
        origins = {each.origin or each.type for each in (before, now)}
        type = origins.pop() if len(origins) == 1 else wider(met.type, parts)
    fields = {name: widened(below(before, name), inner, wider, (*parts, name)) for name, inner in met.fields.items()}
    return Cell(met.there, type, fields, met.only)


def loosened(type: Type) -> Type:
    """A type that holds more, for what grows a little each time: arrays of any length, numbers of any size."""
    if types.is_array(type) is ALWAYS:
        return types.array_of(types.elements(type))
    if types.kinds(type) == {"number"}:
        return _INTEGER if types.fits(type, _INTEGER).verdict is ALWAYS else _NUMBER
    return type
