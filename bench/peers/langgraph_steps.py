"""LangGraph: a chain of nodes, and a node sent to for every item."""

from __future__ import annotations

import operator
import sqlite3
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from bench.by_hand import Work
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


def kept(steps: int) -> Work:
    """A counter that goes up, its state kept after every step, each time before the next one begins."""

    def more(state: Counter) -> str:
        return "step" if state["count"] < steps else END

    builder = StateGraph(Counter)
    builder.add_node("step", inc)
    builder.add_edge(START, "step")
    builder.add_conditional_edges("step", more, ["step", END])

    def work(path: Path) -> None:
        database = sqlite3.connect(path, check_same_thread=False)
        saver = SqliteSaver(database)
        saver.setup()
        config = {"configurable": {"thread_id": "r"}, "recursion_limit": steps + 10}
        builder.compile(checkpointer=saver).invoke({"count": 0}, config, durability="sync")
        database.close()

    return work


if __name__ == "__main__":
    tell(chain, each, kept)
