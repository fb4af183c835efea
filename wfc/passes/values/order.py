"""In which order points stand to one another: which one every way to another leads through, and where ways meet.

Guarantees: about linear in the size of the graph, and never recursive.
"""

from __future__ import annotations

from collections.abc import Sequence

from wfc.passes.graph.dominators import dominator_tree
from wfc.records import dataclass

Arrows = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Order:
    """When a walk of the dominator tree enters and leaves each point, and the frontier of each.

    `enter` and `leave` count in steps of two from 2 on; a point that cannot be reached has 0. `frontier` maps a point
    to those at which ways through it first meet others. `rank` numbers the points so that they come before what follows
    them, going round in circles aside.
    """

    enter: Sequence[int]
    leave: Sequence[int]
    rank: Sequence[int]
    chain: Sequence[int]
    frontier: Sequence[Sequence[int]]

    def frontier_of(self, point: int) -> Sequence[int]:
        """The points at which ways through a point first meet ways round it."""
        return self.frontier[self.chain[point]]


def order_of(after: Arrows, before: Arrows) -> Order:
    """The order of the points that can be reached from point 0."""
    chains, chain = _chains(after, before)
    arrows = [[chain[target] for target in after[points[-1]]] for points in chains]
    parent = dominator_tree(arrows).parent
    enter, leave = _times(parent, chains, len(after))
    return Order(enter, leave, _ranks(arrows, chains, len(after)), chain, _frontiers(arrows, parent, chains))


def _chains(after: Arrows, before: Arrows) -> tuple[list[list[int]], list[int]]:
    """Points that are only ever passed together, in order; and the chain of each point."""
    chains: list[list[int]] = []
    chain = [-1] * len(after)
    heads = [0]
    for head in heads:
        if chain[head] >= 0:
            continue
        points = [head]
        chain[head] = len(chains)
        while len(after[points[-1]]) == 1 and len(before[after[points[-1]][0]]) == 1:
            points += after[points[-1]]
            chain[points[-1]] = len(chains)
        chains.append(points)
        heads += [target for target in after[points[-1]] if chain[target] < 0]
    return chains, chain


def _times(parent: Sequence[int], chains: list[list[int]], count: int) -> tuple[list[int], list[int]]:
    """When a walk of the dominator tree, every chain spread out, enters and leaves each point."""
    children: list[list[int]] = [[] for _ in parent]
    for node in range(1, len(parent)):
        children[parent[node]].append(node)
    enter, leave, clock = [0] * count, [0] * count, 0
    stack = [(0, False)]
    while stack:
        node, done = stack.pop()
        for point in reversed(chains[node]) if done else chains[node]:
            clock += 2
            (leave if done else enter)[point] = clock
        if not done:
            stack.append((node, True))
            stack.extend((child, False) for child in children[node])
    return enter, leave


def _frontiers(arrows: Arrows, parent: Sequence[int], chains: list[list[int]]) -> list[list[int]]:
    """Per chain the heads of those at which ways through it first meet others."""
    before: list[list[int]] = [[] for _ in arrows]
    for node, targets in enumerate(arrows):
        for target in targets:
            before[target].append(node)
    frontier: list[list[int]] = [[] for _ in arrows]
    for node, sources in enumerate(before):
        for runner in sources if len(sources) > 1 else ():
            # What was walked for this meeting before has been walked up to its end.
            while runner != parent[node] and frontier[runner][-1:] != [chains[node][0]]:
                frontier[runner].append(chains[node][0])
                runner = parent[runner]
    return frontier


def _ranks(arrows: Arrows, chains: list[list[int]], count: int) -> list[int]:
    """Reverse postorder of the chains, every chain spread out."""
    seen = [False] * len(arrows)
    seen[0] = True
    stack, left = [(0, iter(arrows[0]))], []
    while stack:
        node, targets = stack[-1]
        for target in targets:
            if not seen[target]:
                seen[target] = True
                stack.append((target, iter(arrows[target])))
                break
        else:
            stack.pop()
            left.append(node)
    rank = [0] * count
    for number, point in enumerate(point for node in reversed(left) for point in chains[node]):
        rank[point] = number
    return rank
