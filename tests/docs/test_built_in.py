"""The page of what is built in names everything that is, with what it takes and gives, and nothing that is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wfc import check
from wfc.ir import REDUCERS, std

PAGE = (Path(__file__).parents[2] / "docs" / "built-in.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in PAGE.splitlines() if line[:3] == "| `"]


def row(name: str) -> list[str]:
    (found,) = [one for one in ROWS if f"`{name}`" in one[0].split(", ")]
    return found


@pytest.mark.parametrize("node", std.BUILTINS, ids=lambda node: node.key)
def test_a_node_has_its_fields_and_outcomes(node: std.Builtin) -> None:
    told = row(node.name)
    for field in node.input.get("properties", {}):
        assert f"`{field}`" in told[1]
    for field in node.output.get("properties", {}):
        assert f"`{field}`" in told[2]
    for outcome in node.outcomes[1:]:
        assert f"`{outcome}`" in told[3]


def test_every_reducer_and_kind_has_a_row_and_no_other() -> None:
    named = {name.strip("`") for one in ROWS for name in one[0].split(", ")}
    nodes = {node.name for node in std.BUILTINS}
    assert named == nodes | {one.name for one in REDUCERS} | set(std.INTERRUPT_KINDS)


@pytest.mark.parametrize("kind", std.INTERRUPT_KINDS)
def test_a_kind_has_its_fields(kind: str) -> None:
    request, answer = fields_of(std.INTERRUPT_KINDS[kind])
    told = row(kind)
    assert all(f"`{field}`" in told[1] for field in request)
    assert all(f"`{field}`" in told[2] for field in answer)


def fields_of(schemas: Any) -> tuple[list[str], list[str]]:
    request, answer = schemas
    return list(request.get("properties", {})), list(answer.get("properties", {}))


def test_the_reducer_with_a_config_is_one() -> None:
    state = {"n": json.loads(PAGE.split("```json\n")[1].split("```")[0])}
    flow = {
        "name": "counting",
        "state_schema": {"type": "object", "properties": state},
        "output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
        "start": "one",
        "nodes": [
            {
                "id": "one",
                "type": "node",
                "node": "wf.std.identity",
                "input": [{"target": "value", "value": 1}],
                "output": [{"source": "value", "target": "state.n"}],
            }
        ],
        "edges": [{"from": "one", "outcome": "ok", "to": "__end__"}],
    }
    assert check(flow).diagnostics == ()
