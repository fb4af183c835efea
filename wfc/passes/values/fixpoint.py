"""Values that need one another, worked out until nothing changes: on demand, each once, in order of rank.

Guarantees: a value that was handed out is final. Whatever is asked for later builds on it and never changes it, because
everything that it needs was worked out with it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from heapq import heappop, heappush
from typing import Any, Generic, TypeVar

from wfc.records import dataclass, field

Key = Hashable
T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Needing(Generic[T]):
    """Something that is told from the values of keys; `of` gives none while these are not known enough."""

    needs: Sequence[Key]
    of: Callable[[Sequence[Any]], T | None]

    def then(self, make: Callable[[T], U | None]) -> Needing[U]:
        """What is made out of this; at once where it needs nothing."""

        def of(values: Sequence[Any]) -> U | None:
            found = self.of(values)
            return None if found is None else make(found)

        if self.needs:
            return Needing(self.needs, of)
        told = of(())
        return Needing((), lambda values: told)


def known(value: T) -> Needing[T]:
    """Something that needs nothing."""
    return Needing((), lambda values: value)


def value_of(key: Key) -> Needing[Any]:
    """The value of a key."""
    return Needing((key,), lambda values: values[0])


def together(parts: Sequence[Needing[Any]]) -> Needing[list[Any]]:
    """All of some, none in the place of what is not known yet."""
    ends: list[int] = []
    needs: list[Key] = []
    for part in parts:
        needs += part.needs
        ends.append(len(needs))

    def of(values: Sequence[Any]) -> list[Any]:
        return [part.of(values[end - len(part.needs) : end]) for part, end in zip(parts, ends, strict=True)]

    return Needing(needs, of)


def every(parts: Sequence[Needing[Any]]) -> Needing[list[Any]]:
    """All of some, once all are known."""
    return together(parts).then(lambda found: None if any(each is None for each in found) else found)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to work a value out: in which order it stands to others, and what it is told from.

    `settle` makes the new value out of the one before, what is told now, and how often the value has changed; where a
    value goes round in a circle, it sees to it that this comes to an end.
    """

    rank: int
    told: Needing[Any]
    settle: Callable[[Any, Any, int], Any] | None = None


@dataclass(slots=True, eq=False)
class _Node:
    recipe: Recipe
    needs: list[_Node] = field(default_factory=list)
    users: list[_Node] = field(default_factory=list)
    value: Any = None
    changes: int = 0
    queued: bool = False


class Fixpoint:
    """The values of keys, by the recipes that `recipe` gives for them."""

    def __init__(self, recipe: Callable[[Any], Recipe]) -> None:
        self._recipe = recipe
        self._nodes: dict[Key, _Node] = {}
        self._queue: list[tuple[int, int, _Node]] = []
        self._pushed = 0

    def ask(self, question: Needing[T]) -> T | None:
        """The answer to a question; none where nothing is known of what it needs."""
        self.work_out(question.needs)
        return self.told(question)

    def told(self, question: Needing[T]) -> T | None:
        """The answer to a question of which all that it needs has been worked out."""
        return question.of([self._nodes[key].value for key in question.needs])

    def work_out(self, keys: Iterable[Key]) -> None:
        """Work out some keys and all that they need."""
        nodes = self._nodes
        waiting = [self._node(key) for key in dict.fromkeys(keys) if key not in nodes]
        while waiting:
            node = waiting.pop()
            if not node.recipe.told.needs:
                node.value = node.recipe.told.of(())
                continue
            for key in node.recipe.told.needs:
                needed = nodes.get(key)
                if needed is None:
                    needed = self._node(key)
                    waiting.append(needed)
                node.needs.append(needed)
                needed.users.append(node)
            self._push(node)
        while self._queue:
            node = heappop(self._queue)[2]
            node.queued = False
            if self._changes(node):
                for user in node.users:
                    self._push(user)

    def _changes(self, node: _Node) -> bool:
        """Work a value out again; true when it is another one now."""
        recipe, before = node.recipe, node.value
        value = recipe.told.of([needed.value for needed in node.needs])
        if value is None:
            return False
        if before is not None and recipe.settle is not None:
            value = recipe.settle(before, value, node.changes)
        if value is before or value == before:
            return False
        node.value = value
        node.changes += 1
        return True

    def _node(self, key: Key) -> _Node:
        node = self._nodes[key] = _Node(self._recipe(key))
        return node

    def _push(self, node: _Node) -> None:
        if not node.queued:
            node.queued = True
            self._pushed += 1
            heappush(self._queue, (node.recipe.rank, self._pushed, node))
