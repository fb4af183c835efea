"""One walk that gives every step its region, and says where the walk contradicts itself (reference 1.4).

Guarantees: a walk without conflicts, in which every fork has one join, is the proof that all regions are well formed.
"""

from __future__ import annotations

from collections.abc import Iterator

from wfc.ir import END, ForeachStep
from wfc.passes.graph.region_faults import Fault, IdleJoin
from wfc.passes.graph.routes import Routes
from wfc.passes.graph.wiring import Wire
from wfc.records import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """The body of a foreach, or one branch of a fork: what is entered by `outcome` of `step`."""

    step: str
    outcome: str
    body: bool
    parent: Region | None

    def outwards(self) -> Iterator[Region]:
        """The region and those around it, innermost first."""
        region: Region | None = self
        while region is not None:
            yield region
            region = region.parent

    @property
    def in_branch(self) -> bool:
        return any(not region.body for region in self.outwards())


@dataclass(frozen=True, slots=True)
class Labels:
    """The regions of one walk.

    `joins` are the joins that branches of a fork come to, `returning` the regions that come to their exit, `opened` all
    of them. `conflicts` are wires that disagree with the walk; there is none when all is well formed.
    """

    innermost: dict[str, Region | None]
    joins: dict[str, set[str]] = field(default_factory=dict)
    returning: set[Region] = field(default_factory=set)
    opened: list[Region] = field(default_factory=list)
    conflicts: list[Wire] = field(default_factory=list)


def label(routes: Routes) -> Labels:
    """Walk from the start and give every step the region that the first way to it implies."""
    start = routes.start
    labels = Labels({} if start is None else {start: None})
    waiting = list(labels.innermost)
    while waiting:
        source = waiting.pop()
        region = labels.innermost[source]
        for wire, target in routes.leaving(source):
            inside = region
            if routes.opens(wire):
                inside = Region(source, wire.outcome, isinstance(routes.wiring.steps[source], ForeachStep), region)
                labels.opened.append(inside)
            landing = _land(inside, target, routes, labels)
            if routes.ends(target) and landing is not None:
                labels.conflicts.append(wire)
            if target == END:
                continue
            if target not in labels.innermost:
                labels.innermost[target] = landing
                waiting.append(target)
            elif labels.innermost[target] is not landing:
                labels.conflicts.append(wire)
    return labels


def _land(inside: Region | None, target: str, routes: Routes, labels: Labels) -> Region | None:
    """The region in which a wire arrives at its target."""
    if inside is None:
        return None
    if inside.body and target == inside.step:
        labels.returning.add(inside)
        return inside.parent
    if not inside.body and routes.closes(target, inside.step):
        labels.returning.add(inside)
        labels.joins.setdefault(inside.step, set()).add(target)
        return inside.parent
    return inside


def idle_joins(routes: Routes, labels: Labels) -> list[Fault]:
    """Joins in a branch that close no fork there."""
    closing = {join for joins in labels.joins.values() for join in joins}
    found: list[Fault] = []
    for step, region in labels.innermost.items():
        if region is not None and routes.is_join(step) and step not in closing and region.in_branch:
            fork = next(around.step for around in region.outwards() if not around.body)
            found.append(IdleJoin(step, fork))
    return found


def is_sound(routes: Routes, labels: Labels) -> bool:
    """Whether the walk proves that all regions are well formed."""
    forks = {region.step for region in labels.opened if not region.body}
    joined = all(len(labels.joins.get(fork, ())) == 1 for fork in forks)
    return joined and not labels.conflicts and not idle_joins(routes, labels)
