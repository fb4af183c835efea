"""A schema as a type: its place first, and what the place means when that is asked for.

References are followed inside the root. What cannot be told by structure – an address, a dialect of its own, some
uses of `unevaluated…` – stays as the verdict on the place itself (`Within`), so that the type is exactly the schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from wfc.ir import Schema, canonical
from wfc.passes.types.forms import (
    ANYTHING,
    EVERY,
    NOTHING,
    Array,
    Atom,
    Further,
    Literal,
    Literals,
    Object,
    Place,
    Text,
    Type,
    both,
    either,
    made,
    none_of,
    type_of,
    written_both_ways,
)
from wfc.passes.types.keywords import Inside, Said, is_plain, own_atoms, said_by
from wfc.passes.types.meets import tested
from wfc.passes.types.roots import Root, accepts, alone, root_of, target
from wfc.passes.types.unevaluated import looked_at
from wfc.source import lookup, pointer, pointer_parts

# A root that cannot be built, so that there is no verdict on any value.
_NO_VERDICT = root_of('{"type":""}')
UNKNOWN = type_of(Place(_NO_VERDICT, ""))


def of(schema: Schema | Any, at: str = "") -> Type:
    """The values that a schema admits, or a schema inside it that a JSON pointer leads to.

    Where the pointer leads nowhere, or the schema cannot be used, nothing is known of the values.
    """
    return _of(schema.text if isinstance(schema, Schema) else canonical(schema), at)


@lru_cache(maxsize=16384)
def _of(text: str, at: str) -> Type:
    root, parts = root_of(text), pointer_parts(at)
    if accepts(root, "", None) is None or lookup(root.value, parts)[1] != parts:
        return UNKNOWN
    return place(root, at)


def place(root: Root, at: str) -> Type:
    """The type at a pointer; where nothing but a reference stands, the type that it leads to."""
    return _place(root, at, lookup(root.value, pointer_parts(at))[0])


def _place(root: Root, at: str, schema: Any) -> Type:
    seen: set[str] = set()
    while isinstance(schema, dict):
        said = said_by(root.draft, schema)
        following = target(root, said["$ref"]) if said.keys() == {"$ref"} else None
        if not said:
            return ANYTHING
        if following in seen:
            return type_of(Place(root, min(seen)))
        if following is None:
            own = alone(root, schema)
            return type_of(Place(own, "") if own else Place(root, at))
        seen.add(following)
        at, schema = following, lookup(root.value, pointer_parts(following))[0]
    return UNKNOWN if not isinstance(schema, bool) else ANYTHING if schema else NOTHING


def lowered(type: Type, form: Place) -> Type:
    """What a place means: one type out of others, most of them places too."""
    root = form.root
    schema = lookup(root.value, pointer_parts(form.at))[0]
    said = said_by(root.draft, schema)
    if root is _NO_VERDICT or "$schema" in schema or (root.mixed and id(schema) in root.referring):
        return _by_verdict(type, EVERY)
    if "enum" in said or "const" in said:
        return _enumerated(form, said)

    def inside(below: str, inner: Any) -> Type:
        return _place(root, form.at + below, inner)

    own = tuple(own_atoms(root.draft, said, inside))
    return both(
        ANYTHING if own == EVERY else made(*own),
        *_references(type, root, said),
        *(inside(f"/allOf/{index}", inner) for index, inner in enumerate(said.get("allOf", ()))),
        *_alternatives(said, inside),
        *_conditions(said, inside),
        *_dependencies(said, inside),
        *_left_to_verdicts(type, root, said, inside),
    )


def _by_verdict(type: Type, atoms: tuple[Atom, ...]) -> Type:
    """All values of the atoms' kinds that the type holds, and all of the other kinds."""
    return made(*(each for atom in EVERY for each in (tested(atom, type) if atom in atoms else (atom,))))


def _enumerated(form: Place, said: Said) -> Type:
    values = [said["const"]] if "const" in said else said["enum"]
    members: dict[str, Literal] = {}
    for value in values:
        for literal in written_both_ways(value):
            if accepts(form.root, form.at, literal.value) is not False:
                members[literal.text] = literal
    return made(Literals(tuple(members.values()))) if members else NOTHING


def _references(type: Type, root: Root, said: Said) -> Iterator[Type]:
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        if isinstance(said.get(keyword), str):
            found = target(root, said[keyword])
            yield _by_verdict(type, EVERY) if found is None else place(root, found)


def _alternatives(said: Said, inside: Inside) -> Iterator[Type]:
    if "anyOf" in said:
        yield either(*(inside(f"/anyOf/{index}", inner) for index, inner in enumerate(said["anyOf"])))
    if "oneOf" in said:
        branches = [inside(f"/oneOf/{index}", inner) for index, inner in enumerate(said["oneOf"])]
        yield either(*(both(branch, none_of(_others(branches, index))) for index, branch in enumerate(branches)))


def _others(branches: list[Type], index: int) -> list[Type]:
    return branches[:index] + branches[index + 1 :]


def _conditions(said: Said, inside: Inside) -> Iterator[Type]:
    if "not" in said:
        yield none_of([inside("/not", said["not"])])
    if "if" in said and ("then" in said or "else" in said):
        given = inside("/if", said["if"])
        then, otherwise = (inside(f"/{word}", said.get(word, True)) for word in ("then", "else"))
        yield either(both(given, then), both(none_of([given]), otherwise))


def _dependencies(said: Said, inside: Inside) -> Iterator[Type]:
    for keyword in ("dependencies", "dependentRequired", "dependentSchemas"):
        for name, wanted in said.get(keyword, {}).items():
            also = tuple(wanted) if isinstance(wanted, list) else ()
            inner = ANYTHING if isinstance(wanted, list) else inside(f"/{keyword}" + pointer(name), wanted)
            absent = (*EVERY[:-1], Object(fields=((name, NOTHING),)))
            present = made(Object(required=tuple(dict.fromkeys((name, *also)))))
            yield either(made(*absent), both(present, inner))


def _left_to_verdicts(type: Type, root: Root, said: Said, inside: Inside) -> Iterator[Type]:
    if "contentMediaType" in said or "contentEncoding" in said:
        yield _by_verdict(type, (Text(),))
    if "unevaluatedItems" in said and not is_plain(said, "unevaluatedItems"):
        yield _by_verdict(type, (Array((), ANYTHING),))
    leftover = "unevaluatedProperties" in said and "additionalProperties" not in said
    if leftover and not is_plain(said, "unevaluatedProperties"):
        looked = looked_at(root, said)
        if looked is not None:
            fields = tuple((name, ANYTHING) for name in sorted(looked.names))
            rest = Further((), inside("/unevaluatedProperties", said["unevaluatedProperties"]))
            yield made(*EVERY[:-1], Object(fields, further=(rest,), explicit=True))
        if looked is None or not looked.always:
            yield _by_verdict(type, (Object(),))
