"""The state as one lineage sees it: what its parent had when it began, overlaid with its own writes.

Guarantees, each of which the machine leans on:

- a value that was read is never changed afterwards, so payloads and traces may hold it without a copy;
- what the parent had is never changed by a child: a write copies the objects on its way, once, and owns the copies;
- adding to an array costs what is added, however long the array: added elements wait in `_grown` until somebody reads.

`log` holds the writes in order, to be handed outward at the barrier; the root of a scope has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wfc.paths import Parts, overlap
from wfc.vm.fault import MISSING

if TYPE_CHECKING:
    from wfc.vm.plans import Plan

# Which containers are ours to change, as a tree: a key is there when the container under it is.
_Owned = dict[str, Any]


class Lineage:
    """State, and the writes that its parent has not seen yet."""

    __slots__ = ("_above", "_grown", "_owned", "_root", "log")

    def __init__(
        self,
        root: dict[str, Any],
        above: Lineage | None = None,
        *,
        logged: bool = False,
    ) -> None:
        self._root = root
        self._above = above
        self._owned: _Owned | None = None
        self._grown: dict[Parts, list[Any]] = {}
        self.log: list[tuple[Plan, Any]] | None = [] if logged else None

    def branch(self) -> Lineage:
        """A lineage that begins with what this one sees now. While it lives, nothing is written here."""
        self._settle(())
        return Lineage(self._root, self, logged=True)

    def adopt(self, staged: Lineage) -> None:
        """Take over what was staged on a branch of this lineage."""
        staged._settle(())
        self._root, self._owned = staged._root, staged._owned
        self._grown = {}

    def read(self, parts: Parts) -> Any:
        """The value of a path, or `MISSING`; from now on it may be held by others."""
        value = self.peek(parts)
        if isinstance(value, (dict, list)):
            self._disown(parts)
        return value

    def peek(self, parts: Parts) -> Any:
        """The value of a path, or `MISSING`, for looking at only."""
        if self._grown:
            self._settle(parts)
        return self.bare(parts)

    def bare(self, parts: Parts) -> Any:
        """Like `peek`, but an array may still lack the elements that were added to it."""
        value: Any = self._root
        for part in parts:
            if not isinstance(value, dict) or part not in value:
                return MISSING
            value = value[part]
        return value

    def obstacle(self, parts: Parts) -> Parts | None:
        """The place above `parts` that holds something other than an object, if there is one."""
        value: Any = self._root
        for depth, part in enumerate(parts):
            if not isinstance(value, dict):
                return parts[:depth]
            value = value.get(part, MISSING)
            if value is MISSING:
                return None
        return None

    def put(self, parts: Parts, value: Any) -> None:
        """Replace the value of a path; missing parents are created."""
        for grown in [key for key in self._grown if key[: len(parts)] == parts]:
            del self._grown[grown]
        holder, owned = self._own(parts[:-1])
        holder[parts[-1]] = value
        owned.pop(parts[-1], None)

    def grow(self, parts: Parts, elements: list[Any]) -> None:
        """Add elements at the end of the array that is there."""
        waiting = self._grown.get(parts)
        if waiting is None:
            self._grown[parts] = list(elements)
        else:
            waiting.extend(elements)

    def add(self, parts: Parts, element: Any) -> bool:
        """Add one element to the array under a key of the state; false when there is none."""
        waiting = self._grown.get(parts)
        if waiting is not None:
            waiting.append(element)
            return True
        (key,) = parts
        present = self._root.get(key)
        if present.__class__ is not list:
            return False
        if self._owned and key in self._owned:
            present.append(element)
        elif self.log is not None:
            # Most lineages end before anybody reads what they add to an array of their parent: it is not copied.
            self._grown[parts] = [element]
        else:
            holder, owned = self._own(())
            holder[key], owned[key] = [*present, element], {}
        return True

    def _settle(self, parts: Parts) -> None:
        """Give every array that overlaps `parts` the elements that were added to it."""
        for key in [key for key in self._grown if overlap(key, parts)]:
            elements = self._grown.pop(key)
            holder, owned = self._own(key[:-1])
            if key[-1] in owned:
                holder[key[-1]].extend(elements)
            else:
                holder[key[-1]] = holder[key[-1]] + elements
                owned[key[-1]] = {}

    def _own(self, parts: Parts) -> tuple[dict[str, Any], _Owned]:
        """The object at `parts`, ours to change, and the tree of what is owned below it."""
        if self._owned is None:
            self._root, self._owned = self._root.copy(), {}
        holder, owned = self._root, self._owned
        for part in parts:
            if part not in owned:
                present = holder.get(part)
                holder[part] = {} if present is None else present.copy()
                owned[part] = {}
            holder, owned = holder[part], owned[part]
        return holder, owned

    def _disown(self, parts: Parts) -> None:
        """Forget that we own what is at and below `parts`: here, and wherever it may have come from."""
        lineage: Lineage | None = self
        while lineage is not None:
            lineage._release(parts)
            lineage = lineage._above

    def _release(self, parts: Parts) -> None:
        owned = self._owned
        if not parts:
            self._owned = None
            return
        for part in parts[:-1]:
            owned = owned.get(part) if owned else None
        if owned:
            owned.pop(parts[-1], None)
