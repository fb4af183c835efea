"""Whether a type holds a value: by the verdict of jsonschema-rs where the type is a schema, else part by part.

The answer is none where there is no verdict (see `roots`). Nothing here asks for the atoms of a type, so that working
them out may ask this. Types and values may be as deep as they like.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, assert_never

from wfc.ir import canonical, equal, kind_of
from wfc.passes.types.forms import (
    KINDS,
    Array,
    Atom,
    Complement,
    Contains,
    Literals,
    Made,
    Meet,
    Multiple,
    Names,
    Not,
    Number,
    Object,
    Pattern,
    Place,
    Rule,
    Ruled,
    Type,
    Union,
    Unique,
    Within,
    both,
)
from wfc.passes.types.roots import accepts, keyword, matches

Answer = bool | None
Asking = Generator[tuple[Type, Any], Answer, Answer]


def holds(type: Type, value: Any) -> Answer:
    """Whether the value is one of the type's."""
    if isinstance(type.form, Place):
        return accepts(type.form.root, type.form.at, value)
    return _answered(_in_form(type, value))


def atom_holds(atom: Atom, value: Any) -> Answer:
    """Whether the value is one of the atom's."""
    return _answered(_in_atom(atom, value))


def _answered(asking: Asking) -> Answer:
    """The answer of a question that asks further ones, whatever their depth."""
    stack, answer = [asking], None
    while stack:
        try:
            type, value = stack[-1].send(answer)
        except StopIteration as done:
            stack.pop()
            answer = done.value
            continue
        if isinstance(type.form, Place):
            answer = accepts(type.form.root, type.form.at, value)
        else:
            stack.append(_in_form(type, value))
            answer = None
    return answer


def _in_form(type: Type, value: Any) -> Asking:
    match type.form:
        case Place():
            return (yield type, value)
        case Meet(parts):
            return (yield from _all((part, value) for part in parts))
        case Union(parts):
            return (yield from _any((part, value) for part in parts))
        case Complement(parts):
            return _opposite((yield from _any((part, value) for part in parts)))
        case Made(atoms):
            return (yield from _in_atoms(atoms, value))
        case other:
            assert_never(other)


def _in_atoms(atoms: Iterable[Atom], value: Any) -> Asking:
    found: Answer = False
    for atom in atoms:
        answer = yield from _in_atom(atom, value)
        if answer:
            return True
        found = None if answer is None else found
    return found


def _all(questions: Iterable[tuple[Type, Any]]) -> Asking:
    found: Answer = True
    for question in questions:
        answer = yield question
        if answer is False:
            return False
        found = None if answer is None else found
    return found


def _any(questions: Iterable[tuple[Type, Any]]) -> Asking:
    found: Answer = False
    for question in questions:
        answer = yield question
        if answer:
            return True
        found = None if answer is None else found
    return found


def _opposite(answer: Answer) -> Answer:
    return None if answer is None else not answer


def _in_atom(atom: Atom, value: Any) -> Asking:
    if isinstance(atom, Literals):
        return _listed(atom, value)
    if KINDS[type(atom)] != kind_of(value) or not _measures(atom, value):
        return False
    if isinstance(atom, Array):
        inside = yield from _all((element_at(atom, index), item) for index, item in enumerate(value))
    elif isinstance(atom, Object):
        inside = yield from _all((field_at(atom, name), item) for name, item in value.items())
    else:
        inside = True
    for rule in atom.rules if inside is not False else ():
        answer = yield from _keeps(rule, value)
        if answer is False:
            return False
        inside = None if answer is None else inside
    return inside


def _listed(atom: Literals, value: Any) -> bool:
    if not atom.loose:
        written = canonical(value)
        return any(member.text == written for member in atom.members)
    number = kind_of(value) == "number"
    return any(
        equal(member.value, value) and (not number or isinstance(member.value, int) is isinstance(value, int))
        for member in atom.members
    )


def _measures(atom: Ruled, value: Any) -> bool:
    """Whether bounds, lengths and required keys are kept by a value of the atom's kind."""
    if isinstance(atom, Number):
        return within_bounds(atom, value) and is_whole(value) >= atom.whole
    if len(value) < atom.least or (atom.most is not None and len(value) > atom.most):
        return False
    return not isinstance(atom, Object) or all(name in value for name in atom.required)


def is_whole(value: int | float) -> int:
    """0 for a number with a fraction, 1 for one without, 2 for one that is written without."""
    return 2 if isinstance(value, int) else int(value.is_integer())


def within_bounds(atom: Number, value: int | float) -> bool:
    if atom.low is not None and (value < atom.low or (atom.low_open and value == atom.low)):
        return False
    return atom.high is None or not (value > atom.high or (atom.high_open and value == atom.high))


def element_at(array: Array, index: int) -> Type:
    """The type of an element."""
    return array.prefix[index] if index < len(array.prefix) else array.rest


def field_at(object: Object, name: str) -> Type:
    """The type that the value of a key has, where the key is there."""
    found = object.by_name.get(name)
    if found is not None:
        return found
    types: list[Type] = []
    for further in object.further:
        matched = [inner for pattern, inner in further.patterns if matches(pattern, name)]
        types += matched or [further.rest]
    return both(*types)


def _keeps(rule: Rule, value: Any) -> Asking:
    match rule:
        case Pattern(expression):
            return matches(expression, value)
        case Multiple(of):
            return accepts(keyword("multipleOf", of), "", value)
        case Unique():
            return accepts(keyword("uniqueItems", True), "", value)
        case Contains():
            return (yield from _counted(rule, value))
        case Names(key):
            return (yield from _all((key, name) for name in value))
        case Not(types):
            return _opposite((yield from _any((inner, value) for inner in types)))
        case Within(inner):
            return (yield inner, value)
        case other:
            assert_never(other)


def _counted(rule: Contains, value: list[Any]) -> Asking:
    sure, possible = 0, 0
    for item in value:
        answer = yield rule.item, item
        sure += answer is True
        possible += answer is not False
    if possible < rule.least or (rule.most is not None and sure > rule.most):
        return False
    return True if sure >= rule.least and (rule.most is None or possible <= rule.most) else None
