"""The state of a run as one JSON value, the same on every driver whenever the run is interrupted or has ended.

Reference 2.2, 2.10, 2.11. These are plain records; the machine makes them and takes them up again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from wfc.ir.results import NOT_BEGUN
from wfc.ir.values import canonical
from wfc.records import dataclass, field, fields

FORMAT = "wfc.runstate/1"
STATUSES = ("created", "running", "interrupted", "completed", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class RunError:
    """A run error (reference 2.11). `route` leads from the root to the child workflow in which it arose."""

    code: str
    message: str
    node_id: str | None = None
    frame_id: str | None = None
    route: tuple[dict[str, str], ...] = ()
    type: str | None = None
    path: str | None = None
    details: Any = None

    def to_json(self) -> dict[str, Any]:
        made = {"code": self.code, "message": self.message, "node_id": self.node_id, "frame_id": self.frame_id}
        made["route"] = [dict(hop) for hop in self.route]  # type: ignore[assignment]
        optional = {"type": self.type, "path": self.path, "details": self.details}
        return made | {key: value for key, value in optional.items() if value is not None}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> RunError:
        return cls(**{**value, "route": tuple(value.get("route", ()))})


@dataclass(frozen=True, slots=True)
class InterruptRequest:
    """What a run waits for (reference 2.7). `resume_schema` is that of the first outcome."""

    id: str
    frame_id: str
    node_id: str
    kind: str
    payload: Any
    outcomes: tuple[str, ...]
    resume_schema: Any
    resume_schemas: dict[str, Any]
    route: tuple[dict[str, str], ...] = ()
    resumable: bool = True

    def to_json(self) -> dict[str, Any]:
        made = {f.name: getattr(self, f.name) for f in fields(self)}
        return {**made, "outcomes": list(self.outcomes), "route": [dict(hop) for hop in self.route]}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> InterruptRequest:
        return cls(**{**value, "outcomes": tuple(value["outcomes"]), "route": tuple(value["route"])})


class Trace(Sequence[dict[str, Any]]):
    """The entries of a run that has ended, as a tuple of records would be. They are made when they are first looked at,
    because most runs are run for their output."""

    __slots__ = ("_left", "_made")

    def __init__(self, records: Iterable[dict[str, Any]]) -> None:
        self._left = records
        self._made: tuple[dict[str, Any], ...] | None = None

    @property
    def entries(self) -> tuple[dict[str, Any], ...]:
        if self._made is None:
            self._made, self._left = tuple(self._left), ()
        return self._made

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.entries)

    @overload
    def __getitem__(self, at: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[dict[str, Any], ...]: ...

    def __getitem__(self, at: int | slice) -> dict[str, Any] | tuple[dict[str, Any], ...]:
        return self.entries[at]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Trace):
            return self.entries == other.entries
        return self.entries == other if isinstance(other, tuple) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        # Event loops show results to nobody in particular; that must not make what nobody looks at.
        return "Trace(…)"


@dataclass(frozen=True, slots=True)
class RunState:
    """A run: what is public of it, and in `frames` and `trace` what the machine needs to go on.

    `frames` and `trace` are JSON records in a stable order. `to_json` and `from_json` lose nothing.
    """

    run_id: str
    program: str
    program_hash: str
    status: str
    input: Any
    state: dict[str, Any]
    outcome: str | None = None
    output: Any = None
    frames: tuple[dict[str, Any], ...] = ()
    trace: Sequence[dict[str, Any]] = ()
    interrupt: InterruptRequest | None = None
    error: RunError | None = None
    step_limit: int = 1_000_000
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def current_node(self) -> str | None:
        """The step at which the root frame stands, or ended, `__end__` too; none when it came to no step."""
        return self.frames[0]["step"] if self.frames else None

    @property
    def never_began(self) -> bool:
        """Whether something kept the run from its first step: a store does not keep it, and its id stays free."""
        return self.error is not None and self.error.node_id is None and self.error.code in NOT_BEGUN

    @property
    def prior_outcome(self) -> str | None:
        return self.frames[0].get("prior_outcome") if self.frames else None

    @property
    def activated_incoming_edge(self) -> dict[str, str] | None:
        return self.frames[0].get("incoming") if self.frames else None

    def trace_for_scope(self, scope: str) -> tuple[dict[str, Any], ...]:
        """The trace entries of one scope: `root`, or the frame of a child workflow's root."""
        return tuple(entry for entry in self.trace if entry["scope"] == scope)

    def to_json(self) -> str:
        """Canonical JSON text of the whole run state."""
        return canonical(self.to_value())

    def to_value(self) -> dict[str, Any]:
        """The whole run state as a JSON value; it shares what it holds with the run state."""
        made = {"schema": FORMAT} | {f.name: getattr(self, f.name) for f in fields(self)}
        made["frames"], made["trace"] = list(self.frames), list(self.trace)
        made["interrupt"] = self.interrupt and self.interrupt.to_json()
        made["error"] = self.error and self.error.to_json()
        return made

    @classmethod
    def from_json(cls, text: str) -> RunState:
        """Read what `to_json` wrote; raises `ValueError` for anything else."""
        # A run that begins reads no text, and is spared the schema.
        from wfc.ir.runstate_schema import fault_in_run_state

        try:
            value = json.loads(text)
        except RecursionError:
            raise ValueError("this is no run state: it is nested too deep to be read") from None
        if (fault := fault_in_run_state(value)) is not None:
            raise ValueError(fault)
        return cls.from_value(value)

    @classmethod
    def from_value(cls, value: Any) -> RunState:
        """Take over what `to_value` made; beyond the format nothing is looked at again."""
        if not isinstance(value, dict) or value.pop("schema", None) != FORMAT:
            raise ValueError(f"this is no run state of the format `{FORMAT}`")
        value["frames"], value["trace"] = tuple(value["frames"]), tuple(value["trace"])
        value["interrupt"] = value["interrupt"] and InterruptRequest.from_json(value["interrupt"])
        value["error"] = value["error"] and RunError.from_json(value["error"])
        return cls(**value)
