"""Three levels of published workflows under one deployment: bound, interrupted below, damaged, published by two at
once; on both kinds of store."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

import wfc as public
from tests.cli.conftest import Command
from tests.cli.test_artifacts import TEXT, published, saying, write
from wfc.backends.stores import StoreFault, open_store
from wfc.deploying import DeploymentFault
from wfc.ir import Refused, WorkflowRef

QUIETLY = {"node": "say", "source": "quietly", "capability_key": "quiet"}
LOUDLY = {"node": "say", "source": "loudly", "capability_key": "loud"}
ASK = {
    "id": "ask",
    "type": "interrupt",
    "kind": "approval",
    "outcomes": ["ok"],
    "request": [{"target": "prompt", "path": "state.said"}],
}


def asking() -> dict[str, Any]:
    """Says its input, asks about it, and ends."""
    value = saying()
    value["nodes"].append(ASK)
    value["edges"] = [{"from": "one", "outcome": "ok", "to": "ask"}, {"from": "ask", "outcome": "ok", "to": "__end__"}]
    return {**value, "name": "leaf"}


def over(name: str, steps: tuple[str, str], child: str, version: int = 1) -> dict[str, Any]:
    """Runs a published child in two steps, and gives what both have said as one object."""
    both = {"type": "object", "properties": {step: {} for step in steps}}
    source = "said" if child == "leaf" else "."
    return {
        "name": name,
        "input_schema": TEXT,
        "state_schema": both,
        "output_schema": both,
        "start": steps[0],
        "nodes": [
            {
                "id": step,
                "type": "subgraph",
                "workflow": {"artifact_id": child, "version": version},
                "input": [{"target": "text", "path": "input.text"}],
                "output": [{"source": source, "target": f"state.{step}"}],
            }
            for step in steps
        ],
        "edges": [
            {"from": steps[0], "outcome": "ok", "to": steps[1]},
            {"from": steps[1], "outcome": "ok", "to": "__end__"},
        ],
    }


def plant(wfc: Command, project: Path, address: str, leaf: dict[str, Any]) -> None:
    """Publish leaf, middle and top; the top is `artifact:top@1`."""
    store = ("--store", address)
    published(wfc, project, {**leaf, "name": "leaf"}, *store)
    published(wfc, project, over("middle", ("first", "second"), "leaf"), *store)
    published(wfc, project, over("top", ("left", "right"), "middle"), *store)


def home(*bindings: dict[str, Any]) -> dict[str, Any]:
    return {"name": "home", "artifact": {"artifact_id": "top", "version": 1}, "bindings": list(bindings)}


def test_every_place_of_three_levels_may_be_bound_by_itself(wfc: Command, project: Path, address: str) -> None:
    plant(wfc, project, address, saying())
    left, right = {"at": ["left"]}, {"at": ["right", "second", "one"]}
    public.deploy(
        home(QUIETLY, {**LOUDLY, **left}, {**QUIETLY, "at": ["left", "second"]}, {**LOUDLY, **right}), store=address
    )
    run = public.run_deployment("home", {"text": "Ab"}, store=address)
    assert run.output == {"left": {"first": "AB", "second": "ab"}, "right": {"first": "ab", "second": "AB"}}


def test_a_question_of_a_grandchild_is_answered_by_another_process(wfc: Command, project: Path, address: str) -> None:
    plant(wfc, project, address, asking())
    public.deploy(home(QUIETLY, {**LOUDLY, "at": ["right"]}), store=address)
    run = public.run_deployment("home", {"text": "Ab"}, store=address)
    asked = []
    while run.status == "interrupted":
        assert run.interrupt is not None
        assert run.interrupt.node_id in ("left", "right")
        asked.append((run.interrupt.payload["prompt"], len(run.interrupt.route)))
        code = (
            "import json, wfc\n"
            f"run = wfc.resume_run({run.run_id!r}, 'ok', {{'approved': True}}, store={address!r})\n"
            "print(run.to_json())"
        )
        done = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        run = public.RunState.from_json(done.stdout)
    assert asked == [("ab", 2), ("ab", 2), ("AB", 2), ("AB", 2)]
    assert run.output == {"left": {"first": "ab", "second": "ab"}, "right": {"first": "AB", "second": "AB"}}


def change(address: str, statement: str) -> None:
    """Do to the database what nobody should."""
    connection = open_store(address).connect()
    try:
        connection.run(statement)
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        ("DELETE FROM wfc_artifacts WHERE artifact_id = 'top'", "`artifact:top@1` is not what it was"),
        ("UPDATE wfc_artifacts SET hash = 'sha256:0' WHERE artifact_id = 'top'", "`artifact:top@1` is not what it was"),
        ("DELETE FROM wfc_deployments", "`deployment:home` is not what it was"),
        ("UPDATE wfc_deployments SET text = '{'", "`deployment:home` is not what it was"),
    ],
)
def test_what_a_run_is_pinned_to_is_missed_and_the_run_is_as_it_was(
    wfc: Command, project: Path, address: str, harm: str, told: str
) -> None:
    plant(wfc, project, address, asking())
    public.deploy(home(), store=address)
    run = public.run_deployment("home", {"text": "Ab"}, store=address)
    store = open_store(address)
    kept, before = store.library.deployment("home").text, store.load(run.run_id)
    change(address, harm)
    for _ in range(2):
        with pytest.raises(Refused, match=told):
            public.resume_run(run.run_id, "ok", {}, store=address)
    assert store.load(run.run_id) == before
    if "deployments" in harm:
        store.library.apply("home", kept)
        assert public.resume_run(run.run_id, "ok", {}, store=address).status == "interrupted"


def test_a_child_that_is_gone_or_damaged_is_missed_before_a_run(wfc: Command, project: Path, address: str) -> None:
    plant(wfc, project, address, saying())
    public.deploy(home(), store=address)
    count = len(open_store(address).list())
    change(address, "UPDATE wfc_artifacts SET document = '{\"name\": 3}' WHERE artifact_id = 'leaf'")
    damaged = wfc("run", "deployment:home", "--set", "text=a", "--store", address)
    assert (damaged.code, "Traceback" in damaged.err) == (1, False)
    assert "artifact:leaf@1" in damaged.err
    change(address, "DELETE FROM wfc_artifacts WHERE artifact_id = 'leaf'")
    gone = wfc("run", "deployment:home", "--set", "text=a", "--store", address)
    assert (gone.code, "WF700" in gone.err, "`artifact:leaf@1`" in gone.err) == (1, True, True)
    change(address, "UPDATE wfc_deployments SET text = '{'")
    with pytest.raises(DeploymentFault, match="is damaged"):
        public.run_deployment("home", {"text": "a"}, store=address)
    for command in (("deploy", "list"), ("deploy", "show", "home")):
        told = wfc(*command, "--store", address)
        assert (told.code, "damaged" in told.err) == (2, True)
    assert len(open_store(address).list()) == count


def test_versions_that_contain_themselves_are_refused(wfc: Command, project: Path, address: str) -> None:
    """Only somebody who writes into the database can make any."""
    plant(wfc, project, address, saying())
    store = open_store(address)
    document = json.loads(store.library.artifact("middle", 1).document)
    for node in document["nodes"]:
        node["workflow"] = {"artifact_id": "top", "version": 1}
    change(address, f"UPDATE wfc_artifacts SET document = '{json.dumps(document)}' WHERE artifact_id = 'middle'")
    ended = wfc("run", "artifact:top@1", "--set", "text=a", "--store", address)
    assert (ended.code, "WF701" in ended.err and "`top` → `middle` → `top`" in ended.err) == (1, True), ended.err
    with pytest.raises(public.CompileError):
        public.deploy(home(), store=address)


def test_what_nothing_answers_is_told_before_a_run(wfc: Command, project: Path, address: str) -> None:
    plant(wfc, project, address, saying())
    unbound = {**QUIETLY, "source": "nobody"}
    with pytest.raises((StoreFault, public.CompileError)):
        public.deploy(home(unbound), store=address)
    public.deploy(home(QUIETLY), store=address)
    config = (project / "wfc.toml").read_text()
    (project / "wfc.toml").write_text(config.replace("[sources.quietly]", "[sources.other]"))
    ended = wfc("run", "deployment:home", "--set", "text=a", "--store", address)
    assert (ended.code, "quietly" in ended.err, ended.out) == (1, True, "")
    (project / "wfc.toml").write_text("")
    ended = wfc("run", "deployment:home", "--set", "text=a", "--store", address)
    assert (ended.code, ended.out) == (2, "")
    assert "`say` of `leaf` is bound to `quietly.quiet`, and no source has that name" in ended.err
    assert open_store(address).list() == ()


PUBLISH = """
import json, sys, wfc
made = []
for number in range(int(sys.argv[3])):
    value = json.load(open(sys.argv[1]))
    value["desc"] = f"{sys.argv[4]} {number}"
    made.append(wfc.publish(value, store=sys.argv[2]).artifact.version)
