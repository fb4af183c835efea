"""A check reads the configuration and the lock: it starts no server, imports no module and loads nothing for either."""

import subprocess
import sys

import pytest

from tests.tools.project import RAW, Place, saying, source
from wfc.linting import carrying_out

CODE = """\
import sys
from wfc.cli import run
code = run(sys.argv[1:])
print(code, *sorted(sys.modules), file=sys.stderr)
"""
NEVER = {"mcp", "mcp_types", "httpx2", "anyio", "asyncio", "telling", "wfc.backends.sources", "wfc.tools"}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Two sources that leave a mark when somebody starts or imports them, and a workflow on both."""
    place = Place(tmp_path, {})
    # Other tests in this process import modules of other folders.
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "telling.py").write_text(
        "import wfc\n\nopen('imported', 'w').close()\n\n@wfc.node(effects='pure')\ndef tell(payload):\n    return {}\n"
    )
    starts = source("starts", env={"PIDS": str(tmp_path / "started")}, cwd=str(RAW.parent))
    place.write("wfc.toml", starts + '[sources.own]\nkind = "python"\nmodule = "telling"\n')
    document = saying(outcomes=["ok"])
    document["node_defs"].append({"name": "tell", "uses": "own.tell"})
    document["nodes"].append({"id": "b", "type": "node", "node": "tell"})
    document["edges"] = [
        {"from": "a", "outcome": "ok", "to": "b"},
        {"from": "b", "outcome": "ok", "to": "__end__"},
    ]
    place.write("say.wf.json", document)
    assert place.wfc("tools", "lock").code == 0
    sys.modules.pop("telling", None)
    for mark in ("started", "imported"):
        (tmp_path / mark).unlink()
    return place


@pytest.mark.parametrize(
    "command", [("check", "."), ("check", "--no-cache", "."), ("compile", "say.wf.json", "-o", "-")]
)
def test_nothing_is_started_or_imported(place, command):
    done = subprocess.run([sys.executable, "-c", CODE, *command], cwd=place.folder, capture_output=True, text=True)
    code, *loaded = done.stderr.splitlines()[-1].split()
    assert (code, NEVER & set(loaded)) == ("0", set()), done.stdout + done.stderr[-500:]
    assert not (place.folder / "started").exists()
    assert not (place.folder / "imported").exists()


def test_what_was_locked_of_a_module_is_what_it_declares(place):
    entry = place.read("wfc.lock.json")["sources"]["own"]["capabilities"]["tell"]
    assert {key: entry[key] for key in ("outcomes", "effects", "input_schema", "output_schema")} == {
        "outcomes": ["ok"],
        "effects": "pure",
        "input_schema": {"type": "object"},
        "output_schema": {"type": "object"},
    }


def test_a_module_that_declares_something_else_by_now_stops_a_run(place):
    module = (place.folder / "telling.py").read_text()
    (place.folder / "telling.py").write_text(module.replace("'pure'", "'write'"))
    done = place.wfc("run", "say.wf.json", "--set", "text=a")
    sys.modules.pop("telling", None)
    assert done.code == 2
    assert '-  "effects": "pure",' in done.err and '+  "effects": "write",' in done.err


def test_many_files_in_several_processes_are_judged_by_the_lock(place, monkeypatch):

    monkeypatch.setattr(carrying_out, "_WORTH_A_PROCESS", 0)
    monkeypatch.setattr(carrying_out, "_processors", lambda: 2)
    for number in range(4):
        document = saying("raw.say" if number % 2 else "raw.sya", outcomes=["ok"])
        place.write(f"{number}.wf.json", {**document, "name": f"w{number}"})
    told = place.wfc("check", ".", "--json").json["diagnostics"]
    assert [(one["at"]["file"], one["code"]) for one in told] == [("0.wf.json", "WF710"), ("2.wf.json", "WF710")]
