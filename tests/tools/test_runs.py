"""Runs on sources: the lock is compared before they start, a person authorises, and no secret is left behind."""

import json
import logging
import sys

import pytest

from tests.sources.web import CLIENT, SECRET, TOKEN, web
from tests.tools.project import RAW, Place, saying, source, toml
from wfc.ir import Listing

SECRETS = (TOKEN, SECRET, "an0ther-secret-in-the-environment")


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path, {})
    place.write("wfc.toml", source())
    place.write("say.wf.json", saying(outcomes=["ok"]))
    return place


def drifted(place):
    """As if the server had been another one when it was locked."""
    place.wfc("tools", "lock")
    lock = place.read("wfc.lock.json")
    entry = lock["sources"]["raw"]["capabilities"]["say"]
    entry["input_schema"] = {"type": "object", "required": ["text"]}
    entry["hash"] = Listing(entry["input_schema"], effects="write").hash
    place.write("wfc.lock.json", lock)


RUN = ("run", "say.wf.json", "--set", "text=hello", "--json")


def test_drift_stops_a_run_before_it_starts_and_is_shown(place):
    drifted(place)
    done = place.wfc(*RUN)
    assert (done.code, done.json["schema"], done.json["reason"]) == (2, "wfc.error/1", "drift")
    assert done.err.splitlines() == [
        "error: refused (drift): a capability is not what `wfc.lock.json` says; accept it with `--update-lock`",
        "--- raw.say (locked)",
        "+++ now",
        "@@ -2,7 +2,4 @@",
        '   "effects": "write",',
        '   "input_schema": {',
        '-    "required": [',
        '-      "text"',
        "-    ],",
        '     "type": "object"',
        "   },",
    ]


def test_drift_is_accepted_when_it_is_asked_for(place):
    drifted(place)
    done = place.wfc(*RUN, "--update-lock")
    assert (done.code, done.json["output"]) == (0, {"said": "hello"})
    assert done.err.startswith("accepted: raw.say (changed)\n--- raw.say (locked)\n")
    assert place.wfc(*RUN).code == 0


def test_a_compiled_program_is_held_to_the_lock_as_well(place):
    place.wfc("compile", "say.wf.json")
    drifted(place)
    compiled = ("run", "say.wfir.json", "--set", "text=hello", "--json")
    assert place.wfc(*compiled).code == 2
    done = place.wfc(*compiled, "--update-lock")
    assert (done.code, done.json["output"]) == (0, {"said": "hello"})


def test_a_server_that_changes_in_the_middle_of_a_run_ends_it(place):
    document = saying(outcomes=["ok"])
    document["node_defs"].append({"name": "change", "uses": "raw.change", "outcomes": ["ok"]})
    document["nodes"].append({"id": "b", "type": "node", "node": "change"})
    document["edges"] = [
        {"from": "b", "outcome": "ok", "to": "a"},
        {"from": "a", "outcome": "ok", "to": "__end__"},
    ]
    place.write("say.wf.json", {**document, "start": "b"})
    place.wfc("tools", "lock")
    done = place.wfc(*RUN)
    assert (done.code, done.json["error"]["code"], done.json["error"]["node_id"]) == (5, "drift", "a")


def test_a_capability_that_is_not_there_fails_the_run_before_its_first_step(place):
    place.write("say.wf.json", saying("raw.sya", outcomes=["ok"]))
    done = place.wfc(*RUN)
    assert (done.code, done.json["error"]["code"]) == (5, "capability_unavailable")


@pytest.mark.parametrize("server", [{"command": "wfc-no-such-program"}, {"args": [str(RAW), "crash"]}])
def test_a_server_that_is_offline_fails_the_run_before_its_first_step(place, server):
    document = saying(outcomes=["ok"])
    document["nodes"].append({"id": "before", "type": "wait", "seconds": 0})
    document["edges"].append({"from": "before", "outcome": "ok", "to": "a"})
    place.write("say.wf.json", {**document, "start": "before"})
    place.write("wfc.toml", source(**server))
    done = place.wfc(*RUN, "--trace", "trace.jsonl")
    error = done.json["error"]
    assert (done.code, error["code"], error["node_id"]) == (5, "capability_unavailable", None)
    assert error["message"].startswith("nothing answers `raw.say` (node `say` of `saying`): source `raw`: ")
    assert (place.folder / "trace.jsonl").read_text() == ""


