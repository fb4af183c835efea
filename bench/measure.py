"""CPU time as a ratio: of work to one bare step, measured in the same process right before and after (the unit B).

A bare step is one Python call and one dict update in a loop. A ratio is the smallest of several rounds: a busy machine
only ever adds to a measurement. Of two works that are compared it is the median.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

# Some work, and of how many units it consists.
Measured = tuple[Callable[[], object], int]
_BARE_STEPS = 20_000


@dataclass(frozen=True)
class Figure:
    """One measured ratio; `goal` is what it may be at most, none where it is told for comparison only."""

    name: str
    value: float
    goal: float | None = None
    unit: str = "B"

    @property
    def is_reached(self) -> bool | None:
        return None if self.goal is None else self.value <= self.goal


def inc(state: dict[str, int]) -> dict[str, int]:
    """The trivial handler: read one key, return an update."""
    return {"count": state["count"] + 1}


def _bare(steps: int) -> None:
    state = {"count": 0}
    for _ in range(steps):
        state.update(inc(state))


def bare_step() -> float:
    """The CPU seconds of one bare step, now, in this process."""
    found = []
    for _ in range(3):
        begun = time.process_time()
        _bare(_BARE_STEPS)
        found.append(time.process_time() - begun)
    return min(found) / _BARE_STEPS


def cost(work: Callable[[], object], units: int, rounds: int = 5) -> float:
    """What one unit of the work costs, in B. The first round warms up and does not count."""
    return costs([(work, units)], rounds)[0]


def costs(works: Sequence[Measured], rounds: int = 5) -> list[float]:
    """Like `cost`, for works that are to be compared: each round does them one after the other, because the speed of a
    machine changes while it measures."""
    return [min(costing) for costing in zip(*_rounds(works, rounds), strict=True)]


def growth(small: Measured, large: Measured, rounds: int = 15) -> float:
    """What one unit of a larger work costs over one of a smaller: the ratio of a round, and of all rounds the median,
    because what disturbs a measurement makes a ratio larger or smaller."""
    return median(many / few for few, many in _rounds([small, large], rounds))


def _rounds(works: Sequence[Measured], rounds: int) -> list[list[float]]:
    """What a unit of each work costs, in every round but the first, which warms up."""
    return [[_costing(*one) for one in works] for _ in range(rounds + 1)][1:]


def _costing(work: Callable[[], object], units: int) -> float:
    gc.collect()
    before = bare_step()
    begun = time.process_time()
    work()
    spent = time.process_time() - begun
    return spent / units / min(before, bare_step())


def process_cpu(command: list[str], folder: Path) -> float:
    """The CPU seconds of a whole process and its children; what it writes goes nowhere."""
    pid = os.fork()
    if pid == 0:
        os.chdir(folder)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        os.execvp(command[0], command)
    _, status, used = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime
