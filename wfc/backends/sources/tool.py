"""A tool of another program, what it says, how a call of it fails: the nouns between session, adapters and source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.ir import Listing
from wfc.records import dataclass, field

# The type of the error of a call that a person has to authorise; a `catch` names it, and an interrupt of the kind of
# the same name asks for it (reference 1.4).
TOOL_AUTH = "tool_auth"


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

    @property
    def listing(self) -> Listing:
        """What a lock pins of it."""
        return Listing(
            input_schema=self.input_schema,
            output_schema=self.output_schema,
            annotations=self.hints,
            effects=self.effects,
            description=self.description,
        )


@dataclass(frozen=True, slots=True)
class Said:
    """The answer of a tool: its text blocks joined by newlines, its structured content (none: it has none), whether it
    is an error, and the kinds of the blocks that were left out."""

    text: str
    structured: Any = None
    is_error: bool = False
    left_out: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call is, as its server says: `done` of `total`, where it knows the whole, in whatever it counts."""

    done: float
    total: float | None = None
    message: str | None = None


class ToolFault(Exception):
    """A call that gives no output; `code` is the error of the run (reference 2.11)."""

    def __init__(self, code: str, message: str, *, type: str | None = None, details: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.type = type
        self.details = details


class NotStarted(Exception):
    """A server that could not be reached before a call began."""


class NotAuthorised(Exception):
    """A server that wants to know more about who calls; `url` is where a person can see to it, if the server says."""

    def __init__(self, reason: str, url: str | None = None) -> None:
        super().__init__(reason)
        self.url = url
