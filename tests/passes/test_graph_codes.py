"""Wiring, ends and reachability: where each code speaks, and near misses in which it has to stay silent."""

from typing import Any

import pytest

from tests.passes.workflows import Json, check, examined, findings, flow
from wfc.diagnostics import Applicability
from wfc.edits import apply_patch

SAY = {"name": "say", "outcomes": ["ok", "no"]}


def node(uses: str = "say", **fields: Any) -> Json:
    return {"id": "n", "type": "node", "node": uses, **fields}


def with_node(edges: str, step: Json, *defs: Json, **fields: Any) -> Json:
    """A workflow of one node step `n` and what its arrows lead to."""
    made = flow(edges, start="n", node_defs=list(defs), **fields)
    made["nodes"] = [step, *(other for other in made["nodes"] if other["id"] != "n")]
    return made


SPOKEN = [
    ("WF100 /start", flow("a:ok->__end__", start="nowhere")),
    ("WF101 /edges/1/to", flow("c:true->__end__ c:false->a") | {"nodes": flow("c:true->__end__")["nodes"]}),
    ("WF106 /edges/0/outcome", flow("a:done->__end__")),
    ("WF107 /edges/1", flow("a:ok->b a:ok->__end__ b:ok->__end__")),
    ("WF108 /nodes/0", flow("c:true->__end__")),
    ("WF109 /edges/0/to", flow("c:true->__end__ c:false->x-no", outcomes=["no"])),
    ("WF110 /edges/1/from", flow("a:ok->x x:ok->a")),
    ("WF112 /outcomes/1", flow("a:ok->__end__", outcomes=["ok", "no"])),
    ("WF200 /nodes/1", flow("a:ok->__end__ b:ok->__end__")),
    ("WF202 /nodes/0", flow("a:ok->b b:ok->a")),
]
SILENT = {
    "a step may be reached in several ways": flow("c:true->a c:false->a a:ok->__end__"),
    "an end may be written in both ways": flow("c:true->x c:false->__end__"),
    "a loop with a way out": flow("a:ok->c c:true->a c:false->__end__"),
    "a loop left by one of its inner steps": flow("a:ok->c c:true->c1 c:false->a c1:true->a c1:false->__end__"),
    "a loop that an interrupt leaves": flow("h:again->h h:stop->__end__"),
    "two loops that share a step": flow("a:ok->c c:true->a c:false->c1 c1:true->a c1:false->__end__"),
    "a step that leads to itself and on": flow("c:true->c c:false->__end__"),
    "every outcome of the workflow by an end of its own": flow("c:true->x-no c:false->__end__", outcomes=["ok", "no"]),
    "a long way that comes back before it ends": flow("a:ok->b b:ok->d d:ok->c c:true->a c:false->__end__"),
}


@pytest.mark.parametrize(("finding", "document"), SPOKEN, ids=[finding for finding, _ in SPOKEN])
def test_it_speaks(finding: str, document: Json) -> None:
    assert finding in check(document)


@pytest.mark.parametrize("document", SILENT.values(), ids=SILENT.keys())
def test_it_stays_silent(document: Json) -> None:
    assert check(document) == []


def test_the_outcome_of_fail_need_not_be_wired() -> None:
    message = [{"target": "message", "value": "boom"}]
    direct = {"id": "n", "type": "node", "node": "wf.std.fail", "input": message}
    assert check(with_node("c:true->n c:false->__end__", direct) | {"start": "c"}) == []
    assert check(with_node("n:ok->__end__", direct)) == []
    named = with_node("c:true->n c:false->__end__", direct | {"node": "stop"}, {"name": "stop", "uses": "wf.std.fail"})
    assert check(named | {"start": "c"}) == []


def test_what_a_failing_step_catches_has_to_be_wired() -> None:
    step = node("wf.std.fail", catch=[{"codes": ["node_failed"], "outcome": "failed"}])
    assert check(with_node("c:true->n c:false->__end__", step) | {"start": "c"}) == ["WF108 /nodes/0"]


def test_a_cycle_with_a_failing_step_ends() -> None:
    document = with_node("c:true->n c:false->__end__ n:ok->n", node("wf.std.fail"))
    assert check(document | {"start": "c"}) == []


