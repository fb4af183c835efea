"""A project with a source that is a server written by hand, and the commands in it, as somebody types them."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wfc.cli import run

RAW = Path(__file__).parents[1] / "sources" / "servers" / "raw.py"


@dataclass(frozen=True)
class Done:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Place:
    """A folder in which commands are given, with variables of the environment."""

    folder: Path
    env: dict[str, str]

    def wfc(self, *arguments: str, **env: str) -> Done:
        """Run a command in this process, which is where it is left as it was."""
        before, was = dict(os.environ), os.getcwd()
        out, err = io.StringIO(), io.StringIO()
        os.environ.update({**self.env, **env})
        os.chdir(self.folder)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = run(arguments)
        finally:
            os.chdir(was)
            os.environ.clear()
            os.environ.update(before)
        return Done(code, out.getvalue(), err.getvalue())

    def write(self, name: str, value: Any) -> None:
        text = value if isinstance(value, str) else json.dumps(value)
        (self.folder / name).write_text(text)

    def read(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text())


def source(*manners: str, name: str = "raw", **table: Any) -> str:
    """The table of a source that starts the server by hand; values are JSON, which TOML reads as well."""
    fields: dict[str, Any] = {"kind": "mcp", "command": sys.executable, "args": [str(RAW), *manners], **table}
    lines = [f"{key} = {toml(value)}" for key, value in fields.items()]
    return "\n".join([f"[sources.{name}]", *lines, ""])


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def saying(uses: str = "raw.say", **definition: Any) -> dict[str, Any]:
    """A workflow that says what it is given and gives what comes back."""
    text = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    return {
        "name": "saying",
        "input_schema": text,
        "state_schema": {"type": "object", "properties": {"said": {"type": "string"}}},
        "output_schema": {"type": "object", "properties": {"said": {"type": "string"}}},
        "node_defs": [{"name": "say", "uses": uses, **definition}],
        "start": "a",
        "nodes": [
            {
                "id": "a",
                "type": "node",
                "node": "say",
                "input": [{"target": "text", "path": "input.text"}],
                "output": [{"source": "text", "target": "state.said"}],
            }
        ],
        "edges": [{"from": "a", "outcome": "ok", "to": "__end__"}],
    }
