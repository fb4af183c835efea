"""The annotations of the program's classes as data, from which every form of a program follows.

A shape says what may stand in a field. `codec` writes and reads JSON by it, `assembly` text, `verifier` walks by it; so
a new instruction needs no case in any of them. Shapes nest only as deep as the classes do, never as deep as user data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin

from wfc.diagnostics import InternalError
from wfc.ir.conditions import Every, Operand, Some
from wfc.paths import GraphSourcePath, LocalPath, StatePath
from wfc.records import dataclass, fields, replace

_PATHS = (GraphSourcePath, LocalPath, StatePath)

# In the language these two are words that Python keeps for itself (reference 1.8).
_TAGS: Mapping[type, str] = {Every: "and", Some: "or"}


@dataclass(frozen=True, slots=True)
class Text:
    """A string; where `allowed` is not empty, one of these."""

    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Number:
    """A number, no boolean. `types` are the Python types that it may have."""

    types: tuple[type, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """What names a part of the program: `to` is the annotation's name, `Label`, `SchemaIndex` or `RoutineIndex`."""

    to: str
    type: type


@dataclass(frozen=True, slots=True)
class Json:
    """Any JSON value of the author's."""


@dataclass(frozen=True, slots=True)
class Path:
    """A path of one kind."""

    type: type[GraphSourcePath | LocalPath | StatePath]


@dataclass(frozen=True, slots=True)
class Source:
    """A graph source path, or a literal in a `Value`."""


@dataclass(frozen=True, slots=True)
class Many:
    """A tuple of any length."""

    item: Shape


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping with strings as keys; its order has no meaning."""

    item: Shape


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record. An optional one is left out where it is none; `absent` is what a left-out one holds."""

    name: str
    shape: Shape
    optional: bool
    absent: Any


@dataclass(frozen=True, slots=True)
class Record:
    """An instance of a class. `tag` tells it from others of a choice; none where a field of it, `op`, does that."""

    type: type
    tag: str | None
    fields: tuple[Field, ...]

    @property
    def word(self) -> str:
        return self.tag or snake(self.type.__name__)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several records, by tag."""

    records: Mapping[str, Record]
    by_type: Mapping[type, Record]


Shape = Text | Number | Reference | Json | Path | Source | Many | Table | Record | Choice


def snake(name: str) -> str:
    """`EnterForeach` as `enter_foreach`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@cache
def shape_of(type_: type) -> Record:
    """The shape of a class of the program."""
    # What does not count in a comparison is no part of the meaning, and in no form.
    return Record(type_, None, tuple(_field(item, item.type) for item in fields(type_) if item.compare))


def _field(field: Any, annotation: Any) -> Field:
    optional = get_origin(annotation) in (Union, UnionType) and NoneType in get_args(annotation)
    shape = _shape(_without_none(annotation) if optional else annotation)
    return Field(field.name, shape, optional, _absent(field, shape, optional))


def _absent(field: Any, shape: Shape, optional: bool) -> Any:
    if field.has_default:
        return field.value
    if isinstance(shape, Many) and not optional:
        return ()
    return {} if isinstance(shape, Table) and not optional else None


def _without_none(annotation: Any) -> Any:
    return Union[tuple(part for part in get_args(annotation) if part is not NoneType)]  # noqa: UP007


def _shape(annotation: Any) -> Shape:
    if isinstance(annotation, NewType):
        return Reference(annotation.__name__, str if annotation.__supertype__ is str else int)
    if annotation is Any:
        return Json()
    if annotation is str:
        return Text()
    if annotation in _PATHS:
        return Path(annotation)
    if isinstance(annotation, type) and hasattr(annotation, "__record_fields__"):
        return shape_of(annotation)
    return _compound(annotation, get_origin(annotation), get_args(annotation))


def _compound(annotation: Any, origin: Any, parts: tuple[Any, ...]) -> Shape:
    if origin is Literal:
        return Text(parts)
    if origin is tuple and parts[1:] == (...,):
        return Many(_shape(parts[0]))
    if origin is Mapping:
        return Table(_shape(parts[1]))
    if annotation == Operand:
        return Source()
    if annotation is int or set(parts) == {int, float}:
        return Number(parts or (int,))
    if origin in (Union, UnionType):
        return _choice(parts)
    raise InternalError(f"no form is known for the annotation `{annotation}`")


def _choice(types: tuple[type, ...]) -> Choice:
    """Records told apart by the name of their class, or by the values that their own field `op` may have."""
    records: dict[str, Record] = {}
    by_type: dict[type, Record] = {}
    for type_ in types:
        own = get_args(type_.__annotations__.get("op"))
        tag = None if own else _TAGS.get(type_) or snake(type_.__name__)
        by_type[type_] = replace(shape_of(type_), tag=tag)
        records |= dict.fromkeys(own or (tag,), by_type[type_])
    return Choice(records, by_type)


def references(shape: Shape, value: Any) -> Iterator[tuple[str, Any]]:
    """Every label and index in a value: the annotation's name and what is referred to."""
    match shape:
        case Reference():
            yield shape.to, value
        case Record():
            for field in shape.fields:
                item = getattr(value, field.name)
                if item is not None:
                    yield from references(field.shape, item)
        case Choice():
            yield from references(shape.by_type[type(value)], value)
        case Many():
            for item in value:
                yield from references(shape.item, item)
        case Table():
            for item in value.values():
                yield from references(shape.item, item)
