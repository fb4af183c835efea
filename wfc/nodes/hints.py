"""JSON Schemas that Python type hints mean.

Guarantees: the same hint always gives the same schema, with nothing in it that only names a class; nested types stand
where they are used, so that a reducer or a default in them counts (reference 1.6), and only a type that holds itself
stands in `$defs`. pydantic is never imported here: a model brings its schema along.
"""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections import abc
from collections.abc import Callable, Mapping
from typing import Any

from wfc.ir import NotJson, copy, to_json
from wfc.nodes.models import is_model, model_schema

Schema = Any
_PLAIN: Mapping[Any, Schema] = {
    Any: {},
    object: {},
    None: {"type": "null"},
    type(None): {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    dict: {"type": "object"},
    list: {"type": "array"},
    tuple: {"type": "array"},
}
_ARRAYS = (list, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection)
_OBJECTS = (dict, abc.Mapping, abc.MutableMapping)
_EXPECTED = "expected a JSON type, a list, a dict of strings, a Literal, an Enum, a dataclass, or a pydantic model"


class HintFault(ValueError):
    """A type hint that means no JSON Schema."""


def schema_of(hint: Any) -> Schema:
    """The schema of a type hint: JSON types, containers, unions, literals, enums, dataclasses, TypedDicts, models.

    Raises `HintFault` for a hint whose values are no JSON.
    """
    writer = _Writer({}, [], {})
    schema = writer.schema(hint)
    return {**schema, "$defs": writer.definitions} if writer.definitions else schema


class _Writer:
    """One schema under way: `open` are the types that it is inside of; those met again there become definitions."""

    def __init__(self, names: dict[Any, str], open: list[Any], definitions: dict[str, Schema]) -> None:
        self.names = names
        self.open = open
        self.definitions = definitions

    def schema(self, hint: Any) -> Schema:
        plain = _PLAIN.get(hint) if isinstance(hint, abc.Hashable) else None
        if plain is not None:
            return dict(plain)
        if isinstance(hint, typing.NewType):
            return self.schema(hint.__supertype__)
        if isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
            return self._class(hint)
        return self._generic(hint)

    def _generic(self, hint: Any) -> Schema:
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated:
            return _annotated(self.schema(arguments[0]), arguments[1:])
        if origin is typing.Literal:
            return _one_of(list(arguments), hint)
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.schema(one) for one in arguments]}
        if origin is tuple:
            return self._tuple(arguments)
        if origin in _ARRAYS:
            return {"type": "array", "items": self.schema(arguments[0])}
        if origin in _OBJECTS and arguments[0] is str:
            return {"type": "object", "additionalProperties": self.schema(arguments[1])}
        if origin in (typing.Required, typing.NotRequired):
            return self.schema(arguments[0])
        if hasattr(hint, "__value__"):
            return self.schema(hint.__value__)
        raise HintFault(f"`{_named(hint)}` means no JSON Schema; {_EXPECTED}")

    def _tuple(self, arguments: tuple[Any, ...]) -> Schema:
        if len(arguments) == 2 and arguments[1] is ...:
            return {"type": "array", "items": self.schema(arguments[0])}
        size = len(arguments)
        return {
            "type": "array",
            "prefixItems": [self.schema(one) for one in arguments],
            "minItems": size,
            "maxItems": size,
        }

    def _class(self, hint: type) -> Schema:
        if is_model(hint):
            return model_schema(hint)
        if issubclass(hint, enum.Enum):
            return _one_of([member.value for member in hint], hint)
        if dataclasses.is_dataclass(hint):
            return self._record(hint, _dataclass_fields)
        if typing.is_typeddict(hint):
            return self._record(hint, _typed_dict_fields)
        if hint in _ARRAYS:
            return {"type": "array"}
        if hint in _OBJECTS:
            return {"type": "object"}
        raise HintFault(f"`{_named(hint)}` means no JSON Schema; {_EXPECTED}")

    def _record(self, hint: type, fields_of: Callable[[type], list[_Field]]) -> Schema:
        if hint in self.open:
            self.names.setdefault(hint, hint.__name__)
            return {"$ref": f"#/$defs/{self.names[hint]}"}
        self.open.append(hint)
        fields = fields_of(hint)
        made: dict[str, Any] = {"type": "object"}
        made["properties"] = {one.name: with_default(self.schema(one.hint), one.default) for one in fields}
        required = [one.name for one in fields if one.required]
        if required:
            made["required"] = required
        self.open.pop()
        if hint in self.names:
            self.definitions[self.names[hint]] = made
            return {"$ref": f"#/$defs/{self.names[hint]}"}
        return made


NO_DEFAULT: Any = object()


@dataclasses.dataclass(frozen=True, slots=True)
class _Field:
    name: str
    hint: Any
    required: bool
    default: Any = NO_DEFAULT


def _dataclass_fields(hint: type) -> list[_Field]:
    hints = resolved(hint)
    found = []
    for one in dataclasses.fields(hint):
        if not one.init:
            continue
        default = one.default if one.default is not dataclasses.MISSING else NO_DEFAULT
        has_default = default is not NO_DEFAULT or one.default_factory is not dataclasses.MISSING
        if one.default_factory in (list, dict):
            default = one.default_factory()
        found.append(_Field(one.name, hints[one.name], not has_default, default))
    return found


def _typed_dict_fields(hint: Any) -> list[_Field]:
    return [_Field(name, of, name in hint.__required_keys__) for name, of in resolved(hint).items()]


def resolved(what: Any, names: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The type hints of a function or class; `names` are further names that they may use. Raises `HintFault`."""
    try:
        return typing.get_type_hints(what, localns=None if names is None else dict(names), include_extras=True)
    except (NameError, TypeError) as wrong:
        raise HintFault(f"the type hints of `{what.__name__}` cannot be read: {wrong}") from None


def with_default(schema: Schema, default: Any) -> Schema:
    """The schema with a default, where that is a JSON value."""
    if default is NO_DEFAULT:
        return schema
    try:
        return {**schema, "default": to_json(default.value if isinstance(default, enum.Enum) else default)}
    except NotJson:
        return schema


def _annotated(schema: Schema, remarks: tuple[Any, ...]) -> Schema:
    """A schema with what the remarks of `Annotated` add to it; those of other libraries say nothing here."""
    for remark in remarks:
        added = getattr(remark, "schema_keys", None)
        if callable(added):
            schema = {**schema, **added()}
    return schema


def _one_of(values: list[Any], hint: Any) -> Schema:
    try:
        plain = [copy(to_json(value.value if isinstance(value, enum.Enum) else value)) for value in values]
    except NotJson as wrong:
        raise HintFault(f"`{_named(hint)}` holds what is no JSON: {wrong}") from None
    return {"const": plain[0]} if len(plain) == 1 else {"enum": plain}


def _named(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint)
