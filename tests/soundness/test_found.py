"""Workflows that a survey, or thought about what one showed, has found clean although they fail; they stay found."""

from __future__ import annotations

from typing import Any

import pytest

import wfc
from tests.soundness.judge import errors
from tests.soundness.play import play
from wfc.vm import link

OPEN = {"type": "object", "properties": {"x": {}}, "additionalProperties": True}
MISPLACED = {"anyOf": [{"allOf": [{"type": "integer", "reducer": "wf.std.add"}]}]}
ONE, READ = {"value": 1}, {"path": "state.x"}


def chain(state: dict[str, Any], *steps: dict[str, Any]) -> dict[str, Any]:
    names = [*(step["id"] for step in steps[1:]), "__end__"]
    edges = [{"from": step["id"], "outcome": "ok", "to": name} for step, name in zip(steps, names, strict=True)]
    work = {"name": "work", "outcomes": ["ok"], "output_schema": {"type": "object", "required": ["value"]}}
    made = {"name": "main", "start": "a", "state_schema": state, "node_defs": [work], "nodes": list(steps)}
    return {"main": "main", "workflows": [{**made, "edges": edges}]}


def put(name: str, source: dict[str, Any], *targets: str, node: str = "wf.std.identity") -> dict[str, Any]:
    output = [{"source": "value", "target": target} for target in targets]
    return {"id": name, "type": "node", "node": node, "input": [{"target": "value", **source}], "output": output}


REDUCED: dict[str, tuple[Any, Any]] = {
    "append": ({"type": "array", "items": {"type": "string"}}, "a"),
    "extend": ({"type": "array", "minItems": 2}, ["a"]),
    "set_union": ({"type": "array", "minItems": 2}, ["a"]),
    "merge_object": ({"type": "object", "required": ["a"]}, {"b": 1}),
    "add": ({"type": "number", "minimum": 5}, 1),
    "max": ({"type": "number", "minimum": 5}, 1),
    "min": ({"type": "number", "maximum": 5}, 9),
    "modulo_add": ({"type": "number", "maximum": 5}, 9),
    "replace": ({"type": "string"}, "a"),
}


@pytest.mark.parametrize("reducer", REDUCED)
def test_what_a_reducer_takes_need_not_be_of_its_place(reducer: str) -> None:
    """A place and a field of it, written side by side: the field's reducer takes the value, whatever its type is."""
    schema, value = REDUCED[reducer]
    named = {"ref": {"source": "wf.std", "capability_key": reducer}}
    inner = {**schema, "reducer": {**named, "config": {"modulus": 4}} if reducer == "modulo_add" else named}
    state = {"type": "object", "properties": {"o": {"type": "object", "properties": {"x": inner}}}}
    both = {"id": "both", "type": "fork", "branches": ["a", "b"]}
    whole, part = (
        {"id": name, "type": "node", "node": "wf.std.record", "input": [{"target": "v", "value": held}],
         "output": [{"source": "v", "target": target}]}
        for name, held, target in (("whole", {}, "state.o"), ("part", value, "state.o.x"))
    )  # fmt: skip
    ends = [("both", "a", "whole"), ("both", "b", "part"), ("whole", "ok", "met"), ("part", "ok", "met")]
    document = {"name": "f", "start": "both", "state_schema": state, "nodes": [both, whole, part]}
    document["nodes"].append({"id": "met", "type": "join"})
    document["edges"] = [
        {"from": one, "outcome": outcome, "to": to} for one, outcome, to in (*ends, ("met", "ok", "__end__"))
    ]
    document["output_schema"] = {"type": "object", "properties": {"o": {}}}
    assert "WF502" in {one.code.code for one in wfc.check(document, strict=True).diagnostics}


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


# Each with what a warning beside it has hidden.
FOUND = [
    pytest.param(chain(fields(x=MISPLACED), put("a", ONE, "state.x", node="work")), "WF393", id="misplaced-reducer"),
    pytest.param(chain(OPEN, put("a", ONE, "state.zz"), put("b", ONE, "state.zz.a")), "WF393", id="open-root-parent"),
    pytest.param(chain(OPEN, put("a", ONE, "state.zz"), put("b", READ)), "WF400", id="open-root-unwritten"),
]


@pytest.mark.parametrize(("made", "code"), FOUND)
def test_what_is_only_warned_of_hides_no_error(made: dict[str, Any], code: str) -> None:
    assert errors(made) == (code,)
    linked = link(wfc.compile(made, unchecked=True))
    assert any(play(linked, seed).structural for seed in range(20))


def test_a_boolean_schema_above_a_field_that_nothing_uses() -> None:
    state = {"type": "object", "properties": {"a": True, "b": {"type": "object", "properties": {"c": False}}}}
    document = {"name": "f", "start": "n", "state_schema": state, "nodes": [{"id": "n", "type": "wait", "seconds": 0}]}
    document["edges"] = [{"from": "n", "outcome": "ok", "to": "__end__"}]
    assert {one.code.code for one in wfc.check(document).diagnostics} == {"WF405"}


@pytest.mark.parametrize(
    ("reducer", "field", "found"),
    [
        ("add", {"type": "integer", "maximum": 1}, {"WF590"}),
        ("append", {"type": "array", "maxItems": 3}, {"WF590"}),
        ("merge_object", {"type": "object", "maxProperties": 2}, {"WF590"}),
        ("add", {"type": "integer"}, set()),
        ("append", {"type": "array", "items": {"type": "string"}}, set()),
        ("extend", {"type": "array", "items": {"type": "string"}}, set()),
        ("merge_object", {"type": "object", "properties": {"a": {"type": "string"}}}, set()),
    ],
)
def test_answers_that_fit_one_by_one_may_not_fit_together(reducer: str, field: Any, found: set[str]) -> None:
    """A refused answer is given again; what a barrier makes of those that were taken has to be proved as well."""
    state = {"type": "object", "properties": {"s": {**field, "reducer": f"wf.std.{reducer}"}}}
    resume = [{"source": "given", "target": "state.s"}]
    each = {"id": "each", "type": "foreach", "over": {"value": [6, 7]}, "as": "i", "mode": "parallel"}
    ask = {"id": "ask", "type": "interrupt", "kind": "custom", "resume": resume, "outcomes": ["yes"]}
    ends = [("each", "item", "ask"), ("ask", "yes", "each"), ("each", "done", "__end__")]
    document = {"name": "f", "start": "each", "state_schema": state, "nodes": [each, ask]}
    document["output_schema"] = {"type": "object", "properties": {"s": {}}}
    document["edges"] = [{"from": one, "outcome": outcome, "to": to} for one, outcome, to in ends]
    assert {one.code.code for one in wfc.check(document, strict=True).diagnostics if one.severity == "error"} == found
