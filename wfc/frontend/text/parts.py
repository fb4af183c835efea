"""A JSON value with the place of everything in it, in a text that says it in other words.

Guarantees: `value` is the plain JSON value, always up to date; what stands in a container can be looked up without
recursion.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Stretch = tuple[int, int]


class Part:
    """A value from `start` up to, and without, `end`; `inside` has the parts of a container, by key or index.

    A container without them is JSON as it stands in the text; one whose parts are fewer than its values says the
    rest as a whole. `key` is where the name of the part stands, where it has
    one. `mark` is what a type was written as, as far as that decides what several of them mean together.
    """

    __slots__ = ("end", "inside", "key", "mark", "start", "value")

    def __init__(self, value: Any, start: int, end: int, inside: Any = None, mark: str | None = None) -> None:
        self.value = value
        self.start = start
        self.end = end
        self.inside = inside
        self.mark = mark
        self.key: Stretch | None = None

    @property
    def stretch(self) -> Stretch:
        return self.start, self.end

    def put(self, key: str, part: Part, at: Stretch | None = None) -> None:
        """Add a value to an object, or put it in the place of another one."""
        if at is not None:
            part.key = at
        self.inside[key] = part
        self.value[key] = part.value

    def take(self, key: str) -> None:
        """Take a value out of an object, where it is there."""
        if key in self.inside:
            del self.inside[key], self.value[key]


def an_object(start: int, end: int, mark: str | None = None) -> Part:
    return Part({}, start, end, {}, mark)


def an_array(items: Iterable[Part], start: int, end: int) -> Part:
    parts = list(items)
    return Part([part.value for part in parts], start, end, parts)


def moved(part: Part, stretch: Stretch) -> Part:
    """The same value, said in one word: all of it stands where the word stands."""
    return Part(part.value, *stretch, {}, part.mark)
