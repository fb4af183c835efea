"""The text form is taken wherever a workflow is: checked, fixed, compiled, run, tested, used by others, piped in."""

from __future__ import annotations

import json
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Command

GREET = """\
# Greets whoever is named.
workflow greet {
  input { who: string }
  state { text: string }
  output { text }

  hello: wf.std.template(text = "hello {who}", values.who = input.who) -> state.text on ok
    ok -> end ok
    missing_value -> hello   # cannot be
}
"""
PARENT = """\
workflow parent {
  input { who: string }
  state { text: string }
  output { text }
  greeting: subgraph greet(who = input.who) -> state.text then end ok
}
"""


def test_it_is_checked_and_fixed_as_text(wfc: Command, here: Path, snapshot: SnapshotAssertion) -> None:
    (here / "a.wf").write_text(GREET.replace("ok -> end ok", "ok -> helo").replace("input.who)", "inptu.who)"))
    found = wfc("check", "a.wf")
    assert found.code == 1
    assert found.out.partition("skipped:")[0] == snapshot
    (here / "b.wf").write_text(GREET.replace("ok -> end ok", "okk -> end ok"))
    fixed = wfc("check", "--fix", "b.wf")
    assert fixed.code == 0, fixed.out
    assert (here / "b.wf").read_text() == GREET


def test_a_folder_is_searched_for_both_forms(wfc: Command, here: Path) -> None:
    (here / "a.wf").write_text(GREET)
    (here / "b.wf.json").write_text(wfc("fmt", "a.wf", "--to", "json").out.replace('"greet"', '"other"'))
    report = wfc("check", ".", "--json").json
    assert report["summary"]["error"] == 0
    again = wfc("check", ".", "--json")
    assert again.json == report


def test_what_is_kept_depends_on_the_text(wfc: Command, here: Path) -> None:
    (here / "wfc.toml").write_text("")
    (here / "a.wf").write_text(GREET)
    assert wfc("check", "a.wf").code == 0
    (here / "a.wf").write_text(GREET.replace("ok -> end ok", "ok -> helo"))
    assert wfc("check", "a.wf").code == 1


def test_it_is_compiled_to_the_same_program(wfc: Command, here: Path) -> None:
    (here / "a.wf").write_text(GREET)
    assert wfc("fmt", "a.wf", "--to", "json", "-o", "b.wf.json").code == 0
    ours, theirs = (wfc("compile", file, "-o", "-").out for file in ("a.wf", "b.wf.json"))
    assert ours == theirs
    assert wfc("compile", "a.wf").out.startswith("a.wfir.json ")


def test_it_runs_and_is_a_child_of_others(wfc: Command, here: Path) -> None:
    (here / "greet.wf").write_text(GREET)
    (here / "parent.wf").write_text(PARENT)
    for file in ("greet.wf", "parent.wf"):
        done = wfc("run", file, "--no-store", "--json", "--set", "who=Ada")
        assert (done.code, done.json["output"]) == (0, {"text": "hello Ada"}), done.err


def test_two_forms_of_one_workflow_are_one(wfc: Command, here: Path) -> None:
    (here / "greet.wf").write_text(GREET)
    (here / "parent.wf").write_text(PARENT)
    assert wfc("fmt", "greet.wf", "--to", "json", "-o", "greet.wf.json").code == 0
    assert wfc("check", "parent.wf").code == 0


def test_libraries_hold_texts(wfc: Command, here: Path) -> None:
    (here / "wfc.toml").write_text('libraries = ["lib"]\n')
    (here / "lib").mkdir()
    (here / "lib/greet.wf").write_text(GREET)
    (here / "parent.wf").write_text(PARENT)
    assert wfc("run", "parent.wf", "--no-store", "--set", "who=Ada").code == 0


def test_test_files_name_texts(wfc: Command, here: Path) -> None:
    (here / "greet.wf").write_text(GREET)
    expect = {"status": "completed", "output": {"text": "hello Ada"}, "path": ["hello"], "check": []}
    test = {"name": "greets", "workflow": "greet.wf", "input": {"who": "Ada"}, "expect": expect}
    (here / "greet.wftest.json").write_text(json.dumps(test))
    assert wfc("test", ".").code == 0


def test_standard_input_is_known_by_its_name_or_its_beginning(wfc: Command, here: Path) -> None:
    assert wfc("check", "-", stdin=GREET).code == 0
    assert wfc("check", "-", "--stdin-filename", "a.wf", stdin=GREET).code == 0
    assert wfc("check", "-", "--stdin-filename", "a.wf.json", stdin=GREET).code == 1
    done = wfc("run", "-", "--no-store", "--json", "--set", "who=Ada", stdin=GREET)
    assert done.json["output"] == {"text": "hello Ada"}


def test_syntax_errors_are_fixed(wfc: Command, here: Path) -> None:
    faulty = GREET.replace("{ who: string }", "{ who: string").replace("ok -> end ok", "ok end ok")
    (here / "a.wf").write_text(faulty)
    assert wfc("check", "a.wf").code == 1
    fixed = wfc("check", "--fix", "a.wf")
    assert (fixed.code, (here / "a.wf").read_text()) == (0, GREET), fixed.out


def test_findings_for_programs_have_text_edits(wfc: Command, here: Path) -> None:
    (here / "a.wf").write_text(GREET.replace("ok -> end ok", "okk -> end ok"))
    (found,) = [one for one in wfc("check", "a.wf", "--json").json["diagnostics"] if one["fixes"]]
    assert found["at"]["start"] == {"line": 8, "column": 5}
    (fix,) = found["fixes"]
    assert fix["patch"][-1] == {"op": "replace", "path": "/edges/0/outcome", "value": "ok"}
    assert fix["edits"] == [{"start": {"line": 8, "column": 5}, "end": {"line": 8, "column": 8}, "text": "ok"}]
