"""What the machine keeps of a run: scopes, frames, regions, parked questions, calls in flight.

Frames are the machine's own and change while it runs; nobody outside sees them but as records of a run state. Ids are
made here and nowhere else, and no logic reads them (reference 2.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wfc.ir import RunError
from wfc.records import dataclass, field
from wfc.vm.fault import MISSING
from wfc.vm.lineage import Lineage
from wfc.vm.plans import Plan

if TYPE_CHECKING:
    from wfc.vm.link import LinkedRoutine

READY, BLOCKED, WAITING, INTERRUPTED = "ready", "blocked", "waiting", "interrupted"
COMPLETED, FAILED, CANCELLED = "completed", "failed", "cancelled"
ROOT, ITEM, BRANCH, CHILD = "root", "foreach_item", "fork_branch", "subgraph"
MAX_DEPTH = 200

Key = tuple[int, ...]
# What all entries of a frame say of it: its id, its scope, and the lineage and sequence of the entry that started it.
Head = tuple[str, str, str | None, int]


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of a region's items: what their ids begin with, the scope, and the frame of the region."""

    prefix: str
    scope: str
    starter: str

    def of(self, index: int, sequence: int) -> Head:
        """The head of the item that the entry with this sequence has started."""
        return f"{self.prefix}{index}]", self.scope, self.starter, sequence


def frame_id(parent: str, step: str, visit: int, index: int | None) -> str:
    """The id of a frame, and of the lineage that it is: the same on every driver, and never parsed."""
    return f"{parent}/{step}#{visit}" if index is None else f"{frame_prefix(parent, step, visit)}{index}]"


def frame_prefix(parent: str, step: str, visit: int) -> str:
    """What the ids of all lineages of a region begin with."""
    return f"{parent}/{step}#{visit}["


def call_id(run_id: str, frame: str, step: str, sequence: int) -> str:
    """The id of a call or delay: the same in all attempts and after recovery."""
    return f"{run_id}:{frame}:{step}:{sequence}"


def interrupt_id(frame: str, step: str, sequence: int) -> str:
    return f"{frame}:{step}:{sequence}"


@dataclass(slots=True)
class Scope:
    """One running workflow: the run itself, or the child of a subgraph step. `holder` is the frame of that step."""

    id: str
    routine: LinkedRoutine
    input: Any
    holder: Frame | None


@dataclass(slots=True)
class Loop:
    """What a foreach body sees of its item; `outer` is the loop around it in the same workflow. It lives as long as the
    frame of an item, which may be used again for a later one."""

    alias: str
    item: Any
    index: int
    outer: Loop | None


@dataclass(slots=True)
class Call:
    """A call that was named as started. `errors` are those of its failed attempts; `delay` is what a retry waits;
    `packed` the payload as a swift step keeps it; `doubts` counts how often nobody knew whether this attempt had
    happened."""

    id: str
    payload: Any
    attempt: int = 1
    errors: list[dict[str, Any]] = field(default_factory=list)
    delay: float | None = None
    packed: Any = MISSING
    doubts: int = 0


@dataclass(slots=True)
class Parked:
    """A question that waits for its turn or its answer."""

    id: str
    payload: Any


@dataclass(slots=True)
class Region:
    """The foreach or fork that a frame is blocked on.

    `live` are the frames that have entered and not ended, by index; `logs` the writes of those that have completed;
    `failed` the records of items whose error was taken; `failure` the error of the lowest lineage that the region does
    not take. `started` is the sequence of its first entry, `at` the place of that in the entries of its frame, `base`
    what its frame had counted before it; `steps` adds up what the children have done since the last barrier.
    `prefix` is what the ids of its items begin with.
    """

    step: str
    visit: int
    items: Sequence[Any]
    started: int
    base: int
    at: int
    next: int = 0
    live: dict[int, Frame] = field(default_factory=dict)
    logs: dict[int, Sequence[tuple[Plan, Any]]] = field(default_factory=dict)
    failed: list[dict[str, Any]] = field(default_factory=list)
    failure: tuple[int, RunError] | None = None
    steps: int = 0
    prefix: str = ""


@dataclass(slots=True, eq=False)
class Frame:
    """One line of control with a lineage of its own. `steps` counts what 2.6 counts; `base` is what it began with.

    `ending` is the outcome of an end step that it has passed. `entries` is its part of the trace: see
    `wfc.vm.trace`.
    """

    id: str
    kind: str
    parent: Frame | None
    scope: Scope
    lineage: Lineage
    key: Key
    index: int
    step: str
    base: int
    head: Head
    loop: Loop | None = None
    status: str = READY
    steps: int = 0
    sequence: int = 0
    retries: int = 0
    prior: str | None = None
    incoming: dict[str, str] | None = None
    visits: dict[str, int] = field(default_factory=dict)
    entries: list[Any] = field(default_factory=list)
    region: Region | None = None
    child: Frame | None = None
    payload: Any = MISSING
    call: Call | None = None
    parked: Parked | None = None
    ending: str | None = None

    def __post_init__(self) -> None:
        self.steps = self.steps or self.base
        self.entries.append(self.head)

    @property
    def in_doubt(self) -> bool:
        """Whether nobody knows what became of the call of this frame. Its answer counts like that of one in flight."""
        return self.status == INTERRUPTED and self.call is not None

    def visit(self, step: str) -> int:
        """Count one more activation of a region or subgraph step."""
        self.visits[step] = number = self.visits.get(step, 0) + 1
        return number

    def children(self) -> list[Frame]:
        """The frames directly below, in trace order."""
        if self.child is not None:
            return [self.child]
        if self.region is None:
            return []
        return [self.region.live[index] for index in sorted(self.region.live)]


def below(frame: Frame) -> list[Frame]:
    """A frame and all frames below it, in trace order."""
    found: list[Frame] = []
    waiting = [frame]
    while waiting:
        current = waiting.pop()
        found.append(current)
        waiting += reversed(current.children())
    return found


def route(frame: Frame, step: str) -> tuple[Frame, str, tuple[dict[str, str], ...]]:
    """The outermost frame and step around a step, and the hops from there into its child workflow (reference 2.7)."""
    hops: list[dict[str, str]] = []
    while frame.scope.holder is not None:
        scope = frame.scope
        hop = {
            "workflow": scope.routine.name,
            "scope": scope.id,
            "lineage": frame.id,
            "frame": frame.id,
            "step": step,
        }
        hops.append(hop)
        frame = frame.scope.holder
        step = frame.step
    return frame, step, tuple(reversed(hops))


CONTEXT_NAMES = (
    "retry_count",
    "prior_outcome",
    "activated_incoming_edge",
    "loop_item",
    "loop_index",
)


def context(frame: Frame) -> dict[str, Any]:
    """The object of the context keys that exist for a frame (reference 2.5)."""
    made: dict[str, Any] = {"retry_count": frame.retries}
    if frame.incoming is not None:
        made |= {
            "prior_outcome": frame.prior,
            "activated_incoming_edge": frame.incoming,
        }
    loop = frame.loop
    if loop is not None:
        made |= {"loop_item": loop.item, "loop_index": loop.index}
    while loop is not None:
        made.setdefault(loop.alias, loop.item)
        loop = loop.outer
    return made
