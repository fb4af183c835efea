"""`wfc tools …`, as somebody types it: what it prints, what it writes, how it ends."""

import json

import pytest

from tests.tools.project import Place, saying, source
from wfc.ir import Listing


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path, {})
    place.write("wfc.toml", source(deny=["fail*"], tools={"say": {"adapt": "lines"}}))
    place.write("say.wf.json", saying(outcomes=["ok"]))
    return place


def test_list(place):
    done = place.wfc("tools", "list")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert "raw.say() -> { lines: [string] } | write" in lines
    assert "raw.read() -> { text: string } | read" in lines
    assert 'raw.status() -> { status: "a" | "b" } | write' in lines
    assert not any("fail" in line for line in lines if not line.startswith("raw.seem_to_fail"))
    told = place.wfc("tools", "list", "raw", "--json").json
    assert told["schema"] == "wfc.tools/1"
    (raw,) = told["sources"]
    assert (raw["server"]["name"], raw["error"]) == ("raw", None)
    assert {"name", "signature", "effects", "input_schema", "output_schema", "outcomes"} <= set(raw["capabilities"][0])


def test_what_is_not_there(place):
    assert place.wfc("tools", "list", "rw").err == "error: wfc.toml has no source `rw`; nearest: `raw`\n"
    done = place.wfc("tools", "show", "raw.sya")
    assert (done.code, done.err) == (2, "error: source `raw` has no `sya`; nearest: `say`\n")
    done = place.wfc("tools", "call", "raw.fail")
    why = "the configuration of source `raw` does not allow `fail`"
    assert (done.code, done.err) == (2, f"error: refused (capability_unavailable): {why}\n")
    done = place.wfc("tools", "call", "say")
    assert done.code == 2 and done.err.startswith("error: `say` names no capability; expected a source and its")


def test_without_sources(tmp_path):
    done = Place(tmp_path, {}).wfc("tools", "list")
    assert done.code == 2
    assert done.err.startswith("error: no `wfc.toml` was found, and so names no source; expected a table such as")


@pytest.mark.parametrize("url", ["http://\\u0001", "http://\\u202e/", "http://a\\nb/"])
def test_what_is_no_address_is_not_asked(tmp_path, url):
    place = Place(tmp_path, {})
    place.write("wfc.toml", f'[sources.s]\nkind = "mcp"\nurl = "{url}"\n')
    done = place.wfc("tools", "list")
    assert (done.code, done.err.partition(";")[0]) == (2, "error: source `s`: `url` is no address")


def test_show(place):
    told = place.wfc("tools", "show", "raw.say", "--json").json
    assert (told["effects"], told["lock"], told["signature"]) == (
        "write",
        "not locked",
        "raw.say() -> { lines: [string] } | write",
    )
    assert place.wfc("tools", "show", "raw.say").out.startswith(
        "raw.say() -> { lines: [string] } | write\nnot locked, mcp\n"
    )


def test_call(place):
    done = place.wfc("tools", "call", "raw.say", '{"text": "a\\nb"}', "--json")
    assert done.code == 0
    assert done.json == {
        "schema": "wfc.call/1",
        "capability": "raw.say",
        "outcome": "ok",
        "output": {"lines": ["a", "b"]},
        "meta": None,
    }
    done = place.wfc("tools", "call", "raw.exit_with", '{"code": 3}')
    assert (done.code, done.out) == (5, "")
    why = "the server ended with exit code 3; it said: out of cheese"
    assert done.err == f"error: node_failed: source `raw`: tool `exit_with`: {why}\n"
    done = place.wfc("tools", "call", "raw.hang", "{}", "--timeout", "0.2", "--json")
    assert (done.code, done.json["error"]["code"]) == (5, "node_timeout")


def test_a_payload_that_the_tool_refuses_is_not_sent(place):
    place.write("wfc.toml", source("strict"))
    place.wfc("tools", "lock")
    for given, told in (
        ("{}", ': "text" is a required property'),
        ('{"text": 3}', ' at `/text`: 3 is not of type "string"'),
        ("[]", " is array; expected an object"),
    ):
        done = place.wfc("tools", "call", "raw.strict_say", given)
        assert (done.code, done.out) == (2, ""), done.err
        assert done.err.startswith("error: refused (node_input_invalid): the payload of `raw.strict_say` is "), done.err
        assert told in done.err
    assert not (place.folder / "sent").exists()


def test_an_output_that_its_schema_refuses_is_no_result(place):
    refusing = {"type": "object", "properties": {"text": {"type": "string", "maxLength": 2}}, "required": ["text"]}
    place.write("wfc.toml", source(tools={"say": {"output": refusing, "adapt": "text"}}))
    assert place.wfc("tools", "call", "raw.say", '{"text": "ab"}').code == 0
    done = place.wfc("tools", "call", "raw.say", '{"text": "abc"}', "--json")
    assert (done.code, done.json["error"]["code"]) == (5, "node_output_invalid")
    assert "longer than 2 characters" in done.json["error"]["message"]


