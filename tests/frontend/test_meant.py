"""What is written as other systems write it is one finding, with a repair that says the same in this language."""

from __future__ import annotations

from typing import Any

import pytest

from wfc import driver

Json = dict[str, Any]


def flow(**changes: Any) -> Json:
    """Fetches by a folder, keeps the files and ends."""
    workflow: Json = {
        "name": "files",
        "input_schema": {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]},
        "state_schema": {"type": "object", "properties": {"files": {"type": "array"}}},
        "output_schema": {"type": "object", "properties": {"files": {"type": "array"}}},
        "node_defs": [
            {
                "name": "fetch",
                "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
                "output_schema": {"type": "object", "properties": {"found": {"type": "array"}}, "required": ["found"]},
                "outcomes": ["ok"],
            }
        ],
        "start": "get",
        "nodes": [step()],
        "edges": [{"from": "get", "outcome": "ok", "to": "__end__"}],
    }
    return {**workflow, **changes}


def step(**changes: Any) -> Json:
    whole = {
        "id": "get",
        "type": "node",
        "node": "fetch",
        "input": [{"target": "path", "path": "input.folder"}],
        "output": [{"source": "found", "target": "state.files"}],
        **changes,
    }
    return {key: value for key, value in whole.items() if value is not None}


def without(document: Json, *keys: str) -> Json:
    return {key: value for key, value in document.items() if key not in keys}


LOOP = flow(
    nodes=[step(), {"id": "each", "type": "foreach", "over": "state.files", "as": "file"},
           {"id": "nap", "type": "wait", "seconds": {"path": "context.file"}}],
    edges=[{"from": "get", "outcome": "ok", "to": "each"}, {"from": "each", "outcome": "item", "to": "nap"},
           {"from": "nap", "outcome": "ok", "to": "each"}, {"from": "each", "outcome": "done", "to": "__end__"}],
)  # fmt: skip
ASKS = flow(
    nodes=[{"id": "get", "type": "interrupt", "kind": "approval", "outcomes": ["ok", "no"],
            "request": [{"target": "prompt", "path": "input.folder"}]}],
    node_defs=[],
    state_schema={"type": "object", "properties": {}},
    output_schema={"type": "object", "properties": {}},
    edges=[{"from": "get", "outcome": "ok", "to": "__end__"}, {"from": "get", "outcome": "no", "to": "__end__"}],
)  # fmt: skip


def asked(path: str) -> Json:
    """A step that reads what a person said."""
    return flow(
        start="ask",
        nodes=[
            {"id": "ask", "type": "interrupt", "kind": "text_input", "outcomes": ["given"],
             "request": [{"target": "prompt", "path": "input.folder"}],
             "resume": [{"source": "text", "target": "state.said"}]},
            step(input=[{"target": "path", "path": path}]),
        ],
        state_schema={"type": "object", "properties": {
            **flow()["state_schema"]["properties"], "said": {"type": "string"}}},
        edges=[{"from": "ask", "outcome": "given", "to": "get"}, {"from": "get", "outcome": "ok", "to": "__end__"}],
    )  # fmt: skip


FOREIGN = {
    "a word for a type": (flow(nodes=[step(type="action")]), "WF018 /nodes/0/type", flow()),
    "a key that stands for the one that is missing": (
        flow(nodes=[step(node=None, action="fetch")]), "WF010 /nodes/0/action", flow()),
    "a path under another key": (
        flow(nodes=[step(input=[{"target": "path", "from": "input.folder"}])]),
        "WF010 /nodes/0/input/0/from", flow()),
    "bindings as a map": (
        flow(nodes=[step(input={"path": "{{input.folder}}"}, output={"state.files": "found"})]),
        "WF012 /nodes/0/input", flow()),
    "steps as a map": (flow(nodes={"get": without(step(), "id")}), "WF012 /nodes", flow()),
    "definitions as a map": (
        flow(node_defs={"fetch": without(flow()["node_defs"][0], "name")}), "WF012 /node_defs", flow()),
    "an edge at its step": (flow(nodes=[step(next="__end__")], edges=[]), "WF010 /nodes/0/next", flow()),
    "edges by outcome at their step": (
        flow(nodes=[step(on={"ok": "__end__"})], edges=[]), "WF010 /nodes/0/on", flow()),
    "outcomes at the step": (
        flow(nodes=[step(outcomes=["ok"])], node_defs=[without(flow()["node_defs"][0], "outcomes")]),
        "WF010 /nodes/0/outcomes", flow()),
    "a map of properties": (
        flow(state_schema={"files": {"type": "array"}}), "WF016 /state_schema", flow()),
    "required in a property": (
        flow(input_schema={"type": "object", "properties": {"folder": {"type": "string", "required": True}}}),
        "WF016 /input_schema/properties/folder/required", flow()),
    "older bindings of both kinds": (
        flow(nodes=[step(output=None, out_map={"found": "state.files"}, input=None, in_map={"input.folder": "path"})]),
        "WF014 /nodes/0/out_map", flow()),
    "older beside newer bindings": (
        flow(nodes=[step(output=None, out_map={"found": "state.files"})]), "WF013 /nodes/0/out_map", flow()),
    "a name with a blank": (
        flow(start="get it", nodes=[step(id="get it")], edges=[{"from": "get it", "outcome": "ok", "to": "__end__"}]),
        "WF015 /nodes/0/id",
        flow(start="get_it", nodes=[step(id="get_it")], edges=[{"from": "get_it", "outcome": "ok", "to": "__end__"}])),
    "the output of a step": (
        flow(nodes=[step(), {"id": "each", "type": "foreach", "over": "steps.get.output.found", "as": "file"},
                    LOOP["nodes"][2]], edges=LOOP["edges"]),
        "WF021 /nodes/1/over", LOOP),
    "the answer to a question": (
        asked("ask.output.text"), "WF021 /nodes/1/input/0/path", asked("state.said")),
    "an alias that is missing": (
        flow(nodes=[step(), without(LOOP["nodes"][1], "as"), LOOP["nodes"][2]], edges=LOOP["edges"]),
        "WF011 /nodes/1", LOOP),
    "a question that is bound as a call": (
        {**ASKS, "nodes": [{**without(ASKS["nodes"][0], "request"), "input": ASKS["nodes"][0]["request"]}]},
        "WF010 /nodes/0/input", ASKS),
    "a call that is bound as a question": (
        flow(nodes=[{**without(flow()["nodes"][0], "output"), "resume": flow()["nodes"][0]["output"]}]),
        "WF010 /nodes/0/resume", flow()),
    "outcomes that only edges tell": (
        {**ASKS, "nodes": [without(ASKS["nodes"][0], "outcomes")]}, "WF011 /nodes/0", ASKS),
}  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
def test_safe_fixes_say_what_was_meant(name: str) -> None:
    foreign, told, meant = FOREIGN[name]
    repaired = driver.repair(driver.from_value(foreign))
    assert repaired.given.root.value == meant
    first = driver.check(driver.from_value(foreign)).diagnostics[0]
    assert f"{first.code.code} {first.at.pointer}" == told


