"""A tool of another program, what it says, how a call of it fails: the nouns between session, adapters and source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as its server lists it. `hints` are claims of the server, under their names in the protocol."""

    name: str
    description: str | None
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    hints: Mapping[str, Any] = field(default_factory=dict)

    @property
    def effects(self) -> str:
        """What a repeated call would do, if the server's claims are true (reference 4.2)."""
        if self.hints.get("readOnlyHint"):
            return "read"
        return "idempotent" if self.hints.get("idempotentHint") else "write"


@dataclass(frozen=True, slots=True)
class Said:
    """The answer of a tool: its text blocks joined by newlines, its structured content (none: it has none), whether it
    is an error, and the kinds of the blocks that were left out."""

    text: str
    structured: Any = None
    is_error: bool = False
    left_out: tuple[Mapping[str, Any], ...] = ()


class ToolFault(Exception):
    """A call that gives no output; `code` is the error of the run (reference 2.11)."""

    def __init__(self, code: str, message: str, *, type: str | None = None, details: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.type = type
        self.details = details


class NotStarted(Exception):
    """A server that could not be reached before a call began."""
