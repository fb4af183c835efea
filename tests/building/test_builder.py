"""The builder, row by row of what it promises: documents, conditions, bindings, children, runs."""

import asyncio
import json
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

import wfc
from wfc.ir import content_hash, encode

ECHO: dict[str, Any] = {
    "name": "echo",
    "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    "state_schema": {"type": "object", "properties": {"echoed": {"type": "string"}}},
    "output_schema": {"type": "object", "properties": {"echoed": {"type": "string"}}, "required": ["echoed"]},
    "node_defs": [
        {
            "name": "echo",
            "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
            "output_schema": {"type": "object", "properties": {"echoed": {"type": "string"}}, "required": ["echoed"]},
            "outcomes": ["ok"],
        }
    ],
    "start": "e",
    "nodes": [
        {
            "id": "e",
            "type": "node",
            "node": "echo",
            "input": [{"target": "text", "path": "input.text"}],
            "output": [{"source": "echoed", "target": "state.echoed"}],
        }
    ],
    "edges": [{"from": "e", "outcome": "ok", "to": "__end__"}],
}


class EchoOut(BaseModel):
    echoed: str


@wfc.node(outcomes=["ok"])
def echo(text: str) -> EchoOut:
    return EchoOut(echoed=text)


def echo_builder(name: str = "echo", node: Any = echo) -> wfc.WorkflowBuilder:
    b = wfc.WorkflowBuilder(
        name, input_schema={"text": str}, state_schema={"echoed": str}, output_schema={"echoed": str}
    )
    e = b.node(node, "e", text=wfc.input_path("text"), output={"echoed": wfc.state_path("echoed")})
    b.connect(e, "ok", wfc.END)
    return b


def only_step(b: wfc.WorkflowBuilder) -> Any:
    (step,) = b.to_json()["nodes"]
    return step


def test_what_is_built_is_what_is_written() -> None:
    b = echo_builder()
    assert b.to_json() == ECHO
    assert b.compile() == wfc.compile(ECHO)
    assert content_hash(b.compile()) == content_hash(wfc.compile(ECHO))


def test_it_runs_with_its_own_functions() -> None:
    run = echo_builder().execute({"text": "hi"})
    assert (run.status, run.outcome, run.output) == ("completed", "ok", {"echoed": "hi"})
    other = echo_builder().execute({"text": "hi"}, handlers={"echo/echo": lambda payload: {"echoed": "other"}})
    assert other.output == {"echoed": "other"}


def test_async_functions_need_the_async_door() -> None:
    @wfc.node(name="echo")
    async def later(text: str) -> EchoOut:
        await asyncio.sleep(0)
        return EchoOut(echoed=text)

    b = echo_builder(node=later)
    with pytest.raises(wfc.Refused, match="expected the function of the same name with `_async`"):
        b.execute({"text": "hi"})
    assert asyncio.run(b.execute_async({"text": "hi"})).output == {"echoed": "hi"}


@pytest.mark.parametrize(
    ("condition", "written"),
    [
        (
            (wfc.state_path("n") > 3) & wfc.state_path("x").exists(),
            {
                "op": "and",
                "args": [
                    {"op": "gt", "left": {"path": "state.n"}, "right": {"value": 3}},
                    {"op": "exists", "path": "state.x"},
                ],
            },
        ),
        (
            wfc.state_path("n") <= wfc.input_path("m"),
            {"op": "le", "left": {"path": "state.n"}, "right": {"path": "input.m"}},
        ),
        (
            wfc.context_path("loop_index") < 3,
            {"op": "lt", "left": {"path": "context.loop_index"}, "right": {"value": 3}},
        ),
        (wfc.state_path("a.b").ne(None), {"op": "ne", "left": {"path": "state.a.b"}, "right": {"value": None}}),
        (
            ~(wfc.literal("a") == "b"),
            {"op": "not", "arg": {"op": "eq", "left": {"value": "a"}, "right": {"value": "b"}}},
        ),
        (
            wfc.exists("state.a") | wfc.exists("state.b") | wfc.exists("state.c"),
            {"op": "or", "args": [{"op": "exists", "path": f"state.{name}"} for name in "abc"]},
        ),
        (
            wfc.any_of(wfc.exists("state.a")) | wfc.all_of(wfc.exists("state.b")),
            {
                "op": "or",
                "args": [
                    {"op": "or", "args": [{"op": "exists", "path": "state.a"}]},
                    {"op": "and", "args": [{"op": "exists", "path": "state.b"}]},
                ],
            },
        ),
    ],
)
def test_comparisons_are_conditions(condition: wfc.Expr, written: Any) -> None:
    b = wfc.WorkflowBuilder("w")
    b.condition("c", condition)
    assert only_step(b)["check"] == written


def test_a_condition_has_no_truth_of_its_own() -> None:
    with pytest.raises(TypeError, match=r"combine conditions with `&`, `|` and `~`"):
        bool(wfc.state_path("n") == 3)


def test_path_helpers_are_core_paths() -> None:
    path = wfc.state_path("a", "b.c")
    assert path.path == wfc.GraphSourcePath.state("a.b.c")
    assert path.state == wfc.StatePath.of("a", "b", "c")
    with pytest.raises(wfc.PathError):
        wfc.input_path("a-b")
    with pytest.raises(wfc.PathError):
        _ = wfc.input_path("a").state


def test_bindings() -> None:
    b = wfc.WorkflowBuilder("w")
    b.node(
        "work",
        input=[
            wfc.input_from(wfc.state_path("request"), "request"),
            wfc.input_from(wfc.GraphSourcePath.input("a"), wfc.LocalPath.of("b.c")),
            wfc.input_value(None, "nothing", extra={"x-why": 1}),
            {"target": "d", "value": [1]},
        ],
        output=[
            wfc.output_to("a", wfc.state_path("a")),
            wfc.output_to(wfc.LocalPath.root(), wfc.StatePath.of("b"), on=["ok"]),
        ],
    )
    step = only_step(b)
    assert step["input"] == [
        {"target": "request", "path": "state.request"},
        {"target": "b.c", "path": "input.a"},
        {"target": "nothing", "value": None, "x-why": 1},
        {"target": "d", "value": [1]},
    ]
    assert step["output"] == [{"source": "a", "target": "state.a"}, {"source": ".", "target": "state.b", "on": ["ok"]}]