def test_caught_outcomes_are_outcomes() -> None:
    catch = [{"codes": ["node_failed"], "outcome": "failed"}, {"codes": ["node_timeout"], "outcome": "failed"}]
    wired = "n:ok->__end__ n:no->__end__ n:failed->__end__"
    written = [{"source": "error", "target": "state.e", "on": ["failed"]}]
    assert check(with_node(wired, node(catch=catch, output=written), SAY)) == []


@pytest.mark.parametrize(
    ("finding", "step", "definition"),
    [
        ("WF106 /nodes/0/output/0/on/1", {"output": [{"source": "y", "target": "state.y", "on": ["ok", "non"]}]}, {}),
        ("WF106 /node_defs/0/outcome_schemas/maybe", {}, {"outcome_schemas": {"maybe": {"type": "object"}}}),
        ("WF113 /nodes/0/catch/0/outcome", {"catch": [{"codes": ["node_failed"], "outcome": "no"}]}, {}),
        ("WF113 /node_defs/0/outcomes/2", {}, {"outcomes": ["ok", "no", "ok"]}),
    ],
)
def test_outcomes_that_are_named_elsewhere(finding: str, step: Json, definition: Json) -> None:
    assert check(with_node("n:ok->__end__ n:no->__end__", node(**step), SAY | definition)) == [finding]


@pytest.mark.parametrize(
    ("step", "definition"),
    [
        ({}, {"outcome_schemas": {"nno": {"type": "object"}}}),
        ({"output": [{"source": "y", "target": "state.y", "on": ["nno"]}]}, {}),
    ],
)
def test_a_misspelt_outcome_is_renamed_where_it_stands(step: Json, definition: Json) -> None:
    document = with_node("n:ok->__end__ n:no->__end__", node(**step), SAY | definition)
    (found,) = examined(document).diagnostics
    assert check(apply_patch(document, found.fixes[0].patch)) == []


def test_a_foreach_binding_is_for_done_only() -> None:
    document = flow("e:item->e e:done->__end__")
    document["nodes"][0]["output"] = [{"source": "count", "target": "state.n", "on": ["item"]}]
    assert check(document) == ["WF106 /nodes/0/output/0/on/0", "WF209 /edges/0"]


def test_a_missing_definition_explains_the_unused_one() -> None:
    document = with_node("n:ok->__end__ n:no->__end__", node("sya"), SAY)
    (found,) = examined(document).diagnostics
    assert (found.code.code, found.hides, found.facts["allowed"][0]) == ("WF105", 1, "say")


def test_a_built_in_that_does_not_exist_names_the_nearest() -> None:
    (found,) = examined(with_node("n:ok->__end__", node("wf.std.indx"))).diagnostics
    assert found.facts["allowed"][0] == "wf.std.index"


def test_of_two_equal_steps_one_can_go() -> None:
    document = flow("a:ok->__end__")
    document["nodes"].append(dict(document["nodes"][0]))
    (found,) = examined(document).diagnostics
    assert (found.code.code, found.fixes[0].applicability) == ("WF103", Applicability.SAFE)


def test_a_second_step_that_edges_call_by_another_name_is_renamed() -> None:
    document = flow("a:ok->b b:ok->__end__")
    document["nodes"][1]["id"] = "a"
    (found,) = examined(document).diagnostics
    assert (found.at.pointer, found.fixes[0].patch[1]["value"], found.hides) == ("/nodes/1/id", "b", 2)


def test_a_step_whose_id_is_misspelt_is_one_finding() -> None:
    document = flow("first:ok->second second:ok->c c:true->second c:false->__end__")
    document["nodes"][1]["id"] = "secnod"
    (found,) = examined(document).diagnostics
    assert (found.code.code, found.hides, found.fixes[0].patch[1]["path"]) == ("WF101", 2, "/nodes/1/id")


def test_an_edge_that_leads_nowhere_explains_what_is_not_reached() -> None:
    document = flow("a:ok->b b:ok->d d:ok->__end__")
    document["edges"][0]["to"] = "elsewhere"
    (found,) = examined(document).diagnostics
    assert (found.code.code, found.hides, found.fixes[0].patch[1]["value"]) == ("WF101", 2, "b")


