"""Pieces of an atom: by what tells the atoms of another type apart, and the values themselves where they are few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from wfc.passes.types.atoms import atoms_of
from wfc.passes.types.forms import NOTHING, Array, Literals, Number, Object, Ruled, Text, Type, made, written_both_ways
from wfc.passes.types.meets import number
from wfc.passes.types.membership import atom_holds, field_at
from wfc.passes.types.shapes import most_keys
from wfc.records import replace

FEW = 16


def few(atom: Ruled) -> list[Any] | None:
    """All values of an atom, written in all ways, where they are few; none where they are many."""
    values = list(_listed(atom))
    return [value for value in values if atom_holds(atom, value) is not False] if values else None


def _listed(atom: Ruled) -> Iterator[Any]:
    """Values among which all of the atom are, where they are few."""
    match atom:
        case Number(low, _, high) if low is not None and low == high:
            yield from (literal.value for literal in written_both_ways(low))
        case Number(int(low), _, int(high), _, whole) if whole and high - low < FEW:
            yield from (literal.value for each in range(low, high + 1) for literal in written_both_ways(each))
        case Text(_, 0):
            yield ""
        case Array(_, _, _, 0):
            yield []
        case Object() if most_keys(atom) == 0:
            yield {}


def split(atom: Ruled, others: Sequence[Ruled]) -> Sequence[Ruled]:
    """Two or more atoms that together are the atom; none where the others do not tell its values apart."""
    if len(others) < 2:
        return []
    match atom:
        case Number():
            return _split_number(atom, [each for each in others if isinstance(each, Number)])
        case Object():
            return _split_object(atom, [each for each in others if isinstance(each, Object)])
        case Text() | Array():
            return _split_length(atom, [each for each in others if isinstance(each, (Text, Array))])
        case other:
            assert_never(other)


def _split_length(atom: Text | Array, others: Sequence[Text | Array]) -> list[Ruled]:
    limits = [limit for each in others for limit in (each.most, each.least - 1) if limit is not None]
    cut = next((limit for limit in limits if limit >= atom.least and (atom.most is None or limit < atom.most)), None)
    return [] if cut is None else [replace(atom, most=cut), replace(atom, least=cut + 1)]


def _split_number(atom: Number, others: Sequence[Number]) -> list[Number]:
    cuts = [(each.high, each.high_open) for each in others if each.high is not None]
    cuts += [(each.low, not each.low_open) for each in others if each.low is not None]
    for cut, is_open in cuts:
        if (atom.low is not None and cut < atom.low) or (atom.high is not None and cut > atom.high):
            continue
        below = number(atom.low, atom.low_open, cut, is_open, atom.whole, atom.rules)
        above = number(cut, not is_open, atom.high, atom.high_open, atom.whole, atom.rules)
        if below is not None and above is not None:
            return [below, above]
    return []


def _split_object(atom: Object, others: Sequence[Object]) -> list[Object]:
    names = dict.fromkeys(name for each in others for name in (*each.by_name, *each.required))
    for name in names:
        type = field_at(atom, name)
        theirs = [field_at(each, name) for each in others]
        if type is NOTHING:
            continue
        if name not in atom.required:
            if NOTHING in theirs or any(name in each.required for each in others):
                return [_with_field(atom, name, NOTHING), replace(atom, required=(*atom.required, name))]
        elif any(each is not theirs[0] for each in theirs[1:]):
            pieces = _pieces(type)
            if pieces:
                return [_with_field(atom, name, piece) for piece in pieces]
    return []


def _with_field(atom: Object, name: str, type: Type) -> Object:
    fields = {**atom.by_name, name: type}
    return replace(atom, fields=tuple(fields.items()))


def _pieces(type: Type) -> list[Type]:
    """A type by its atoms and few literals; none where there is only one."""
    atoms = atoms_of(type)
    literals = [atom for atom in atoms if isinstance(atom, Literals)]
    if sum(len(each.members) for each in literals) > FEW or len(atoms) > FEW:
        return []
    found = [made(atom) for atom in atoms if not isinstance(atom, Literals)]
    found += [made(Literals((member,), each.loose)) for each in literals for member in each.members]
    return found if len(found) > 1 else []
