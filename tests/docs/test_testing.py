"""The page of tests: its file runs, its mocks serve `--mock` as well, and a key means the same in both."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from wfc.cli import run

PAGE = Path("docs/testing.md").read_text("utf-8")
TEST = json.loads(re.findall(r"^```json\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[0])
TEXT = {"type": "string"}


def record(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


# What the test of the page is about.
REVIEW: dict[str, Any] = {
    "name": "review",
    "input_schema": record(folder=TEXT),
    "state_schema": {
        "type": "object",
        "properties": {
            "files": {"type": "array", "items": TEXT},
            "summaries": {"type": "array", "items": TEXT, "reducer": "wf.std.append", "default": []},
            "approved": {"type": "boolean"},
        },
    },
    "output_schema": {
        "type": "object",
        "properties": {"summaries": {"type": "array", "items": TEXT}, "approved": {"type": "boolean"}},
    },
    "node_defs": [
        {
            "name": "list",
            "uses": "files.list",
            "effects": "read",
            "input_schema": record(folder=TEXT),
            "output_schema": record(files={"type": "array", "items": TEXT}),
            "outcomes": ["ok"],
        },
        {
            "name": "summarise",
            "uses": "notes.summarise",
            "effects": "read",
            "input_schema": record(path=TEXT),
            "output_schema": record(summary=TEXT),
            "outcomes": ["ok"],
        },
    ],
    "start": "list",
    "nodes": [
        {
            "id": "list",
            "type": "node",
            "node": "list",
            "input": [{"target": "folder", "path": "input.folder"}],
            "output": [{"source": "files", "target": "state.files"}],
        },
        {
            "id": "each",
            "type": "foreach",
            "over": "state.files",
            "as": "file",
            "mode": "serial",
            "on_item_error": "skip",
        },
        {
            "id": "one",
            "type": "node",
            "node": "summarise",
            "input": [{"target": "path", "path": "context.file"}],
            "output": [{"source": "summary", "target": "state.summaries"}],
        },
        {
            "id": "ask",
            "type": "interrupt",
            "kind": "approval",
            "request": [{"target": "prompt", "value": "File these?"}],
            "resume": [{"source": "approved", "target": "state.approved"}],
            "outcomes": ["submitted"],
        },
    ],
    "edges": [
        {"from": "list", "outcome": "ok", "to": "each"},
        {"from": "each", "outcome": "item", "to": "one"},
        {"from": "each", "outcome": "done", "to": "ask"},
        {"from": "one", "outcome": "ok", "to": "each"},
        {"from": "ask", "outcome": "submitted", "to": "__end__"},
    ],
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "review.wf.json").write_text(json.dumps(REVIEW))
    return tmp_path


def test_the_test_of_the_page_passes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "review.wftest.json").write_text(json.dumps(TEST))
    assert (run(["test", "."]), capsys.readouterr().out) == (0, "1 passed, 0 failed\n")


@pytest.mark.parametrize("key", ["one", "summarise", "notes.summarise"])
def test_a_key_means_the_same_in_a_test_and_in_a_run(here: Path, capsys: pytest.CaptureFixture[str], key: str) -> None:
    """A step's id comes before a definition's name, and that before a capability."""
    names = ["one", "summarise", "notes.summarise"]
    wrong = {name: [{"output": {"summary": "wrong"}}] for name in names[names.index(key) + 1 :]}
    mocks = {"list": TEST["mocks"]["list"], key: [{"output": {"summary": "right"}}], **wrong}
    output = {"summaries": ["right", "right"], "approved": True}
    test = {**TEST, "mocks": mocks, "expect": {"output": output}}
    (here / "review.wftest.json").write_text(json.dumps(test))
    assert run(["test", "."]) == 0
    given = ["--mock", "review.wftest.json", "--json"]
    assert run(["run", "review.wf.json", "--set", "folder=inbox", "--run-id", "r", *given]) == 4
    capsys.readouterr()
    assert run(["resume", "r", "--outcome", "submitted", "--payload", '{"approved": true}', *given]) == 0
    assert json.loads(capsys.readouterr().out)["output"] == output
