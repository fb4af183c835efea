"""How a library's figures are taken and told: the work for two lengths of a chain and of a loop."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from bench.measure import cost

Run = Callable[[], object]


def tell(chain: Callable[[int], Run], each: Callable[[int], Run] | None) -> None:
    """Write what a step of a chain, a step of a ten times longer one, and an item of a loop cost."""
    short, long = (cost(chain(steps), steps, 2) for steps in (200, 2000))
    told = [("one step", short, "B"), ("a step of 2,000 over one of 200", long / short, "×")]
    if each is not None:
        told.append(("an item of 1,000", cost(each(1000), 1000, 2), "B"))
    sys.stdout.write(json.dumps(told) + "\n")
