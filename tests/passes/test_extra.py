"""The author's `x-` keys go through a compile, wherever they stand, and count in the hash."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import wfc
from wfc.ir import content_hash, decode, encode

DOCUMENT: dict[str, Any] = {
    "name": "noted",
    "start": "ask",
    "nodes": [
        {
            "id": "ask",
            "type": "node",
            "node": "wf.std.identity",
            "input": [{"target": "value", "value": 1}],
            "output": [],
            "retry": {"max_attempts": 2},
            "catch": [{"codes": ["node_failed"], "outcome": "broke"}],
        },
        {
            "id": "is",
            "type": "condition",
            "check": {"op": "not", "arg": {"op": "eq", "left": {"value": 1}, "right": {"path": "input"}}},
        },
    ],
    "edges": [
        {"from": "ask", "outcome": "ok", "to": "is"},
        {"from": "ask", "outcome": "broke", "to": "is"},
        {"from": "is", "outcome": "true", "to": "__end__"},
        {"from": "is", "outcome": "false", "to": "__end__"},
    ],
}
PLACES = [
    (),
    ("nodes", 0),
    ("nodes", 0, "input", 0),
    ("nodes", 0, "retry"),
    ("nodes", 0, "catch", 0),
    ("nodes", 1, "check"),
    ("nodes", 1, "check", "arg"),
    ("nodes", 1, "check", "arg", "left"),
    ("edges", 1),
]


@pytest.mark.parametrize("place", PLACES)
def test_a_note_is_kept_and_counts(place: tuple[Any, ...]) -> None:
    document = copy.deepcopy(DOCUMENT)
    holder: Any = document
    for part in place:
        holder = holder[part]
    holder["x-why"] = {"said": ["so"]}
    assert wfc.check(document).ok
    program = wfc.compile(document)
    assert '"x-why":{"said":["so"]}' in encode(program)
    assert decode(encode(program)) == program
    assert content_hash(program) != content_hash(wfc.compile(DOCUMENT))
