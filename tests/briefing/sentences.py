"""What each sentence of the language card allows and forbids, as workflows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import wfc
from wfc.briefing import filled
from wfc.briefing.card import EXAMPLE_CAPABILITIES, FIRST_EXAMPLE, SECOND_EXAMPLE
from wfc.diagnostics import Severity
from wfc.ir import CATCHABLE

KNOWN = {one.name: one for one in EXAMPLE_CAPABILITIES}
Change = Callable[[dict[str, Any]], Any]


def found(document: Any) -> set[str]:
    """Codes of errors and warnings, once the catalogue has had its say."""
    report = wfc.check(filled(json.loads(json.dumps(document)), KNOWN))
    return {one.code.code for one in report.diagnostics if one.severity is not Severity.NOTE}


def changed(example: dict[str, Any], change: Change) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(example))
    change(copy)
    return copy


def step(document: dict[str, Any], id: str) -> dict[str, Any]:
    return next(one for one in document["nodes"] if one["id"] == id)


def edge(document: dict[str, Any], source: str, outcome: str) -> dict[str, Any]:
    return next(one for one in document["edges"] if (one["from"], one["outcome"]) == (source, outcome))


def node(id: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "type": "node", "node": name, **fields}


def line(*steps: dict[str, Any], state: Any = None, **fields: Any) -> dict[str, Any]:
    """A workflow of steps one after the other, each by its first outcome."""
    outcomes = {"condition": "true", "interrupt": None}
    targets = [*(one["id"] for one in steps[1:]), "__end__"]
    edges = []
    for one, target in zip(steps, targets, strict=True):
        first = one["outcomes"][0] if one["type"] == "interrupt" else outcomes.get(one["type"], "ok")
        edges.append({"from": one["id"], "outcome": first, "to": target})
    schema = {"type": "object", "properties": state or {}}
    schemas = {"state_schema": schema, "output_schema": schema}
    return {"name": "line", **schemas, "start": steps[0]["id"], "nodes": steps, "edges": edges, **fields}


def with_a_field_of_each_item(document: dict[str, Any]) -> None:
    """Every item writes a field of its own and reads it in the next step."""
    document["state_schema"]["properties"]["t"] = {"type": "string"}
    step(document, "read")["output"][0]["target"] = "state.t"
    read = [{"target": "value", "path": "state.t"}]
    document["nodes"].append(
        node("keep", "wf.std.identity", input=read, output=[{"source": "value", "target": "state.texts"}])
    )
    edge(document, "read", "ok")["to"] = "keep"
    document["edges"].append({"from": "keep", "outcome": "ok", "to": "each"})
    step(document, "each")["locals"] = ["state.t"]


LOCAL = changed(FIRST_EXAMPLE, with_a_field_of_each_item)


READ = node("read", "fs.read_file", input=[{"target": "path", "value": "a"}])
TEXT = {"type": "string"}


def value(content: Any, target: str, **binding: Any) -> dict[str, Any]:
    """A step that writes a value."""
    output = [{"source": "value", "target": target, **binding}]
    return node("make", "wf.std.identity", input=[{"target": "value", "value": content}], output=output)


def asks(**fields: Any) -> dict[str, Any]:
    request = [{"target": "prompt", "value": "?"}]
    return {"id": "ask", "type": "interrupt", "kind": "text_input", "request": request, "outcomes": ["said"], **fields}


def with_a_read(document: dict[str, Any]) -> None:
    """The other branch reads a file in the place of the wait."""
    document["state_schema"]["properties"]["a"] = TEXT
    document["output_schema"] = {"type": "object", "properties": {"a": TEXT, "why": TEXT}, "required": ["why"]}
    document["node_defs"].append({"name": "fs.read_file"})
    document["nodes"][1] = {**READ, "id": "rest", "output": [{"source": "content", "target": "state.a"}]}


BOTH = changed(SECOND_EXAMPLE, with_a_read)
CHILD = {**line({"id": "stop", "type": "end", "outcome": "ok"}), "name": "child", "edges": []}


def with_schemas(**fields: Any) -> dict[str, Any]:
    """Two outcomes with fields of their own, or what else a definition has."""
    text, number = (
        {"type": "object", "properties": {"c": one}, "required": ["c"]} for one in (TEXT, {"type": "integer"})
    )
    find = {"name": "find", "output_schema": text, "outcomes": ["ok", "none"], "effects": "read", **fields}
    find.setdefault("outcome_schemas", {"none": number})
    writes = [
        {"source": "c", "target": "state.a", "on": ["ok"]},
        {"source": "c", "target": "state.n", "on": ["none"]},
    ]
    document = line(node("find", "find", output=writes), state={"a": TEXT, "n": {"type": "integer"}}, node_defs=[find])
    document["edges"].append({"from": "find", "outcome": "none", "to": "__end__"})
    return document


def survey(*, of: str) -> dict[str, Any]:
    """A question of an own kind, in which one answer has fields of its own."""
    given = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    resume = [
        {"source": "n", "target": "state.n", "on": ["said"]},
        {"source": "n", "target": "state.m", "on": ["other"]},
    ]
    own = {"resume_schema": given, "resume_schemas": {of: given}, "outcomes": ["said", "other"]}
    ask = asks(kind="survey", resume=resume, **own)
    document = line(ask, state={"n": {"type": "integer"}, "m": {"type": "integer"}})
    document["edges"].append({"from": "ask", "outcome": "other", "to": "__end__"})
    return document


def collecting(*sources: str) -> dict[str, Any]:
    def change(document: dict[str, Any]) -> None:
        for name in sources:
            document["state_schema"]["properties"][name] = {}
            document["output_schema"]["properties"][name] = {}
        output = [{"source": name, "target": f"state.{name}"} for name in sources]
        step(document, "each").update(on_item_error="collect", output=output)

    return changed(FIRST_EXAMPLE, change)


def counting(config: dict[str, Any]) -> dict[str, Any]:
    reducer = {"ref": {"source": "wf.std", "capability_key": "modulo_add"}, "config": config}
    return line(value(11, "state.n"), state={"n": {"type": "integer", "reducer": reducer}})


# Of two outcomes only the first has the field that is bound.
PARSED = changed(
    line(
        node(
            "parse",
            "wf.std.parse_json",
            input=[{"target": "text", "value": "1"}],
            output=[{"source": "value", "target": "state.a"}],
        ),
        state={"a": {}},
    ),
    lambda d: d["edges"].append({"from": "parse", "outcome": "invalid", "to": "__end__"}),
)

# Rule by its beginning: workflows that it allows, and those that it forbids with what is found in them then.
PROOFS: dict[str, tuple[list[Any], list[tuple[Any, str]]]] = {
    "Schemas are JSON Schema objects": (
        [FIRST_EXAMPLE],
        [
            (changed(FIRST_EXAMPLE, lambda d: d["input_schema"].update(type="array")), "WF016"),
            (changed(FIRST_EXAMPLE, lambda d: step(d, "glue")["output"][0].update(target="input.paths")), "WF021"),
            (
                changed(FIRST_EXAMPLE, lambda d: d["output_schema"].update(properties={"x": TEXT}, required=["x"])),
                "WF402",
            ),
        ],
    ),
    "Names: letters": (
        [changed(FIRST_EXAMPLE, lambda d: d.update(name="_my-flow1"))],
        [(changed(FIRST_EXAMPLE, lambda d: d.update(name="1flow")), "WF015")],
    ),
    "Every outcome of every step has exactly one edge": (
        [FIRST_EXAMPLE],
        [
            (changed(FIRST_EXAMPLE, lambda d: d["edges"].pop()), "WF108"),
            (changed(FIRST_EXAMPLE, lambda d: d["edges"].append(d["edges"][-1])), "WF107"),
            (changed(FIRST_EXAMPLE, lambda d: d.update(outcomes=["rejected"])), "WF109"),
        ],
    ),
    "Paths are names with dots": (
        [FIRST_EXAMPLE],
        [
            (changed(FIRST_EXAMPLE, lambda d, wrong=wrong: step(d, "each").update(over=wrong)), code)
            for wrong, code in (("input.paths.0", "WF020"), ("input.paths[0]", "WF020"), ("$.paths", "WF020"))
        ],
    ),
    "input, request:": (
        [line(node("c", "wf.std.count", input=[{"target": ".", "value": {"array": []}}]))],
        [(line(node("c", "wf.std.count", input=[{"target": "array", "value": [], "path": "input.a"}])), "WF013")],
    ),
    "output, resume:": (
        [
            line(value(1, "state.a"), state={"a": {}}),
            line(
                node(
                    "c",
                    "wf.std.count",
                    input=[{"target": "array", "value": []}],
                    output=[{"source": ".", "target": "state.a"}],
                ),
                state={"a": {}},
            ),
        ],
        [(PARSED, "WF306")],
    ),
    "Read a state field only": (
        [
            line(
                value(1, "state.a"),
                node("t", "wf.std.to_json", input=[{"target": "value", "path": "state.a"}]),
                state={"a": {}},
            ),
            line(
                node("t", "wf.std.to_json", input=[{"target": "value", "path": "state.a"}]), state={"a": {"default": 1}}
            ),
        ],
        [(line(node("t", "wf.std.to_json", input=[{"target": "value", "path": "state.a"}]), state={"a": {}}), "WF400")],
    ),
    "A capability of the catalogue needs": (
        [
            line(READ, node_defs=[{"name": "fs.read_file"}]),
            line({**READ, "node": "get"}, node_defs=[{"name": "get", "uses": "fs.read_file"}]),
        ],
        [(line(node("c", "wf.std.cont")), "WF105")],
    ),
    "outcome_schemas, resume_schemas:": (
        [with_schemas(), survey(of="other")],
        [(with_schemas(outcome_schemas={}), "WF302"), (survey(of="said"), "WF013")],
    ),
    "check:": (
        [
            changed(BOTH, lambda d, check=check: step(d, "fine").update(check=check))
            for check in (
                {
                    "op": "and",
                    "args": [
                        {"op": "exists", "path": "state.a"},
                        {"op": "ne", "left": {"path": "state.a"}, "right": {"value": ""}},
                    ],
                },
                {"op": "not", "arg": {"op": "exists", "path": "state.a"}},
                {
                    "op": "or",
                    "args": [
                        {"op": op, "left": {"path": "state.why"}, "right": {"value": "x"}}
                        for op in ("lt", "le", "gt", "ge", "eq")
                    ],
                },
            )
        ],
        [
            (
                changed(BOTH, lambda d: step(d, "fine").update(check={"op": "is", "left": 1, "right": 1})),
                "WF012",
            )
        ],
    ),
    "collect:": (
        [collecting("errors"), collecting("errors", "count", "succeeded", "failed")],
        [(collecting("errors", "results"), "WF306"), (collecting("count"), "WF505")],
    ),
    "branches:": (
        [
            changed(
                BOTH,
                lambda d: step(d, "split").update(
                    branches=["left", {"outcome": "right", "when": {"op": "exists", "path": "state.a"}}]
                ),
            )
        ],
        [(changed(BOTH, lambda d: step(d, "split").update(branches=["left", {"when": "right"}])), "WF011")],
    ),
    "foreach:": (
        [FIRST_EXAMPLE, changed(FIRST_EXAMPLE, lambda d: step(d, "each").update(over={"value": ["a", "b"]}))],
        [
            (changed(FIRST_EXAMPLE, lambda d: edge(d, "read", "ok").update(to="glue")), "WF205"),
            (changed(FIRST_EXAMPLE, lambda d: edge(d, "read", "ok").update(to="__end__")), "WF205"),
            (changed(FIRST_EXAMPLE, lambda d: step(d, "read")["input"][0].update(path="context.file")), "WF309"),
            (changed(FIRST_EXAMPLE, lambda d: d["input_schema"]["properties"]["paths"].update(type="string")), "WF312"),
        ],
    ),
    "fork:": (
        [SECOND_EXAMPLE, BOTH],
        [(changed(BOTH, lambda d: edge(d, "rest", "ok").update(to="fine")), "WF208")],
    ),
    "Parallel items or branches": (
        [
            BOTH,
            LOCAL,
        ],
        [
            (changed(LOCAL, lambda d: step(d, "each").pop("locals")), "WF501"),
            (changed(BOTH, lambda d: step(d, "rest")["output"][0].update(target="state.why")), "WF501"),
        ],
    ),
    "A reducer stands in": (
        [FIRST_EXAMPLE, counting({"modulus": 9})],
        [
            (counting({}), "WF411"),
            (
                changed(FIRST_EXAMPLE, lambda d: d["state_schema"]["properties"]["texts"].update(reducer="append")),
                "WF410",
            ),
        ],
    ),
    "An edge back makes a loop": (
        [SECOND_EXAMPLE, BOTH],
        [
            (
                line(
                    {
                        "id": "until",
                        "type": "condition",
                        "check": {"op": "eq", "left": {"path": "input.a"}, "right": {"value": 1}},
                    },
                    input_schema={"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
                )
                | {
                    "edges": [
                        {"from": "until", "outcome": "true", "to": "__end__"},
                        {"from": "until", "outcome": "false", "to": "until"},
                    ]
                },
                "WF203",
            )
        ],
    ),
    "interrupt asks a person": (
        [line(asks(resume=[{"source": "text", "target": "state.a", "on": ["said"]}]), state={"a": TEXT})],
        [
            (
                changed(
                    line(
                        asks(outcomes=["said", "dropped"], resume=[{"source": "text", "target": "state.a"}]),
                        state={"a": TEXT},
                    ),
                    lambda d: d["edges"].append({"from": "ask", "outcome": "dropped", "to": "__end__"}),
                ),
                "WF602",
            )
        ],
    ),
    "catch:": (
        [
            changed(BOTH, lambda d, code=code: step(d, "pull")["catch"][0].update(codes=[code]))
            for code in (*CATCHABLE, "node_failed:Gone")
        ],
        [(changed(BOTH, lambda d: step(d, "pull")["catch"][0].update(codes=["failed"])), "WF012")],
    ),
    "retry:": (
        [
            changed(BOTH, lambda d, more=more: step(d, "rest").update(retry={"max_attempts": 3, **more}))
            for more in (
                {},
                {"delay_seconds": 2, "backoff": 2, "max_delay_seconds": 9, "on": ["node_failed:Busy", "node_timeout"]},
            )
        ],
        [
            (
                changed(
                    BOTH,
                    lambda d: (
                        step(d, "rest").update(retry={"max_attempts": 3}),
                        d["node_defs"][1].update(effects="write"),
                    ),
                ),
                "WF600",
            )
        ],
    ),
    "subgraph:": (
        [
            {"workflows": [line({"id": "sub", "type": "subgraph", "workflow": {"name": "child"}}), CHILD]},
            {
                "main": "line",
                "workflows": [CHILD, line({"id": "sub", "type": "subgraph", "workflow": {"name": "child"}})],
            },
        ],
        [
            (line({"id": "sub", "type": "subgraph", "workflow": {"name": "child"}}), "WF700"),
            (line({"id": "sub", "type": "subgraph", "workflow": {"artifact_id": "child"}}), "WF011"),
        ],
    ),
    "wait:": (
        [
            line({"id": "rest", "type": "wait", "seconds": 60}),
            line(
                {"id": "rest", "type": "wait", "seconds": {"path": "state.s"}},
                state={"s": {"type": "number", "minimum": 0, "default": 1}},
            ),
        ],
        [(line({"id": "rest", "type": "wait", "seconds": "60"}), "WF012")],
    ),
}
