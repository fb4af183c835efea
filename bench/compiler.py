"""What checking costs for each step of a long workflow, and how that grows (goal 10)."""

from __future__ import annotations

from collections.abc import Iterator

import wfc
from bench import workflows
from bench.measure import Figure, cost


def figures() -> Iterator[Figure]:
    short, long = (_step(steps) for steps in (1000, 10_000))
    yield Figure("10: reading and all passes, a step of 10,000", long, 400)
    yield Figure("10: the same, over a step of 1,000", long / short, 1.4, "×")


def _step(steps: int) -> float:
    loaded = wfc.from_value(workflows.chain(steps))
    return cost(lambda: wfc.check(loaded), steps, 1)
