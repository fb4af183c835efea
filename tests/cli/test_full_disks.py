"""Commands on a disk that is full, and again when there is space: nothing half done, no parts, no word of what was not
done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import APPROVAL, Command
from wfc import replacing
from wfc.planner import Plan, SessionFault, Sessions


def fill(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """From here on nothing can be written under these names, or under any where none is given."""
    replace = replacing.os.replace

    def full(source: str, target: str) -> None:
        if not names or target.endswith(names):
            raise OSError(28, "No space left on device", target)
        replace(source, target)

    monkeypatch.setattr(replacing.os, "replace", full)


def all_files(folder: Path) -> list[str]:
    return sorted(str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file())


def test_a_cache_that_cannot_be_kept_is_none_and_leaves_nothing(
    wfc: Command, flows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        fill(patched)
        assert wfc("check", ".").code == 0
    assert all_files(flows) == ["approval.wf.json", "calling.wf.json"]
    assert wfc("check", ".").code == 0
    assert (flows / ".wfc" / "cache" / ".gitignore").read_text() == "*\n"


def test_what_could_not_be_laid_out_is_not_said_to_be(
    wfc: Command, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        (here / f"{name}.wf.json").write_text(json.dumps({**APPROVAL, "name": name}))
    fill(monkeypatch, "a.wf.json")
    before = (here / "a.wf.json").read_text()
    ended = wfc("fmt", ".")
    told = "error: a.wf.json: no space left on device\nlaid out 1 file, 0 files as they were\n"
    assert (ended.code, ended.out, ended.err) == (2, "b.wf.json\n", told)
    assert (here / "a.wf.json").read_text() == before
    again = wfc("fmt", ".", "--json")
    assert (again.code, [one["changed"] for one in again.json["files"]]) == (2, [False, False])


def test_a_project_that_was_begun_is_gone_on_with(wfc: Command, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        fill(patched, "greet.wftest.json")
        ended = wfc("new", "p")
    assert (ended.code, ended.err) == (2, "error: p/greet.wftest.json: no space left on device\n")
    assert all_files(here) == ["p/greet.wf.json", "p/wfc.toml"]
    assert wfc("new", "p").out.startswith("made p/greet.wftest.json\nmade p/.github/workflows/wfc.yml\n")
    assert wfc("test", "p").code == 0
    assert wfc("new", "p").err == "error: p/wfc.toml is there already; give a folder without it\n"


def test_a_run_is_told_also_where_its_trace_cannot_be_written(
    wfc: Command, flows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(monkeypatch, "t.jsonl")
    ended = wfc("run", "approval.wf.json", "--no-store", "--trace", "t.jsonl", "--json")
    assert (ended.code, ended.json["status"]) == (2, "interrupted")
    assert ended.err.endswith("error: t.jsonl: no space left on device\n")


@pytest.mark.parametrize(("trace", "told"), [("away/t.jsonl", "no such file or directory"), (".", "is a directory")])
def test_nothing_runs_whose_trace_has_no_place(wfc: Command, flows: Path, trace: str, told: str) -> None:
    ended = wfc("run", "approval.wf.json", "--run-id", "r", "--trace", trace)
    assert (ended.code, ended.out, ended.err) == (2, "", f"error: {trace}: {told}\n")
    assert wfc("runs", "list", "--json").json["runs"] == []


def test_a_session_that_cannot_be_kept_leaves_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions(tmp_path / "plans")

    def kept(request: str) -> Any:
        sessions.keep(Plan("one", request, (), status="clean"))
        return json.loads((tmp_path / "plans" / "one.json").read_text())["request"]

    assert kept("first") == "first"
    fill(monkeypatch)
    with pytest.raises(SessionFault, match=r"plans/one\.json cannot be written: no space left on device"):
        kept("second")
    assert json.loads((tmp_path / "plans" / "one.json").read_text())["request"] == "first"
    assert all_files(tmp_path) == ["plans/one.json"]
