"""`wfc run`, `resume`, `step` and `runs`: one run over several commands, with the exit code of how it rests."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import jsonschema_rs
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import APPROVAL, CALLING, Command
from tests.kept import run_in
from wfc.backends.stores import open_store
from wfc.cli.schema import RUN_RESULT_SCHEMA
from wfc.ir import RUN_STATE_SCHEMA, canonical

MOCKS = json.dumps({"mocks": {"one": [{"output": {"n": 3}}]}})


def test_a_run_that_asks_is_answered_by_another_command(wfc: Command, flows: Path, snapshot: SnapshotAssertion) -> None:
    asked = wfc("run", "approval.wf.json", "--run-id", "r1")
    shown = wfc("runs", "show", "r1")
    answered = wfc("resume", "r1", "--outcome", "sent", "--payload", '{"approved": true}')
    trace = wfc("runs", "trace", "r1")
    assert [asked.code, shown.code, answered.code, trace.code] == [4, 0, 0, 0]
    assert "\n".join([asked.out, asked.err, shown.out, answered.out, answered.err, trace.out]) == snapshot


def test_nothing_of_a_folder_or_a_time_is_in_what_is_printed_and_kept(
    wfc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    for name in ("here", "somewhere/else"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        monkeypatch.chdir(folder)
        (folder / "approval.wf.json").write_text(json.dumps(APPROVAL))
        printed = [
            wfc("check", ".", "--json"),
            wfc("compile", "approval.wf.json"),
            wfc("run", "approval.wf.json", "--run-id", "r", "--json", "--trace", "trace.jsonl"),
            wfc("runs", "trace", "r", "--json"),
        ]
        kept = [(folder / file).read_text() for file in ("approval.wfir.json", "trace.jsonl")]
        told.append([*((one.code, one.out, one.err) for one in printed), *kept, run_in(".wfc/wfc.db", "r").to_json()])
    assert told[0] == told[1]
    assert str(tmp_path) not in str(told)


def test_json_is_one_document_of_the_published_shape(wfc: Command, flows: Path) -> None:
    asked = wfc("run", "approval.wf.json", "--run-id", "r1", "--json").json
    ended = wfc("resume", "r1", "--outcome", "sent", "--payload", '{"approved": true}', "--json").json
    shown = wfc("runs", "show", "r1", "--json").json
    for told in (asked, ended, shown):
        jsonschema_rs.validate(RUN_RESULT_SCHEMA, told)
    assert (asked["status"], asked["interrupt"]["kind"]) == ("interrupted", "approval")
    assert ended == shown
    assert ended["output"] == {"text": "Hello Ada!", "approved": True}
    stored = json.loads(run_in(".wfc/wfc.db", "r1").to_json())
    jsonschema_rs.validate(RUN_STATE_SCHEMA, stored)


def test_another_outcome_than_ok_is_exit_3(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--run-id", "r1")
    assert wfc("resume", "r1", "--outcome", "dropped").code == 3


def test_a_run_that_fails_is_exit_5_with_the_error(wfc: Command, flows: Path) -> None:
    ended = wfc("run", "calling.wf.json", "--run-id", "r1")
    assert ended.code == 5
    assert ended.out.startswith("run r1 failed: capability_unavailable: ")
    assert ended.err.endswith("nothing was called and nothing is kept; the id `r1` is free\n")
    # As soon as somebody answers, the same command runs it.
    (flows / "mocks.json").write_text(MOCKS)
    again = wfc("run", "calling.wf.json", "--run-id", "r1", "--mock", "mocks.json")
    assert (again.code, wfc("runs", "show", "r1", "--json").json["status"]) == (0, "completed")


@pytest.mark.parametrize("mocks", [MOCKS, json.dumps(json.loads(MOCKS)["mocks"])])
def test_mocks_answer_calls(wfc: Command, flows: Path, mocks: str) -> None:
    (flows / "mocks.json").write_text(mocks)
    ended = wfc("run", "calling.wf.json", "--mock", "mocks.json", "--json")
    assert (ended.code, ended.json["output"]) == (0, {"n": 3})


def test_what_a_mock_does_not_answer_fails_the_run(wfc: Command, flows: Path) -> None:
    (flows / "mocks.json").write_text('{"other": []}')
    ended = wfc("run", "calling.wf.json", "--mock", "mocks.json", "--json")
    assert (ended.code, ended.json["error"]["code"]) == (5, "capability_unavailable")


def test_mocks_of_a_wrong_shape_are_refused(wfc: Command, flows: Path) -> None:
    (flows / "mocks.json").write_text('{"one": [{"otput": 1}]}')
    ended = wfc("run", "calling.wf.json", "--mock", "mocks.json")
    assert (ended.code, ended.err) == (2, "error: `mocks.one[0]` has the unknown key `otput`; nearest: `output`\n")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((), "Hello Ada!"),
        (("--input", '{"name": "Bo"}'), "Hello Bo!"),
        (("--input", "@given.json"), "Hello Cy!"),
        (("--input", "-"), "Hello Di!"),
        (("--set", "name=5"), "Hello 5!"),
        (("--input", '{"name": "Bo"}', "--set", "name=Ed"), "Hello Ed!"),
    ],
)
def test_the_input_is_given_as_json_as_a_file_or_key_by_key(
    wfc: Command, flows: Path, arguments: tuple[str, ...], text: str
) -> None:
    (flows / "given.json").write_text('{"name": "Cy"}')
    ended = wfc("run", "approval.wf.json", "--json", *arguments, stdin='{"name": "Di"}')
    assert ended.json["state"]["text"] == text


def test_set_is_json_where_the_schema_wants_no_string_and_text_where_that_does_not_parse(
    wfc: Command, flows: Path
) -> None:
    for given, value in (("7", 7), ('{"a": null}', {"a": None}), ("seven", "seven")):
        ended = wfc("run", "approval.wf.json", "--run-id", given, "--set", f"age={given}", "--json")
        assert run_in(".wfc/wfc.db", given).input["age"] == value
        assert ended.code == 4


@pytest.mark.parametrize(
    ("text", "place"),
    [('{"a": 1, "a": 2}', "--input:1:10: "), ("[" * 300, "--input:1:"), ('{"a": NaN}', "--input:1:7: ")],
)
def test_json_of_the_user_is_read_as_strictly_as_a_workflow(wfc: Command, flows: Path, text: str, place: str) -> None:
    ended = wfc("run", "approval.wf.json", "--input", text)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"error: {place}")
    assert ended.err.count("\n") == 1


def test_a_workflow_that_does_not_compile_is_exit_1_and_tells_why_beside_the_result(wfc: Command, flows: Path) -> None:
    (flows / "broken.wf.json").write_text(json.dumps(APPROVAL).replace('"to": "ask"', '"to": "aks"'))
    ended = wfc("run", "broken.wf.json")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error[WF101] unknown-target")


def test_who_asked_for_json_gets_it_also_where_nothing_runs(wfc: Command, flows: Path) -> None:
    (flows / "bad.wf.json").write_text(json.dumps({**APPROVAL, "start": "nowhere"}))
    for command in ("run", "compile", "step", "publish"):
        ended = wfc(command, "bad.wf.json", "--json")
        assert (ended.code, ended.json["schema"], ended.json["ok"]) == (1, "wfc.diagnostics/1", False)
        assert {one["code"] for one in ended.json["diagnostics"]} >= {"WF100"}
        assert "error[WF100]" in ended.err
    for asked in (
        ("run", "none.wf.json"),
        ("resume", "r9"),
        ("run", "approval.wf.json", "--max-stesp"),
        ("runs", "show"),
    ):
        refused = wfc(*asked, "--json")
        told = refused.json
        assert (refused.code, told["schema"], told["exit"], told["reason"]) == (2, "wfc.error/1", 2, None)
        assert refused.err.startswith(f"error: {told['message']}")
    wfc("run", "approval.wf.json", "--run-id", "r1")
    assert wfc("resume", "r1", "--outcome", "lost", "--json").json["reason"] == "undeclared_outcome"
    assert wfc("run", "none.wf.json", "--", "--json").out == ""


def test_a_compiled_program_runs_like_its_source(wfc: Command, flows: Path) -> None:
    compiled = wfc("compile", "approval.wf.json")
    assert (compiled.code, compiled.out.split()[0]) == (0, "approval.wfir.json")
    runs = [wfc("run", file, "--json", "--run-id", file) for file in ("approval.wf.json", "approval.wfir.json")]
    told = [{**run.json, "run_id": None} for run in runs]
    assert told[0] == told[1]


def test_a_program_on_standard_input_runs(wfc: Command, flows: Path) -> None:
    program = wfc("compile", "approval.wf.json", "-o", "-").out
    assert wfc("run", "-", stdin=program).code == 4


def with_a_bad_schema(text: str) -> str:
    """As one would write it who knows how the hash is made."""
    program = json.loads(text)
    program["schemas"] = [{**one, "type": 7} for one in program["schemas"]]
    del program["hash"]
    return canonical({**program, "hash": f"sha256:{sha256(canonical(program).encode()).hexdigest()}"})


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda text: text[:300], "the compiled program is cut off after 300 characters"),
        (lambda text: text.replace("wfc.ir/1", "wfc.ir/9"), "the compiled program has the format `wfc.ir/9`"),
        (lambda text: text.replace("Hello", "Bye"), "the compiled program was changed"),
        (lambda text: "", "the file is empty"),
        (with_a_bad_schema, "the compiled program is damaged: one of its schemas is none: 7 is not valid under any"),
    ],
)
def test_a_damaged_program_is_refused(wfc: Command, flows: Path, damage, told: str) -> None:  # type: ignore[no-untyped-def]
    wfc("compile", "approval.wf.json")
    file = flows / "approval.wfir.json"
    file.write_text(damage(file.read_text()))
    ended = wfc("run", "approval.wfir.json")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"error: {told}")


def test_steps_to_the_end_are_the_same_run(wfc: Command, flows: Path) -> None:
    first = wfc("step", "approval.wf.json", "--run-id", "r1", "--json")
    assert (first.code, first.json["status"], first.json["state"]["text"]) == (0, "running", "Hello Ada!")
    assert wfc("step", "r1").code == 4
    refused = wfc("step", "r1")
    assert (refused.code, refused.err[:21]) == (2, "error: refused (inter")
    wfc("resume", "r1", "--outcome", "sent", "--payload", '{"approved": true}')
    wfc("run", "approval.wf.json", "--run-id", "r2")
    wfc("resume", "r2", "--outcome", "sent", "--payload", '{"approved": true}')
    traces = [wfc("runs", "trace", run_id, "--json").json["trace"] for run_id in ("r1", "r2")]
    assert traces[0] == traces[1]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "the run waits at ask (approval)"),
        (("--outcome", "maybe"), "refused (undeclared_outcome): "),
        (("--outcome", "sent", "--payload", '{"approved": 1}'), "refused (payload_invalid): "),
        (("--outcome", "sent"), "refused (missing_path): "),
        (("--outcome", "sent", "--interrupt", "other"), "refused (stale_interrupt): "),
        (("--payload", "{}"), "`--payload` needs the `--outcome`"),
    ],
)
def test_a_refused_answer_is_exit_2_and_the_run_waits_as_before(
    wfc: Command, flows: Path, arguments: tuple[str, ...], told: str
) -> None:
    wfc("run", "approval.wf.json", "--run-id", "r1")
    before = open_store(".wfc/wfc.db").load("r1")
    ended = wfc("resume", "r1", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"error: {told}")
    assert open_store(".wfc/wfc.db").load("r1") == before


def test_a_run_id_that_is_in_use_is_refused(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--run-id", "r1")
    before = open_store(".wfc/wfc.db").load("r1")
    ended = wfc("run", "calling.wf.json", "--run-id", "r1")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "error: the run id `r1` is in use in .wfc/wfc.db; give another or none\n"
    assert open_store(".wfc/wfc.db").load("r1") == before


def test_runs_are_listed_newest_first(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--run-id", "r1")
    wfc("step", "approval.wf.json", "--run-id", "r2")
    listed = wfc("runs", "list", "--json").json["runs"]
    assert [(run["run_id"], run["status"]) for run in listed] == [("r2", "running"), ("r1", "interrupted")]
    words = [line.split()[:3] for line in wfc("runs", "list").out.splitlines()]
    assert words == [
        ["RUN", "WORKFLOW", "STATUS"],
        ["r2", "approval", "stopped"],
        ["r1", "approval", "interrupted"],
    ]


def test_a_run_without_a_store_leaves_nothing(wfc: Command, flows: Path) -> None:
    ended = wfc("run", "approval.wf.json", "--no-store")
    assert (ended.code, ended.err) == (4, "")
    assert not (flows / ".wfc").exists()


def test_another_store_is_named_in_what_to_do_next(wfc: Command, flows: Path) -> None:
    ended = wfc("run", "approval.wf.json", "--run-id", "r1", "--store", "my runs.db")
    assert "wfc resume r1 --store 'my runs.db' --outcome sent" in ended.err
    assert wfc("resume", "r1", "--store", "my runs.db", "--outcome", "dropped").code == 3


def test_the_store_stands_beside_the_configuration(wfc: Command, flows: Path) -> None:
    (flows / "deep").mkdir()
    (flows / "deep" / "wfc.toml").touch()
    (flows / "approval.wf.json").rename(flows / "deep" / "approval.wf.json")
    ended = wfc("run", "deep/approval.wf.json", "--run-id", "r1")
    assert "wfc resume r1 --store deep/.wfc/wfc.db" in ended.err
    assert open_store("deep/.wfc/wfc.db").load("r1").new.config == "../wfc.toml"
    resumed = wfc("resume", "r1", "--store", "deep/.wfc/wfc.db", "--outcome", "dropped")
    assert resumed.err == (
        "note: the run began with ../wfc.toml and goes on with no configuration (seen from the folder of the store)\n"
    )


def test_the_step_limit_comes_from_the_command_or_the_configuration(wfc: Command, flows: Path) -> None:
    assert wfc("run", "approval.wf.json", "--max-steps", "1", "--json").json["error"]["code"] == "step_limit"
    (flows / "wfc.toml").write_text("step_limit = 1")
    assert wfc("run", "approval.wf.json", "--json").json["error"]["code"] == "step_limit"
    assert wfc("run", "approval.wf.json", "--max-steps", "9").code == 4


def test_the_trace_is_written_as_json_lines(wfc: Command, flows: Path) -> None:
    wfc("run", "approval.wf.json", "--trace", "trace.jsonl")
    assert [json.loads(line)["step"] for line in (flows / "trace.jsonl").read_text().splitlines()] == ["greet"]


def test_a_python_source_answers_and_what_it_prints_is_no_result(wfc: Command, flows: Path) -> None:
    (flows / "wfc.toml").write_text('[sources.mine]\nkind = "python"\nmodule = "counting_for_the_test"\n')
    (flows / "counting_for_the_test.py").write_text(
        "import wfc\n\n@wfc.node(name='count')\ndef count(payload):\n    print('counting')\n    return {'n': 4}\n"
    )
    flow = {**CALLING, "node_defs": [{**CALLING["node_defs"][0], "uses": "mine.count"}]}
    (flows / "calling.wf.json").write_text(json.dumps(flow))
    assert wfc("tools", "lock").code == 0
    ended = wfc("run", "calling.wf.json", "--json")
    assert (ended.json["output"], ended.err) == ({"n": 4}, "counting\n")


def test_a_run_says_that_its_workflow_has_warnings_and_no_more(wfc: Command, flows: Path) -> None:
    unused = {**CALLING["node_defs"][0], "name": "unused"}
    flow = {**CALLING, "node_defs": [*CALLING["node_defs"], unused]}
    (flows / "calling.wf.json").write_text(json.dumps(flow))
    ended = wfc("compile", "calling.wf.json")
    assert (ended.code, ended.err) == (0, "1 warning in calling.wf.json; `wfc check` tells more\n")


def test_runs_of_an_unknown_id_are_refused(wfc: Command, here: Path) -> None:
    told = "error: .wfc/wfc.db holds no run `nope`; `wfc runs list` shows those that it does\n"
    for arguments in (("resume", "nope"), ("runs", "show", "nope"), ("runs", "trace", "nope"), ("step", "nope")):
        ended = wfc(*arguments)
        assert (ended.code, ended.out, ended.err) == (2, "", told)


def test_a_capability_that_is_another_than_when_the_run_began_is_refused(wfc: Command, flows: Path) -> None:
    flow = {**CALLING, "node_defs": [{**CALLING["node_defs"][0], "uses": "mine.count"}]}
    ask = {**APPROVAL["nodes"][1], "outcomes": ["go"], "resume": []}
    flow["nodes"] = [ask, *CALLING["nodes"]]
    flow |= {"start": "ask", "edges": [{"from": "ask", "outcome": "go", "to": "one"}, *CALLING["edges"]]}
    (flows / "calling.wf.json").write_text(json.dumps(flow))
    (flows / "wfc.toml").write_text('[sources.mine]\nkind = "python"\nmodule = "drifting_for_the_test"\n')
    module = "import wfc\n\n@wfc.node(name='count', effects='{}')\ndef count(payload):\n    return {{'n': 4}}\n"
    (flows / "drifting_for_the_test.py").write_text(module.format("read"))
    said = [sys.executable, "-m", "wfc", "resume", "r1", "--outcome", "go"]
    assert subprocess.run([*said[:3], "run", "calling.wf.json", "--run-id", "r1"], capture_output=True).returncode == 4
    before = open_store(".wfc/wfc.db").load("r1")
    (flows / "drifting_for_the_test.py").write_text(module.format("write"))
    refused = subprocess.run(said, capture_output=True, text=True)
    assert refused.returncode == 2
    assert "refused (drift): a capability is not what it was when the run began" in refused.stderr
    assert '-  "effects": "read"' in refused.stderr and '+  "effects": "write"' in refused.stderr
    assert open_store(".wfc/wfc.db").load("r1") == before
    (flows / "drifting_for_the_test.py").write_text(module.format("read"))
    assert subprocess.run(said, capture_output=True).returncode == 0


@pytest.mark.parametrize("further", [(), ("--json",)])
def test_a_trace_may_be_told_as_it_happens(wfc: Command, flows: Path, further: tuple[str, ...]) -> None:
    """Entries are JSON lines on standard output, and the result is the last line."""
    (flows / "mocks.json").write_text(MOCKS)
    done = wfc("run", "calling.wf.json", "--mock", "mocks.json", "--trace", "-", "--run-id", "told", *further)
    *entries, result = map(json.loads, done.out.splitlines())
    assert (result["schema"], result["status"]) == ("wfc.run/1", "completed")
    assert entries == wfc("runs", "trace", "told", "--json").json["trace"]


@pytest.mark.parametrize("words", [("run", "approval.wf.json"), ("run", "a.wfir.json"), ("runs", "list"), ("mcp",)])
def test_an_empty_store_is_a_variable_that_was_not_set(wfc: Command, flows: Path, words: tuple[str, ...]) -> None:
    ended = wfc(*words, "--store", "")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("error: `--store` is empty; expected a path or an address, or the option left out")
    assert not (flows / ".wfc").exists()


def test_a_run_id_that_other_commands_would_take_for_an_option_is_refused(wfc: Command, flows: Path) -> None:
    ended = wfc("run", "approval.wf.json", "--run-id=-x")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("error: `--run-id` is `-x`, which other commands would take for an option; expected an")
    assert not (flows / ".wfc" / "wfc.db").exists()


def test_an_empty_run_id_is_a_variable_that_was_not_set(wfc: Command, flows: Path) -> None:
    ended = wfc("run", "approval.wf.json", "--run-id", "")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("error: `--run-id` is empty; expected an id, or the option left out; `wfc")
