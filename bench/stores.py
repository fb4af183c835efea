"""What keeping runs costs: a step on the disk, its bytes in the store, a run that asks and is answered (goals 5 to 7).

Each is told beside the same work written by hand on SQLite (`bench.by_hand`), in turn with it on one disk: the
ratio of a round, and of all rounds the median, because a disk's time for a commit varies by its own measure. Wall time
is what the goals are about; CPU time shows what is added to the disk's part.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import wfc
from bench import by_hand, workflows
from bench.by_hand import Work, over
from bench.measure import Figure, inc
from wfc.backends.stores import open_store
from wfc.ir import Program
from wfc.runs import durable

_STEPS, _RUNS = 300, 40


def figures() -> Iterator[Figure]:
    wall, cpu = over(_kept_steps(_STEPS), lambda path: by_hand.steps(path, _STEPS))
    yield Figure("5: a step kept on disk, over a loop on SQLite by hand", wall, 1.3, "×")
    yield Figure("5: the same, its CPU time", cpu, None, "×")
    few, many = _bytes_a_step(500, 1000), _bytes_a_step(1000, 3000)
    yield Figure("6: bytes in the store for a step, its value among them", many, 150, "bytes")
    yield Figure("6: the same, of 1,000 to 3,000 steps over 500 to 1,000", many / few, None, "×")
    wall, cpu = over(_answered(_RUNS), lambda path: by_hand.answered(path, _RUNS))
    yield Figure("7: ask, keep, resume, finish, over SQLite by hand", wall, 3, "×")
    yield Figure("7: the same, its CPU time", cpu, None, "×")


def _outside(path: Path) -> durable.Outside:
    return durable.Outside(open_store(str(path)), answering={"handlers": {"inc": inc}})


def _kept_steps(steps: int) -> Work:
    program = wfc.compile(workflows.loop(steps), unchecked=True)
    return lambda path: _completed(program, path)


def _completed(program: Program, path: Path) -> None:
    run = durable.begin(program, {}, _outside(path), run_id="r")
    assert run.status == "completed", run.error


def _bytes_a_step(few: int, many: int) -> float:
    """What the store of a longer run has more, for each step that the run has more."""
    with tempfile.TemporaryDirectory() as folder:
        sizes = []
        for steps in (few, many):
            path = Path(folder, f"{steps}.db")
            _kept_steps(steps)(path)
            sizes.append(sum(os.path.getsize(file) for file in Path(folder).glob(f"{steps}.db*")))
    return (sizes[1] - sizes[0]) / (many - few)


def _answered(runs: int) -> Work:
    """So many runs wait; then each is loaded from the store and answered, and finishes."""
    program = wfc.compile(workflows.asks(), unchecked=True)

    def work(path: Path) -> None:
        outside, names = _outside(path), [f"run{number}" for number in range(runs)]
        assert outside.store is not None
        for name in names:
            assert durable.begin(program, {}, outside, run_id=name).status == "interrupted"
        for name in names:
            stored = outside.store.load(name)
            run = durable.resume(program, stored, outside.store, outside, outcome="yes", payload={"approved": True})
            assert run.status == "completed", run.error

    return work
