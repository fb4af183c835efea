"""From JSON to what a type hint asks for: dataclasses, enums and pydantic models are made, all else stays as it is."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from wfc.nodes.hints import resolved
from wfc.nodes.models import is_model

Reader = Callable[[Any], Any]


def reader_of(hint: Any) -> Reader:
    """What makes a Python value of a JSON value that fits the schema of the hint."""
    return _reader(hint) or _same


def _same(value: Any) -> Any:
    return value


def _reader(hint: Any) -> Reader | None:
    """The reader of a hint; none where the JSON value is the Python value."""
    if isinstance(hint, typing.NewType):
        return _reader(hint.__supertype__)
    if isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
        return _class_reader(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Annotated, typing.Required, typing.NotRequired):
        return _reader(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return _union_reader(arguments)
    if origin is tuple:
        return _tuple_reader(arguments)
    if origin is typing.Literal or not arguments:
        return _reader(hint.__value__) if hasattr(hint, "__value__") else None
    inner = _reader(arguments[-1])
    if inner is None:
        return None
    if len(arguments) == 2:
        return lambda value: {key: inner(item) for key, item in value.items()}
    return lambda value: [inner(item) for item in value]


@cache
def _class_reader(hint: Any) -> Reader | None:
    if is_model(hint):
        made: Reader = hint.model_validate
        return made
    if issubclass(hint, enum.Enum):
        return partial(hint)
    if dataclasses.is_dataclass(hint):
        return _dataclass_reader(hint)
    return None


def _dataclass_reader(hint: Any) -> Reader:
    # The readers of the fields are made when they are first needed: a class may hold itself.
    readers: dict[str, Reader] = {}

    def read(value: Any) -> Any:
        if not readers:
            hints = resolved(hint)
            readers.update({one.name: reader_of(hints[one.name]) for one in dataclasses.fields(hint) if one.init})
        return hint(**{name: reader(value[name]) for name, reader in readers.items() if name in value})

    return read


def _tuple_reader(arguments: tuple[Any, ...]) -> Reader:
    if len(arguments) == 2 and arguments[1] is ...:
        each = reader_of(arguments[0])
        return lambda value: tuple(each(item) for item in value)
    readers = [reader_of(one) for one in arguments]
    return lambda value: tuple(read(item) for read, item in zip(readers, value, strict=True))


def _union_reader(arguments: tuple[Any, ...]) -> Reader | None:
    """The first alternative that can be made of a value; those that stay as they are come last."""
    readers = [read for read in map(_reader, arguments) if read is not None]
    if not readers:
        return None

    def read(value: Any) -> Any:
        for reader in readers:
            try:
                return reader(value)
            except (TypeError, ValueError, AttributeError, KeyError):
                continue
        return value

    return read