def test_what_is_read_as_meant_is_one_finding() -> None:
    told = [
        (one.code.code, one.at.pointer)
        for name in (
            "steps as a map",
            "an edge at its step",
            "outcomes at the step",
            "a map of properties",
            "a question that is bound as a call",
            "a call that is bound as a question",
        )
        for one in driver.check(driver.from_value(FOREIGN[name][0])).diagnostics
    ]
    assert len(told) == 6


@pytest.mark.parametrize(
    "nodes",
    [
        [step(next="nowhere")],
        [step(next=7)],
        [step(note={"ok": "nowhere"})],
    ],
)
def test_a_key_that_names_no_step_is_no_edge(nodes: list[Json]) -> None:
    found = driver.check(driver.from_value(flow(nodes=nodes, edges=[]))).diagnostics
    fixes = [fix.applicability.value for one in found if one.code.code == "WF010" for fix in one.fixes]
    assert fixes == ["unsafe"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"x-owner": {"type": "string"}},
        {"title": "files", "description": "what was found"},
        {"allOf": [{"type": "object"}], "files": {"type": "array"}},
    ],
)
def test_a_schema_is_no_map_of_properties(schema: Json) -> None:
    found = driver.check(driver.from_value(flow(output_schema=schema))).diagnostics
    assert "WF016" not in {one.code.code for one in found}


def test_an_index_is_left_out_only_when_asked_for() -> None:
    indexed = flow(nodes=[step(input=[{"target": "path", "path": "input.folder[0]"}])])
    (found,) = driver.check(driver.from_value(indexed)).diagnostics
    assert [(fix.title, fix.applicability.value) for fix in found.fixes] == [("Read `input.folder`", "unsafe")]


def looping(path: str, **changes: Any) -> Json:
    """A loop over bills whose body reads a path."""
    bill = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    made: Json = {
        "name": "bills",
        "input_schema": {
            "type": "object",
            "properties": {"bills": {"type": "array", "items": bill}},
            "required": ["bills"],
        },
        "state_schema": {
            "type": "object",
            "properties": {"ids": {"type": "array", "reducer": "wf.std.append", "default": []}},
        },
        "output_schema": {"type": "object", "properties": {"ids": {}}},
        "start": "each",
        "nodes": [
            {"id": "each", "type": "foreach", "over": "input.bills", "as": "bill"},
            {
                "id": "take",
                "type": "node",
                "node": "wf.std.identity",
                "input": [{"target": "value", "path": path}],
                "output": [{"source": "value", "target": "state.ids"}],
            },
        ],
        "edges": [
            {"from": "each", "outcome": "item", "to": "take"},
            {"from": "take", "outcome": "ok", "to": "each"},
            {"from": "each", "outcome": "done", "to": "__end__"},
        ],
    }
    return {**made, **changes}


@pytest.mark.parametrize(
    ("path", "meant"), [("bill.id", "context.bill.id"), ("bill", "context.bill"), ("{{bill.id}}", "context.bill.id")]
)
def test_the_item_of_a_loop_is_read_from_context(path: str, meant: str) -> None:
    (found,) = driver.check(looping(path)).diagnostics
    (fix,) = found.fixes
    assert (fix.patch[-1]["value"], fix.verified, fix.applicability.value) == (meant, True, "safe")


def test_a_field_of_the_same_name_is_meant_rather_than_the_item() -> None:
    own = {
        "type": "object",
        "properties": {
            "bill": {"type": "string", "default": ""},
            "ids": {"type": "array", "reducer": "wf.std.append", "default": []},
        },
    }
    found = driver.check(looping("bill", state_schema=own)).diagnostics[0]
    assert next(fix.patch[-1]["value"] for fix in found.fixes) == "state.bill"
