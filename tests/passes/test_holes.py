"""What could not be read is unknown: nothing follows from it, and the rest is judged all the same."""

from typing import Any

import pytest

from tests.passes.workflows import Json, findings, flow, told

LOOP = "b:ok->e e:item->a a:ok->e e:done->c c:true->d c:false->x-no d:ok->__end__"
FORK = "b:ok->k k:p->a k:q->d a:ok->j d:ok->j j:ok->__end__"


def damaged(document: Json, pointer: str, value: Any = None) -> Json:
    """The document with another value at a pointer, or without it."""
    *above, last = pointer.strip("/").split("/")
    holder: Any = document
    for part in above:
        holder = holder[int(part) if part.isdigit() else part]
    key = int(last) if last.isdigit() else last
    if value is None:
        del holder[key]
    else:
        holder[key] = value
    return document


def is_reading(finding: str) -> bool:
    return finding < "WF100"


@pytest.mark.parametrize("index", range(7))
@pytest.mark.parametrize("field", ["type", "id"])
@pytest.mark.parametrize("arrows", [LOOP, FORK])
def test_a_step_that_could_not_be_read_causes_nothing(arrows: str, index: int, field: str) -> None:
    document = flow(arrows, outcomes=["ok", "no"] if "x-no" in arrows else None)
    if index < len(document["nodes"]):
        found = told(findings(damaged(document, f"/nodes/{index}/{field}", 7)))
        assert len(found) == 1
        assert is_reading(found[0])


@pytest.mark.parametrize("index", range(8))
@pytest.mark.parametrize("field", ["from", "outcome", "to"])
@pytest.mark.parametrize("arrows", [LOOP, FORK])
def test_an_edge_that_could_not_be_read_causes_nothing(arrows: str, index: int, field: str) -> None:
    document = flow(arrows, outcomes=["ok", "no"] if "x-no" in arrows else None)
    if index < len(document["edges"]):
        found = told(findings(damaged(document, f"/edges/{index}/{field}", 7)))
        assert len(found) == 1
        assert is_reading(found[0])


@pytest.mark.parametrize(
    ("pointer", "value"),
    [("/nodes", {}), ("/edges", {}), ("/start", 7), ("/outcomes", 7), ("/node_defs", 7), ("/node_defs/0/name", 7)],
)
def test_a_list_that_could_not_be_read_causes_nothing(pointer: str, value: Any) -> None:
    document = flow("n:ok->c c:true->d c:false->x-no d:ok->__end__", outcomes=["ok", "no"])
    document["nodes"][0] = {"id": "n", "type": "node", "node": "say"}
    document["node_defs"] = [{"name": "say", "outcomes": ["ok"]}]
    found = told(findings(damaged(document, pointer, value)))
    assert len(found) == 1
    assert is_reading(found[0])


def test_definitions_under_a_misspelt_key_are_no_unknown_ones() -> None:
    document = flow("n:ok->__end__", node_def=[{"name": "say", "outcomes": ["ok"]}])
    document["nodes"][0] = {"id": "n", "type": "node", "node": "say"}
    assert told(findings(document)) == ["WF010 /node_def"]


def test_the_rest_is_judged() -> None:
    document = flow(f"{LOOP} z:ok->__end__", outcomes=["ok", "no"])
    document["edges"][2]["to"] = "c"
    assert told(findings(damaged(document, "/nodes/0/type", 7))) == [
        "WF012 /nodes/0/type",
        "WF200 /nodes/6",
        "WF205 /edges/2",
    ]
