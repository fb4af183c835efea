"""The language card: within its budget, and every sentence of it is true. A sentence without a proof fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import bpe_openai
import pytest

import wfc
from wfc.briefing import RULES, filled, language_card, model_lines
from wfc.briefing.card import EXAMPLE_CAPABILITIES, FIRST_EXAMPLE, SECOND_EXAMPLE, STEPS
from wfc.diagnostics import Severity
from wfc.frontend import workflow_schema
from wfc.ir import REDUCERS
from wfc.ir.std import BUILTINS, INTERRUPT_KINDS

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
            (changed(FIRST_EXAMPLE, lambda d: step(d, "glue").update(output=[])), "WF400"),
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
        [line(READ, node_defs=[{"name": "fs.read_file"}])],
        [(line(node("c", "wf.std.cont")), "WF105")],
    ),
    "check:": (
        [
            changed(SECOND_EXAMPLE, lambda d, check=check: step(d, "fine").update(check=check))
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
                changed(SECOND_EXAMPLE, lambda d: step(d, "fine").update(check={"op": "is", "left": 1, "right": 1})),
                "WF012",
            )
        ],
    ),
    "foreach:": (
        [FIRST_EXAMPLE],
        [
            (changed(FIRST_EXAMPLE, lambda d: edge(d, "read", "ok").update(to="glue")), "WF205"),
            (changed(FIRST_EXAMPLE, lambda d: edge(d, "read", "ok").update(to="__end__")), "WF205"),
            (changed(FIRST_EXAMPLE, lambda d: step(d, "read")["input"][0].update(path="context.file")), "WF309"),
            (changed(FIRST_EXAMPLE, lambda d: d["input_schema"]["properties"]["paths"].update(type="string")), "WF312"),
        ],
    ),
    "fork:": (
        [SECOND_EXAMPLE],
        [(changed(SECOND_EXAMPLE, lambda d: edge(d, "read", "ok").update(to="fine")), "WF208")],
    ),
    "Parallel items or branches": (
        [
            SECOND_EXAMPLE,
            LOCAL,
        ],
        [
            (changed(LOCAL, lambda d: step(d, "each").pop("locals")), "WF501"),
            (changed(SECOND_EXAMPLE, lambda d: step(d, "read")["output"][0].update(target="state.why")), "WF501"),
        ],
    ),
    "A reducer stands in": (
        [FIRST_EXAMPLE],
        [
            (
                changed(FIRST_EXAMPLE, lambda d: d["state_schema"]["properties"]["texts"].update(reducer="append")),
                "WF410",
            )
        ],
    ),
    "An edge back makes a loop": (
        [SECOND_EXAMPLE],
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
        [changed(SECOND_EXAMPLE, lambda d: step(d, "pull")["catch"][0].update(codes=["node_failed", "node_timeout"]))],
        [(changed(SECOND_EXAMPLE, lambda d: step(d, "pull")["catch"][0].update(codes=["failed"])), "WF012")],
    ),
    "retry:": (
        [changed(SECOND_EXAMPLE, lambda d: step(d, "read").update(retry={"max_attempts": 3, "delay_seconds": 2}))],
        [
            (
                changed(
                    SECOND_EXAMPLE,
                    lambda d: (
                        step(d, "read").update(retry={"max_attempts": 3}),
                        d["node_defs"][0].update(effects="write"),
                    ),
                ),
                "WF600",
            )
        ],
    ),
    "subgraph:": (
        [
            {
                "workflows": [
                    line({"id": "sub", "type": "subgraph", "workflow": {"name": "child"}}),
                    {**line({"id": "stop", "type": "end", "outcome": "ok"}), "name": "child", "edges": []},
                ]
            }
        ],
        [(line({"id": "sub", "type": "subgraph", "workflow": {"name": "child"}}), "WF700")],
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


def test_it_keeps_to_2000_tokens() -> None:
    assert len(bpe_openai.get_encoding("o200k_base").encode(language_card())) <= 2000


def test_every_rule_has_its_proof() -> None:
    told = {rule: [beginning for beginning in PROOFS if rule.startswith(beginning)] for rule in RULES}
    assert {rule: proofs for rule, proofs in told.items() if len(proofs) != 1} == {}
    assert len(PROOFS) == len(RULES)


@pytest.mark.parametrize("beginning", PROOFS)
def test_what_a_rule_allows_is_clean_and_what_it_forbids_is_found(beginning: str) -> None:
    allowed, forbidden = PROOFS[beginning]
    assert [found(one) for one in allowed] == [set()] * len(allowed)
    assert [code in found(one) for one, code in forbidden] == [True] * len(forbidden), [
        found(one) for one, _ in forbidden
    ]


@pytest.mark.parametrize("example", [FIRST_EXAMPLE, SECOND_EXAMPLE])
def test_the_examples_are_clean_strictly_and_stand_on_the_card(example: dict[str, Any]) -> None:
    report = wfc.check(filled(json.loads(json.dumps(example)), KNOWN), strict=True)
    assert [one.code.code for one in report.diagnostics] == []
    assert json.dumps(example, separators=(",", ":")) in language_card()


def test_the_examples_show_every_kind_of_step_that_is_not_in_a_rule() -> None:
    shown = {one["type"] for example in (FIRST_EXAMPLE, SECOND_EXAMPLE) for one in example["nodes"]}
    ruled = {kind for kind in STEPS if any(rule.startswith(f"{kind}:") for rule in RULES)}
    assert shown | ruled == set(STEPS)


def test_the_card_tells_the_whole_model() -> None:
    """Each field of each step, of workflows and definitions; all reducers, interrupt kinds and built-in nodes."""
    card, defined = language_card(), workflow_schema()["$defs"]
    lines = "\n".join(model_lines())
    for name in (*(f"{kind}_step" for kind in STEPS), "workflow", "node_definition", "edge"):
        for field in defined[name]["properties"]:
            assert field in ("id", "type", "desc") or f" {field}" in lines
    assert {one.removesuffix("_step") for one in defined if one.endswith("_step")} == set(STEPS)
    names = [one.name.rpartition(".")[2] for one in REDUCERS] + [one.key for one in BUILTINS] + list(INTERRUPT_KINDS)
    assert [name for name in names if name not in card] == []
