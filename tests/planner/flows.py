"""The workflow that planners write in these tests, its capabilities, and faults of it."""

from __future__ import annotations

import json
from typing import Any

from wfc.ir import Contract

TEXT = {"type": "string"}
CAPABILITIES = (
    Contract(
        "fs.read_file",
        {"type": "object", "properties": {"path": TEXT}, "required": ["path"]},
        {"type": "object", "properties": {"content": TEXT}, "required": ["content"]},
        effects="read",
        description="Read a file. Of any kind.",
    ),
    Contract(
        "fs.write_file",
        {"type": "object", "properties": {"path": TEXT, "content": TEXT}, "required": ["path", "content"]},
        {"type": "object", "properties": {"bytes": {"type": "integer"}}, "required": ["bytes"]},
        description="Write a file.",
    ),
)

GOOD: dict[str, Any] = {
    "name": "copying",
    "state_schema": {"type": "object", "properties": {"content": TEXT}},
    "output_schema": {"type": "object", "properties": {"content": TEXT}, "required": ["content"]},
    "node_defs": [{"name": "fs.read_file"}],
    "start": "read",
    "nodes": [
        {
            "id": "read",
            "type": "node",
            "node": "fs.read_file",
            "input": [{"target": "path", "value": "a.txt"}],
            "output": [{"source": "content", "target": "state.content"}],
        },
        {
            "id": "write",
            "type": "node",
            "node": "fs.write_file",
            "input": [{"target": "path", "value": "b.txt"}, {"target": "content", "path": "state.content"}],
        },
    ],
    "edges": [
        {"from": "read", "outcome": "ok", "to": "write"},
        {"from": "write", "outcome": "ok", "to": "__end__"},
    ],
}


def replaced(old: str, new: str) -> str:
    """The workflow as text, with a part of it replaced once."""
    text = json.dumps(GOOD)
    assert old in text
    return text.replace(old, new, 1)


GOOD_TEXT = json.dumps(GOOD)
# No binding for a required input, which no fix can invent.
NO_PATH = replaced('{"target": "path", "value": "b.txt"}, ', "")
# Reads what nothing writes.
UNWRITTEN = replaced('"target": "state.content"', '"target": "state.content", "on": []')
BAD_SOURCE = replaced('"source": "content"', '"source": "body"')
# An edge to a step that is not there, with a safe fix.
MISSPELT = replaced('"to": "write"', '"to": "wirte"')
