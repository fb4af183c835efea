"""What the repository offers for continuous integration does what it says, run as a runner would run it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.greeting import GREETING

ROOT = Path(__file__).parents[2]
ACTIONS = (ROOT / "examples/ci/github-actions.yml").read_text("utf-8")
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
COMMANDS = [line for line in re.findall(r"run: (.+)", ACTIONS) if not line.startswith("pip ")]
ENTRIES = re.findall(r"entry: (.+)", HOOKS)
TEST = {"name": "t", "workflow": "approval.wf.json", "expect": {"check": []}}


@pytest.fixture
def project(here: Path) -> Path:
    """A folder with a workflow and its test, and `wfc` on the path."""
    (here / "approval.wf.json").write_text(json.dumps(GREETING, indent=2))
    (here / "approval.wftest.json").write_text(json.dumps(TEST))
    (here / "bin").mkdir()
    (here / "bin" / "wfc").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m wfc "$@"\n')
    (here / "bin" / "wfc").chmod(0o755)
    return here


def run(project: Path, command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{project / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-ec", command], cwd=project, env=environment, capture_output=True, text=True)


def break_it(project: Path) -> None:
    file = project / "approval.wf.json"
    file.write_text(file.read_text().replace('"to": "ask"', '"to": "aks"'))


def test_every_step_of_the_workflow_passes_where_nothing_is_found(project: Path) -> None:
    assert [run(project, command).returncode for command in COMMANDS] == [0, 0, 0]


def test_findings_fail_the_job_stand_beside_the_lines_and_are_uploaded(project: Path) -> None:
    break_it(project)
    shown, uploaded, tested = (run(project, command) for command in COMMANDS)
    assert (shown.returncode, uploaded.returncode, tested.returncode) == (1, 0, 1)
    assert shown.stdout.startswith("::error file=approval.wf.json,line=")
    assert len(json.loads((project / "wfc.sarif").read_text())["runs"][0]["results"]) == 1


def test_what_cannot_be_checked_fails_the_upload_too(project: Path) -> None:
    (project / "wfc.toml").write_text("[chek]")
    assert [run(project, command).returncode for command in COMMANDS[:2]] == [2, 1]


def test_the_hooks_check_the_files_of_a_commit_and_fix_them(project: Path) -> None:
    (pattern,) = set(re.findall(r"files: (.+)", HOOKS))
    files = [name for name in sorted(os.listdir(project)) if re.search(pattern, name)]
    assert files == ["approval.wf.json"]
    check, fix = (f"{entry} {' '.join(files)}" for entry in ENTRIES)
    assert run(project, check).returncode == 0
    break_it(project)
    assert run(project, check).returncode == 1
    assert run(project, fix).returncode == 0
    assert (project / "approval.wf.json").read_text() == json.dumps(GREETING, indent=2)
