"""Types: sets of JSON values, written as places in schemas and as unions and intersections of other types.

A form that is made twice is one object, so that types are compared by identity and recursion in them can be noticed.
What a form means kind by kind, its atoms, is worked out when it is first asked for (`atoms_of`) and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any, assert_never
from weakref import WeakValueDictionary

from wfc.ir import canonical
from wfc.passes.types.roots import Root
from wfc.records import dataclass, field


@dataclass(frozen=True, eq=False, repr=False)
class Type:
    """A set of JSON values. `strict` tells that it may hold `1` without holding `1.0`, as in draft 4."""

    form: Form
    strict: bool
    memo: list[tuple[Atom, ...]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Place:
    """The values that the schema at a JSON pointer of a root admits."""

    root: Root
    at: str


@dataclass(frozen=True, slots=True)
class Meet:
    """The values of all parts."""

    parts: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Union:
    """The values of any part."""

    parts: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Complement:
    """The values of none of the parts."""

    parts: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """The values of any of the atoms."""

    atoms: tuple[Atom, ...]


Form = Place | Meet | Union | Complement | Made


@dataclass(frozen=True, slots=True)
class Literal:
    """One JSON value as it is written: `1` and `1.0` are two. `text` is its canonical text."""

    text: str
    value: Any = field(compare=False)

    @classmethod
    def of(cls, value: Any) -> Literal:
        return cls(canonical(value), value)


def written_both_ways(value: Any) -> list[Literal]:
    """The literals that stand for a value: a whole number as an integer and as a double."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return [Literal.of(value)]
    if isinstance(value, float):
        return [Literal.of(value), *([Literal.of(int(value))] if value.is_integer() else [])]
    try:
        double = float(value)
    except OverflowError:
        return [Literal.of(value)]
    return [Literal.of(value), *([Literal.of(double)] if double == value else [])]


@dataclass(frozen=True, slots=True)
class Literals:
    """Some values, the nulls and booleans of a type always among them.

    `loose` tells that they stand for every value that is JSON-equal to them; a number by itself is then listed in both
    ways of writing it.
    """

    members: tuple[Literal, ...]
    loose: bool = True


@dataclass(frozen=True, slots=True)
class Number:
    """Numbers between bounds. `whole`: 0 for any, 1 for those without a fraction, 2 for those written without one."""

    low: int | float | None = None
    low_open: bool = False
    high: int | float | None = None
    high_open: bool = False
    whole: int = 0
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """Strings between two lengths in code points."""

    least: int = 0
    most: int | None = None
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Array:
    """Arrays: `prefix` types their first elements, `rest` the further ones."""

    prefix: tuple[Type, ...]
    rest: Type
    least: int = 0
    most: int | None = None
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Further:
    """What a key that is no field may hold: a value of each pattern that it matches, else one of `rest`."""

    patterns: tuple[tuple[str, Type], ...]
    rest: Type


@dataclass(frozen=True, slots=True)
class Object:
    """Objects. `fields` are the keys that have a type of their own; every other one follows all of `further`.

    `listed` are the keys that a schema mentions as properties, and none where it mentions no properties at all;
    `explicit` tells that it says something about further keys (reference 2.3.5).
    """

    fields: tuple[tuple[str, Type], ...] = ()
    required: tuple[str, ...] = ()
    further: tuple[Further, ...] = ()
    least: int = 0
    most: int | None = None
    rules: tuple[Rule, ...] = ()
    listed: frozenset[str] | None = None
    explicit: bool = False
    by_name: Mapping[str, Type] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", dict(self.fields))


Ruled = Number | Text | Array | Object
"""The atoms of endless kinds, which rules narrow further."""
Atom = Literals | Ruled


@dataclass(frozen=True, slots=True)
class Pattern:
    """Strings in which an expression of ECMA-262 finds something."""

    expression: str


@dataclass(frozen=True, slots=True)
class Multiple:
    """Numbers that a number divides."""

    of: int | float


def in_short(number: int | float) -> int | float:
    """A bound as an integer where it is one, so that what is equal is also written alike."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


@dataclass(frozen=True, slots=True)
class Unique:
    """Arrays in which no two elements are equal."""


@dataclass(frozen=True, slots=True)
class Contains:
    """Arrays with so many elements of a type."""

    item: Type
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Names:
    """Objects whose keys are all of a type."""

    key: Type


@dataclass(frozen=True, slots=True)
class Not:
    """Values of none of the types."""

    types: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """Values that a type holds, by the verdict on each: what it says is not told by structure."""

    type: Type


Rule = Pattern | Multiple | Unique | Contains | Names | Not | Within

_TYPES: WeakValueDictionary[Form, Type] = WeakValueDictionary()
_MAKING = Lock()


def type_of(form: Form) -> Type:
    """The type of a form; the same object while one exists."""
    found = _TYPES.get(form)
    if found is not None:
        return found
    with _MAKING:
        return _TYPES.setdefault(form, Type(form, _strict(form)))


def _strict(form: Form) -> bool:
    match form:
        case Place(root):
            return root.draft == 4
        case Meet(parts) | Union(parts) | Complement(parts):
            return any(part.strict for part in parts)
        case Made(atoms):
            return any(_strict_atom(atom) for atom in atoms)
        case other:
            assert_never(other)


def _strict_atom(atom: Atom) -> bool:
    match atom:
        case Literals(_, loose):
            return not loose
        case Number():
            return atom.whole == 2
        case Array():
            return atom.rest.strict or any(item.strict for item in atom.prefix)
        case Object():
            inside = [*atom.by_name.values(), *(further.rest for further in atom.further)]
            return any(item.strict for item in inside)
        case Text():
            return False


NULL, FALSE, TRUE = Literal.of(None), Literal.of(False), Literal.of(True)


def made(*atoms: Atom) -> Type:
    return type_of(Made(atoms))


NOTHING = made()
ANYTHING = type_of(Complement(()))


def either(*types: Type) -> Type:
    """The values of any of the types."""
    parts: dict[Type, None] = {}
    for each in types:
        if each is ANYTHING:
            return ANYTHING
        if each is not NOTHING:
            parts.update(dict.fromkeys(each.form.parts if isinstance(each.form, Union) else (each,)))
    if len(parts) < 2:
        return next(iter(parts), NOTHING)
    return type_of(Union(tuple(parts)))


def both(*types: Type) -> Type:
    """The values of all of the types."""
    parts: dict[Type, None] = {}
    for each in types:
        if each is NOTHING:
            return NOTHING
        if each is not ANYTHING:
            parts.update(dict.fromkeys(each.form.parts if isinstance(each.form, Meet) else (each,)))
    if len(parts) < 2:
        return next(iter(parts), ANYTHING)
    return type_of(Meet(tuple(parts)))


def none_of(types: Iterable[Type]) -> Type:
    """The values of none of the types."""
    return type_of(Complement(tuple(dict.fromkeys(each for each in types if each is not NOTHING))))


# All values, kind by kind; nulls and booleans are so few that they are listed.
CONSTANTS = Literals((NULL, FALSE, TRUE))
ENDLESS: tuple[Ruled, ...] = (Number(), Text(), Array((), ANYTHING), Object())
EVERY: tuple[Atom, ...] = (CONSTANTS, *ENDLESS)
KINDS: Mapping[type[Atom], str] = {Number: "number", Text: "string", Array: "array", Object: "object"}
