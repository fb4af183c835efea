"""What is left out is filled, shorthands mean their long forms, and what cannot be read is a hole."""

from typing import Any

import pytest

from tests.frontend.documents import Json, elaborated, found_in, module_of, small, stepped, workflow_of
from wfc.ir import (
    OBJECT,
    CapabilityRef,
    Catch,
    Compare,
    Edge,
    Every,
    Exists,
    ForeachStep,
    HoleStep,
    InputBinding,
    InterruptStep,
    NodeDef,
    NodeStep,
    Not,
    OutputBinding,
    Retry,
    Schema,
    Step,
    SubgraphStep,
    Value,
    WaitStep,
    Workflow,
)
from wfc.ir.std import BUILTINS
from wfc.paths import GraphSourcePath, LocalPath, StatePath

DEF: Json = {"name": "f", "outcomes": ["ok", "no"]}
CHECKS: list[Json] = [
    {"op": "not", "arg": {"op": "exists", "path": "state.a"}},
    {"op": "lt", "left": 1, "right": {"path": "input.n"}},
]


def first_step(step: Json, **changes: Any) -> Step:
    return workflow_of(stepped(step, **changes)).steps[0]


def only_def(**written: Any) -> NodeDef:
    return workflow_of(small(node_defs=[{**DEF, **written}])).defs[0]


def same(one: Json, other: Json, **changes: Any) -> bool:
    return module_of(stepped(one, **changes)) == module_of(stepped(other, **changes))


def test_a_workflow_has_its_defaults() -> None:
    read = workflow_of(small())
    schemas = (read.input_schema, read.state_schema, read.output_schema)
    assert schemas == (OBJECT, OBJECT, OBJECT)
    assert (read.outcomes, read.defs, read.edges, read.start, read.holes) == (("ok",), (), (), "s", False)


def test_a_definition_has_its_defaults() -> None:
    assert only_def() == NodeDef(
        "f", OBJECT, OBJECT, ("ok", "no"), {}, CapabilityRef(None, "f"), None, None, None, None, {}, only_def().at
    )


def test_a_subgraph_step_has_its_defaults() -> None:
    step = first_step({"type": "subgraph", "workflow": {"name": "a"}})
    assert isinstance(step, SubgraphStep)
    assert (step.input, step.output, step.outcomes, step.catch) == ((), (), ("ok",), ())
    assert (step.input_schema, step.output_schema) == (None, None)


@pytest.mark.parametrize(
    ("name", "uses", "means"),
    [
        ("f", None, CapabilityRef(None, "f")),
        ("drive.list.all", None, CapabilityRef("drive", "list.all")),
        ("f", "drive.list_files", CapabilityRef("drive", "list_files")),
        ("f", "wf.std.count", CapabilityRef("wf.std", "count")),
        ("f", "wf.own", CapabilityRef("wf", "own")),
        ("f", {"source": "a", "capability_key": "b.c"}, CapabilityRef("a", "b.c")),
        ("wf.std.count", None, CapabilityRef("wf.std", "count")),
    ],
)
def test_a_capability_is_split_at_the_first_dot(name: str, uses: Any, means: CapabilityRef) -> None:
    assert only_def(name=name, uses=uses).uses == means


def test_a_definition_of_a_built_in_is_filled_from_its_contract() -> None:
    read = workflow_of(small(node_defs=[{"name": "f", "uses": "wf.std.index"}])).defs[0]
    assert (read.outcomes, read.effects, read.written) == (("ok", "out_of_range"), "pure", True)
    assert read.schema_of("out_of_range") != read.schema_of("ok")


def test_outcomes_can_only_be_left_out_where_they_are_known() -> None:
    assert found_in(small(node_defs=[{"name": "f", "uses": "drive.list"}])) == ["WF011 /node_defs/0"]


@pytest.mark.parametrize("builtin", BUILTINS, ids=lambda builtin: builtin.key)
def test_a_built_in_that_is_named_directly_is_defined_once(builtin: Any) -> None:
    nodes = [{"id": name, "type": "node", "node": builtin.name} for name in "st"]
    read = workflow_of(small(nodes=nodes, node_defs=[DEF]))
    assert [(each.name, each.written) for each in read.defs] == [("f", True), (builtin.name, False)]
    assert {step.outcomes for step in read.steps} == {builtin.outcomes}


@pytest.mark.parametrize(
    ("step", "outcomes"),
    [
        ({"type": "node", "node": "f"}, ("ok", "no")),
        ({"type": "node", "node": "f", "catch": [{"codes": ["node_failed"], "outcome": "lost"}]}, ("ok", "no", "lost")),
        ({"type": "node", "node": "g"}, None),
        ({"type": "condition", "check": {"op": "exists", "path": "state.a"}}, ("true", "false")),
        ({"type": "foreach", "over": "input.xs", "as": "x"}, ("item", "done")),
        ({"type": "fork", "branches": ["b", {"outcome": "a"}]}, ("b", "a")),
        ({"type": "join"}, ("ok",)),
        ({"type": "wait", "seconds": 0}, ("ok",)),
        ({"type": "interrupt", "kind": "own", "outcomes": ["x", "y"]}, ("x", "y")),
        ({"type": "subgraph", "workflow": {"name": "a"}}, ("ok",)),
        ({"type": "end", "outcome": "ok"}, ()),
    ],
)
def test_a_step_knows_its_outcomes(step: Json, outcomes: tuple[str, ...] | None) -> None:
    assert first_step(step, node_defs=[DEF]).outcomes == outcomes


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ({"type": "node", "node": "f", "retry": 3}, {"type": "node", "node": "f", "retry": {"max_attempts": 3}}),
        ({"type": "fork", "branches": ["a"]}, {"type": "fork", "branches": [{"outcome": "a", "when": None}]}),
        (
            {"type": "foreach", "over": "input.xs", "as": "x"},
            {"type": "foreach", "over": {"root": "input", "parts": ["xs"]}, "as": "x", "mode": "serial", "locals": []},
        ),
        (
            {"type": "condition", "check": {"op": "eq", "left": None, "right": True}},
            {"type": "condition", "check": {"op": "eq", "left": {"value": None}, "right": {"value": True}}},
        ),
    ],
)
def test_a_shorthand_means_its_long_form(short: Json, long: Json) -> None:
    assert same(short, long, node_defs=[DEF])


def test_a_retry_policy() -> None:
    policy = {"max_attempts": 2.0, "delay_seconds": 0.5, "max_delay_seconds": 9, "on": ["node_failed:Busy"]}
    assert only_def(retry=policy).retry == Retry(2, 0.5, 1, 9, ("node_failed:Busy",))


def test_bindings_say_where_they_stand() -> None:
    step = {
        "type": "node",
        "node": "f",
        "input": [{"target": "a.b", "path": "context.it"}, {"target": "c", "value": None}],
        "output": [{"source": ".", "target": "state.r", "on": ["no"]}],
        "catch": [{"codes": ["node_timeout", "node_failed:E"], "outcome": "late"}],
    }
    read = first_step(step, node_defs=[DEF])
    assert isinstance(read, NodeStep)
    at = read.at
    assert read.input == (
        InputBinding(LocalPath.of("a.b"), GraphSourcePath.context("it"), at),
        InputBinding(LocalPath.of("c"), Value(None), at),
    )
    assert read.output == (OutputBinding(LocalPath.root(), StatePath.of("r"), ("no",), at),)
    assert read.catch == (Catch(("node_timeout", "node_failed:E"), "late", at),)
    assert [(one.at.pointer, one.at.step, one.at.field) for one in (*read.input, *read.output, *read.catch)] == [
        ("/nodes/0/input/0", "s", "input"),
        ("/nodes/0/input/1", "s", "input"),
        ("/nodes/0/output/0", "s", "output"),
        ("/nodes/0/catch/0", "s", "catch"),
    ]


def test_a_condition_is_flat_and_knows_its_spots() -> None:
    step: Any = first_step({"type": "condition", "check": {"op": "and", "args": CHECKS}})
    assert step.check.tests == (
        Exists(GraphSourcePath.state("a")),
        Not(0),
        Compare("lt", Value(1), GraphSourcePath.input("n")),
        Every((1, 2)),
    )
    assert step.check.spots == ("/args/0/arg", "/args/0", "/args/1", "")


