"""Foreach bodies and fork branches as reference 1.4 defines them: which step lies in which, and which join closes a fork.

Guarantees: in a well-formed workflow every reachable step has its innermost region and every fork its one join, found in
one walk. In any other, `faults` names each edge, fork or join to blame, and the regions are those of the workflow with
these put right, so that one fault neither hides nor repeats another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from wfc.passes.blame import blame
from wfc.passes.labels import Labels, Region, idle_joins, label, unjoined
from wfc.passes.region_faults import DeadBranch, Escape, Fault, Intrusion, Unclosed
from wfc.passes.routes import Repairs, Routes
from wfc.passes.wiring import Wiring


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


def find_regions(wiring: Wiring) -> Regions:
    """The regions of a workflow, and every fault that keeps them from being well formed."""
    faults: list[Fault] = []
    repairs = Repairs()
    while True:
        routes = Routes(wiring, repairs)
        labels = label(routes)
        found = idle_joins(routes, labels)
        if labels.conflicts or unjoined(routes, labels):
            found = blame(routes, labels) or found
        if not found:
            break
        faults += _new(found, repairs)
        repairs = repairs.after(found)
    join_of = {fork: next(iter(joins)) for fork, joins in labels.joins.items() if len(joins) == 1}
    return Regions(labels.innermost, join_of, tuple(faults), tuple(_dead(labels, join_of)))


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
    for _, region in labels.opened:
        if not region.body and region not in labels.returning and region.step in join_of:
            yield DeadBranch(region.step, region.outcome, join_of[region.step])
