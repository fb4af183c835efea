"""`wfc check` over several files: folders, configuration, cache, processes, baseline, watching."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command, Ended
from tests.cli.greeting import GREETING
from wfc.linting import carrying_out
from wfc.linting import session as session_module
from wfc.replacing import write_whole

WFC = [sys.executable, "-m", "wfc"]
# One warning each: WF112 for an outcome that no end gives, WF111 for a definition that nobody uses.
WARNED: dict[str, Any] = {**GREETING, "outcomes": ["ok", "rejected", "never"]}
PARENT = {
    "name": "parent",
    "outcomes": ["ok", "rejected"],
    "start": "child",
    "nodes": [
        {"id": "child", "type": "subgraph", "workflow": {"name": "approval"}, "outcomes": ["ok", "rejected"]},
        {"id": "no", "type": "end", "outcome": "rejected"},
    ],
    "edges": [
        {"from": "child", "outcome": "ok", "to": "__end__"},
        {"from": "child", "outcome": "rejected", "to": "no"},
    ],
}


@pytest.fixture
def flows(here: Path) -> Path:
    """The folder with `approval.wf.json`, in which nothing is found."""
    (here / "approval.wf.json").write_text(json.dumps(GREETING, indent=2))
    return here


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2))
    return path


def codes(ended: Ended) -> list[str]:
    return [f"{one['at']['file']} {one['code']}" for one in ended.json["diagnostics"]]


def broken(name: str) -> str:
    return json.dumps({**GREETING, "name": name}, indent=2).replace('"to": "ask"', '"to": "aks"')


# -- files and order --------------------------------------------------------------------------------------------------


def test_the_order_of_files_and_the_hash_seed_change_no_byte(here: Path) -> None:
    for name in ("b", "a", "sub/c"):
        write(here / f"{name}.wf.json", broken(name.replace("/", "_")))

    def out(seed: str, *paths: str) -> bytes:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [*WFC, "check", *paths, "--no-cache", "--format", "sarif"]
        return subprocess.run(command, cwd=here, env=environment, capture_output=True).stdout

    first = out("1", "a.wf.json", "b.wf.json", "sub/c.wf.json")
    assert b"WF101" in first
    assert out("2", "sub", "b.wf.json", "a.wf.json") == first
    assert out("3", ".") == first


def test_every_format_has_the_same_exit_code(wfc: Command, flows: Path) -> None:
    write(flows / "broken.wf.json", broken("broken"))
    for format_ in ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit"):
        assert wfc("check", "broken.wf.json", "--format", format_).code == 1
        assert wfc("check", "approval.wf.json", "--format", format_).code == 0
        assert wfc("check", "gone.wf.json", "approval.wf.json", "--format", format_).code == 2


def test_a_finding_that_two_files_share_stands_once(wfc: Command, flows: Path) -> None:
    write(flows / "approval.wf.json", WARNED)
    write(flows / "parent.wf.json", PARENT)
    told = codes(wfc("check", "parent.wf.json", "approval.wf.json", "--json"))
    assert told.count("approval.wf.json WF112") == 1


def test_many_files_in_several_processes_give_the_same_bytes(
    wfc: Command, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        write(here / f"f{number}.wf.json", broken(f"f{number}") if number % 2 else {**WARNED, "name": f"f{number}"})
    alone = wfc("check", ".", "--no-cache", "--json")
    monkeypatch.setattr(carrying_out, "_WORTH_A_PROCESS", 0)
    monkeypatch.setattr(carrying_out, "_processors", lambda: 3)
    assert wfc("check", ".", "--no-cache", "--json") == alone
    assert len(alone.json["diagnostics"]) == 6


def test_standard_input_has_the_name_that_it_is_given(wfc: Command, flows: Path) -> None:
    write(flows / "library" / "child.wf.json", {**GREETING, "name": "child"})
    text = json.dumps(PARENT).replace('"approval"', '"child"')
    assert codes(wfc("check", "-", "--json", stdin=text))[0] == "- WF700"
    assert wfc("check", "-", "--stdin-filename", "library/parent.wf.json", stdin=text).code == 0
    (flows / "library" / "wfc.toml").write_text("[check]\nignore = ['WF112']")
    warned = json.dumps(WARNED)
    assert codes(wfc("check", "-", "--json", stdin=warned)) == ["- WF112"]
    assert codes(wfc("check", "-", "--json", "--stdin-filename", "library/x.wf.json", stdin=warned)) == []


# -- what is told -----------------------------------------------------------------------------------------------------


def test_patterns_of_files_are_seen_from_the_configuration(
    wfc: Command, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(here / "old" / "a.wf.json", WARNED)
    write(here / "new" / "a.wf.json", WARNED)
    (here / "wfc.toml").write_text('[check.per-file-ignores]\n"old/*" = ["unreached-workflow-outcome"]\n')
    assert codes(wfc("check", ".", "--json")) == ["new/a.wf.json WF112"]
    monkeypatch.chdir(here / "old")
    assert codes(wfc("check", ".", "--json")) == []


@pytest.mark.parametrize(
    ("options", "configured", "told"),
    [
        ((), "", ["WF111", "WF112"]),
        (("--select", "WF112"), "", ["WF112"]),
        (("--select", "WF1", "--ignore", "unused-node-def"), "", ["WF112"]),
        (("--ignore", "WF112"), "ignore = ['WF111']", []),
        ((), "select = ['WF111']", ["WF111"]),
        (("--select", "WF112"), "select = ['WF111']", ["WF112"]),
    ],
)
def test_what_is_selected_and_not_ignored_is_told(
    wfc: Command, here: Path, options: tuple[str, ...], configured: str, told: list[str]
) -> None:
    write(here / "a.wf.json", {**WARNED, "node_defs": [{"name": "unused", "outcomes": ["ok"]}]})
    (here / "wfc.toml").write_text(f"[check]\n{configured}\n")
    ended = wfc("check", ".", "--json", "--strict", *options)
    assert sorted(one["code"] for one in ended.json["diagnostics"] if one["code"] < "WF200") == told
    assert ended.json["summary"]["suppressed"] >= 2 - len(told)
    assert not (told != ["WF111", "WF112"] and ended.json["clean"])


@pytest.mark.parametrize("where", ["option", "configuration"])
def test_a_word_that_names_no_code_is_exit_2(wfc: Command, flows: Path, where: str) -> None:
    (flows / "wfc.toml").write_text("[check]\nignore = ['unused-nod-def']" if where == "configuration" else "")
    ended = wfc("check", "approval.wf.json", *(["--ignore", "unused-nod-def"] if where == "option" else []))
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "error: `unused-nod-def` is neither a code, nor the beginning of one, nor a rule; nearest: `unused-node-def`\n"
    )


def test_statistics_are_told_instead_of_findings(wfc: Command, here: Path) -> None:
    write(here / "a.wf.json", WARNED)
    write(here / "b.wf.json", broken("b"))
    ended = wfc("check", ".", "--statistics")
    assert ended.code == 1
    assert ended.out.splitlines()[0].split()[:3] == ["1", "WF101", "unknown-target"]
    counts = {one["code"]: one["count"] for one in wfc("check", ".", "--statistics", "--json").json["statistics"]}
    assert (counts["WF101"], counts["WF112"]) == (1, 1)
    refused = wfc("check", ".", "--statistics", "--format", "sarif")
    assert (refused.code, refused.err) == (
        2,
        "error: `--statistics` is told as text or json, not as sarif; `wfc check --help` shows how it is used\n",
    )


# -- the cache --------------------------------------------------------------------------------------------------------


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are really checked."""
    done: list[str] = []

    def counted(tasks: Any, shelf: Any) -> Any:
        done.extend(task.name for task in tasks)
        return carrying_out.each(tasks, shelf)

    monkeypatch.setattr(session_module, "each", counted)
    return done


