"""Simulated worlds: program, drivers, store and workers in one process on virtual time, and everything that can happen.

A world follows from its seed: which workflow runs, how long every call takes, when a worker dies – before a commit or
after it –, when its heart is not heard, when the disk is full, when somebody cancels. Nothing waits for a clock, so a
world of an hour takes milliseconds, and the same seed is the same world to the last commit.

    python -m tests.stores.worlds 0 100000

The worlds of `tests.stores.blocking` are those where calls are made one after the other, at full speed.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import random
import selectors
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import wfc
from tests.stores.killing import INPUT, program, result
from wfc.backends.drivers import CANCELLED, LOST, Stop
from wfc.backends.stores import (
    BEAT_SECONDS,
    Owner,
    RunBusy,
    Session,
    SqliteDatabase,
    Store,
    StoredRun,
    StoreFault,
    UnknownRun,
)
from wfc.backends.stores.sqlite import SqliteConnection
from wfc.ir import InterruptRequest, Refused, RunState
from wfc.runs import durable, replaying

EPOCH = 1_000_000.0
# How many workflows there are; worlds differ in everything else.
WORKFLOWS = 150


class Dead(BaseException):
    """A worker has died; nothing that it would still do is done."""


# -- time -------------------------------------------------------------------------------------------------------------


class _Selector(selectors.DefaultSelector):
    """Passes virtual time instead of waiting."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found and timeout is None:
            raise AssertionError("everybody waits for somebody else")
        if not found and timeout:
            # Never so little that a number of this size would stay as it is.
            self.loop.passed += timeout + 1e-6
        return found


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes when nothing else is left to do."""

    def __init__(self) -> None:
        self.passed = 0.0
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.passed


@dataclass
class VirtualClock:
    loop: VirtualLoop

    def now(self) -> float:
        return EPOCH + self.loop.time()

    def due(self, seconds: int | float) -> float:
        return self.now() + seconds

    async def sleep_until(self, due: float) -> None:
        while (left := due - self.now()) > 1e-9:
            await asyncio.sleep(left)


# -- a store that things happen to ------------------------------------------------------------------------------------


@dataclass
class Fate:
    """What becomes of one worker: at which of its commits it dies, before or after it, and when its disk is full.

    `pages` tells who wrote to the journal, in order.
    """

    name: str
    pages: list[str]
    dies_at: int | None
    dies_after: bool
    full_at: int | None
    is_deaf: bool
    commits: int = 0
    is_dead: bool = False

    @contextmanager
    def commit(self) -> Iterator[None]:
        if self.is_dead:
            raise Dead
        self.commits += 1
        if self.commits == self.full_at:
            raise StoreFault("the store cannot be used: the disk is full")
        dies = self.commits == self.dies_at
        if dies and not self.dies_after:
            self.is_dead = True
            raise Dead
        yield
        if dies:
            self.is_dead = True
            raise Dead


class Connection(SqliteConnection):
    """A connection of a worker, with its fate."""

    def __init__(self, path: str, clock: Any, fate: Fate) -> None:
        super().__init__(path, clock)
        self._fate = fate
        self._is_inside = False

    def run(self, statement: str, *values: Any) -> int:
        if self._is_inside or statement.startswith("PRAGMA"):
            changed = super().run(statement, *values)
        else:
            with self._fate.commit():
                changed = super().run(statement, *values)
        if changed and statement.startswith("INSERT INTO wfc_journal"):
            self._fate.pages.append(self._fate.name)
        return changed

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._fate.commit():
            self._is_inside = True
            try:
                with super().transaction():
                    yield
            finally:
                self._is_inside = False


class Database(SqliteDatabase):
    def __init__(self, path: str, clock: Any, fate: Fate) -> None:
        super().__init__(path, clock)
        self._fate = fate

    def connect(self) -> SqliteConnection:
        if self._fate.is_dead:
            raise Dead
        return super().connect()

    def existing(self) -> SqliteConnection | None:
        if self._fate.is_dead:
            raise Dead
        return super().existing()

    def _fresh(self) -> SqliteConnection:
        return Connection(self.name, self._clock, self._fate)


class Beating:
    """A heart in virtual time; a deaf one is not heard of, as if its process stood still."""

    def __init__(self, store: Store, session: Session, stop: Stop, fate: Fate) -> None:
        self._store, self._session, self._stop, self._fate = store, session, stop, fate

    def __enter__(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._beat())

    def __exit__(self, *wrong: object) -> None:
        self._task.cancel()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            self.beat()

    def beat(self) -> None:
        if self._fate.is_deaf or self._fate.is_dead:
            return
        connection = self._store.connect()
        heard = self._session.beat(connection)
        connection.close()
        if not heard.owned:
            self._stop.ask(LOST)
        elif heard.cancel:
            self._stop.ask(CANCELLED)


# -- a world ----------------------------------------------------------------------------------------------------------


@dataclass
class World:
    """One seed. `calls` says how often each attempt of a call was made, `retries` how often a person said so."""

    seed: int
    path: str
    effects: str
    chance: random.Random = field(init=False)
    calls: Counter[tuple[str, int]] = field(default_factory=Counter)
    retries: Counter[tuple[str, int]] = field(default_factory=Counter)
    log: list[Any] = field(default_factory=list)
    deaths: int = 0
    takeovers: int = 0
    faults: int = 0
    cancelled: bool = False
    pages: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = random.Random(f"world {self.seed}")
        self.workflow = self.chance.randrange(WORKFLOWS)
        self.loop = VirtualLoop()
        self.clock = VirtualClock(self.loop)
        self.dead: set[str] = set()
        self.is_rough = True

    @property
    def run_id(self) -> str:
        return f"w{self.seed}"

    def program(self) -> wfc.Program:
        return program(self.workflow, self.effects)

    def live(self) -> RunState:
        """Let everything happen, and give the run as it ended."""
        SqliteDatabase(self.path).connect().close()
        # Whoever dies leaves tasks behind that nobody asks how they ended.
        self.loop.set_exception_handler(lambda loop, context: None)
        try:
            return self.loop.run_until_complete(self._lived())
        finally:
            self.loop.close()

    async def _lived(self) -> RunState:
        workers = [self._work(f"worker{number}") for number in range(2)]
        others = [self._cancel()] if self.chance.random() < 0.1 else []
        tasks = [asyncio.ensure_future(one) for one in (*workers, *others)]
        await asyncio.wait(tasks)
        for task in tasks:
            task.result()
        return self.ended()

    def ended(self) -> RunState:
        """The run as it ended; its journal says the same."""
        store = self.onlooker("judge")
        stored = store.load(self.run_id)
        differing = replaying.differences(self.program(), stored, store)
        assert differing == [], f"seed {self.seed}: {differing} do not follow from the journal"
        return replaying.traced(self.program(), stored, store)

    def store(self, name: str, fate: Fate) -> Store:
        return Store(Database(self.path, self.clock.now, fate), Owner(name, lambda other: other in self.dead))

    async def _work(self, worker: str) -> None:
        """A worker: goes on with the run whenever nobody else does; when it dies, another takes its place."""
        for life in range(1000):
            await asyncio.sleep(self.chance.random() * 5)
            # A world calms down, so that every run ends.
            self.is_rough = life < 12
            name = f"{worker}.{life}"
            fate = self.fate(name)
            with self.outlived(name, fate):
                if await self._went_on(self.store(name, fate), fate):
                    return
        raise AssertionError(f"seed {self.seed}: the run never ends")

    @contextmanager
    def outlived(self, name: str, fate: Fate) -> Iterator[None]:
        """What ends a worker here does not end the world."""
        try:
            yield
        except Dead:
            self._died(name)
        except (RunBusy, Refused):
            # Somebody else was first.
            self.takeovers += 1
        except StoreFault as fault:
            if "disk is full" not in str(fault):
                raise
            self.faults += 1
            self._died(name)
        except Exception:
            if not fate.is_dead:
                raise
            self._died(name)

    def _died(self, name: str) -> None:
        self.deaths += 1
        # Half of them on a machine of their own, where nobody sees that they are gone before their time is over.
        if self.chance.random() < 0.5:
            self.dead.add(name)

    def onlooker(self, name: str) -> Store:
        """The store of somebody to whom nothing happens."""
        return self.store(name, Fate(name, [], None, False, None, False))

    def fate(self, name: str) -> Fate:
        draw = self.chance.random
        rough = self.is_rough
        dies = 1 + int(draw() * 8) if rough and draw() < 0.6 else None
        full = 1 + int(draw() * 8) if rough and draw() < 0.1 else None
        return Fate(name, self.pages, dies, draw() < 0.5, full, rough and draw() < 0.3)

    async def _went_on(self, store: Store, fate: Fate) -> bool:
        """Go on with the run until it rests; whether it has ended."""
        outside = durable.Outside(
            store,
            None,
            {"handlers": {"work": self._handler(fate)}},
            clock=self.clock,
            heart=lambda *given: Beating(*given, fate),
        )
        stored = self.stored(store)
        if stored is None:
            await durable.begin_async(self.program(), INPUT, outside, run_id=self.run_id, step_limit=2000)
        elif stored.status in durable.ENDED:
            return True
        elif not stored.taken:
            await durable.resume_async(self.program(), stored, store, outside, **self.answer_to(stored))
        return False

    def answer_to(self, stored: StoredRun) -> dict[str, Any]:
        """What a run that waits is told by whoever goes on with it."""
        asked = replaying.standing(self.program(), stored).interrupt
        if asked is None:
            return {}
        outcome, payload = self._said(asked)
        return {"outcome": outcome, "payload": payload, "interrupt_id": asked.id}

    def stored(self, store: Store) -> StoredRun | None:
        try:
            return store.load(self.run_id)
        except UnknownRun:
            return None

    def _handler(self, fate: Fate) -> Any:
        async def work(payload: Any, context: wfc.CallContext) -> wfc.NodeResult:
            if fate.is_dead:
                raise Dead
            call = (context.call_id, context.attempt)
            self.calls[call] += 1
            self.log.append((round(self.loop.time(), 6), "called", *call))
            await asyncio.sleep(self.time_of_a_call())
            return result(self.workflow, context.call_id, context.attempt, payload)

        return work

    def time_of_a_call(self) -> float:
        """Most calls are quick, some outlive the time of their owner, some answers are lost until it dies."""
        draw = self.chance.random()
        if not self.is_rough or draw < 0.85:
            return self.chance.random()
        return self.chance.random() * 100 if draw < 0.98 else 1000.0

    def _said(self, asked: InterruptRequest) -> tuple[str, Any]:
        """What a person says, who sees what really happened when a call is in doubt."""
        if asked.kind != "in_doubt":
            number = int(hashlib.sha256(f"{self.workflow}{asked.id}".encode()).hexdigest()[:8], 16)
            return ("yes", {"approved": True, "comment": str(number % 7)}) if number % 3 else ("no", None)
        call = (asked.payload["call_id"], asked.payload["attempt"])
        if self.calls[call]:
            try:
                given = result(self.workflow, *call, asked.payload["input"])
                return "completed", {"outcome": given.outcome, "output": given.output}
            except wfc.NodeFailed:
                self.retries[call] += 1
        return "retry", None

    async def _cancel(self) -> None:
        await asyncio.sleep(self.chance.random() * 60)
        self.ask_to_cancel()

    def ask_to_cancel(self) -> None:
        store = self.onlooker("someone")
        stored = self.stored(store)
        if stored is None:
            return
        try:
            durable.cancel(self.program(), stored, store)
            self.cancelled = True
        except (Refused, RunBusy):
            # It had ended, or went on at this moment: nobody was told that it is cancelled.
            return


@cache
def undisturbed(workflow: int, effects: str) -> str:
    """The run of a workflow in a world in which nothing happens."""
    quiet = World(0, "", effects)
    quiet.workflow = workflow
    ready = program(workflow, effects)

    async def work(payload: Any, context: wfc.CallContext) -> wfc.NodeResult:
        return result(workflow, context.call_id, context.attempt, payload)

    async def through() -> RunState:
        handlers = {"work": work}
        run = await wfc.execute_workflow_async(ready, INPUT, run_id="w0", step_limit=2000, handlers=handlers)
        while run.interrupt is not None:
            outcome, payload = quiet._said(run.interrupt)
            run = await wfc.resume_workflow_async(ready, run, outcome=outcome, payload=payload, handlers=handlers)
        return run

    try:
        return told(quiet.loop.run_until_complete(through()))
    finally:
        quiet.loop.close()


def told(run: RunState) -> str:
    """A run as text, whatever its id."""
    return run.to_json().replace(f'"{run.run_id}', '"run')


def judge(world: World) -> RunState:
    """Live through a world and see that it ended as it must."""
    run = world.live()
    if run.status == "cancelled":
        assert world.cancelled, f"seed {world.seed}: nobody cancelled the run"
    else:
        assert told(run) == undisturbed(world.workflow, world.effects), f"seed {world.seed} ended otherwise"
    owners = [name for name, _ in groupby(world.pages)]
    assert len(owners) == len(set(owners)), f"seed {world.seed}: {owners} wrote in turns"
    if world.effects == "write":
        again = Counter({call: made - 1 - world.retries[call] for call, made in world.calls.items()})
        assert max(again.values(), default=0) <= 0, f"seed {world.seed} made {again.most_common(1)} too often"
    return run


def world_of(seed: int, path: str) -> World:
    return World(seed, path, ("write", "idempotent")[seed % 2])


def main(first: int, last: int, world_of: Callable[[int, str], World] = world_of) -> None:
    """Live through worlds and say what happened in them."""
    logging.disable()
    sums: Counter[str] = Counter()
    began = time.time()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        for seed in range(first, last):
            world = world_of(seed, str(Path(folder) / f"{seed // 500}.db"))
            run = judge(world)
            sums[run.status] += 1
            sums["calls"] += world.calls.total()
            sums["deaths"] += world.deaths
            sums["takeovers"] += world.takeovers
            sums["full disks"] += world.faults
            sums["retries"] += world.retries.total()
            if seed % 500 == 499:
                print(seed + 1, f"{time.time() - began:.0f} s", dict(sums), flush=True)  # noqa: T201
                for old in Path(folder).glob(f"{seed // 500}.db*"):
                    old.unlink()
    print(last - first, "worlds", f"{time.time() - began:.0f} s", dict(sums))  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
