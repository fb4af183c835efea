"""Workflows published, linked by exact version, bound by deployments, run and gone on with; on both kinds of store."""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import wfc as public
from tests.cli.conftest import APPROVAL, Command
from tests.stores.conftest import address, postgres, quick, server  # noqa: F401
from wfc.backends.stores import open_store
from wfc.ir import Refused

GREETING = """
from typing import TypedDict

import wfc

class Said(TypedDict):
    result: str

@wfc.node
def loud(text: str) -> Said:
    return {"result": text.upper()}

@wfc.node
def quiet(text: str) -> Said:
    return {"result": text.lower()}
"""
CONFIG = """
[sources.loudly]
kind = "python"
module = "voices"

[sources.quietly]
kind = "python"
module = "voices"
"""
STRING = {"type": "string"}
TEXT = {"type": "object", "properties": {"text": STRING}, "required": ["text"]}


def saying(word: str = "Hello") -> dict[str, Any]:
    """Says its input as the source `loudly` would."""
    return {
        "name": "saying",
        "desc": word,
        "input_schema": TEXT,
        "state_schema": {"type": "object", "properties": {"said": STRING}},
        "output_schema": {"type": "object", "properties": {"said": STRING}},
        "node_defs": [
            {
                "name": "say",
                "uses": {"source": "loudly", "capability_key": "loud"},
                "input_schema": TEXT,
                "output_schema": {"type": "object", "properties": {"result": STRING}, "required": ["result"]},
                "outcomes": ["ok"],
            }
        ],
        "start": "one",
        "nodes": [
            {
                "id": "one",
                "type": "node",
                "node": "say",
                "input": [{"target": "text", "path": "input.text"}],
                "output": [{"source": "result", "target": "state.said"}],
            }
        ],
        "edges": [{"from": "one", "outcome": "ok", "to": "__end__"}],
    }


def twice(reference: Any, asks: bool = False) -> dict[str, Any]:
    """Runs a child twice."""
    steps: list[dict[str, Any]] = [
        {
            "id": step,
            "type": "subgraph",
            "workflow": reference,
            "input": [{"target": "text", "path": "input.text"}],
            "output": [{"source": "said", "target": f"state.{step}"}],
        }
        for step in ("first", "second")
    ]
    middle = [{"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["ok"], "request": [
        {"target": "prompt", "value": "Go on?"}]}]  # fmt: skip
    ids = ["first", *(["ask"] if asks else []), "second", "__end__"]
    both = {"type": "object", "properties": {"first": STRING, "second": STRING}}
    return {
        "name": "twice",
        "input_schema": TEXT,
        "state_schema": both,
        "output_schema": both,
        "start": "first",
        "nodes": [*steps, *(middle if asks else [])],
        "edges": [{"from": a, "outcome": "ok", "to": b} for a, b in pairwise(ids)],
    }


