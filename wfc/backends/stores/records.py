"""What a store keeps of a run, and what it can be asked: the same for every store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from wfc.ir import RunState
from wfc.records import dataclass, field


class StoreFault(Exception):
    """A store that cannot be used: one sentence with the store and what is wrong with it. Nothing was changed."""


class RunExists(StoreFault):
    """A run id that the store already holds."""


class UnknownRun(StoreFault):
    """A run id that the store does not hold."""


class RunBusy(StoreFault):
    """A run that somebody else has taken up, or that was killed before it came to rest."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line about a run. `created` and `updated` are seconds since 1970; while `taken` it may have gone further."""

    run_id: str
    workflow: str
    status: str
    outcome: str | None
    created: float
    updated: float
    taken: bool


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run as it was stored last.

    `program` is the exact text of the IR that the run is pinned to. `due` says for each delay still running when it
    will have passed, in seconds since 1970, by call id. `config` is where the configuration was found, seen from the
    store's folder. `turn` counts how often the run was taken; while `taken`, it is more than what is stored.
    """

    state: RunState
    program: str
    due: Mapping[str, float] = field(default_factory=dict)
    config: str | None = None
    turn: int = 1
    taken: bool = True


class Store(Protocol):
    """Durable runs. Every method raises `StoreFault` when the store itself is at fault.

    A run is taken while it goes on: what it does then is known again when it is saved. So what was killed in between
    is never made twice, and of two who answer one question one is refused.
    """

    def create(self, run: StoredRun) -> None:
        """Keep a new run, taken by who made it. Raises `RunExists` when its id is in use."""

    def take(self, run: StoredRun) -> None:
        """Take up a run as it was loaded. Raises `RunBusy` when it is taken or was taken since."""

    def save(self, state: RunState, due: Mapping[str, float]) -> None:
        """Replace the state of a taken run as a whole and give it back. Raises `UnknownRun`."""

    def load(self, run_id: str) -> StoredRun:
        """The run as it was stored last. Raises `UnknownRun`."""

    def list(self) -> tuple[RunSummary, ...]:
        """All runs, the newest first."""


class NoStore:
    """Keeps nothing: for runs that nobody will go on with."""

    def create(self, run: StoredRun) -> None:
        """Nothing has the id."""

    def take(self, run: StoredRun) -> None:
        """Nobody else has it."""

    def save(self, state: RunState, due: Mapping[str, float]) -> None:
        """It is gone when its process is."""

    def load(self, run_id: str) -> StoredRun:
        raise UnknownRun(f"the run `{run_id}` was kept nowhere")

    def list(self) -> tuple[RunSummary, ...]:
        return ()
