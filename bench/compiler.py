"""What checking costs for each step of a long workflow, and how that grows (goal 10)."""

from __future__ import annotations

from collections.abc import Iterator

from bench import workflows
from bench.measure import Figure, cost
from wfc.driver import loaded
from wfc.loading import unswept
from wfc.passes import examine


def figures() -> Iterator[Figure]:
    short, long = (_step(steps) for steps in (1000, 10_000))
    yield Figure("10: all passes, a step of 10,000", long, 400)
    yield Figure("10: the same, over a step of 1,000", long / short, 1.4, "×")


def _step(steps: int) -> float:
    module = loaded(workflows.chain(steps)).module
    assert module is not None
    # As the driver calls them: without the garbage collector.
    return cost(unswept()(lambda: examine(module)), steps, 3)
