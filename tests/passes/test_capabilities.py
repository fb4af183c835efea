"""Capabilities outside: what configuration and lock know of them, where each code speaks, and where it stays silent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.passes.judged import INTEGER, TEXT, Json, bind, node, put, record, work
from tests.passes.test_examples import marked, parted
from tests.passes.workflows import NAME, nowhere
from wfc import check, loads
from wfc.diagnostics import Code, Diagnostic, Severity
from wfc.edits import apply_patch
from wfc.frontend import document_of, elaborate, read_json
from wfc.passes import examine
from wfc.passes.outside.capabilities import CODES
from wfc.project import catalogue_of_example

SERVER = {"kind": "mcp", "command": "notes-server"}
LIST = {
    "input_schema": {**record(folder=TEXT), "required": ["folder"]},
    "output_schema": {**record(count=INTEGER), "required": ["count"]},
    "outcomes": ["ok"],
    "effects": "read",
}
SAVE = {"input_schema": record(text=TEXT), "outcomes": ["ok"], "effects": "write"}
LOCKED = {"sources": {"notes": SERVER}, "lock": {"notes": {"list": LIST, "save": SAVE}}}


def calling(uses: Any = None, *, name: str = "g", **fields: Any) -> Json:
    """A workflow whose one step calls a definition."""
    said = {} if uses is None else {"uses": uses}
    return work("a", node("a", name), defs=[{"name": name, "outcomes": ["ok"], **said, **fields}])


def judged(document: Json, config: Json) -> list[Diagnostic]:
    read = elaborate(document_of(document, NAME), nowhere, catalogue_of_example(config))
    assert read.module is not None
    return [one for one in examine(read.module).diagnostics if one.code.code[:4] in ("WF71", "WF80")]


def told(document: Json, config: Json = LOCKED) -> list[str]:
    return [f"{one.code.code} {one.at.pointer}" for one in judged(document, config)]


@pytest.mark.parametrize(
    ("document", "found"),
    [
        (calling("notes.list", effects="read"), []),
        (calling({"source": "notes", "capability_key": "list"}), []),
        (calling(name="notes.list"), []),
        (calling("notes.lst"), ["WF710 /node_defs/0/uses"]),
        (calling(name="notes.lst"), ["WF710 /node_defs/0/name"]),
        (calling("note.list"), ["WF710 /node_defs/0/uses"]),
        (calling("elsewhere.list"), ["WF710 /node_defs/0/uses"]),
        # A name without a dot is a handler's.
        (calling("list"), []),
        (calling(), []),
        (calling("wf.std.count"), []),
    ],
)
def test_a_capability_is_one_that_configuration_and_lock_know(document: Json, found: list[str]) -> None:
    assert told(document) == found


@pytest.mark.parametrize("config", [LOCKED, {}])
def test_what_the_built_in_source_has_is_always_known(config: Json) -> None:
    (one,) = judged(calling("wf.std.cuont"), config)
    assert (one.code.code, one.at.pointer) == ("WF710", "/node_defs/0/uses")
    assert one.fixes[0].title == "Call `wf.std.count`"
    assert told(calling("wf.std.count"), config) == []
    assert told(calling("wfstd.count"), {}) == []
    bare = calling("wf.std.cuont")
    del bare["node_defs"][0]["outcomes"]
    read = elaborate(document_of(bare, NAME), nowhere, catalogue_of_example(config))
    assert read.module is not None
    found = (*read.diagnostics, *examine(read.module).diagnostics)
    assert [each.code.code for each in found] == ["WF710"]


def test_what_no_step_reaches_is_never_called() -> None:
    document = calling("notes.lst")
    document["nodes"].insert(0, {"id": "b", "type": "wait", "seconds": 0})
    document["start"] = "b"
    document["edges"].append({"from": "b", "outcome": "ok", "to": "__end__"})
    assert told(document) == []


def test_a_source_that_was_never_locked() -> None:
    assert told(calling("notes.list"), {"sources": {"notes": SERVER}}) == ["WF711 /node_defs/0/uses"]
    assert told(calling("other.list"), {"sources": {"notes": SERVER}}) == ["WF710 /node_defs/0/uses"]


def test_where_nothing_is_locked_the_sources_are_named() -> None:
    (one,) = judged(calling("wholly.different"), {"sources": {"notes": SERVER}})
    assert one.message.endswith("no source `wholly` is configured; expected a capability of `notes`")
    assert one.facts["allowed"] == ["notes"]


def test_nothing_follows_of_what_only_the_lock_can_tell() -> None:
    document = calling("notes.list")
    del document["node_defs"][0]["outcomes"]
    document["state_schema"] = {"type": "object", "properties": {"said": {"type": "string"}}}
    document["nodes"][0]["output"] = [{"source": ".", "target": "state.said"}]
    read = elaborate(document_of(document, NAME), nowhere, catalogue_of_example({"sources": {"notes": SERVER}}))
    assert read.module is not None
    errors = [one.code.code for one in examine(read.module).diagnostics if one.severity is Severity.ERROR]
    assert errors == ["WF711"]


def test_without_sources_nothing_is_asked_and_the_report_says_so() -> None:
    assert told(calling("notes.list"), {}) == []
    given = loads("{}", libraries=[], catalogue=catalogue_of_example({}))
    assert [one.why for one in check(given).skipped if one.what.startswith("WF71")] == [
        "no configuration names sources",
        "no configuration names sources",
    ]
    known = loads("{}", libraries=[], catalogue=catalogue_of_example(LOCKED))
    assert [one.what for one in check(known).skipped if one.what.startswith("WF71")] == []


def test_the_nearest_is_named_and_the_fix_heals() -> None:
    (one,) = judged(calling("notes.lst"), LOCKED)
    assert one.message == (
        "`g` calls `notes.lst`, and `notes` had no `lst` when it was locked; expected a capability such as `notes.list`"
    )
    assert told(apply_patch(calling("notes.lst"), one.fixes[0].patch)) == []


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        ({"deny": ["li*"]}, ["WF714 /node_defs/0/uses"]),
        ({"allow": ["save"]}, ["WF714 /node_defs/0/uses"]),
        ({"allow": ["list", "save"], "deny": ["save"]}, []),
        ({"deny": ["LIST"]}, []),
    ],
)
def test_the_configuration_says_what_may_be_called(rules: Json, found: list[str]) -> None:
    config = {**LOCKED, "sources": {"notes": {**SERVER, **rules}}}
    assert told(calling("notes.list"), config) == found


def test_what_is_denied_is_never_proposed() -> None:
    config = {**LOCKED, "sources": {"notes": {**SERVER, "deny": ["list"]}}}
    (one,) = judged(calling("notes.lst"), config)
    assert "notes.list" not in one.facts["allowed"]


def test_an_entry_that_was_changed_by_hand_does_not_hold() -> None:
    changed = {**LOCKED, "lock": {"notes": {"list": {**LIST, "hash": "sha256:00"}, "save": SAVE}}}
    assert told(calling("notes.list"), changed) == ["WF712 /node_defs/0/uses"]
    assert told(calling("notes.save"), changed) == []


# -- contracts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"outcomes": ["ok", "empty"]}, ["WF713 /node_defs/0/outcomes"]),
        ({"input_schema": record(folder=INTEGER)}, ["WF713 /node_defs/0/input_schema"]),
        ({"input_schema": {**record(folder=TEXT), "required": ["folder", "n"]}}, []),
        ({"output_schema": {**record(count=TEXT), "required": ["count"]}}, ["WF713 /node_defs/0/output_schema"]),
        ({"output_schema": record(count={"type": "number"})}, []),
        ({"output_schema": record(other=TEXT)}, []),
    ],
)
def test_a_definition_agrees_with_the_lock(fields: Json, found: list[str]) -> None:
    assert told(calling("notes.list", **fields)) == found


def test_what_the_lock_knows_may_be_left_out() -> None:
    """Schemas, outcomes and effects come from the lock; what is bound is judged by them."""
    step = node("a", "g", input=[bind("folder", ["inbox"])], output=[put("count", "state.n")], retry=3)
    document = work("a", step, defs=[{"name": "g", "uses": "notes.list"}], state={"n": INTEGER}, output={"n": INTEGER})
    given = loads(json.dumps(document), libraries=[], catalogue=catalogue_of_example(LOCKED))
    assert [one.code.code for one in check(given, strict=True).diagnostics] == []
    wrong = work("a", {**step, "input": [bind("folder", [1])]}, defs=[{"name": "g", "uses": "notes.list"}])
    assert "WF310" in [one.code.code for one in check(loads(json.dumps(wrong), catalogue=given.catalogue)).diagnostics]


def test_a_tool_without_an_output_schema_gives_text() -> None:
    step = node("a", "g", output=[put("text", "state.t")])
    document = work("a", step, defs=[{"name": "g", "uses": "notes.save"}], state={"t": TEXT}, output={"t": TEXT})
    given = loads(json.dumps(document), libraries=[], catalogue=catalogue_of_example(LOCKED))
    assert [one.code.code for one in check(given, strict=True).diagnostics] == []


@pytest.mark.parametrize(
    ("shape", "source", "kind"),
    [
        ({"adapt": "lines"}, "lines", {"type": "array", "items": TEXT}),
        ({"adapt": {"regex": "(?P<sha>[a-z|]+)-(?P<n>\\d)"}}, "sha", TEXT),
        ({"adapt": {"regex": "(?P<sha>x)|y"}}, "sha", {"type": ["string", "null"]}),
        ({"adapt": {"regex": "(?P<sha>x)", "all": True}}, "matches", {"type": "array", "items": record(sha=TEXT)}),
        ({"adapt": [{"error-when": "^E"}, "json"], "output": {**record(n=INTEGER), "required": ["n"]}}, "n", INTEGER),
    ],
)
def test_adapters_type_the_output(shape: Json, source: str, kind: Json) -> None:
    config = {**LOCKED, "sources": {"notes": {**SERVER, "tools": {"save": shape}}}}
    step = node("a", "g", output=[put(source, "state.t")])
    document = work("a", step, defs=[{"name": "g", "uses": "notes.save"}], state={"t": kind}, output={"t": kind})
    given = loads(json.dumps(document), libraries=[], catalogue=catalogue_of_example(config))
    assert [one.code.code for one in check(given, strict=True).diagnostics] == []


def test_a_renamed_parameter_is_bound_by_its_new_name() -> None:
    config = {**LOCKED, "sources": {"notes": {**SERVER, "tools": {"list": {"rename": {"folder": "where"}}}}}}
    step = node("a", "g", input=[bind("where", ["inbox"])])
    document = work("a", step, defs=[{"name": "g", "uses": "notes.list"}])
    assert check(loads(json.dumps(document), catalogue=catalogue_of_example(config))).diagnostics == ()
    as_listed = loads(json.dumps(document), catalogue=catalogue_of_example(LOCKED))
    assert [one.code.code for one in check(as_listed).diagnostics] == ["WF300"]


@pytest.mark.parametrize(
    ("config", "effects"),
    [
        ({}, "read"),
        ({"effects": {"l*": "idempotent"}}, "idempotent"),
        ({"effects": {"*": "write", "list": "pure"}}, "pure"),
        ({"effects": {"list": "pure"}, "tools": {"list": {"effects": "write"}}}, "write"),
    ],
)
def test_the_configuration_says_what_a_repeated_call_does(config: Json, effects: str) -> None:
    catalogue = catalogue_of_example({**LOCKED, "sources": {"notes": {**SERVER, **config}}})
    read = elaborate(document_of(calling("notes.list"), NAME), nowhere, catalogue)
    assert read.module is not None
    assert [one.effects for one in read.module.workflows[0].defs if one.name == "g"] == [effects]


def test_a_secret_in_a_configuration_is_told_and_not_shown() -> None:
    secret = "ghp_Vt3Hn8QzLx5Rk2Wd9Ym4Bc7Jf1Pg6Ts0Aeuq"
    config = {"sources": {"notes": {**SERVER, "env": {"TOKEN": secret}}}}
    found = [one for one in judged(calling("f"), config) if one.code.code == "WF800"]
    assert [(one.at.file, one.at.pointer) for one in found] == [("wfc.toml", "/sources/notes/env/TOKEN")]
    assert secret not in repr([(one.message, one.help, one.facts) for one in found])
    assert told(calling("f"), {"sources": {"notes": {**SERVER, "env": {"TOKEN": "${TOKEN}"}}}}) == []


# -- examples ---------------------------------------------------------------------------------------------------------

each_code = pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)


@each_code
def test_the_example_gives_what_it_promises_and_its_repair_nothing(code: Code) -> None:
    text, marks = parted(code.example.bad)
    document = read_json(NAME, text)
    found = judged(document.value, dict(code.example.config))
    assert [(one.code.code, marked(document.locate(one.at.pointer), text)) for one in found] == [
        (code.code, mark) for mark in marks
    ]
    mended = code.example.config if code.example.mended is None else code.example.mended
    good = read_json(NAME, code.example.good)
    assert judged(good.value, dict(mended)) == []
    for fix in (fix for one in found for fix in one.fixes):
        assert judged(apply_patch(document.value, fix.patch), dict(mended)) == []
