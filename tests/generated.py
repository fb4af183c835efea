"""Workflows of all features, made from a stream of choices, and answers that depend on nothing but the call.

`workflow(choose)` builds a well-formed module document; `choose(n)` gives a number below n, so hypothesis can shrink it
and a seeded generator can repeat it. Runs of it may complete, fail or interrupt: what counts is that they do so alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from wfc.ir import Answer, Completed, Delay, Elapsed, Failed, Invoke, NodeResult, Refused, canonical
from wfc.vm import Machine

Choose = Callable[[int], int]
Json = dict[str, Any]
INTEGER, TEXT = {"type": "integer"}, {"type": "string"}

STATE: Json = {
    "type": "object",
    "properties": {
        "count": {"type": "integer", "reducer": "wf.std.add", "default": 0},
        "log": {"type": "array", "items": INTEGER, "reducer": "wf.std.append"},
        "many": {"type": "array", "items": INTEGER, "maxItems": 40, "reducer": "wf.std.extend", "default": []},
        "seen": {"type": "array", "reducer": "wf.std.set_union", "default": [1]},
        "best": {"type": "integer", "reducer": "wf.std.max"},
        "last": INTEGER,
        "note": TEXT,
        "pair": {
            "type": "object",
            "properties": {"a": INTEGER, "b": INTEGER},
            "additionalProperties": False,
            "default": {"a": 0},
        },
    },
}
WORK: Json = {
    "name": "work",
    "input_schema": {"type": "object", "properties": {"x": {}}},
    "output_schema": {"type": "object", "properties": {"n": INTEGER, "ns": {"type": "array"}}, "required": ["n", "ns"]},
    "outcomes": ["ok", "other"],
}
TARGETS = (("n", "count"), ("n", "log"), ("ns", "many"), ("ns", "seen"), ("n", "best"), ("n", "last"), ("n", "pair.b"))
SOURCES: tuple[Json, ...] = (
    {"path": "state.count"},
    {"path": "input.seed"},
    {"value": 7},
    {"path": "context.retry_count"},
    {"path": "state.pair"},
    {"path": "state.seen"},
    {"path": "state.last"},
)
Loose = list[tuple[str, str]]


class _Builder:
    """One workflow under construction: steps and edges, and ids that are never given twice."""

    def __init__(self, choose: Choose, children: list[Json]) -> None:
        self.choose = choose
        self.children = children
        self.steps: list[Json] = []
        self.edges: list[Json] = []

    def add(self, kind: str, /, **fields: Any) -> str:
        name = f"{kind}{len(self.steps)}"
        self.steps.append({"id": name, "type": kind, **fields})
        return name

    def wire(self, loose: Loose, target: str) -> None:
        self.edges += [{"from": step, "outcome": outcome, "to": target} for step, outcome in loose]

    def sequence(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        first, loose = self.element(depth, loops)
        for _ in range(self.choose(3)):
            start, after = self.element(depth, loops)
            self.wire(loose, start)
            loose = after
        return first, loose

    def element(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        simple = (self.node, self.node, self.condition, self.wait, self.interrupt)
        nested = (self.foreach, self.foreach, self.fork, self.subgraph, self.loop)
        kinds = simple + nested if depth else simple
        return kinds[self.choose(len(kinds))](depth, loops)

    def node(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        source = (*SOURCES, *({"path": f"context.{alias}"} for alias in loops))
        step: Json = {"node": "work", "input": [{"target": "x", **source[self.choose(len(source))]}]}
        picked = {TARGETS[self.choose(len(TARGETS))] for _ in range(self.choose(3))}
        step["output"] = [{"source": a, "target": f"state.{b}"} for a, b in sorted(picked)]
        loose = ["ok", "other"]
        if self.choose(3) == 0:
            step["retry"] = {"max_attempts": 2, "delay_seconds": self.choose(2)}
        if self.choose(3) == 0:
            step["catch"] = [{"codes": ["node_failed"], "outcome": "broke"}]
            step["output"].append({"source": "error.code", "target": "state.note", "on": ["broke"]})
            loose.append("broke")
        name = self.add("node", **step)
        return name, [(name, outcome) for outcome in loose]

    def condition(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        left = {"path": ("state.count", "input.seed", "state.best")[self.choose(3)]}
        check: Json = {"op": ("lt", "ge", "eq")[self.choose(3)], "left": left, "right": {"value": self.choose(5)}}
        if self.choose(2):
            check = {"op": "and", "args": [{"op": "exists", "path": left["path"]}, check]}
        name = self.add("condition", check=check)
        return name, [(name, "true"), (name, "false")]

    def wait(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        name = self.add("wait", seconds=self.choose(2))
        return name, [(name, "ok")]

    def interrupt(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        request = [{"target": "prompt", "value": "?"}, {"target": "data", "path": "state.count"}]
        resume = [{"source": "comment", "target": "state.note", "on": ["yes"]}]
        name = self.add("interrupt", kind="approval", request=request, resume=resume, outcomes=["yes", "no"])
        return name, [(name, "yes"), (name, "no")]

    def foreach(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        over = ({"value": list(range(self.choose(4)))}, "state.seen", "state.log")[self.choose(3)]
        fields: Json = {"over": over, "as": f"item{len(self.steps)}"}
        fields["mode"] = ("serial", "parallel")[self.choose(2)]
        fields["on_item_error"] = ("fail", "skip", "collect")[self.choose(3)]
        if fields["mode"] == "parallel" and self.choose(2):
            fields["max_concurrency"] = 1 + self.choose(3)
        if self.choose(3) == 0:
            fields["locals"] = [("state.last", "state.count", "state.pair")[self.choose(3)]]
        fields["output"] = [{"source": "failed", "target": "state.best"}] if self.choose(2) else []
        name = self.add("foreach", **fields)
        start, loose = self.sequence(depth - 1, (*loops, fields["as"]))
        self.wire([(name, "item")], start)
        self.wire(loose, name)
        return name, [(name, "done")]

    def fork(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        names = ["p", "q", "r"][: 1 + self.choose(3)]
        when = {"op": "exists", "path": "state.best"}
        branches = [{"outcome": one, "when": when} if self.choose(4) == 0 else one for one in names]
        fork, join = self.add("fork", branches=branches), self.add("join")
        if self.choose(3) == 0:
            next(step for step in self.steps if step["id"] == fork)["locals"] = ["state.last"]
        for one in names:
            start, loose = self.sequence(depth - 1, loops)
            self.wire([(fork, one)], start)
            self.wire(loose, join)
        return fork, [(join, "ok")]

    def subgraph(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        child = _workflow(self.choose, depth - 1, self.children)
        fields: Json = {"workflow": {"name": child["name"]}, "outcomes": child["outcomes"]}
        fields["input"] = [{"target": "seed", "path": "state.count"}]
        fields["output"] = [{"source": "count", "target": "state.count", "on": ["ok"]}]
        outcomes = list(child["outcomes"])
        if self.choose(2):
            fields["catch"] = [{"codes": ["node_failed"], "outcome": "broke"}]
            outcomes.append("broke")
        name = self.add("subgraph", **fields)
        return name, [(name, outcome) for outcome in outcomes]

    def loop(self, depth: int, loops: tuple[str, ...]) -> tuple[str, Loose]:
        tick = {"node": "wf.std.identity", "input": [{"target": "value", "value": 1}]}
        first = self.add("node", **tick, output=[{"source": "value", "target": "state.count"}])
        start, loose = self.sequence(depth - 1, loops)
        check = {"op": "lt", "left": {"path": "state.count"}, "right": {"value": 4 + self.choose(4)}}
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
        "input_schema": {"type": "object", "properties": {"seed": {"type": "integer", "default": 1}}},
        "state_schema": STATE,
        "output_schema": {"type": "object", "properties": {name: {} for name in ("count", "log", "best", "last")}},
        "outcomes": outcomes,
        "node_defs": [WORK],
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


def answer(effect: Invoke | Delay, seed: int) -> Answer:
    """The answer to a call: it follows from the seed and from what the call says of itself, not from its time."""
    if isinstance(effect, Delay):
        return Elapsed(effect.call_id)
    if effect.capability == "wf.std.identity":
        return Completed(effect.call_id, NodeResult(None, effect.payload))
    said = canonical([seed, effect.call_id, effect.attempt, effect.payload])
    number = int(hashlib.sha256(said.encode()).hexdigest()[:8], 16)
    if number % 9 == 0:
        return Failed(effect.call_id, ("node_failed", "node_timeout")[number % 2], "boom", "Boom")
    output = {"n": number % 5, "ns": [number % 3, number % 4], "beside": True}
    return Completed(effect.call_id, NodeResult("other" if number % 4 == 0 else None, output))


def resume(machine: Machine, seed: int) -> None:
    """Answer the question that waits; every other one first with an answer that is refused."""
    asked = machine.checkpoint().interrupt
    assert asked is not None
    number = int(hashlib.sha256(f"{seed}{asked.id}".encode()).hexdigest()[:8], 16)
    if number % 2:
        try:
            machine.resume("yes", {"approved": 3})
        except Refused:
            machine.resume("no", None, asked.id)
        return
    machine.resume("yes", {"approved": True, "comment": str(number % 7)})


def run(machine: Machine, seed: int, *, questions: int = 30) -> Machine:
    """Drive a machine one call at a time until it ends, or has asked so many questions."""
    for _ in range(questions):
        while (effect := machine.poll()) is not None:
            if isinstance(effect, (Invoke, Delay)):
                machine.answer(answer(effect, seed))
        if machine.status != "interrupted":
            break
        resume(machine, seed)
    return machine