def test_lock_pins_what_is_used_and_nothing_else(place):
    done = place.wfc("tools", "lock")
    assert (done.code, done.out, done.err) == (0, "+ raw.say\n", "wfc.lock.json is written\n")
    raw = place.read("wfc.lock.json")["sources"]["raw"]
    assert list(raw["capabilities"]) == ["say"]
    assert {"say", "fail", "echo"} <= set(raw["names"])
    assert raw["capabilities"]["say"] == {
        "effects": "write",
        "hash": Listing({"type": "object"}, effects="write").hash,
        "input_schema": {"type": "object"},
        "outcomes": ["ok"],
    }
    text = (place.folder / "wfc.lock.json").read_text()
    assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"
    again = place.wfc("tools", "lock", "--check", "--json")
    assert (again.code, again.json["changes"]) == (0, [])


def test_lock_says_what_cannot_be_locked(place):
    place.write("say.wf.json", saying("raw.sya", outcomes=["ok"]))
    done = place.wfc("tools", "lock")
    assert (done.code, done.err) == (2, "error: `raw` has no `sya`; nearest: `say`\nnothing was written\n")
    assert not (place.folder / "wfc.lock.json").exists()


def test_lock_shows_changes_and_drops_what_nothing_uses(place):
    place.wfc("tools", "lock", "--all")
    lock = place.read("wfc.lock.json")
    lock["sources"]["raw"]["capabilities"]["say"]["input_schema"] = {"type": "object", "required": ["b"]}
    lock["sources"]["gone"] = {"kind": "mcp", "names": [], "capabilities": {}}
    place.write("wfc.lock.json", lock)
    done = place.wfc("tools", "lock", "--check", "--json")
    changes = {one["capability"]: one for one in done.json["changes"]}
    assert done.code == 1
    assert '-    "required": [' in changes["raw.say"]["diff"]
    assert changes["raw.echo"]["what"] == "removed"
    assert place.wfc("tools", "lock").code == 0
    assert list(place.read("wfc.lock.json")["sources"]) == ["raw"]


def test_locking_some_files_keeps_what_others_use(place):
    place.wfc("tools", "lock")
    (place.folder / "other").mkdir()
    place.write("other/read.wf.json", saying("raw.read", outcomes=["ok"]))
    assert place.wfc("tools", "lock", "other").out == "+ raw.read\n"
    assert sorted(place.read("wfc.lock.json")["sources"]["raw"]["capabilities"]) == ["read", "say"]


def test_what_the_lock_knows_may_be_left_out_of_a_workflow(place):
    place.write("wfc.toml", source())
    place.write("say.wf.json", saying())
    before = place.wfc("check", ".")
    assert (before.code, "error[WF711]" in before.out, "WF011" in before.out) == (1, True, False)
    assert "run `wfc tools lock`, or declare `outcomes`" in before.out
    assert place.wfc("run", "say.wf.json", "--unchecked", "--set", "text=a").code == 1
    assert place.wfc("tools", "lock").code == 0
    done = place.wfc("check", "--strict", ".")
    assert done.code == 0, done.out
    run = place.wfc("run", "say.wf.json", "--set", "text=hello", "--json")
    assert (run.code, run.json["output"]) == (0, {"said": "hello"})


def test_a_check_sees_the_lock_change_although_the_workflow_does_not(place):
    assert "WF711" in place.wfc("check", ".").out
    place.wfc("tools", "lock")
    assert "WF711" not in place.wfc("check", ".").out
    lock = place.read("wfc.lock.json")
    lock["sources"]["raw"]["capabilities"]["say"]["effects"] = "read"
    place.write("wfc.lock.json", lock)
    done = place.wfc("check", ".")
    assert (done.code, "WF712" in done.out) == (1, True)
    place.write("wfc.lock.json", "[]")
    done = place.wfc("check", ".")
    assert done.code == 2
    assert "error: wfc.lock.json has the schema `None`; expected `wfc.lock/1`; write it again with" in done.err


def test_scaffold(place):
    made = place.wfc("tools", "scaffold", "raw.read", "raw.status", "--json").json["node_defs"]
    assert [(one["name"], one["uses"], one["effects"]) for one in made] == [
        ("read", "raw.read", "read"),
        ("status", "raw.status", "write"),
    ]
    assert [(one["outcomes"], one["output_schema"]["properties"].keys()) for one in made] == [
        (["ok"], {"text"}),
        (["ok"], {"status"}),
    ]
    assert {"input_schema"} <= made[0].keys() & made[1].keys()
    place.write("say.wf.json", {**saying(), "node_defs": place.wfc("tools", "scaffold", "raw.say").json})
    place.wfc("tools", "lock")
    assert "WF713" not in place.wfc("check", ".").out
    assert place.wfc("tools", "scaffold", "raw.say", "--locked").json == [{"name": "say", "uses": "raw.say"}]


