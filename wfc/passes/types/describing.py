"""Types in a few words, for messages: `string`, `integer or null`, `"a" | "b"`, `object with name, age?`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, assert_never

from wfc.ir import canonical, equal
from wfc.passes.types.atoms import atoms_of
from wfc.passes.types.forms import (
    ANYTHING,
    EVERY,
    NOTHING,
    Array,
    Literals,
    Number,
    Object,
    Pattern,
    Text,
    Type,
    either,
)
from wfc.passes.types.reading import present_atoms
from wfc.passes.types.shapes import possible_items

_MOST = 5
_LONGEST = 40
_LEVELS = 3


@lru_cache(maxsize=4096)
def describe(type: Type) -> str:
    """A type in a few words; what they leave out they do not deny."""
    return _described(type, _LEVELS)


def _described(type: Type, levels: int) -> str:
    """Of arrays in arrays only so many levels are told, so that recursion in a type ends."""
    if type is ANYTHING or set(EVERY) <= set(atoms_of(type)):
        return "any value"
    atoms = present_atoms(type)
    values = [member.value for atom in atoms if isinstance(atom, Literals) for member in atom.members]
    words = [_atom(atom, levels) for atom in atoms if not isinstance(atom, Literals)] + _literals(values)
    return " or ".join(dict.fromkeys(words)) if words else "nothing"


def _literals(values: list[Any]) -> list[str]:
    different: list[Any] = []
    for value in values[: 4 * _MOST]:
        if not any(equal(value, other) for other in different):
            different.append(value)
    if all(value is None or isinstance(value, bool) for value in different):
        both = True in different and False in different
        words = ["boolean"] if both else [canonical(value) for value in different if value is not None]
        return words + ["null"] * (None in different)
    different.sort(key=lambda value: value is None)
    shown = [_shortened(canonical(value)) for value in different[:_MOST]]
    return [" | ".join(shown + ["…"] * (len(different) > _MOST))]


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _atom(atom: Number | Text | Array | Object, levels: int) -> str:
    match atom:
        case Number():
            return _number(atom)
        case Text(least, most, rules):
            patterns = [f"matching {rule.expression}" for rule in rules if isinstance(rule, Pattern)]
            return " ".join([_sized("string", "characters", least, most), *patterns])
        case Array(_, _, least, most):
            item = either(*possible_items(atom))
            if item is ANYTHING or item is NOTHING or not levels:
                return _sized("array", "elements", least, most)
            inside = _described(item, levels - 1)
            return _sized(f"array of ({inside})" if " or " in inside else f"array of {inside}", "elements", least, most)
        case Object():
            return _object(atom)
        case other:
            assert_never(other)


def _number(atom: Number) -> str:
    word = "integer" if atom.whole else "number"
    below, above = "<" if atom.high_open else "<=", ">" if atom.low_open else ">="
    bounds = [f"{above} {atom.low}"] if atom.low is not None else []
    bounds += [f"{below} {atom.high}"] if atom.high is not None else []
    return " ".join([word, " and ".join(bounds)]).rstrip()


def _sized(word: str, unit: str, least: int, most: int | None) -> str:
    if least == 1 and most is None:
        return f"non-empty {word}"
    if most is None:
        return f"{word} of at least {least} {unit}" if least else word
    return f"{word} of {least} to {most} {unit}" if least != most else f"{word} of {most} {unit}"


def _object(atom: Object) -> str:
    """Required keys first: the order in which a schema lists its properties means nothing."""
    optional = [f"{name}?" for name, type in atom.fields if name not in atom.required and type is not NOTHING]
    names = [*sorted(atom.required), *optional]
    if not names:
        return "object"
    return "object with " + ", ".join(names[:_MOST] + ["…"] * (len(names) > _MOST))
