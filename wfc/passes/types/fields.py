"""The fields of the objects of a type, by name."""

from __future__ import annotations

from wfc.passes import types
from wfc.passes.types import NOTHING, Type, Verdict
from wfc.passes.types.shapes import objects_of

OBJECT = types.of({"type": "object"})


def known_fields(type: Type) -> tuple[str, ...]:
    """The fields that the objects of a type may have by name."""
    names = dict.fromkeys(name for each in objects_of(type) for name in (*each.required, *each.by_name))
    return tuple(name for name in names if types.field(type, name).type is not NOTHING)


def required_fields(type: Type) -> tuple[str, ...]:
    """The fields that all objects of a type have."""
    names = dict.fromkeys(name for each in objects_of(type) for name in each.required)
    return tuple(name for name in names if types.field(type, name).presence is Verdict.ALWAYS)


def lists_fields(type: Type) -> bool:
    """Whether a schema lists what fields there are; an empty list is none."""
    return any(each.listed for each in objects_of(type))
