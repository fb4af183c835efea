"""The pages about artifacts and tools name commands that there are, and what they show of artifacts is done."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from wfc.cli import run
from wfc.project import Settings
from wfc.project.parse import parse_settings

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FOLDER = {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]}
REVIEW: dict[str, Any] = {
    "name": "review",
    "input_schema": FOLDER,
    "start": "ask",
    "nodes": [
        {
            "id": "ask",
            "type": "interrupt",
            "kind": "approval",
            "outcomes": ["submitted"],
            "request": [{"target": "prompt", "path": "input.folder"}],
        }
    ],
    "edges": [{"from": "ask", "outcome": "submitted", "to": "__end__"}],
}


def blocks(page: str, kind: str) -> list[str]:
    return [text for found, text in BLOCK.findall((DOCS / page).read_text("utf-8")) if found == kind]


def test_the_page_about_artifacts(tmp_path: Path) -> None:
    (tmp_path / "review.wf.json").write_text(json.dumps(REVIEW))
    (tmp_path / "new.wf.json").write_text(json.dumps({**REVIEW, "desc": "another"}))
    where = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}

    def shell(command: str) -> tuple[int, str]:
        done = subprocess.run(command, shell=True, cwd=tmp_path, env=where, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    (console,) = blocks("artifacts.md", "console")
    commands = [line[2:] for line in console.splitlines() if line.startswith("$ ")]
    assert len(commands) == 6
    ended = []
    for command in commands:
        if "diff" in command:
            assert shell("wfc publish new.wf.json")[0] == 0
        ended.append(shell(command))
    # Two versions differ, and the run waits for an answer.
    assert [code for code, _ in ended] == [0, 0, 0, 0, 1, 4], ended
    assert ended[0][1].startswith("artifact:review@1 sha256:")
    assert ended[1][1].rstrip().endswith("(was there already)")
    (python,) = blocks("artifacts.md", "python")
    (tmp_path / "page.py").write_text(python + "print(run.status)\n")
    assert shell("python page.py") == (0, "completed\n")


def test_the_configuration_on_the_page_about_tools_is_one() -> None:
    import tomllib

    for text in blocks("tools.md", "toml"):
        table = tomllib.loads(text)
        for name, one in table["sources"].items():
            # The second block is about sources of the first.
            one.setdefault("kind", "mcp")
            if one["kind"] == "mcp" and not {"command", "url", "mcp_config"} & one.keys():
                one["command"] = name
        assert isinstance(parse_settings(table, "wfc.toml"), Settings)


@pytest.mark.parametrize("page", ["artifacts.md", "tools.md"])
def test_every_command_that_a_page_names_is_there(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = re.findall(r"`(wfc [^`]+)`", (DOCS / page).read_text("utf-8"))
    assert len(found) > 3
    for command in found:
        words = [word.split("|")[0] for word in shlex.split(command)[1:3] if re.fullmatch(r"[a-z|]+", word)]
        assert words, command
        assert run([*words, "--help"]) == 0, command
    capsys.readouterr()
