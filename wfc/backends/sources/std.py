"""What the built-in nodes of `wf.std` do: pure functions of a payload, one a capability, in the table `NODES`.

Reference 1.9; their contracts stand in `wfc.ir.std`. Integers are exact, and a result that the language cannot hold is
never given. An output may share values with its payload; nothing here changes either.

Limits: a `range` of more than 10,000,000 elements and a text of more than 100,000,000 characters are `node_failed`.
"""

from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from wfc.backends.sources.strict_json import read_strict
from wfc.ir import MAX_DIGITS, NodeFailed, equal, equality_key, kind_of

MAX_ELEMENTS = 10_000_000
MAX_CHARACTERS = 100_000_000

Payload = Mapping[str, Any]
Result = tuple[str, Any]

_FIELD = r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}"
_BRACES = {"{{": "{", "}}": "}"}
_PLAIN = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
_DIGITS_LIMIT = 10**MAX_DIGITS


def identity(payload: Payload) -> Result:
    return "ok", {"value": _field(payload, "value")}


def index(payload: Payload) -> Result:
    array, position = _array(payload, "array"), _whole(payload, "position")
    if not 0 <= position < len(array):
        return "out_of_range", {}
    return "ok", {"value": array[position]}


def count(payload: Payload) -> Result:
    return "ok", {"count": len(_array(payload, "array"))}


def pluck(payload: Payload) -> Result:
    array, name = _array(payload, "array"), _text(payload, "field")
    if not all(isinstance(element, dict) and name in element for element in array):
        return "missing_field", {}
    return "ok", {"values": [element[name] for element in array]}


def concat(payload: Payload) -> Result:
    arrays = _all_of(list, _array(payload, "arrays"), "an array")
    return "ok", {"array": [element for array in arrays for element in array]}


def record(payload: Payload) -> Result:
    return "ok", dict(payload)


def calculate(payload: Payload) -> Result:
    sign = _text(payload, "operator")
    if sign not in _OPERATORS:
        raise NodeFailed(f"`operator` is `{sign}`; expected one of {' '.join(_OPERATORS)}")
    left, right = _number(payload, "left"), _number(payload, "right")
    try:
        value = _OPERATORS[sign](left, right)
    except (ZeroDivisionError, OverflowError):
        return "undefined", {}
    return ("ok", {"value": value}) if _is_held(value) else ("undefined", {})


def slice_(payload: Payload) -> Result:
    array, start = _array(payload, "array"), _not_negative(payload, "start")
    end = _not_negative(payload, "end") if "end" in payload else len(array)
    return "ok", {"array": array[start:end]}


def range_(payload: Payload) -> Result:
    length = _not_negative(payload, "count")
    if length > MAX_ELEMENTS:
        raise NodeFailed(f"`count` asks for too many elements; expected at most {MAX_ELEMENTS}")
    return "ok", {"array": list(range(length))}


def unique(payload: Payload) -> Result:
    first: dict[Any, Any] = {}
    for element in _array(payload, "array"):
        first.setdefault(equality_key(element), element)
    return "ok", {"array": list(first.values())}


def join_text(payload: Payload) -> Result:
    array, separator = _all_of(str, _array(payload, "array"), "a string"), _text(payload, "separator")
    _require_length(sum(map(len, array)) + len(separator) * max(0, len(array) - 1))
    return "ok", {"text": separator.join(array)}


def template(payload: Payload) -> Result:
    text, values = _text(payload, "text"), _object(payload, "values")
    names = [found[1] for found in re.finditer(_FIELD, text) if found[1] is not None]
    if not all(name in values for name in names):
        return "missing_value", {}
    shown = {name: _shown(values[name]) for name in dict.fromkeys(names)}
    _require_length(len(text) + sum(len(shown[name]) for name in names))
    filled = re.sub(_FIELD, lambda found: _BRACES[found[0]] if found[1] is None else shown[found[1]], text)
    return "ok", {"text": filled}


def pick(payload: Payload) -> Result:
    given, fields = _object(payload, "object"), _all_of(str, _array(payload, "fields"), "a string")
    return "ok", {"object": {name: given[name] for name in fields if name in given}}


def merge(payload: Payload) -> Result:
    merged: dict[str, Any] = {}
    for each in _all_of(dict, _array(payload, "objects"), "an object"):
        merged.update(each)
    return "ok", {"object": merged}


