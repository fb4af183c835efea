"""A file that cannot be read is noted where a name was looked for past it, once, and only there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wfc

BROKEN = '{"name": '
PAUSE: dict[str, Any] = {
    "start": "p",
    "nodes": [{"id": "p", "type": "wait", "seconds": 0}],
    "edges": [{"from": "p", "outcome": "ok", "to": "__end__"}],
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.wf.json").write_text(BROKEN)
    Path("child.wf.json").write_text(json.dumps({"name": "child", **PAUSE}))


def parent(*names: str) -> dict[str, Any]:
    steps = [f"s{number}" for number in range(len(names))]
    return {
        "name": "parent",
        "start": "s0",
        "nodes": [
            {"id": id, "type": "subgraph", "workflow": {"name": name}} for id, name in zip(steps, names, strict=True)
        ],
        "edges": [
            {"from": one, "outcome": "ok", "to": to} for one, to in zip(steps, [*steps[1:], "__end__"], strict=True)
        ],
    }


def found(document: dict[str, Any]) -> list[str]:
    return [f"{one.code.code} {one.at.pointer}" for one in wfc.check(document).diagnostics]


def test_it_is_noted_once_where_the_first_name_was_looked_for() -> None:
    assert found(parent("child", "child")) == ["WF706 /nodes/0/workflow"]
    (note,) = wfc.check(parent("child")).diagnostics
    assert (note.severity, note.facts["file"], note.facts["got"]) == ("note", "broken.wf.json", "child")
    assert "WF001, line 1: " in note.message


def test_it_is_noted_also_where_the_name_is_found_nowhere() -> None:
    assert found(parent("chlid")) == ["WF700 /nodes/0/workflow", "WF706 /nodes/0/workflow"]


def test_nothing_is_noted_where_the_module_has_the_name_itself() -> None:
    module = {"workflows": [parent("own"), {**parent("x"), "name": "own", **PAUSE}]}
    assert found(module) == []
