"""Well-formed regions by the letter of reference 1.4, tried out on small graphs by brute force."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, product
from random import Random

from tests.passes.workflows import Json

END = "__end__"
OUTCOMES = {"wait": ["ok"], "condition": ["true", "false"], "foreach": ["item", "done"], "join": ["ok"], "end": []}


@dataclass
class Graph:
    """Steps with their types, and where each of their outcomes leads."""

    start: str
    types: dict[str, str] = field(default_factory=dict)
    out: dict[str, dict[str, str]] = field(default_factory=dict)

    def document(self) -> Json:
        edges = [{"from": s, "outcome": o, "to": t} for s, out in self.out.items() for o, t in out.items()]
        return {"name": "main", "start": self.start, "nodes": [self._step(name) for name in self.types], "edges": edges}

    def _step(self, name: str) -> Json:
        more: Mapping[str, Json] = {
            "wait": {"seconds": 0},
            "condition": {"check": {"op": "exists", "path": "input.n"}},
            "foreach": {"over": {"value": [1]}, "as": "item"},
            "fork": {"branches": list(self.out[name])},
            "end": {"outcome": "ok"},
        }
        return {"id": name, "type": self.types[name], **more.get(self.types[name], {})}


@dataclass(frozen=True)
class Reader:
    """A graph with a join for each fork, to which a fork without an active branch goes."""

    graph: Graph
    joins: Mapping[str, str]

    def reach(self, start: str, avoid: Collection[str] = (), without: tuple[str, str] = ("", "")) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            step = waiting.pop()
            if step in seen or step in avoid:
                continue
            seen.add(step)
            out = self.graph.out.get(step, {})
            waiting += [target for outcome, target in out.items() if (step, outcome) != without]
            waiting += [self.joins[step]] if step in self.joins else []
        return seen

    def is_end(self, step: str) -> bool:
        return step == END or self.graph.types[step] == "end"

    def enclosed(self, step: str, outcome: str, exit: str) -> set[str] | None:
        """The region that an outcome enters, up to its exit; none where it is not well formed by itself."""
        inside = self.reach_region(self.graph.out[step][outcome], exit)
        if any(self.is_end(one) for one in inside) or step in inside:
            return None
        return None if inside & self.reach(self.graph.start, without=(step, outcome)) else inside

    def reach_region(self, first: str, exit: str) -> set[str]:
        return self.reach(first, avoid={exit})

    def is_well_formed(self, forks: list[str], loops: list[str], joins: list[str]) -> bool:
        bodies = [self.enclosed(loop, "item", loop) for loop in loops]
        branches = {}
        for fork in forks:
            for branch, first in self.graph.out[fork].items():
                if self.joins[fork] not in self.reach(first):
                    return False
                branches[fork, branch] = self.enclosed(fork, branch, self.joins[fork])
        known = [region for region in (*bodies, *branches.values()) if region is not None]
        if len(known) < len(bodies) + len(branches):
            return False
        for fork in forks:
            mine = [branches[fork, branch] or set() for branch in self.graph.out[fork]]
            if sum(map(len, mine)) != len(set().union(*mine)):
                return False
            if any(fork in region and self.joins[fork] not in region for region in known):
                return False
        return all(
            any(self.joins[fork] == join for fork in forks if fork in region)
            for region in branches.values()
            if region is not None
            for join in joins
            if join in region
        )


def is_well_formed(graph: Graph) -> bool:
    """Whether some choice of a join for each fork makes all regions well formed."""
    found = sorted(Reader(graph, {}).reach(graph.start) - {END})
    forks, joins = ([name for name in found if graph.types[name] == kind] for kind in ("fork", "join"))
    loops = [name for name in found if graph.types[name] == "foreach"]
    choices = product(joins, repeat=len(forks))
    return any(
        Reader(graph, dict(zip(forks, each, strict=True))).is_well_formed(forks, loops, joins) for each in choices
    )


def any_graph(random: Random) -> Graph:
    """Steps whose outcomes lead anywhere, more often forwards."""
    names = [f"s{number}" for number in range(random.randint(2, 8))]
    graph = Graph(names[0])
    for index, name in enumerate(names):
        kind = random.choice(["wait", "wait", "condition", "condition", "foreach", "fork", "join", "join"])
        graph.types[name] = kind
        outcomes = OUTCOMES.get(kind) or random.choice([["p"], ["p", "q"]])
        ahead = [*names[index + 1 : index + 4], END]
        graph.out[name] = {o: random.choice(ahead if random.random() < 0.6 else [*names, END]) for o in outcomes}
    return graph


def nested_graph(random: Random) -> Graph:
    """Well-formed regions in one another, with up to two edges led elsewhere."""
    graph = Graph("")
    graph.start = next(_blocks(random, graph, count(), random.randint(1, 3), END))
    for _ in range(random.randint(0, 2)):
        name = random.choice([name for name in graph.types if graph.out[name]])
        graph.out[name][random.choice(list(graph.out[name]))] = random.choice([*graph.types, END])
    return graph


def _blocks(random: Random, graph: Graph, number: Iterator[int], depth: int, after: str) -> Iterator[str]:
    """The first step of each of endless blocks of steps that lead to `after`."""
    while True:
        kind = random.choice(["wait", "condition", "foreach", "fork", "loop", "row"]) if depth else "wait"
        inner = _blocks(random, graph, number, depth - 1, after)
        if kind == "row":
            yield next(_blocks(random, graph, number, depth - 1, next(inner)))
            continue
        name = f"s{next(number)}"
        graph.types[name] = {"loop": "condition"}.get(kind, kind)
        graph.out[name] = {}
        back = _blocks(random, graph, number, depth - 1, name)
        if kind == "wait":
            graph.out[name] = {"ok": after}
        elif kind == "condition":
            graph.out[name] = {"true": next(inner), "false": after}
        elif kind == "foreach":
            graph.out[name] = {"item": random.choice([next(back), name]), "done": after}
        elif kind == "loop":
            graph.out[name] = {"true": next(back), "false": after}
        else:
            join = f"s{next(number)}"
            graph.types[join], graph.out[join] = "join", {"ok": after}
            branch = _blocks(random, graph, number, depth - 1, join)
            graph.out[name] = {one: next(branch) for one in random.choice(["p", "pq", "pqr"])}
        yield name
