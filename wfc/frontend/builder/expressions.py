"""Paths and values that can be compared: comparisons make the conditions of the language (reference 1.8).

    (state_path("count") > 3) & state_path("draft").exists()

What is made here stands in a document; nothing is compared when it is written.
"""

from __future__ import annotations

from typing import Any, NoReturn

from wfc.frontend.builder.written import Written, plain
from wfc.paths import GraphSourcePath, StatePath
from wfc.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Expr(Written):
    """A condition. `&`, `|` and `~` make further ones of it."""

    def __and__(self, other: Expr) -> Expr:
        return Expr({"op": "and", "args": [*self._args("and"), _condition(other)]})

    def __or__(self, other: Expr) -> Expr:
        return Expr({"op": "or", "args": [*self._args("or"), _condition(other)]})

    def __invert__(self) -> Expr:
        return Expr({"op": "not", "arg": self})

    def __bool__(self) -> NoReturn:
        raise TypeError("a condition is decided when the workflow runs; combine conditions with `&`, `|` and `~`")

    def _args(self, op: str) -> list[Any]:
        """What stands beside a further argument: `a & b & c` is one conjunction of three."""
        chained = type(self) is Expr and self.inside.get("op") == op and self.inside.get("args")
        return list(chained) if chained else [self]


@dataclass(frozen=True, slots=True, eq=False)
class _Group(Expr):
    """A conjunction or disjunction that stays one when something is added to it."""


@dataclass(frozen=True, slots=True, eq=False)
class Operand(Written):
    """One side of a comparison: a path or a value."""

    def eq(self, other: Any) -> Expr:
        return self._compared("eq", other)

    def ne(self, other: Any) -> Expr:
        return self._compared("ne", other)

    def lt(self, other: Any) -> Expr:
        return self._compared("lt", other)

    def le(self, other: Any) -> Expr:
        return self._compared("le", other)

    def gt(self, other: Any) -> Expr:
        return self._compared("gt", other)

    def ge(self, other: Any) -> Expr:
        return self._compared("ge", other)

    def __eq__(self, other: object) -> Expr:  # type: ignore[override]
        return self._compared("eq", other)

    def __ne__(self, other: object) -> Expr:  # type: ignore[override]
        return self._compared("ne", other)

    def __lt__(self, other: Any) -> Expr:
        return self._compared("lt", other)

    def __le__(self, other: Any) -> Expr:
        return self._compared("le", other)

    def __gt__(self, other: Any) -> Expr:
        return self._compared("gt", other)

    def __ge__(self, other: Any) -> Expr:
        return self._compared("ge", other)

    __hash__ = object.__hash__

    def _compared(self, op: str, other: Any) -> Expr:
        return Expr({"op": op, "left": self, "right": operand(other)})


@dataclass(frozen=True, slots=True, eq=False)
class PathExpr(Operand):
    """A place that a step reads, and in state a place that it writes."""

    @property
    def path(self) -> GraphSourcePath:
        return GraphSourcePath.parse(self.inside["path"])

    @property
    def state(self) -> StatePath:
        """The same place to write. Raises `PathError` where it is none."""
        return StatePath.parse(self.inside["path"])

    def exists(self) -> Expr:
        """Whether there is something, be it null."""
        return Expr({"op": "exists", "path": self.text})

    @property
    def text(self) -> Written:
        """The path as it stands in a document."""
        return Written(self.inside["path"], self.call)

    def __str__(self) -> str:
        return str(self.inside["path"])

    __hash__ = object.__hash__


def input_path(*fragments: str) -> PathExpr:
    """A place in the run's input; without fragments all of it. Raises `PathError`."""
    return _path(GraphSourcePath.input(*fragments))


def state_path(*fragments: str) -> PathExpr:
    """A place in state: `state_path("person.name")` or `state_path("person", "name")`. Raises `PathError`."""
    return _path(GraphSourcePath.state(*fragments))


def context_path(*fragments: str) -> PathExpr:
    """A place in the context of the frame, such as a loop's item. Raises `PathError`."""
    return _path(GraphSourcePath.context(*fragments))


def _path(path: GraphSourcePath) -> PathExpr:
    return PathExpr({"path": str(path)})


def literal(value: Any) -> Operand:
    """A JSON value as the left side of a comparison; on the right side a value can stand by itself."""
    return Operand({"value": plain(value)})


def is_literal(given: Any) -> bool:
    return isinstance(given, Operand) and not isinstance(given, PathExpr)


def exists(path: PathExpr | GraphSourcePath | str) -> Expr:
    """Whether there is something at a path, be it null."""
    return Expr({"op": "exists", "path": read_path(path)})


def all_of(*conditions: Expr) -> Expr:
    """Whether every condition holds, looked at from the left; one list, however many there are."""
    return _Group({"op": "and", "args": [_condition(one) for one in conditions]})


def any_of(*conditions: Expr) -> Expr:
    """Whether some condition holds, looked at from the left."""
    return _Group({"op": "or", "args": [_condition(one) for one in conditions]})


def operand(given: Any) -> Any:
    """What stands on the right side of a comparison: a path, or a value of JSON."""
    if isinstance(given, Operand):
        return given
    if isinstance(given, GraphSourcePath):
        return {"path": str(given)}
    return {"value": plain(given)}


def read_path(given: Any) -> Any:
    """A path to read, as it stands in a document. Raises `TypeError` for what is none."""
    if isinstance(given, PathExpr):
        return given.text
    if isinstance(given, (GraphSourcePath, StatePath)):
        return str(given)
    if isinstance(given, (str, dict)):
        return plain(given)
    raise TypeError(f"{given!r} is no path to read; expected {GraphSourcePath.kind}")


def _condition(given: Any) -> Any:
    if isinstance(given, (Expr, dict)):
        return given if isinstance(given, Expr) else plain(given)
    raise TypeError(f"{given!r} is no condition; expected a comparison of a path, such as `state_path('n') > 3`")


condition = _condition
