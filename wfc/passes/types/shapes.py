"""The arrays and objects of a type as atoms, literal ones among them, and what can stand in them."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.passes.types.atoms import atoms_of
from wfc.passes.types.forms import NOTHING, Array, Further, Literals, Names, Object, Type, both, either
from wfc.passes.types.making import listing
from wfc.passes.types.meets import listed_in
from wfc.passes.types.membership import field_at

_MOST_LISTED = 32


def possible_items(atom: Array) -> tuple[Type, ...]:
    """The types of all elements that there can be."""
    most = len(atom.prefix) + 1 if atom.most is None else atom.most
    return (*atom.prefix[:most], *((atom.rest,) if most > len(atom.prefix) else ()))


def is_closed(atom: Object) -> bool:
    """Whether objects have no other keys than the fields."""
    return any(not further.patterns and further.rest is NOTHING for further in atom.further)


def most_keys(atom: Object) -> int | None:
    """The largest number of keys that an object can have."""
    if not is_closed(atom):
        return atom.most
    named = sum(type is not NOTHING for type in atom.by_name.values())
    return named if atom.most is None else min(named, atom.most)


def further_type(atom: Object, besides: frozenset[str] = frozenset()) -> Type:
    """What a key may hold that is no field and matches none of some patterns."""
    return both(*(any_further(each, besides) for each in atom.further))


def any_further(further: Further, besides: frozenset[str] = frozenset()) -> Type:
    """What one of the tests for such keys lets them hold."""
    return either(further.rest, *(type for pattern, type in further.patterns if pattern not in besides))


def arrays_of(type: Type) -> Iterator[Array]:
    """The arrays of a type; a short literal one has the types of its elements one by one."""
    for atom in atoms_of(type):
        if isinstance(atom, Array):
            yield atom
        elif isinstance(atom, Literals):
            found = [each.value for each in atom.members if isinstance(each.value, list)]
            yield from (_literal_array(value, atom.loose) for value in found)


def _literal_array(value: list[object], loose: bool) -> Array:
    size = len(value)
    if size > _MOST_LISTED:
        return Array((), listing(value, loose=loose), size, size)
    return Array(tuple(listing([item], loose=loose) for item in value), NOTHING, size, size)


def objects_of(type: Type) -> Iterator[Object]:
    """The objects of a type; a literal one has its keys as fields."""
    for atom in atoms_of(type):
        if isinstance(atom, Object):
            yield atom
        elif isinstance(atom, Literals):
            found = [each.value for each in atom.members if isinstance(each.value, dict)]
            yield from (_literal_object(value, atom.loose) for value in found)


def _literal_object(value: dict[str, object], loose: bool) -> Object:
    fields = tuple((name, listing([item], loose=loose)) for name, item in value.items())
    return Object(fields, tuple(value), (Further((), NOTHING),), listed=frozenset(value))


def merged(current: Object, incoming: Object) -> Object:
    """What a shallow merge gives, the incoming fields winning."""
    fields: dict[str, Type] = {}
    for name in dict.fromkeys((*current.by_name, *incoming.by_name)):
        before, after = field_at(current, name), field_at(incoming, name)
        fields[name] = after if name in incoming.required else either(before, after)
    rest = either(further_type(current), further_type(incoming))
    return Object(
        tuple(fields.items()),
        tuple(dict.fromkeys((*current.required, *incoming.required))),
        (Further((), rest),),
        max(current.least, incoming.least),
        None if current.most is None or incoming.most is None else current.most + incoming.most,
        tuple(rule for rule in current.rules if isinstance(rule, Names) and rule in incoming.rules),
        listed_in(current, incoming),
        current.explicit or incoming.explicit,
    )