def sum_(payload: Payload) -> Result:
    array = _array(payload, "array")
    for element in array:
        _require_number(element, "an element of `array`")
    try:
        # From left to right without compensation, so that every Python gives the same last digit.
        total: int | float = reduce(operator.add, array, 0)
    except OverflowError:
        total = math.inf
    if not _is_held(total):
        raise NodeFailed(f"the sum is not finite, or has more than {MAX_DIGITS} digits")
    return "ok", {"sum": total}


def filter_equal(payload: Payload) -> Result:
    array, name, value = _array(payload, "array"), _text(payload, "field"), _field(payload, "value")
    kept = [each for each in array if isinstance(each, dict) and name in each and equal(each[name], value)]
    return "ok", {"array": kept}


def sort_by(payload: Payload) -> Result:
    array, name, descending = _array(payload, "array"), _text(payload, "field"), payload.get("descending", False)
    if not isinstance(descending, bool):
        raise NodeFailed(f"`descending` is {kind_of(descending)}; expected a boolean")
    if not all(isinstance(element, dict) and name in element for element in array):
        return "not_comparable", {}
    values = [element[name] for element in array]
    if not (all(map(_is_number, values)) or all(isinstance(value, str) for value in values)):
        return "not_comparable", {}
    return "ok", {"array": sorted(array, key=lambda element: element[name], reverse=descending)}


def parse_json(payload: Payload) -> Result:
    try:
        return "ok", {"value": read_strict(_text(payload, "text"))}
    except ValueError as error:
        return "invalid", {"message": str(error)}


def to_json(payload: Payload) -> Result:
    return "ok", {"text": _PLAIN.encode(_field(payload, "value"))}


def fail(payload: Payload) -> Result:
    raise NodeFailed(_text(payload, "message"))


NODES: Mapping[str, Callable[[Payload], Result]] = {
    "identity": identity,
    "index": index,
    "count": count,
    "pluck": pluck,
    "concat": concat,
    "record": record,
    "calculate": calculate,
    "slice": slice_,
    "range": range_,
    "unique": unique,
    "join_text": join_text,
    "template": template,
    "pick": pick,
    "merge": merge,
    "sum": sum_,
    "filter_equal": filter_equal,
    "sort_by": sort_by,
    "parse_json": parse_json,
    "to_json": to_json,
    "fail": fail,
}

# A definition may have a looser input schema than the built-in it uses, so what is read is looked at here once more.


def _field(payload: Payload, name: str) -> Any:
    if name not in payload:
        raise NodeFailed(f"`{name}` is missing")
    return payload[name]


def _of_kind(payload: Payload, name: str, kind: type, expected: str) -> Any:
    value = _field(payload, name)
    if not isinstance(value, kind):
        raise NodeFailed(f"`{name}` is {kind_of(value)}; expected {expected}")
    return value


def _array(payload: Payload, name: str) -> list[Any]:
    return _of_kind(payload, name, list, "an array")  # type: ignore[no-any-return]


def _object(payload: Payload, name: str) -> dict[str, Any]:
    return _of_kind(payload, name, dict, "an object")  # type: ignore[no-any-return]


def _text(payload: Payload, name: str) -> str:
    return _of_kind(payload, name, str, "a string")  # type: ignore[no-any-return]


def _number(payload: Payload, name: str) -> int | float:
    return _require_number(_field(payload, name), f"`{name}`")


def _whole(payload: Payload, name: str) -> int:
    value = _number(payload, name)
    if isinstance(value, float) and not value.is_integer():
        raise NodeFailed(f"`{name}` is {value}; expected an integer")
    return int(value)


def _not_negative(payload: Payload, name: str) -> int:
    value = _whole(payload, name)
    if value < 0:
        raise NodeFailed(f"`{name}` is {value}; expected 0 or more")
    return value


def _all_of(kind: type, array: list[Any], expected: str) -> list[Any]:
    for element in array:
        if not isinstance(element, kind):
            raise NodeFailed(f"an element is {kind_of(element)}; expected {expected}")
    return array


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _require_number(value: Any, what: str) -> int | float:
    if not _is_number(value):
        raise NodeFailed(f"{what} is {kind_of(value)}; expected a number")
    return value  # type: ignore[no-any-return]


def _is_held(value: int | float) -> bool:
    """Whether the language can hold a number: a finite double, or an integer of at most 4,000 digits."""
    return math.isfinite(value) if isinstance(value, float) else abs(value) < _DIGITS_LIMIT


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else _PLAIN.encode(value)


def _require_length(length: int) -> None:
    if length > MAX_CHARACTERS:
        raise NodeFailed(f"the text would have {length} characters; expected at most {MAX_CHARACTERS}")
