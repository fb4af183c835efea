"""Commands run in this process, in an empty folder of their own."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from wfc.cli import run


@dataclass(frozen=True)
class Ended:
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Ended]

# Greets, asks, and ends by the answer.
APPROVAL: dict[str, Any] = {
    "name": "approval",
    "input_schema": {"type": "object", "properties": {"name": {"type": "string", "default": "Ada"}}},
    "state_schema": {"type": "object", "properties": {"text": {"type": "string"}, "approved": {"type": "boolean"}}},
    "output_schema": {"type": "object", "properties": {"text": {"type": "string"}, "approved": {"type": "boolean"}}},
    "outcomes": ["ok", "rejected"],
    "start": "greet",
    "nodes": [
        {
            "id": "greet",
            "type": "node",
            "node": "wf.std.template",
            "input": [{"target": "text", "value": "Hello {name}!"}, {"target": "values.name", "path": "input.name"}],
            "output": [{"source": "text", "target": "state.text", "on": ["ok"]}],
        },
        {
            "id": "ask",
            "type": "interrupt",
            "kind": "approval",
            "request": [{"target": "prompt", "value": "Send it?"}],
            "resume": [{"source": "approved", "target": "state.approved", "on": ["sent"]}],
            "outcomes": ["sent", "dropped"],
        },
        {"id": "no", "type": "end", "outcome": "rejected"},
    ],
    "edges": [
        {"from": "greet", "outcome": "ok", "to": "ask"},
        {"from": "greet", "outcome": "missing_value", "to": "no"},
        {"from": "ask", "outcome": "sent", "to": "__end__"},
        {"from": "ask", "outcome": "dropped", "to": "no"},
    ],
}

# Calls one node that nothing answers unless a mock does.
CALLING: dict[str, Any] = {
    "name": "calling",
    "state_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
    "output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
    "node_defs": [
        {
            "name": "count",
            "outcomes": ["ok"],
            "output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
        }
    ],
    "start": "one",
    "nodes": [
        {"id": "one", "type": "node", "node": "count", "output": [{"source": "n", "target": "state.n"}]},
    ],
    "edges": [{"from": "one", "outcome": "ok", "to": "__end__"}],
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "CI"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def wfc(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run a command; `stdin` is what it reads."""

    def command(*arguments: str, stdin: str = "") -> Ended:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = run(arguments)
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    return command


@pytest.fixture
def flows(here: Path) -> Path:
    """The folder with `approval.wf.json` and `calling.wf.json`."""
    for flow in (APPROVAL, CALLING):
        (here / f"{flow['name']}.wf.json").write_text(json.dumps(flow, indent=2))
    return here