def test_what_has_not_changed_is_not_checked_again(wfc: Command, flows: Path, checks: list[str]) -> None:
    write(flows / "broken.wf.json", broken("broken"))
    first = wfc("check", ".", "--format", "sarif")
    assert (wfc("check", ".", "--format", "sarif"), len(checks)) == (first, 2)
    assert wfc("check", ".").out == wfc("check", ".", "--no-cache").out
    assert len(checks) == 4
    write(flows / "broken.wf.json", broken("mended").replace("aks", "ask"))
    assert (wfc("check", ".").code, checks[4:]) == (0, ["broken.wf.json"])


def test_the_cache_stands_beside_the_configuration_and_is_ignored_by_git(wfc: Command, flows: Path) -> None:
    (flows / "wfc.toml").write_text("")
    (flows / "sub").mkdir()
    write(flows / "sub" / "a.wf.json", GREETING)
    wfc("check", "sub/a.wf.json")
    assert (flows / ".wfc" / "cache" / ".gitignore").read_text() == "*\n"
    assert not (flows / "sub" / ".wfc").exists()
    wfc("check", ".", "--no-cache")
    assert wfc("check", ".").code == 0


@pytest.mark.parametrize("change", ["content", "new file", "gone"])
def test_what_was_looked_at_counts(wfc: Command, flows: Path, checks: list[str], change: str) -> None:
    write(flows / "parent.wf.json", PARENT)
    assert (wfc("check", "parent.wf.json").code, len(checks)) == (0, 1)
    assert (wfc("check", "parent.wf.json").code, len(checks)) == (0, 1)
    if change == "content":
        write(flows / "approval.wf.json", {**GREETING, "outcomes": ["ok"]})
    elif change == "new file":
        write(flows / "other.wf.json", GREETING)
    else:
        (flows / "approval.wf.json").unlink()
    assert (wfc("check", "parent.wf.json").code, len(checks)) == (1, 2)


