"""The loops that edges make: steps that lead back to their first one, without the bodies of `foreach` (reference 1.4).

Guarantees: each circuit has one step through which every way into it leads. A workflow without circuits costs one look
at each edge; nested ones cost as much as they hold, up to a limit beyond which further ones are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from wfc.ir import ForeachStep
from wfc.passes.graph.dominators import dominator_tree
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.wiring import Wire
from wfc.records import dataclass

# How many steps all circuits together may hold, for each step of the workflow.
_MOST = 20


@dataclass(frozen=True, slots=True)
class Circuit:
    """The steps of a loop, its first one first, and the wires that leave it."""

    steps: tuple[str, ...]
    exits: tuple[Wire, ...]


def circuits(flow: Flow) -> Iterator[Circuit]:
    """The circuits of a workflow, of those with one first step all together; none where its ways are not known.

    An item that comes back to its loop makes no circuit, for a list ends; its body is part of one around the loop.
    """
    if flow.wiring.start is None or flow.wiring.entries or flow.wiring.loose or flow.region_faults:
        return
    names = list(flow.reachable)
    number = {name: index for index, name in enumerate(names)}
    after: list[list[int]] = [[] for _ in names]
    returning: list[list[int]] = [[] for _ in names]
    for source, name in enumerate(names):
        for wire in flow.wires(name):
            if wire.target in number:
                target = number[wire.target]
                if _is_return(flow, wire):
                    returning[target].append(source)
                else:
                    after[source].append(target)
    if not _goes_round(after):
        return
    left = _MOST * len(names)
    for inside in _closed(after, returning):
        left -= len(inside)
        if left < 0:
            return
        steps = tuple(names[index] for index in sorted(inside))
        exits = (wire for name in steps for wire in flow.wires(name) if number.get(wire.target, -1) not in inside)
        yield Circuit(steps, tuple(exits))


def way_round(flow: Flow, first: str, inside: Collection[str]) -> list[Wire]:
    """A shortest way from a step back to it that stays among the steps of a cycle."""
    came: dict[str, Wire] = {}
    waiting = [first]
    for step in waiting:
        for wire in flow.wires(step):
            if wire.target in inside and wire.target not in came:
                came[wire.target] = wire
                waiting.append(wire.target)
        if first in came:
            break
    way = [came[first]]
    while way[-1].source != first:
        way.append(came[way[-1].source])
    return way[::-1]


def _is_return(flow: Flow, wire: Wire) -> bool:
    if not isinstance(flow.steps[wire.target], ForeachStep):
        return False
    return flow.is_inside(wire.source, wire.target) or (wire.source == wire.target and wire.outcome == "item")


def _goes_round(after: Sequence[Sequence[int]]) -> bool:
    """Whether some way leads back to where it was."""
    coming = [0] * len(after)
    for targets in after:
        for target in targets:
            coming[target] += 1
    ready = [index for index, count in enumerate(coming) if not count]
    for index in ready:
        for target in after[index]:
            coming[target] -= 1
            if not coming[target]:
                ready.append(target)
    return len(ready) < len(after)


def _closed(after: Sequence[Sequence[int]], returning: Sequence[Sequence[int]]) -> Iterator[dict[int, None]]:
    """What lies on the ways back to a step through which all of them lead, for each such step."""
    tree = dominator_tree(after)
    before = [list(sources) for sources in returning]
    closing: dict[int, list[int]] = {}
    for source, targets in enumerate(after):
        for target in targets:
            before[target].append(source)
            if tree.dominates(target, source):
                closing.setdefault(target, []).append(source)
    for first, ends in sorted(closing.items()):
        inside = dict.fromkeys([first, *ends, *returning[first]])
        waiting = [end for end in inside if end != first]
        while waiting:
            for source in before[waiting.pop()]:
                if source not in inside:
                    inside[source] = None
                    waiting.append(source)
        yield inside
