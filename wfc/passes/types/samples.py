"""Values of a type: small ones first, each verified with the type itself.

There may be values although none is found; a value that is given is one of the type. No value grows beyond some
thousand parts, however often a schema repeats itself.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from wfc.ir import canonical
from wfc.passes.types.atoms import atoms_of
from wfc.passes.types.forms import (
    NOTHING,
    Array,
    Atom,
    Literals,
    Multiple,
    Names,
    Number,
    Object,
    Pattern,
    Place,
    Text,
    Type,
    either,
)
from wfc.passes.types.membership import element_at, field_at, holds
from wfc.passes.types.roots import matches
from wfc.source import lookup, pointer_parts

Values = tuple[Any, ...]
_Goal = tuple[Type, Type | None]
_Asking = Generator[_Goal, Values, Values]

_EXACT = 2**53
_MOST_PARTS = 2000
_MOST_GOALS = 400
_PER_ATOM = 6
_MOST = 12
_LONGEST = 5000
_FIELDS = 12
_TEXTS = (
    "", "a", "b", "A", "0", "1", "12", "a1", "abc", "ABC", "a-b", "a_b", "a b", "x", "true", "1.0", "1.0.0", "v1.0.0",
    "2000-01-01", "12:00:00", "2000-01-01T00:00:00Z", "a@b.cd", "http://a.bc", "https://a.bc/d", "/a/b", "a.b", "a/b",
    "00000000-0000-0000-0000-000000000000", "#aabbcc", "A1B2", "AB-123", "en", "en-US", "+1234567890", "12345",
    "abcdef0123456789",
)  # fmt: skip


def sample(type: Type) -> tuple[Any] | None:
    """A small value of a type, in a one-tuple; none where none was found."""
    return next(((value,) for value in samples(type)), None)


@lru_cache(maxsize=4096)
def samples(type: Type) -> Values:
    """A few values of a type, as different as they can be had."""
    return _answered((type, None))


@lru_cache(maxsize=4096)
def refused(source: Type, target: Type) -> tuple[Any] | None:
    """A value of the source that the target refuses, in a one-tuple; none where none was found."""
    return next(((value,) for value in _answered((source, target))), None)


def _answered(goal: _Goal) -> Values:
    known: dict[_Goal, Values] = {}
    stack = [(goal, _steps(goal))]
    open_, left = {goal}, _MOST_GOALS
    answer: Values | None = None
    while stack:
        top, steps = stack[-1]
        try:
            asked = next(steps) if answer is None else steps.send(answer)
        except StopIteration as done:
            answer = known[top] = done.value
            open_.discard(top)
            stack.pop()
            continue
        answer = known.get(asked)
        if answer is None and (asked in open_ or not left):
            answer = ()
        if answer is None:
            left -= 1
            open_.add(asked)
            stack.append((asked, _steps(asked)))
    return answer or ()


def _steps(goal: _Goal) -> _Asking:
    source, target = goal
    return _some(source) if target is None else _refused(source, target)


def _some(type: Type) -> _Asking:
    found = [value for value in _hints(type) if holds(type, value)][:2]
    for atom in sorted(atoms_of(type), key=_rank):
        candidates = yield from _candidates(atom)
        found += _first(_PER_ATOM, (each for each in candidates if _is_small(each) and holds(type, each)))
    return tuple({canonical(value): value for value in found}.values())[:_MOST]


def _smallest(values: Iterable[Any]) -> Values:
    """The shortest of some values, in a one-tuple; none where there are none."""
    return tuple(sorted(values, key=lambda value: len(canonical(value)))[:1])


def _first(count: int, values: Iterable[Any]) -> list[Any]:
    return [value for value, _ in zip(values, range(count), strict=False)]


def _hints(type: Type) -> Iterator[Any]:
    if not isinstance(type.form, Place):
        return
    schema = lookup(type.form.root.value, pointer_parts(type.form.at))[0]
    examples = schema.get("examples")
    yield from examples if isinstance(examples, list) else ()
    if "default" in schema:
        yield schema["default"]


def _rank(atom: Atom) -> int:
    return (Literals, Number, Text, Array, Object).index(atom.__class__)


def _is_small(value: Any) -> bool:
    waiting, left = [value], _MOST_PARTS
    while waiting and left:
        left -= 1
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
    return not waiting


def _candidates(atom: Atom) -> Generator[_Goal, Values, Iterable[Any]]:
    match atom:
        case Literals(members):
            return [member.value for member in members]
        case Number():
            return _numbers(atom)
        case Text():
            return _texts(atom)
        case Array():
            return (yield from _arrays(atom))
        case Object():
            return (yield from _objects(atom))


def _numbers(atom: Number) -> Iterator[int | float]:
    """Numbers at and beside the bounds of an atom, small ones first; some may not be of the atom."""
    yield from (0, 1, -1, 0.5)
    bounds = [bound for bound in (atom.low, atom.high) if bound is not None]
    yield from (near for bound in bounds for near in _beside(bound))
    if len(bounds) == 2 and all(abs(bound) < _EXACT for bound in bounds):
        yield sum(bounds) / 2
    for rule in atom.rules:
        if isinstance(rule, Multiple):
            yield from _multiples(rule.of, bounds[:1])


def _beside(bound: int | float) -> Iterator[int | float]:
    yield from (bound, bound + 1, bound - 1)
    if abs(bound) < _EXACT:
        yield from (bound + 0.5, bound - 0.5)


def _multiples(of: int | float, bounds: Sequence[int | float]) -> Iterator[int | float]:
    """Multiples from zero on and from a bound on."""
    firsts = [0, *(math.floor(bound / of) for bound in bounds if abs(bound) < _EXACT and of > 1 / _EXACT)]
    yield from ((first + step) * of for first in firsts for step in range(4) if abs(of) < _EXACT)


def _texts(atom: Text, near: Iterable[int] = ()) -> Iterator[str]:
    yield from _TEXTS
    for length in (atom.least, atom.most, *near):
        if length is not None and 0 <= length <= _LONGEST:
            yield "a" * length
            yield "0" * length
    for rule in atom.rules:
        if isinstance(rule, Pattern):
            plain = rule.expression.removeprefix("^").removesuffix("$").replace("\\", "")
            yield from (plain, plain + "a", plain + "0")


def _arrays(atom: Array) -> Generator[_Goal, Values, list[list[Any]]]:
    """Arrays of the least length and a little longer, of equal and of different elements."""
    items: list[Values] = []
    for index in range(min(max(len(atom.prefix), atom.least) + 2, _LONGEST)):
        if atom.most is not None and index >= atom.most:
            break
        values = yield element_at(atom, index), None
        if not values:
            break
        items.append(values)
    if len(items) < atom.least:
        return []
    found = []
    for length in dict.fromkeys((atom.least, atom.least + 1, len(items))):
        if length <= len(items):
            found.append([values[0] for values in items[:length]])
            found.append([values[index % len(values)] for index, values in enumerate(items[:length])])
    if len(items) > atom.least:
        found += [[*(values[0] for values in items[: atom.least]), last] for last in items[atom.least]]
    return found


def _objects(atom: Object) -> Generator[_Goal, Values, list[dict[str, Any]]]:
    """Objects of the required keys, each optional one besides, all of them, and a further one."""
    given: dict[str, Values] = {}
    optional = [name for name, type in atom.fields if name not in atom.required and type is not NOTHING]
    for name in (*atom.required, *optional[:_FIELDS]):
        values = yield field_at(atom, name), None
        if not values and name in atom.required:
            return []
        if values:
            given[name] = values
    least = {name: given[name][0] for name in atom.required}
    more = {name: values[0] for name, values in given.items() if name not in least}
    found = [least, *({**least, name: value} for name, value in more.items()), {**least, **more}]
    found += [{**least, name: other} for name, values in given.items() for other in values[1:4]]
    extra: dict[str, Any] = {}
    for name in (yield from _further_names(atom)):
        values = yield field_at(atom, name), None
        if values:
            extra[name] = values[0]
    found += [{**least, name: value} for name, value in extra.items()]
    spare = list({**more, **extra}.items())
    return [_filled(each, spare, atom.least) for each in found]


def _filled(given: dict[str, Any], spare: list[tuple[str, Any]], least: int) -> dict[str, Any]:
    """An object with as many of some further keys as it lacks."""
    missing = [(name, value) for name, value in spare if name not in given]
    return {**given, **dict(missing[: max(0, least - len(given))])}


def _further_names(atom: Object) -> Generator[_Goal, Values, list[str]]:
    """Keys that are no field, and of which values may be wanted."""
    names = ["x", *(f"k{index}" for index in range(min(atom.least, _FIELDS)))]
    for rule in atom.rules:
        if isinstance(rule, Names):
            names += [name for name in (yield rule.key, None) if isinstance(name, str)]
    for further in atom.further:
        for pattern, _ in further.patterns:
            candidates = _texts(Text(rules=(Pattern(pattern),)))
            names += _first(2, (text for text in candidates if matches(pattern, text)))
    return [name for name in dict.fromkeys(names) if name not in atom.by_name and field_at(atom, name) is not NOTHING]


def _refused(source: Type, target: Type) -> _Asking:
    """Values of the source that the target refuses: simple ones, or such whose part is refused by a part of it."""
    simple = yield source, None
    found = _smallest(value for value in simple if holds(target, value) is False)
    if found:
        return found
    theirs = atoms_of(target)
    for atom in atoms_of(source):
        candidates = yield from _close_to(atom, [other for other in theirs if other.__class__ is atom.__class__])
        small = (value for value in candidates if _is_small(value) and holds(source, value))
        found = _smallest(_first(_PER_ATOM, (value for value in small if holds(target, value) is False)))
        if found:
            return found
    return ()


def _close_to(atom: Any, others: list[Any]) -> Generator[_Goal, Values, Iterable[Any]]:
    """Values of an atom, chosen by what the others ask for."""
    if isinstance(atom, Literals):
        return [member.value for member in atom.members]
    if isinstance(atom, Number):
        bounds = [bound for each in others for bound in (each.low, each.high) if bound is not None]
        found = [*_numbers(atom), *(near for bound in bounds for near in _beside(bound))]
        return [*found, *(float(number) for number in found if abs(number) < _EXACT)]
    if isinstance(atom, Text):
        limits = [limit for each in others for limit in (each.least, each.most) if limit is not None]
        return _texts(atom, [limit + step for limit in limits for step in (-1, 1)])
    plain = yield from _candidates(atom)
    if isinstance(atom, Array):
        return (yield from _changed_array(atom, others, list(plain)))
    return (yield from _changed_object(atom, others, list(plain)))


def _changed_array(
    atom: Array, others: list[Array], plain: list[list[Any]]
) -> Generator[_Goal, Values, list[list[Any]]]:
    found: list[list[Any]] = []
    before: list[Any] = []
    for index in range(min(_MOST, max(len(each.prefix) for each in (atom, *others)) + 1)):
        for value in (yield element_at(atom, index), either(*(element_at(each, index) for each in others))):
            found += [[*each[:index], value, *each[index + 1 :]] for each in (before, *plain) if len(each) >= index]
        usual = yield element_at(atom, index), None
        if not usual:
            break
        before = [*before, usual[0]]
    limits = [limit for each in others for limit in (each.least - 1, (each.most or 0) + 1) if 0 <= limit <= _LONGEST]
    found += [[*each, *each[-1:] * (limit - len(each))] for each in plain for limit in limits if len(each) < limit]
    return found


def _changed_object(
    atom: Object, others: list[Object], plain: list[dict[str, Any]]
) -> Generator[_Goal, Values, list[Any]]:
    found: list[Any] = []
    names = dict.fromkeys((*atom.by_name, *(name for each in others for name in each.by_name)))
    for name in names:
        for value in (yield field_at(atom, name), either(*(field_at(each, name) for each in others))):
            found += [{**each, name: value} for each in plain[:_PER_ATOM]]
    return found
