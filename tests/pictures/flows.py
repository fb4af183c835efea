"""Workflows that pictures are tested with, and runs of them."""

from __future__ import annotations

from typing import Any

import wfc
from wfc.backends.emit.pictures import Picture
from wfc.drawing import draw_workflow

# What an author may write where a careless picture would take it for something of its own.
NASTY = (
    "</script><script>window.hacked = 1</script>",
    '"><img src=x onerror="window.hacked = 1">',
    "<svg onload=window.hacked=1>",
    "]]> --> <!-- ${window.hacked = 1} `x`",
    '"]; evil [label="x"]; subgraph cluster_x { a -> b } //',
    '\\" \\N \\G \\l',
    '"] click w0n0 call alert() %%{init: {"theme": "x"}}%% end',
    "a\x00b\x1b[31mc\u202ed\u2028e\x7f",
    "&lt;b&gt; &amp; #quot; #35;",
)


def family() -> wfc.WorkflowBuilder:
    """A loop around a child that asks, and a step that fails behind it."""
    child = wfc.WorkflowBuilder("child", input_schema={"x": int}, state_schema={"y": int})
    keep = child.node("wf.std.identity", "keep", value=wfc.input_path("x"), output={"value": wfc.state_path("y")})
    big = child.condition("big", wfc.state_path("y") > 1, desc="is it worth a question?")
    ask = child.interrupt("ask", "approval", ["ok"], prompt="?")
    child.connect(keep, "ok", big)
    child.connect(big, True, ask)
    child.connect(big, False, wfc.END)
    child.connect(ask, "ok", wfc.END)
    parent = wfc.WorkflowBuilder("parent", state_schema={"z": wfc.StateField(list, reducer="wf.std.append")})
    each = parent.foreach("each", [1, 2], "item")
    run = parent.subgraph("run", child, input={"x": wfc.context_path("item")})
    note = parent.node("wf.std.identity", "note", value=wfc.context_path("item"), output={"value": wfc.state_path("z")})
    fail = parent.node("wf.std.fail", "boom", message="no <more>")
    for step, outcome, target in ((each, "item", run), (run, "ok", note), (note, "ok", each), (each, "done", fail)):
        parent.connect(step, outcome, target)
    parent.connect(fail, "ok", wfc.END)
    parent.prepare_subgraph(child)
    return parent


def branches() -> wfc.WorkflowBuilder:
    """A fork with a loop in one branch, a wait, and two ends."""
    flow = wfc.WorkflowBuilder("branches", state_schema={"n": int}, outcomes=["ok", "late"])
    fork = flow.fork("fork", {"left": None, "right": wfc.exists(wfc.state_path("n"))})
    wait, join, late = flow.wait("wait", 3), flow.join("join"), flow.end("stop", "late")
    each = flow.foreach("each", [1], "item", mode="parallel")
    work = flow.node("wf.std.identity", "work", value=1, output={"value": wfc.state_path("n")})
    check = flow.condition("check", ~(wfc.state_path("n") > 3))
    edges = [
        (fork, "left", wait),
        (wait, "ok", join),
        (fork, "right", each),
        (each, "item", work),
        (work, "ok", each),
        (each, "done", join),
        (join, "ok", check),
        (check, "true", wfc.END),
        (check, "false", late),
    ]
    for step, outcome, target in edges:
        flow.connect(step, outcome, target)
    return flow


def nasty() -> dict[str, Any]:
    """Everything that is free text holds what no picture may obey."""
    nodes: list[dict[str, Any]] = [
        {
            "id": f"s{number}",
            "type": "node",
            "node": text,
            "desc": text,
            "input": [{"target": "a", "value": text}, {"target": text, "path": text}],
        }
        for number, text in enumerate(NASTY)
    ]
    checks = [
        {"id": f"c{number}", "type": "condition", "check": {"op": "eq", "left": {"value": text}, "right": 1}}
        for number, text in enumerate(NASTY)
    ]
    edges = [{"from": f"c{number}", "outcome": text, "to": text} for number, text in enumerate(NASTY)]
    return {"name": "nasty", "desc": NASTY[0], "start": "s0", "nodes": [*nodes, *checks], "edges": edges}


def picture(source: Any) -> Picture:
    drawn, _ = draw_workflow(source.load() if isinstance(source, wfc.WorkflowBuilder) else source)
    assert drawn is not None
    return drawn


def sized(steps: int) -> dict[str, Any]:
    """A workflow of so many steps: sections of a decision, a loop, a fork, a question and an end."""
    flow = wfc.WorkflowBuilder("sized", input_schema={"n": int, "list": list[int]})
    flow.define("work", outcomes=["ok", "bad"])
    loose: list[tuple[wfc.Step, str]] = []
    for number in range(steps // 10):
        check = flow.condition(f"check_{number}", wfc.input_path("n") > number)
        each = flow.foreach(f"each_{number}", wfc.input_path("list"), f"item_{number}")
        work, mend = (flow.node("work", f"{name}_{number}") for name in ("work", "mend"))
        fork = flow.fork(f"fork_{number}", ["left", "right"])
        left, right = (flow.node("work", f"{name}_{number}") for name in ("left", "right"))
        join = flow.join(f"join_{number}")
        ask = flow.interrupt(f"ask_{number}", "approval", ["yes", "no"], prompt="?")
        stop = flow.end(f"stop_{number}")
        edges = [(check, "true", each), (check, "false", ask), (each, "item", work), (work, "ok", each)]
        edges += [(work, "bad", mend), (mend, "ok", each), (mend, "bad", each), (each, "done", fork)]
        edges += [(fork, "left", left), (fork, "right", right), (ask, "no", stop)]
        edges += [(step, outcome, join) for step in (left, right) for outcome in ("ok", "bad")]
        for step, outcome, target in [*edges, *((step, outcome, check) for step, outcome in loose)]:
            flow.connect(step, outcome, target)
        loose = [(join, "ok"), (ask, "yes")]
    for step, outcome in loose:
        flow.connect(step, outcome, wfc.END)
    made: dict[str, Any] = flow.to_json()
    return made
