"""Which regions lie around the steps of a module: for whoever draws it."""

from __future__ import annotations

from wfc.ir import Module
from wfc.passes.facts import Facts


def regions_around(module: Module) -> dict[tuple[int, str], tuple[tuple[str, str, bool], ...]]:
    """For each workflow by its number and each step that lies in a region: the regions, outermost first.

    A region is named by the step and the outcome that enter it; the last part tells whether it is a foreach's body.
    """
    found: dict[tuple[int, str], tuple[tuple[str, str, bool], ...]] = {}
    for flow in Facts(module).flows:
        for step in flow.reachable:
            region = flow.region(step)
            if region is not None:
                outwards = [(one.step, one.outcome, one.body) for one in region.outwards()]
                found[flow.index, step] = tuple(reversed(outwards))
    return found