@pytest.fixture
def project(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (here / "wfc.toml").write_text(CONFIG)
    (here / "voices.py").write_text(GREETING)
    # Python keeps the module of an earlier project of this process under the same name.
    monkeypatch.delitem(sys.modules, "voices", raising=False)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return here


def write(folder: Path, name: str, value: Any) -> str:
    (folder / name).write_text(json.dumps(value))
    return name


def published(wfc: Command, folder: Path, value: Any, *options: str) -> Any:
    ended = wfc("publish", write(folder, f"{value['name']}.wf.json", value), "--json", *options)
    assert ended.code == 0, ended.err
    return ended.json


def test_versions_count_and_the_same_content_gives_the_same_version(
    wfc: Command, here: Path, address: str  # noqa: F811
) -> None:  # fmt: skip
    store = ("--store", address)
    made = [published(wfc, here, one, *store) for one in (APPROVAL, APPROVAL, {**APPROVAL, "desc": "b"}, APPROVAL)]
    assert [(one["version"], one["new"]) for one in made] == [(1, True), (1, False), (2, True), (1, False)]
    listed = wfc("artifacts", "list", "--json", *store).json["artifacts"]
    assert [(one["artifact_id"], one["version"], one["hash"]) for one in listed] == [
        ("approval", 1, made[0]["hash"]),
        ("approval", 2, made[2]["hash"]),
    ]
    differ = wfc("artifacts", "diff", "artifact:approval@1", "artifact:approval@2", *store)
    assert (differ.code, "desc" in differ.out) == (1, True)
    assert wfc("artifacts", "diff", "artifact:approval@1", "artifact:approval@1", *store).code == 0
    ran = wfc("run", "artifact:approval@2", "--json", *store)
    assert (ran.code, ran.json["status"]) == (4, "interrupted")
    assert open_store(address).load(ran.json["run_id"]).new.pins == {"artifact:approval@2": made[2]["hash"]}
    resumed = wfc("resume", ran.json["run_id"], "--outcome", "sent", "--payload", '{"approved": true}', *store)
    assert resumed.code == 0, resumed.err


def test_what_is_shown_is_a_document_that_publishes_as_the_same(wfc: Command, here: Path) -> None:
    published(wfc, here, APPROVAL)
    shown = wfc("artifacts", "show", "artifact:approval@1").out
    (here / "again.wf.json").write_text(shown)
    assert wfc("publish", "again.wf.json", "--json").json["version"] == 1


def test_only_what_checks_clean_is_published(wfc: Command, here: Path) -> None:
    ended = wfc("publish", write(here, "bad.wf.json", {**APPROVAL, "start": "nowhere"}))
    assert (ended.code, "WF1" in ended.err) == (1, True)
    assert wfc("artifacts", "list").out == ""


def test_a_version_is_no_file_to_publish(wfc: Command, flows: Path) -> None:
    (flows / "artifact:a@1").write_text((flows / "approval.wf.json").read_text())
    refused = wfc("publish", "artifact:a@1")
    assert (refused.code, refused.err.partition(";")[0]) == (2, "error: `artifact:a@1` is how a version is called")
    assert wfc("publish", "./artifact:a@1").out.startswith("artifact:approval@1 ")


def test_a_child_by_name_is_published_with_its_parent(wfc: Command, project: Path) -> None:
    write(project, "saying.wf.json", saying())
    published(wfc, project, twice({"name": "saying"}))
    (project / "saying.wf.json").unlink()
    ran = wfc("run", "artifact:twice@1", "--set", "text=Ab", "--json")
    assert (ran.code, ran.json["output"]) == (0, {"first": "AB", "second": "AB"}), ran.err


def test_exactly_the_version_that_is_referred_to_is_linked(wfc: Command, project: Path) -> None:
    reference = {"artifact_id": "saying", "version": 1}
    parent = write(project, "twice.wf.json", twice(reference))
    assert "WF705" in wfc("check", parent, "--strict").out
    published(wfc, project, saying())
    published(wfc, project, saying("other"))
    assert wfc("check", parent, "--strict", "--no-cache").out.count("WF705") == 0
    assert wfc("run", parent, "--set", "text=Ab", "--json").json["output"] == {"first": "AB", "second": "AB"}
    gone = wfc("check", write(project, "gone.wf.json", twice({**reference, "version": 3})))
    assert (gone.code, "WF700" in gone.out) == (1, True)
    refused = wfc("publish", "gone.wf.json")
    assert refused.code == 1


def test_a_deployment_binds_the_whole_tree_and_the_longest_place_wins(wfc: Command, project: Path) -> None:
    published(wfc, project, saying())
    published(wfc, project, twice({"artifact_id": "saying", "version": 1}))
    quietly = {"node": "say", "source": "quietly", "capability_key": "quiet"}
    loudly = {"node": "say", "source": "loudly", "capability_key": "loud", "at": ["second", "one"]}
    value: dict[str, Any] = {"name": "home", "artifact": {"artifact_id": "twice", "version": 1}}
    applied = wfc("deploy", "apply", write(project, "home.json", {**value, "bindings": [quietly]}))
    assert applied.code == 0, applied.err
    ran = wfc("run", "deployment:home", "--set", "text=Ab", "--json")
    assert ran.json["output"] == {"first": "ab", "second": "ab"}
    assert wfc("deploy", "apply", write(project, "home.json", {**value, "bindings": [loudly, quietly]})).code == 0
    ran = wfc("run", "deployment:home", "--set", "text=Ab", "--json")
    assert ran.json["output"] == {"first": "ab", "second": "AB"}
    everywhere = [{**loudly, "at": [step]} for step in ("first", "second")]
    assert wfc("deploy", "apply", write(project, "all.json", {**value, "bindings": [quietly, *everywhere]})).code == 0
    ran = wfc("run", "deployment:home", "--set", "text=Ab", "--json")
    assert ran.json["output"] == {"first": "AB", "second": "AB"}
    assert wfc("deploy", "apply", "home.json").code == 0
    assert wfc("deploy", "list").out == "deployment:home artifact:twice@1\n"
    assert json.loads(wfc("deploy", "show", "home").out) == {**value, "bindings": [loudly, quietly]}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"artifact": {"artifact_id": "twice", "version": 9}}, "holds no `artifact:twice@9`; it has version 1"),
        ({"bindings": [{"node": "x", "source": "loudly", "capability_key": "loud"}]}, "binds `x`, and"),
        ({"bindings": [{"node": "say", "source": "nobody", "capability_key": "loud"}]}, "nobody"),
        ({"bindings": [{"node": "say", "source": "loudly", "key": "loud"}]}, "has a key `key`"),
        (
            {"bindings": [{"node": "say", "source": "loudly", "capability_key": "loud", "at": ["third"]}]},
            "binds `say` at `third`, and",
        ),
    ],
)
def test_what_is_wrong_with_a_deployment_is_found_when_it_is_applied(
    wfc: Command, project: Path, change: dict[str, Any], told: str
) -> None:
    published(wfc, project, saying())
    published(wfc, project, twice({"artifact_id": "saying", "version": 1}))
    value = {"name": "home", "artifact": {"artifact_id": "twice", "version": 1}, "bindings": [], **change}
    ended = wfc("deploy", "apply", write(project, "home.json", value))
    assert ended.code in (1, 2)
    assert told in ended.err
    assert wfc("deploy", "list").out == ""


