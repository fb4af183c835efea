"""The three kinds of path, each a value that can only hold well-formed segments.

Reference 1.5. A graph source path reads (`input`, `state`, `context`), a state path names a place to write, a local
path lives inside one payload. Whether a well-formed path is legal in a workflow is a question for a pass.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, Self

from wfc.records import dataclass

_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_SEGMENT = re.compile(rf"{_NAME}\Z")
# The segments of a path, without its root.
Parts = tuple[str, ...]
GRAPH_ROOTS = ("input", "state", "context")


class PathError(ValueError):
    """A path that does not parse, or whose root is of another kind than its place asks for.

    `wrong_root` is true when every segment is well formed and only the root is out of place.
    """

    def __init__(self, message: str, *, wrong_root: bool = False) -> None:
        super().__init__(message)
        self.wrong_root = wrong_root


def _segments(parts: tuple[str, ...], written: str, kind: str) -> tuple[str, ...]:
    """The parts themselves when each is a segment; the one segment rule of the language (reference 1.5)."""
    for part in parts:
        if not isinstance(part, str) or _SEGMENT.match(part) is None:
            raise PathError(f"`{part}` in `{written}` is no path segment; expected {kind}")
    return parts


def _dotted(base: str, parts: tuple[str, ...]) -> str:
    return ".".join((base, *parts))


def _flatten(fragments: tuple[str, ...], kind: str) -> tuple[str, ...]:
    parts: list[str] = []
    for fragment in fragments:
        if not isinstance(fragment, str) or not fragment:
            raise PathError(f"an empty fragment is no path; expected {kind}")
        parts += fragment.split(".")
    return _segments(tuple(parts), ".".join(fragments), kind)


def _structural(written: dict[str, Any], kind: str) -> tuple[str, tuple[str, ...]]:
    parts = written.get("parts")
    if set(written) != {"root", "parts"} or not isinstance(parts, list) or not isinstance(written["root"], str):
        raise PathError(f"a structural path has exactly `root` and `parts`; expected {kind}")
    return written["root"], _segments(tuple(parts), ".".join(map(str, parts)), kind)


class _Field:
    """How pydantic takes a path as the type of a field: a path or one of its written forms, told as a string."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(
            cls.parse,  # type: ignore[attr-defined]
            serialization=core_schema.plain_serializer_function_ser_schema(str),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        return {"type": "string", "pattern": cls.pattern, "description": cls.kind}  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class LocalPath(_Field):
    """A place inside one payload; no parts means the whole payload, written `.`."""

    parts: tuple[str, ...] = ()
    pattern: ClassVar[str] = rf"^(\.|{_NAME}(\.{_NAME})*)$"
    kind: ClassVar[str] = "a local path such as `user.name`, or `.` for the whole payload"

    @classmethod
    def root(cls) -> Self:
        return cls(())

    @classmethod
    def of(cls, *fragments: str) -> Self:
        """A path from dotted fragments: `of("a.b", "c")` has the parts a, b, c. Raises `PathError`."""
        return cls.root() if fragments == (".",) else cls(_flatten(fragments, cls.kind))

    @classmethod
    def parse(cls, written: object) -> Self:
        """Read the string or the structural form. Raises `PathError` naming what was expected."""
        if isinstance(written, LocalPath):
            return cls(written.parts)
        if isinstance(written, dict):
            root, parts = _structural(written, cls.kind)
            if root != "local":
                raise PathError(f"root `{root}` is not `local`; expected {cls.kind}", wrong_root=True)
            return cls(parts)
        if not isinstance(written, str):
            raise PathError(f"a path is a string or an object; expected {cls.kind}")
        return cls.root() if written == "." else cls(_segments(tuple(written.split(".")), written, cls.kind))

    def to_json(self) -> dict[str, Any]:
        return {"root": "local", "parts": list(self.parts)}

    def __str__(self) -> str:
        return ".".join(self.parts) or "."


@dataclass(frozen=True, slots=True)
class GraphSourcePath(_Field):
    """A place that a step reads: a root of `input`, `state`, `context` and the segments below it."""

    base: str
    parts: tuple[str, ...] = ()
    pattern: ClassVar[str] = rf"^(input|state|context)(\.{_NAME})*$"
    kind: ClassVar[str] = "a graph source path such as `input.name`, `state.name` or `context.loop_item`"

    @classmethod
    def input(cls, *fragments: str) -> Self:
        return cls("input", _flatten(fragments, cls.kind))

    @classmethod
    def state(cls, *fragments: str) -> Self:
        return cls("state", _flatten(fragments, cls.kind))

    @classmethod
    def context(cls, *fragments: str) -> Self:
        return cls("context", _flatten(fragments, cls.kind))

    @classmethod
    def parse(cls, written: object) -> Self:
        """Read the string or the structural form. Raises `PathError` naming what was expected."""
        if isinstance(written, GraphSourcePath):
            return cls(written.base, written.parts)
        base, parts = _rooted(written, cls.kind)
        if base not in GRAPH_ROOTS:
            raise PathError(f"`{_dotted(base, parts)}` begins with no graph root; expected {cls.kind}", wrong_root=True)
        return cls(base, parts)

    def to_json(self) -> dict[str, Any]:
        return {"root": self.base, "parts": list(self.parts)}

    def __str__(self) -> str:
        return _dotted(self.base, self.parts)


@dataclass(frozen=True, slots=True)
class StatePath(_Field):
    """A place in workflow state that a step writes; never the whole state."""

    parts: tuple[str, ...]
    pattern: ClassVar[str] = rf"^state(\.{_NAME})+$"
    kind: ClassVar[str] = "a state path such as `state.name`"

    def __post_init__(self) -> None:
        if not self.parts:
            raise PathError(f"bare `state` is no place to write; expected {self.kind}", wrong_root=True)

    @classmethod
    def of(cls, *fragments: str) -> Self:
        """A path from dotted fragments without the `state.` prefix. Raises `PathError`."""
        return cls(_flatten(fragments, cls.kind))

    @classmethod
    def parse(cls, written: object) -> Self:
        """Read the string or the structural form. Raises `PathError` naming what was expected."""
        if isinstance(written, StatePath):
            return cls(written.parts)
        base, parts = _rooted(written, cls.kind)
        if base != "state":
            raise PathError(f"`{_dotted(base, parts)}` does not lead into state; expected {cls.kind}", wrong_root=True)
        return cls(parts)

    def to_json(self) -> dict[str, Any]:
        return {"root": "state", "parts": list(self.parts)}

    def __str__(self) -> str:
        return _dotted("state", self.parts)


def _rooted(written: object, kind: str) -> tuple[str, tuple[str, ...]]:
    if isinstance(written, dict):
        return _structural(written, kind)
    if isinstance(written, (LocalPath, GraphSourcePath, StatePath)):
        raise PathError(f"`{written}` is of another kind; expected {kind}", wrong_root=True)
    if not isinstance(written, str):
        raise PathError(f"a path is a string or an object; expected {kind}")
    base, *parts = _segments(tuple(written.split(".")), written, kind)
    return base, tuple(parts)


def overlap(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Whether two paths of one kind are equal or one lies inside the other, by whole segments."""
    shorter = min(len(first), len(second))
    return first[:shorter] == second[:shorter]
