"""What maps mean where lists are due: steps by their ids, bindings such as `{"folder": "input.folder"}`.

Guarantees: a map is read in one way or in none. The keys of bindings are targets and their values paths or literals, or
it is the other way round in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from wfc.frontend.unwrapping import unwrapped
from wfc.paths import GraphSourcePath, LocalPath, PathError, StatePath

_Kind = type[LocalPath] | type[GraphSourcePath] | type[StatePath]


def keyed(key: str) -> Callable[[dict[str, Any]], dict[str, Any] | None]:
    """How the objects of a map, which are called by its keys, stand in a list."""

    def entries(written: dict[str, Any]) -> dict[str, Any] | None:
        if not written or not all(isinstance(each, dict) and key not in each for each in written.values()):
            return None
        return {name: {key: name, **each} for name, each in written.items()}

    return entries


def mapped_names(written: dict[str, Any]) -> dict[str, Any] | None:
    """Names that stand as keys, with what each is for in words."""
    return {name: name for name in written} if all(isinstance(each, str) for each in written.values()) else None


def mapped_edges(written: dict[str, Any]) -> dict[str, Any] | None:
    """Edges by the steps that they leave, and below these by outcomes."""
    if not all(isinstance(each, dict) for each in written.values()):
        return None
    return {
        f"{source}/{outcome}": {"from": source, "outcome": outcome, "to": target}
        for source, targets in written.items()
        for outcome, target in targets.items()
    }


def mapped_inputs(written: dict[str, Any]) -> dict[str, Any] | None:
    """Input bindings: fields of the payload with what fills them, or paths with the fields that they fill."""
    if _all(GraphSourcePath, written) and _all(LocalPath, written.values()):
        return {key: {"target": value, "path": key} for key, value in written.items()}
    if not _all(LocalPath, written):
        return None
    return {key: {"target": key, **_source(value)} for key, value in written.items()}


def _source(value: Any) -> dict[str, Any]:
    if isinstance(value, dict) and len(value) == 1 and ("path" in value or "value" in value):
        return value
    path = unwrapped(value) if isinstance(value, str) else None
    return {"path": path} if path is not None and _is(GraphSourcePath, path) else {"value": value}


def mapped_outputs(written: dict[str, Any]) -> dict[str, Any] | None:
    """Output bindings: fields of the output with the state paths that they go to, or the other way round."""
    if _all(LocalPath, written) and _all(StatePath, written.values()):
        return {key: {"source": key, "target": value} for key, value in written.items()}
    if _all(StatePath, written) and _all(LocalPath, written.values()):
        return {key: {"source": value, "target": key} for key, value in written.items()}
    return None


def _all(kind: _Kind, written: Iterable[Any]) -> bool:
    return all(_is(kind, each) for each in written)


def _is(kind: _Kind, written: Any) -> bool:
    """Whether a text is a path of a kind; a local path that begins like one of the others is none."""
    if not isinstance(written, str) or (kind is LocalPath and written.startswith(("state.", "input.", "context."))):
        return False
    try:
        kind.parse(written)
    except PathError:
        return False
    return True
