"""The atoms of a type: what it means kind by kind, as a union of atoms that together are exactly the type.

Where there would be too many, a part is kept as a test on each value (`Within`) instead of being multiplied out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from wfc.ir import kind_of
from wfc.passes.types.forms import (
    CONSTANTS,
    ENDLESS,
    EVERY,
    KINDS,
    NOTHING,
    Atom,
    Complement,
    Literal,
    Literals,
    Made,
    Meet,
    Not,
    Object,
    Place,
    Type,
    Union,
    Within,
)
from wfc.passes.types.lowering import lowered
from wfc.passes.types.meets import meet, tested, with_rule
from wfc.passes.types.membership import holds

MOST_ATOMS = 200
MOST_PAIRS = 2000


def atoms_of(type: Type) -> tuple[Atom, ...]:
    """The atoms of a type, worked out once."""
    if not type.memo:
        _work_out(type)
    return type.memo[0]


def _work_out(type: Type) -> None:
    stack = [(type, _parts(type))]
    open_: set[Type] = set()
    while stack:
        top, parts = stack[-1]
        waiting = [part for part in parts if not part.memo]
        if top.memo or not waiting:
            stack.pop()
            if not top.memo:
                top.memo.append(_combined(top, parts))
        elif top in open_:
            # The schema leads back to itself without going deeper into a value; only the judge can tell.
            top.memo.append(tuple(each for atom in EVERY for each in tested(atom, top)))
        else:
            open_.add(top)
            stack += ((part, _parts(part)) for part in waiting)


def _parts(type: Type) -> tuple[Type, ...]:
    """The types about the same value out of which a type is made."""
    form = type.form
    if isinstance(form, Place):
        return (lowered(type, form),)
    return () if isinstance(form, Made) else form.parts


def _combined(type: Type, parts: tuple[Type, ...]) -> tuple[Atom, ...]:
    match type.form:
        case Place():
            return parts[0].memo[0]
        case Made(atoms):
            return atoms
        case Meet():
            return _product(parts)
        case Union():
            return _union(type, [atom for part in parts for atom in part.memo[0]])
        case Complement():
            return tuple(_others(parts))
        case other:
            assert_never(other)


def _product(parts: tuple[Type, ...]) -> tuple[Atom, ...]:
    """What all parts have in common; a part that would make too many atoms is left as a test."""
    first, *others = sorted(parts, key=lambda part: len(part.memo[0]))
    atoms = first.memo[0]
    for part in others:
        met: tuple[Atom, ...] = ()
        if len(atoms) * len(part.memo[0]) <= MOST_PAIRS:
            pairs = (meet(one, other) for one in atoms for other in part.memo[0])
            met = _merged(atom for atom in pairs if atom is not None)
            if not met:
                return ()
        atoms = met if 0 < len(met) <= MOST_ATOMS else tuple(each for atom in atoms for each in tested(atom, part))
    return atoms


def _union(type: Type, found: Iterable[Atom]) -> tuple[Atom, ...]:
    """All atoms of the parts; where there are too many, one a kind."""
    atoms = _merged(found)
    if len(atoms) <= MOST_ATOMS:
        return atoms
    literals = [atom for atom in atoms if isinstance(atom, Literals)]
    present = {atom.__class__ for atom in atoms}
    return (*literals, *(with_rule(atom, Within(type)) for atom in ENDLESS if atom.__class__ in present))


def _merged(found: Iterable[Atom]) -> tuple[Atom, ...]:
    """Literals gathered in one atom, and no atom beside one that is all of its kind."""
    atoms = dict.fromkeys(found)
    literals: dict[bool, dict[Literal, None]] = {}
    for atom in atoms:
        if isinstance(atom, Literals):
            literals.setdefault(atom.loose, {}).update(dict.fromkeys(atom.members))
    # An object that a schema mentions nothing of is kept beside others: what is listed in them is to be told.
    whole = {atom.__class__ for atom in ENDLESS if atom in atoms and not isinstance(atom, Object)}
    gathered = [Literals(tuple(members), loose) for loose, members in literals.items()]
    others = [atom for atom in atoms if not isinstance(atom, Literals)]
    return (*gathered, *(atom for atom in others if atom.__class__ not in whole or atom in EVERY))


def _others(parts: tuple[Type, ...]) -> Iterator[Atom]:
    """The values of none of the parts, kind by kind."""
    kept = [member for member in CONSTANTS.members if not any(holds(part, member.value) for part in parts)]
    if kept:
        yield Literals(tuple(kept))
    for atom in ENDLESS:
        about = [part for part in parts if _speaks_of(part, KINDS[atom.__class__])]
        if any(atom in part.memo[0] for part in about):
            continue
        forbidden = _only_required(about) if isinstance(atom, Object) else None
        if forbidden is not None:
            yield Object(fields=((forbidden, NOTHING),))
        else:
            yield with_rule(atom, Not(tuple(about))) if about else atom


def _speaks_of(part: Type, kind: str) -> bool:
    return any(
        any(kind_of(member.value) == kind for member in atom.members)
        if isinstance(atom, Literals)
        else KINDS[atom.__class__] == kind
        for atom in part.memo[0]
    )


def _only_required(about: list[Type]) -> str | None:
    """The key without which alone an object is none of the one type."""
    if len(about) != 1:
        return None
    objects = [atom for atom in about[0].memo[0] if isinstance(atom, (Object, Literals))]
    found = next((atom for atom in objects if isinstance(atom, Object)), None)
    if found is None or any(isinstance(atom, Literals) and _has_objects(atom) for atom in objects):
        return None
    plain = found == Object(required=found.required) and sum(isinstance(atom, Object) for atom in objects) == 1
    return found.required[0] if plain and len(found.required) == 1 else None


def _has_objects(atom: Literals) -> bool:
    return any(isinstance(member.value, dict) for member in atom.members)
