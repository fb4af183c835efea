"""What becomes of a command whose streams are closed, full or gone, as cron and CI start it: real processes."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

WFC = f"{sys.executable} -m wfc"


def shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", "-c", line.replace("wfc ", f"{WFC} ", 1)], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    ("line", "code", "err"),
    [
        ("wfc check approval.wf.json >&-", 0, ""),
        ("wfc run approval.wf.json --run-id r >&-", 4, None),
        ("wfc run approval.wf.json --run-id r <&- >&- 2>&-", 4, ""),
        ("wfc check nope.wf.json 2>&-", 2, ""),
        ("wfc check nope.wf.json 2>/dev/full", 2, ""),
        ("wfc run approval.wf.json --input - --json <&- >/dev/null", 2, "error: --input -:1:1: "),
        ("wfc run approval.wf.json --json >/dev/full", 2, "error: standard output: no space left on device\n"),
        ("wfc runs show nope --json >/dev/full", 2, "error: .wfc/wfc.db holds no run `nope`"),
        ("wfc --help >/dev/full", 2, "error: no space left on device\n"),
        (
            "wfc run approval.wf.json --no-store --trace - >/dev/full",
            2,
            "error: standard output: no space left on device\n",
        ),
    ],
)
def test_closed_and_full_streams_are_no_fault_of_ours(flows: Path, line: str, code: int, err: str | None) -> None:
    ended = shell(line)
    assert ended.returncode == code, ended.stderr
    assert "Traceback" not in ended.stderr
    if err is not None:
        assert ended.stderr.startswith(err)
        assert bool(ended.stderr) == bool(err)


def test_a_store_never_gets_the_number_of_a_closed_stream(flows: Path) -> None:
    """What is written to streams that the caller closed does not end up in the database."""
    assert shell("wfc run approval.wf.json --run-id r <&- >&- 2>&-").returncode == 4
    shown = shell("wfc runs show r --json")
    assert (shown.returncode, json.loads(shown.stdout)["status"]) == (0, "interrupted")


@pytest.mark.parametrize("line", ["runs show", "resume", "cancel", "replay", "run approval.wf.json --run-id"])
def test_an_id_that_is_no_text_is_refused(flows: Path, line: str) -> None:
    ended = subprocess.run([*WFC.split(), *line.split(), b"\xff", "--json"], capture_output=True, timeout=120)
    assert ended.returncode == 2, ended.stderr
    assert ended.stderr.count(b"\n") == 1
    assert json.loads(ended.stdout)["schema"] == "wfc.error/1"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_stopped_says_so(here: Path, number: signal.Signals) -> None:
    command = [*WFC.split(), "mcp", "--http", "--port", "0"]
    with subprocess.Popen(command, stdout=-1, stderr=-1, text=True) as serving:
        assert serving.stderr is not None
        assert serving.stderr.readline().startswith("listening at ")
        serving.send_signal(number)
        out, err = serving.communicate(timeout=120)
    assert (serving.returncode, out, err) == (130, "", "stopped\n")


def without_utf8(words: list[str]) -> subprocess.CompletedProcess[str]:
    """A command in an environment whose encoding is ASCII."""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    return subprocess.run([*WFC.split(), *words], env=environment, capture_output=True, text=True, timeout=120)


def test_a_value_is_text_whatever_encoding_the_environment_has(flows: Path) -> None:
    ended = without_utf8(["run", "approval.wf.json", "--no-store", "--json", "--set", "name=Zoë 🎉"])
    assert (ended.returncode, json.loads(ended.stdout)["state"]["text"]) == (4, "Hello Zoë 🎉!")
    ended = without_utf8(["run", "approval.wf.json", "--no-store", "--json", "--input", '{"name": "Zoë"}'])
    assert (ended.returncode, json.loads(ended.stdout)["state"]["text"]) == (4, "Hello Zoë!")


def test_a_file_that_the_environment_cannot_name_is_told_in_a_line(flows: Path) -> None:
    (flows / "t.wftest.json").write_text(json.dumps({"workflow": "grüße.wf.json", "expect": {"status": "completed"}}))
    ended = without_utf8(["test", "t.wftest.json"])
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        "error: `gr\\xfc\\xdfe.wf.json` has no name in `ascii`, the encoding of this environment; "
        "set PYTHONUTF8=1, or a locale such as C.UTF-8\n"
    )


def test_help_that_nobody_reads_is_no_fault(here: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        ended = subprocess.run([*WFC.split(), "--help"], stdout=gone, stderr=subprocess.PIPE, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_terminal_obeys_no_name_of_a_file(flows: Path) -> None:
    """What a program reads is exact; what a terminal shows can do nothing but have colours."""
    name = "a\x1b]0;x\x07b.wf.json"
    (flows / name).write_text((flows / "approval.wf.json").read_text())
    command = [*WFC.split(), "fmt", "--check", name]
    read = subprocess.run(command, capture_output=True, timeout=120)
    assert (read.returncode, read.stdout) == (1, f"{name}\n".encode())
    ours, theirs = pty.openpty()
    shown = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, timeout=120)
    os.close(theirs)
    with os.fdopen(ours, "rb") as terminal:
        assert (shown.returncode, terminal.readline().decode()) == (1, "a�]0;x�b.wf.json\r\n")


def test_a_current_folder_that_is_gone_is_told(here: Path) -> None:
    ended = shell('cd "$(mktemp -d gone.XXXX)" && rmdir "$PWD" && wfc runs list')
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "error: the current folder is not there any more; go to one that is\n"
