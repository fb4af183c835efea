"""Waits until something that was looked at has changed, by asking the file system again and again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable

_SECONDS = 0.3

# Of each path its time of change and size; none where nothing is.
State = dict[str, tuple[int, int] | None]


def state_of(paths: Iterable[str]) -> State:
    return {path: _state(path) for path in paths}


def wait_for_change(before: State, look: Callable[[], State]) -> None:
    """Return as soon as there is something else to see."""
    while look() == before:
        time.sleep(_SECONDS)


def _state(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
