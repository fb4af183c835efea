"""What crosses the line between machine and world: effects that the machine asks for, answers that it is given.

Reference 2.1. A driver performs effects and feeds the answers back; it decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wfc.ir.values import NotJson, to_json
from wfc.records import dataclass, field

STRUCTURAL = (
    "missing_path",
    "unwired_outcome",
    "state_conflict",
    "state_invalid",
    "reducer_failed",
    "type_mismatch",
    "output_invalid",
)
RUN_ERRORS = (
    "input_invalid",
    "missing_path",
    "node_input_invalid",
    "node_failed",
    "node_timeout",
    "node_output_invalid",
    "undeclared_outcome",
    "unwired_outcome",
    "state_conflict",
    "state_invalid",
    "reducer_failed",
    "type_mismatch",
    "output_invalid",
    "step_limit",
    "depth_limit",
    "capability_unavailable",
    "cancelled",
    "drift",
)
# Without a step these mean that its input, or a capability that is missing, kept a run from beginning.
NOT_BEGUN = ("input_invalid", "state_invalid", "capability_unavailable")


@dataclass(frozen=True, slots=True)
class NodeResult:
    """What a capability returns (reference 4.8). `outcome` none means the definition's first.

    `meta` and `extra` are kept in the trace and never influence execution.
    """

    outcome: str | None = None
    output: Any = field(default_factory=dict)
    meta: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Settled(NodeResult):
    """A result whose parts are known to be JSON that nobody else holds."""


class NodeFailed(Exception):
    """Raise it in a handler to fail the node with a message and an error type that `catch` can name (2.11)."""

    def __init__(self, message: str, *, type: str | None = None) -> None:
        super().__init__(message)
        self.type = type


@dataclass(frozen=True, slots=True)
class Invoke:
    """Effect: call a capability. The payload belongs to the machine; whoever calls foreign code hands it a copy.

    `workflow`, `definition`, `capability` name what is called (reference 4.8), `node_id` the step, `frame_id` the
    frame. `call_id` is stable over attempts and recovery. `effects` is what a repeated call would do. `context` holds
    the read-only context keys.
    """

    call_id: str
    attempt: int
    workflow: str
    definition: str
    capability: str
    node_id: str
    frame_id: str
    payload: Any
    timeout_seconds: int | float | None
    effects: str
    context: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Delay:
    """Effect: answer `Elapsed` when this many seconds have passed (a retry or a `wait` step)."""

    call_id: str
    seconds: int | float


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Effect: nobody waits for this call or delay any more; a late answer is ignored."""

    call_id: str


Effect = Invoke | Delay | Withdraw


@dataclass(frozen=True, slots=True)
class Completed:
    """Answer: the call returned. The output is foreign until the machine has made JSON of it."""

    call_id: str
    result: NodeResult


@dataclass(frozen=True, slots=True)
class Failed:
    """Answer: the call failed with a code of 2.11, a message, and the capability's own error type if it has one.

    `path` names the place in an output that is no JSON.
    """

    call_id: str
    code: str
    message: str
    type: str | None = None
    details: Any = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Elapsed:
    """Answer: the delay has passed."""

    call_id: str


Answer = Completed | Failed | Elapsed


class Unfit(Exception):
    """What a capability returned cannot be a node result; `path` leads to the place in its output."""

    def __init__(self, message: str, path: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path


def json_result(name: str, result: NodeResult) -> Settled:
    """A result whose parts are JSON and ours alone. Raises `Unfit`; `name` is that of the definition."""
    if isinstance(result, Settled):
        return result
    if not isinstance(result.outcome, (str, type(None))):
        raise Unfit(f"the outcome of `{name}` is a name, got {type(result.outcome).__name__}")
    output = _json(result.output, f"the output of `{name}`")
    extra = None if result.extra is None else _json(result.extra, f"`extra` of `{name}`")
    meta = None if result.meta is None else _json(result.meta, f"`meta` of `{name}`")
    return Settled(result.outcome, output, meta, extra)


def _json(value: Any, what: str) -> Any:
    try:
        return to_json(value)
    except NotJson as error:
        raise Unfit(f"{what} is no JSON: {error}", error.path) from None


@dataclass(slots=True)
class Direct:
    """How a definition is called directly: `call` is a function of the payload; who is `foreign` gets a copy.

    `result` makes a `NodeResult` of what `call` returned, `failure` a failed answer of what it raised; both raise what
    is the caller's. `awaits` tells that what can be awaited may be, `asks` that `call` takes the `Invoke` as well.
    """

    call: Callable[..., Any]
    foreign: bool
    awaits: bool
    result: Callable[[Any], NodeResult]
    failure: Callable[[str, BaseException], Failed]
    asks: bool = False


class Sign:
    """What a step that goes at full speed gives instead of the step that follows it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


# The step has to be done as a whole, from its beginning; what its call has returned has to be judged; the call has
# raised an error; what the step calls is not called directly.
PLOD, LATE, RAISED, AWAY = Sign("PLOD"), Sign("LATE"), Sign("RAISED"), Sign("AWAY")


class Refused(Exception):
    """A request that is turned down and changes nothing: a resume, a step, a start (exit code 2).

    `reason` is a code of 2.7 such as `stale_interrupt` or `payload_invalid`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