def test_a_missing_edge_explains_what_is_not_reached() -> None:
    document = flow("c:true->__end__ c:false->b b:ok->__end__")
    del document["edges"][1]
    (found,) = examined(document).diagnostics
    assert (found.code.code, found.hides) == ("WF108", 1)
    assert found.fixes[0].patch[1]["value"] == {"from": "c", "outcome": "false", "to": "b"}
    assert found.facts["path"] == ["c:false"]


def test_an_edge_from_nowhere_comes_from_the_step_that_lacks_it() -> None:
    document = flow("a:ok->b b:ok->__end__")
    document["edges"][1]["from"] = "elsewhere"
    (found,) = examined(document).diagnostics
    assert (found.code.code, found.fixes[0].patch[1]["value"]) == ("WF102", "b")


def test_an_island_is_one_finding() -> None:
    document = flow("a:ok->__end__ b:ok->d d:ok->c c:true->b c:false->a")
    (found,) = examined(document).diagnostics
    assert (found.code.code, found.at.pointer, found.hides) == ("WF200", "/nodes/1", 2)


def test_two_faults_are_two_findings() -> None:
    document = flow("a:ok->c c:true->b c:false->__end__ b:ok->__end__ d:ok->a")
    document["edges"][0]["outcome"] = "okay"
    assert check(document) == ["WF106 /edges/0/outcome", "WF200 /nodes/3"]


def test_the_way_to_a_fault_is_shown() -> None:
    (found,) = examined(flow("a:ok->e e:item->c c:true->e e:done->__end__")).diagnostics
    assert found.facts["path"] == ["a:ok", "e:item", "c:false"]


def test_several_edges_to_one_unknown_end_are_one_finding() -> None:
    found = findings(flow("c:true->__end__ c:false->a a:ok->__end__", outcomes=["done"]))
    assert [(one.code.code, one.hides, len(one.related)) for one in found] == [("WF109", 2, 1)]


@pytest.mark.parametrize(
    ("edges", "outcomes", "told"),
    [
        ("a:ok->x-baad", ["ok", "bad"], ["WF109 /nodes/1/outcome", "WF112 /outcomes/0"]),
        ("a:ok->x-baad", ["bad", "ok"], ["WF109 /nodes/1/outcome", "WF112 /outcomes/1"]),
        ("c:true->__end__ c:false->x-baad", ["ok", "bad"], ["WF109 /nodes/1/outcome"]),
        ("c:true->x-bad c:false->x-baad", ["ok", "bad"], ["WF109 /nodes/2/outcome", "WF112 /outcomes/0"]),
        ("c:true->__end__ c:false->x-done", ["ok", "bad"], ["WF109 /nodes/1/outcome"]),
        ("c:true->x-baad c:false->x-done", ["ok", "bad"], ["WF109 /nodes/1/outcome", "WF109 /nodes/2/outcome"]),
    ],
)
def test_an_unknown_end_hides_the_outcome_that_was_meant(edges: str, outcomes: list[str], told: list[str]) -> None:
    assert check(flow(edges, outcomes=outcomes)) == told


def test_an_answer_listed_twice() -> None:
    document = flow("h:yes->__end__ h:no->__end__")
    document["nodes"][0]["outcomes"] = ["yes", "no", "yes"]
    (found,) = examined(document).diagnostics
    assert (found.code.code, found.at.pointer) == ("WF113", "/nodes/0/outcomes/2")
    assert check(apply_patch(document, found.fixes[0].patch)) == []


def test_a_branch_listed_twice() -> None:
    document = flow("k:p->j k:q->j j:ok->__end__")
    document["nodes"][0]["branches"] = [
        "p",
        {"outcome": "q"},
        {"outcome": "p", "when": {"op": "exists", "path": "input"}},
    ]
    assert check(document) == ["WF113 /nodes/0/branches/2/outcome"]


def test_an_entry_of_catch_without_codes_declares_its_outcome() -> None:
    step = node(catch=[{"outcome": "failed"}], output=[{"source": "error", "target": "state.e", "on": ["failed"]}])
    document = with_node("n:ok->__end__ n:no->__end__ n:failed->__end__", step, SAY)
    assert [one.code.code for one in findings(document)] == ["WF011"]
