"""Whether two schemas disagree (reference 1.3): no value satisfies both, or one requires a field the other forbids."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from wfc.passes.types.describing import describe
from wfc.passes.types.fitting import disjoint, is_empty
from wfc.passes.types.forms import Object, Type, either
from wfc.passes.types.membership import field_at
from wfc.passes.types.reading import present_atoms
from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Where two types contradict each other, and what they say there; `path` are the keys that lead to the place."""

    path: tuple[str, ...]
    first: str
    second: str


@lru_cache(maxsize=4096)
def contradicts(first: Type, second: Type) -> Disagreement | None:
    """Where two types disagree; none where they may agree."""
    if disjoint(first, second):
        return _deepest(first, second)
    return _required_and_forbidden(first, second)


def _deepest(first: Type, second: Type) -> Disagreement:
    """The place furthest inside at which no value satisfies both, as long as there is one reason only."""
    path: list[str] = []
    seen: set[tuple[Type, Type]] = set()
    while (first, second) not in seen:
        seen.add((first, second))
        found = _required_and_forbidden(first, second)
        if found is not None:
            return Disagreement((*path, *found.path), found.first, found.second)
        inner = _apart_inside(first, second)
        if inner is None:
            break
        name, first, second = inner
        path.append(name)
    return Disagreement(tuple(path), describe(first), describe(second))


def _apart_inside(first: Type, second: Type) -> tuple[str, Type, Type] | None:
    """A field that every common object would have, and of which no value satisfies both."""
    mine, theirs = _objects(first), _objects(second)
    if not mine or not theirs:
        return None
    for name in dict.fromkeys((*_needed(mine), *_needed(theirs))):
        one = either(*(field_at(atom, name) for atom in mine))
        other = either(*(field_at(atom, name) for atom in theirs))
        if disjoint(one, other) and not is_empty(one) and not is_empty(other):
            return name, one, other
    return None


def _required_and_forbidden(first: Type, second: Type) -> Disagreement | None:
    mine, theirs = _objects(first), _objects(second)
    for name in _needed(mine):
        if _forbidden(theirs, name):
            return Disagreement((name,), "required", "forbidden")
    for name in _needed(theirs):
        if _forbidden(mine, name):
            return Disagreement((name,), "forbidden", "required")
    return None


def _objects(type: Type) -> list[Object]:
    return [atom for atom in present_atoms(type) if isinstance(atom, Object)]


def _needed(objects: list[Object]) -> Iterator[str]:
    """The keys that all of some objects have to have."""
    if objects:
        yield from (name for name in objects[0].required if all(name in atom.required for atom in objects))


def _forbidden(objects: list[Object], name: str) -> bool:
    return bool(objects) and all(is_empty(field_at(atom, name)) for atom in objects)
