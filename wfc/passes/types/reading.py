"""What reading inside a value gives: the type of a field, of a path and of elements, and how sure it is to be there.

Types and bounds given here hold for every value that can be read; they may hold more.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal as OneOf

from wfc.ir import Kept, Schema, kept_keys, kind_of
from wfc.passes.types.atoms import atoms_of
from wfc.passes.types.fitting import Verdict, is_empty
from wfc.passes.types.forms import (
    ANYTHING,
    EVERY,
    KINDS,
    NOTHING,
    Array,
    Atom,
    Further,
    Literals,
    Object,
    Type,
    both,
    either,
    made,
)
from wfc.passes.types.lowering import of
from wfc.passes.types.making import listing
from wfc.passes.types.membership import field_at
from wfc.passes.types.roots import matches
from wfc.passes.types.shapes import possible_items
from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """What reading one key of a value gives.

    `type` is that of the value where the key is there, `presence` whether it is, `container` whether the value that is
    read from is an object. `listed` tells that a schema mentions the key as a property. `further` is what is said of
    keys that are not: none can be there (closed), nothing although properties are listed (silent: what a node returns
    there is not handed on), or they are admitted (open).
    """

    type: Type
    presence: Verdict
    container: Verdict
    listed: bool
    further: OneOf["closed", "silent", "open"]


@dataclass(frozen=True, slots=True)
class Reached:
    """What reading a path gives: the last value's type, and whether it is there.

    `fields` are the readings key by key, up to the first that never gives a value. `failing` is the index of that one,
    or else of the first that perhaps gives none; none where the value is surely there. `through` tells that it fails,
    or may fail, because what is read from is no object.
    """

    type: Type
    presence: Verdict
    fields: tuple[Field, ...]
    failing: int | None = None
    through: bool = False


@lru_cache(maxsize=65536)
def field(type: Type, name: str) -> Field:
    """What reading a key of a value of the type gives."""
    objects: list[Object] = []
    types: list[Type] = []
    presences: list[Verdict] = []
    others = False
    for atom in present_atoms(type):
        if isinstance(atom, Object):
            objects.append(atom)
            types.append(_without_empty(field_at(atom, name)))
            presences.append(_presence(atom, name, types[-1]))
        elif isinstance(atom, Literals):
            holders = [member.value for member in atom.members if isinstance(member.value, dict)]
            others = others or len(holders) < len(atom.members)
            types.append(listing((value[name] for value in holders if name in value), loose=atom.loose))
            presences += [Verdict.ALWAYS if name in value else Verdict.NEVER for value in holders]
        else:
            others = True
    held = all_of(presences) if presences else Verdict.NEVER
    container = Verdict.NEVER if not presences else Verdict.MAYBE if others else Verdict.ALWAYS
    presence = Verdict.MAYBE if others and held is Verdict.ALWAYS else held
    listed = any(_lists(atom, name) for atom in objects)
    return Field(either(*types), presence, container, listed, _further(objects))


def all_of(verdicts: Sequence[Verdict]) -> Verdict:
    """What holds of a value for which one of the verdicts holds, one does not know which."""
    return verdicts[0] if len(set(verdicts)) == 1 else Verdict.MAYBE


def present_atoms(type: Type) -> tuple[Atom, ...]:
    """The atoms of a type that may have a value."""
    return tuple(atom for atom in atoms_of(type) if not isinstance(atom, (Array, Object)) or not is_empty(made(atom)))


def _without_empty(type: Type) -> Type:
    return NOTHING if is_empty(type) else type


def _presence(atom: Object, name: str, type: Type) -> Verdict:
    if name in atom.required:
        return Verdict.ALWAYS
    return Verdict.NEVER if type is NOTHING else Verdict.MAYBE


def _lists(atom: Object, name: str) -> bool:
    patterns = [pattern for further in atom.further for pattern, _ in further.patterns]
    return name in (atom.listed or ()) or any(matches(pattern, name) for pattern in patterns)


def _further(objects: list[Object]) -> OneOf["closed", "silent", "open"]:
    if all(any(further.rest is NOTHING for further in atom.further) for atom in objects):
        return "closed"
    listing = any(atom.listed is not None for atom in objects)
    return "silent" if listing and not any(atom.explicit for atom in objects) else "open"


def at(type: Type, parts: Sequence[str]) -> Reached:
    """What reading a path inside a value of the type gives; the path without parts is the value itself."""
    fields: list[Field] = []
    failing: int | None = None
    for index, part in enumerate(parts):
        found = field(type, part)
        fields.append(found)
        if found.presence is Verdict.NEVER:
            return Reached(NOTHING, Verdict.NEVER, tuple(fields), index, found.container is Verdict.NEVER)
        if found.presence is Verdict.MAYBE and failing is None:
            failing = index
        type = found.type
    if failing is None:
        return Reached(type, Verdict.ALWAYS, tuple(fields))
    return Reached(type, Verdict.MAYBE, tuple(fields), failing, fields[failing].container is not Verdict.ALWAYS)


@lru_cache(maxsize=65536)
def kinds(type: Type) -> frozenset[str]:
    """The JSON kinds that values of the type can have: null, boolean, number, string, array, object."""
    found: set[str] = set()
    for atom in present_atoms(type):
        literals = atom.members if isinstance(atom, Literals) else ()
        found.update([kind_of(each.value) for each in literals] or [KINDS[atom.__class__]])
    return frozenset(found)


def is_array(type: Type) -> Verdict:
    return _is_kind(type, "array")


def is_object(type: Type) -> Verdict:
    return _is_kind(type, "object")


def _is_kind(type: Type, kind: str) -> Verdict:
    found = kinds(type)
    if kind not in found and found:
        return Verdict.NEVER
    return Verdict.ALWAYS if found <= {kind} else Verdict.MAYBE


@lru_cache(maxsize=65536)
def elements(type: Type) -> Type:
    """The type of every element of the arrays of a type."""
    types: list[Type] = []
    for atom in present_atoms(type):
        if isinstance(atom, Array):
            types += possible_items(atom)
        elif isinstance(atom, Literals):
            arrays = [each.value for each in atom.members if isinstance(each.value, list)]
            types.append(listing((item for array in arrays for item in array), loose=atom.loose))
    return either(*types)


@lru_cache(maxsize=65536)
def lengths(type: Type) -> tuple[int, int | None]:
    """The least and the largest number of elements of the arrays of a type; no limit is none."""
    limits: list[tuple[int, int | None]] = []
    for atom in present_atoms(type):
        if isinstance(atom, Array):
            limits.append((atom.least, atom.most))
        elif isinstance(atom, Literals):
            limits += [(len(each.value), len(each.value)) for each in atom.members if isinstance(each.value, list)]
    largest = [most for _, most in limits]
    most = None if None in largest else max((most for most in largest if most is not None), default=0)
    return min((least for least, _ in limits), default=0), most


def kept(schema: Schema) -> Type:
    """What a node's output is after the split of reference 2.3.5: its undeclared top-level keys are gone."""
    found: Kept | None = kept_keys(schema.value)
    if found is None:
        return of(schema)
    patterns = tuple((pattern, ANYTHING) for pattern in found.patterns)
    fields = tuple((name, ANYTHING) for name in sorted(found.names))
    closing = Object(fields, further=(Further(patterns, NOTHING),), listed=found.names)
    return both(of(schema), made(*EVERY[:-1], closing))
