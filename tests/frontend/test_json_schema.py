"""The published JSON Schema says what reading says, as far as JSON Schema can say it."""

import json
from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import given, settings

from tests.frontend.damage import damaged
from tests.frontend.documents import Case, cases, elaborated, small, stepped
from wfc.frontend import workflow_schema

PUBLISHED = Path(__file__).parents[2] / "grammar" / "workflow.schema.json"
VALIDATOR = jsonschema_rs.Draft202012Validator(workflow_schema())
SAYABLE = {"WF010", "WF011", "WF012", "WF013", "WF015", "WF018"}
CASES = [(case, {found.code.code for found in elaborated(case.workflow).diagnostics}) for case in cases()]
CLEAN = [case for case, codes in CASES if not codes]
REFUSED = [case for case, codes in CASES if codes & SAYABLE]

# What JSON Schema cannot say, by the name of a case: a key of one map may not be the first entry of a list beside it.
EXCEPTIONS = ("resume_schemas that names the first outcome",)


# The same for documents that no case has: what a definition may leave out hangs on the capability that it uses.
UNSAYABLE = ("found a node definition without `outcomes`", "found the first outcome")


def test_the_file_is_what_the_tables_say() -> None:
    assert PUBLISHED.read_text("utf-8") == json.dumps(workflow_schema(), indent=2) + "\n"


def test_it_is_a_schema() -> None:
    assert jsonschema_rs.meta.is_valid(workflow_schema())


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_it_accepts_what_is_read_without_a_finding(case: Case) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(case.workflow)] == []


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_it_refuses_what_has_a_fault_of_shape(case: Case) -> None:
    assert VALIDATOR.is_valid(case.workflow) is case.name.endswith(EXCEPTIONS)


@pytest.mark.parametrize(
    "value",
    [
        small(desc=None, input_schema=None, outcomes=None, node_defs=None, edges=None),
        small(**{"x-note": {"anything": [None]}}),
        {"main": None, "workflows": [small()]},
        stepped({"type": "wait", "seconds": {"path": {"root": "input", "parts": []}}}),
        stepped({"type": "foreach", "over": {"value": None}, "as": "it", "mode": None, "max_concurrency": None}),
        stepped({"type": "condition", "check": {"op": "eq", "left": None, "right": {"path": "state.a", "x-why": 1}}}),
        stepped({"type": "node", "node": "n", "retry": 3, "input": [{"target": ".", "path": None, "value": None}]}),
        stepped({"type": "interrupt", "kind": "own", "outcomes": ["a"], "resume_schema": True}),
    ],
)
def test_both_accept(value: object) -> None:
    assert [found.message for found in elaborated(value).diagnostics] == []
    assert [error.message for error in VALIDATOR.iter_errors(value)] == []


@pytest.mark.parametrize(
    "value",
    [
        small(name=None),
        small(name="__a"),
        small(name="a" * 129),
        small(name="a\n"),
        {"main": None},
        stepped({"type": "wait", "seconds": {"value": 3}}),
        stepped({"type": "wait", "seconds": True}),
        stepped({"type": "node", "node": "n", "retry": 1.5}),
        stepped({"type": "node", "node": "n", "input": [{"target": "a", "path": None}]}),
        stepped({"type": "condition", "check": {"op": "not", "arg": {"op": "and", "args": []}}}),
        stepped({"type": "interrupt", "kind": "approval", "outcomes": ["a"], "request_schema": {}}),
        stepped({"type": "subgraph", "workflow": {"artifact_id": "a"}}),
        stepped({"type": "end", "outcome": "ok", "node": "n"}),
    ],
)
def test_both_refuse(value: object) -> None:
    assert {found.code.code for found in elaborated(value).diagnostics} & SAYABLE
    assert not VALIDATOR.is_valid(value)


@settings(max_examples=400)
@given(damaged())
def test_both_say_the_same_of_damaged_workflows(value: object) -> None:
    found = elaborated(value).diagnostics
    shape = [one for one in found if one.code.code in SAYABLE | {"WF020", "WF021"}]
    if VALIDATOR.is_valid(value):
        assert [one.message for one in shape if not one.message.startswith(UNSAYABLE)] == []
    else:
        assert found


@pytest.mark.parametrize(
    ("definition", "field", "accepted", "refused"),
    [
        ("input_binding", "path", ["input", "state.a.b", "context.it"], ["output.a", "a", "state.", "state.0", "."]),
        ("input_binding", "target", [".", "user.name", "state"], ["", "a..b", "a-b", "a[0]"]),
        ("output_binding", "source", [".", "user.name"], ["", ".a", "0"]),
        ("output_binding", "target", ["state.a", "state.a.b"], ["state", "input.a", "a", "state.a-b"]),
    ],
)
def test_each_kind_of_path_has_its_pattern(
    definition: str, field: str, accepted: list[str], refused: list[str]
) -> None:
    schema = workflow_schema()["$defs"][definition]["properties"][field]
    assert schema["description"]
    judge = jsonschema_rs.Draft202012Validator(schema)
    root = {"input_binding path": "context", "output_binding target": "state"}.get(f"{definition} {field}", "local")
    assert judge.is_valid({"root": root, "parts": ["a", "b"]}) and not judge.is_valid(
        {"root": "output", "parts": ["a"]}
    )
    assert [path for path in (*accepted, *refused) if judge.is_valid(path)] == accepted


def test_canonical_fields_alone_are_advertised() -> None:
    old = ("in_map", "input_values", "out_map", "request_map")
    assert [name for name in old if name in PUBLISHED.read_text("utf-8")] == []
    assert "WF014" in {code for _, codes in CASES for code in codes}
