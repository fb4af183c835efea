"""What a checked module becomes: one block a step, in the order in which they are reached, with nothing lost."""

import json
from pathlib import Path
from typing import Any

from syrupy.assertion import SnapshotAssertion

from tests.passes.workflows import Json, checked, flow
from wfc.ir import Block, Call, Commit, Fork, NextItem, Program, Switch, print_program, verify
from wfc.passes import lower

TESTS = Path(__file__).parents[1]
SAY: Json = {"name": "say", "outcomes": ["ok", "b", "a"], "retry": 3, "timeout_seconds": 5}


def lowered(document: Json, *, unchecked: bool = False) -> Program:
    program = lower(checked(document, unchecked=unchecked))
    verify(program)
    return program


def block(program: Program, name: str) -> Block:
    (found,) = (each for each in program.routines[0].blocks if each.id == name)
    return found


def with_node(step: Json, *defs: Json) -> Json:
    document = flow("n:ok->__end__ n:a->__end__ n:b->c c:true->__end__ c:false->__end__", node_defs=list(defs))
    document["nodes"][0] = {"id": "n", "type": "node", "node": "say", **step}
    return document


def call_of(program: Program) -> Call:
    (found,) = (each for each in block(program, "n").body if isinstance(each, Call))
    return found


def test_a_real_workflow(snapshot: SnapshotAssertion) -> None:
    held: Any = json.loads((TESTS / "corpora" / "real" / "trip_booking_saga.wftest.json").read_text("utf-8"))
    assert print_program(lowered(held["workflow"])) == snapshot


def test_every_step_type(snapshot: SnapshotAssertion) -> None:
    document = flow(
        "w:ok->c c:true->k c:false->e k:q->h k:p->n h:yes->j h:no->j n:ok->j n:failed->j j:ok->e e:item->w1 w1:ok->e "
        "e:done->x-no y:ok->w",
        outcomes=["no"],
        state_schema={"type": "object", "properties": {"n": {}, "o": {}}},
    )
    fields: dict[str, Json] = {
        "n": {"type": "node", "node": "wf.std.identity", "input": [{"target": "value", "path": "input.n"}],
              "output": [{"source": "value", "target": "state.n"}], "seconds": None,
              "catch": [{"codes": ["node_timeout", "node_failed"], "outcome": "failed"}]},
        "h": {"request": [{"target": "q", "value": 1}],
              "resume": [{"source": "a", "target": "state.o", "on": ["yes"]}]},
        "e": {"locals": ["state.o", "state.n"], "output": [{"source": "count", "target": "state.n"}]},
        "c": {"desc": "is it there?", "x-note": [1]},
    }  # fmt: skip
    document["nodes"] = [step | fields.get(step["id"], {}) for step in document["nodes"]]
    assert print_program(lowered(document)) == snapshot


def test_blocks_stand_as_they_are_reached() -> None:
    document = flow("c:false->b c:true->a a:ok->d b:ok->d d:ok->__end__ z:ok->y y:ok->__end__")
    assert [each.id for each in lowered(document).routines[0].blocks] == ["c", "a", "b", "d", "y", "z"]


def test_outcomes_of_definitions_are_sorted_after_the_first() -> None:
    program = lowered(with_node({}, SAY))
    assert program.routines[0].definitions[0].outcomes == ("ok", "a", "b")
    end = block(program, "n").end
    assert isinstance(end, Switch)
    assert [arm.outcome for arm in end.arms] == ["ok", "a", "b"]


def test_the_steps_own_retry_and_timeout_win() -> None:
    plain, own = (
        call_of(lowered(with_node({}, SAY))),
        call_of(lowered(with_node({"retry": 2, "timeout_seconds": 1}, SAY))),
    )
    assert [call.retry and call.retry.max_attempts for call in (plain, own)] == [3, 2]
    assert [call.timeout_seconds for call in (plain, own)] == [5, 1]


def test_sets_that_are_written_as_lists_are_sorted() -> None:
    retry = {"max_attempts": 2, "on": ["node_timeout", "node_failed"]}
    document = with_node(
        {"retry": retry, "output": [{"source": "y", "target": "state.y", "on": ["ok", "b", "a"]}]}, SAY
    )
    program = lowered(document)
    found = call_of(program).retry
    assert found is not None
    assert found.on == ("node_failed", "node_timeout")
    (commit,) = (each for each in block(program, "n").body if isinstance(each, Commit))
    assert commit.writes[0].on == ("a", "b", "ok")


def test_branches_keep_their_order() -> None:
    end = block(lowered(flow("k:z->a k:b->d a:ok->j d:ok->j j:ok->__end__")), "k").end
    assert isinstance(end, Fork)
    assert [branch.outcome for branch in end.branches] == ["z", "b"]
    assert end.join == "j"


def test_an_unwired_outcome_has_no_arm() -> None:
    program = lowered(flow("c:true->e e:done->__end__"), unchecked=True)
    assert [arm.outcome for arm in block(program, "c").end.arms] == ["true"]  # type: ignore[union-attr]
    assert NextItem(None) in block(program, "e").body


def test_a_fork_that_is_never_reached_is_kept() -> None:
    program = lowered(flow("a:ok->j j:ok->__end__ k:p->b k:q->b b:ok->__end__"))
    assert [each.id for each in program.routines[0].blocks] == ["a", "j", "b", "k"]


def test_schemas_stand_once() -> None:
    same = {"type": "object", "properties": {"b": {}, "a": {}}}
    document = flow(
        "a:ok->__end__", input_schema=same, output_schema={"properties": {"a": {}, "b": {}}, "type": "object"}
    )
    assert lowered(document).schemas == (same, {"type": "object"})


def test_children_follow_in_order_of_use_whatever_the_files_say() -> None:
    def runs(name: str, *children: str) -> Json:
        steps = [{"id": f"g{n}", "type": "subgraph", "workflow": {"name": child}} for n, child in enumerate(children)]
        targets = [*(step["id"] for step in steps[1:]), "__end__"]
        edges = [{"from": s["id"], "outcome": "ok", "to": t} for s, t in zip(steps, targets, strict=True)]
        return {"name": name, "start": "g0", "nodes": steps, "edges": edges}

    leaves = [flow("a:ok->__end__") | {"name": name} for name in ("one", "two", "unused")]
    document = {"main": "main", "workflows": [*leaves, runs("mid", "two", "one"), runs("main", "one", "mid")]}
    assert [routine.name for routine in lowered(document).routines] == ["main", "one", "mid", "two"]


def test_what_the_author_added_is_carried() -> None:
    document = flow("a:ok->__end__", desc="words") | {"x-b": 1, "x-a": {"y": None}}
    routine = lowered({"workflows": [document], "x-module": True})
    assert routine.extra == {"x-module": True}
    assert (routine.routines[0].desc, routine.routines[0].extra) == ("words", {"x-a": {"y": None}, "x-b": 1})