@pytest.mark.parametrize(("status", "code"), [("a", 0), ("b", 3)])
def test_a_tool_gives_data_and_a_condition_tells_its_results_apart(place, status, code):
    definition = {"name": "status", "uses": "raw.status"}
    check = {"op": "eq", "left": {"path": "state.status"}, "right": {"value": "a"}}
    text = {"type": "string"}
    document = {
        "name": "asking",
        "input_schema": {"type": "object", "properties": {"content": {"type": "object"}}, "required": ["content"]},
        "state_schema": {"type": "object", "properties": {"status": text}},
        "output_schema": {"type": "object", "properties": {"status": text}},
        "outcomes": ["ok", "bad"],
        "node_defs": [definition],
        "start": "ask",
        "nodes": [
            {
                "id": "ask",
                "type": "node",
                "node": "status",
                "input": [{"target": "content", "path": "input.content"}],
                "output": [{"source": "status", "target": "state.status"}],
            },
            {"id": "good", "type": "condition", "check": check},
            {"id": "bad", "type": "end", "outcome": "bad"},
        ],
        "edges": [
            {"from": "ask", "outcome": "ok", "to": "good"},
            {"from": "good", "outcome": "true", "to": "__end__"},
            {"from": "good", "outcome": "false", "to": "bad"},
        ],
    }
    place.write("say.wf.json", document)
    assert place.wfc("tools", "lock").code == 0
    assert place.wfc("check", "say.wf.json").code == 0
    given = json.dumps({"content": {"status": status}})
    done = place.wfc("run", "say.wf.json", "--input", given, "--json")
    assert (done.code, done.json["output"]) == (code, {"status": status})
    # A tool has the one outcome `ok`: the same workflow that routes by its data is refused.
    document["edges"].append({"from": "ask", "outcome": status, "to": "bad"})
    place.write("say.wf.json", document)
    refused = place.wfc("check", "say.wf.json", "--json")
    assert [one["code"] for one in refused.json["diagnostics"]] == ["WF106"]


def test_tools_of_two_servers_with_one_name_are_told_apart(place):
    place.write("wfc.toml", source(name="a") + source(name="b", tools={"say": {"adapt": "lines"}}))
    listed = place.wfc("tools", "list").out.splitlines()
    assert [line for line in listed if ".say(" in line] == [
        "a.say() -> { text: string } | write",
        "b.say() -> { lines: [string] } | write",
    ]
    document = saying("a.say", outcomes=["ok"])
    document["node_defs"].append({"name": "b.say", "outcomes": ["ok"]})
    document["state_schema"]["properties"]["lines"] = {"type": "array"}
    document["output_schema"] = document["state_schema"]
    other = {**document["nodes"][0], "id": "b", "node": "b.say"}
    other["output"] = [{"source": "lines", "target": "state.lines"}]
    document["nodes"].append(other)
    document["edges"] = [{"from": "a", "outcome": "ok", "to": "b"}, {"from": "b", "outcome": "ok", "to": "__end__"}]
    place.write("say.wf.json", document)
    assert place.wfc(*RUN).json["output"] == {"said": "hello", "lines": ["hello"]}


# -- other clients' files ---------------------------------------------------------------------------------------------


def of_file(place, server, **table):
    place.write("mcp.json", {"mcpServers": {"raw": server}})
    fields = {"kind": "mcp", "mcp_config": "mcp.json", **table}
    place.write("wfc.toml", "[sources.raw]\n" + "".join(f"{key} = {json.dumps(one)}\n" for key, one in fields.items()))


def test_a_server_of_another_client_s_file(place):
    of_file(place, {"type": "stdio", "command": sys.executable, "args": [str(RAW)], "env": {"A_KEY": "${env:OURS}"}})
    done = place.wfc("tools", "call", "raw.who", "{}", "--json", OURS="0f-the-environment", OTHER="not named")
    assert "A_KEY" in done.json["output"]["env"]
    assert not {"OURS", "OTHER"} & set(done.json["output"]["env"])


