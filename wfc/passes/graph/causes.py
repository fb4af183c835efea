"""Which fault explains why steps cannot be reached, so that one root cause is one finding.

An edge that is missing, leads nowhere or leads to the wrong place leaves the steps behind it unreachable. A fault
explains an island where the island would be well formed at that place; each explains one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wfc.ir import ForeachStep, ForkStep, JoinStep, SubgraphStep
from wfc.passes.graph.flow import Flow, Island, Unwired
from wfc.passes.graph.labels import Region
from wfc.passes.graph.names import Dangling
from wfc.passes.graph.region_faults import Escape, Intrusion, Unclosed
from wfc.passes.graph.wiring import Wire
from wfc.records import dataclass

_TRIED = 50


@dataclass(frozen=True, slots=True)
class Lacking:
    """An outcome of a child that the step which runs it does not declare, and so has no edge for."""

    step: SubgraphStep
    outcome: str


Circle = tuple[str, ...]
Cause = Unwired | Dangling | Wire | Intrusion | Unclosed | Lacking | Circle


@dataclass(frozen=True, slots=True)
class Causes:
    """Which fault explains which island; `unexplained` are the islands that stand by themselves."""

    _islands: dict[int, Island]
    unexplained: tuple[Island, ...]

    def island(self, cause: Cause) -> Island | None:
        """The island that a fault explains."""
        return self._islands.get(id(cause))

    def hidden(self, cause: Cause) -> int:
        """How many unreachable steps only follow from a fault."""
        island = self.island(cause)
        return len(island.steps) if island else 0


def find_causes(flow: Flow, lacking: Sequence[Lacking]) -> Causes:
    """Match the islands of a flow with its faults, the surest kind of fault first."""
    if not flow.islands:
        return Causes({}, ())
    free = [*((each, flow.region(each.step.id)) for each in lacking), *_candidates(flow)]
    explained: dict[int, Island] = {}
    alone = []
    for island in flow.islands:
        fitting = next(
            (n for n, (cause, region) in enumerate(free[:_TRIED]) if _fits(flow, island, cause, region)), None
        )
        if fitting is None:
            alone.append(island)
        else:
            explained[id(free.pop(fitting)[0])] = island
    return Causes(explained, tuple(alone))


def _candidates(flow: Flow) -> Iterator[tuple[Cause, Region | None]]:
    """Faults of edges, each with the region in which its edge should have stayed."""
    for unwired in flow.unwired:
        yield unwired, _region_by(flow, unwired.name, unwired.outcome)
    for dangling in flow.wiring.dangling:
        edge = next((reference.edge for reference in dangling.references if reference.role == "to"), None)
        source = None if edge is None or edge.source is None else flow.steps.get(edge.source)
        if dangling.meant is None and edge is not None and source is not None:
            yield dangling, _region_by(flow, source.id, str(edge.outcome))
    for wire in flow.empty_bodies:
        yield wire, _region_by(flow, wire.source, wire.outcome)
    for fault in flow.region_faults:
        match fault:
            case Intrusion(None):
                yield fault, None
            case Escape(Wire() as wire) | Intrusion(Wire() as wire):
                yield wire, _region_by(flow, wire.source, wire.outcome)
            case Unclosed(fork):
                yield fault, flow.region(fork)
    for circle in flow.endless:
        yield circle, flow.region(circle[0])


def _region_by(flow: Flow, source: str, outcome: str) -> Region | None:
    """The region in which an edge arrives that stays where it should: for an entering one, a region of its own."""
    step, region = flow.steps[source], flow.region(source)
    if isinstance(step, ForeachStep) and outcome == "item":
        return Region(source, outcome, True, region)
    if isinstance(step, ForkStep):
        return Region(source, outcome, False, region)
    return region


def _fits(flow: Flow, island: Island, cause: Cause, region: Region | None) -> bool:
    if isinstance(cause, Unclosed) and not isinstance(island.steps[0], JoinStep):
        return False
    return flow.fits(island, region)
