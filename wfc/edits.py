"""RFC 6902 patches on JSON values: what a fix is made of. A patch is applied to a copy, as a whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wfc.ir import copy, equal
from wfc.source import lookup, pointer_parts


class PatchFault(ValueError):
    """An operation that does not apply: a `test` that fails, a place that is not there, an unknown operation."""


def apply_patch(value: Any, patch: Iterable[Mapping[str, Any]]) -> Any:
    """The value after all operations (add, remove, replace, move, test); raises `PatchFault` and changes nothing."""
    box = {"": copy(value)}
    for operation in patch:
        _apply(box, operation)
    return box[""]


def _apply(box: dict[str, Any], operation: Mapping[str, Any]) -> None:
    path = ("", *pointer_parts(operation["path"]))
    match operation["op"]:
        case "test":
            if not equal(_at(box, path), operation["value"]):
                raise PatchFault(f"`{operation['path']}` holds another value than the patch expects")
        case "add":
            _add(box, path, copy(operation["value"]))
        case "replace":
            _replace(box, path, copy(operation["value"]))
        case "remove":
            _remove(box, path)
        case "move":
            moved = _remove(box, ("", *pointer_parts(operation["from"])))
            _add(box, path, moved)
        case other:
            raise PatchFault(f"`{other}` is no operation of a fix")


def _at(box: dict[str, Any], path: tuple[str, ...]) -> Any:
    found, reached = lookup(box, path)
    if reached != path:
        raise PatchFault(f"`{'/'.join(path)}` is not there")
    return found


def _add(box: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    holder, last = _at(box, path[:-1]), path[-1]
    if isinstance(holder, dict):
        holder[last] = value
    elif isinstance(holder, list) and (last == "-" or (last.isdigit() and int(last) <= len(holder))):
        holder.insert(len(holder) if last == "-" else int(last), value)
    else:
        raise PatchFault(f"nothing can be added at `{'/'.join(path)}`")


def _replace(box: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    _at(box, path)
    holder, last = _at(box, path[:-1]), path[-1]
    holder[int(last) if isinstance(holder, list) else last] = value


def _remove(box: dict[str, Any], path: tuple[str, ...]) -> Any:
    _at(box, path)
    holder, last = _at(box, path[:-1]), path[-1]
    return holder.pop(int(last)) if isinstance(holder, list) else holder.pop(last)
