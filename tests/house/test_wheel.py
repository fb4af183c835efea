"""The built wheel, alone in an empty environment outside the clone, checks, describes and runs a workflow."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.house.imports import ROOT

WORKFLOW = {
    "name": "greeting",
    "input_schema": {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]},
    "state_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
    "output_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    "start": "greet",
    "nodes": [
        {
            "id": "greet",
            "type": "node",
            "node": "wf.std.join_text",
            "input": [{"target": "array", "value": ["good", "day"]}, {"target": "separator", "path": "input.who"}],
            "output": [{"source": "text", "target": "state.text"}],
        }
    ],
    "edges": [{"from": "greet", "outcome": "ok", "to": "__end__"}],
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a workflow, and beside it an environment that holds the wheel and sees the packages it needs."""
    folder = tmp_path_factory.mktemp("home")
    venv.create(folder / "env", with_pip=False, symlinks=True)
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)
    # A path in a .pth file is searched last and its own .pth files are not read: the clone stays out of sight.
    (site / "needed.pth").write_text(sysconfig.get_paths()["purelib"])
    (folder / "greeting.wf.json").write_text(json.dumps(WORKFLOW))
    return folder


def wfc(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [str(home / "env/bin/python"), "-m", "wfc", *arguments]
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True)


def test_the_wheel_holds_the_grammar_and_the_types(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {
        "wfc/py.typed",
        "wfc/grammar/workflow.schema.json",
        "wfc/grammar/workflow.lark",
        "wfc/grammar/workflow.tables.json",
    } <= set(names)


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    wanted = {path.relative_to(ROOT).as_posix() for path in (ROOT / "wfc").rglob("*") if path.is_file()}
    held = zipfile.ZipFile(wheel).namelist()
    assert {name for name in wanted if "__pycache__" not in name} - set(held) == set()


def test_it_is_the_wheel_that_runs(home: Path) -> None:
    code = "import wfc; print(wfc.__file__)"
    python = [str(home / "env/bin/python"), "-c", code]
    assert subprocess.run(python, cwd=home, capture_output=True, text=True).stdout.startswith(str(home))


def test_check(home: Path) -> None:
    done = wfc(home, "check", "greeting.wf.json")
    assert done.returncode == 0, done.stderr


def test_a_text_is_read_by_the_grammar_within(home: Path) -> None:
    text = wfc(home, "fmt", "greeting.wf.json", "--to", "text")
    assert text.returncode == 0, text.stderr
    (home / "greeting.wf").write_text(text.stdout)
    done = wfc(home, "diff", "greeting.wf.json", "greeting.wf")
    assert done.returncode == 0, done.stdout + done.stderr


def test_schema(home: Path) -> None:
    done = wfc(home, "schema")
    assert json.loads(done.stdout) == json.loads((ROOT / "grammar/workflow.schema.json").read_text("utf-8"))


def test_run(home: Path) -> None:
    done = wfc(home, "run", "greeting.wf.json", "--json", "--input", '{"who": " "}')
    assert (done.returncode, json.loads(done.stdout or "{}").get("output")) == (0, {"text": "good day"}), done.stderr
