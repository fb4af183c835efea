"""The server tried with the published inspector of the protocol, over both transports, configured as the page says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import APPROVAL
from tests.servers.published import NODE, inspector
from tests.services.serving import http_server
from wfc.services import TOOLS

PAGE = Path("docs/mcp.md").read_text("utf-8")


def configured(folder: Path, to_serve: Path) -> list[str]:
    """The snippet of the page in a file, as somebody has it who has put in the folder of the own project."""
    (snippet,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert "/path/to/your/project" in snippet
    file = folder / "mcp.json"
    file.write_text(snippet.replace("/path/to/your/project", str(to_serve)))
    return ["--config", str(file), "--server", "wfc"]


@pytest.fixture(params=["stdio", "http"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[str]]:
    """How the inspector is told of a server of an empty project; it is started somewhere else."""
    project = tmp_path / "project"
    project.mkdir()
    if request.param == "stdio":
        yield configured(tmp_path, project)
        return
    with http_server(project) as url:
        yield [url, "--transport", "http"]


def inspected(target: list[str], *asked: str) -> Any:
    path = os.pathsep.join([str(Path(sys.prefix) / "bin"), str(NODE.parent), os.environ["PATH"]])
    command = [*inspector(), *target, "--method", *asked]
    ended = subprocess.run(
        command,
        # It looks for the name that it introduces itself by beside the folder that it is started in.
        cwd=Path(command[1]).parent,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_an_inspector_lists_the_tools_and_calls_two(target: list[str]) -> None:
    listed = inspected(target, "tools/list")["tools"]
    assert [(one["name"], one["inputSchema"], one["outputSchema"]) for one in listed] == [
        (one.name, one.input_schema, one.output_schema) for one in TOOLS
    ]
    found = _called(target, "check_workflow", workflow=APPROVAL)
    assert (found["ok"], found["diagnostics"]) == (True, [])
    asked = _called(target, "run_workflow", workflow=APPROVAL, run_id="r1", wait_seconds=60)
    assert (asked["status"], asked["interrupt"]["node_id"]) == ("interrupted", "ask")


def _called(target: list[str], tool: str, **arguments: Any) -> Any:
    pairs = [f"{name}={json.dumps(value)}" for name, value in arguments.items()]
    told = inspected(target, "tools/call", "--tool-name", tool, "--tool-arg", *pairs)
    assert not told.get("isError")
    assert json.loads(told["content"][0]["text"]) == told["structuredContent"]
    return told["structuredContent"]
