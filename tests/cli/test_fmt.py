"""`wfc fmt`: canonical layout in place, shown, checked, and from one form to the other."""

from __future__ import annotations

import json
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Command

TEXT = "workflow a   { # here\n input {n: integer}\n b: wait input.n\n ok -> end ok }\n"
LAID = "workflow a {  # here\n input { n: integer }\n\n b: wait input.n then end\n}\n"
JSON = {
    "start": "b",
    "name": "a",
    "x-mine": 1,
    "nodes": [{"type": "wait", "id": "b", "seconds": {"path": {"root": "input", "parts": ["n"]}}}],
    "edges": [{"from": "b", "outcome": "ok", "to": "__end__"}],
    "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
}


def test_files_are_laid_out_in_place(wfc: Command, here: Path, snapshot: SnapshotAssertion) -> None:
    (here / "a.wf").write_text(TEXT)
    (here / "b.wf.json").write_text(json.dumps(JSON))
    checked = wfc("fmt", "--check", ".")
    assert (checked.code, checked.out) == (1, "a.wf\nb.wf.json\n")
    shown = wfc("fmt", "--diff", ".")
    assert (shown.code, shown.out) == (1, snapshot)
    assert (here / "a.wf").read_text() == TEXT
    done = wfc("fmt", ".")
    assert (done.code, done.out, done.err) == (0, "a.wf\nb.wf.json\n", "laid out 2 files, 0 files as they were\n")
    assert (here / "a.wf").read_text() == LAID
    assert (here / "b.wf.json").read_text() == snapshot
    assert wfc("fmt", "--check", ".").code == 0
    assert wfc("fmt", "--diff", ".").out == ""


def test_one_form_becomes_the_other(wfc: Command, here: Path) -> None:
    (here / "a.wf").write_text(TEXT)
    (here / "b.wf.json").write_text(json.dumps(JSON))
    text = wfc("fmt", "b.wf.json", "--to", "text")
    assert (text.code, text.out) == (0, LAID.replace("  # here", "").replace("\n\n", '\n with {"x-mine": 1}\n\n'))
    back = wfc("fmt", "a.wf", "--to", "json")
    assert json.loads(back.out)["nodes"] == [{"id": "b", "type": "wait", "seconds": {"path": "input.n"}}]
    assert back.err == "note: JSON has no place for 1 comment of a.wf\n"
    structural = wfc("fmt", "a.wf", "--to", "json", "--paths", "structural")
    assert json.loads(structural.out)["nodes"][0]["seconds"] == JSON["nodes"][0]["seconds"]  # type: ignore[index]
    assert wfc("fmt", "b.wf.json", "--to", "text", "-o", "c.wf").out == ""
    assert wfc("diff", "b.wf.json", "c.wf").code == 0


def test_standard_input_is_printed(wfc: Command, here: Path) -> None:
    assert wfc("fmt", "-", stdin=TEXT).out == LAID
    assert wfc("fmt", "-", "--to", "json", stdin=TEXT).out.startswith('{\n  "name": "a",\n')
    assert wfc("fmt", "-", "--stdin-filename", "a.wf.json", stdin=json.dumps(JSON)).out.startswith('{\n  "name"')


def test_what_cannot_be_read_stays(wfc: Command, here: Path) -> None:
    (here / "a.wf").write_text("workflow a {\n b: wayt 5s\n}\n")
    (here / "b.wf").write_text(TEXT)
    done = wfc("fmt", ".")
    assert (done.code, done.out) == (1, "b.wf\n")
    assert "error[WF001]" in done.err
    assert (here / "a.wf").read_text() == "workflow a {\n b: wayt 5s\n}\n"
    assert wfc("fmt", "none.wf").code == 2


def test_what_does_not_go_together_is_refused(wfc: Command, here: Path) -> None:
    (here / "a.wf").write_text(TEXT)
    for options in (
        ("--check", "--to", "json", "a.wf"),
        ("--to", "json", "."),
        ("a.wf", "--to", "json", "--json"),
        ("a.wf", "--paths", "structural"),
    ):
        refused = wfc("fmt", *options)
        assert (refused.code, refused.err.startswith("error: ")) == (2, True), options


def test_the_result_as_json(wfc: Command, here: Path) -> None:
    (here / "a.wf").write_text(TEXT)
    assert wfc("fmt", "a.wf", "--json").json == {
        "schema": "wfc.formatted/1",
        "files": [{"file": "a.wf", "changed": True}],
    }


def test_a_difference_is_told(wfc: Command, here: Path, snapshot: SnapshotAssertion) -> None:
    (here / "a.wf").write_text(TEXT)
    (here / "b.wf").write_text(LAID.replace("integer", "integer 0..").replace("wait input.n", "wait 5s"))
    told = wfc("diff", "a.wf", "b.wf")
    assert (told.code, told.out) == (1, snapshot)
    assert wfc("diff", "--json", "a.wf", "b.wf").json == snapshot
    assert wfc("diff", "a.wf", "-", stdin=LAID).code == 0


def test_what_cannot_be_compared_is_told_to_programs_too(wfc: Command, here: Path) -> None:
    (here / "a.wf.json").write_text("[]")
    ended = wfc("diff", "a.wf.json", "a.wf.json", "--json")
    assert (ended.code, ended.json["ok"], ended.json["schema"]) == (2, False, "wfc.diagnostics/1")


def test_what_means_nothing_is_not_compared(wfc: Command, here: Path) -> None:
    (here / "a.wf").write_text(TEXT)
    (here / "b.wf").write_text("workflow a {\n b: wait -5s then end ok\n}\n")
    refused = wfc("diff", "a.wf", "b.wf")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.endswith("error: b.wf cannot be compared before this is mended\n")
    assert wfc("diff", "a.wf", "none.wf").code == 2
