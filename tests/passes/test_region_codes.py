"""Foreach bodies and fork branches: which edge is to blame, and what is well formed although it looks odd."""

import pytest

from tests.passes.workflows import Json, check, examined, flow
from wfc.diagnostics import Applicability

BOTH = "k:p->a k:q->b a:ok->j b:ok->j j:ok->__end__"

SILENT = {
    "a body of several ways": flow("e:item->c c:true->a c:false->e a:ok->e e:done->__end__"),
    "a loop inside a body": flow("e:item->a a:ok->c c:true->a c:false->e e:done->__end__"),
    "a loop around a foreach": flow("e:item->a a:ok->e e:done->c c:true->e c:false->__end__"),
    "a foreach that a loop begins anew from before it": flow(
        "b:ok->e e:item->a a:ok->e e:done->c c:true->b c:false->__end__"
    ),
    "a foreach inside a foreach": flow("e:item->e1 e1:item->a a:ok->e1 e1:done->e e:done->__end__"),
    "a foreach after a foreach": flow("e:item->a a:ok->e e:done->e1 e1:item->b b:ok->e1 e1:done->__end__"),
    "a fork inside a body": flow("e:item->k k:p->a k:q->b a:ok->j b:ok->j j:ok->e e:done->__end__"),
    "a foreach inside a branch": flow("k:p->e k:q->b e:item->a a:ok->e e:done->j b:ok->j j:ok->__end__"),
    "a branch that leads straight to the join": flow("k:p->a k:q->j a:ok->j j:ok->__end__"),
    "a fork of one branch": flow("k:p->a a:ok->j j:ok->__end__"),
    "a fork inside a branch with a join of its own": flow(
        "k:p->k1 k:q->b k1:r->c k1:s->d c:true->j1 c:false->j1 d:ok->j1 j1:ok->j b:ok->j j:ok->__end__"
    ),
    "an inner join that is also come to past its fork": flow(
        "k:p->c k:q->b c:true->k1 c:false->j1 k1:r->d k1:s->f d:ok->j1 f:ok->j1 j1:ok->j b:ok->j j:ok->__end__"
    ),
    "one join for two forks, one after the other": flow(
        "c:true->k c:false->k1 k:p->a k:q->b k1:r->d k1:s->f a:ok->j b:ok->j d:ok->j f:ok->j j:ok->__end__"
    ),
    "a join reached without a fork": flow("a:ok->j j:ok->__end__"),
    "a loop around a fork": flow("k:p->a k:q->b a:ok->j b:ok->j j:ok->c c:true->k c:false->__end__"),
    "a loop inside a branch": flow("k:p->a a:ok->c c:true->a c:false->j k:q->b b:ok->j j:ok->__end__"),
    "a branch that waits at an interrupt": flow("k:p->h k:q->b h:yes->j h:no->j b:ok->j j:ok->__end__"),
}

