"""How the program as a whole behaves: usage, our own faults, signals, pipes, terminals."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import APPROVAL, CALLING, Command
from tests.kept import run_in
from wfc import driver
from wfc.backends.stores import open_store
from wfc.diagnostics import InternalError

WFC = [sys.executable, "-m", "wfc"]
# What is called for `b` goes on until there is a file `go`.
SLOW = """
import asyncio
import os
import time
import wfc

LONGEST_SECONDS = 300

def begun(payload):
    with open("calls.txt", "a") as file:
        file.write(payload["who"])
    return time.monotonic() + (LONGEST_SECONDS if payload["who"] == "b" else 0)

@wfc.node(name="nap")
def nap(payload):
    until = begun(payload)
    while time.monotonic() < until and not os.path.exists("go"):
        time.sleep(0.02)
    return {}

@wfc.node(name="doze")
async def doze(payload):
    until = begun(payload)
    while time.monotonic() < until and not os.path.exists("go"):
        await asyncio.sleep(0.02)
    return {}
"""


def test_no_command_shows_the_commands(wfc: Command) -> None:
    ended = wfc()
    assert (ended.code, ended.out) == (2, "")
    assert "Find what is wrong with workflows" in ended.err


def test_help_is_a_result(wfc: Command) -> None:
    ended = wfc("--help")
    assert (ended.code, ended.err) == (0, "")
    assert "Commands:" in ended.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chek",), "`chek` is no command; nearest: `check`; `wfc --help` shows how it is used"),
        (("CHECK",), "`CHECK` is no command; nearest: `check`; `wfc --help` shows how it is used"),
        (("run",), "Missing argument 'FILE|IR|ARTIFACT|DEPLOYMENT'; `wfc run --help` shows how it is used"),
        (
            ("run", "x", "--no-store", "--store", "y"),
            "`--store` and `--no-store` exclude one another; `wfc run --help`",
        ),
        (("run", "."), ".: is a directory"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(wfc: Command, arguments: tuple[str, ...], told: str) -> None:
    ended = wfc(*arguments)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert ended.err.startswith(f"error: {told}")


def test_our_own_fault_is_exit_70_with_a_report_and_no_traceback(
    wfc: Command, flows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise InternalError("two frames are one", "the program as text")

    monkeypatch.setattr(driver, "check", broken)
    monkeypatch.setattr("tempfile.tempdir", str(flows))
    ended = wfc("check", "approval.wf.json")
    assert (ended.code, ended.out) == (70, "")
    first, second, third = ended.err.splitlines()
    assert first.startswith("error: a fault of wfc itself, not of your workflow: InternalError: two frames are one")
    assert "Python" in second
    report = Path(third.rpartition(" ")[2]).read_text()
    assert "Traceback" in report
    assert report.endswith("the program as text")


def a_slow_project(folder: Path, node: str, effects: str = "idempotent") -> None:
    (folder / "slow_for_the_test.py").write_text(SLOW)
    (folder / "wfc.toml").write_text('[sources.slow]\nkind = "python"\nmodule = "slow_for_the_test"\n')
    flow = {
        "name": "naps",
        "node_defs": [{"name": node, "outcomes": ["ok"], "uses": f"slow.{node}", "effects": effects}],
        "start": "a",
        "nodes": [
            {"id": who, "type": "node", "node": node, "input": [{"target": "who", "value": who}]} for who in ("a", "b")
        ],
        "edges": [{"from": "a", "outcome": "ok", "to": "b"}, {"from": "b", "outcome": "ok", "to": "__end__"}],
    }
    (folder / "naps.wf.json").write_text(json.dumps(flow))
    subprocess.run([*WFC, "tools", "lock"], check=True, capture_output=True)


LEAVING = """\
import atexit, wfc

class Log:
    def __init__(self):
        self.itself = self

    def __del__(self):
        with open("log.txt", "w") as file:
            file.write("finalised")

@wfc.node(name="count")
def count(payload):
    Log()
    atexit.register(print, "the end")
    return {"n": 4}
