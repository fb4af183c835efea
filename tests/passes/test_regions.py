"""The walk and the blame agree with the definition of regions, whatever the graph."""

from random import Random

import pytest

from tests.passes.definition import Graph, any_graph, is_well_formed, nested_graph
from tests.passes.workflows import examined
from wfc.diagnostics import Severity
from wfc.passes.graph.regions import find_regions

SIZE = 12


def graphs(seed: int) -> list[Graph]:
    random = Random(seed)
    made = [random.choice([any_graph, nested_graph, nested_graph])(random) for _ in range(300)]
    return [graph for graph in made if len(graph.types) <= SIZE]


@pytest.mark.parametrize("seed", range(8))
def test_regions_are_those_of_the_definition(seed: int) -> None:
    for graph in graphs(seed):
        flow = examined(graph.document()).facts.flows[0]
        forks = [name for name in flow.reachable if graph.types[name] == "fork"]
        regions = find_regions(flow.wiring)
        sound = not regions.faults and not regions.dead and all(flow.join_of(fork) for fork in forks)
        assert sound == is_well_formed(graph), graph


@pytest.mark.parametrize("seed", range(8))
def test_an_ill_formed_workflow_never_passes(seed: int) -> None:
    for graph in graphs(seed):
        errors = [one for one in examined(graph.document()).diagnostics if one.severity is Severity.ERROR]
        assert errors or is_well_formed(graph), graph


@pytest.mark.parametrize("seed", range(4))
def test_no_edge_is_blamed_twice(seed: int) -> None:
    for graph in graphs(seed):
        found = [
            one.at.pointer
            for one in examined(graph.document()).diagnostics
            if one.code.code in ("WF205", "WF206", "WF208")
        ]
        assert len(found) == len(set(found)), graph
