"""The processes that check files side by side, when their parent is interrupted or killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

# The first task that a worker is given sends a signal: to its parent, or as a terminal does to all of them.
PROGRAM = """
import os, signal, sys
from wfc.linting import carrying_out

carrying_out._WORTH_A_PROCESS = 0
carrying_out._processors = lambda: 2
carry_out = carrying_out.carry_out

def disturbed(task, shelf):
    try:
        os.close(os.open("sent", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return carry_out(task, shelf)
    if sys.argv[1] == "all":
        os.killpg(0, signal.SIGINT)
        return carry_out(task, shelf)
    os.kill(os.getppid(), signal.SIGKILL)
    signal.pause()

carrying_out.carry_out = disturbed
from wfc.cli import run
sys.exit(run(["check", "--no-cache", "."]))
"""


@pytest.mark.parametrize(("who", "code", "told"), [("all", 130, "stopped"), ("parent", -signal.SIGKILL, "")])
def test_they_end_with_their_parent_and_say_nothing(tmp_path: Path, who: str, code: int, told: str) -> None:
    for number in range(8):
        flow = {"name": f"a{number}", "start": "b", "nodes": [{"id": "b", "type": "end", "outcome": "ok"}], "edges": []}
        (tmp_path / f"a{number}.wf.json").write_text(json.dumps(flow))
    command = [sys.executable, "-c", PROGRAM, who]
    # The workers hold the same streams, so this ends when the last of them has.
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100, start_new_session=True)
    assert (ended.returncode, ended.stdout, ended.stderr.strip()) == (code, "", told)