def test_an_address_of_another_client_s_file(place):
    with web(TOKEN) as running:
        headers = {"Authorization": "Bearer ${WEB_TOKEN:-none}"}
        of_file(place, {"type": "http", "url": running.url, "headers": headers})
        done = place.wfc("tools", "call", "raw.echo", '{"text": "a"}', "--json", WEB_TOKEN=TOKEN)
        assert done.json["output"] == {"text": "a"}
        refused = place.wfc("tools", "call", "raw.echo", '{"text": "a"}', "--json")
        assert (refused.code, refused.json["error"]["type"]) == (5, "tool_auth")


@pytest.mark.parametrize(
    ("server", "why"),
    [
        ({"type": "sse", "url": "http://127.0.0.1/sse"}, 'it speaks "sse"; expected stdio or streamable HTTP'),
        ({}, "none of them is given; expected exactly one of `command`, `url`, `mcp_config`"),
        (
            {"url": "http://127.0.0.1", "headers": {"Authorization": f"Bearer {TOKEN}"}},
            "the header `Authorization` is written",
        ),
        ({"command": 5}, "`command` is no text"),
    ],
)
def test_an_entry_that_cannot_be_used(place, server, why):
    of_file(place, server)
    done = place.wfc("tools", "list")
    assert done.code == 2
    assert f"error: mcp.json, server `raw`: {why}" in done.err
    assert TOKEN not in done.err


# -- authorisation ----------------------------------------------------------------------------------------------------


def asking():
    """Says something; where a person has to authorise that, it asks, and says it again."""
    document = saying("web.echo", outcomes=["ok"])
    document["nodes"][0]["catch"] = [{"codes": ["node_failed:tool_auth"], "outcome": "locked_out"}]
    document["nodes"][0]["output"].append({"source": "error.message", "target": "state.why", "on": ["locked_out"]})
    document["state_schema"]["properties"]["why"] = {"type": "string"}
    document["nodes"].append(
        {
            "id": "login",
            "type": "interrupt",
            "kind": "tool_auth",
            "outcomes": ["done"],
            "request": [{"target": "source", "value": "web"}, {"target": "reason", "path": "state.why"}],
        }
    )
    document["edges"] += [
        {"from": "a", "outcome": "locked_out", "to": "login"},
        {"from": "login", "outcome": "done", "to": "a"},
    ]
    return document


def at(running, **table):
    fields = {"kind": "mcp", "url": running.url, **table}
    return "[sources.web]\n" + "".join(f"{key} = {toml(one)}\n" for key, one in fields.items())


def test_a_run_waits_for_a_person_to_authorise_it(place):
    with web(TOKEN) as running:
        place.write("wfc.toml", at(running, headers={"Authorization": "Bearer ${WEB_TOKEN}"}))
        place.write("say.wf.json", asking())
        waiting = place.wfc(*RUN, "--run-id", "r", WEB_TOKEN="an-old-token")
        assert (waiting.code, waiting.json["interrupt"]["kind"]) == (4, "tool_auth")
        assert waiting.json["interrupt"]["payload"] == {
            "source": "web",
            "reason": "source `web`: tool `echo`: the server asks for authorisation (status 401: log in first)",
        }
        assert running.calls("echo") == 0
        still = place.wfc("resume", "r", "--outcome", "done", "--payload", "{}", "--json", WEB_TOKEN="an-old-token")
        assert (still.code, still.json["status"]) == (4, "interrupted")
        done = place.wfc("resume", "r", "--outcome", "done", "--payload", "{}", "--json", WEB_TOKEN=TOKEN)
        assert (done.code, done.json["output"]) == (0, {"said": "hello"})
        assert running.calls("echo") == 1


# -- secrets ----------------------------------------------------------------------------------------------------------


def leaks(place, *done):
    """The files, and what was printed, that hold a secret."""
    printed = {f"output {number}": one.out + one.err for number, one in enumerate(done)}
    files = {str(file): file.read_bytes().decode("latin-1") for file in place.folder.rglob("*") if file.is_file()}
    return [name for name, text in {**printed, **files}.items() if any(secret in text for secret in SECRETS)]


