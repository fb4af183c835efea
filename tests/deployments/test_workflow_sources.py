"""Published workflows as capabilities of a configured source: listed, typed, locked, run inside of one call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wfc as public
from tests.cli.conftest import APPROVAL, Command
from tests.cli.test_artifacts import CONFIG, GREETING, STRING, TEXT, published, saying, write
from wfc.backends.stores import open_store

SAID = {"type": "object", "properties": {"said": STRING}}


def calling(uses: str = "flows.say", **more: Any) -> dict[str, Any]:
    """Calls a capability that says a text, and knows of it what the lock does."""
    return {
        "name": "calling",
        "input_schema": TEXT,
        "state_schema": SAID,
        "output_schema": SAID,
        "node_defs": [{"name": "call", "uses": uses}],
        "start": "go",
        "nodes": [
            {
                "id": "go",
                "type": "node",
                "node": "call",
                "input": [{"target": "text", "path": "input.text"}],
                "output": [{"source": "said", "target": "state.said"}],
                **more,
            }
        ],
        "edges": [{"from": "go", "outcome": "ok", "to": "__end__"}],
    }


def configure(project: Path, *tables: str, **workflows: str) -> None:
    listed = "\n".join(f"{key} = {json.dumps(one)}" for key, one in workflows.items())
    flows = f'[sources.flows]\nkind = "workflow"\n[sources.flows.workflows]\n{listed}\n'
    (project / "wfc.toml").write_text("\n".join([CONFIG, flows, *tables]))


def speak_with(project: Path, module: str, result: str, parameter: str = "") -> None:
    """Let another module stand behind the source `loudly`. Modules stay imported, so each has a name of its own."""
    changed = GREETING.replace("text.upper()", result).replace("def loud(text: str", f"def loud(text: str{parameter}")
    (project / f"{module}.py").write_text(changed)
    config = project / "wfc.toml"
    config.write_text(config.read_text().replace('module = "voices"', f'module = "{module}"', 1))


@pytest.fixture
def flows(wfc: Command, project: Path) -> Path:
    """`flows.say` is the first version of `saying`."""
    published(wfc, project, saying())
    configure(project, say="artifact:saying@1")
    write(project, "calling.wf.json", calling())
    return project


def test_a_version_answers_calls_like_any_capability(wfc: Command, flows: Path) -> None:
    assert wfc("tools", "list", "flows").out == "flows.say(text: string) -> { said?: string } | write\n"
    assert wfc("tools", "lock").code == 0
    assert wfc("check", "calling.wf.json").code == 0
    ran = wfc("run", "calling.wf.json", "--set", "text=Ab", "--json")
    assert (ran.code, ran.json["output"]) == (0, {"said": "AB"}), ran.err
    (entry,) = wfc("runs", "trace", ran.json["run_id"], "--json").json["trace"]
    assert (entry["step"], entry["meta"]) == ("go", {"workflow": "artifact:saying@1"})
    assert json.loads(wfc("tools", "call", "flows.say", '{"text": "x"}').out) == {"said": "X"}


def test_its_contract_is_checked_against_the_lock(wfc: Command, flows: Path) -> None:
    assert wfc("tools", "lock").code == 0
    entry = json.loads((flows / "wfc.lock.json").read_text())["sources"]["flows"]
    assert (entry["kind"], entry["names"]) == ("workflow", ["say"])
    assert entry["capabilities"]["say"]["input_schema"] == TEXT
    assert entry["capabilities"]["say"]["outcomes"] == ["ok"]
    wrong = calling(input=[{"target": "txt", "path": "input.text"}])
    found = wfc("check", write(flows, "wrong.wf.json", wrong)).out
    assert "error" in found and "`text`" in found


def test_a_deployment_answers_calls_and_another_binding_is_drift(wfc: Command, flows: Path) -> None:
    value: dict[str, Any] = {"name": "home", "artifact": {"artifact_id": "saying", "version": 1}}
    quietly = {"node": "say", "source": "quietly", "capability_key": "quiet"}
    assert wfc("deploy", "apply", write(flows, "home.json", {**value, "bindings": [quietly]})).code == 0
    configure(flows, say="deployment:home")
    assert wfc("tools", "lock").code == 0
    ran = wfc("run", "calling.wf.json", "--set", "text=Ab", "--json")
    assert (ran.code, ran.json["output"]) == (0, {"said": "ab"}), ran.err
    assert wfc("deploy", "apply", write(flows, "home.json", value)).code == 0
    refused = wfc("run", "calling.wf.json", "--set", "text=Ab")
    assert (refused.code, refused.out) == (2, "")
    assert "--- flows.say (locked)" in refused.err and "refused (drift)" in refused.err
    accepted = wfc("run", "calling.wf.json", "--set", "text=Ab", "--update-lock", "--json")
    assert (accepted.code, accepted.json["output"]) == (0, {"said": "AB"}), accepted.err


def test_outcomes_and_errors_come_through(wfc: Command, flows: Path) -> None:
    failing = saying("failing") | {
        "name": "failing",
        "outcomes": ["ok", "empty"],
        "start": "check",
    }
    failing["nodes"] = [
        *failing["nodes"],
        {"id": "check", "type": "condition", "check": {"op": "exists", "path": "input.text"}},
        {"id": "none", "type": "end", "outcome": "empty"},
    ]
    failing["input_schema"] = {"type": "object", "properties": {"text": STRING}}
    failing["nodes"][0] = {**failing["nodes"][0], "input": [{"target": "text", "path": "input.text"}]}
    failing["edges"] = [
        {"from": "check", "outcome": "true", "to": "one"},
        {"from": "check", "outcome": "false", "to": "none"},
        {"from": "one", "outcome": "ok", "to": "__end__"},
    ]
    published(wfc, flows, failing)
    configure(flows, say="artifact:failing@1")
    called = wfc("tools", "call", "flows.say", "{}", "--json")
    assert (called.code, called.json["outcome"]) == (0, "empty"), called.err
    speak_with(flows, "hoarse", "1 / 0")
    told = wfc("tools", "call", "flows.say", '{"text": "a"}')
    assert told.code == 5
    assert "`artifact:failing@1` at `one`" in told.err and "division by zero" in told.err


def test_what_a_function_gives_is_judged_in_a_single_call_too(wfc: Command, flows: Path) -> None:
    speak_with(flows, "numbered", "7")
    told = wfc("tools", "call", "loudly.loud", '{"text": "a"}', "--json")
    assert (told.code, told.json["error"]["code"]) == (5, "node_output_invalid")
    assert "the output of `loudly.loud` is refused at `/result`: 7 is not" in told.json["error"]["message"]


def test_a_question_inside_fails_the_call_and_the_doctor_says_so(wfc: Command, project: Path) -> None:
    published(wfc, project, APPROVAL)
    configure(project, approve="artifact:approval@1")
    asked = wfc("tools", "call", "flows.approve", "{}")
    assert asked.code == 5
    assert "asks a question of kind `approval` at `ask`" in asked.err
    examined = wfc("tools", "doctor", "flows")
    assert (examined.code, "asks a person (`approval`)" in examined.out) == (0, True)


def test_a_chain_that_closes_is_found_before_anything_runs(wfc: Command, project: Path) -> None:
    """The first version calls `flows.say`, which is itself by way of a second workflow."""
    configure(project, left="artifact:left@1", right="artifact:right@1")
    definition = {"name": "call", "input_schema": TEXT, "output_schema": SAID, "outcomes": ["ok"]}
    for name, uses in (("left", "flows.right"), ("right", "flows.left")):
        published(wfc, project, {**calling(), "name": name, "node_defs": [{**definition, "uses": uses}]})
    ran = wfc("run", "artifact:left@1", "--set", "text=a", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (5, "capability_unavailable")
    chain = "`artifact:right@1` → `artifact:left@1` → `artifact:right@1`"
    assert chain in ran.json["error"]["message"]
    assert wfc("tools", "lock", "--all").code == 2
    assert "cannot be run" in wfc("tools", "doctor", "flows").out


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("artifact:saying@7", "holds no `artifact:saying@7`; it has version 1"),
        ("artifact:nothing@1", "holds no `artifact:nothing@1`"),
        ("deployment:nothing", "holds no deployment `nothing`"),
    ],
)
def test_what_is_not_published_is_told_before_the_first_step(
    wfc: Command, flows: Path, reference: str, told: str
) -> None:
    assert wfc("tools", "lock").code == 0
    configure(flows, say=reference)
    ran = wfc("run", "calling.wf.json", "--set", "text=a", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (5, "capability_unavailable"), ran.err
    assert told in ran.json["error"]["message"]
    assert wfc("tools", "lock").code == 2


@pytest.mark.parametrize("reference", ["saying@1", "artifact:saying", "artifact:saying@0", "deployment:", "a.wf.json"])
def test_a_reference_that_is_none_is_a_fault_of_the_configuration(wfc: Command, project: Path, reference: str) -> None:
    configure(project, say=reference)
    ended = wfc("tools", "list")
    assert ended.code == 2
    assert f"`say` of `workflows` is `{reference}`; expected `artifact:ID@N` or `deployment:NAME`" in ended.err


def test_what_is_below_is_compared_with_the_lock_too(wfc: Command, flows: Path) -> None:
    """The lock of the workflow pins what it calls; both are found to have changed."""
    configure(flows, say="artifact:saying@1")
    assert wfc("tools", "lock", "--all").code == 0
    speak_with(flows, "wordy", "text", ", more: int = 1")
    refused = wfc("run", "calling.wf.json", "--set", "text=Ab")
    assert refused.code == 2
    assert "--- flows.say (locked)" in refused.err and "--- loudly.loud (locked)" in refused.err


def test_a_call_has_a_time_to_keep_to(wfc: Command, project: Path) -> None:
    waiting = {
        "name": "waiting",
        "start": "w",
        "nodes": [{"id": "w", "type": "wait", "seconds": 30}],
        "edges": [{"from": "w", "outcome": "ok", "to": "__end__"}],
    }
    published(wfc, project, waiting)
    configure(project, wait="artifact:waiting@1")
    late = wfc("tools", "call", "flows.wait", "{}", "--timeout", "0.2")
    assert (late.code, "node_timeout" in late.err) == (5, True)


def test_it_runs_beside_others_and_with_a_store_elsewhere(wfc: Command, project: Path, address: str) -> None:
    published(wfc, project, saying(), "--store", address)
    configure(project, say="artifact:saying@1")
    where = f'[sources.flows]\nkind = "workflow"\nstore = {json.dumps(address)}\n'
    config = (project / "wfc.toml").read_text().replace('[sources.flows]\nkind = "workflow"\n', where)
    (project / "wfc.toml").write_text(config)
    assert wfc("tools", "lock", "--all").code == 0
    texts = {"type": "object", "properties": {"texts": {"type": "array", "items": STRING}}, "required": ["texts"]}
    listed = {"type": "array", "items": STRING}
    written = {**listed, "reducer": "wf.std.append", "default": []}
    each = {
        "name": "each",
        "input_schema": texts,
        "state_schema": {"type": "object", "properties": {"said": written}},
        "output_schema": {"type": "object", "properties": {"said": listed}},
        "node_defs": [{"name": "call", "uses": "flows.say"}],
        "start": "all",
        "nodes": [
            {"id": "all", "type": "foreach", "over": "input.texts", "as": "text", "mode": "parallel"},
            {
                "id": "go",
                "type": "node",
                "node": "call",
                "input": [{"target": "text", "path": "context.text"}],
                "output": [{"source": "said", "target": "state.said"}],
            },
        ],
        "edges": [
            {"from": "all", "outcome": "item", "to": "go"},
            {"from": "all", "outcome": "done", "to": "__end__"},
            {"from": "go", "outcome": "ok", "to": "all"},
        ],
    }
    assert "error" not in wfc("check", write(project, "each.wf.json", each)).out
    ran = wfc("run", write(project, "each.wf.json", each), "--input", '{"texts": ["a", "b", "c"]}', "--json")
    assert (ran.code, ran.json["output"]) == (0, {"said": ["A", "B", "C"]}), ran.err


def test_a_run_that_waits_is_not_gone_on_with_when_the_deployment_below_is_another_one(
    wfc: Command, flows: Path
) -> None:
    value: dict[str, Any] = {"name": "home", "artifact": {"artifact_id": "saying", "version": 1}}
    quietly = {"node": "say", "source": "quietly", "capability_key": "quiet"}
    assert wfc("deploy", "apply", write(flows, "home.json", value)).code == 0
    configure(flows, say="deployment:home")
    asking = calling()
    asking["start"] = "ask"
    asking["nodes"].append(
        {
            "id": "ask",
            "type": "interrupt",
            "kind": "approval",
            "outcomes": ["ok"],
            "request": [{"target": "prompt", "value": "?"}],
        }
    )
    asking["edges"].append({"from": "ask", "outcome": "ok", "to": "go"})
    assert wfc("tools", "lock", "--all").code == 0
    ran = wfc("run", write(flows, "asking.wf.json", asking), "--set", "text=Ab", "--json")
    assert ran.code == 4, ran.err
    store = open_store(str(flows / ".wfc" / "wfc.db"))
    before = store.load(ran.json["run_id"])
    assert wfc("deploy", "apply", write(flows, "new.json", {**value, "bindings": [quietly]})).code == 0
    refused = wfc("resume", ran.json["run_id"], "--outcome", "ok")
    assert (refused.code, "refused (drift)" in refused.err) == (2, True)
    assert store.load(ran.json["run_id"]) == before
    assert wfc("deploy", "apply", "home.json").code == 0
    done = public.resume_run(ran.json["run_id"], "ok", {})
    assert (done.status, done.output) == ("completed", {"said": "AB"})