def test_a_built_in_kind_has_its_schemas_and_an_own_one_those_of_the_step() -> None:
    approval = first_step({"type": "interrupt", "kind": "approval", "outcomes": ["a"]})
    own = first_step({"type": "interrupt", "kind": "own", "outcomes": ["a", "b"], "resume_schemas": {"b": True}})
    assert isinstance(approval, InterruptStep) and isinstance(own, InterruptStep)
    assert approval.request_schema is not None and "prompt" in approval.request_schema.text
    assert (own.request_schema, own.resume_schema, own.resume_schemas) == (None, None, {"b": Schema.of(True)})


def test_literals_stand_where_paths_may() -> None:
    over = first_step({"type": "foreach", "over": {"value": [1, 2]}, "as": "x"})
    wait = first_step({"type": "wait", "seconds": 1.5})
    assert isinstance(over, ForeachStep) and isinstance(wait, WaitStep)
    assert (over.over, wait.seconds) == (Value([1, 2]), Value(1.5))


def test_x_keys_are_kept() -> None:
    edges = [{"from": "s", "outcome": "ok", "to": "__end__", "x-e": 1}]
    module = module_of({"workflows": [stepped({"type": "join", "x-s": 2}, edges=edges, **{"x-w": 3})], "x-m": 4})
    (read,) = module.workflows
    assert (module.extra, read.extra, read.steps[0].extra, read.edges[0].extra) == (
        {"x-m": 4},
        {"x-w": 3},
        {"x-s": 2},
        {"x-e": 1},
    )


def holed(value: Any) -> Workflow:
    """The only workflow of a document with one fault."""
    read = elaborated(value)
    assert len(read.diagnostics) == 1 and read.module is not None
    assert read.module.workflows[0].holes
    return read.module.workflows[0]


def test_a_binding_that_cannot_be_read_is_left_out() -> None:
    read = holed(
        stepped(
            {"type": "node", "node": "f", "input": [{"target": "a", "path": "$"}, {"target": "b", "value": 1}]},
            node_defs=[DEF],
        )
    )
    (step,) = read.steps
    assert isinstance(step, NodeStep)
    assert [str(binding.target) for binding in step.input] == ["b"]


def test_a_step_that_cannot_be_read_keeps_its_id() -> None:
    read = holed(stepped({"type": "wait", "seconds": "5"}))
    assert [(type(step), step.id, step.outcomes) for step in read.steps] == [(HoleStep, "s", None)]


def test_an_optional_scalar_that_cannot_be_read_costs_nothing_else() -> None:
    (step,) = holed(stepped({"type": "foreach", "over": "input.xs", "as": "x", "mode": 5})).steps
    assert isinstance(step, ForeachStep) and step.mode == "serial"


def test_a_name_that_may_be_a_lost_one_is_no_fault_of_its_own() -> None:
    lost_step = holed(small(nodes=[{"type": "join"}], edges=[{"from": "s", "outcome": "ok", "to": "t"}]))
    assert (lost_step.start, lost_step.edges) == (None, (Edge(None, "ok", None, lost_step.at),))
    lost_def = holed(stepped({"type": "node", "node": "f"}, node_defs=[{"outcomes": ["ok"]}]))
    assert isinstance(lost_def.steps[0], HoleStep)


def test_the_outcomes_of_a_definition_that_cannot_be_read_are_unknown() -> None:
    read = holed(stepped({"type": "node", "node": "f"}, node_defs=[{"name": "f", "outcomes": "ok"}]))
    assert (read.defs[0].outcomes, read.steps[0].outcomes) == ((), None)


def test_main_is_the_first_the_named_or_unknown() -> None:
    two = [small(), small(name="b")]
    assert module_of({"workflows": two}).main == 0
    assert module_of({"workflows": two, "main": "b"}).main == 1
    unknown = module_of({"workflows": two, "main": "c"})
    assert (unknown.main, unknown.unknown_main, unknown.at.pointer) == (None, "c", "")


def test_a_broken_workflow_costs_the_module_only_itself() -> None:
    read = elaborated({"workflows": [5, small(name="b")]})
    assert read.module is not None
    assert ([each.name for each in read.module.workflows], read.module.main) == (["b"], None)


def test_a_workflow_may_hold_itself() -> None:
    read = module_of(stepped({"type": "subgraph", "workflow": {"name": "a"}}))
    (step,) = read.workflows[0].steps
    assert isinstance(step, SubgraphStep) and len(read.workflows) == 1
