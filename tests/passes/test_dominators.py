"""The dominator tree is that of networkx, on any graph whose nodes can all be reached."""

from random import Random
from typing import Any

import networkx
import pytest

from wfc.passes.graph.dominators import dominator_tree


@pytest.mark.parametrize("seed", range(300))
def test_any_graph(seed: int) -> None:
    random = Random(seed)
    graph: Any = networkx.DiGraph()
    graph.add_nodes_from(range(random.randint(1, 14)))
    graph.add_edges_from((random.randrange(node), node) for node in list(graph)[1:])
    graph.add_edges_from((random.choice(list(graph)), random.choice(list(graph))) for _ in range(random.randint(0, 16)))
    tree = dominator_tree([list(graph.successors(node)) for node in graph])
    expected = networkx.immediate_dominators(graph, 0)
    for node in graph:
        above = [node]
        while above[-1] != 0:
            above.append(expected[above[-1]])
        assert node == 0 or tree.parent[node] == expected[node]
        assert [other for other in graph if tree.dominates(other, node)] == sorted(above)
