"""Front doors that open one by one: a name of a room is imported from its file when somebody first asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazily(room: str, files: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """The `__getattr__` of a room whose files have these names to give."""
    homes = {name: f"{room}.{file}" for file, names in files.items() for name in names}

    def asked(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"`{room}` has no `{name}`")
        return getattr(import_module(homes[name]), name)

    return asked