BLAMED = {
    "a body goes on after the loop": ("WF205 /edges/2", flow("e:item->a e:done->b a:ok->b b:ok->__end__")),
    "a body ends the workflow": ("WF205 /edges/2", flow("e:item->a e:done->__end__ a:ok->__end__")),
    "one way of a body leaves it": (
        "WF205 /edges/3",
        flow("e:item->c e:done->b c:true->e c:false->b b:ok->__end__"),
    ),
    "an end step in a body": (
        "WF205 /edges/2",
        flow("e:item->c e:done->__end__ c:true->x-no c:false->e", outcomes=["ok", "no"]),
    ),
    "a body goes back before the loop": ("WF205 /edges/3", flow("b:ok->e e:item->a e:done->__end__ a:ok->b")),
    "an inner body goes on with the outer loop": (
        "WF205 /edges/2",
        flow("e:item->e1 e1:item->a a:ok->e e1:done->e e:done->__end__"),
    ),
    "an inner body goes on after the inner loop": (
        "WF205 /edges/2",
        flow("e:item->e1 e1:item->a a:ok->b e1:done->b b:ok->e e:done->__end__"),
    ),
    "an item leads past the loop": ("WF205 /edges/0", flow("e:item->b e:done->b b:ok->__end__")),
    "from before a loop into it": ("WF206 /edges/0", flow("c:true->a c:false->e e:item->a a:ok->e e:done->__end__")),
    "from before a loop into the middle of it": (
        "WF206 /edges/1",
        flow("c:true->e c:false->b e:item->a a:ok->b b:ok->e e:done->__end__"),
    ),
    "from after a loop into it": (
        "WF206 /edges/4",
        flow("e:item->a a:ok->e e:done->c c:true->__end__ c:false->a"),
    ),
    "a loop whose done leads into it": ("WF206 /edges/2", flow("e:item->a a:ok->e e:done->a")),
    "start in a body": ("WF206 /start", flow("e:item->a a:ok->b b:ok->e e:done->__end__", start="a")),
    "start in a body, its loop forgotten": (
        "WF206 /start",
        flow("b:ok->e e:item->a a:ok->d d:ok->e e:done->__end__", start="d"),
    ),
    "into an inner body from the outer one": (
        "WF206 /edges/1",
        flow("e:item->c c:true->a c:false->e1 e1:item->a a:ok->e1 e1:done->e e:done->__end__"),
    ),
    "from one body into another": (
        "WF205 /edges/1",
        flow("e:item->a a:ok->b e:done->e1 e1:item->b b:ok->e1 e1:done->__end__"),
    ),
    "no join": ("WF207 /nodes/0", flow("k:p->a k:q->b a:ok->__end__ b:ok->__end__")),
    "branches that meet at a step": (
        "WF207 /nodes/0",
        flow("k:p->a k:q->b a:ok->d b:ok->d d:ok->__end__"),
    ),
    "branches that go on to different joins": (
        "WF207 /nodes/0",
        flow("k:p->a k:q->b a:ok->j b:ok->j1 j:ok->__end__ j1:ok->__end__"),
    ),
    "a join for the two ways of a condition": (
        "WF207 /nodes/4",
        flow("k:p->c k:q->b c:true->a c:false->j1 a:ok->j1 j1:ok->d d:ok->j b:ok->j j:ok->__end__"),
    ),
    "a join in a body in a branch": (
        "WF207 /nodes/3",
        flow("k:p->e k:q->b e:item->j1 j1:ok->e e:done->j b:ok->j j:ok->__end__"),
    ),
    "an inner fork that has only the outer join": (
        "WF207 /nodes/1",
        flow("k:p->k1 k:q->b k1:r->a k1:s->d a:ok->j d:ok->j b:ok->j j:ok->__end__"),
    ),
    "a fork in a body that is closed after the loop": (
        "WF207 /nodes/1",
        flow("e:item->k k:p->a k:q->b a:ok->e b:ok->e e:done->j j:ok->__end__"),
    ),
    "a branch ends the workflow": ("WF208 /edges/2", flow("k:p->a k:q->b a:ok->__end__ b:ok->j j:ok->__end__")),
    "a branch goes past the join": (
        "WF208 /edges/2",
        flow("k:p->a k:q->b a:ok->d b:ok->j j:ok->d d:ok->__end__"),
    ),
    "a branch goes back to its fork": (
        "WF208 /edges/2",
        flow("k:p->c k:q->b c:true->k c:false->j b:ok->j j:ok->__end__"),
    ),
    "a branch goes on in its sibling": ("WF208 /edges/2", flow("k:p->a k:q->b a:ok->b b:ok->j j:ok->__end__")),
    "two branches share a step": (
        "WF208 /edges/3",
        flow("k:p->a k:q->b a:ok->d b:ok->d d:ok->j j:ok->__end__"),
    ),
    "two branches begin at one step": ("WF208 /edges/1", flow("k:p->a k:q->a a:ok->j j:ok->__end__")),
    "from before a fork into a branch": (
        "WF206 /edges/1",
        flow("c:true->k c:false->d k:p->a k:q->b a:ok->j b:ok->d d:ok->j j:ok->__end__"),
    ),
    "an empty body": ("WF209 /edges/0", flow("e:item->e e:done->__end__")),
}


