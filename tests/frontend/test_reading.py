"""What a shape does not admit is reported where it stands, once, with what was meant."""

from typing import Any

import pytest

from tests.frontend.documents import ABSENT, elaborated, found_in, small, stepped
from wfc.diagnostics import Diagnostic
from wfc.edits import apply_patch


def only(value: Any) -> Diagnostic:
    (found,) = elaborated(value).diagnostics
    return found


def test_null_means_absent_and_x_keys_are_the_authors() -> None:
    step = {
        "type": "node",
        "node": "wf.std.count",
        "desc": None,
        "retry": None,
        "catch": None,
        "output": None,
        "x-y": 1,
    }
    assert found_in(stepped(step, desc=None, outcomes=None, **{"x-z": {}})) == []


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ([], ["WF012 "]),
        (None, ["WF012 "]),
        (5, ["WF012 "]),
        ("text", ["WF012 "]),
        ({}, ["WF011 "]),
        ({"some": 1, "thing": 2}, ["WF011 "]),
        ([small(), small()], ["WF012 "]),
        ({"workflows": []}, ["WF012 /workflows"]),
        ({"workflows": [5]}, ["WF012 /workflows/0"]),
        ({"main": 5, "workflows": [small()]}, ["WF012 /main"]),
    ],
)
def test_what_is_no_workflow_is_never_an_empty_one(value: Any, found: list[str]) -> None:
    assert found_in(value) == found


def test_a_misspelt_key_is_read_as_what_was_meant() -> None:
    value = small(nodes=ABSENT, nodez=[{"id": "s", "type": "end", "outcome": 5}])
    assert found_in(value) == ["WF010 /nodez", "WF012 /nodez/0/outcome"]


def test_the_repair_of_a_misspelt_key_renames_it() -> None:
    value = small(nodes=ABSENT, nodez=small()["nodes"])
    found = only(value)
    assert found.facts["allowed"][:2] == ["nodes", "node_defs"]
    assert apply_patch(value, found.fixes[0].patch) == small()


def test_an_object_of_other_keys_is_one_finding() -> None:
    found = only(small(node_defs=[{"name": "f", "outcomes": ["ok"], "uses": {"server": "x", "tool": "y"}}]))
    assert (found.at.pointer, found.hides) == ("/node_defs/0/uses", 2)
    assert found.message == (
        "found a capability reference with `server`, `tool` and without `source` and `capability_key`, "
        "expected `source`, `capability_key`"
    )


def test_a_bad_name_is_reported_where_it_is_given_and_nowhere_else() -> None:
    edges = [{"from": "a.b", "outcome": "ok", "to": "__end__"}]
    nodes = [{"id": "a.b", "type": "join"}]
    assert found_in(small(start="a.b", nodes=nodes, edges=edges)) == ["WF015 /nodes/0/id"]


def test_a_misspelt_step_type_is_read_as_what_was_meant() -> None:
    value = stepped({"type": "jion"})
    assert apply_patch(value, only(value).fixes[0].patch) == stepped({"type": "join"})
    assert only(value).facts["allowed"][0] == "join"


def test_an_operator_of_another_language_is_replaced() -> None:
    value = stepped({"type": "condition", "check": {"op": ">=", "left": 1, "right": 2}})
    assert only(value).at.pointer == "/nodes/0/check/op"
    assert apply_patch(value, only(value).fixes[0].patch)["nodes"][0]["check"]["op"] == "ge"


def test_a_bare_text_as_an_operand_has_two_rewrites() -> None:
    value = stepped({"type": "condition", "check": {"op": "eq", "left": "state.a", "right": 2}})
    rewritten = [apply_patch(value, fix.patch)["nodes"][0]["check"]["left"] for fix in only(value).fixes]
    assert rewritten == [{"path": "state.a"}, {"value": "state.a"}]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("$.state.a", "state.a"),
        ("{{ state.a }}", "state.a"),
        ("${state.a.b}", "state.a.b"),
        ("output.b", "state.b"),
        ("n", "input.n"),
        ("b", "state.b"),
    ],
)
def test_a_path_of_another_language_is_rewritten(written: str, meant: str) -> None:
    inputs, states = ({"type": "object", "properties": {name: {}}} for name in ("n", "b"))
    value = stepped({"type": "wait", "seconds": {"path": written}}, input_schema=inputs, state_schema=states)
    (fix,) = only(value).fixes
    assert apply_patch(value, fix.patch)["nodes"][0]["seconds"]["path"] == meant


@pytest.mark.parametrize("written", ["state..a", "state.0", "", ".", "state."])
def test_a_path_that_cannot_be_guessed_has_no_repair(written: str) -> None:
    found = only(stepped({"type": "wait", "seconds": {"path": written}}))
    assert (found.code.code, found.fixes) == ("WF020", ())


@pytest.mark.parametrize("written", ["input.n", {"root": "input", "parts": ["n"]}])
def test_a_path_of_another_kind_names_the_kind_and_an_example(written: Any) -> None:
    step = {"type": "node", "node": "wf.std.count", "output": [{"source": "count", "target": written}]}
    assert only(stepped(step)).message == (
        "`input.n` does not lead into state; expected a state path such as `state.name`"
    )


def test_a_workflow_without_start_starts_where_nothing_leads() -> None:
    nodes = [{"id": "b", "type": "join"}, {"id": "a", "type": "join"}]
    edges = [{"from": "a", "outcome": "ok", "to": "b"}, {"from": "b", "outcome": "ok", "to": "__end__"}]
    value = small(start=ABSENT, nodes=nodes, edges=edges)
    assert apply_patch(value, only(value).fixes[0].patch)["start"] == "a"


def test_a_step_without_id_is_the_one_that_is_referred_to() -> None:
    value = small(nodes=[{"type": "end", "outcome": "ok"}])
    assert only(value).at.pointer == "/nodes/0"
    assert apply_patch(value, only(value).fixes[0].patch) == small()


def test_findings_name_what_they_lie_in_and_stand_in_order() -> None:
    value = {"workflows": [small(), stepped({"type": "wait", "seconds": "5"}, name="b", outcomes="ok", strat="s")]}
    found = elaborated(value).diagnostics
    assert [(one.at.workflow, one.at.step, one.at.field) for one in found] == [
        ("b", "s", "seconds"),
        ("b", None, "outcomes"),
        ("b", None, "strat"),
    ]
    assert all(one.at.span for one in found)
    assert found == elaborated(value).diagnostics


def test_rules_between_fields() -> None:
    serial = {"type": "foreach", "over": "input.xs", "as": "it", "max_concurrency": 2}
    assert found_in(stepped(serial)) == ["WF012 /nodes/0/max_concurrency"]
    assert found_in(stepped({**serial, "mode": "parallel"})) == []
    approval = {"type": "interrupt", "kind": "approval", "outcomes": ["a"]}
    assert found_in(stepped({**approval, "request_schema": {}})) == ["WF013 /nodes/0/request_schema"]
    assert found_in(stepped({**approval, "resume_schemas": {"a": {}}})) == ["WF013 /nodes/0/resume_schemas/a"]
    assert found_in(stepped({**approval, "kind": "own", "request_schema": {}})) == []