print(json.dumps(made))
"""


def test_two_who_publish_at_once_never_get_one_version(wfc: Command, project: Path, address: str) -> None:
    file = write(project, "leaf.wf.json", {**saying(), "name": "leaf"})
    published(wfc, project, {**saying(), "name": "leaf"}, "--store", address)
    command = [sys.executable, "-c", PUBLISH, file, address, "8"]
    both = [subprocess.Popen([*command, who], cwd=project, stdout=subprocess.PIPE, text=True) for who in ("a", "b")]
    made = [json.loads(one.communicate(timeout=600)[0]) for one in both]
    assert sorted(made[0] + made[1]) == list(range(2, 18))
    held = {
        one.version: open_store(address).library.artifact("leaf", one.version)
        for one in open_store(address).library.artifacts()
    }
    for who, versions in zip("ab", made, strict=True):
        for number, version in enumerate(versions):
            assert json.loads(held[version].document)["desc"] == f"{who} {number}"


def test_embedders_publish_deploy_run_and_resume_on_a_loop(project: Path, address: str) -> None:
    made = public.publish(asking(), store=address)
    assert (made.is_new, made.artifact.ref()) == (True, WorkflowRef(artifact_id="leaf", version=1))
    again = public.publish(write(project, "leaf.wf.json", asking()), artifact_id="leaf", store=address)
    assert (again.is_new, again.artifact.version) == (False, 1)
    public.deploy({"name": "alone", "artifact": {"artifact_id": "leaf", "version": 1}}, store=address)

    async def both() -> public.RunState:
        with pytest.raises(Refused, match="run_deployment_async"):
            public.run_deployment("alone", {"text": "Ab"}, store=address)
        run = await public.run_deployment_async("alone", {"text": "Ab"}, store=address, run_id="r")
        assert run.status == "interrupted"
        with pytest.raises(Refused, match="resume_run_async"):
            public.resume_run("r", "ok", {}, store=address)
        return await public.resume_run_async("r", "ok", {}, store=address)

    assert asyncio.run(both()).output == {"said": "AB"}


def test_a_step_at_a_time_of_a_deployment_and_of_an_artifact(wfc: Command, project: Path, address: str) -> None:
    plant(wfc, project, address, saying())
    public.deploy(home(QUIETLY), store=address)
    store = ("--store", address)
    for reference, pins in (
        ("deployment:home", {"deployment:home", "artifact:top@1"}),
        ("artifact:top@1", {"artifact:top@1"}),
    ):
        ended = wfc("step", reference, "--set", "text=Ab", "--json", *store)
        run_id = ended.json["run_id"]
        assert (ended.code, ended.json["status"]) == (0, "running"), ended.err
        assert set(open_store(address).load(run_id).new.pins) == pins
        while ended.json["status"] == "running":
            ended = wfc("step", run_id, "--json", *store)
        assert ended.json["status"] == "completed"


def test_a_step_is_pinned_to_the_lock(wfc: Command, project: Path) -> None:
    write(project, "leaf.wf.json", asking())
    assert wfc("tools", "lock").code == 0
    run_id = wfc("step", "leaf.wf.json", "--set", "text=a", "--json").json["run_id"]
    (store,) = [open_store(str(project / ".wfc" / "wfc.db"))]
    assert set(store.load(run_id).new.pins) == {"lock"}
    (project / "wfc.toml").write_text("")
    refused = wfc("step", run_id)
    assert (refused.code, store.load(run_id).status) == (2, "running")
    assert "refused (drift): the run began with the source `" in refused.err
    assert "`, which is configured no more; put it back, or begin a new run" in refused.err


def test_what_is_printed_and_kept_has_the_published_shape(wfc: Command, project: Path, address: str) -> None:
    plant(wfc, project, address, saying())
    store = ("--store", address)
    artifact, deployment = (wfc("schema", name).json for name in ("artifact", "deployment"))
    for kind, schema in (("artifact", artifact), ("deployment", deployment)):
        published_file = Path(__file__).parents[2] / "grammar" / f"{kind}.schema.json"
        assert json.loads(published_file.read_text()) == schema
    jsonschema_rs.validate(artifact, wfc("artifacts", "show", "artifact:top@1", "--json", *store).json)
    jsonschema_rs.validate(artifact, published(wfc, project, {**saying(), "name": "leaf"}, *store))
    given = home({**QUIETLY, "at": ["left"]})
    jsonschema_rs.validate(deployment, given)
    assert wfc("deploy", "apply", write(project, "home.json", given), *store).code == 0
    shown = wfc("deploy", "show", "home", "--json", *store).json
    jsonschema_rs.validate(deployment, shown)
    assert wfc("deploy", "apply", write(project, "again.json", shown), *store).code == 0
    for wrong in ({**given, "artefact": {}}, {**given, "artifact": {"artifact_id": "a", "version": 0}}, {"name": "a"}):
        assert not jsonschema_rs.is_valid(deployment, wrong)
        assert wfc("deploy", "apply", write(project, "wrong.json", wrong), *store).code == 2
