"""What the lineages of each region hand outward: the places that their steps write, inner regions included, no locals.

Reference 2.6. The writes of a region are those of all its steps, whichever way a lineage takes.
"""

from __future__ import annotations

from collections.abc import Mapping

from wfc.ir import ForeachStep, ForkStep
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.labels import Region as Around
from wfc.passes.values.barriers import Locals, Written
from wfc.passes.values.points import Assign, Barrier, Points, Region
from wfc.passes.values.roots import Parts, Root, Spot, state_spot

Handed = dict[Root, Written]


def touched(flow: Flow, points: Points) -> Mapping[Region, frozenset[Root]]:
    """Per region the roots to which something happens in it, inner regions included."""
    around = inner_first(flow)
    found: dict[Region, set[Root]] = {region: set() for region in around}
    for step, effects in zip(points.step, points.effects, strict=True):
        region = flow.region(step) if effects else None
        if region is not None:
            found[region.step, region.outcome].update(effect.root for effect in effects)
    for key, region in around.items():
        if region.parent is not None:
            found[region.parent.step, region.parent.outcome] |= found[key]
    return {region: frozenset(roots) for region, roots in found.items()}


def handed_on(flow: Flow, points: Points) -> Mapping[Region, Handed]:
    """Per region and root what its lineages hand on at their barrier."""
    around = inner_first(flow)
    found: dict[Region, Handed] = {region: {} for region in around}
    for step, effects in zip(points.step, points.effects, strict=True):
        region = flow.region(step)
        for effect in effects if region is not None else ():
            if region is not None and isinstance(effect, Assign):
                found[region.step, region.outcome].setdefault(effect.root, Written()).at(effect.parts).here.append(
                    effect
                )
    for key, region in around.items():
        found[key] = _without(found[key], local_spots(flow, region.step))
        if region.parent is not None:
            _add(found[region.parent.step, region.parent.outcome], found[key])
    return found


def inner_first(flow: Flow) -> dict[Region, Around]:
    """All regions that hold a step, each before the one around it."""
    depths: dict[Region, int] = {}
    found: list[Around] = []
    for step in flow.reachable:
        region = flow.region(step)
        fresh: list[Around] = []
        while region is not None and (region.step, region.outcome) not in depths:
            fresh.append(region)
            region = region.parent
        depth = 0 if region is None else depths[region.step, region.outcome]
        for each in reversed(fresh):
            depth += 1
            depths[each.step, each.outcome] = depth
        found += fresh[::-1]
    ordered = sorted(found, key=lambda each: -depths[each.step, each.outcome])
    return {(each.step, each.outcome): each for each in ordered}


def local_spots(flow: Flow, opener: str) -> list[Spot]:
    """The places that are local to the lineages that a foreach or fork opens."""
    step = flow.steps[opener]
    paths = step.locals if isinstance(step, (ForeachStep, ForkStep)) else ()
    return [state_spot(path) for path in paths]


def locals_of(barrier: Barrier, root: Root) -> Locals | None:
    """The local places below a root as a tree; none where there is none."""
    return _tree([parts for each, parts in barrier.locals if each == root])


def _tree(places: list[Parts]) -> Locals | None:
    if not places:
        return None
    if () in places:
        return {}
    names = dict.fromkeys(parts[0] for parts in places)
    inside = {name: _tree([parts[1:] for parts in places if parts[0] == name]) for name in names}
    return {name: tree for name, tree in inside.items() if tree is not None}


def _without(handed: Handed, local: list[Spot]) -> Handed:
    """The writes that are not local; a place below a local one is local as well."""
    kept: Handed = {}
    for root, written in handed.items():
        tree = _tree([spot.parts for spot in local if spot.root == root])
        rest = written if tree is None else _pruned(written, tree)
        if rest is not None:
            kept[root] = rest
    return kept


def _pruned(written: Written, local: Locals) -> Written | None:
    if not local:
        return None
    inside = ((name, _pruned(inner, local[name]) if name in local else inner) for name, inner in written.below.items())
    below = {name: inner for name, inner in inside if inner is not None}
    return Written(written.here, below) if written.here or below else None


def _add(into: Handed, handed: Handed) -> None:
    for root, written in handed.items():
        waiting = [(into.setdefault(root, Written()), written)]
        while waiting:
            target, source = waiting.pop()
            target.here += source.here
            waiting += [(target.below.setdefault(name, Written()), inner) for name, inner in source.below.items()]
