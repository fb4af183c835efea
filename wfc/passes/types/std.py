"""What the nodes of `wf.std` return, given the types of what is bound to their inputs (reference 1.9).

Every output that a node gives is of the type that is told here; the type may hold more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from wfc.ir import std
from wfc.passes.types.comparing import only_value
from wfc.passes.types.fitting import Verdict
from wfc.passes.types.forms import (
    ANYTHING,
    NOTHING,
    Array,
    Further,
    Names,
    Number,
    Object,
    Text,
    Type,
    Unique,
    both,
    either,
    made,
)
from wfc.passes.types.making import array_of, equal_to, open_record, record
from wfc.passes.types.meets import array, least_of
from wfc.passes.types.membership import element_at, field_at
from wfc.passes.types.ranges import Range, minus, over, plus, range_of, rest, times, total, whole_over
from wfc.passes.types.reading import elements, field, lengths
from wfc.passes.types.shapes import arrays_of, merged, objects_of, possible_items
from wfc.records import replace

Payload = Mapping[str, Type] | Type
"""What is bound: the types of the input fields, or of the whole payload."""


def std_outputs(key: str, payload: Payload) -> dict[str, Type]:
    """The type of what a node of `wf.std` returns, outcome by outcome; one that is never given has no value."""
    builtin = std.BY_KEY[key]
    outputs = {outcome: record({}) for outcome in builtin.outcomes}
    if key == "parse_json":
        outputs["invalid"] = _one("message", _TEXT)
    return {**outputs, "ok": _OUTPUTS[key](payload)}


def _input(payload: Payload, name: str) -> Type:
    """The type of an input field; no value where it is not bound."""
    return field(payload, name).type if isinstance(payload, Type) else payload.get(name, NOTHING)


def _one(name: str, type: Type) -> Type:
    """An output of one field; no output where the field cannot have a value."""
    return record({name: (type, True)})


def _constant(payload: Payload, name: str) -> Any:
    """The one value of an input field; none where it is not known, or a null."""
    found = only_value(_input(payload, name))
    return None if found is None else found[0]


_TEXT, _NUMBER = made(Text()), made(Number())
_ORDERED = either(_NUMBER, _TEXT)


def _identity(payload: Payload) -> Type:
    return _one("value", _input(payload, "value"))


def _index(payload: Payload) -> Type:
    given, position = _input(payload, "array"), _constant(payload, "position")
    if not isinstance(position, int) or position < 0:
        return _one("value", elements(given))
    reachable = (each for each in arrays_of(given) if each.most is None or position < each.most)
    return _one("value", either(*(element_at(each, position) for each in reachable)))


def _count(payload: Payload) -> Type:
    least, most = lengths(_input(payload, "array"))
    return _one("count", Range(least, most, 2).type)


def _pluck(payload: Payload) -> Type:
    given, name = _input(payload, "array"), _constant(payload, "field")
    item = field(elements(given), name).type if isinstance(name, str) else ANYTHING
    return _one("values", array_of(item, *lengths(given)))


def _concat(payload: Payload) -> Type:
    given = _input(payload, "arrays")
    (least, most), (short, long) = lengths(given), lengths(elements(given))
    limit = 0 if 0 in (most, long) else None if most is None or long is None else most * long
    return _one("array", array_of(elements(elements(given)), least * short, limit))


def _record(payload: Payload) -> Type:
    if isinstance(payload, Type):
        return both(payload, made(Object()))
    return record({name: (type, True) for name, type in payload.items()})


_OPERATIONS = {"+": plus, "-": minus, "*": times, "/": over, "//": whole_over, "%": rest}


def _calculate(payload: Payload) -> Type:
    operation = _OPERATIONS.get(_constant(payload, "operator"))
    left, right = range_of(_input(payload, "left")), range_of(_input(payload, "right"))
    if left is None or right is None:
        return NOTHING
    return _one("value", _NUMBER if operation is None else operation(left, right).type)


def _slice(payload: Payload) -> Type:
    start = range_of(_input(payload, "start"))
    ends: list[Range | None] = [range_of(_input(payload, "end"))]
    if isinstance(payload, Type) and field(payload, "end").presence is Verdict.MAYBE:
        ends.append(None)
    arrays = arrays_of(_input(payload, "array"))
    found = [_sliced(each, start, end) for each in arrays for end in ends if start is not None]
    return _one("array", either(*(made(each) for each in found if each is not None)))


def _sliced(given: Array, start: Range, end: Range | None) -> Array | None:
    """What is left of an array between two positions, the second of which may be missing."""
    first, last = math.floor(start.low or 0), start.high
    earliest = None if end is None else math.floor(end.low or 0)
    latest = None if end is None or end.high is None else math.ceil(end.high)
    limit = least_of(given.most, latest)
    reached = given.least if earliest is None else min(given.least, earliest)
    least = 0 if last is None else max(0, reached - math.ceil(last))
    most = None if limit is None else max(0, limit - first)
    rules = tuple(rule for rule in given.rules if isinstance(rule, Unique))
    if first == last:
        return array(list(given.prefix[first:]), given.rest, least, most, rules)
    return array([], either(*possible_items(given)), least, most, rules)


def _range(payload: Payload) -> Type:
    count = range_of(_input(payload, "count"))
    if count is None:
        return NOTHING
    least, most = math.ceil(count.low or 0), None if count.high is None else math.floor(count.high)
    return _one("array", array_of(Range(0, None if most is None else most - 1, 2).type, max(0, least), most))


def _unique(payload: Payload) -> Type:
    given = _input(payload, "array")
    least, most = lengths(given)
    found = array([], elements(given), min(1, least), most, (Unique(),))
    return NOTHING if found is None else _one("array", made(found))


def _pick(payload: Payload) -> Type:
    names = _constant(payload, "fields")
    known = isinstance(names, list) and all(isinstance(name, str) for name in names)
    objects = objects_of(_input(payload, "object"))
    return _one("object", either(*(made(_picked(each, names) if known else _part(each)) for each in objects)))


def _picked(given: Object, names: list[str]) -> Object:
    fields = {name: field_at(given, name) for name in names}
    required = tuple(name for name in fields if name in given.required)
    return Object(tuple(fields.items()), required, (Further((), NOTHING),), listed=frozenset(fields))


def _part(given: Object) -> Object:
    """Objects of some of the keys of others."""
    rules = tuple(rule for rule in given.rules if isinstance(rule, Names))
    return replace(given, required=(), least=0, rules=rules)


def _merge(payload: Payload) -> Type:
    given = _input(payload, "objects")
    return _one("object", either(*(_merged(each) for each in arrays_of(given))))


def _merged(given: Array) -> Type:
    """The merge of an array's objects: one after the other where all are known, else any of them as often as may be."""
    empty = Object(further=(Further((), NOTHING),), listed=frozenset())
    if given.most == len(given.prefix) == given.least:
        rows = [list(objects_of(item)) for item in given.prefix]
        if all(len(row) == 1 for row in rows):
            return made(reduce(merged, (row[0] for row in rows), empty))
    objects = [each for item in possible_items(given) for each in objects_of(item)]
    whole = reduce(merged, (replace(each, required=()) for each in objects), empty)
    surely = [name for name in whole.by_name if all(name in each.required for each in objects)] if given.least else []
    return made(replace(whole, required=tuple(surely), least=0, most=None))


