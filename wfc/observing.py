"""Looking on while a run goes on: what it does, as it does it, and how long that takes.

Guarantees: nothing that is seen here is part of the run. The trace has no times in it (reference 2.1); they stand
beside it, here. What a run enters into its trace is told when it happens, which for parallel lineages is not the order
of the trace, and what a failed region drops from the trace was told all the same.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, Protocol

from wfc.ir import Answer, Completed, Failed, Invoke
from wfc.records import dataclass

Perform = Callable[[Invoke], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class FrameView:
    """One frame of a run in motion. `depth` is how many frames it is below the root, `index` its number among its
    siblings, `step` where it stands, `status` one of reference 2.2."""

    id: str
    kind: str
    depth: int
    index: int
    step: str
    status: str


class Watched(Protocol):
    """A run as an observer sees it."""

    @property
    def run_id(self) -> str: ...

    @property
    def status(self) -> str: ...

    @property
    def workflow(self) -> str: ...

    def frames(self) -> Iterator[FrameView]:
        """The frames that are there now, in trace order."""


class Observer:
    """Whoever looks on overrides what it wants to be told. An exception that it raises ends the run's motion, like one
    of the caller's own."""

    def begins(self, run: Watched) -> None:
        """The run goes on from here."""

    def enters(self, entry: dict[str, Any]) -> None:
        """A step has been completed: its entry in the trace."""

    def calls(self, invoke: Invoke) -> None:
        """A call is about to be made."""

    def answers(self, invoke: Invoke, answer: Answer, seconds: float) -> None:
        """A call has been answered after so many seconds."""

    def rests(self, run: Watched) -> None:
        """The run has ended, waits for a person, or was stopped."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt of a call and what it took. `error` is the code of its failure, none when it completed."""

    call_id: str
    node_id: str
    frame_id: str
    capability: str
    attempt: int
    seconds: float
    error: str | None


class Durations(Observer):
    """Keeps every attempt of every call with its duration, in the order in which they were answered."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []

    def answers(self, invoke: Invoke, answer: Answer, seconds: float) -> None:
        error = answer.code if isinstance(answer, Failed) else None
        made = Attempt(
            invoke.call_id, invoke.node_id, invoke.frame_id, invoke.capability, invoke.attempt, seconds, error
        )
        self.attempts.append(made)


class Together(Observer):
    """Several observers, told one after the other."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = observers

    def begins(self, run: Watched) -> None:
        for one in self._observers:
            one.begins(run)

    def enters(self, entry: dict[str, Any]) -> None:
        for one in self._observers:
            one.enters(entry)

    def calls(self, invoke: Invoke) -> None:
        for one in self._observers:
            one.calls(invoke)

    def answers(self, invoke: Invoke, answer: Answer, seconds: float) -> None:
        for one in self._observers:
            one.answers(invoke, answer, seconds)

    def rests(self, run: Watched) -> None:
        for one in self._observers:
            one.rests(run)


class ObservedMachine:
    """A machine whose new entries are told after every move. Everything else of it is as it is."""

    def __init__(self, machine: Any, observer: Observer) -> None:
        self._machine = machine
        self._observer = observer
        machine.listen()

    def poll(self) -> Any:
        effect = self._machine.poll()
        self.tell()
        return effect

    def answer(self, answer: Answer) -> None:
        self._machine.answer(answer)
        self.tell()

    def tell(self) -> None:
        """Tell the entries that are new."""
        for entry in self._machine.heard():
            self._observer.enters(entry)

    @property
    def fuel(self) -> int | None:
        fuel: int | None = self._machine.fuel
        return fuel

    @fuel.setter
    def fuel(self, entries: int | None) -> None:
        self._machine.fuel = entries

    def __getattr__(self, name: str) -> Any:
        return getattr(self._machine, name)


def observed(perform: Perform, observer: Observer, now: Callable[[], float]) -> Perform:
    """Calls that an observer is told of; `now` is a clock in seconds that never goes back."""

    async def performed(invoke: Invoke) -> Answer:
        observer.calls(invoke)
        begun = now()
        answer = await perform(invoke)
        observer.answers(invoke, answer, now() - begun)
        return answer

    return performed


def outcome_of(answer: Answer) -> str | None:
    """The outcome that a completed call named; none where it is the definition's first."""
    return answer.result.outcome if isinstance(answer, Completed) else None