"""


@pytest.mark.parametrize("file", ["calling.wf.json", "calling.wfir.json"])
def test_what_a_function_leaves_behind_is_ended_as_ever(wfc: Command, flows: Path, file: str) -> None:
    """Its functions for the exit are called, and what it made that holds itself is finalised."""
    (flows / "wfc.toml").write_text('[sources.mine]\nkind = "python"\nmodule = "leaving_for_the_test"\n')
    (flows / "leaving_for_the_test.py").write_text(LEAVING)
    flow = {**CALLING, "node_defs": [{**CALLING["node_defs"][0], "uses": "mine.count"}]}
    (flows / "calling.wf.json").write_text(json.dumps(flow))
    subprocess.run([*WFC, "tools", "lock"], check=True, capture_output=True)
    assert wfc("compile", "calling.wf.json").code == 0
    done = subprocess.run([*WFC, "run", file, "--json"], capture_output=True, text=True)
    result, end = done.stdout.splitlines()[:-1], done.stdout.splitlines()[-1]
    assert (done.returncode, json.loads("".join(result))["output"], end) == (0, {"n": 4}, "the end")
    assert (flows / "log.txt").read_text() == "finalised"


def wait_for(file: Path, content: str) -> None:
    for _ in range(6000):
        if file.exists() and file.read_text() == content:
            return
        time.sleep(0.05)
    raise AssertionError(f"{file} never held {content}")


def giving_grace(seconds: int) -> list[str]:
    """A `wfc` that gives a call in flight so many seconds to end after a signal."""
    program = f"""
import sys
from wfc.backends.drivers import crew
from wfc.cli import run
from wfc.runs import stopping
crew.GRACE_SECONDS = stopping.GRACE_SECONDS = {seconds}.0
sys.exit(run(sys.argv[1:]))
"""
    return [sys.executable, "-c", program]


@pytest.mark.parametrize("node", ["nap", "doze"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_run_that_can_be_resumed(here: Path, node: str, number: signal.Signals) -> None:
    a_slow_project(here, node)
    command = [*giving_grace(20), "run", "naps.wf.json", "--run-id", "r", "--json"]
    process = subprocess.Popen(command, stdout=-1, stderr=-1, text=True)
    wait_for(here / "calls.txt", "ab")
    process.send_signal(number)
    # The call in flight has some seconds to end; whoever signals again does not want to wait for that.
    time.sleep(0.3)
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    told = "stopped; go on with: wfc resume r"
    assert (process.returncode, err) == (130, f"{told}\n")
    assert json.loads(out) == {"schema": "wfc.error/1", "reason": None, "message": told, "exit": 130}
    stored = open_store(".wfc/wfc.db").load("r")
    assert (stored.status, stored.taken) == ("running", False)
    assert [entry["step"] for entry in run_in(".wfc/wfc.db", "r").trace] == ["a"]
    mocks = here / "mocks.json"
    mocks.write_text('{"b": [{}]}')
    resumed = subprocess.run([*WFC, "resume", "r", "--mock", "mocks.json"], capture_output=True, text=True)
    assert (resumed.returncode, (here / "calls.txt").read_text()) == (0, "ab")


def test_a_call_that_ends_in_its_time_after_a_signal_is_kept(here: Path) -> None:
    a_slow_project(here, "nap", "write")
    command = [*giving_grace(120), "run", "naps.wf.json", "--run-id", "r"]
    process = subprocess.Popen(command, stdout=-1, stderr=-1)
    wait_for(here / "calls.txt", "ab")
    process.send_signal(signal.SIGINT)
    (here / "go").touch()
    assert process.wait(timeout=120) in (0, 130)
    assert [entry["step"] for entry in run_in(".wfc/wfc.db", "r").trace] == ["a", "b"]


@pytest.mark.parametrize("node", ["nap", "doze"])
def test_a_run_is_cancelled_by_another_process(here: Path, node: str) -> None:
    a_slow_project(here, node)
    flow = json.loads((here / "naps.wf.json").read_text())
    flow["nodes"].append({"id": "c", "type": "node", "node": node, "input": [{"target": "who", "value": "c"}]})
    flow["edges"][1]["to"] = "c"
    flow["edges"].append({"from": "c", "outcome": "ok", "to": "__end__"})
    (here / "naps.wf.json").write_text(json.dumps(flow))
    process = subprocess.Popen([*WFC, "run", "naps.wf.json", "--run-id", "r"], stdout=-1, stderr=-1, text=True)
    wait_for(here / "calls.txt", "ab")
    asked = subprocess.run([*WFC, "cancel", "r"], capture_output=True, text=True)
    assert (asked.returncode, asked.stdout[:26]) == (0, "run r was asked to stop; i")
    (here / "go").touch()
    out, _ = process.communicate(timeout=120)
    assert (process.returncode, out) == (5, "run r cancelled: cancelled: the run was cancelled from outside\n")
    run = run_in(".wfc/wfc.db", "r")
    assert ([entry["step"] for entry in run.trace], (here / "calls.txt").read_text()) == (["a", "b"], "ab")
    refused = subprocess.run([*WFC, "cancel", "r"], capture_output=True, text=True)
    assert (refused.returncode, refused.stderr[:23]) == (2, "error: refused (ended):")


@pytest.mark.parametrize("module", ["wfc.cli.asking", "click.exceptions", "wfc.cli.commands", "wfc.frontend"])
def test_who_stops_a_command_while_it_is_imported_is_told_that_it_stopped(flows: Path, module: str) -> None:
    """What was being imported is there by half then, and must not be needed."""
    program = """