def test_a_run_of_a_changed_deployment_is_not_gone_on_with_until_it_is_put_back(wfc: Command, project: Path) -> None:
    published(wfc, project, saying())
    published(wfc, project, twice({"artifact_id": "saying", "version": 1}, asks=True))
    value: dict[str, Any] = {"name": "home", "artifact": {"artifact_id": "twice", "version": 1}, "bindings": []}
    quietly = {"node": "say", "source": "quietly", "capability_key": "quiet"}
    assert wfc("deploy", "apply", write(project, "home.json", value)).code == 0
    run = public.run_deployment("home", {"text": "Ab"})
    assert run.status == "interrupted"
    store = open_store(str(project / ".wfc" / "wfc.db"))
    before = store.load(run.run_id)
    assert wfc("deploy", "apply", write(project, "new.json", {**value, "bindings": [quietly]})).code == 0
    with pytest.raises(Refused, match="`deployment:home` is not what it was"):
        public.resume_run(run.run_id, "ok", {"approved": True})
    refused = wfc("resume", run.run_id, "--outcome", "ok")
    assert (refused.code, "refused (drift)" in refused.err) == (2, True)
    assert store.load(run.run_id) == before
    assert wfc("deploy", "apply", "home.json").code == 0
    ended = public.resume_run(run.run_id, "ok", {"approved": True})
    assert (ended.status, ended.output) == ("completed", {"first": "AB", "second": "AB"})


def bare_saying() -> dict[str, Any]:
    """The same, with what the lock knows left out."""
    value = saying()
    value["node_defs"] = [{"name": "say", "uses": {"source": "loudly", "capability_key": "loud"}}]
    return value


def test_what_the_lock_knew_stands_in_the_version(wfc: Command, project: Path) -> None:
    write(project, "saying.wf.json", bare_saying())
    assert wfc("tools", "lock").code == 0
    published(wfc, project, bare_saying())
    (project / "wfc.lock.json").unlink()
    assert wfc("check", "saying.wf.json").code == 1
    ran = wfc("run", "artifact:saying@1", "--set", "text=Ab", "--json")
    assert (ran.code, ran.json["output"]) == (0, {"said": "AB"}), ran.err


def test_a_run_is_not_gone_on_with_under_another_lock(wfc: Command, project: Path) -> None:
    write(project, "saying.wf.json", saying())
    write(project, "asking.wf.json", twice({"name": "saying"}, asks=True))
    assert wfc("tools", "lock").code == 0
    run_id = wfc("run", "asking.wf.json", "--set", "text=Ab", "--json").json["run_id"]
    kept = (project / "wfc.lock.json").read_text()
    (project / "wfc.lock.json").unlink()
    refused = wfc("resume", run_id, "--outcome", "ok")
    assert (refused.code, "wfc.lock.json, in what the run uses, is not what it was" in refused.err) == (2, True)
    (project / "wfc.lock.json").write_text(kept)
    assert wfc("resume", run_id, "--outcome", "ok").code == 0


def test_versions_are_drawn_and_compared_like_files(wfc: Command, flows: Path) -> None:
    wfc("publish", "approval.wf.json")
    (flows / "second.wf.json").write_text((flows / "approval.wf.json").read_text().replace("Send it?", "Really?"))
    wfc("publish", "second.wf.json")
    (flows / "work.json").write_text('{"name": "work", "artifact": {"artifact_id": "approval", "version": 1}}')
    assert wfc("deploy", "apply", "work.json").code == 0
    drawn = wfc("graph", "approval.wf.json").out
    assert wfc("graph", "artifact:approval@1").out == drawn and wfc("graph", "deployment:work").code == 0
    compared = wfc("diff", "artifact:approval@1", "artifact:approval@2")
    assert (compared.code, "Really?" in compared.out) == (1, True)
    assert wfc("diff", "artifact:approval@1", "approval.wf.json").code == 0
    for command in (("graph", "artifact:approval@9"), ("diff", "artifact:approval@9", "approval.wf.json")):
        lacking = wfc(*command)
        assert (lacking.code, lacking.err[:7]) == (2, "error: ")