@pytest.mark.parametrize("options", [["--strict"], ["--select", "WF1"], ["--ignore", "WF112"]])
def test_what_is_asked_counts(wfc: Command, flows: Path, checks: list[str], options: list[str]) -> None:
    for _ in range(2):
        wfc("check", "approval.wf.json")
        wfc("check", "approval.wf.json", *options)
    assert len(checks) == 2
    (flows / "wfc.toml").write_text("[check]\nselect = ['WF2']")
    wfc("check", "approval.wf.json")
    assert len(checks) == 3


@pytest.mark.parametrize("held", ["", "{", "[]", '{"content": 1}', "null"])
def test_a_damaged_cache_is_as_good_as_none(wfc: Command, flows: Path, checks: list[str], held: str) -> None:
    (flows / "wfc.toml").write_text("[check]\nignore = ['WF112']")
    first = wfc("check", "approval.wf.json")
    for file in (flows / ".wfc" / "cache").glob("*.json"):
        file.write_text(held)
    assert (wfc("check", "approval.wf.json"), len(checks)) == (first, 2)


def test_a_cache_that_cannot_be_written_is_no_fault(wfc: Command, flows: Path) -> None:
    (flows / ".wfc").write_text("a file where the folder should be")
    assert wfc("check", "approval.wf.json").code == 0


def test_a_first_check_of_a_small_file_is_light(flows: Path) -> None:
    code = "import sys\nfrom wfc.cli import run\nrun(sys.argv[1:])\nprint(*sorted(sys.modules), file=sys.stderr)"
    command = [sys.executable, "-c", code, "check", "approval.wf.json"]
    loaded = subprocess.run(command, cwd=flows, capture_output=True, text=True).stderr.split()
    heavy = {
        "pydantic",
        "networkx",
        "jsonschema",
        "rich",
        "asyncio",
        "mcp",
        "multiprocessing",
        "wfc.vm",
        "wfc.backends",
    }
    assert heavy & set(loaded) == set()


