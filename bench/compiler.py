"""What checking costs for each step of a long workflow, how that grows (goal 10), and what reading costs (goal 11).

Goal 11 is 60 µs where a bare step takes 0.1 µs, so that it is 600 B on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench import workflows
from bench.measure import Figure, cost
from wfc.driver import loaded
from wfc.frontend import read_document, text_of
from wfc.loading import unswept
from wfc.passes import examine


def figures() -> Iterator[Figure]:
    short, long = (_step(steps) for steps in (1000, 10_000))
    yield Figure("10: all passes, a step of 10,000", long, 400)
    yield Figure("10: the same, over a step of 1,000", long / short, 1.4, "×")
    yield Figure("11: a line of text, read with positions", _line(5000), 600)


def _step(steps: int) -> float:
    module = loaded(workflows.chain(steps)).module
    assert module is not None
    # As the driver calls them: without the garbage collector.
    return cost(unswept()(lambda: examine(module)), steps, 3)


def _line(steps: int) -> float:
    text = text_of(workflows.chain(steps))

    def read() -> None:
        read_document("chain.wf", text).locate(f"/nodes/{steps - 1}/input/0/path")

    return cost(unswept()(read), text.count("\n"), 3)
