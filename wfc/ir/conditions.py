"""A condition as a flat list in which every operand stands before its operator, so that depth never costs recursion.

Reference 1.8. `{"op": "and", "args": [exists(a), not(eq(b, 1))]}` is the list of `Exists(a)`, `Compare(eq, b, 1)`,
`Not(1)` and `Every(0, 2)`: an operator names its operands by their index in the list, and the last entry is the
condition.
"""

from typing import Any, Literal

from wfc.paths import GraphSourcePath
from wfc.records import dataclass, field

COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
ORDERINGS = ("lt", "le", "gt", "ge")


@dataclass(frozen=True, slots=True)
class Value:
    """A JSON value written in the workflow."""

    value: Any


Operand = GraphSourcePath | Value


@dataclass(frozen=True, slots=True)
class Exists:
    """path → bool      Whether the path is there; a null is there."""

    path: GraphSourcePath


@dataclass(frozen=True, slots=True)
class Compare:
    """left, right → bool      JSON equality, or the order of two numbers or two strings."""

    op: Literal["eq", "ne", "lt", "le", "gt", "ge"]
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Not:
    """bool → bool      The opposite of the entry at `arg`."""

    arg: int


@dataclass(frozen=True, slots=True)
class Every:
    """bool… → bool      `and`: left to right, stops at the first false."""

    args: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """bool… → bool      `or`: left to right, stops at the first true."""

    args: tuple[int, ...]


Test = Exists | Compare | Not | Every | Some


@dataclass(frozen=True, slots=True)
class Condition:
    """The entries of a condition; the last one is its answer.

    `spots` gives for each entry the JSON pointer, below the condition, at which it was written; it is no part of the
    meaning, and a compiled program has none.
    """

    tests: tuple[Test, ...]
    spots: tuple[str, ...] = field(default=(), compare=False)
