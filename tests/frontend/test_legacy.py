"""Older spellings mean what they always meant, and their fix writes the same in today's spelling."""

from typing import Any

import pytest

from tests.frontend.documents import Json, elaborated, found_in, module_of, small, stepped
from wfc.edits import apply_patch

NODE: Json = {"type": "node", "node": "wf.std.record"}
OLD: list[tuple[Json, list[str]]] = [
    (
        stepped(
            {
                **NODE,
                "in_map": {"input.b": "x", "state.a": "y.z"},
                "input_values": {"n": None},
                "out_map": {".": "state.r"},
            }
        ),
        ["WF014 /nodes/0/in_map", "WF014 /nodes/0/out_map"],
    ),
    (
        stepped({**NODE, "input_values": {"b": 1}, "in_map": {"input": "a"}}),
        ["WF014 /nodes/0/input_values"],
    ),
    (
        stepped(
            {
                "type": "interrupt",
                "kind": "own",
                "request_map": {"state.a": "q"},
                "out_map": {"t": "state.t"},
                "outcomes": ["a"],
            }
        ),
        ["WF014 /nodes/0/request_map", "WF014 /nodes/0/out_map"],
    ),
    (
        stepped({"type": "subgraph", "workflow": "a", "out_map": {"r": "state.r"}}),
        ["WF014 /nodes/0/workflow", "WF014 /nodes/0/out_map"],
    ),
    (
        small(
            state_schema={"fields": {"p.n": {"type": "integer"}, "p": {"type": "object", "minProperties": 1}, "q": {}}}
        ),
        ["WF014 /state_schema/fields"],
    ),
]


@pytest.mark.parametrize(("value", "notes"), OLD)
def test_the_fix_of_each_note_writes_the_same(value: Json, notes: list[str]) -> None:
    read = elaborated(value)
    assert [f"{found.code.code} {found.at.pointer}" for found in read.diagnostics] == notes
    renewed = value
    # The notes of one step have one fix, for half of it would mix spellings.
    for fix in {fix.patch[-1]["path"]: fix for found in read.diagnostics for fix in found.fixes}.values():
        renewed = apply_patch(renewed, fix.patch)
    assert found_in(renewed) == []
    assert module_of(renewed) == read.module


def test_bindings_stand_in_the_order_and_at_the_place_of_their_entries() -> None:
    read = elaborated(stepped({**NODE, "input_values": {"b": 1}, "in_map": {"state.a": "a", "input": "c"}}))
    assert read.module is not None
    step: Any = read.module.workflows[0].steps[0]
    assert [(str(binding.target), binding.at.pointer) for binding in step.input] == [
        ("b", "/nodes/0/input_values/b"),
        ("a", "/nodes/0/in_map/state.a"),
        ("c", "/nodes/0/in_map/input"),
    ]


@pytest.mark.parametrize(
    ("step", "found"),
    [
        ({**NODE, "in_map": {"input.a": "x"}, "output": []}, ["WF013 /nodes/0/in_map"]),
        ({**NODE, "input": [], "out_map": {}}, ["WF013 /nodes/0/out_map"]),
        ({**NODE, "in_map": None, "input": []}, []),
        ({**NODE, "in_map": {"a": "x"}}, ["WF021 /nodes/0/in_map/a"]),
        ({**NODE, "out_map": {"a": "input.x"}}, ["WF021 /nodes/0/out_map/a"]),
        ({**NODE, "out_map": []}, ["WF012 /nodes/0/out_map"]),
    ],
)
def test_old_maps_are_judged_like_bindings(step: Json, found: list[str]) -> None:
    assert [one for one in found_in(stepped(step)) if not one.startswith("WF014")] == found


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"p": {"properties": {"n": {}}}, "p.n": {}}, ["WF013 /state_schema/fields/p.n"]),
        ({"p.n": {}, "p": {"properties": {"n": {}}}}, ["WF013 /state_schema/fields/p"]),
        ({"state.a": {}}, ["WF021 /state_schema/fields/state.a"]),
        ({"a-b": {}}, ["WF020 /state_schema/fields/a-b"]),
        ({"a": 5}, ["WF012 /state_schema/fields/a"]),
        ({"a.b": {"type": "int"}}, ["WF016 /state_schema/fields/a.b/type"]),
        ({"a": {"properties": 5}, "a.b": {}}, ["WF016 /state_schema/fields/a/properties"]),
        ({"a": {"properties": {"b": 5}}, "a.b.c": {}}, ["WF016 /state_schema/fields/a/properties/b"]),
    ],
)
def test_fields_are_judged_where_they_are_written(fields: Json, found: list[str]) -> None:
    read = found_in(small(state_schema={"fields": fields}))
    assert [one for one in read if not one.startswith("WF014")] == found


def test_a_state_with_a_field_called_fields_is_no_old_spelling() -> None:
    assert found_in(small(state_schema={"properties": {"fields": {"type": "object"}}})) == []
