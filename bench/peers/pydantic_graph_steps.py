"""pydantic-graph: a chain of steps."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import pairwise

from pydantic_graph import GraphBuilder, StepContext

from bench.peers.telling import Run, tell


@dataclass
class Counter:
    count: int = 0


async def step(ctx: StepContext[Counter, None, None]) -> None:
    ctx.state.count += 1


def chain(steps: int) -> Run:
    builder = GraphBuilder(state_type=Counter)
    made = [builder.step(step, node_id=f"s{number}") for number in range(steps)]
    places = [builder.start_node, *made, builder.end_node]
    builder.add(*(builder.edge_from(here).to(there) for here, there in pairwise(places)))
    graph = builder.build()
    return lambda: asyncio.run(graph.run(state=Counter()))


if __name__ == "__main__":
    tell(chain, None)
