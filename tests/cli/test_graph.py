"""`wfc graph`: what it draws, where it writes it, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command


def test_it_prints_mermaid(wfc: Command, flows: Path) -> None:
    drawn = wfc("graph", "approval.wf.json")
    assert (drawn.code, drawn.err) == (0, "")
    assert drawn.out.startswith('flowchart TD\n  subgraph w0["workflow approval"]\n')


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.svg", "<svg "), ("a.html", "<!DOCTYPE html>"), ("a.dot", "digraph "), ("a.mmd", "flowchart")],
)
def test_the_name_of_the_file_says_the_format(wfc: Command, flows: Path, name: str, begins: str) -> None:
    drawn = wfc("graph", "approval.wf.json", "-o", name)
    assert (drawn.code, drawn.out) == (0, f"{name}\n")
    assert Path(name).read_text("utf-8").startswith(begins)
    again = wfc("graph", "approval.wf.json", "--format", "svg", "-o", "named.txt")
    assert again.code == 0
    assert Path("named.txt").read_text("utf-8").startswith("<svg ")


def test_json_is_one_document(wfc: Command, flows: Path) -> None:
    drawn = wfc("graph", "approval.wf.json", "--json", "--format", "dot").json
    assert {key: drawn[key] for key in ("schema", "name", "format", "file")} == {
        "schema": "wfc.graph/1",
        "name": "approval",
        "format": "dot",
        "file": None,
    }
    assert drawn["text"].startswith('digraph "approval" {')


def test_a_program_is_drawn(wfc: Command, flows: Path) -> None:
    wfc("compile", "approval.wf.json")
    assert wfc("graph", "approval.wfir.json").out.count("ask") == wfc("graph", "approval.wf.json").out.count("ask")


def test_a_workflow_with_errors_is_drawn_with_them(wfc: Command, flows: Path) -> None:
    broken = json.loads(Path("approval.wf.json").read_text("utf-8"))
    broken["edges"][0]["to"] = "nowhere"
    Path("broken.wf.json").write_text(json.dumps(broken))
    drawn = wfc("graph", "broken.wf.json")
    assert drawn.code == 0
    assert "no such step<br/>nowhere" in drawn.out
    assert "WF101" in wfc("graph", "broken.wf.json", "--format", "svg").out


def test_what_is_no_workflow_is_not_drawn(wfc: Command, flows: Path) -> None:
    Path("none.wf.json").write_text("{,}")
    drawn = wfc("graph", "none.wf.json")
    assert (drawn.code, drawn.out) == (1, "")
    assert "error[WF001] syntax-error: found `,`" in drawn.err
    assert " --> none.wf.json:1:2" in drawn.err
    assert wfc("graph", "absent.wf.json").code == 2


def test_a_run_is_drawn(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--run-id", "r1")
    waiting = wfc("graph", "--run", "r1").out
    assert "  class w0n2 waiting\n" in waiting
    assert wfc("graph", "approval.wf.json", "--run", "r1").out == waiting
    wfc("resume", "r1", "--outcome", "dropped")
    assert " waiting\n" not in wfc("graph", "--run", "r1").out
    assert "run r1: completed with rejected" in wfc("graph", "--run", "r1", "--format", "svg").out


def test_a_run_of_another_program_is_refused(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--run-id", "r1")
    changed = json.loads(Path("approval.wf.json").read_text("utf-8"))
    changed["desc"] = "changed"
    Path("approval.wf.json").write_text(json.dumps(changed))
    drawn = wfc("graph", "approval.wf.json", "--run", "r1")
    assert drawn.code == 2
    assert drawn.err == (
        "error: approval.wf.json is another program than the one that the run `r1` began with; "
        "leave out the file to draw what ran\n"
    )
    assert wfc("graph", "--run", "r1").code == 0


def test_what_it_cannot_draw_is_said(wfc: Command, flows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "nothing to draw; expected FILE or `--run RUN`" in wfc("graph").err
    assert wfc("graph", "--run", "r9").code == 2
    monkeypatch.setitem(__import__("sys").modules, "pygraphviz", None)
    drawn = wfc("graph", "approval.wf.json", "--format", "svg")
    assert drawn.code == 2
    assert "pip install wfc[graph]" in drawn.err
    assert wfc("graph", "approval.wf.json").code == 0


def test_a_file_whose_name_says_no_form_is_refused(wfc: Command, flows: Path) -> None:
    ended = wfc("graph", "approval.wf.json", "-o", "approval.png")
    assert (ended.code, ended.out, (flows / "approval.png").exists()) == (2, "", False)
    assert "`approval.png` says by its name no form of a picture; expected " in ended.err
    assert wfc("graph", "approval.wf.json", "-o", "approval.txt", "--format", "dot").code == 0
