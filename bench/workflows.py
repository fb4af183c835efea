"""The workflows that are measured: chains, a loop, appends, a foreach, a question; each in the smallest form."""

from __future__ import annotations

from typing import Any

INTEGER = {"type": "integer"}
COUNT = {"type": "object", "properties": {"count": INTEGER}, "required": ["count"], "additionalProperties": False}
NODE = {"name": "inc", "outcomes": ["ok"], "input_schema": COUNT, "output_schema": COUNT}
UNCHECKED = {"name": "inc", "outcomes": ["ok"], "input_schema": {}, "output_schema": {}}
CALL = {
    "type": "node",
    "node": "inc",
    "input": [{"target": "count", "path": "state.count"}],
    "output": [{"source": "count", "target": "state.count"}],
}


def _document(name: str, steps: list[Any], edges: list[Any], **further: Any) -> dict[str, Any]:
    state = {"type": "object", "properties": {"count": {**INTEGER, "default": 0}}}
    made = {"name": name, "state_schema": state, "output_schema": COUNT, "node_defs": [NODE]}
    return {**made, "start": steps[0]["id"], "nodes": steps, "edges": edges, **further}


def chain(length: int, *, checked: bool = True) -> dict[str, Any]:
    """A chain of steps, each of which adds one; unchecked, every schema admits everything."""
    steps = [{**CALL, "id": f"s{number}"} for number in range(length)]
    ends = [*(f"s{number}" for number in range(1, length)), "__end__"]
    edges = [{"from": step["id"], "outcome": "ok", "to": to} for step, to in zip(steps, ends, strict=True)]
    if checked:
        return _document("chain", steps, edges)
    state = {"type": "object", "properties": {"count": {"default": 0}}}
    return _document("chain", steps, edges, node_defs=[UNCHECKED], state_schema=state)


def loop(times: int, **state: Any) -> dict[str, Any]:
    """One step and one condition, again and again; `state` are further properties of the state schema."""
    steps: list[Any] = [
        {**CALL, "id": "step"},
        {"id": "more", "type": "condition", "check": {"op": "lt", "left": {"path": "state.count"}, "right": times}},
    ]
    steps[1]["check"]["right"] = {"value": times}
    edges = [
        {"from": "step", "outcome": "ok", "to": "more"},
        {"from": "more", "outcome": "true", "to": "step"},
        {"from": "more", "outcome": "false", "to": "__end__"},
    ]
    schema = {"type": "object", "properties": {"count": {**INTEGER, "default": 0}, **state}}
    return _document("loop", steps, edges, state_schema=schema)


def asks() -> dict[str, Any]:
    """One step, and then a question."""
    request = [{"target": "prompt", "value": "go on?"}]
    ask = {"id": "ask", "type": "interrupt", "kind": "approval", "request": request, "outcomes": ["yes"]}
    edges = [{"from": "step", "outcome": "ok", "to": "ask"}, {"from": "ask", "outcome": "yes", "to": "__end__"}]
    return _document("asks", [{**CALL, "id": "step"}, ask], edges)


def appends(times: int) -> dict[str, Any]:
    """The loop, with one append to one list at every step."""
    made = loop(times, log={"type": "array", "items": INTEGER, "reducer": "wf.std.append", "default": []})
    write = {"source": "count", "target": "state.log"}
    made["nodes"][0] = {**CALL, "id": "step", "output": [*CALL["output"], write]}
    return made


def each(mode: str) -> dict[str, Any]:
    """One trivial step for every item, its result appended to a list."""
    item = {"type": "object", "properties": {"item": INTEGER}, "required": ["item"], "additionalProperties": False}
    out = {"type": "object", "properties": {"out": INTEGER}, "required": ["out"], "additionalProperties": False}
    outs = {"type": "array", "items": INTEGER, "reducer": "wf.std.append", "default": []}
    steps: list[Any] = [
        {"id": "each", "type": "foreach", "over": "input.items", "as": "x", "mode": mode},
        {
            "id": "body",
            "type": "node",
            "node": "body",
            "input": [{"target": "item", "path": "context.x"}],
            "output": [{"source": "out", "target": "state.outs"}],
        },
    ]
    edges = [
        {"from": "each", "outcome": "item", "to": "body"},
        {"from": "body", "outcome": "ok", "to": "each"},
        {"from": "each", "outcome": "done", "to": "__end__"},
    ]
    items = {"type": "object", "properties": {"items": {"type": "array", "items": INTEGER}}, "required": ["items"]}
    return {
        "name": "each",
        "input_schema": items,
        "state_schema": {"type": "object", "properties": {"outs": outs}},
        "output_schema": {"type": "object", "properties": {"outs": {}}},
        "node_defs": [{"name": "body", "outcomes": ["ok"], "input_schema": item, "output_schema": out}],
        "start": "each",
        "nodes": steps,
        "edges": edges,
    }
