"""What a strict type checker has to accept, and what it has to know: `test_typed` runs one on this file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_type

import wfc


@dataclass
class Note:
    text: str


@wfc.node
def plain(note: Note) -> Note:
    return note


@wfc.node(outcomes=["ok", "none"], effects="read")
async def later(text: str, times: int = 1) -> Note:
    return Note(text * times)


def build() -> wfc.RunState:
    flow = wfc.WorkflowBuilder("flow", input_schema=Note, state_schema={"note": Note})
    step = flow.node(plain, text=wfc.input_path("text"), output=[wfc.output_to(".", wfc.state_path("note"))])
    check = flow.condition("check", (wfc.state_path("note.text") == "a") & wfc.state_path("note").exists())
    flow.connect(step, "ok", check)
    flow.connect(check, True, wfc.END)
    flow.connect(check, False, wfc.END)
    assert_type(step, wfc.Step)
    assert_type(wfc.state_path("a") > 3, wfc.Expr)
    assert_type(wfc.state_path("a") == 3, wfc.Expr)
    assert_type(flow.compile(), wfc.Program)
    assert_type(plain(Note("a")), Note)
    return flow.execute({"text": "a"})


async def run() -> wfc.RunState:
    assert_type(await later("a"), Note)
    child = wfc.WorkflowBuilder("child")
    flow = wfc.WorkflowBuilder("parent")
    flow.prepare_subgraph(child)
    flow.connect(flow.subgraph("run", child), "ok", wfc.END)
    return await flow.execute_async({}, handlers={"later": later})


build().status.upper()
plain("a")  # type: ignore[arg-type]
wfc.input_from(3, "a")  # type: ignore[arg-type]
wfc.state_path(3)  # type: ignore[arg-type]
