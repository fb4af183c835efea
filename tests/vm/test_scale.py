"""Large input is ordinary input: no recursion, no hang, no crash, whatever its length or depth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wfc
from wfc.diagnostics import Severity

INTEGER = {"type": "integer"}
OPEN: dict[str, Any] = {"type": "object", "properties": {}}


def chain(length: int) -> dict[str, Any]:
    steps = [{"id": f"s{number}", "type": "join"} for number in range(length)]
    ends = [*(f"s{number}" for number in range(1, length)), "__end__"]
    edges = [{"from": step["id"], "outcome": "ok", "to": to} for step, to in zip(steps, ends, strict=True)]
    return {"name": "chain", "start": "s0", "nodes": steps, "edges": edges}


def loop_over(mode: str) -> dict[str, Any]:
    return {
        "name": "each",
        "input_schema": {"type": "object", "properties": {"xs": {"type": "array"}}, "required": ["xs"]},
        "state_schema": {
            "type": "object",
            "properties": {"ys": {"type": "array", "items": INTEGER, "reducer": "wf.std.append", "default": []}},
        },
        "output_schema": {"type": "object", "properties": {"ys": {}}},
        "start": "each",
        "nodes": [
            {"id": "each", "type": "foreach", "over": "input.xs", "as": "x", "mode": mode},
            {
                "id": "keep",
                "type": "node",
                "node": "wf.std.identity",
                "input": [{"target": "value", "path": "context.x"}],
                "output": [{"source": "value", "target": "state.ys"}],
            },
        ],
        "edges": [
            {"from": "each", "outcome": "item", "to": "keep"},
            {"from": "keep", "outcome": "ok", "to": "each"},
            {"from": "each", "outcome": "done", "to": "__end__"},
        ],
    }


def errors(source: dict[str, Any]) -> list[str]:
    found = wfc.check(source).diagnostics
    return [f"{one.code.code} {one.at.pointer}" for one in found if one.severity is Severity.ERROR]


def test_a_chain_of_20_000_steps_is_checked_compiled_and_run() -> None:
    document = chain(20_000)
    assert errors(document) == []
    run = wfc.execute_workflow(wfc.compile(document), {})
    assert (run.status, len(run.trace)) == ("completed", 20_000)
    assert wfc.RunState.from_json(run.to_json()) == run


@pytest.mark.parametrize("mode", ["serial", "parallel"])
def test_a_foreach_over_100_000_items(mode: str) -> None:
    items = list(range(100_000))
    run = wfc.execute_workflow(wfc.compile(loop_over(mode)), {"xs": items})
    assert run.status == "completed"
    assert run.output == {"ys": items}


def nested_schema(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"items": schema}
    return {"type": "object", "properties": {"deep": schema}}


def test_a_document_as_deep_as_the_language_admits() -> None:
    # The document, `input_schema`, `properties` and `deep` are four of the 200 levels.
    document = {**chain(1), "input_schema": nested_schema(196)}
    assert errors(document) == []
    value: Any = "x"
    for _ in range(196):
        value = [value]
    program = wfc.compile(document)
    assert wfc.execute_workflow(program, {"deep": value}).status == "completed"
    refused: Any = 3
    for _ in range(196):
        refused = [refused]
    assert wfc.execute_workflow(program, {"deep": refused}).error.code == "input_invalid"  # type: ignore[union-attr]


def test_one_level_more_is_a_finding() -> None:
    document = {**chain(1), "input_schema": nested_schema(197)}
    text = json.dumps(document)
    assert [found.code.code for found in wfc.check(wfc.loads(text)).diagnostics] == ["WF005"]


def test_a_chain_of_1_000_references() -> None:
    links = {f"d{number}": {"$ref": f"#/$defs/d{number + 1}"} for number in range(999)}
    schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": {**links, "d999": INTEGER}}
    document = {**chain(1), "input_schema": schema, "state_schema": schema}
    assert errors(document) == []
    program = wfc.compile(document)
    assert wfc.execute_workflow(program, {"x": 3}).state == {"x": 3}
    assert wfc.execute_workflow(program, {"x": "three"}).error.code == "input_invalid"  # type: ignore[union-attr]


def test_a_50_mb_document(tmp_path: Path) -> None:
    file = tmp_path / "big.wf.json"
    file.write_text(json.dumps({**chain(1), "x-notes": ["abcdefghij" * 10] * 490_000}))
    assert file.stat().st_size > 50_000_000
    assert wfc.check(file).diagnostics == ()


def test_a_50_mb_document_with_a_fault_at_its_end(tmp_path: Path) -> None:
    file = tmp_path / "big.wf.json"
    text = json.dumps({**chain(1), "x-notes": ["abcdefghij" * 10] * 490_000})
    file.write_text(text + "}")
    (found,) = wfc.check(file).diagnostics
    assert (found.code.code, found.at.span and found.at.span.start.column) == ("WF001", len(text) + 1)


def test_an_empty_file(tmp_path: Path) -> None:
    file = tmp_path / "empty.wf.json"
    file.write_bytes(b"")
    (found,) = wfc.check(file).diagnostics
    assert found.code.code == "WF001"
