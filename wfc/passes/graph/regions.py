"""Foreach bodies and fork branches as reference 1.4 defines them: what lies in which, and which join closes a fork.

Guarantees: in a well-formed workflow every reachable step has its innermost region and every fork its one join, found
in one walk. In any other, `faults` names each edge, fork or join to blame, and the regions are those of the workflow
with these put right, so that one fault neither hides nor repeats another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wfc.passes.graph.blame import blame, match_forks
from wfc.passes.graph.labels import Labels, Region, idle_joins, is_sound, label
from wfc.passes.graph.region_faults import DeadBranch, Escape, Fault, Intrusion, Unclosed
from wfc.passes.graph.routes import Repairs, Routes
from wfc.passes.graph.wiring import Wiring
from wfc.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Regions:
    """What is known of the regions of one workflow.

    `innermost` has every step that is reached; `join_of` the one join of each fork that has one; `dead` the branches
    that never reach it.
    """

    innermost: Mapping[str, Region | None]
    join_of: Mapping[str, str]
    faults: tuple[Fault, ...]
    dead: tuple[DeadBranch, ...]


def find_regions(wiring: Wiring, failing: frozenset[str] = frozenset()) -> Regions:
    """The regions of a workflow, and every fault that keeps them from being well formed.

    At the steps `failing` a way may stop without an edge, because they never give the outcome that has none.

    Most workflows are well formed, which one walk proves. Otherwise forks are matched with joins and what is to blame
    is put right, until the walk finds nothing any more.
    """
    faults: list[Fault] = []
    routes = Routes(wiring, Repairs(), failing)
    labels = label(routes)
    while not is_sound(routes, labels):
        closing = match_forks(routes, labels)
        if closing.join_of != routes.repairs.join_of and not closing.faults:
            routes = replace(routes, repairs=replace(routes.repairs, join_of=closing.join_of))
            labels = label(routes)
            continue
        found = closing.faults or idle_joins(routes, labels) or blame(routes, labels)
        if not found:
            break
        faults += _new(found, routes.repairs)
        routes = replace(routes, repairs=routes.repairs.after(found))
        labels = label(routes)
    join_of = {**routes.repairs.join_of, **{fork: min(joins) for fork, joins in labels.joins.items()}}
    closed = {fork: join for fork, join in join_of.items() if fork not in routes.repairs.plain}
    return Regions(labels.innermost, closed, tuple(faults), tuple(_dead(labels, closed)))


def _new(found: list[Fault], repairs: Repairs) -> list[Fault]:
    """The certain faults that blame nothing which was blamed before."""
    return [fault for fault in found if not _is_old(fault, repairs)]


def _is_old(fault: Fault, repairs: Repairs) -> bool:
    match fault:
        case Escape(wire) | Intrusion(wire):
            return wire in repairs.targets
        case Unclosed(certain=certain):
            return not certain
        case _:
            return False


def _dead(labels: Labels, join_of: Mapping[str, str]) -> Iterator[DeadBranch]:
    for region in labels.opened:
        if not region.body and region not in labels.returning and region.step in join_of:
            yield DeadBranch(region.step, region.outcome, join_of[region.step])
