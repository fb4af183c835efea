"""Questions about directed graphs in which a step is a name: what is reached, on which way, and what goes in circles.

Everything is iterative and linear. networkx answers where a workflow has a fault to explain; a sound one never
loads it, because its import costs more than the check of a small file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Followers = Callable[[str], Iterable[str]]


def reached(starts: Iterable[str], followers: Followers, stops: Callable[[str], bool] | None = None) -> list[str]:
    """What can be reached, the starts included, nearest first; what `stops` holds for is never entered."""
    seen = dict.fromkeys(name for name in starts if stops is None or not stops(name))
    waiting = deque(seen)
    while waiting:
        for name in followers(waiting.popleft()):
            if name not in seen and (stops is None or not stops(name)):
                seen[name] = None
                waiting.append(name)
    return list(seen)


def turned(names: Iterable[str], followers: Followers) -> dict[str, list[str]]:
    """The graph with every arrow turned round."""
    back: dict[str, list[str]] = {}
    for name in names:
        for follower in followers(name):
            back.setdefault(follower, []).append(name)
    return back


def circles(names: Sequence[str], followers: Followers) -> list[list[str]]:
    """The strongly connected components among `names`, each in the order of `names`, and so are the components."""
    import networkx

    inside = set(names)
    graph: Any = networkx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from((name, follower) for name in names for follower in followers(name) if follower in inside)
    rank = {name: index for index, name in enumerate(names)}
    found = [sorted(component, key=rank.__getitem__) for component in networkx.strongly_connected_components(graph)]
    return sorted(found, key=lambda component: rank[component[0]])


def sources(components: Sequence[Sequence[str]], followers: Followers) -> list[Sequence[str]]:
    """The components that no other one leads to."""
    home: Mapping[str, int] = {name: index for index, component in enumerate(components) for name in component}
    entered = {
        home[follower]
        for name, index in home.items()
        for follower in followers(name)
        if home.get(follower, index) != index
    }
    return [component for index, component in enumerate(components) if index not in entered]
