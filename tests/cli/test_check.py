"""`wfc check` and `wfc explain`: findings as results, with the exit code that they deserve."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Command
from tests.cli.greeting import GREETING
from wfc.report import DIAGNOSTICS_SCHEMA

BROKEN = json.dumps(GREETING, indent=2).replace('"to": "ask"', '"to": "aks"')


@pytest.fixture
def flows(here: Path) -> Path:
    """The folder with `approval.wf.json`, in which nothing is found."""
    (here / "approval.wf.json").write_text(json.dumps(GREETING, indent=2))
    return here


def test_a_finding_is_shown_in_the_lines_of_the_author(wfc: Command, flows: Path, snapshot: SnapshotAssertion) -> None:
    (flows / "broken.wf.json").write_text(BROKEN)
    ended = wfc("check", "broken.wf.json")
    assert (ended.code, ended.err) == (1, "")
    assert ended.out.partition("\nskipped")[0] == snapshot


def test_nothing_found_is_exit_0(wfc: Command, flows: Path) -> None:
    ended = wfc("check", "approval.wf.json")
    assert (ended.code, ended.out.splitlines()[0], ended.err) == (0, "no findings", "")


def test_json_is_one_document_of_the_published_shape(wfc: Command, flows: Path) -> None:
    (flows / "broken.wf.json").write_text(BROKEN)
    found = wfc("check", ".", "--json").json
    jsonschema_rs.validate(DIAGNOSTICS_SCHEMA, found)
    first = found["diagnostics"][0]
    assert (first["code"], first["at"]["file"]) == ("WF101", "broken.wf.json")
    assert first["at"]["start"] == {"line": 98, "column": 13}
    assert (found["ok"], found["clean"]) == (False, None)


def test_what_cannot_be_read_is_told_with_its_place_in_the_document(wfc: Command, here: Path) -> None:
    (here / "twice.wf.json").write_text('{"nodes": [{"id": "a", "id": "b", "seconds": NaN}]}')
    found = wfc("check", "twice.wf.json", "--json").json["diagnostics"]
    assert [(one["code"], one["at"]["pointer"]) for one in found] == [
        ("WF002", "/nodes/0/id"),
        ("WF004", "/nodes/0/seconds"),
    ]
    assert found[0]["related"][0]["at"]["pointer"] == "/nodes/0/id"


def test_jsonl_is_a_line_for_each_finding_and_one_for_the_rest(wfc: Command, flows: Path) -> None:
    (flows / "broken.wf.json").write_text(BROKEN)
    lines = [json.loads(line) for line in wfc("check", "broken.wf.json", "--format", "jsonl").out.splitlines()]
    assert lines[0]["code"] == "WF101"
    assert lines[-1]["schema"] == "wfc.diagnostics/1"


def test_standard_input_is_a_document(wfc: Command, here: Path) -> None:
    ended = wfc("check", "-", stdin='{"name": "a", ')
    assert (ended.code, ended.out.split("\n")[0][:12]) == (1, "error[WF001]")


def test_strict_says_clean_or_not(wfc: Command, flows: Path) -> None:
    assert wfc("check", "approval.wf.json", "--json").json["clean"] is None
    assert wfc("check", "approval.wf.json", "--strict", "--json").json["clean"] is True
    (flows / "broken.wf.json").write_text(BROKEN)
    assert wfc("check", ".", "--strict", "--json").json["clean"] is False


@pytest.mark.parametrize("silencing", [["--ignore", "WF112"], ["--select", "WF2"], ["--baseline", "known.json"], []])
def test_nothing_is_clean_of_which_something_is_not_told(wfc: Command, flows: Path, silencing: list[str]) -> None:
    allowed = [] if silencing else [{"code": "WF112", "reason": "both are asked for"}]
    warned = {**GREETING, "outcomes": ["ok", "rejected", "never"], "x-wfc-allow": allowed}
    (flows / "approval.wf.json").write_text(json.dumps(warned))
    if "--baseline" in silencing:
        wfc("check", ".", *silencing, "--update-baseline")
    told = wfc("check", ".", "--strict", "--json", *silencing).json
    assert (told["ok"], told["clean"], told["diagnostics"]) == (True, False, [])
    assert told["summary"]["suppressed"] + told["summary"]["baselined"] == 1


def test_codes_can_be_left_out_but_not_those_without_which_nothing_means_anything(wfc: Command, flows: Path) -> None:
    (flows / "broken.wf.json").write_text(BROKEN)
    codes = {one["code"] for one in wfc("check", "broken.wf.json", "--json", "--ignore", "WF").json["diagnostics"]}
    assert codes == {"WF101"}


def test_the_fail_level_of_the_command_wins_over_that_of_the_configuration(wfc: Command, flows: Path) -> None:
    unreached = {**GREETING, "outcomes": ["ok", "rejected", "never"]}
    (flows / "warned.wf.json").write_text(json.dumps(unreached))
    assert wfc("check", "warned.wf.json").code == 0
    (flows / "wfc.toml").write_text('[check]\nfail-level = "warning"\n')
    assert wfc("check", "warned.wf.json").code == 1
    assert wfc("check", "warned.wf.json", "--fail-level", "error").code == 0
    assert wfc("check", "warned.wf.json", "--ignore", "unreached-workflow-outcome").code == 0


def test_what_cannot_be_read_is_exit_2_and_the_rest_is_checked(wfc: Command, flows: Path) -> None:
    ended = wfc("check", "missing.wf.json", "approval.wf.json")
    assert ended.code == 2
    assert ended.err == "error: missing.wf.json: no such file or directory\n"
    assert ended.out.startswith("no findings\n")


@pytest.mark.parametrize("asked", [("--json",), ("--format", "json"), ("--format=json",)])
@pytest.mark.parametrize("path", ["missing.wf.json", "empty"])
def test_who_asked_for_json_gets_it_also_where_nothing_can_be_checked(
    wfc: Command, here: Path, path: str, asked: tuple[str, ...]
) -> None:
    (here / "empty").mkdir()
    ended = wfc("check", path, *asked)
    assert (ended.code, ended.json["schema"], ended.json["exit"]) == (2, "wfc.error/1", 2)
    assert ended.err == f"error: {ended.json['message']}\n"


def test_a_configuration_error_is_exit_2(wfc: Command, flows: Path) -> None:
    (flows / "wfc.toml").write_text("[chek]\n")
    ended = wfc("check", "approval.wf.json")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "error: wfc.toml: `chek` is no key here; nearest: `check`\n"


def test_a_folder_without_workflows_is_exit_2(wfc: Command, here: Path) -> None:
    ended = wfc("check", ".")
    assert (ended.code, ended.err) == (2, "error: . holds no *.wf.json or *.wf file\n")


def test_a_child_in_a_library_is_found(wfc: Command, flows: Path) -> None:
    (flows / "library").mkdir()
    (flows / "approval.wf.json").rename(flows / "library" / "approval.wf.json")
    parent = {
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
    (flows / "parent.wf.json").write_text(json.dumps(parent))
    assert [one["code"] for one in wfc("check", "parent.wf.json", "--json").json["diagnostics"]][:1] == ["WF700"]
    (flows / "wfc.toml").write_text('libraries = ["library"]')
    assert wfc("check", "parent.wf.json").code == 0


def test_explain(wfc: Command, snapshot: SnapshotAssertion) -> None:
    ended = wfc("explain", "unknown-target")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == snapshot


def test_explain_as_json(wfc: Command) -> None:
    told = wfc("explain", "wf101", "--json").json
    assert (told["schema"], told["code"], told["rule"]) == ("wfc.explain/1", "WF101", "unknown-target")
    assert [one["code"] for one in told["findings"]] == ["WF101"]


def test_explain_of_what_is_no_code(wfc: Command) -> None:
    ended = wfc("explain", "unknwn-target")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "error: `unknwn-target` is neither a code nor a rule; nearest: `unknown-target`\n"


def test_explain_without_a_code_lists_all_of_them(wfc: Command) -> None:
    lines = wfc("explain").out.splitlines()
    codes = [line.split()[0] for line in lines]
    assert codes == sorted(set(codes))
    assert {"WF001", "WF101", "WF900", "WF901"} <= set(codes)
    told = wfc("explain", "--json").json
    assert (told["schema"], [one["code"] for one in told["codes"]]) == ("wfc.codes/1", codes)


def test_every_listed_code_and_rule_is_explained(wfc: Command) -> None:
    for known in wfc("explain", "--json").json["codes"]:
        told = wfc("explain", known["rule"], "--json").json
        repaired = told["bad"] != told["good"] or "mended" in told
        assert (told["code"], told["why"] != "", repaired) == (known["code"], True, True)