def test_a_proposal_from_a_recorded_sample_fits_what_comes_back(place):
    place.write("wfc.toml", source())
    said = json.dumps({"text": json.dumps([{"a": 1}, {"a": 2, "b": "x"}])})
    assert place.wfc("tools", "call", "raw.say", said, "--record").code == 0
    done = place.wfc("tools", "lock", "--propose")
    assert done.code == 0
    assert done.out.startswith('[sources.raw.tools.say]\nadapt = "json"\noutput = { type = "array", items = ')
    place.write("wfc.toml", source() + done.out)
    assert (
        place.wfc("tools", "call", "raw.say", said).out == json.dumps([{"a": 1}, {"a": 2, "b": "x"}], indent=2) + "\n"
    )
    other = place.wfc("tools", "call", "raw.say", json.dumps({"text": '[{"a": "one"}]'}), "--json")
    assert (other.code, other.json["error"]["code"]) == (5, "node_output_invalid")


# -- doctor -----------------------------------------------------------------------------------------------------------


def told(place, *sources, **env):
    done = place.wfc("tools", "doctor", *sources, "--json", **env)
    found = {one["name"]: [(each["what"], each["do"]) for each in one["problems"]] for one in done.json["sources"]}
    return done.code, found


def test_doctor_finds_nothing_to_do(place):
    place.wfc("tools", "lock")
    code, found = told(place)
    assert code == 0
    assert [what for what, _ in found["raw"] if "`misdeclared`" not in what and "lost_reference" not in what] == []
    assert place.wfc("tools", "doctor").out.startswith("ok   raw (mcp): ")


@pytest.mark.parametrize(
    ("table", "what", "do"),
    [
        (
            source("crash"),
            "exit code 7; it said: Traceback | ImportError: no module named `cheese`",
            "start it by hand",
        ),
        (source(command="nothing-there"), "`nothing-there` cannot be started", "install what provides `nothing-there`"),
        (
            source(env={"A": "${NOT_SET_AT_ALL}"}),
            "which is not set in the environment",
            "set the variable `NOT_SET_AT_ALL`",
        ),
        (source("banner"), "it prints to its standard output: Welcome to raw!", "let it print to its error channel"),
        (source("toolless"), "it has no capabilities", "see whether it is the server that was meant"),
        (source(allow=["nothing"]), "`allow` and `deny` let nothing through", "change the patterns"),
        (source(effects={"sya": "read"}), "`effects.sya` is about no capability of it", "write `say`"),
        (source(tools={"say": {"rename": {"a": "b"}}}), "`say` has no parameter `a` to rename", "take it out"),
        (
            '[sources.raw]\nkind = "mcp"\nurl = "http://127.0.0.1:9/mcp"\n',
            "the server cannot be reached: All connection attempts failed",
            "see whether the server runs there",
        ),
        (
            '[sources.raw]\nkind = "mcp"\nmcp_config = "none.json"\n',
            "none.json cannot be read",
            "change the configuration",
        ),
        (
            '[sources.raw]\nkind = "python"\nmodule = "not_here"\n',
            "No module named 'not_here'",
            "import the module by hand",
        ),
    ],
)
def test_doctor_says_what_is_wrong_and_what_to_do(place, table, what, do):
    place.write("wfc.toml", table)
    _, found = told(place)
    assert [(said, advice) for said, advice in found["raw"] if what in said and advice.startswith(do)], found


def test_doctor_looks_at_every_source_whatever_happens_to_one(place):
    place.write("wfc.toml", source("crash", name="bad") + source(name="good"))
    done = place.wfc("tools", "doctor", "--json")
    assert done.code == 1
    assert [(one["name"], one["ok"]) for one in done.json["sources"]] == [("bad", False), ("good", True)]


def test_doctor_names_a_secret_without_repeating_it(place):
    secret = "ghp_Vt3Hn8QzLx5Rk2Wd9Ym4Bc7Jf1Pg6Ts0Aeuq"
    servers = {"raw": {"command": "python3", "args": ["-c", "pass"], "env": {"TOKEN": secret}}}
    place.write("mcp.json", {"mcpServers": servers})
    place.write("wfc.toml", '[sources.raw]\nkind = "mcp"\nmcp_config = "mcp.json"\n')
    done = place.wfc("tools", "doctor")
    assert "`env.TOKEN` holds what looks like a GitHub token" in done.out
    assert "write `${TOKEN}` and set that variable" in done.out
    assert secret not in done.out + done.err


def test_a_lock_that_cannot_be_used_is_made_anew_as_its_message_says(place):
    place.wfc("tools", "lock")
    before = place.read("wfc.lock.json")
    place.write("wfc.lock.json", "<<<<<<< ours")
    assert place.wfc("tools", "lock", "--check").code == 2
    done = place.wfc("tools", "lock")
    assert (done.code, "it is made anew" in done.err) == (0, True)
    assert place.read("wfc.lock.json") == before
