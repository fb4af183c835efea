"""A run error on its way: raised where it arises, caught where a step or a region ends."""

from __future__ import annotations

from typing import Any


class Fault(Exception):
    """A code of reference 2.11 with its message; `path` is the dotted path that it is about."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        path: str | None = None,
        type: str | None = None,
        details: Any = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path
        self.type = type
        self.details = details


class Missing:
    """The value of a path that is not there; a present null is `None`."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()
