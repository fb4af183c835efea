"""What became of a request: the values of a planner session, and how they are written down (reference 4.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from wfc.diagnostics import Diagnostic
from wfc.planner.planners import Message, Reply
from wfc.planner.reading import Kind
from wfc.records import dataclass, field
from wfc.report import diagnostic_json

RESULT_FORMAT = "wfc.plan/1"
SESSION_FORMAT = "wfc.plan-session/1"

Status = Literal[
    "clean", "impossible", "rounds_exhausted", "repeated", "oscillating", "no_workflow", "refused", "planner_failed"
]


@dataclass(frozen=True, slots=True)
class Round:
    """One question and its answer. `asked` is what was said after the opening; `findings` and `applied` are those of
    the workflow that the answer made; `note` is what was wrong with the answer itself."""

    asked: tuple[Message, ...]
    reply: Reply
    kind: Kind
    findings: tuple[Mapping[str, Any], ...] = ()
    further: tuple[str, ...] = ()
    applied: tuple[str, ...] = ()
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "asked": [{"role": one.role, "text": one.text} for one in self.asked],
            "answer": self.reply.text,
            "stop": self.reply.stop,
            "tokens": list(self.reply.tokens) if self.reply.tokens else None,
            "kind": self.kind,
            "findings": [dict(one) for one in self.findings],
            "further": list(self.further),
            "applied": list(self.applied),
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """The end of a session, or where it stands: `status` none while it goes on.

    `workflow` is the last one that could be read, complete; `diagnostics` are what was found in it.
    """

    id: str
    request: str
    opening: tuple[Message, ...]
    rounds: tuple[Round, ...] = ()
    status: Status | None = None
    reason: str = ""
    workflow: Any = None
    diagnostics: tuple[Diagnostic, ...] = ()
    further: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_clean(self) -> bool:
        return self.status == "clean"

    @property
    def tokens(self) -> tuple[int, int]:
        """What prompts and answers cost, so far as the planner counted them."""
        counted = [one.reply.tokens for one in self.rounds if one.reply.tokens is not None]
        return sum(one for one, _ in counted), sum(two for _, two in counted)

    def to_json(self) -> dict[str, Any]:
        """The result of the command: `wfc.plan/1`."""
        return {
            "schema": RESULT_FORMAT,
            "session": self.id,
            "status": self.status,
            "reason": self.reason,
            "rounds": [_brief(one) for one in self.rounds],
            "tokens": list(self.tokens),
            "workflow": self.workflow,
            "diagnostics": [diagnostic_json(one, {}) for one in self.diagnostics],
            "further": list(self.further),
        }

    def session_json(self) -> dict[str, Any]:
        """Everything, for an audit and for a replay."""
        return {
            **self.to_json(),
            "schema": SESSION_FORMAT,
            "request": self.request,
            "settings": dict(self.settings),
            "opening": [{"role": one.role, "text": one.text} for one in self.opening],
            "rounds": [one.to_json() for one in self.rounds],
        }


def _brief(one: Round) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "findings": [f"{found['code']} {found['at']['pointer']}" for found in one.findings] + list(one.further),
        "applied": list(one.applied),
        "note": one.note,
    }


def replies_of(session: Mapping[str, Any]) -> Sequence[Reply]:
    """The answers of a stored session, in order. Raises `KeyError` or `TypeError` for a value of another shape."""
    return [
        Reply(one["answer"], one["stop"], tuple(one["tokens"]) if one["tokens"] else None) for one in session["rounds"]
    ]
