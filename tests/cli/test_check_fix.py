"""`wfc check --fix`, `--unsafe-fixes`, `--diff`: repaired as the author would have, and nothing else touched."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.cli.greeting import GREETING
from wfc import driver, replacing
from wfc.report import plain, unified

# Written by hand: a misspelt target, an outcome that no end gives, and a definition that nobody uses.
FLOW = """\
{ "name": "review",
  "outcomes": ["ok",  "never"],
\t"start": "ask",
  "node_defs": [],
  "nodes": [
    { "id": "ask",   "type": "wait", "seconds": 1 },

    { "id": "answer", "type": "wait", "seconds": 2 }
  ],
  "edges": [
    { "from": "ask",    "outcome": "ok", "to": "anwser" },
    { "from": "answer", "outcome": "ok", "to": "__end__" }
  ] }
"""
MENDED = FLOW.replace("anwser", "answer")


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_safe_fixes_are_applied_and_everything_else_stays_as_it_was(wfc: Command, here: Path) -> None:
    file = write(here / "a.wf.json", FLOW)
    ended = wfc("check", "a.wf.json", "--fix", "--json")
    assert file.read_text() == MENDED
    assert (ended.code, [one["code"] for one in ended.json["diagnostics"]]) == (0, ["WF112"])
    assert [(one["code"], one["title"]) for one in ended.json["fixed"]] == [("WF101", "Write `answer`")]
    assert ended.err == "fixed a.wf.json:11:48 WF101 unknown-target: Write `answer`\n"


def test_unsafe_fixes_are_applied_only_when_they_are_asked_for(wfc: Command, here: Path) -> None:
    file = write(here / "a.wf.json", FLOW)
    ended = wfc("check", ".", "--unsafe-fixes")
    assert file.read_text() == MENDED.replace('["ok",  "never"]', '["ok"]')
    assert (ended.code, ended.out.splitlines()[0]) == (0, "no findings")


def test_a_file_without_anything_to_fix_is_not_written(wfc: Command, here: Path) -> None:
    file = write(here / "a.wf.json", MENDED)
    before = file.stat().st_mtime_ns
    assert wfc("check", ".", "--fix").err == ""
    assert file.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "form",
    [
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "").encode(),
        lambda text: text.rstrip().encode(),
    ],
    ids=["a mark at the start", "other line ends", "one line", "no end of the last line"],
)
def test_the_form_of_a_file_stays(wfc: Command, here: Path, form: Any) -> None:
    file = write(here / "a.wf.json", form(FLOW))
    wfc("check", ".", "--fix")
    assert file.read_bytes() == form(MENDED)


def test_permissions_and_links_stay(wfc: Command, here: Path) -> None:
    (here / "real").mkdir()
    file = write(here / "real" / "a.wf.json", FLOW)
    file.chmod(0o640)
    (here / "link.wf.json").symlink_to(file)
    assert wfc("check", "link.wf.json", "--fix").code == 0
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == (MENDED, 0o640)
    assert (here / "link.wf.json").is_symlink()
    assert [path.name for path in (here / "real").iterdir()] == ["a.wf.json"]


def test_many_of_one_kind_are_fixed_in_one_go(wfc: Command, here: Path) -> None:
    steps = [{"id": f"step_{n}", "type": "wait", "seconds": 1} for n in range(300)]
    edges = [{"from": f"step_{n}", "outcome": "ok", "to": f"stepp_{n + 1}"} for n in range(299)]
    whole = {"name": "long", "start": "step_0", "nodes": steps}
    end = {"from": "step_299", "outcome": "ok", "to": "__end__"}
    write(here / "a.wf.json", json.dumps({**whole, "edges": [*edges, end]}, indent=1))
    ended = wfc("check", ".", "--fix", "--json")
    assert (ended.code, len(ended.json["fixed"])) == (0, 299)


def test_a_fix_that_makes_another_one_possible_is_followed_by_it(wfc: Command, here: Path) -> None:
    """With a start that is there, what could not be judged before is."""
    text = FLOW.replace('"start": "ask"', '"start": "aks"')
    file = write(here / "a.wf.json", text)
    ended = wfc("check", ".", "--fix", "--json")
    assert sorted(one["code"] for one in ended.json["fixed"]) == ["WF100", "WF101"]
    assert file.read_text() == MENDED


def test_only_files_that_were_named_are_changed(wfc: Command, here: Path) -> None:
    write(here / "child.wf.json", FLOW.replace("review", "child"))
    parent = {
        "name": "parent",
        "start": "run",
        "nodes": [{"id": "run", "type": "subgraph", "workflow": {"name": "child"}, "outcomes": ["ok", "never"]}],
        "edges": [{"from": "run", "outcome": one, "to": "__end__"} for one in ("ok", "never")],
    }
    write(here / "parent.wf.json", json.dumps(parent))
    ended = wfc("check", "parent.wf.json", "--fix", "--json")
    assert "WF101" in [one["code"] for one in ended.json["diagnostics"]]
    assert "anwser" in (here / "child.wf.json").read_text()
    wfc("check", ".", "--fix")
    assert "anwser" not in (here / "child.wf.json").read_text()


def test_what_is_not_told_is_not_fixed(wfc: Command, here: Path) -> None:
    file = write(here / "a.wf.json", MENDED)
    wfc("check", ".", "--unsafe-fixes", "--ignore", "WF112")
    assert file.read_text() == MENDED


def test_a_file_that_changes_meanwhile_is_left_alone(wfc: Command, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(here / "a.wf.json", FLOW)
    repair = driver.repair

    def slow(*given: Any, **options: Any) -> Any:
        file.write_text(FLOW + "\n")
        return repair(*given, **options)

    monkeypatch.setattr(driver, "repair", slow)
    ended = wfc("check", ".", "--fix")
    assert (ended.code, file.read_text()) == (2, FLOW + "\n")
    assert ended.err == "error: a.wf.json: changed since it was read; nothing was written\n"


def test_a_file_is_written_as_a_whole_or_not_at_all(wfc: Command, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(here / "a.wf.json", FLOW)

    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device", target)

    monkeypatch.setattr(replacing.os, "replace", full)
    ended = wfc("check", ".", "--fix", "--no-cache")
    assert (ended.code, file.read_text()) == (2, FLOW)
    assert [path.name for path in here.iterdir()] == ["a.wf.json"]


def test_a_diff_changes_nothing_and_can_be_applied(wfc: Command, here: Path) -> None:
    write(here / "b.wf.json", FLOW)
    write(here / "a.wf.json", MENDED)
    ended = wfc("check", ".", "--diff", "--no-cache")
    assert (ended.code, ended.err) == (1, "would fix 1 finding in 1 file\n")
    assert ended.out.splitlines()[:3] == ["--- b.wf.json", "+++ b.wf.json", "@@ -8,6 +8,6 @@"]
    assert (here / "b.wf.json").read_text() == FLOW
    subprocess.run(["git", "apply", "-p0"], cwd=here, input=ended.out, text=True, check=True)
    assert (here / "b.wf.json").read_text() == MENDED
    assert wfc("check", ".", "--diff").code == 0
    assert wfc("check", ".", "--diff", "--unsafe-fixes").code == 1


def test_the_fixed_text_of_standard_input_is_the_result(wfc: Command, here: Path) -> None:
    ended = wfc("check", "-", "--fix", "--stdin-filename", "flows/a.wf.json", stdin=FLOW)
    assert (ended.code, ended.out) == (0, MENDED)
    assert ended.err.startswith("fixed flows/a.wf.json:11:48 WF101 unknown-target: Write `answer`\nwarning[WF112]")
    assert wfc("check", "-", "--fix", stdin="{").out == "{"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["-", "a.wf.json", "--fix"], "what is fixed is either standard input or files, not both at once"),
        (["a.wf.json", "--fix", "--watch"], "`--watch` goes with no option that fixes something"),
        (["a.wf.json", "--diff", "--update-baseline"], "`--update-baseline` goes with no option that fixes something"),
    ],
)
def test_what_does_not_go_together_is_exit_2(wfc: Command, here: Path, options: list[str], told: str) -> None:
    write(here / "a.wf.json", FLOW)
    ended = wfc("check", *options, stdin=FLOW)
    sentence = f"{told}; `wfc check --help` shows how it is used"
    assert (ended.code, ended.err) == (2, f"error: {sentence}\n")
    assert ended.json["message"] == sentence if "--json" in options else ended.out == ""
    assert os.listdir(here) == ["a.wf.json"]


def test_a_diff_is_not_to_be_had_as_json(wfc: Command, here: Path) -> None:
    write(here / "a.wf.json", FLOW)
    ended = wfc("check", "a.wf.json", "--diff", "--json")
    assert (ended.code, ended.json["message"].partition(";")[0]) == (2, "`--diff` prints a diff, and nothing as json")


# Some fixes can be made only when others are.
ROUNDS = """\
workflow rounds {
 input { month: string }
 state { n: integer, m: integer, z: integer }
 output { n, m }
 outcomes ok, never, other
 def f(x: integer) -> { y: integer } outcomes ok, bad

 one: wf.std.identity(value = 1) -> n = value then tow
 two: wf.std.identity(value = state.k) -> m = value on okay then end
 three: f(x = state.q) -> k = y then end other
   bda -> end
}
"""
CHILD = """\
workflow child {
 input { a: integer, k: integer }
 state { n: integer, z: integer }
 output { n }

 one: set n = input.a then end
}
"""
PARENT = """\
workflow parent {
 input { a: integer, unused: integer }
 state { n: integer }
 output { n }

 one: subgraph child(a = input.a, k = input.a) -> n then end
}
"""


@pytest.mark.parametrize("options", [["--fix"], ["--unsafe-fixes"]])
def test_a_diff_shows_exactly_what_is_written(wfc: Command, here: Path, options: list[str]) -> None:
    """Also where fixes take several rounds, and where a child that is fixed as well is found beside its parent."""
    texts = {"rounds.wf": ROUNDS, "child.wf": CHILD, "parent.wf": PARENT}
    for name, text in texts.items():
        write(here / name, text)
    shown = wfc("check", ".", "--diff", *options)
    assert wfc("check", ".", *options, "--diff").out == shown.out
    assert {name: (here / name).read_text() for name in texts} == texts
    ended = wfc("check", ".", *options)
    made = (unified(name, texts[name], (here / name).read_text(), plain) for name in sorted(texts))
    assert shown.out == "".join(made) != ""
    fixed = [row for row in ended.err.splitlines() if row.startswith("fixed ")]
    assert shown.err.startswith(f"would fix {len(fixed)} findings in ")


def test_all_that_can_be_fixed_is_counted_for_who_does_not_fix(wfc: Command, here: Path) -> None:
    write(here / "a.wf.json", FLOW)
    assert "can be fixed: 1 with `--fix`, 1 with `--unsafe-fixes`" in wfc("check", ".").out.splitlines()


def test_a_workflow_without_faults_has_nothing_to_fix(wfc: Command, here: Path) -> None:
    write(here / "a.wf.json", json.dumps(GREETING))
    assert wfc("check", ".", "--diff", "--unsafe-fixes").out == ""