@pytest.mark.parametrize("document", SILENT.values(), ids=SILENT.keys())
def test_well_formed(document: Json) -> None:
    assert check(document) == []


@pytest.mark.parametrize(("finding", "document"), BLAMED.values(), ids=BLAMED.keys())
def test_one_edge_is_to_blame(finding: str, document: Json) -> None:
    assert check(document) == [finding]


def test_two_faults_in_one_loop_are_both_found() -> None:
    document = flow("c:true->e c:false->b e:item->a a:ok->b b:ok->h h:on->e h:stop->__end__ e:done->__end__")
    assert check(document) == ["WF205 /edges/6", "WF206 /edges/1"]


def test_a_body_that_never_comes_back_has_one_repair() -> None:
    (found,) = examined(flow("e:item->a e:done->b a:ok->b b:ok->__end__")).diagnostics
    assert found.facts["path"] == ["e:item", "a:ok", "b"]
    assert [(fix.applicability, fix.patch[1]["value"]) for fix in found.fixes] == [(Applicability.SAFE, "e")]
    assert "wf.std.fail" in found.help


def test_a_way_out_beside_a_way_back_may_be_meant() -> None:
    (found,) = examined(flow("e:item->c e:done->b c:true->e c:false->b b:ok->__end__")).diagnostics
    assert found.fixes[0].applicability is Applicability.UNSAFE


def test_where_branches_meet_the_join_is_missing() -> None:
    (found,) = examined(flow("k:p->a k:q->b a:ok->d b:ok->d d:ok->__end__")).diagnostics
    added = [change["value"] for change in found.fixes[0].patch if change["op"] == "add"]
    assert added == [{"id": "join_k", "type": "join"}, {"from": "join_k", "outcome": "ok", "to": "d"}]


def test_branches_that_go_past_their_join_are_led_to_it() -> None:
    document = flow(BOTH)
    for edge in document["edges"][2:4]:
        edge["to"] = "d"
    document["nodes"].append({"id": "d", "type": "wait", "seconds": 0})
    document["edges"][4]["to"] = "d"
    document["edges"].append({"from": "d", "outcome": "ok", "to": "__end__"})
    (found,) = examined(document).diagnostics
    assert (found.code.code, found.hides, found.fixes[0].applicability) == ("WF207", 1, Applicability.SAFE)


@pytest.mark.parametrize(
    "wires",
    [
        "k:p->a k:q->b b:ok->j j:ok->__end__",
        "c:true->k c:false->__end__ k:p->a",
        "c:true->k c:false->__end__ k:p->a k:q->k1 k1:r->a1",
        "e:item->k k:p->a e:done->__end__",
    ],
    ids=["beside one that joins", "alone", "with one that holds such a fork", "in a body"],
)
def test_a_branch_that_only_fails_never_joins(wires: str) -> None:
    document = failing(wires)
    forks = [f"WF207 /nodes/{n}" for n, step in enumerate(document["nodes"]) if step["type"] == "fork"]
    assert check(document) == forks


def test_where_an_outcome_has_no_edge_a_fork_may_have_its_join_behind_it() -> None:
    assert check(failing("c:true->k c:false->__end__ k:p->a k:q->c1 c1:true->a1")) == ["WF108 /nodes/3"]


def failing(wires: str) -> Json:
    """A workflow whose steps `a` and `a1` always fail."""
    document = flow(wires)
    fails = {"type": "node", "node": "wf.std.fail", "input": [{"target": "message", "value": "no"}]}
    document["nodes"] = [{"id": step["id"], **fails} if step["id"][0] == "a" else step for step in document["nodes"]]
    return document


def test_regions_are_those_of_what_start_reaches() -> None:
    lost = flow(f"{BOTH} k1:p->a1 k1:q->b1 a1:ok->__end__ b1:ok->__end__")
    assert check(lost) == ["WF200 /nodes/4"]