def test_a_run_leaves_no_secret_behind(place):
    """Whatever a server does with what it was given: says it, answers with it, dies with it, lists it."""
    hidden = SECRETS[2]
    place.write("wfc.toml", source(env={"TOKEN": "${HIDDEN}"}, args=[str(RAW), "${HIDDEN_KEY}"]))
    document = saying("raw.reveal", outcomes=["ok"])
    document["node_defs"].append({"name": "die", "uses": "raw.tell_secret", "outcomes": ["ok"]})
    document["nodes"].append(
        {"id": "b", "type": "node", "node": "die", "catch": [{"codes": ["node_failed"], "outcome": "dead"}],
         "output": [{"source": "error.message", "target": "state.said", "on": ["dead"]}]}
    )  # fmt: skip
    document["edges"] = [
        {"from": "a", "outcome": "ok", "to": "b"},
        {"from": "b", "outcome": "ok", "to": "__end__"},
        {"from": "b", "outcome": "dead", "to": "__end__"},
    ]
    place.write("say.wf.json", document)
    env = {"HIDDEN": hidden, "HIDDEN_KEY": SECRET}
    commands = [
        ("tools", "lock", "--all"),
        ("check", ".", "--json"),
        ("compile", "say.wf.json"),
        (*RUN, "--run-id", "r", "--trace", "trace.jsonl"),
        ("runs", "show", "r", "--json"),
        ("runs", "trace", "r", "--json"),
        ("tools", "list"),
        ("tools", "show", "raw.reveal"),
        ("tools", "doctor"),
        ("tools", "call", "raw.reveal", '{"text": "a"}', "--record", "--json"),
        ("tools", "call", "raw.tell_secret", "{}"),
        ("tools", "scaffold", "raw"),
        ("tools", "lock", "--propose"),
    ]
    done = [place.wfc(*command, **env) for command in commands]
    assert [one.code for one in done] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0], [one.err for one in done]
    assert done[3].json["output"]["said"].endswith("it said: … | token is …, key is …")
    assert "…" in (place.folder / "trace.jsonl").read_text().encode().decode("unicode_escape")
    assert leaks(place, *done) == []


def test_a_run_over_http_leaves_no_secret_behind(place, caplog):
    caplog.set_level(logging.DEBUG)
    document = saying("web.echo", outcomes=["ok"])
    place.write("say.wf.json", document)
    with web(TOKEN, oauth=True) as running:
        oauth = {"client_id": CLIENT, "client_secret": "${CLIENT_SECRET}", "issuer": running.root}
        place.write("wfc.toml", at(running, oauth=oauth))
        env = {"CLIENT_SECRET": SECRET}
        text = f"text={SECRET[:4]}"
        done = [
            place.wfc("tools", "lock", **env),
            place.wfc("run", "say.wf.json", "--set", text, "--run-id", "r", "--json", **env),
            place.wfc("runs", "trace", "r", **env),
            place.wfc("tools", "doctor", CLIENT_SECRET=SECRETS[2]),
            place.wfc("run", "say.wf.json", "--set", text, "--json", CLIENT_SECRET=SECRETS[2]),
        ]
        assert [one.code for one in done] == [0, 0, 0, 1, 5], [one.err for one in done]
        assert running.calls("echo") == 1
    assert leaks(place, *done) == []
    assert not any(secret in caplog.text for secret in SECRETS)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"headers": {"Authorization": f"Bearer {TOKEN}"}}, "the header `Authorization` is written out"),
        ({"headers": {"x-api-key": TOKEN}}, "the header `x-api-key` is written out"),
        ({"oauth": {"client_id": "a", "client_secret": SECRET, "issuer": "b"}}, "`client_secret` is written out"),
        ({"headers": {"Accept": ["x"]}}, "`headers.Accept` is of another kind"),
    ],
)
def test_a_credential_is_never_written_into_a_configuration(place, table, why):
    with web() as running:
        place.write("wfc.toml", at(running, **table))
        done = place.wfc("tools", "list")
    assert (done.code, why in done.err) == (2, True), done.err
    assert not any(secret in done.err for secret in SECRETS)


