"""LangGraph: a chain of nodes, and a node sent to for every item."""

from __future__ import annotations

import operator
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from bench.measure import inc
from bench.peers.telling import Run, tell


class Counter(TypedDict):
    count: int


class Items(TypedDict):
    items: list[int]
    outs: Annotated[list[int], operator.add]


def chain(steps: int) -> Run:
    builder = StateGraph(Counter)
    names = [f"s{number}" for number in range(steps)]
    for name in names:
        builder.add_node(name, inc)
    for here, there in zip([START, *names], [*names, END], strict=True):
        builder.add_edge(here, there)
    graph = builder.compile()
    return lambda: graph.invoke({"count": 0}, {"recursion_limit": steps + 10})


def each(items: int) -> Run:
    def body(given: Any) -> Any:
        return {"outs": [given["item"] + 1]}

    def spread(state: Items) -> list[Send]:
        return [Send("body", {"item": item}) for item in state["items"]]

    builder = StateGraph(Items)
    builder.add_node("body", body)
    builder.add_conditional_edges(START, spread, ["body"])
    builder.add_edge("body", END)
    graph = builder.compile()
    return lambda: graph.invoke({"items": list(range(items)), "outs": []})


if __name__ == "__main__":
    tell(chain, each)
