"""What becomes of a command whose streams are closed, full or gone, as cron and CI start it: real processes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

WFC = f"{sys.executable} -m wfc"


def shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", "-c", line.replace("wfc ", f"{WFC} ", 1)], capture_output=True, text=True, timeout=60)


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
    ended = subprocess.run([*WFC.split(), *line.split(), b"\xff", "--json"], capture_output=True, timeout=60)
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
        out, err = serving.communicate(timeout=30)
    assert (serving.returncode, out, err) == (130, "", "stopped\n")
