"""A secret of a server leaves nothing behind in what is published, deployed, and run behind a capability."""

from __future__ import annotations

import json
from pathlib import Path

import wfc as public
from tests.tools.project import RAW, Place, saying, source
from tests.tools.test_runs import SECRETS, leaks


def test_versions_deployments_nested_runs_and_spans_hold_no_secret(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    place = Place(tmp_path, {"HIDDEN": SECRETS[2], "HIDDEN_KEY": SECRETS[1]})
    server = source(env={"TOKEN": "${HIDDEN}"}, args=[str(RAW), "${HIDDEN_KEY}"])
    place.write("wfc.toml", server)
    for name, tool in (("reveals", "raw.reveal"), ("dies", "raw.tell_secret")):
        place.write(f"{name}.wf.json", {**saying(tool, outcomes=["ok"]), "name": name})
    flows = '[sources.flows]\nkind = "workflow"\n'
    flows += 'workflows = { reveals = "artifact:reveals@1", dies = "deployment:dying" }\n'
    for name in ("reveals", "dies"):
        taken = saying(f"flows.{name}", outcomes=["ok"])
        taken["nodes"][0]["output"][0]["source"] = "said"
        taken["node_defs"][0]["output_schema"] = taken["output_schema"]
        place.write(f"calls_{name}.wf.json", {**taken, "name": f"calls_{name}"})
    place.write("dying.json", {"name": "dying", "artifact": {"artifact_id": "dies", "version": 1}})
    done = [
        place.wfc("tools", "lock", "--all"),
        place.wfc("publish", "reveals.wf.json"),
        place.wfc("publish", "dies.wf.json"),
        place.wfc("deploy", "apply", "dying.json"),
    ]
    place.write("wfc.toml", server + flows)
    done += [
        place.wfc("tools", "lock", "--all"),
        place.wfc("artifacts", "show", "artifact:reveals@1", "--json"),
        place.wfc("deploy", "show", "dying", "--json"),
        place.wfc("run", "calls_reveals.wf.json", "--set", "text=a", "--run-id", "r", "--json", "--trace", "t.jsonl"),
        place.wfc("run", "calls_dies.wf.json", "--set", "text=a", "--run-id", "d", "--json"),
        place.wfc("runs", "trace", "r", "--json"),
        place.wfc("runs", "show", "d", "--json"),
        place.wfc("run", "deployment:dying", "--set", "text=a", "--json"),
        place.wfc("tools", "show", "flows.dies"),
        place.wfc("tools", "doctor"),
    ]
    assert [one.code for one in done] == [0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 5, 0, 0], [one.err for one in done]
    assert "it said: token is …, key is …" in json.dumps(done[8].json, ensure_ascii=False)
    assert leaks(place, *done) == []
    monkeypatch.chdir(tmp_path)
    for name, value in place.env.items():
        monkeypatch.setenv(name, value)
    spans = Told()
    ran = public.run_deployment("dying", {"text": "a"}, observer=spans)
    assert (ran.status, any("…" in one for one in spans.told)) == ("failed", True)
    assert [one for one in spans.told if any(secret in one for secret in SECRETS)] == []


class Told(public.Observer):
    """All that an observer is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def answers(self, *said) -> None:  # type: ignore[no-untyped-def]
        self.told += map(repr, said)
