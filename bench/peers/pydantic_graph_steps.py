"""pydantic-graph: one node that goes on to itself, because its nodes are classes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from pydantic_graph import BaseNode, End, Graph, GraphRunContext

from bench.peers.telling import Run, tell


@dataclass
class Counter:
    count: int
    until: int


@dataclass
class Step(BaseNode[Counter, None, int]):
    async def run(self, ctx: GraphRunContext[Counter]) -> Step | End[int]:
        ctx.state.count += 1
        return Step() if ctx.state.count < ctx.state.until else End(ctx.state.count)


def chain(steps: int) -> Run:
    graph = Graph(nodes=[Step])
    return lambda: asyncio.run(graph.run(Step(), state=Counter(0, steps)))


if __name__ == "__main__":
    tell(chain, None)
