"""Small workflows, a step a call. Every step names where its outcomes lead; `end` is `__end__`."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
Step = tuple[Json, dict[str, str]]
"""A step, and where its outcomes lead."""

INTEGER, TEXT, BOOLEAN = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}


def record(required: Json | None = None, optional: Json | None = None, **more: Any) -> Json:
    """An object schema."""
    needed = required or {}
    return {"type": "object", "properties": {**needed, **(optional or {})}, "required": list(needed), **more}


def workflow(*steps: Step, **fields: Any) -> Json:
    """A workflow that starts with its first step; the keywords are its fields, `state` short for its properties."""
    state = fields.pop("state", {})
    edges = [
        {"from": step["id"], "outcome": outcome, "to": "__end__" if to == "end" else to}
        for step, wires in steps
        for outcome, to in wires.items()
    ]
    made = {"name": "main", "start": steps[0][0]["id"], "nodes": [step for step, _ in steps], "edges": edges}
    return {**made, "state_schema": {"type": "object", "properties": state}, **fields}


def put(name: str, target: str, to: str = "end", value: Any = 1) -> Step:
    """Write a literal."""
    return _std(name, {"value": value}, target), {"ok": to}


def copy(name: str, source: str, target: str, to: str = "end") -> Step:
    """Write what is read."""
    return _std(name, {"path": source}, target), {"ok": to}


def _std(name: str, source: Json, target: str) -> Json:
    output = [{"source": "value", "target": target}]
    return {
        "id": name,
        "type": "node",
        "node": "wf.std.identity",
        "input": [{"target": "value", **source}],
        "output": output,
    }


def look(name: str, path: str, to: str = "end") -> Step:
    """Read a path, and write nothing."""
    bound = [{"target": "value", "path": path}]
    return {"id": name, "type": "node", "node": "wf.std.identity", "input": bound}, {"ok": to}


def stand(name: str, to: str = "end") -> Step:
    """Read and write nothing."""
    return {"id": name, "type": "wait", "seconds": 0}, {"ok": to}


def join(name: str, to: str = "end") -> Step:
    return {"id": name, "type": "join"}, {"ok": to}


def call(name: str, node: str, writes: list[Json], input: list[Json] | None = None, **wires: str) -> Step:
    """Use a definition; `catch` may stand among the wires as `caught`."""
    return {"id": name, "type": "node", "node": node, "input": input or [], "output": writes}, wires


def write(source: str, target: str, *on: str) -> Json:
    return {"source": source, "target": target, **({"on": list(on)} if on else {})}


def choice(name: str, check: Json, yes: str, no: str) -> Step:
    return {"id": name, "type": "condition", "check": check}, {"true": yes, "false": no}


def exists(path: str) -> Json:
    return {"op": "exists", "path": path}


def compare(op: str, path: str, value: Any) -> Json:
    return {"op": op, "left": {"path": path}, "right": {"value": value}}


def both(*args: Json) -> Json:
    return {"op": "and", "args": list(args)}


def some(*args: Json) -> Json:
    return {"op": "or", "args": list(args)}


def no(arg: Json) -> Json:
    return {"op": "not", "arg": arg}


def each(name: str, over: Any, item: str, done: str = "end", **fields: Any) -> Step:
    return {"id": name, "type": "foreach", "over": over, "as": "it", **fields}, {"item": item, "done": done}


def fork(name: str, branches: dict[str, str], when: dict[str, Json] | None = None, **fields: Any) -> Step:
    guarded = when or {}
    named = [{"outcome": one, "when": guarded[one]} if one in guarded else one for one in branches]
    return {"id": name, "type": "fork", "branches": named, **fields}, branches


def ask(name: str, resume: list[Json], kind: str = "approval", **wires: str) -> Step:
    request = [{"target": "prompt", "value": "?"}]
    return {
        "id": name,
        "type": "interrupt",
        "kind": kind,
        "request": request,
        "resume": resume,
        "outcomes": list(wires),
    }, wires


def child(name: str, of: str, writes: list[Json], input: list[Json] | None = None, **wires: str) -> Step:
    step = {"id": name, "type": "subgraph", "workflow": {"name": of}, "outcomes": list(wires)}
    return {**step, "input": input or [], "output": writes}, wires


def finish(name: str, outcome: str) -> Step:
    return {"id": name, "type": "end", "outcome": outcome}, {}


def definition(name: str, output: Json, outcomes: list[str] | None = None, **outcome_schemas: Json) -> Json:
    """A node that takes anything."""
    made = {"name": name, "output_schema": output, "outcomes": outcomes or ["ok"]}
    return {**made, **({"outcome_schemas": outcome_schemas} if outcome_schemas else {})}
