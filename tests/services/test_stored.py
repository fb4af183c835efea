"""Published workflows and deployments through the server: looked at, planned, run, and found again by the run's id."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.services.flows import calls, notes, project
from tests.services.serving import ERAS, call, stdio_client
from wfc.backends.stores import open_store
from wfc.cli import run as wfc
from wfc.project import find_project

DEPLOYMENT = {"name": "nightly", "artifact": {"artifact_id": "calling", "version": 1}}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return project(tmp_path)


def asked(here: Path, *questions: tuple[str, dict[str, Any]], mode: str = "auto") -> list[Any]:
    """What a server of its own process answers, one question after the other."""

    async def answers() -> list[Any]:
        async with stdio_client(here, mode=mode) as client:
            return [await call(client, tool, **given) for tool, given in questions]

    return asyncio.run(answers())


def deployed(here: Path) -> None:
    (here / "flow.wf.json").write_text(json.dumps(calls(("note", "a"))))
    (here / "nightly.json").write_text(json.dumps(DEPLOYMENT))
    assert wfc(["publish", "flow.wf.json"]) == 0
    assert wfc(["deploy", "apply", "nightly.json"]) == 0


@pytest.mark.parametrize("mode", ERAS)
def test_a_version_is_saved_checked_planned_and_run(here: Path, mode: str) -> None:
    flow = calls(("note", "a"))
    named = {"workflow": "artifact:calling@1"}
    saved, found, plan, run, again = asked(
        here,
        ("save_workflow", {"workflow": flow}),
        ("check_workflow", named),
        ("plan_run", named),
        ("run_workflow", {**named, "run_id": "r1", "wait_seconds": 60}),
        ("run_workflow", {**named, "run_id": "r1", "wait_seconds": 60}),
        mode=mode,
    )
    assert (saved["artifact"], found["ok"], plan["steps"][0]["capability"]) == ("artifact:calling@1", True, "work.note")
    assert (run["status"], run["outcome"], again["status"]) == ("completed", "ok", "completed")
    assert notes(here) == ["a"]


def test_a_deployment_is_planned_and_run_and_its_run_is_pinned_to_it(here: Path) -> None:
    deployed(here)
    named = {"workflow": "deployment:nightly"}
    plan, run = asked(
        here, ("plan_run", named), ("run_workflow", {**named, "run_id": "r1", "input": {}, "wait_seconds": 60})
    )
    # The server that was asked first is gone: the next one finds the run in the store.
    (again,) = asked(here, ("run_workflow", {**named, "run_id": "r1", "input": {}}))
    assert plan["effects"] == {"write": ["work.note"]}
    assert (run["status"], again["status"], run["hash"]) == ("completed", "completed", again["hash"])
    assert notes(here) == ["a"]
    assert open_store(find_project().store).load("r1").new.pins.keys() >= {"deployment:nightly", "artifact:calling@1"}


def test_a_version_is_mended_by_its_hash(here: Path) -> None:
    deployed(here)

    async def mended() -> list[Any]:
        async with stdio_client(here) as client:
            found = await call(client, "check_workflow", workflow="artifact:calling@1")
            patch = [{"op": "replace", "path": "/nodes/0/input/0/value", "value": "b"}]
            changed = await call(client, "patch_workflow", hash=found["hash"], patch=patch)
            saved = await call(client, "save_workflow", workflow=changed["hash"], artifact_id="calling")
            run = await call(client, "run_workflow", workflow=saved["artifact"], wait_seconds=60)
            return [changed["ok"], saved["artifact"], run["status"]]

    assert asyncio.run(mended()) == [True, "artifact:calling@2", "completed"]
    assert notes(here) == ["b"]


@pytest.mark.parametrize(
    ("tool", "workflow", "told"),
    [
        ("check_workflow", "artifact:calling@7", "calling"),
        ("run_workflow", "artifact:calling@7", "calling"),
        ("run_workflow", "artifact:calling", "names no version of an artifact; expected `artifact:ID@N`"),
        ("plan_run", "deployment:daily", "daily"),
        ("run_workflow", "deployment:daily", "daily"),
        ("check_workflow", "deployment:nightly", "is bound already, to be planned and run as it is"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(here: Path, tool: str, workflow: str, told: str) -> None:
    deployed(here)
    (answer,) = asked(here, (tool, {"workflow": workflow}))
    assert answer["ok"] is False
    assert told in answer["error"]
    assert notes(here) == []


def test_a_deployment_whose_source_is_gone_runs_nothing(here: Path) -> None:
    deployed(here)
    (here / "wfc.toml").write_text("")
    (answer,) = asked(here, ("run_workflow", {"workflow": "deployment:nightly", "wait_seconds": 60}))
    assert answer["ok"] is False
    assert "`work`" in answer["error"] or "`work." in answer["error"]
    assert notes(here) == []


def test_an_id_is_not_found_again_for_another_workflow(here: Path) -> None:
    deployed(here)
    named = {"workflow": "deployment:nightly", "run_id": "r1", "input": {}, "wait_seconds": 60}
    (run,) = asked(here, ("run_workflow", named))
    (here / "flow.wf.json").write_text(json.dumps(calls(("note", "a"), ("note", "b"))))
    assert wfc(["publish", "flow.wf.json"]) == 0
    (here / "nightly.json").write_text(json.dumps(DEPLOYMENT | {"artifact": {"artifact_id": "calling", "version": 2}}))
    assert wfc(["deploy", "apply", "nightly.json"]) == 0
    (again,) = asked(here, ("run_workflow", named))
    assert run["status"] == "completed"
    assert (again["ok"], "`r1` is in use" in again["error"]) == (False, True)
    assert notes(here) == ["a"]
