"""The ten tools: what they cost, and what they answer, through clients of the published SDK."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import bpe_openai
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import APPROVAL
from tests.services.flows import calls, project
from tests.services.serving import call, http_client, http_server, stdio_client
from wfc.cli import run as wfc
from wfc.services import TOOLS, Desk, build

from mcp.client.client import Client  # isort: skip

FAULTY = json.loads(json.dumps(APPROVAL).replace('"to": "no"}', '"to": "nno"}', 1))


def told(tools: Any) -> str:
    return json.dumps([one.model_dump(by_alias=True, exclude_none=True) for one in tools], separators=(",", ":"))


def test_ten_tools_cost_less_than_3000_tokens(snapshot: SnapshotAssertion) -> None:
    async def listed() -> Any:
        async with Client(build(Desk())) as client:
            return (await client.list_tools()).tools

    tools = asyncio.run(listed())
    assert len(tools) == 10
    assert all(tool.output_schema and tool.annotations for tool in tools)
    assert len(bpe_openai.get_encoding("o200k_base").encode(told(tools))) < 3000
    assert [f"{tool.name}({', '.join(tool.input_schema['properties'])})" for tool in tools] == snapshot


async def workshop(client: Client, folder: Path) -> list[Any]:
    """From a faulty workflow to a run of it, by hash."""
    found = await call(client, "check_workflow", workflow=FAULTY)
    mended = await call(client, "patch_workflow", hash=found["hash"], fixes=[found["diagnostics"][0]["id"]])
    kept = await call(client, "save_workflow", workflow=mended["hash"], path="flows/approval.wf.json")
    again = await call(client, "save_workflow", workflow=found["hash"], path="flows/other.wf.json")
    plan = await call(client, "plan_run", workflow="flows/approval.wf.json", input={"name": 3})
    run = await call(client, "run_workflow", workflow=mended["hash"], run_id="r1", input={"name": "Bo"})
    ended = await call(client, "control_run", run_id="r1", action="resume", outcome="sent", payload={"approved": True})
    state = await call(client, "read_run", run_id="r1", part="state", pointer="/text")
    runs = await call(client, "read_run")
    assert (folder / "flows/approval.wf.json").exists() and not (folder / "flows/other.wf.json").exists()
    assert kept["hash"] == mended["hash"] != found["hash"]
    return [found, mended, {**kept, "hash": "…"}, again["ok"], plan, run, ended, state, runs["value"][0]["run_id"]]


def without_hashes(answers: list[Any]) -> Any:
    """What is the same on every machine, whichever passes there are."""
    text = json.dumps(
        [{**one, "skipped": "…"} if isinstance(one, dict) and "skipped" in one else one for one in answers]
    )
    for one in {part.split('"')[0] for part in text.split("sha256:")[1:]}:
        text = text.replace(one, "…")
    return json.loads(text)


def test_a_workflow_is_checked_mended_saved_and_run_over_both_transports(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()

    async def over_stdio() -> list[Any]:
        async with stdio_client(tmp_path / "a") as client:
            return await workshop(client, tmp_path / "a")

    async def over_http(url: str) -> list[Any]:
        async with http_client(url) as client:
            return await workshop(client, tmp_path / "b")

    first = asyncio.run(over_stdio())
    with http_server(tmp_path / "b") as url:
        second = asyncio.run(over_http(url))
    assert without_hashes(first) == without_hashes(second) == snapshot


def asked(folder: Path, monkeypatch: pytest.MonkeyPatch, *questions: tuple[str, dict[str, Any]]) -> list[Any]:
    """The answers of a server in this process."""
    monkeypatch.chdir(folder)

    async def answers() -> list[Any]:
        desk = Desk()
        async with Client(build(desk)) as client:
            try:
                return [await call(client, tool, **given) for tool, given in questions]
            finally:
                await desk.runs.close()

    return asyncio.run(answers())


def test_capabilities_are_found_and_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path)
    found, paged, described = asked(
        tmp_path,
        monkeypatch,
        ("search_capabilities", {"query": "write a note"}),
        ("search_capabilities", {"limit": 2}),
        ("describe_capabilities", {"names": ["work.note", "work.notes"]}),
    )
    assert found["capabilities"][0] == "work.note(text: string) -> { text: string } | write"
    assert (len(paged["capabilities"]), paged["next_offset"]) == (2, 2)
    assert described["capabilities"][0]["effects"] == "write"
    assert described["unknown"] == [{"name": "work.notes", "nearest": "work.note"}]


def test_a_source_that_cannot_be_asked_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wfc.toml").write_text('[sources.gone]\nkind = "python"\nmodule = "no_such_module"\n')
    (found,) = asked(tmp_path, monkeypatch, ("search_capabilities", {}))
    assert found["faults"] == [
        "source `gone`: the module `no_such_module` cannot be used:"
        " ModuleNotFoundError: No module named 'no_such_module'"
    ]


def test_a_configuration_that_cannot_be_used_is_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wfc.toml").write_text("[sorces.a]\n")
    found, checked = asked(
        tmp_path, monkeypatch, ("search_capabilities", {}), ("check_workflow", {"workflow": APPROVAL})
    )
    assert found["ok"] is False and "`sources`" in found["error"] and checked == found


@pytest.mark.parametrize("topic", ["text", "card", "model", "rules", "nodes", "WF101", "WF999"])
def test_language_help(
    topic: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    (told,) = asked(tmp_path, monkeypatch, ("language_help", {"topic": topic}))
    assert told["text"].splitlines()[:3] == snapshot


def test_what_cannot_be_done_is_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "there.wf.json").write_text(json.dumps(APPROVAL))
    unknown = "sha256:" + "0" * 32
    assert (
        asked(
            tmp_path,
            monkeypatch,
            ("check_workflow", {"workflow": unknown}),
            ("check_workflow", {"workflow": "../elsewhere.wf.json"}),
            ("check_workflow", {"workflow": "notes.txt"}),
            ("check_workflow", {"workflow": "missing.wf.json"}),
            ("patch_workflow", {"hash": "r1"}),
            ("save_workflow", {"workflow": {**APPROVAL, "name": "other"}, "path": "there.wf.json"}),
            ("read_run", {"run_id": "none"}),
            ("control_run", {"run_id": "none", "action": "cancel"}),
            ("control_run", {"run_id": "none", "action": "resume", "outcome": "ok"}),
        )
        == snapshot
    )


def test_a_text_that_is_no_json_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = asked(tmp_path, monkeypatch, ("check_workflow", {"workflow": '{"name": \n'}))
    assert (found["ok"], found["diagnostics"][0]["code"]) == (False, "WF001")
    assert found["skipped"][0].startswith("every pass after reading")


def test_arguments_that_do_not_fit_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def faulty() -> list[Any]:
        async with Client(build(Desk())) as client:
            wrong = [("control_run", {"run_id": "r", "action": "stop"}), ("chek_workflow", {}), ("read_run", {"x": 1})]
            return [await client.call_tool(tool, given) for tool, given in wrong]

    results = asyncio.run(faulty())
    assert all(one.is_error for one in results)
    assert [one.content[0].text for one in results] == [
        'the arguments of `control_run` do not fit: "stop" is not one of "resume", "wait" or "cancel" at `/action`',
        "`chek_workflow` is no tool here; nearest: `check_workflow`",
        "the arguments of `read_run` do not fit: Additional properties are not allowed ('x' was unexpected)",
    ]


def test_long_values_are_cut_and_read_page_by_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path)
    flow = calls(("note", "abcdef"))
    run, first, second, trace = asked(
        tmp_path,
        monkeypatch,
        ("run_workflow", {"workflow": flow, "run_id": "r1", "wait_seconds": 60}),
        ("read_run", {"run_id": "r1", "part": "output", "pointer": "/text"}),
        ("read_run", {"run_id": "r1", "part": "output", "pointer": "/text", "offset": 6000, "limit": 5}),
        ("read_run", {"run_id": "r1", "part": "trace", "limit": 1}),
    )
    assert (run["status"], run["cut"]) == ("completed", {"output": 12011})
    assert (len(first["value"]), first["total"], first["next_offset"]) == (6000, 12002, 6000)
    assert second["value"] == "fabcd" and second["next_offset"] == 6005
    assert trace["total"] == 1 and len(json.dumps(trace)) < 1000


def test_the_trace_and_the_state_of_a_run_are_read_page_by_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repeated = {
        "name": "repeated",
        "state_schema": {"type": "object", "properties": {"xs": {"type": "array", "reducer": "wf.std.append"}}},
        "start": "each",
        "nodes": [
            {"id": "each", "type": "foreach", "over": {"value": [1, 2, 3]}, "as": "x"},
            {
                "id": "keep",
                "type": "node",
                "node": "wf.std.identity",
                "input": [{"target": "value", "path": "context.x"}],
                "output": [{"source": "value", "target": "state.xs"}],
            },
        ],
        "edges": [
            {"from": "each", "outcome": "item", "to": "keep"},
            {"from": "keep", "outcome": "ok", "to": "each"},
            {"from": "each", "outcome": "done", "to": "__end__"},
        ],
    }
    _, first, second, last, state = asked(
        tmp_path,
        monkeypatch,
        ("run_workflow", {"workflow": repeated, "run_id": "r", "wait_seconds": 60}),
        ("read_run", {"run_id": "r", "part": "trace", "limit": 3}),
        ("read_run", {"run_id": "r", "part": "trace", "limit": 3, "offset": 3}),
        ("read_run", {"run_id": "r", "part": "trace", "limit": 3, "offset": 6}),
        ("read_run", {"run_id": "r", "part": "state", "pointer": "/xs", "offset": 1, "limit": 1}),
    )
    pages = [[entry["step"] for entry in page["value"]] for page in (first, second, last)]
    assert pages == [["each", "keep", "each"], ["keep", "each", "keep"], ["each"]]
    assert [page["total"] for page in (first, second, last)] == [7, 7, 7]
    assert [page.get("next_offset") for page in (first, second, last)] == [3, 6, None]
    assert (state["value"], state["total"]) == ([2], 3)


def test_wrong_paths_and_bindings_are_told_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flow = calls(("note", "a"))
    given = {"target": "text", "path": "$.input.text"}
    wrong = json.loads(json.dumps(flow))
    wrong["nodes"][0]["input"] = [given, {"target": "more", "path": "input.x", "value": 1}]
    (found,) = asked(tmp_path, monkeypatch, ("check_workflow", {"workflow": wrong}))
    told = [(one["code"], one["at"]) for one in found["diagnostics"] if one["severity"] == "error"]
    assert (found["ok"], told) == (
        False,
        [("WF020", "/nodes/0/input/0/path"), ("WF013", "/nodes/0/input/1")],
    )
    assert all(one["message"] and one["help"] for one in found["diagnostics"])


def test_a_check_says_what_the_command_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "faulty.wf.json").write_text(json.dumps(FAULTY, indent=2))
    (found,) = asked(tmp_path, monkeypatch, ("check_workflow", {"workflow": "faulty.wf.json"}))
    wfc(["check", "faulty.wf.json", "--json"])
    commanded = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [one["id"] for one in found["diagnostics"]] == [one["id"] for one in commanded]
    assert [(one["code"], one["message"], one["help"]) for one in found["diagnostics"]] == [
        (one["code"], one["message"], one["help"]) for one in commanded
    ]
    assert len(TOOLS) == 10


TEXT = """workflow done {
 outcomes ok, late
 start stop
 # Here it ends.
 stop: end lat
}
"""


def test_the_text_form_is_checked_patched_and_saved_with_its_comments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def done() -> list[Any]:
        async with Client(build(Desk())) as client:
            found = await call(client, "check_workflow", workflow=TEXT)
            patch = [{"op": "replace", "path": "/nodes/0/outcome", "value": "late"}]
            mended = await call(client, "patch_workflow", hash=found["hash"], patch=patch, return_workflow=True)
            wrong = await call(client, "save_workflow", workflow=mended["hash"], path="done.wf.json")
            kept = await call(client, "save_workflow", workflow=mended["hash"], path="done.wf")
            unfit = await call(client, "patch_workflow", hash=kept["hash"], patch=[{"op": "remove", "path": "/x"}])
            return [found, mended, wrong, kept, unfit]

    found, mended, wrong, kept, unfit = asyncio.run(done())
    (error,) = (one for one in found["diagnostics"] if one["severity"] == "error")
    assert TEXT.splitlines()[error["line"] - 1][error["column"] - 1 :] == "lat"
    assert [one["code"] for one in found["diagnostics"] if one["severity"] == "error"] == ["WF109"]
    assert mended["ok"] and mended["workflow"] == TEXT.replace("end lat", "end late")
    assert wrong["error"].startswith("the workflow is of the other form than `done.wf.json` holds")
    assert kept["saved"] and (tmp_path / "done.wf").read_text() == mended["workflow"]
    assert unfit["error"].startswith("the patch does not apply: ")


def test_a_version_is_saved_where_no_path_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, again, named, refused, both = asked(
        tmp_path,
        monkeypatch,
        ("save_workflow", {"workflow": APPROVAL}),
        ("save_workflow", {"workflow": APPROVAL}),
        ("save_workflow", {"workflow": APPROVAL, "artifact_id": "other"}),
        ("save_workflow", {"workflow": FAULTY}),
        ("save_workflow", {"workflow": APPROVAL, "artifact_id": "other", "path": "a.wf.json"}),
    )
    assert [(one["artifact"], one["new"]) for one in (first, again, named)] == [
        ("artifact:approval@1", True),
        ("artifact:approval@1", False),
        ("artifact:other@1", True),
    ]
    assert (refused["ok"], refused["saved"], refused["diagnostics"][0]["code"]) == (False, False, "WF101")
    assert "line" not in refused["diagnostics"][0]
    assert both["error"] == "`path` and `artifact_id` are both given; expected one: a file, or a version"
    assert wfc(["artifacts", "list"]) == 0


async def verdicts(client: Client) -> list[Any]:
    """Answers about a workflow whose capability nobody can look up, its run, and a workflow with a fault."""
    flow = calls(("note", "a"))
    found = await call(client, "check_workflow", workflow=flow)
    patch = [{"op": "replace", "path": "/name", "value": "other"}]
    return [
        found,
        await call(client, "patch_workflow", hash=found["hash"], patch=patch),
        await call(client, "save_workflow", workflow=flow, path="flow.wf.json"),
        await call(client, "plan_run", workflow=flow),
        await call(client, "run_workflow", workflow=flow, wait_seconds=60),
        await call(client, "check_workflow", workflow=FAULTY),
        await call(client, "plan_run", workflow=FAULTY),
    ]


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_verdict_says_what_was_checked_and_what_could_not_be(tmp_path: Path, transport: str) -> None:
    async def over_stdio() -> Any:
        async with stdio_client(tmp_path) as client:
            return await verdicts(client)

    async def over_http(url: str) -> Any:
        async with http_client(url) as client:
            return await verdicts(client)

    if transport == "stdio":
        answers = asyncio.run(over_stdio())
    else:
        with http_server(tmp_path) as url:
            answers = asyncio.run(over_http(url))
    assert [one.get("hash", "").startswith("sha256:") for one in answers] == [True] * len(answers)
    assert [one.get("ok") for one in answers] == [True, True, True, True, None, False, False]
    # Nobody can say what `work.note` gives, and that is said.
    for one in answers[:4]:
        assert one["skipped"] == [
            "WF710 unknown-capability: no configuration names sources",
            "WF711 not-locked: no configuration names sources",
        ]
    assert (answers[4]["status"], answers[4]["error"]["code"]) == ("failed", "capability_unavailable")
