"""RFC 6902 patches on JSON values: what a fix is made of. A patch is applied as a whole or not at all.

Only what lies on the way to a change is copied, so that a small patch of a large document costs little; the value that
is given is never changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from wfc.ir import equal
from wfc.records import dataclass
from wfc.source import array_index, lookup, pointer_parts


class PatchFault(ValueError):
    """An operation that does not apply: a `test` that fails, a place that is not there, an unknown operation."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a patch does to a value: `taken` out, `put` in, or `set` in the place of what is there.

    `value` is what was taken or put, `whole` everything after it. A `move` is two changes, both `carried`. What stood
    where something is set, or put under a key that is there, is `old`.
    """

    act: Literal["taken", "put", "set"]
    path: tuple[str, ...]
    value: Any
    whole: Any
    old: Any = None
    carried: bool = False


def apply_patch(value: Any, patch: Iterable[Mapping[str, Any]]) -> Any:
    """The value after all operations (add, remove, replace, move, test); raises `PatchFault`."""
    for change in changes(value, patch):
        value = change.whole
    return value


def changes(value: Any, patch: Iterable[Mapping[str, Any]]) -> Iterator[Change]:
    """What the operations of a patch do, one after the other; raises `PatchFault` at the first that does not apply."""
    work = _Work({"": value}, {})
    for operation in patch:
        path = _parts(operation, "path")
        match operation.get("op"):
            case "test":
                work.test(path, operation)
            case "add":
                yield work.put(path, _given(operation))
            case "replace":
                yield work.set(path, _given(operation))
            case "remove":
                yield work.take(path)
            case "move":
                taken = work.take(_parts(operation, "from"), carried=True)
                yield taken
                yield work.put(path, taken.value, carried=True)
            case other:
                raise PatchFault(f"`{other}` is no operation of a fix")


def _parts(operation: Mapping[str, Any], key: str) -> tuple[str, ...]:
    try:
        return pointer_parts(operation[key])
    except (KeyError, ValueError, AttributeError):
        raise PatchFault(f"an operation has no JSON pointer in its `{key}`") from None


def _given(operation: Mapping[str, Any]) -> Any:
    if "value" not in operation:
        raise PatchFault(f"`{operation['op']}` has no `value`")
    return operation["value"]


@dataclass(frozen=True, slots=True)
class _Work:
    """A value in the making, under the empty key of a box; `own` are the containers that are copies already."""

    box: dict[str, Any]
    own: dict[int, Any]

    def test(self, path: tuple[str, ...], operation: Mapping[str, Any]) -> None:
        found, reached = lookup(self.box[""], path)
        if reached != path or not equal(found, _given(operation)):
            raise PatchFault(f"`{operation['path']}` holds another value than the patch expects")

    def put(self, path: tuple[str, ...], value: Any, *, carried: bool = False) -> Change:
        holder, last = self._holder(path)
        old = None
        if isinstance(holder, dict):
            old, holder[last] = holder.get(last), value
        else:
            index = _insertion(holder, last)
            if index is None:
                raise PatchFault(f"nothing can be added at `{_shown(path)}`")
            holder.insert(index, value)
        return Change("put", path, value, self.box[""], old, carried)

    def set(self, path: tuple[str, ...], value: Any) -> Change:
        holder, key = self._there(path)
        old, holder[key] = holder[key], value
        return Change("set", path, value, self.box[""], old)

    def take(self, path: tuple[str, ...], *, carried: bool = False) -> Change:
        if not path:
            raise PatchFault("the whole document cannot be taken out")
        holder, key = self._there(path)
        return Change("taken", path, holder.pop(key), self.box[""], None, carried)

    def _there(self, path: tuple[str, ...]) -> tuple[Any, Any]:
        """The container of something that is there, to be changed, and its key or index in it."""
        if lookup(self.box[""], path)[1] != path:
            raise PatchFault(f"`{_shown(path)}` is not there")
        holder, last = self._holder(path)
        return holder, int(last) if isinstance(holder, list) else last

    def _holder(self, path: tuple[str, ...]) -> tuple[Any, str]:
        """The container at the end of a path but for its last part, as a copy of our own; and the last part."""
        holder: Any = self.box
        way = ("", *path)
        for part in way[:-1]:
            inner, reached = lookup(holder, (part,))
            if not reached:
                raise PatchFault(f"`{_shown(path[:-1])}` is not there")
            if isinstance(inner, (dict, list)) and id(inner) not in self.own:
                inner = inner.copy()
                self.own[id(inner)] = inner
                holder[int(part) if isinstance(holder, list) else part] = inner
            holder = inner
        return holder, way[-1]


def _insertion(holder: Any, last: str) -> int | None:
    if not isinstance(holder, list):
        return None
    index = len(holder) if last == "-" else array_index(last)
    return index if index is not None and index <= len(holder) else None


def _shown(path: tuple[str, ...]) -> str:
    return "/".join(("", *path))