def test_a_path_of_another_kind_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="is no path to read; expected a graph source path such as"):
        wfc.input_from(wfc.LocalPath.of("a"), "a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="is no path inside a payload; expected a local path such as"):
        wfc.output_to(wfc.StatePath.of("a"), "state.a")  # type: ignore[arg-type]


def test_older_maps_are_told_and_written_as_bindings() -> None:
    b = wfc.WorkflowBuilder("w")
    with pytest.warns(DeprecationWarning, match="is an older spelling") as told:
        b.node(
            "work", in_map={"input.a": "a", wfc.state_path("b"): "b"}, input_values={"c": 1}, out_map={".": "state.d"}
        )
    assert {warning.filename for warning in told} == {__file__}
    assert only_step(b)["input"] == [
        {"target": "a", "path": "input.a"},
        {"target": "b", "path": "state.b"},
        {"target": "c", "value": 1},
    ]
    assert only_step(b)["output"] == [{"source": ".", "target": "state.d"}]
    with pytest.warns(DeprecationWarning), pytest.raises(TypeError, match="expected one of them"):
        b.node("work", input=[], in_map={})


def test_nested_state_keeps_its_reducers() -> None:
    class Person(BaseModel):
        name: str
        tags: Annotated[list[str], wfc.StateField(reducer="wf.std.append")]

    class State(BaseModel):
        person: Person

    b = wfc.WorkflowBuilder("w", state_schema=State)
    b.end("e")
    person = b.to_json()["state_schema"]["properties"]["person"]
    assert person["properties"]["tags"] == {"type": "array", "items": {"type": "string"}, "reducer": "wf.std.append"}


def test_state_fields_with_a_configured_reducer() -> None:
    reducer = {"ref": {"source": "wf.std", "capability_key": "modulo_add"}, "config": {"modulus": 10}}
    b = wfc.WorkflowBuilder("w", state_schema={"n": wfc.StateField(type="integer", reducer=reducer)})
    b.end("e")
    assert b.to_json()["state_schema"] == {
        "type": "object",
        "properties": {"n": {"type": "integer", "reducer": reducer}},
    }


# -- children ---------------------------------------------------------------------------------------------------------


def parent_of(child: Any) -> wfc.WorkflowBuilder:
    parent = wfc.WorkflowBuilder(
        "parent",
        input_schema={"text": str},
        state_schema={"request": str, "summary": str},
        output_schema={"summary": str},
    )
    step = parent.subgraph(
        id="run_child",
        workflow=child,
        input=[wfc.input_from(wfc.input_path("text"), "text")],
        output=[wfc.output_to("echoed", wfc.state_path("summary"))],
    )
    parent.connect(step, "ok", wfc.END)
    return parent


@pytest.mark.parametrize(
    "child", [echo_builder(), echo_builder().compile(), ECHO], ids=["builder", "program", "document"]
)
def test_a_childs_contract_is_copied(child: Any) -> None:
    b = wfc.WorkflowBuilder("parent")
    step = b.subgraph("run_child", child)
    assert step.to_json() == {
        "id": "run_child",
        "type": "subgraph",
        "workflow": {"name": "echo"},
        "outcomes": ["ok"],
        "input_schema": ECHO["input_schema"],
        "output_schema": ECHO["output_schema"],
    }
    assert (step.outcomes, step.input_schema, step.output_schema) == (
        ("ok",),
        ECHO["input_schema"],
        ECHO["output_schema"],
    )


def test_a_prepared_child_runs_with_its_functions() -> None:
    child = echo_builder()
    parent = parent_of(child)
    parent.prepare_subgraph(child)
    assert parent.execute({"text": "hi"}).output == {"summary": "hi"}
    written = {**parent_of("echo").to_json()}
    assert content_hash(parent.compile()) == content_hash(wfc.compile({"workflows": [written, ECHO]}))


def test_a_prepared_child_brings_its_reducers_to_runs_and_to_answers() -> None:
    longest = wfc.Reducer(
        "own.longest",
        True,
        ("string",),
        merge=lambda current, new, config: max(current, new, key=len),
        first=lambda new, config: new,
    )
    child = wfc.WorkflowBuilder(
        "child",
        input_schema={"text": str},
        state_schema={"echoed": wfc.StateField(type=str, reducer="own.longest")},
        output_schema={"echoed": str},
        reducers=[longest],
    )
    kept = {"echoed": wfc.state_path("echoed")}
    said = child.node(echo, "said", text=wfc.input_path("text"), output=kept)
    ask = child.interrupt("ask", "text_input", ["ok"], prompt="?", resume={"text": wfc.state_path("echoed")})
    child.connect(said, "ok", ask)
    again = child.node(echo, "again", text="b", output=kept)
    child.connect(ask, "ok", again)
    child.connect(again, "ok", wfc.END)
    parent = parent_of(child)
    parent.prepare_subgraph(child)
    waiting = parent.execute({"text": "bb"})
    for answer, longer in (("a", "bb"), ("aaa", "aaa")):
        assert parent.resume(waiting, outcome="ok", payload={"text": answer}).output == {"summary": longer}


def test_children_of_children_are_prepared_with_them() -> None:
    child, middle = (
        echo_builder(),
        wfc.WorkflowBuilder("middle", input_schema={"text": str}, output_schema={"echoed": str}),
    )
    middle = wfc.WorkflowBuilder(
        "middle", input_schema={"text": str}, state_schema={"echoed": str}, output_schema={"echoed": str}
    )
    bound: Any = {"input": {"text": wfc.input_path("text")}, "output": {"echoed": wfc.state_path("echoed")}}
    middle.connect(middle.subgraph("inner", child, **bound), "ok", wfc.END)
    middle.prepare_subgraph(child)
    parent = parent_of(middle)
    parent.prepare_subgraph(middle)
    assert parent.execute({"text": "deep"}).output == {"summary": "deep"}


def test_an_unprepared_child_fails_before_the_first_step() -> None:
    run = parent_of(echo_builder()).execute({"text": "hi"})
    assert run.status == "failed"
    assert run.error is not None
    assert run.error.code == "capability_unavailable"
    assert run.trace == ()


def test_a_child_that_nobody_knows_is_a_finding() -> None:
    with pytest.raises(wfc.CompileError, match="WF700"):
        parent_of("nobody").compile()


def test_a_reference_to_an_artifact() -> None:
    step = wfc.subgraph_ref(
        "run_child", echo_builder(), workflow_ref=wfc.WorkflowRef(artifact_id="demo_child", version=1)
    )
    assert step.to_json()["workflow"] == {"artifact_id": "demo_child", "version": 1}
    b = wfc.WorkflowBuilder("parent")
    assert b.add(step) is step
    assert b.to_json()["nodes"] == [step.to_json()]


def test_a_question_is_asked_and_answered() -> None:
    b = wfc.WorkflowBuilder(
        "ask", state_schema={"approved": bool}, output_schema={"approved": bool}, outcomes=["ok", "no"]
    )
    ask = b.interrupt(
        "ask", "approval", ["yes", "no"], prompt="Go on?", resume={"approved": wfc.state_path("approved")}
    )
    b.connect(ask, "yes", wfc.END)
    b.connect(ask, "no", b.end("stop", "no"))
    run = b.execute({})
    assert run.interrupt is not None
    assert run.interrupt.payload == {"prompt": "Go on?"}
    with pytest.raises(wfc.Refused):
        b.resume(run, outcome="maybe")
    done = b.resume(run, outcome="yes", payload={"approved": True})
    assert (done.status, done.output) == ("completed", {"approved": True})
    assert asyncio.run(b.resume_async(run, outcome="yes", payload={"approved": False})).output == {"approved": False}


def test_an_opaque_child_hides_its_steps() -> None:
    parent = wfc.WorkflowBuilder("parent", state_schema={"echoed": str}, output_schema={"echoed": str})
    child = parent.node(
        wfc.subgraph_node(echo_builder()), "child", text="hi", output={"echoed": wfc.state_path("echoed")}
    )
    parent.connect(child, "ok", wfc.END)
    run = parent.execute({})
    assert run.output == {"echoed": "hi"}
    assert [entry["step"] for entry in run.trace] == ["child"]
    for wrapper in (wfc.subgraph_node, wfc.async_subgraph_node):
        assert "hides" in str(wrapper.__doc__)
    assert "the steps of the child are not in the trace" in " ".join(str(wfc.subgraph_node.__doc__).split())


def test_an_opaque_child_tells_its_error_and_cannot_ask() -> None:
    asking = wfc.WorkflowBuilder("asking")
    asking.connect(asking.interrupt("ask", "approval", ["ok"], prompt="?"), "ok", wfc.END)
    failing = wfc.WorkflowBuilder("failing")
    failing.connect(failing.node("wf.std.fail", "f", message="boom"), "ok", wfc.END)
    for child, type_ in ((asking, "interrupted"), (failing, "node_failed")):
        parent = wfc.WorkflowBuilder("parent")
        parent.connect(parent.node(wfc.async_subgraph_node(child)), "ok", wfc.END)
        run = asyncio.run(parent.execute_async({}))
        assert run.error is not None
        assert (run.error.code, run.error.type) == ("node_failed", type_)


def test_a_default_is_a_condition_and_identities() -> None:
    b = wfc.WorkflowBuilder(
        "w",
        input_schema={"type": "object", "properties": {"n": {"type": "integer"}}},
        state_schema={"n": int},
        output_schema={"n": int},
    )
    b.connect(b.default(wfc.input_path("n"), 7, wfc.state_path("n")), "ok", wfc.END)
    document = b.to_json()
    assert [(step["id"], step["type"], step.get("node")) for step in document["nodes"]] == [
        ("default", "condition", None),
        ("default_value", "node", "wf.std.identity"),
        ("default_path", "node", "wf.std.identity"),
    ]
    assert b.execute({}).output == {"n": 7}
    assert b.execute({"n": 1}).output == {"n": 1}


def test_a_default_in_place_needs_one_identity() -> None:
    b = wfc.WorkflowBuilder("w", state_schema={"n": int, "m": int}, output_schema={"n": int})
    end = b.end("end")
    b.start(b.default(wfc.state_path("n"), 7, wfc.state_path("n"), id="n"))
    b.connect("n", True, end)
    b.connect("n_value", "ok", end)
    assert [step["id"] for step in b.to_json()["nodes"]] == ["end", "n", "n_value"]
    assert b.execute({}).output == {"n": 7}


def test_reducers_of_python_come_along() -> None:
    longest = wfc.Reducer(
        "own.longest",
        True,
        ("string",),
        merge=lambda current, new, config: max(current, new, key=len),
        first=lambda new, config: new,
    )
    b = wfc.WorkflowBuilder(
        "w", state_schema={"t": wfc.StateField(type=str, reducer="own.longest")}, reducers=[longest]
    )
    assert [one.name for one in b.reducers] == ["own.longest"]
    write: Any = {"output": {"value": wfc.state_path("t")}}
    b.connect(b.node("wf.std.identity", "first", value="bb", **write), "ok", "second")
    b.connect(b.node("wf.std.identity", "second", value="a", **write), "ok", wfc.END)
    assert b.execute({}).state == {"t": "bb"}
    assert b.to_json()["state_schema"]["properties"]["t"] == {"type": "string", "reducer": "own.longest"}
    assert '"reducer":"own.longest"' in encode(b.compile())


def test_one_name_stands_for_one_function() -> None:
    @wfc.node(name="echo")
    def other(text: str) -> EchoOut:
        return EchoOut(echoed=text)

    b = echo_builder()
    with pytest.raises(ValueError, match="`echo` stands for another function already"):
        b.node(other)
    with pytest.raises(TypeError, match="is no node; expected a function marked with"):
        b.node(len)


@pytest.mark.parametrize("name", ["count", "wf.std.count", "drive.files.count", "files/count"])
def test_a_step_without_an_id_is_named_after_its_node(name: str) -> None:
    b = wfc.WorkflowBuilder("w")
    b.node(name)
    assert (only_step(b)["id"], only_step(b)["node"]) == ("count", name)


def test_what_was_given_is_not_looked_at_again() -> None:
    value = {"a": [1]}
    b = wfc.WorkflowBuilder("w")
    b.node("work", x=value)
    value["a"].append(2)
    assert only_step(b)["input"] == [{"target": "x", "value": {"a": [1]}}]
    json.dumps(b.to_json())


def test_the_usual_bindings_of_a_node_stand_at_its_use_and_are_judged_there() -> None:
    @wfc.node(input={"text": wfc.input_path("text")}, output={"echoed": "state.echoed"})
    def usual(text: str) -> EchoOut:
        return EchoOut(echoed=text)

    b = wfc.WorkflowBuilder("w", input_schema={"text": str})
    b.connect(b.node(usual), "ok", wfc.END)
    assert only_step(b)["input"] == [{"target": "text", "path": "input.text"}]
    assert only_step(b)["output"] == [{"source": "echoed", "target": "state.echoed"}]
    (found,) = (one for one in b.check().diagnostics if one.severity == "error")
    assert (found.code.code, found.at.pointer) == ("WF307", "/nodes/0/output/0/target")
    b.node(usual, "own", text="a", output=[])
    own = b.to_json()["nodes"][1]
    assert (own["input"], own["output"]) == ([{"target": "text", "value": "a"}], [])


def test_paths_are_types_of_fields() -> None:
    class Binding(BaseModel):
        source: wfc.LocalPath
        target: wfc.StatePath

    path = {"root": "state", "parts": ["a"]}
    made = [
        Binding.model_validate({"source": "b.c", "target": one}) for one in ("state.a", path, wfc.StatePath.of("a"))
    ]
    assert {(one.source, one.target) for one in made} == {(wfc.LocalPath.of("b.c"), wfc.StatePath.of("a"))}
    assert made[0].model_dump() == {"source": "b.c", "target": "state.a"}
    with pytest.raises(ValueError, match="expected a state path such as"):
        Binding.model_validate({"source": "b", "target": "input.a"})
    schema = Binding.model_json_schema()["properties"]["target"]
    assert (schema["type"], schema["pattern"]) == ("string", r"^state(\.[A-Za-z_][A-Za-z0-9_]*)+$")
