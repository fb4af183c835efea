"""What a store keeps of a run, and what it can be asked: the same for every store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.ir import Entry
from wfc.records import dataclass, field


class StoreFault(Exception):
    """A store that cannot be used: one sentence with the store and what is wrong with it."""


class RunExists(StoreFault):
    """A run id that the store already holds."""

    @classmethod
    def of(cls, run_id: str, store: str) -> RunExists:
        return cls(f"the run id `{run_id}` is in use in {store}; give another or none")


class UnknownRun(StoreFault):
    """A run id that the store does not hold."""


class RunBusy(StoreFault):
    """A run that another process has, or has taken over."""


class CancelWanted(Exception):
    """Somebody wants the run cancelled, so nothing further begins; what was to be written was not."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line about a run. `created` and `updated` are seconds since 1970; `taken`: a process goes on with it."""

    run_id: str
    workflow: str
    status: str
    outcome: str | None
    created: float
    updated: float
    taken: bool


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run that is to be kept. `program` is the exact text of the IR that it is pinned to, `input` what it was given,
    `config` where the configuration was found, seen from the store's folder, `pins` what else must be the same when it
    goes on, by a name for each: an artifact, a deployment, a lock."""

    run_id: str
    workflow: str
    program: str
    input: Any
    step_limit: int
    config: str | None = None
    pins: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run as its store has it.

    `checkpoint` is the text that its owner wrote last, after the first `checkpointed` of `length` journal entries, and
    `tail` the entries after those. `epoch` counts its owners; `owner` has it until `expires`, in seconds since 1970,
    and `taken` says whether that still holds. `cancel`: somebody wants it cancelled. `updated`: when its last owner was
    heard of, in seconds since 1970.
    """

    new: NewRun
    number: int
    status: str
    outcome: str | None
    checkpoint: str | None
    checkpointed: int
    length: int
    tail: tuple[Entry, ...]
    epoch: int
    owner: str | None
    expires: float
    taken: bool
    cancel: bool
    updated: float

    @property
    def run_id(self) -> str:
        return self.new.run_id


@dataclass(frozen=True, slots=True)
class Page:
    """What is kept in one commit: journal entries, perhaps a checkpoint after them, and where the run rests if it does.

    `rest` is the status and outcome with which its owner gives the run back.
    """

    entries: tuple[Entry, ...]
    checkpoint: str | None = None
    rest: tuple[str, str | None] | None = None

    @property
    def begins(self) -> bool:
        """Whether something begins after this page that a wish to cancel the run should stop."""
        if self.rest is not None:
            return self.rest[0] in ("running", "interrupted")
        return any(entry.begun for entry in self.entries)
