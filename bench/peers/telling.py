"""How a library's figures are taken and told: the work for two lengths of a chain and of a loop."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from bench import by_hand
from bench.by_hand import Work, over
from bench.measure import cost

Run = Callable[[], object]
_KEPT = 100


def tell(
    chain: Callable[[int], Run], each: Callable[[int], Run] | None, kept: Callable[[int], Work] | None = None
) -> None:
    """Write what a step of a chain, a step of a ten times longer one, an item of a loop, and a step that is kept in an
    SQLite file cost."""
    short, long = (cost(chain(steps), steps, 2) for steps in (200, 2000))
    told = [("one step", short, "B"), ("a step of 2,000 over one of 200", long / short, "×")]
    if each is not None:
        told.append(("an item of 1,000", cost(each(1000), 1000, 2), "B"))
    if kept is not None:
        wall, cpu = over(kept(_KEPT), lambda path: by_hand.steps(path, _KEPT))
        told += [("a step kept on disk, over SQLite by hand", wall, "×"), ("the same, its CPU time", cpu, "×")]
    sys.stdout.write(json.dumps(told) + "\n")
