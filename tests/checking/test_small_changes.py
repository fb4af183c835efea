"""One change to a small sound workflow gives exactly the findings that it deserves, or none: reference 1, rule by rule.

Errors and warnings are compared as `CODE POINTER`; the words are those without which nobody could repair it.
"""

from __future__ import annotations

from typing import Any

import pytest

import wfc
from wfc.diagnostics import Severity
from wfc.edits import apply_patch

Json = dict[str, Any]

TEXT: Json = {"type": "string"}


def record(*required: str, **properties: Any) -> Json:
    return {"type": "object", "properties": properties, "required": list(required)}


def states(**properties: Any) -> Json:
    return {"type": "object", "properties": properties}


ECHO: Json = {
    "name": "echo",
    "input_schema": record("text", text=TEXT),
    "state_schema": states(echoed=TEXT),
    "output_schema": record("echoed", echoed=TEXT),
    "outcomes": ["ok"],
    "node_defs": [
        {
            "name": "echo",
            "input_schema": record("text", text=TEXT) | {"additionalProperties": False},
            "output_schema": record("echoed", echoed=TEXT),
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


def put(place: str, value: Any) -> Json:
    return {"op": "add", "path": place, "value": value}


def reading(path: Any) -> Json:
    """ECHO that reads another path."""
    return changed(put("/nodes/0/input/0/path", path))


def writing(*bindings: tuple[str, Any], **declared: Any) -> Json:
    """ECHO that writes more of what comes back, to more that is declared."""
    more = [put("/nodes/0/output/-", {"source": source, "target": target}) for source, target in bindings]
    return changed(*more, *(put(f"/state_schema/properties/{name}", schema) for name, schema in declared.items()))


def without(place: str) -> Json:
    return changed({"op": "remove", "path": place})


def changed(*patch: Json) -> Json:
    made: Json = apply_patch(ECHO, patch)
    return made


def only(step: Json, *outcomes: str, **more: Any) -> Json:
    """A workflow of one step whose outcomes lead to the end."""
    edges = [{"from": "s", "outcome": outcome, "to": "__end__"} for outcome in outcomes or ("ok",)]
    return {"name": "w", "start": "s", "nodes": [{"id": "s", **step}], "edges": edges, **more}


def choice(check: Any, **more: Any) -> Json:
    return only({"type": "condition", "check": check}, "true", "false", **more)


def loop(**more: Any) -> Json:
    """A loop with one step in its body."""
    each = {"id": "s", "type": "foreach", "over": {"value": ["a"]}, "as": "x", **more}
    edges = [("s", "item", "b"), ("b", "ok", "s"), ("s", "done", "__end__")]
    return {
        "name": "w",
        "start": "s",
        "nodes": [each, {"id": "b", "type": "wait", "seconds": 0}],
        "edges": [{"from": source, "outcome": outcome, "to": target} for source, outcome, target in edges],
    }


def bound(*bindings: Json) -> Json:
    """One call of a built-in node that takes any fields."""
    return only({"type": "node", "node": "wf.std.record", "input": list(bindings)}, input_schema=record("a", a=TEXT))


def kept(*bindings: tuple[str, str]) -> Json:
    """One call whose output is an object, which is written by these bindings."""
    output = [{"source": source, "target": target} for source, target in bindings]
    made = record("user", "a", user=record("name", name=TEXT), a=TEXT)
    return only(
        {"type": "node", "node": "make", "output": output},
        node_defs=[{"name": "make", "outcomes": ["ok"], "output_schema": made}],
        state_schema=states(person={"type": "object"}, n={}),
        output_schema=states(person={}, n={}),
    )


def asking(**more: Any) -> Json:
    return only({"type": "interrupt", "kind": "own", "resume_schema": {}, "outcomes": ["ok"], **more}) | {
        "state_schema": states(a={}),
        "output_schema": states(a={}),
    }


def parent(workflow: Any = "child", child: str = "child", **more: Any) -> Json:
    step = {"id": "s", "type": "subgraph", "workflow": workflow if workflow != "child" else {"name": child}, **more}
    inner = {
        "name": child,
        "output_schema": record("a", "b", a={}, b={}),
        "state_schema": states(a={"default": 1}, b={"default": 2}),
        "start": "x",
        "nodes": [{"id": "x", "type": "end", "outcome": "ok"}],
    }
    outer = only(step, state_schema=states(a={}), output_schema=states(a={}))
    return {"workflows": [outer, inner]}


REFERENCE = "/workflows/0/nodes/0/workflow"
READ, WROTE = "/nodes/0/input/0/path", "/nodes/0/output/1/target"
GRAPH = "expected a graph source path such as `input.name`, `state.name` or `context.loop_item`"
STATE = "expected a state path such as `state.name`"
LOCAL = "expected a local path such as `user.name`, or `.` for the whole payload"

SOUND: list[tuple[str, Json]] = [
    ("everything is said", ECHO),
    ("outcomes are left out", without("/outcomes")),
    ("a definition with an effect, a retry and a timeout",
     changed(put("/node_defs/0/effects", "read"), put("/node_defs/0/retry", 2),
             put("/node_defs/0/timeout_seconds", 3))),
    ("a definition without an output schema", without("/node_defs/0/output_schema")),
    ("one definition at two places, each with bindings of its own",
     changed(put("/nodes/-", {"id": "f", "type": "node", "node": "echo", "desc": "once more",
                              "input": [{"target": "text", "path": "state.echoed"}],
                              "output": [{"source": "echoed", "target": "state.echoed"}]}),
             put("/edges/0/to", "f"), put("/edges/-", {"from": "f", "outcome": "ok", "to": "__end__"}))),
    ("a step with a description, a retry and a timeout",
     changed(put("/node_defs/0/effects", "read"), put("/nodes/0/desc", "say it"), put("/nodes/0/retry", 2),
             put("/nodes/0/timeout_seconds", 3))),
    ("a condition", choice({"op": "exists", "path": "input.a"})),
    ("a join with nothing but its id", only({"type": "join"})),
    ("a loop", loop(mode="parallel", on_item_error="skip")),
    ("a child by name", parent({"name": "child"})),
    ("a child by its version", parent({"artifact_id": "child", "version": 1})),
    ("a key that no path could name", changed(put("/input_schema/properties/first-name", TEXT))),
    ("a schema with a word that is none of JSON Schema's", changed(put("/input_schema", {"text": "string"}))),
    ("a structural path", reading({"root": "input", "parts": ["text"]})),
    ("reads that overlap, into a payload",
     bound({"target": "all", "path": "input"}, {"target": "a", "path": "input.a"})),
    ("reads that overlap, out of an output", kept(("user", "state.person"), ("user.name", "state.n"))),
    ("an undeclared path below a declared root",
     writing(("echoed", "state.person.nick"), person={"type": "object"})
     | {"output_schema": record("echoed", echoed=TEXT, person={})}),
    ("a reducer by its name", changed(put("/state_schema/properties/echoed/reducer", "wf.std.max"))),
    ("a reducer by reference with its config",
     changed(put("/node_defs/0/output_schema/properties/n", {"type": "integer"}),
             put("/node_defs/0/output_schema/required/-", "n"), put("/output_schema/properties/n", {}),
             put("/nodes/0/output/-", {"source": "n", "target": "state.n"}),
             put("/state_schema/properties/n", {
                 "type": "integer", "default": 0,
                 "reducer": {"ref": {"source": "wf.std", "capability_key": "modulo_add"}, "config": {"modulus": 10}},
             }))),
    ("a kind of one's own without a schema", only({"type": "interrupt", "kind": "survey", "outcomes": ["ok"],
                                                   "request": [{"target": "q", "value": "?"}]})),
]  # fmt: skip

FAULTY: list[tuple[str, Json, list[str], tuple[str, ...]]] = [
    # 1.2 to 1.4: what documents hold
    ("no start", without("/start"), ["WF011 "], ("`start`",)),
    ("bindings of the workflow itself", changed(put("/output", [{"source": "echoed", "target": "state.echoed"}])),
     ["WF010 /output"], ("`output`",)),
    ("a definition without outcomes", without("/node_defs/0/outcomes"), ["WF011 /node_defs/0"], ("`outcomes`",)),
    ("a definition with no outcome", changed(put("/node_defs/0/outcomes", [])), ["WF012 /node_defs/0/outcomes"], ()),
    ("a condition without a check", only({"type": "condition"}, "true", "false"), ["WF011 /nodes/0"], ("`check`",)),
    ("another mode", loop(mode="batch"), ["WF012 /nodes/0/mode"], ("`serial`, `parallel`",)),
    ("another way with errors", loop(on_item_error="ignore"), ["WF012 /nodes/0/on_item_error"],
     ("`fail`, `collect`, `skip`",)),
    ("a join that says how", only({"type": "join", "merge": "x"}), ["WF010 /nodes/0/merge"], ("join step",)),
    ("another type of step", loop(type="loop"), ["WF018 /nodes/0/type"],
     ("`node`, `condition`, `foreach`, `fork`, `join`, `wait`, `interrupt`, `subgraph`, `end`",)),
    ("an edge that leads nowhere", without("/edges/0/to"), ["WF011 /edges/0"], ("`from`, `outcome`, `to`",)),
    ("an edge that says `from_`", changed(put("/edges/0", {"from_": "e", "outcome": "ok", "to": "__end__"}),
                                         {"op": "remove", "path": "/edges/1"}),
     ["WF010 /edges/0/from_"], ("`from`",)),
    ("no type of JSON Schema", changed(put("/node_defs/0/input_schema/type", "strng")),
     ["WF016 /node_defs/0/input_schema/type"], ("`string`",)),
    ("a workflow schema that is true", changed(put("/input_schema", True)), ["WF016 /input_schema"], ("object",)),
    ("a binding with a description", changed(put("/nodes/0/input/0/desc", "x")), ["WF010 /nodes/0/input/0/desc"], ()),
    ("a reference to nothing", parent({}), [f"WF013 {REFERENCE}"], ("`name` or `artifact_id` with `version`",)),
    ("a reference to both", parent({"name": "child", "artifact_id": "a", "version": 1}), [f"WF013 {REFERENCE}"], ()),
    ("an artifact without a version", parent({"artifact_id": "a"}), [f"WF011 {REFERENCE}"], ("`version`",)),
    ("a version of nothing", parent({"version": 1}), [f"WF011 {REFERENCE}"], ("`artifact_id`",)),
    ("a reference with handlers", parent({"name": "child", "handlers": {}}), [f"WF010 {REFERENCE}/handlers"], ()),
    ("a reference into a deployment", parent({"artifact_id": "c", "version": 1, "deployment_id": "d"}),
     [f"WF010 {REFERENCE}/deployment_id"], ()),
    ("an alias of two segments", loop(**{"as": "a.b"}), ["WF015 /nodes/0/as"], ("`a.b`",)),
    # 1.5: paths
    ("a read of the output", reading("output.x"), [f"WF021 {READ}"], (GRAPH,)),
    ("a read of another step", reading("e.echoed"), [f"WF021 {READ}"], (GRAPH,)),
    ("a read without a root", reading("foo"), [f"WF021 {READ}"], (GRAPH,)),
    ("a read of a local path", reading({"root": "local", "parts": ["text"]}), [f"WF021 {READ}"], (GRAPH,)),
    ("a dash", reading("state.user-name"), [f"WF020 {READ}"], ("`user-name` in", GRAPH)),
    ("a key that JSON Schema may have and no path",
     changed(put("/input_schema/properties/first-name", TEXT), put("/nodes/0/input/0/path", "input.first-name")),
     [f"WF020 {READ}"], ("`first-name` in",)),
    ("an empty segment", reading("input..text"), [f"WF020 {READ}"], (GRAPH,)),
    ("a dot before it", reading(".text"), [f"WF020 {READ}"], (GRAPH,)),
    ("a dot behind it", reading("state."), [f"WF020 {READ}"], (GRAPH,)),
    ("brackets", reading('input["text"]'), [f"WF020 {READ}"], (GRAPH,)),
    ("an index", reading("input.items.0"), [f"WF020 {READ}"], ("`0` in", "`wf.std.index`")),
    ("an index further in", reading("state.person.occupations.1.title"), [f"WF020 {READ}"], ("`1` in",)),
    ("a segment with a dot in it", reading({"root": "input", "parts": ["a.b"]}), [f"WF020 {READ}"], ("`a.b`",)),
    ("a well formed path that leads nowhere", reading("input.nope"), [f"WF305 {READ}"], ("`nope`", "`input.text`")),
    ("an empty segment of a target", changed(put("/nodes/0/input/0/target", "user..name")),
     ["WF020 /nodes/0/input/0/target"], (LOCAL,)),
    ("brackets in a target", changed(put("/nodes/0/input/0/target", 'user["name"]')),
     ["WF020 /nodes/0/input/0/target"], (LOCAL,)),
    ("a write to all of state", writing((".", "state")), [f"WF021 {WROTE}"], (STATE,)),
    ("a write to context", writing(("echoed", "context.x")), [f"WF021 {WROTE}"], (STATE,)),
    ("a write to input", writing(("echoed", "input.x")), [f"WF021 {WROTE}"], (STATE,)),
    ("a write to a local path", writing(("echoed", "x")), [f"WF021 {WROTE}"], (STATE,)),
    ("a write to a local path, structurally", writing(("echoed", {"root": "local", "parts": ["x"]})),
     [f"WF021 {WROTE}"], (STATE,)),
    # 1.5: bindings
    ("path and value", changed(put("/nodes/0/input/0/value", 1)), ["WF013 /nodes/0/input/0"], ("`path` or `value`",)),
    ("neither path nor value", without("/nodes/0/input/0/path"), ["WF013 /nodes/0/input/0"], ("`path` or `value`",)),
    ("an empty binding", changed(put("/nodes/0/input", [{}])), ["WF011 /nodes/0/input/0", "WF013 /nodes/0/input/0"],
     ("`target`",)),
    ("a write without a source", without("/nodes/0/output/0/source"), ["WF011 /nodes/0/output/0"], ("`source`",)),
    ("a default", changed(put("/nodes/0/input/0/default", 1)), ["WF010 /nodes/0/input/0/default"], ()),
    ("a target that looks like state", changed(put("/node_defs/0/input_schema", {"type": "object"}),
                                              put("/nodes/0/input/0/target", "state.x")),
     ["WF313 /nodes/0/input/0/target"], ("no field `state`", "without `state.`")),
    ("a misspelt target", changed(put("/nodes/0/input/0/target", "txet")), ["WF300 /nodes/0/input/0/target"],
     ("`text`",)),
    ("a misspelt source", changed(put("/nodes/0/output/0/source", "ecohed")), ["WF306 /nodes/0/output/0/source"],
     ("`echoed`",)),
    ("nothing where something is required", changed(put("/nodes/0/input", [])), ["WF301 /nodes/0"], ("`text`",)),
    ("the whole payload with company", bound({"target": ".", "path": "input"}, {"target": "x", "value": 1}),
     ["WF303 /nodes/0/input/1/target"], ("`.` and `x`",)),
    ("one target twice", bound({"target": "t", "value": 1}, {"target": "t", "value": 2}),
     ["WF303 /nodes/0/input/1/target"], ("`t` twice",)),
    ("a target in another", bound({"target": "u", "path": "input"}, {"target": "u.n", "path": "input.a"}),
     ["WF303 /nodes/0/input/1/target"], ("`u` and `u.n`",)),
    ("a target in another, the other way round",
     bound({"target": "u.n", "path": "input.a"}, {"target": "u", "path": "input"}),
     ["WF303 /nodes/0/input/1/target"], ("`u.n` and `u`",)),
    ("one place twice", kept(("a", "state.n"), ("user.name", "state.n")), ["WF304 /nodes/0/output/1/target"],
     ("`state.n` twice",)),
    ("a place in another", kept(("user", "state.person"), ("user.name", "state.person.name")),
     ["WF304 /nodes/0/output/1/target"], ("`state.person` and `state.person.name`",)),
    ("a place in another, the other way round", kept(("user.name", "state.person.name"), ("user", "state.person")),
     ["WF304 /nodes/0/output/1/target"], ("`state.person.name` and `state.person`",)),
    ("overlaps in a request", asking(request=[{"target": "t", "value": 1}, {"target": "t.u", "value": 2}],
                                    resume=[{"source": "a", "target": "state.a"}]),
     ["WF303 /nodes/0/request/1/target"], ()),
    ("overlaps in an answer", asking(resume=[{"source": name, "target": "state.a"} for name in "ab"]),
     ["WF304 /nodes/0/resume/1/target"], ()),
    ("overlaps into a child", parent(input=[{"target": "a", "value": 1}, {"target": "a.b", "value": 2}],
                                    output=[{"source": "a", "target": "state.a"}]),
     ["WF303 /workflows/0/nodes/0/input/1/target"], ()),
    ("overlaps out of a child", parent(output=[{"source": name, "target": "state.a"} for name in "ab"]),
     ["WF304 /workflows/0/nodes/0/output/1/target"], ()),
    ("what the definition does not declare", writing(("debug", "state.d"), d={}) | {
        "output_schema": record("echoed", echoed=TEXT, d={})},
     ["WF306 /nodes/0/output/1/source"], ("`debug`",)),
    # 1.6: state
    ("a write to an undeclared root", writing(("echoed", "state.zzz")), [f"WF307 {WROTE}"], ("`state.zzz`",)),
    ("a reducer of a definition", changed(put("/node_defs/0/reducer", "wf.std.max")),
     ["WF010 /node_defs/0/reducer"], ()),
    ("a reducer of a binding", changed(put("/nodes/0/output/0/reducer", "wf.std.max")),
     ["WF010 /nodes/0/output/0/reducer"], ()),
    ("a misspelt reducer", changed(put("/state_schema/properties/echoed/reducer", "wf.std.mx")),
     ["WF410 /state_schema/properties/echoed/reducer"], ("`wf.std.mx`", "`wf.std.max`")),
    ("a number as a reducer", changed(put("/state_schema/properties/echoed/reducer", 7)),
     ["WF410 /state_schema/properties/echoed/reducer"], ()),
    # 1.8: conditions
    ("code as a condition", choice("state.n > 3"), ["WF012 /nodes/0/check"], ("an object with `op`",)),
    ("another operator", choice({"op": "matches", "left": 1, "right": 2}), ["WF012 /nodes/0/check/op"],
     ("`and`, `or`, `not`, `exists`, `eq`, `ne`, `lt`, `le`, `gt`, `ge`",)),
    ("a condition on a path without a root", choice({"op": "exists", "path": "foo.bar"}),
     ["WF021 /nodes/0/check/path"], (GRAPH,)),
    ("a condition on an unknown input",
     choice({"op": "exists", "path": "input.nope"}, input_schema=record() | {"additionalProperties": False}),
     ["WF305 /nodes/0/check/path"], ("`nope`",)),
    ("a condition on an unknown state",
     choice({"op": "eq", "left": {"path": "state.nope"}, "right": 1}, state_schema=states(a={}),
            output_schema=states(a={})),
     ["WF305 /nodes/0/check/left/path"], ("`nope`",)),
    ("a condition on an unknown context", choice({"op": "eq", "left": {"path": "context.nope"}, "right": 1}),
     ["WF309 /nodes/0/check/left/path"], ("`context.nope`",)),
    ("a condition that writes", only({"type": "condition", "check": {"op": "exists", "path": "input.a"},
                                     "output": []}, "true", "false"),
     ["WF010 /nodes/0/output"], ("condition step",)),
    ("a condition with one edge", only({"type": "condition", "check": {"op": "exists", "path": "input.a"}}, "true"),
     ["WF108 /nodes/0"], ("`false`",)),
]  # fmt: skip


def found(document: Json) -> list[wfc.Diagnostic]:
    return [one for one in wfc.check(document).diagnostics if one.severity is not Severity.NOTE]


@pytest.mark.parametrize("document", [pytest.param(document, id=name) for name, document in SOUND])
def test_it_is_sound(document: Json) -> None:
    assert [f"{one.code.code} {one.at.pointer}: {one.message}" for one in found(document)] == []


@pytest.mark.parametrize(("document", "findings", "words"), [pytest.param(*told, id=name) for name, *told in FAULTY])
def test_it_is_told(document: Json, findings: list[str], words: tuple[str, ...]) -> None:
    told = found(document)
    assert [f"{one.code.code} {one.at.pointer}" for one in told] == findings
    said = f"{told[0].message}; {told[0].help}"
    assert [word for word in words if word not in said] == []


@pytest.mark.parametrize("name", ["a target in another", "a place in another"])
def test_an_overlap_names_both_bindings(name: str) -> None:
    (document,) = (document for each, document, *_ in FAULTY if each == name)
    (told,) = found(document)
    assert [(one.role, one.at.pointer) for one in told.related] == [
        ("conflicts", told.at.pointer.replace("/1/", "/0/"))
    ]
