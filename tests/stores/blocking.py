"""Simulated worlds whose workers block: each does one thing at a time, at full speed, and while it makes a call the
other one lives.

    python -m tests.stores.blocking 0 100000
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import wfc
from tests.stores.killing import INPUT, result
from tests.stores.worlds import EPOCH, Beating, Dead, Fate, World, main
from wfc.backends.stores import BEAT_SECONDS, Session, Store, StoreFault
from wfc.ir import RunState
from wfc.runs import durable


@dataclass
class BlockingWorld(World):
    """One seed. `passed` is the time in it, `hearts` beat while it passes; a worker inside a call of another does not
    let a third one live."""

    passed: float = 0.0
    hearts: list[BlockingHeart] = field(default_factory=list)
    lives: int = 0
    is_nested: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.loop.close()
        self.clock: Any = BlockingClock(self)
        self.is_cancelling = self.chance.random() < 0.1

    def live(self) -> RunState:
        self.onlooker("first").connect().close()
        with patch("wfc.runs.stopping.BlockingClock", lambda: self.clock):
            while not self.another_life():
                assert self.lives < 1000, f"seed {self.seed}: the run never ends"
        return self.ended()

    def another_life(self) -> bool:
        """A worker goes on with the run, if nobody else does; whether the run has ended."""
        self.lives += 1
        self.let_pass(self.chance.random() * 5)
        # A world calms down, so that every run ends.
        self.is_rough = self.lives < 24
        name = f"worker.{self.lives}"
        fate = self.fate(name)
        with self.outlived(name, fate):
            return self._went_through(self.store(name, fate), fate)
        return False

    def _went_through(self, store: Store, fate: Fate) -> bool:
        outside = durable.Outside(
            store,
            None,
            {"handlers": {"work": self._blocking(fate)}},
            heart=lambda *given: BlockingHeart(self, *given, fate),
        )
        stored = self.stored(store)
        if stored is None:
            durable.begin(self.program(), INPUT, outside, run_id=self.run_id, step_limit=2000)
        elif stored.status in durable.ENDED:
            return True
        elif not stored.taken:
            durable.resume(self.program(), stored, store, outside, **self.answer_to(stored))
        return False

    def _blocking(self, fate: Fate) -> Any:
        def work(payload: Any, context: wfc.CallContext) -> wfc.NodeResult:
            if fate.is_dead:
                raise Dead
            call = (context.call_id, context.attempt)
            self.calls[call] += 1
            self.log.append((round(self.passed, 6), "called", *call))
            seconds = self.time_of_a_call()
            self.let_pass(seconds / 2)
            self._meanwhile()
            self.let_pass(seconds / 2)
            return result(self.workflow, context.call_id, context.attempt, payload)

        return work

    def _meanwhile(self) -> None:
        """What others do while a call is made."""
        draw = self.chance.random()
        if self.is_cancelling and draw < 0.1:
            self.ask_to_cancel()
        elif draw < 0.7 and not self.is_nested:
            self.is_nested = True
            self.another_life()
            self.is_nested = False

    def let_pass(self, seconds: float) -> None:
        """Time passes, and whoever is alive is heard of in time."""
        until = self.passed + seconds
        while self.hearts and (first := min(self.hearts, key=lambda heart: heart.due)).due <= until:
            self.passed = first.due
            first.due += BEAT_SECONDS
            first.beat()
        self.passed = until


@dataclass
class BlockingClock:
    world: BlockingWorld

    def now(self) -> float:
        return EPOCH + self.world.passed

    def due(self, seconds: int | float) -> float:
        return self.now() + seconds

    async def sleep_until(self, due: float) -> None:
        if (left := due - self.now()) > 0:
            # Never so little that a number of this size would stay as it is.
            self.world.let_pass(left + 1e-6)


class BlockingHeart(Beating):
    """A heart that beats while its worker makes a call."""

    def __init__(self, world: BlockingWorld, store: Store, session: Session, stop: Any, fate: Fate) -> None:
        super().__init__(store, session, stop, fate)
        self._world = world
        self.due = 0.0

    def __enter__(self) -> None:
        self.due = self._world.passed + BEAT_SECONDS
        self._world.hearts.append(self)

    def __exit__(self, *wrong: object) -> None:
        self._world.hearts.remove(self)

    def beat(self) -> None:
        try:
            super().beat()
        except StoreFault:
            # As of the real one nothing more is heard: the next commit meets the same store.
            self.due = math.inf


def blocking_world_of(seed: int, path: str) -> BlockingWorld:
    return BlockingWorld(seed, path, ("write", "idempotent")[seed % 2])


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), blocking_world_of)