def _sum(payload: Payload) -> Type:
    given = _input(payload, "array")
    least, most = lengths(given)
    item = range_of(elements(given)) or Range(0, 0, 2)
    return _one("sum", total(item, least, most).type)


def _filter_equal(payload: Payload) -> Type:
    given, name = _input(payload, "array"), _constant(payload, "field")
    wanted = only_value(_input(payload, "value"))
    item = elements(given)
    if isinstance(name, str):
        item = both(item, open_record({name: (ANYTHING if wanted is None else equal_to(wanted[0]), True)}))
    return _one("array", array_of(item, 0, lengths(given)[1]))


def _sort_by(payload: Payload) -> Type:
    given, name = _input(payload, "array"), _constant(payload, "field")
    item = elements(given)
    if isinstance(name, str):
        item = both(item, open_record({name: (_ORDERED, True)}))
    return _one("array", array_of(item, *lengths(given)))


def _output_of(name: str, type: Type) -> Callable[[Payload], Type]:
    return lambda payload: _one(name, type)


_OUTPUTS: Mapping[str, Callable[[Payload], Type]] = {
    "identity": _identity,
    "index": _index,
    "count": _count,
    "pluck": _pluck,
    "concat": _concat,
    "record": _record,
    "calculate": _calculate,
    "slice": _slice,
    "range": _range,
    "unique": _unique,
    "join_text": _output_of("text", _TEXT),
    "template": _output_of("text", _TEXT),
    "pick": _pick,
    "merge": _merge,
    "sum": _sum,
    "filter_equal": _filter_equal,
    "sort_by": _sort_by,
    "parse_json": _output_of("value", ANYTHING),
    "to_json": _output_of("text", made(Text(least=1))),
    "fail": lambda payload: NOTHING,
}
