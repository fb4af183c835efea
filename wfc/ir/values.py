"""JSON values: equality, canonical text, copies, and what a foreign Python value becomes (reference 2.2, 2.5, 4.1.1).

Everything here is iterative or done by the C encoder, so that a value as deep as the language admits is ordinary.
"""

from __future__ import annotations

import json
import math
from typing import Any

MAX_DEPTH = 200
MAX_DIGITS = 4000
DIGITS_LIMIT = 10**MAX_DIGITS
_COMMON = 2**64
# Lists longer than this are looked at as a whole first.
_LONG = 16

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


class NotJson(ValueError):
    """A value that JSON cannot hold; `path` names the place inside it, segments joined by dots."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(f"{message} at `{path}`")
        self.path = path


def canonical(value: Any) -> str:
    """Canonical JSON: keys sorted by code point, no spaces, ASCII escapes, exact integers, shortest doubles."""
    return _ENCODER.encode(value)


def equal(left: Any, right: Any) -> bool:
    """JSON equality: deep, `1` equals `1.0`, booleans are no numbers (reference 2.5)."""
    waiting = [(left, right)]
    while waiting:
        a, b = waiting.pop()
        if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
            if a is not b:
                return False
        elif isinstance(a, dict):
            if not isinstance(b, dict) or a.keys() != b.keys():
                return False
            waiting += [(item, b[key]) for key, item in a.items()]
        elif isinstance(a, list):
            if not isinstance(b, list) or len(a) != len(b):
                return False
            waiting += zip(a, b, strict=True)
        elif isinstance(b, (dict, list)) or a != b:
            return False
    return True


def equality_key(value: Any) -> Any:
    """A hashable that is equal for two values exactly when they are JSON-equal: `1` and `1.0` share one, `true` not."""
    if isinstance(value, (dict, list)):
        return _ENCODER.encode(_normal(value))
    return (isinstance(value, bool), value)


def _normal(value: Any) -> Any:
    """A copy in which every double that is a whole number is written as that integer."""
    copied = copy(value)
    waiting = [copied]
    while waiting:
        holder = waiting.pop()
        for key, item in holder.items() if isinstance(holder, dict) else enumerate(holder):
            if isinstance(item, (dict, list)):
                waiting.append(item)
            elif isinstance(item, float) and item.is_integer():
                holder[key] = int(item)
    return copied


def copy(value: Any) -> Any:
    """A deep copy of a JSON value."""
    if not isinstance(value, (dict, list)):
        return value
    top: Any = value.copy()
    waiting = [top]
    while waiting:
        holder = waiting.pop()
        for key, item in holder.items() if isinstance(holder, dict) else enumerate(holder):
            if isinstance(item, (dict, list)):
                fresh = item.copy()
                holder[key] = fresh
                waiting.append(fresh)
    return top


def to_json(value: Any) -> Any:
    """A JSON copy of what a capability returned; raises `NotJson`.

    Models, dataclasses and tuples become objects and arrays. Nesting over 200, a NaN, a set, a key that is no string,
    a lone surrogate, an integer of more than 4,000 digits are refused with their place.
    """
    try:
        return _copied(value)
    except _Unusual:
        return _converted(value)


class _Unusual(Exception):
    """A value that is no plain JSON at first sight; the careful way says what it becomes, or where the fault is."""


def _copied(value: Any) -> Any:
    """A copy of a plain JSON value, level by level, without keeping track of where it is."""
    box = [value]
    level: list[Any] = [box]
    for _ in range(MAX_DEPTH + 1):
        below: list[Any] = []
        for holder in level:
            if type(holder) is list and len(holder) > _LONG and _is_plain_list(holder):
                continue
            for key, item in holder.items() if type(holder) is dict else enumerate(holder):
                kind = type(item)
                if kind is dict or kind is list:
                    if kind is dict and not all(map(_is_plain_key, item)):
                        raise _Unusual
                    holder[key] = fresh = item.copy()
                    below.append(fresh)
                elif not _is_plain(kind, item):
                    raise _Unusual
        if not below:
            return box[0]
        level = below
    raise _Unusual


def _is_plain_list(items: list[Any]) -> bool:
    """Whether a list is one of common integers or of ASCII strings, which takes no look at each from here."""
    kinds = set(map(type, items))
    if kinds == {int}:
        return bool(min(items) >= -_COMMON and max(items) <= _COMMON)
    return kinds == {str} and all(map(str.isascii, items))


def _is_plain_key(key: Any) -> bool:
    return type(key) is str and _is_text(key)


def _is_text(item: str) -> bool:
    """Whether a string holds no lone surrogate."""
    if item.isascii():
        return True
    try:
        item.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_plain(kind: type, item: Any) -> bool:
    if kind is str:
        return _is_text(item)
    if kind is int:
        return bool(-_COMMON <= item <= _COMMON)
    if kind is float:
        return math.isfinite(item)
    return kind is bool or item is None


def _converted(value: Any) -> Any:
    box: list[Any] = [value]
    waiting: list[tuple[Any, Any, tuple[str, ...]]] = [(box, 0, ())]
    while waiting:
        holder, key, path = waiting.pop()
        item = _plain(holder[key], path)
        holder[key] = item
        if not isinstance(item, (dict, list)):
            continue
        if len(path) >= MAX_DEPTH:
            raise NotJson(f"nesting deeper than {MAX_DEPTH}", _named(path[:5]) + "…")
        children = list(item.items()) if isinstance(item, dict) else list(enumerate(item))
        for name, _ in reversed(children):
            waiting.append((item, name, (*path, str(name))))
    return box[0]


def _plain(item: Any, path: tuple[str, ...]) -> Any:
    """The item as plain JSON, one level deep: containers are fresh, what is inside them is not looked at yet."""
    kind = type(item)
    if kind is str:
        return _text(item, path)
    if item is None or kind is bool:
        return item
    if kind is int:
        return _whole(item, path)
    if kind is float:
        return _finite(item, path)
    if kind is dict:
        return _object(item, path)
    if kind in (list, tuple):
        return list(item)
    return _foreign(item, path)


def _foreign(item: Any, path: tuple[str, ...]) -> Any:
    try:
        return _told(item, path)
    except NotJson:
        raise
    except Exception as error:  # what an object tells of itself is foreign code
        raise NotJson(
            f"a value of type `{type(item).__name__}` raised {type(error).__name__} ({error})", _named(path)
        ) from error


def _told(item: Any, path: tuple[str, ...]) -> Any:
    if hasattr(type(item), "__dataclass_fields__"):
        import dataclasses

        return {field.name: getattr(item, field.name) for field in dataclasses.fields(item)}
    dump = getattr(type(item), "model_dump", None)
    if callable(dump):
        return _plain(dump(item, by_alias=True), path)
    # A subclass may tell itself otherwise, as members of an enum do; its value is that of the base.
    if isinstance(item, str):
        return _text(str.__str__(item), path)
    if isinstance(item, int):
        return _whole(int.__int__(item), path)
    if isinstance(item, float):
        return _finite(float.__float__(item), path)
    if isinstance(item, dict):
        return _object(dict(item), path)
    if isinstance(item, (list, tuple)):
        return list(item)
    raise NotJson(f"a value of type `{type(item).__name__}` is no JSON", _named(path))


def _object(item: dict[Any, Any], path: tuple[str, ...]) -> dict[str, Any]:
    for key in item:
        if not isinstance(key, str):
            raise NotJson(f"a key of type `{type(key).__name__}` is no string", _named(path))
        _text(key, path)
    return {str(key): value for key, value in item.items()}


def _text(item: str, path: tuple[str, ...]) -> str:
    if not _is_text(item):
        raise NotJson("a lone surrogate is no text", _named(path))
    return item


def _whole(item: int, path: tuple[str, ...]) -> int:
    if item.bit_length() > 13000 and abs(item) >= DIGITS_LIMIT:
        raise NotJson(f"an integer of more than {MAX_DIGITS} digits", _named(path))
    return item


def _finite(item: float, path: tuple[str, ...]) -> float:
    if not math.isfinite(item):
        raise NotJson(f"`{item}` is no JSON number", _named(path))
    return item


def _named(path: tuple[str, ...]) -> str:
    return ".".join(path) or "."
