"""How a write meets what is already there: pure functions of current value, incoming value and config.

Reference 1.6. Each reducer is one value in `REDUCERS`. `takes` says which incoming (and present) values it works on;
`merge` is called for a present value, `first` for a missing path. Neither changes its arguments.
`grows` is set where merging only adds elements at the end of an array: the elements to add, so that a long list
need not be copied or validated again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from wfc.ir.values import DIGITS_LIMIT, MAX_DIGITS, equality_key
from wfc.records import dataclass, field


class ReducerError(ValueError):
    """The values do not fit the reducer, or the result is not finite."""


@dataclass(frozen=True, slots=True)
class ReducerRef:
    """Which reducer a state path has, with its config."""

    source: str
    capability_key: str
    config: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.source}.{self.capability_key}"


@dataclass(frozen=True, slots=True)
class Reducer:
    """One reducer. `config` names the keys it requires; `kinds` the JSON kinds of values it can hold."""

    name: str
    mergeable: bool
    kinds: tuple[str, ...]
    merge: Callable[[Any, Any, Mapping[str, Any]], Any]
    first: Callable[[Any, Mapping[str, Any]], Any]
    config: tuple[str, ...] = ()
    grows: Callable[[Any], list[Any]] | None = None


def _array(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ReducerError(f"expected an array, got {kind_of(value)}")
    return value


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ReducerError(f"expected an object, got {kind_of(value)}")
    return value


def _number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ReducerError(f"expected a number, got {kind_of(value)}")
    return value


def _ordered(value: Any) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ReducerError(f"expected a number or a string, got {kind_of(value)}")
    return value


def kind_of(value: Any) -> str:
    """The JSON kind of a value, as a word."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def _finite(value: int | float) -> int | float:
    if isinstance(value, float) and not math.isfinite(value):
        raise ReducerError("the result is not finite")
    # No document and no store could hold it (reference 1.1).
    if isinstance(value, int) and not -DIGITS_LIMIT < value < DIGITS_LIMIT:
        raise ReducerError(f"the result is not finite, or has more than {MAX_DIGITS} digits")
    return value


def _plus(current: Any, incoming: Any) -> int | float:
    try:
        return _finite(_number(current) + _number(incoming))
    except OverflowError:
        raise ReducerError("the result is not finite") from None


def _modulo(value: int | float, config: Mapping[str, Any]) -> int | float:
    modulus = config.get("modulus")
    if isinstance(modulus, bool) or not isinstance(modulus, (int, float)) or modulus <= 0:
        raise ReducerError("`config.modulus` is no number above 0")
    try:
        rest = value % modulus
    except OverflowError:
        raise ReducerError("the result is not finite") from None
    # A tiny negative double modulo m rounds up to m itself; the result lies below it.
    return rest - rest if rest == modulus else rest


def _distinct(current: list[Any], incoming: list[Any]) -> list[Any]:
    seen = {equality_key(item) for item in current}
    merged = list(current)
    for item in incoming:
        key = equality_key(item)
        if key not in seen:
            seen.add(key)
            merged.append(item)
    return merged


def _pick(current: Any, incoming: Any, better: Callable[[Any, Any], bool]) -> Any:
    if isinstance(_ordered(current), str) is not isinstance(_ordered(incoming), str):
        raise ReducerError(f"{kind_of(current)} and {kind_of(incoming)} have no order")
    return incoming if better(incoming, current) else current


REDUCERS: tuple[Reducer, ...] = (
    Reducer("wf.std.replace", False, ("any",), merge=lambda current, new, config: new, first=lambda new, config: new),
    Reducer(
        "wf.std.append",
        True,
        ("array",),
        merge=lambda current, new, config: [*_array(current), new],
        first=lambda new, config: [new],
        grows=lambda new: [new],
    ),
    Reducer(
        "wf.std.extend",
        True,
        ("array",),
        merge=lambda current, new, config: [*_array(current), *_array(new)],
        first=lambda new, config: _array(new),
        grows=_array,
    ),
    Reducer(
        "wf.std.set_union",
        True,
        ("array",),
        merge=lambda current, new, config: _distinct(_array(current), _array(new)),
        first=lambda new, config: _distinct([], _array(new)),
    ),
    Reducer(
        "wf.std.merge_object",
        True,
        ("object",),
        merge=lambda current, new, config: {**_object(current), **_object(new)},
        first=lambda new, config: _object(new),
    ),
    Reducer(
        "wf.std.max",
        True,
        ("number", "string"),
        merge=lambda current, new, config: _pick(current, new, lambda a, b: a > b),
        first=lambda new, config: _ordered(new),
    ),
    Reducer(
        "wf.std.min",
        True,
        ("number", "string"),
        merge=lambda current, new, config: _pick(current, new, lambda a, b: a < b),
        first=lambda new, config: _ordered(new),
    ),
    Reducer(
        "wf.std.add",
        True,
        ("number",),
        merge=lambda current, new, config: _plus(current, new),
        first=lambda new, config: _number(new),
    ),
    Reducer(
        "wf.std.modulo_add",
        True,
        ("number",),
        merge=lambda current, new, config: _modulo(_plus(current, new), config),
        first=lambda new, config: _modulo(_number(new), config),
        config=("modulus",),
    ),
)
REPLACE = ReducerRef("wf.std", "replace")
BY_NAME: Mapping[str, Reducer] = {reducer.name: reducer for reducer in REDUCERS}


def reducer_ref(written: Any) -> ReducerRef | None:
    """The reference that a `reducer` keyword means; none where it has neither of the two shapes (reference 1.6)."""
    if isinstance(written, str):
        source, _, key = written.rpartition(".")
        return ReducerRef(source, key) if source and key else None
    if not isinstance(written, dict) or not isinstance(written.get("ref"), dict):
        return None
    ref, config = written["ref"], written.get("config", {})
    if not isinstance(ref.get("source"), str) or not isinstance(ref.get("capability_key"), str):
        return None
    return ReducerRef(ref["source"], ref["capability_key"], config if isinstance(config, dict) else {})
