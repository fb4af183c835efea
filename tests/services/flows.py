"""Small workflows for the server, and the module that their nodes are in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

CONFIGURATION = """\
[sources.work]
kind = "python"
module = "work"
"""

# Every call leaves a line, so that a test sees how often something was done.
MODULE = """\
import time
from pathlib import Path

import wfc

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


@wfc.node(input_schema=TEXT, output_schema=TEXT, effects="write")
def note(payload):
    print("a handler may print")
    with Path("notes.txt").open("a") as file:
        file.write(payload["text"] + "\\n")
    return {"text": payload["text"] * 2000}


@wfc.node(input_schema=TEXT, output_schema=TEXT, effects="read")
def slowly(payload):
    # Says in a file that it has begun, and ends when there is another.
    Path(payload["text"] + ".begun").touch()
    until = time.monotonic() + 300
    while not Path(payload["text"]).exists() and time.monotonic() < until:
        time.sleep(0.02)
    return payload
"""

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


def calls(*nodes: tuple[str, str]) -> dict[str, Any]:
    """A workflow that calls nodes of `work`, each with a text, one after the other."""
    steps = [
        {
            "id": f"s{index}",
            "type": "node",
            "node": f"work.{node}",
            "input": [{"target": "text", "value": text}],
            "output": [{"source": "text", "target": "state.text"}],
        }
        for index, (node, text) in enumerate(nodes)
    ]
    targets = [*(f"s{index}" for index in range(1, len(nodes))), "__end__"]
    used = dict.fromkeys(node for node, _ in nodes)
    return {
        "name": "calling",
        "state_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
        "output_schema": TEXT,
        "node_defs": [
            {"name": f"work.{node}", "input_schema": TEXT, "output_schema": TEXT, "outcomes": ["ok"]} for node in used
        ],
        "start": "s0",
        "nodes": steps,
        "edges": [{"from": f"s{index}", "outcome": "ok", "to": target} for index, target in enumerate(targets)],
    }


def project(folder: Path) -> Path:
    """A folder with the configuration and the module."""
    (folder / "wfc.toml").write_text(CONFIGURATION)
    (folder / "work.py").write_text(MODULE)
    return folder


def notes(folder: Path) -> list[str]:
    file = folder / "notes.txt"
    return file.read_text().splitlines() if file.exists() else []