# -- what a workflow can choose ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("uses", "code"),
    [
        ({"source": "raw", "capability_key": "say", "command": "touch evil"}, "WF010"),
        ({"source": "raw", "capability_key": "say", "url": "http://127.0.0.1/"}, "WF010"),
        ("os.system", "WF710"),
        ("http://127.0.0.1/.mcp", "WF710"),
        ({"source": "raw; touch evil", "capability_key": "say"}, "WF"),
    ],
)
def test_nothing_in_a_workflow_says_what_is_started_or_imported(place, uses, code):
    place.write("say.wf.json", saying(uses, outcomes=["ok"]))
    assert place.wfc("tools", "lock").code in (0, 2)
    done = place.wfc(*RUN)
    assert (done.code, code in done.err) == (1, True), done.err
    assert not (place.folder / "evil").exists()


# -- in a run ---------------------------------------------------------------------------------------------------------


def asking_first(place):
    document = saying(outcomes=["ok"])
    ask = {"id": "ask", "type": "interrupt", "kind": "approval", "outcomes": ["yes"]}
    document["nodes"].append({**ask, "request": [{"target": "prompt", "value": "Go on?"}]})
    document["edges"].append({"from": "ask", "outcome": "yes", "to": "a"})
    place.write("say.wf.json", {**document, "start": "ask"})


def test_drift_refuses_a_resume_and_leaves_the_run_as_it_was(place):
    asking_first(place)
    assert place.wfc(*RUN, "--run-id", "r").code == 4
    before = place.wfc("runs", "show", "r", "--json").json
    drifted(place)
    answer = ("resume", "r", "--outcome", "yes", "--json")
    refused = place.wfc(*answer)
    assert (refused.code, refused.err.splitlines()[0]) == (
        2,
        "error: refused (drift): a capability is not what `wfc.lock.json` says; accept it with `--update-lock`",
    )
    assert place.wfc("runs", "show", "r", "--json").json == before
    done = place.wfc(*answer, "--update-lock")
    assert (done.code, done.json["output"]) == (0, {"said": "hello"})


@pytest.mark.parametrize(
    "now",
    [
        "",
        source(name="other"),
        source(deny=["say"]),
        source(command="wfc-no-such-program"),
    ],
    ids=["no configuration", "another name", "denied", "offline"],
)
@pytest.mark.parametrize("locked", [True, False])
def test_a_capability_that_is_gone_refuses_a_resume_until_it_is_back(place, now, locked):
    asking_first(place)
    if locked:
        place.wfc("tools", "lock")
    assert place.wfc(*RUN, "--run-id", "r").code == 4
    before = place.wfc("runs", "show", "r", "--json").json
    place.write("wfc.toml", now)
    answer = ("resume", "r", "--outcome", "yes", "--json")
    for _ in range(2):
        refused = place.wfc(*answer)
        assert (refused.code, refused.json["reason"]) == (2, "drift")
        assert place.wfc("runs", "show", "r", "--json").json == before
    place.write("wfc.toml", source())
    done = place.wfc(*answer)
    assert (done.code, done.json["output"]) == (0, {"said": "hello"})


def side_by_side(**fields):
    """Four items, each of which is answered when the calls of all of them are there."""
    document = saying("raw.together", outcomes=["ok"], **fields)
    document["nodes"] = [
        {"id": "each", "type": "foreach", "over": {"value": [1, 2, 3, 4]}, "as": "item", "mode": "parallel"},
        {"id": "a", "type": "node", "node": "say", "input": [{"target": "calls", "value": 4}]},
    ]
    document["edges"] = [
        {"from": "each", "outcome": "item", "to": "a"},
        {"from": "a", "outcome": "ok", "to": "each"},
        {"from": "each", "outcome": "done", "to": "__end__"},
    ]
    return {**document, "start": "each"}


def test_items_side_by_side_share_one_session(place):
    place.write("say.wf.json", side_by_side())
    done = place.wfc(*RUN)
    assert (done.code, done.json["status"]) == (0, "completed")


def test_a_source_gets_no_more_calls_at_a_time_than_its_configuration_says(place):
    place.write("wfc.toml", source(max_concurrency=3))
    place.write("say.wf.json", side_by_side(timeout_seconds=0.5))
    done = place.wfc(*RUN)
    assert (done.code, done.json["error"]["code"]) == (5, "node_timeout")
