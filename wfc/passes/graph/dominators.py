"""Which node lies on every way from the root to another (Lengauer and Tarjan, with path compression).

Own code because the algorithm of networkx is quadratic where many steps of a long chain fail to one common step, which
is an ordinary shape; this one is O(m log n) on every shape and never recurses.
"""

from __future__ import annotations

from collections.abc import Sequence

from wfc.records import dataclass

Successors = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class DominatorTree:
    """Per node the nearest node that lies on every way to it, and when a walk of that tree enters and leaves it."""

    parent: Sequence[int]
    enter: Sequence[int]
    leave: Sequence[int]

    def dominates(self, above: int, below: int) -> bool:
        """Whether every way to `below` leads through `above`; a node dominates itself."""
        return self.enter[above] <= self.enter[below] and self.leave[below] <= self.leave[above]


def dominator_tree(successors: Successors) -> DominatorTree:
    """The dominator tree of a graph of the nodes 0, 1, …, all of which can be reached from node 0."""
    parent = _immediate(successors)
    return DominatorTree(parent, *_intervals(parent))


def _depth_first(successors: Successors) -> tuple[list[int], list[int]]:
    """The nodes in preorder, and each node's parent in the spanning tree."""
    count = len(successors)
    order, parent, seen = [0], [0] * count, [False] * count
    seen[0] = True
    stack = [(0, iter(successors[0]))]
    while stack:
        node, rest = stack[-1]
        for follower in rest:
            if not seen[follower]:
                seen[follower] = True
                parent[follower] = node
                order.append(follower)
                stack.append((follower, iter(successors[follower])))
                break
        else:
            stack.pop()
    return order, parent


def _immediate(successors: Successors) -> list[int]:
    """The immediate dominator of each node; the root's is the root."""
    order, parent = _depth_first(successors)
    count = len(successors)
    number = [0] * count
    for index, node in enumerate(order):
        number[node] = index
    before: list[list[int]] = [[] for _ in range(count)]
    for node, followers in enumerate(successors):
        for follower in followers:
            before[follower].append(node)
    semi, ancestor, best = number[:], [-1] * count, list(range(count))
    waiting: list[list[int]] = [[] for _ in range(count)]
    found = [0] * count
    for node in reversed(order[1:]):
        for predecessor in before[node]:
            semi[node] = min(semi[node], semi[_evaluate(predecessor, ancestor, best, semi)])
        waiting[order[semi[node]]].append(node)
        above = parent[node]
        ancestor[node] = above
        for other in waiting[above]:
            lowest = _evaluate(other, ancestor, best, semi)
            found[other] = lowest if semi[lowest] < semi[other] else above
        waiting[above].clear()
    for node in order[1:]:
        if found[node] != order[semi[node]]:
            found[node] = found[found[node]]
    return found


def _evaluate(node: int, ancestor: list[int], best: list[int], semi: list[int]) -> int:
    """The node of least semidominator on the way from `node` up its tree, whose way is shortened as it is walked."""
    if ancestor[node] == -1:
        return node
    way = []
    while ancestor[ancestor[node]] != -1:
        way.append(node)
        node = ancestor[node]
    for below in reversed(way):
        above = ancestor[below]
        if semi[best[above]] < semi[best[below]]:
            best[below] = best[above]
        ancestor[below] = ancestor[above]
    return best[way[0] if way else node]


def _intervals(parent: list[int]) -> tuple[list[int], list[int]]:
    """When a walk of the tree enters and leaves each node."""
    children: list[list[int]] = [[] for _ in parent]
    for node in range(1, len(parent)):
        children[parent[node]].append(node)
    enter, leave, clock = [0] * len(parent), [0] * len(parent), 0
    stack = [(0, False)]
    while stack:
        node, done = stack.pop()
        clock += 1
        if done:
            leave[node] = clock
            continue
        enter[node] = clock
        stack.append((node, True))
        stack.extend((child, False) for child in children[node])
    return enter, leave
