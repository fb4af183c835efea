"""Keys that are missing: what the rest of a workflow says of them is put there, and what nobody can tell is not."""

import json
from typing import Any

import pytest

from wfc import driver

Json = dict[str, Any]
WORK = {"name": "x", "outcomes": ["ok", "other"]}


def workflow(*edges: Json, **fields: Any) -> Json:
    step = {"id": "c", "type": "node", "node": "x", "catch": [{"codes": ["node_failed"], "outcome": "bad"}]}
    made = {"name": "a", "start": "s", "nodes": [{"id": "s", "type": "wait", "seconds": 1}, step]}
    return {**made, "node_defs": [WORK], "edges": list(edges), **fields}


def edge(source: str, to: str, **fields: str) -> Json:
    return {"from": source, **fields, "to": to}


OTHERS = [edge("c", "__end__", outcome="other"), edge("c", "__end__", outcome="bad")]


def repaired(document: Json) -> Any:
    """The document after its safe fixes; none where something is left to report."""
    done = driver.repair(driver.loads(json.dumps(document), name="a.wf.json"))
    return None if done.report.diagnostics else json.loads(done.given.root.source.text)


def test_an_edge_takes_the_outcome_that_is_left() -> None:
    document = workflow(edge("s", "c"), edge("c", "__end__"), *OTHERS)
    assert repaired(document) == workflow(edge("s", "c", outcome="ok"), edge("c", "__end__", outcome="ok"), *OTHERS)


@pytest.mark.parametrize(
    "edges",
    [
        [edge("c", "__end__"), OTHERS[0]],
        [edge("c", "__end__"), edge("c", "s"), OTHERS[0]],
        [edge("c", "__end__"), edge("c", "s", outcome="ok"), *OTHERS],
    ],
    ids=["two are left", "two lack it", "none is left"],
)
def test_which_of_several_outcomes_is_meant_is_not_guessed(edges: list[Json]) -> None:
    document = workflow(edge("s", "c", outcome="ok"), *edges)
    found = driver.check(driver.loads(json.dumps(document))).diagnostics
    assert [one.fixes for one in found if one.code.code == "WF011"] == [()] * sum("outcome" not in one for one in edges)


def test_an_end_gives_the_one_outcome_that_there_is() -> None:
    ends = [{"id": "s", "type": "end"}]
    assert repaired({"name": "a", "start": "s", "nodes": ends}) == {
        "name": "a", "start": "s", "nodes": [{"id": "s", "type": "end", "outcome": "ok"}],
    }  # fmt: skip
    assert repaired({"name": "a", "start": "s", "outcomes": ["ok", "no"], "nodes": ends}) is None