import sys

class Stopping:
    def find_spec(self, name, path, target=None):
        if name == sys.argv[1]:
            sys.meta_path.remove(self)
            raise KeyboardInterrupt

sys.meta_path.insert(0, Stopping())
from wfc.cli import run
sys.exit(run(sys.argv[2:]))
"""
    command = [sys.executable, "-c", program, module, "check", "approval.wf.json", "--no-cache"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stdout, ended.stderr.strip()) == (130, "", "stopped")


def test_a_second_signal_does_not_disturb_the_stop(here: Path) -> None:
    a_slow_project(here, "nap")
    process = subprocess.Popen([*WFC, "run", "naps.wf.json", "--run-id", "r"], stdout=-1, stderr=-1)
    wait_for(here / "calls.txt", "ab")
    for _ in range(20):
        process.send_signal(signal.SIGINT)
    assert process.wait(timeout=120) == 130
    assert not open_store(".wfc/wfc.db").load("r").taken


def test_of_two_who_answer_at_once_one_wins(flows: Path) -> None:
    subprocess.run([*WFC, "run", "approval.wf.json", "--run-id", "r"], capture_output=True)
    answers = (["--outcome", "sent", "--payload", '{"approved": true}'], ["--outcome", "dropped"])
    both = [subprocess.Popen([*WFC, "resume", "r", *answer], stdout=-1, stderr=-1) for answer in answers]
    codes = [process.wait(timeout=120) for process in both]
    outcome = open_store(".wfc/wfc.db").load("r").outcome
    assert codes == ([0, 2] if outcome == "ok" else [2, 3])


def test_a_call_that_may_have_happened_when_its_process_was_killed_is_asked_about(here: Path) -> None:
    a_slow_project(here, "nap", "write")
    process = subprocess.Popen([*WFC, "run", "naps.wf.json", "--run-id", "r"], stdout=-1, stderr=-1)
    wait_for(here / "calls.txt", "ab")
    process.kill()
    process.wait()
    asked = subprocess.run([*WFC, "resume", "r", "--json"], capture_output=True, text=True)
    assert (asked.returncode, json.loads(asked.stdout)["interrupt"]["kind"]) == (4, "in_doubt")
    assert (here / "calls.txt").read_text() == "ab"
    shown = subprocess.run([*WFC, "runs", "show", "r"], capture_output=True, text=True)
    named = "the call `r:root:b:2` of `slow.nap`, attempt 1, had begun and nobody knows whether it happened"
    assert re.fullmatch(
        rf"run r interrupted at b \(in_doubt\): {named}; its process was last heard of at 20..-..-..T..:..:..Z; its"
        r' input\n\{\n  "who": "b"\n\}\nstate\n\{\}\n',
        shown.stdout,
    )
    assert shown.stderr.splitlines() == [
        "if it did not happen, make it again with: wfc resume r --outcome retry",
        "if it happened, say what it gave with: wfc resume r --outcome completed"
        """ --payload '{"outcome": "ok", "output": {}}'""",
        "to let it have failed: wfc resume r --outcome fail",
    ]
    said = ["--outcome", "completed", "--payload", '{"outcome": "ok", "output": {}}']
    resumed = subprocess.run([*WFC, "resume", "r", *said], capture_output=True, text=True)
    assert (resumed.returncode, (here / "calls.txt").read_text()) == (0, "ab")


def test_a_run_is_the_business_of_one_process(here: Path) -> None:
    a_slow_project(here, "nap")
    process = subprocess.Popen([*WFC, "run", "naps.wf.json", "--run-id", "r"], stdout=-1, stderr=-1)
    wait_for(here / "calls.txt", "ab")
    refused = subprocess.run([*WFC, "resume", "r"], capture_output=True, text=True)
    process.kill()
    process.wait()
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("error: the run `r` is under way in another process; `wfc runs watch r`")


def test_a_reader_that_goes_away_is_no_fault(flows: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    process = subprocess.Popen([*WFC, "check", "approval.wf.json"], stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")


@pytest.mark.parametrize(
    ("setting", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"CI": "true"}, False), ({"TERM": "dumb"}, False)],
)
def test_colour_is_for_terminals_whose_user_wants_it(flows: Path, setting: dict[str, str], coloured: bool) -> None:
    (flows / "broken.wf.json").write_text(json.dumps(APPROVAL).replace('"to": "ask"', '"to": "aks"'))
    assert ("\x1b[" in at_a_terminal(["check", "broken.wf.json"], setting)[1]) is coloured


def test_at_a_terminal_an_answer_is_asked_for_field_by_field(flows: Path) -> None:
    assert subprocess.run([*WFC, "run", "approval.wf.json", "--run-id", "r"], capture_output=True).returncode == 4
    code, shown = at_a_terminal(["resume", "r"], {"CI": "true"}, typed="sent\nmaybe\ny\n\n")
    assert code == 0
    assert "Send it?" in shown
    assert "expected y or n" in shown
    assert run_in(".wfc/wfc.db", "r").output == {"text": "Hello Ada!", "approved": True}


def at_a_terminal(
    arguments: list[str], setting: dict[str, str], typed: str = "", awaited: str | None = None
) -> tuple[int, str]:
    """Run a command at a terminal of its own; its exit code, and everything that was shown there.

    As soon as that holds what is awaited, a file `go` is made.
    """
    ours, theirs = pty.openpty()
    kept = {key: value for key, value in os.environ.items() if key not in ("CI", "NO_COLOR")}
    environment = {**kept, "TERM": "xterm", **setting}
    process = subprocess.Popen([*WFC, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    os.write(ours, typed.encode())
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # how a terminal says that nobody writes to it any more
            break
        if not part:
            break
        shown += part
        if awaited is not None and awaited.encode() in shown:
            Path("go").touch()
    os.close(ours)
    return process.wait(), shown.decode()


def test_a_call_is_shown_at_a_terminal_while_it_is_made(here: Path) -> None:
    a_slow_project(here, "nap")
    assert at_a_terminal(["run", "naps.wf.json"], {"TERM": "xterm"}, awaited="b: slow.nap")[0] == 0
    # It was shown: nothing else lets the call go.
    assert (here / "go").exists()
    (here / "go").unlink()
    (here / "slow_for_the_test.py").write_text(SLOW.replace("LONGEST_SECONDS = 300", "LONGEST_SECONDS = 0.25"))
    assert "b: slow.nap" not in at_a_terminal(["run", "naps.wf.json", "--no-color"], {"TERM": "xterm"})[1]
