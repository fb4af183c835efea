"""What is written as other systems and languages write it: found where it stands, and repaired to what was meant."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from wfc import driver
from wfc.frontend.foreign_conditions import condition_meant

Json = dict[str, Any]


def meant() -> Json:
    """A decision, a loop with one call in it, and an end of its own."""
    note = {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]}
    return {
        "name": "tags",
        "input_schema": {
            "type": "object",
            "properties": {"amount": {"type": "number"}, "tags": {"type": "array", "items": {"type": "string"}}},
            "required": ["amount", "tags"],
        },
        "state_schema": {
            "type": "object",
            "properties": {
                "last": {"type": "string"},
                "notes": {"type": "array", "items": {"type": "string"}, "reducer": "wf.std.append"},
            },
        },
        "output_schema": {"type": "object", "properties": {"last": {"type": "string"}, "notes": {"type": "array"}}},
        "outcomes": ["ok", "rejected"],
        "node_defs": [
            {
                "name": "work",
                "input_schema": {"type": "object", "properties": {"tag": {"type": "string"}}, "required": ["tag"]},
                "output_schema": note,
                "outcomes": ["ok", "bad"],
                "effects": "read",
            }
        ],
        "start": "big",
        "nodes": [
            {"id": "big", "type": "condition", "check": compare("gt", "input.amount", 100)},
            {"id": "each", "type": "foreach", "over": "input.tags", "as": "tag", "mode": "serial"},
            {
                "id": "w",
                "type": "node",
                "node": "work",
                "input": [{"target": "tag", "path": "context.tag"}],
                "output": [
                    {"source": "note", "target": "state.notes"},
                    {"source": "note", "target": "state.last"},
                ],
                "retry": 2,
                "timeout_seconds": 30,
            },
            {"id": "no", "type": "end", "outcome": "rejected"},
        ],
        "edges": [
            {"from": one, "outcome": outcome, "to": to}
            for one, outcome, to in (
                ("big", "true", "no"), ("big", "false", "each"), ("each", "item", "w"), ("each", "done", "__end__"),
                ("w", "ok", "each"), ("w", "bad", "each"),
            )
        ],
    }  # fmt: skip


def compare(op: str, path: str, value: Any) -> Json:
    return {"op": op, "left": {"path": path}, "right": {"value": value}}


def step(at: int, **changes: Any) -> Callable[[Json], None]:
    """Changes of one step; none takes a key out."""

    def change(document: Json) -> None:
        changed = {**document["nodes"][at], **changes}
        document["nodes"][at] = {key: value for key, value in changed.items() if value is not None}

    return change


def renamed(holder: Callable[[Json], Any], **names: str) -> Callable[[Json], None]:
    """Keys under other names, in one object or in every object of a list."""

    def change(document: Json) -> None:
        found = holder(document)
        for each in found if isinstance(found, list) else [found]:
            for old, new in names.items():
                each[new] = each.pop(old)

    return change


def whole(document: Json) -> Any:
    return document


def edges(document: Json) -> Any:
    return document["edges"]


def steps(document: Json) -> Any:
    return document["nodes"]


def definition(document: Json) -> Any:
    return document["node_defs"][0]


def call(document: Json) -> Any:
    return document["nodes"][2]


def outcomes(**names: Any) -> Callable[[Json], None]:
    def change(document: Json) -> None:
        for edge in document["edges"][:2]:
            edge["outcome"] = names[edge["outcome"]]

    return change


def without_edges(at: slice, change: Callable[[Json], None]) -> Callable[[Json], None]:
    """Edges that stand elsewhere."""

    def changed(document: Json) -> None:
        change(document)
        del document["edges"][at]

    return changed


def marked_start(document: Json) -> None:
    document["nodes"].insert(0, {"id": "begin", "type": "start"})
    document["edges"].insert(0, {"from": "begin", "outcome": "ok", "to": "big"})
    document["start"] = "begin"


def nested_edges(document: Json) -> None:
    found: Json = {}
    for edge in document["edges"]:
        found.setdefault(edge["from"], {})[edge["outcome"]] = edge["to"]
    document["edges"] = found


def end_of_nothing(document: Json) -> None:
    document["edges"][3]["to"] = None


def bare_types(document: Json) -> None:
    document["node_defs"][0]["input_schema"] |= {"properties": {"tag": "str"}}
    document["state_schema"]["properties"]["last"] = "string"


FOREIGN: dict[str, Callable[[Json], None]] = {
    "an expression": step(0, check="input.amount > 100"),
    "an expression under another key": step(0, check=None, condition="{{ input.amount > 100 }}"),
    "an operator as a key": step(0, check={">": [{"var": "input.amount"}, 100]}),
    "path and value": step(0, check={"path": "input.amount", "operator": ">", "value": 100}),
    "edges from source to target": renamed(edges, **{"from": "source", "to": "target", "outcome": "when"}),
    "edges on an event": renamed(edges, outcome="on"),
    "edges by step and outcome": nested_edges,
    "yes and no": outcomes(true="yes", false="no"),
    "true and false as booleans": outcomes(true=True, false=False),
    "then and else": without_edges(slice(0, 2), step(0, **{"then": "no", "else": "each"})),
    "the body of a loop": without_edges(slice(2, 3), step(1, body="w")),
    "no target for the end": end_of_nothing,
    "a step that is the start": marked_start,
    "names of steps": renamed(steps, id="name"),
    "arguments": renamed(call, input="args"),
    "arguments as a map": step(2, input=None, **{"with": {"tag": "{{context.tag}}"}}),
    "a binding from and to": step(2, input=[{"to": "tag", "from": "context.tag"}]),
    "a result from and to": step(2, output=[{"from": "note", "to": f"state.{name}"} for name in ("notes", "last")]),
    "retries": renamed(call, retry="retries", timeout_seconds="timeout"),
    "numbers as texts": step(2, timeout_seconds="30"),
    "a loop in other words": step(1, over=None, **{"as": None, "items": "input.tags", "item": "tag"}),
    "inputs, state, outputs": renamed(whole, input_schema="inputs", state_schema="state", output_schema="outputs"),
    "transitions": renamed(whole, edges="transitions", nodes="steps", start="entry_point"),
    "parameters": renamed(definition, input_schema="parameters", output_schema="returns"),
    "names of types": bare_types,
}


@pytest.mark.parametrize("name", FOREIGN)
def test_safe_fixes_say_what_was_meant(name: str) -> None:
    assert not driver.check(driver.from_value(meant())).diagnostics
    foreign = copy.deepcopy(meant())
    FOREIGN[name](foreign)
    assert foreign != meant()
    assert any(one.severity == "error" for one in driver.check(driver.from_value(foreign)).diagnostics)
    repaired = driver.repair(driver.from_value(foreign)).given.root.value
    assert by_place(repaired) == by_place(meant())


def by_place(document: Json) -> Json:
    """Where edges and keys stand among themselves says nothing."""
    return {**document, "edges": sorted(document["edges"], key=lambda edge: (edge["from"], edge["outcome"]))}


CONDITIONS = {
    "input.a == 'x'": compare("eq", "input.a", "x"),
    'state.a !== "it\\"s"': compare("ne", "state.a", 'it"s'),
    "$.input.a >= -1.5": compare("ge", "input.a", -1.5),
    "${input.a} is not None": compare("ne", "input.a", None),
    "exists(state.a)": {"op": "exists", "path": "state.a"},
    "state.a is not defined": {"op": "not", "arg": {"op": "exists", "path": "state.a"}},
    "not (input.a < 1 || input.b = true)": {
        "op": "not", "arg": {"op": "or", "args": [compare("lt", "input.a", 1), compare("eq", "input.b", True)]}},
    "input.a > 1 and input.b > 2 or input.c > 3": {
        "op": "or",
        "args": [{"op": "and", "args": [compare("gt", "input.a", 1), compare("gt", "input.b", 2)]},
                 compare("gt", "input.c", 3)]},
    "input.a < state.b": {"op": "lt", "left": {"path": "input.a"}, "right": {"path": "state.b"}},
}  # fmt: skip


@pytest.mark.parametrize("written", CONDITIONS)
def test_an_expression_is_read(written: str) -> None:
    assert condition_meant(written) == (CONDITIONS[written], True)


def test_a_bare_path_asks_for_true_and_may_ask_for_more() -> None:
    assert condition_meant("state.done") == (compare("eq", "state.done", True), False)


@pytest.mark.parametrize(
    "written",
    [
        "", "amount > 1", "input.a >", "input.a > 1 2", "len(input.a) > 1", "input.a + 1 > 2", "input.a[0] > 1",
        "(" * 40 + "input.a > 1" + ")" * 40, "not " * 40 + "input.a", "input.a > 1 ; drop", "input.a in input.b",
        "input.a == 'open", "input.a > 1" * 500, {}, {"and": []}, {"and": ["x"]}, {"xor": [1, 2]}, {"op": "gt"}, [], 5,
        None, {"not": {"not": {"nothing": 1}}},
    ],
)  # fmt: skip
def test_what_has_no_one_meaning_is_left(written: Any) -> None:
    assert condition_meant(written) is None