def test_an_unchanged_file_is_answered_without_the_compiler(wfc: Command, flows: Path) -> None:
    write(flows / "broken.wf.json", broken("broken"))
    (flows / "wfc.toml").write_text("[check]\nignore = ['WF112']")
    code = (
        "import sys\nfrom wfc.cli import run\nended = run(sys.argv[1:])\n"
        "print(ended, *sorted(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, "check", "broken.wf.json"]
    first, second = (subprocess.run(command, cwd=flows, capture_output=True, text=True) for _ in range(2))
    assert first.stdout == second.stdout
    ended, *loaded = second.stderr.split()
    compiler = {"wfc.frontend", "wfc.passes", "wfc.driver", "wfc.checking", "wfc.vm", "wfc.ir.steps"}
    heavy = {"pydantic", "networkx", "jsonschema", "jsonschema_rs", "rich", "asyncio", "multiprocessing"}
    assert (ended, (compiler | heavy) & set(loaded)) == ("1", set())


# -- baselines --------------------------------------------------------------------------------------------------------


def test_a_baseline_is_written_once_and_then_only_shrinks(wfc: Command, here: Path) -> None:
    write(here / "a.wf.json", {**WARNED, "name": "a"})
    write(here / "b.wf.json", {**WARNED, "name": "b"})
    missing = wfc("check", ".", "--baseline", "known.json")
    assert (missing.code, missing.err) == (
        2,
        "error: the baseline known.json is not there; `--update-baseline` writes it\n",
    )
    wrote = wfc("check", ".", "--baseline", "known.json", "--update-baseline", "--fail-level", "warning")
    assert (wrote.code, wrote.err) == (0, "known.json: wrote 2 findings\n")
    again = wfc("check", ".", "--baseline", "known.json", "--json", "--fail-level", "warning")
    assert (again.code, again.err, again.json["summary"]["baselined"]) == (0, "", 2)

    write(here / "b.wf.json", {**GREETING, "name": "b", "node_defs": [{"name": "unused", "outcomes": ["ok"]}]})
    new = wfc("check", ".", "--baseline", "known.json", "--json", "--fail-level", "warning")
    assert (new.code, codes(new)) == (1, ["b.wf.json WF111"])
    assert new.err == "known.json: 1 finding no longer there; `--update-baseline` takes that out\n"
    shrunk = wfc("check", ".", "--baseline", "known.json", "--update-baseline")
    assert shrunk.err == "known.json: took out 1 finding\n"
    held = json.loads((here / "known.json").read_text())
    assert [(one["file"], one["code"], one["count"]) for one in held["findings"]] == [("a.wf.json", "WF112", 1)]


def test_a_baseline_judges_only_files_that_were_checked_or_are_gone(wfc: Command, here: Path) -> None:
    for name in ("a", "b", "c"):
        write(here / f"{name}.wf.json", {**WARNED, "name": name})
    wfc("check", ".", "--baseline", "known.json", "--update-baseline")
    (here / "c.wf.json").unlink()
    told = wfc("check", "a.wf.json", "--baseline", "known.json", "--update-baseline")
    assert told.err == "known.json: took out 1 finding\n"
    assert wfc("check", "b.wf.json", "--baseline", "known.json", "--json").json["summary"]["baselined"] == 1


def test_a_baseline_means_the_same_from_every_folder(wfc: Command, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here / "flows" / "a.wf.json", WARNED)
    (here / "wfc.toml").write_text("[check]\nbaseline = 'known.json'\nfail-level = 'warning'")
    assert wfc("check", "flows", "--update-baseline").code == 0
    monkeypatch.chdir(here / "flows")
    assert wfc("check", ".").code == 0


def test_an_error_without_which_nothing_means_anything_is_in_no_baseline(wfc: Command, here: Path) -> None:
    write(here / "a.wf.json", broken("a"))
    ended = wfc("check", ".", "--baseline", "known.json", "--update-baseline")
    assert (ended.code, ended.err) == (1, "known.json: wrote 0 findings\n")
    assert (here / "known.json").read_text() == '{\n  "schema": "wfc.baseline/1",\n  "findings": []\n}\n'


ENTRY = {"file": "a", "code": "WF101", "id": "1", "count": 1, "message": "m"}


@pytest.mark.parametrize(
    "held",
    [
        "",
        "[]",
        "[" * 10_000,
        '{"schema": "wfc.baseline/1", "findings": [{}]}',
        *(
            json.dumps({"schema": "wfc.baseline/1", "findings": [{**ENTRY, key: value}]})
            for key, value in {"file": None, "id": [], "count": "1", "message": 1}.items()
        ),
    ],
    ids=lambda held: held[:60],
)
def test_a_file_that_is_no_baseline_is_exit_2(wfc: Command, flows: Path, held: str) -> None:
    (flows / "known.json").write_text(held)
    ended = wfc("check", "approval.wf.json", "--baseline", "known.json")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert ended.err.startswith("error: known.json is no baseline of this version; expected `wfc.baseline/1`")


def test_a_baseline_to_update_has_to_be_named(wfc: Command, flows: Path) -> None:
    ended = wfc("check", "approval.wf.json", "--update-baseline")
    assert (ended.code, ended.err.partition(";")[0]) == (
        2,
        "error: `--update-baseline` needs a baseline: `--baseline FILE`, or `baseline` in `[check]`",
    )


# -- watching ---------------------------------------------------------------------------------------------------------


def test_watching_checks_again_whenever_something_changes_and_ends_with_ctrl_c(flows: Path) -> None:
    write(flows / "parent.wf.json", PARENT)
    changed = write(flows / "changed", {**GREETING, "outcomes": ["ok"]})
    command = [*WFC, "check", "parent.wf.json", "--watch", "--format", "concise"]
    watching = subprocess.Popen(command, cwd=flows, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert watching.stderr is not None and watching.stdout is not None
        assert watching.stderr.readline() == "watching; Ctrl-C ends it\n"
        # All at once: who watches a file that is being written to sees two changes.
        changed.replace(flows / "approval.wf.json")
        assert watching.stderr.readline() == "watching; Ctrl-C ends it\n"
        watching.send_signal(signal.SIGINT)
        out, err = watching.communicate(timeout=120)
    finally:
        watching.kill()
    assert (watching.returncode, err.strip()) == (130, "stopped")
    assert "WF702" in out or "WF109" in out
    assert "\x1b" not in out


@contextmanager
def watched(path: str) -> Iterator[Callable[[], str]]:
    """What a watch of a path says until it waits, again and again; one that hangs is killed, and says nothing."""
    command = [*WFC, "check", path, "--watch", "--format", "concise"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as watching:
        killing = threading.Timer(60, watching.kill)
        killing.start()

        def said() -> str:
            assert watching.stdout is not None
            return "".join(takewhile(lambda line: line != "watching; Ctrl-C ends it\n", watching.stdout))

        try:
            yield said
        finally:
            killing.cancel()
            watching.kill()


def test_watching_goes_on_while_a_folder_is_empty(flows: Path) -> None:
    (flows / "f").mkdir()
    os.replace("approval.wf.json", "f/a.wf.json")
    with watched("f") as said:
        assert said() == ""
        os.replace("f/a.wf.json", "a")
        assert said() == "error: f holds no *.wf.json or *.wf file\n"
        os.replace("a", "f/a.wf.json")
        assert said() == ""


def test_watching_sees_a_configuration_that_is_new_or_wrong(flows: Path) -> None:
    with watched("approval.wf.json") as said:
        assert said() == ""
        write_whole("wfc.toml", b"[chek]\n")
        assert said() == "error: wfc.toml: `chek` is no key here; nearest: `check`\n"
        write_whole("wfc.toml", b"[check]\nbaseline = 'known.json'\n")
        assert said() == "error: the baseline ./known.json is not there; `--update-baseline` writes it\n"
        write_whole("known.json", b'{"schema": "wfc.baseline/1", "findings": []}')
        assert said() == ""


def test_standard_input_cannot_be_watched(wfc: Command, here: Path) -> None:
    ended = wfc("check", "-", "--watch", stdin="{}")
    assert (ended.code, ended.out) == (2, "")
