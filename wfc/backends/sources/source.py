"""What the broker asks of a source: a name in the configuration behind which capabilities are found and called.

Every fault of a source is a value: a sentence from `missing`, or a failed answer. Nothing is started or imported before
a program that uses the source is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from wfc.ir import Answer, Invoke, Refused
from wfc.records import dataclass

if TYPE_CHECKING:
    from wfc.backends.sources.tool import Progress, Said
    from wfc.ir import Listing

# Some thirty years: no clock of the system takes every number that a timeout may be.
LONGEST_SECONDS = 1e9


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a call is told besides its payload: the run, whether an event loop runs it, whether it is the only one in
    flight, who hears how far it is, and who hears what a tool said before anything is made of it."""

    run_id: str
    on_loop: bool
    is_alone: Callable[[], bool] = lambda: True
    progress: Callable[[Invoke, Progress], None] | None = None
    heard: Callable[[Said], None] | None = None


class Drifted(Refused):
    """Sources that offer something else than they did; `diff` shows what. Nothing has been called."""

    def __init__(self, diffs: Sequence[str], then: str = "what `wfc.lock.json` says; accept it with `--update-lock`"):
        what = "a capability is" if len(diffs) == 1 else f"{len(diffs)} capabilities are"
        super().__init__("drift", f"{what} not {then}")
        self.diff = "\n".join(diffs)


class Source(Protocol):
    """A source of capabilities. `key` is a capability's name inside it. `max_concurrency` is how many calls it takes at
    once, none for any number."""

    max_concurrency: int | None

    def needs_loop(self, key: str) -> bool:
        """Whether a call of this capability can only be made on an event loop."""

    async def open(self) -> None:
        """Make the capabilities known. What goes wrong is told by `missing`."""

    async def close(self) -> None:
        """Leave nothing behind. The source may be opened again."""

    def missing(self, key: str) -> str | None:
        """Why this capability cannot be called, in one sentence; none when it can."""

    def listing(self, key: str) -> Listing | None:
        """What an opened source says of a capability; none for one that it does not have."""

    def drifted(self, key: str) -> str | None:
        """What an opened source says otherwise than the lock, as a diff; none where that is nothing."""

    def effects(self, key: str) -> str | None:
        """What a repeated call would do (reference 2.9), as far as it is known before or after the opening."""

    async def perform(self, key: str, invoke: Invoke, circumstances: Circumstances) -> Answer:
        """Make one call. Never raises for a fault of the capability."""
