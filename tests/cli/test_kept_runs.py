"""`wfc cancel`, `replay` and `runs watch`, and what the commands say of a run that its process has left."""

from __future__ import annotations

import json
import shlex
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from tests.cli.conftest import Command
from tests.cli.test_doors import WFC, a_slow_project, wait_for

SENT = ("--outcome", "sent", "--payload", '{"approved": true}')


def test_a_run_that_waits_is_cancelled_at_once_and_for_good(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--run-id", "r1")
    ended = wfc("cancel", "r1")
    assert (ended.code, ended.out) == (0, "run r1 cancelled: cancelled: the run was cancelled from outside\n")
    assert wfc("runs", "show", "r1", "--json").json["error"]["code"] == "cancelled"
    for again in (("cancel", "r1"), ("resume", "r1", *SENT), ("step", "r1")):
        refused = wfc(*again)
        assert (refused.code, refused.out, refused.err[:15]) == (2, "", "error: refused ")
    assert wfc("replay", "r1").code == 0


def test_cancelled_runs_are_told_in_json(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--run-id", "r1")
    told = wfc("cancel", "r1", "--json").json
    assert told == {"schema": "wfc.cancel/1", "run_id": "r1", "status": "cancelled"}


def test_a_run_is_rebuilt_from_its_journal_and_compared(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--run-id", "r1")
    wfc("resume", "r1", *SENT)
    whole = wfc("replay", "r1", "--json")
    assert (whole.code, whole.json) == (
        0,
        {"schema": "wfc.replay/1", "run_id": "r1", "entries": 3, "differences": []},
    )
    with closing(sqlite3.connect(".wfc/wfc.db", isolation_level=None)) as database:
        database.execute("UPDATE wfc_checkpoints SET value = replace(value, 'Hello Ada', 'Hello Eve')")
    ended = wfc("replay", "r1")
    assert (ended.code, ended.out) == (1, "run r1: output, state do not follow from its 3 journal entries\n")


def test_every_stored_run_follows_from_its_journal(wfc: Command, flows: Path) -> None:
    (flows / "mocks.json").write_text('{"one": [{"error": {"code": "node_failed", "message": "no"}}]}')
    wfc("run", "approval.wf.json", "--run-id", "asks")
    wfc("run", "calling.wf.json", "--run-id", "fails", "--mock", "mocks.json")
    wfc("step", "approval.wf.json", "--run-id", "stands")
    wfc("run", "approval.wf.json", "--run-id", "limited", "--max-steps", "1")
    for run_id in ("asks", "fails", "stands", "limited"):
        ended = wfc("replay", run_id)
        assert (ended.code, run_id in ended.out) == (0, True), ended.out


def test_a_run_that_rests_is_watched_to_where_it_is(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--run-id", "r1")
    watched = wfc("runs", "watch", "r1", "--until-rest")
    assert (watched.code, watched.out, watched.err) == (4, "greet (node) ok → ask\n", "run r1 interrupted\n")
    wfc("resume", "r1", *SENT)
    lines = wfc("runs", "watch", "r1", "--json").out.splitlines()
    assert [json.loads(line)["step"] for line in lines] == ["greet", "ask"]


def test_a_run_that_waits_is_watched_until_it_has_ended(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--run-id", "r1")
    command = [*WFC, "runs", "watch", "r1", "--every", "0.1"]
    watching = subprocess.Popen(command, stdout=-1, stderr=-1, text=True)
    assert watching.stdout is not None and watching.stderr is not None
    assert watching.stdout.readline() == "greet (node) ok → ask\n"
    said = [watching.stderr.readline() for _ in range(6)]
    assert (said[0], said[-2], said[-1]) == (
        "run r1 waits at ask (approval)\n",
        """answer with: wfc resume r1 --outcome sent --payload '{"approved": true, "comment": "…"}'\n""",
        "or with: wfc resume r1 --outcome dropped\n",
    )
    assert wfc("resume", "r1", *SENT).code == 0
    out, err = watching.communicate(timeout=120)
    assert (watching.returncode, out, err) == (0, "ask (interrupt) sent → __end__\n", "run r1 completed\n")


def test_an_input_that_is_refused_leaves_the_id_free(wfc: Command, flows: Path) -> None:
    refused = wfc("run", "approval.wf.json", "--run-id", "r1", "--input", '{"name": 3}')
    assert (refused.code, refused.out[:28]) == (5, "run r1 failed: input_invalid")
    assert refused.err == "nothing was called and nothing is kept; the id `r1` is free\n"
    assert wfc("runs", "show", "r1").code == 2
    assert wfc("run", "approval.wf.json", "--run-id", "r1").code == 4


def test_the_commands_that_answer_are_complete(wfc: Command, flows: Path) -> None:
    """Every one of them can be run as it stands."""
    for number, outcome in enumerate(("sent", "dropped")):
        asked = wfc("run", "approval.wf.json", "--run-id", f"r{number}")
        (line,) = [line for line in asked.err.splitlines() if f"--outcome {outcome}" in line]
        program, *arguments = shlex.split(line.partition(": ")[2])
        assert (program, wfc(*arguments).code) == ("wfc", number * 3)


def test_a_run_is_watched_while_another_process_goes_on_with_it(here: Path) -> None:
    a_slow_project(here, "nap")
    process = subprocess.Popen([*WFC, "run", "naps.wf.json", "--run-id", "r"], stdout=-1, stderr=-1)
    wait_for(here / "calls.txt", "ab")
    watching = subprocess.Popen([*WFC, "runs", "watch", "r", "--every", "0.1"], stdout=-1, stderr=-1, text=True)
    assert watching.stdout is not None
    assert watching.stdout.readline() == "a (node) ok → b\n"
    (here / "go").touch()
    assert process.wait(timeout=120) == 0
    out, err = watching.communicate(timeout=120)
    assert (watching.returncode, out, err) == (0, "b (node) ok → __end__\n", "run r completed\n")


def test_a_run_whose_process_was_killed_is_shown_as_stopped(here: Path) -> None:
    a_slow_project(here, "nap")
    process = subprocess.Popen([*WFC, "run", "naps.wf.json", "--run-id", "r"], stdout=-1, stderr=-1)
    wait_for(here / "calls.txt", "ab")
    listed = subprocess.run([*WFC, "runs", "list"], capture_output=True, text=True).stdout.splitlines()[1].split()
    assert listed[:3] == ["r", "naps", "running"]
    process.kill()
    process.wait()
    listed = subprocess.run([*WFC, "runs", "list"], capture_output=True, text=True).stdout.splitlines()[1].split()
    assert listed[:3] == ["r", "naps", "stopped"]


def test_a_run_id_that_is_not_there_is_answered_with_the_nearest(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--run-id", "friday-1")
    for asked in ("fri", "fridya-1"):
        assert "holds no run" in (err := wfc("resume", asked).err)
        assert err.endswith("; nearest: `friday-1`\n")
    assert wfc("resume", "monday").err.endswith("`wfc runs list` shows those that it does\n")


def test_a_step_is_told_with_what_it_gave_and_what_comes_next(wfc: Command, flows: Path) -> None:
    made = wfc("step", "approval.wf.json", "--run-id", "r1")
    assert made.out == "run r1 running, next step ask\n"
    assert made.err == "made greet (node) ok → ask\ngo on with: wfc step r1, or wfc resume r1\n"
    assert wfc("step", "r1").code == 4
    ended = wfc("resume", "r1", *SENT)
    assert (ended.code, "made " in ended.err) == (0, False)


def test_what_has_ended_is_begun_again_and_not_resumed(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--run-id", "r1", "--max-steps", "1")
    refused = wfc("resume", "r1")
    assert (refused.code, "the run is failed" in refused.err, "begun again" in refused.err) == (2, True, True)


def test_an_error_of_many_lines_takes_one_in_a_trace(wfc: Command, flows: Path) -> None:
    (flows / "mocks.json").write_text('{"one": [{"error": {"code": "node_failed", "message": "a\\nb\\tc"}}]}')
    wfc("run", "calling.wf.json", "--run-id", "r1", "--mock", "mocks.json")
    assert wfc("runs", "trace", "r1").out == "one (node) node_failed: a b c\n"
