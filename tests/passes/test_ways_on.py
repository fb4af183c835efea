"""What a finding names for a reader who knows nothing else: the array of a loop, where an outcome may lead."""

from typing import Any

import pytest

import wfc
from tests.passes.workflows import Json

ARRAY: Json = {"type": "array", "items": {"type": "string"}}


def looping(fields: Json, *, reads: str = "context.x") -> Json:
    """A loop that goes through an item which only the body of a later loop has."""
    return {
        "name": "w",
        "start": "outer",
        "input_schema": {"type": "object", "properties": fields, "required": [*fields]},
        "nodes": [
            {"id": "outer", "type": "foreach", "over": "context.y", "as": "x"},
            {"id": "count", "type": "node", "node": "wf.std.to_json", "input": [{"target": "value", "path": reads}]},
            {"id": "later", "type": "foreach", "over": {"value": ["a"]}, "as": "y"},
        ],
        "edges": [
            {"from": "outer", "outcome": "item", "to": "count"},
            {"from": "count", "outcome": "ok", "to": "outer"},
            {"from": "outer", "outcome": "done", "to": "later"},
            {"from": "later", "outcome": "item", "to": "later"},
            {"from": "later", "outcome": "done", "to": "__end__"},
        ],
    }


@pytest.mark.parametrize(
    ("fields", "reads", "offered"),
    [
        ({"xs": ARRAY}, "context.x", ["Read `input.xs`"]),
        ({"xs": ARRAY, "n": {"type": "integer"}}, "input.n", ["Read `input.xs`"]),
        ({"xs": ARRAY, "ys": ARRAY}, "input.xs", ["Read `input.ys`"]),
        ({"xs": ARRAY, "ys": ARRAY}, "context.x", []),
        ({"n": {"type": "integer"}}, "context.x", []),
    ],
)
def test_a_loop_over_an_item_of_another_reads_the_array_that_is_left(
    fields: Json, reads: str, offered: list[str]
) -> None:
    found = next(one for one in wfc.check(looping(fields, reads=reads)).diagnostics if one.code.code == "WF309")
    assert found.message.endswith("which only the body of `later` has; expected the path of an array")
    assert [fix.title for fix in found.fixes] == offered


@pytest.mark.parametrize(
    ("edge", "help"),
    [
        ({"from": "count", "outcome": "ok"}, "add an edge from `count` by `ok`; where nothing more is to be done it"
         " leads to `outer`"),
        ({"from": "later", "outcome": "done"}, "add an edge from `later` by `done`; where nothing more is to be done it"
         " leads to `__end__`"),
    ],
)  # fmt: skip
def test_an_outcome_without_an_edge_is_told_the_way_on(edge: Json, help: str) -> None:
    document: Any = looping({"xs": ARRAY})
    document["nodes"][0]["over"] = "input.xs"
    document["edges"] = [one for one in document["edges"] if not edge.items() <= one.items()]
    (found,) = (one for one in wfc.check(document).diagnostics if one.code.code == "WF108")
    assert found.help == help
