"""Where paths begin: the fields of state and input, and the item of each loop, whatever name a path uses for it.

Guarantees: two paths of one step begin at the same root exactly when a run reads both from the same value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wfc.ir import ForeachStep
from wfc.passes.graph.flow import Flow
from wfc.paths import GraphSourcePath, StatePath

Parts = tuple[str, ...]

# A path may have as many segments as its author likes; beyond these, what is known of the place above has to do.
DEEPEST = 64


class Root(NamedTuple):
    """A field of `state` or `input`, or the item of the loop `name`."""

    base: str
    name: str


class Spot(NamedTuple):
    """A place below a root. `exact` is false where it stands for a place deeper than is followed."""

    root: Root
    parts: Parts
    exact: bool = True


def spot_of(flow: Flow, step: str, path: GraphSourcePath) -> Spot | None:
    """The place that a path of a step means; none for a bare root, and for what `context` says of the way here."""
    parts = path.parts
    if not parts:
        return None
    if path.base != "context":
        return _spot(Root(path.base, parts[0]), parts[1:])
    loop = loop_of(flow, step, parts[0])
    return None if loop is None else _spot(Root("item", loop), parts[1:])


def state_spot(path: StatePath) -> Spot:
    """The place that a path in state means."""
    return _spot(Root("state", path.parts[0]), path.parts[1:])


def _spot(root: Root, rest: Parts) -> Spot:
    return Spot(root, rest) if len(rest) <= DEEPEST else Spot(root, rest[:DEEPEST], exact=False)


def loops(flow: Flow, step: str) -> Iterator[tuple[str, ForeachStep]]:
    """The loops around a step by name, innermost first."""
    region = flow.region(step)
    for around in region.outwards() if region is not None else ():
        opener = flow.steps[around.step]
        if around.body and isinstance(opener, ForeachStep):
            yield around.step, opener


def loop_of(flow: Flow, step: str, name: str) -> str | None:
    """The loop whose item a context key means: `loop_item` the innermost one's, an alias the innermost so called."""
    for loop, foreach in loops(flow, step):
        if name in ("loop_item", foreach.alias):
            return loop
    return None
