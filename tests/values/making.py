"""Workflows made from a stream of choices that write, un-write, guard and read state in every way the language has.

`workflow(choose)` builds a module document; runs of it may complete, fail or interrupt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tests.values.answering import INPUT, PROBE, STATE, WORK

T = TypeVar("T")
Choose = Callable[[int], int]
Json = dict[str, Any]
Loose = list[tuple[str, str]]

ROOTS = ("state", "input", "context")
WRITES = (
    ("n", "a"),
    ("n", "b"),
    ("n", "best"),
    ("n", "log"),
    ("ns", "bag"),
    ("o", "pair"),
    ("e", "pair"),
    ("n", "pair.x"),
    ("s", "pair.y"),
    ("o.deep", "pair.deep"),
    ("n", "pair.deep.k"),
    ("n", "need.p"),
    ("need", "need"),
    ("o", "mix"),
    ("e", "mix"),
    ("n", "mix.x"),
    ("o", "free"),
    ("e", "free"),
    ("n", "free.x"),
    ("o", "free.inner"),
    ("n", "free.inner.x"),
    ("o", "any"),
    ("n", "any"),
    ("n", "any.x"),
    ("s", "either"),
    ("o", "either"),
    ("n", "either.x"),
    ("z", "null"),
    ("tag", "tag"),
)
ADDING = (("n", "log"), ("ns", "bag"), ("n", "b"), ("o", "mix"))
READS = (
    "state.a",
    "state.b",
    "state.best",
    "state.log",
    "state.pair",
    "state.pair.x",
    "state.pair.y",
    "state.pair.deep",
    "state.pair.deep.k",
    "state.pair.deep.l",
    "state.need",
    "state.need.p",
    "state.need.q",
    "state.mix",
    "state.mix.x",
    "state.mix.y",
    "state.free",
    "state.free.x",
    "state.free.y",
    "state.free.inner",
    "state.free.inner.x",
    "state.free.inner.deep.k",
    "state.any",
    "state.any.x",
    "state.either",
    "state.either.x",
    "state.null",
    "state.note",
    "state.tag",
    "state.never",
    "input.o",
    "input.i",
    "input.pair.deep.k",
    "input.a",
    "context.prior_outcome",
    "context.activated_incoming_edge.from",
    "context.retry_count",
)


class _Builder:
    """One workflow under construction."""

    def __init__(self, choose: Choose, children: list[Json]) -> None:
        self.choose = choose
        self.children = children
        # Few places, so that what steps do to them meets, and one of them to which lineages may add side by side.
        self.targets = [self.one_of(ADDING), *(self.one_of(WRITES) for _ in range(1 + choose(5)))]
        self.locals = [f"state.{target}" for _, target in self.targets]
        self.locals += [path.rpartition(".")[0] for path in self.locals if path.count(".") > 1]
        self.steps: list[Json] = []
        self.edges: list[Json] = []

    def one_of(self, options: Sequence[T]) -> T:
        return options[self.choose(len(options))]

    def add(self, kind: str, /, **fields: Any) -> str:
        name = f"{kind}{len(self.steps)}"
        self.steps.append({"id": name, "type": kind} | fields)
        return name

    def wire(self, loose: Loose, target: str) -> None:
        self.edges += [{"from": step, "outcome": outcome, "to": target} for step, outcome in loose]

    def sequence(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        first = self.probe()
        loose: Loose = [(first, "ok")]
        for _ in range(1 + self.choose(4)):
            start, after = self.element(depth, loops)
            self.wire(loose, start)
            probe = self.probe()
            self.wire(after, probe)
            loose = [(probe, "ok")]
        return first, loose

    def probe(self) -> str:
        """A step that is shown all that can be read where it stands."""
        return self.add("probe", type="node", node="probe", input=[{"target": r, "path": r} for r in ROOTS])

    def element(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        simple = (self.node, self.node, self.node, self.condition, self.condition, self.std, self.interrupt)
        nested = (self.foreach, self.foreach, self.fork, self.fork, self.subgraph, self.loop, self.branching)
        kinds = simple + nested if depth else simple
        return self.one_of(kinds)(depth, loops)

    def path(self, loops: tuple[str, ...]) -> str:
        inside = tuple(f"context.{alias}{rest}" for alias in loops for rest in ("", ".x", ".deep.k", ".y"))
        return self.one_of(READS + inside + (("context.loop_index", "context.loop_item.x") if loops else ()))

    def argument(self, target: str, loops: tuple[str, ...], risk: int = 12) -> Json:
        safe = ({"value": 3}, {"path": "input.i"}, {"path": "state.b"}, {"path": "state.null"}, {"path": "state.tag"})
        if self.choose(risk):
            return {"target": target, **self.one_of(safe)}
        return {"target": target, "path": self.path(loops)}

    def node(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        step: Json = {"node": "work", "input": [self.argument("x", loops)]}
        outcomes = ["ok", "other", "empty"]
        step["output"] = self.writes(outcomes)
        if self.choose(3) == 0:
            step["catch"] = [{"codes": ["node_failed"], "outcome": "broke"}]
            source = self.one_of(("error.code", "error.message", "error.type"))
            step["output"].append({"source": source, "target": "state.note", "on": ["broke"]})
            outcomes.append("broke")
        name = self.add("node", **step)
        return name, [(name, outcome) for outcome in outcomes]

    def writes(self, outcomes: list[str]) -> list[Json]:
        """Bindings that do not overlap; most of them are for `ok`, which has everything they read."""
        found: list[Json] = []
        taken: list[list[str]] = []
        for _ in range(self.choose(4)):
            source, target = self.one_of(self.targets)
            parts = target.split(".")
            if any(parts[: len(t)] == t[: len(parts)] for t in taken):
                continue
            taken.append(parts)
            on = (None if self.choose(3) == 0 else ["ok", "other"]) if self.choose(10) == 0 else ["ok"]
            found.append({"source": source, "target": f"state.{target}", **({"on": on} if on else {})})
        return found

    def std(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        kind = self.choose(4)
        if kind == 0:
            step = {"node": "wf.std.identity", "input": [self.argument("value", loops)]}
            step["output"] = [{"source": "value", "target": self.one_of(("state.any", "state.free.x", "state.any.x"))}]
        elif kind == 1:
            step = {"node": "wf.std.record", "input": [self.argument("x", loops), self.argument("inner.x", loops)]}
            step["output"] = [{"source": ".", "target": self.one_of(("state.free", "state.any", "state.mix"))}]
        elif kind == 2:
            step = {"node": "wf.std.count", "input": [{"target": "array", "path": "state.bag"}]}
            step["output"] = [{"source": "count", "target": self.one_of(("state.a", "state.b", "state.pair.x"))}]
        else:
            step = {"node": "wf.std.record", "input": [{"target": "v", "value": self.one_of((1, None, {"x": 1}, {}))}]}
            step["output"] = [{"source": "v", "target": self.one_of(("state.any", "state.free.inner"))}]
        name = self.add("node", **step)
        return name, [(name, "ok")]

    def test(self, loops: tuple[str, ...], depth: int = 2) -> Json:
        kind = self.choose(7) if depth else self.choose(4)
        path = self.path(loops)
        if kind == 0:
            return {"op": "exists", "path": path}
        if kind == 1:
            safe = self.one_of(("state.b", "state.null", "state.tag", "input.i"))
            value = self.one_of((0, 1, None, "red", 2))
            return {"op": self.one_of(("eq", "ne")), "left": {"path": safe}, "right": {"value": value}}
        if kind == 2:
            check = {"op": self.one_of(("eq", "ne")), "left": {"path": path}, "right": {"value": self.choose(3)}}
            return {"op": "and", "args": [{"op": "exists", "path": path}, check]}
        if kind == 3:
            op = self.one_of(("lt", "le", "gt", "ge"))
            left = self.one_of(("state.b", "input.i", "state.b", "input.i", "state.b", "input.i", "state.null"))
            return {"op": op, "left": {"path": left}, "right": {"value": self.choose(3)}}
        if kind == 4:
            return {"op": "not", "arg": self.test(loops, depth - 1)}
        op = self.one_of(("and", "or"))
        return {"op": op, "args": [self.test(loops, depth - 1) for _ in range(1 + self.choose(3))]}

    def condition(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        name = self.add("condition", check=self.test(loops))
        return name, [(name, "true"), (name, "false")]

    def branching(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        """A condition whose sides do different things and meet again."""
        name = self.add("condition", check=self.test(loops))
        start, loose = self.sequence(depth - 1, loops)
        self.wire([(name, "true")], start)
        if self.choose(2):
            return name, [*loose, (name, "false")]
        start, after = self.sequence(depth - 1, loops)
        self.wire([(name, "false")], start)
        return name, [*loose, *after]

    def interrupt(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        request = [{"target": "prompt", "value": "?"}, {"target": "data", "path": "state.b"}]
        resume = [
            {"source": "comment", "target": "state.note", "on": ["yes"]},
            {"source": "more.x", "target": self.one_of(("state.any", "state.free.x")), "on": ["yes"]},
        ]
        name = self.add("interrupt", kind="approval", request=request, resume=resume, outcomes=["yes", "no"])
        return name, [(name, "yes"), (name, "no")]

    def foreach(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        literal = [{"x": number} for number in range(self.choose(4))]
        over: Any = ({"value": literal}, "input.items", "state.bag", {"value": literal}, "input.items", "state.bag")[
            self.choose(6)
        ]
        fields: Json = {"over": over, "as": f"item{len(self.steps)}"}
        fields["mode"] = ("serial", "parallel")[self.choose(2)]
        fields["on_item_error"] = ("fail", "skip", "collect")[self.choose(3)]
        if self.choose(3) == 0:
            fields["locals"] = list(dict.fromkeys([self.one_of(self.locals), self.one_of(self.locals)]))
        source, target = self.one_of((("failed", "a"), ("count", "best"), ("errors", "any"), ("failed_indexes", "bag")))
        fields["output"] = [{"source": source, "target": f"state.{target}"}] if self.choose(2) else []
        name = self.add("foreach", **fields)
        start, loose = self.sequence(depth - 1, (*loops, fields["as"]))
        self.wire([(name, "item")], start)
        self.wire(loose, name)
        return name, [(name, "done")]

    def fork(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        names = ["p", "q", "r"][: 1 + self.choose(3)]
        branches = [{"outcome": one, "when": self.test(loops, 1)} if self.choose(3) == 0 else one for one in names]
        fields: Json = {"branches": branches}
        if self.choose(3) == 0:
            fields["locals"] = [self.one_of(self.locals)]
        fork, join = self.add("fork", **fields), self.add("join")
        for one in names:
            start, loose = self.sequence(depth - 1, loops)
            self.wire([(fork, one)], start)
            self.wire(loose, join)
        return fork, [(join, "ok")]

    def subgraph(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        child = _workflow(self.choose, depth - 1, self.children)
        fields: Json = {"workflow": {"name": child["name"]}, "outcomes": child["outcomes"]}
        fields["input"] = [{"target": "i", "value": 1}, {"target": "items", "value": [{"x": 1}, {}]}]
        if self.choose(3) == 0:
            fields["input"].append({"target": "o", "value": 2})
        source, target = self.one_of((("b", "b"), ("pair", "pair"), ("pair.x", "a"), ("free", "free"), ("tag", "tag")))
        fields["output"] = [{"source": source, "target": f"state.{target}", "on": [self.one_of(child["outcomes"])]}]
        outcomes = list(child["outcomes"])
        if self.choose(2):
            fields["catch"] = [{"codes": ["node_failed"], "outcome": "broke"}]
            outcomes.append("broke")
        name = self.add("subgraph", **fields)
        return name, [(name, outcome) for outcome in outcomes]

    def loop(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        tick = {"node": "wf.std.identity", "input": [{"target": "value", "value": 1}]}
        first = self.add("node", **tick, output=[{"source": "value", "target": "state.b"}])
        start, loose = self.sequence(depth - 1, loops)
        check = {"op": "lt", "left": {"path": "state.b"}, "right": {"value": 4 + self.choose(4)}}
        last = self.add("condition", check=check)
        self.wire([(first, "ok")], start)
        self.wire(loose, last)
        self.wire([(last, "true")], first)
        return first, [(last, "false")]


def _workflow(choose: Choose, depth: int, children: list[Json]) -> Json:
    builder = _Builder(choose, children)
    start, loose = builder.sequence(depth, ())
    outcomes = ["ok"]
    if choose(2):
        outcomes.append("late")
        builder.wire(loose[:1], builder.add("end", outcome="late"))
        loose = loose[1:]
    builder.wire(loose, "__end__")
    made = {
        "name": f"flow{len(children)}",
        "input_schema": INPUT,
        "state_schema": STATE,
        "output_schema": {
            "type": "object",
            "properties": {name: {} for name in ("b", "pair", "free", "tag", "a", "any")},
        },
        "outcomes": outcomes,
        "node_defs": [WORK, PROBE],
        "start": start,
        "nodes": builder.steps,
        "edges": builder.edges,
    }
    children.append(made)
    return made


def workflow(choose: Choose, depth: int = 2) -> Json:
    """A module document whose main workflow contains the others."""
    children: list[Json] = []
    main = _workflow(choose, depth, children)
    return {"main": main["name"], "workflows": children}
