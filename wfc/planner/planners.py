"""Who writes workflows: anything with one method that takes a conversation and gives an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from wfc.records import dataclass

Role = Literal["system", "user", "assistant"]
# Why an answer ended: by itself, because it became too long, because the planner would not give one.
Stop = Literal["end", "length", "refused"]
FaultKind = Literal["rate_limited", "unauthorised", "unreachable", "timeout", "server_error", "bad_answer", "command"]


@dataclass(frozen=True, slots=True)
class Message:
    """One part of a conversation; the first is the system's."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it came. `tokens` are those of prompt and answer, as the planner counts them, where it does."""

    text: str
    stop: Stop = "end"
    tokens: tuple[int, int] | None = None


class PlannerFault(Exception):
    """No answer came: what went wrong, in a sentence, and which kind of fault it is."""

    def __init__(self, kind: FaultKind, message: str) -> None:
        super().__init__(message)
        self.kind: FaultKind = kind


class Planner(Protocol):
    """Whoever answers. One method is all that an embedder has to write."""

    def answer(self, messages: Sequence[Message]) -> Reply:
        """The answer to a conversation. Raises `PlannerFault` when there is none."""


@dataclass(slots=True)
class Scripted:
    """Gives answers that are there already, in order: for replays and for tests."""

    replies: list[Reply]

    def answer(self, messages: Sequence[Message]) -> Reply:
        if not self.replies:
            raise PlannerFault("bad_answer", "there is no further recorded answer")
        return self.replies.pop(0)
