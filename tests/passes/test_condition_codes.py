"""Conditions and loops: constant answers, what has no order or may have none, what is no array or may be none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.passes.valued import (
    BOOLEAN,
    INTEGER,
    MAYBE_TEXT,
    TEXT,
    Json,
    check,
    compare,
    exists,
    fixed,
    only,
    record,
    told,
    workflow,
)

MODE = {"enum": ["loud", "quiet"]}
GIVEN = record(
    {"n": INTEGER, "t": TEXT, "maybe": MAYBE_TEXT, "num": {"type": ["integer", "null"]}, "mode": MODE, "b": BOOLEAN,
     "any": {}, "low": {"type": "integer", "minimum": 5}, "list": {"type": "array"}, "opt?": TEXT},
)  # fmt: skip
CHECK = "/nodes/0/check"


def asking(condition: Json, **more: Any) -> Json:
    return workflow("c:true c:false", check("c", condition), input=GIVEN, **more)


def both(*args: Json) -> Json:
    return {"op": "and", "args": list(args)}


def either(*args: Json) -> Json:
    return {"op": "or", "args": list(args)}


def no(arg: Json) -> Json:
    return {"op": "not", "arg": arg}


@pytest.mark.parametrize(
    ("condition", "ordinary", "strict"),
    [
        # no order
        (compare("gt", "input.n", "3"), [f"WF311 E {CHECK}"], None),
        (compare("lt", "input.n", "input.t"), [f"WF311 E {CHECK}"], None),
        (compare("le", "input.b", True), [f"WF311 E {CHECK}"], None),
        (compare("ge", "input.list", []), [f"WF311 E {CHECK}"], None),
        (compare("ge", "input.n", None), [f"WF311 E {CHECK}"], None),
        (both(exists("input.opt"), no(compare("gt", "input.n", "3"))), [f"WF311 E {CHECK}/args/1/arg"], None),
        # perhaps none
        (compare("gt", "input.num", 3), [], [f"WF392 E {CHECK}"]),
        (compare("gt", "input.any", 3), [], [f"WF392 E {CHECK}"]),
        (either(compare("eq", "input.num", 3), compare("gt", "input.num", 3)), [], [f"WF392 E {CHECK}/args/1"]),
        # constant
        (compare("eq", "input.mode", "luod"), [f"WF204 W {CHECK}"], None),
        (compare("ne", "input.mode", "luod"), [f"WF204 W {CHECK}"], None),
        (compare("eq", "input.n", "3"), [f"WF204 W {CHECK}"], None),
        (compare("eq", "input.n", 1.5), [f"WF204 W {CHECK}"], None),
        (compare("lt", "input.low", 3), [f"WF204 W {CHECK}"], None),
        (compare("ge", "input.low", 5), [f"WF204 W {CHECK}"], None),
        ({"op": "eq", "left": {"value": 1}, "right": {"value": 1}}, [f"WF204 W {CHECK}"], None),
        (either(compare("eq", "input.mode", "luod"), exists("input.opt")), [f"WF204 W {CHECK}/args/0"], None),
        (exists("input.n"), [f"WF204 W {CHECK}"], None),
        (exists("input.n.deep"), [f"WF204 W {CHECK}"], None),
    ],
)
def test_what_is_compared(condition: Json, ordinary: list[str], strict: list[str] | None) -> None:
    document = asking(condition)
    assert told(document) == ordinary
    assert told(document, strict=True) == (ordinary if strict is None else strict)


@pytest.mark.parametrize(
    "condition",
    [
        compare("gt", "input.n", 3),
        compare("gt", "input.n", 3.5),
        compare("lt", "input.t", "m"),
        compare("eq", "input.n", 3.0),
        compare("eq", "input.num", None),
        compare("eq", "input.any", "x"),
        compare("eq", "input.mode", "loud"),
        compare("eq", "input.list", []),
        compare("lt", "input.low", 6),
        compare("eq", "context.retry_count", 0),
        exists("input.opt"),
        both(compare("ne", "input.num", None), compare("gt", "input.num", 3)),
        either(compare("eq", "input.num", None), compare("gt", "input.num", 3)),
        either(no(compare("ne", "input.num", None)), compare("gt", "input.num", 3)),
        both(no(compare("eq", "input.maybe", None)), compare("lt", "input.maybe", "m")),
    ],
)
def test_what_depends_on_the_run_is_left_alone(condition: Json) -> None:
    assert told(asking(condition), strict=True) == []


def test_a_condition_before_narrows() -> None:
    steps = check("c", compare("ne", "input.num", None)), check("d", compare("gt", "input.num", 3))
    document = workflow("c:true->d c:false d:true d:false", *steps, input=GIVEN)
    assert told(document, strict=True) == []
    document["edges"][0]["outcome"], document["edges"][1]["outcome"] = "false", "true"
    assert told(document) == ["WF311 E /nodes/1/check"]


def test_what_a_condition_asks_again_is_no_constant() -> None:
    """What a comparison before has told is no schema."""
    steps = check("c", compare("lt", "input.n", 3)), check("d", compare("lt", "input.n", 3))
    assert told(workflow("c:true->d c:false d:true d:false", *steps, input=GIVEN)) == []


def test_what_steps_have_written_is_no_constant() -> None:
    """A guard of state is none either, unless nothing ever writes it or it is there from the beginning."""
    state = {"set": {"type": "boolean", "default": False}, "draft": TEXT, "never": TEXT}
    put = {"id": "a", "type": "node", "node": "wf.std.record", "input": [{"target": "draft", "value": ""}],
           "output": [{"source": "draft", "target": "state.draft"}]}  # fmt: skip
    for condition, findings in (
        (compare("eq", "state.set", True), []),
        (exists("state.draft"), []),
        (exists("state.never"), ["WF204 W /nodes/1/check"]),
        (exists("state.set"), ["WF204 W /nodes/1/check"]),
    ):
        assert told(workflow("a:ok->c c:true c:false", put, check("c", condition), state=state)) == findings


@pytest.mark.parametrize(
    ("condition", "right"),
    [
        (compare("gt", "input.n", "3"), 3),
        (compare("eq", "input.n", "3"), 3),
        (compare("eq", "input.mode", "luod"), "loud"),
        (compare("eq", "input.b", "true"), True),
        (compare("lt", "input.t", 3), "3"),
    ],
)
def test_a_slip_has_its_repair(condition: Json, right: Any) -> None:
    assert fixed(asking(condition))["nodes"][0]["check"]["right"] == {"value": right}


def test_a_bare_operand_is_repaired_as_well() -> None:
    document = asking({"op": "lt", "left": {"path": "input.t"}, "right": 3})
    assert fixed(document)["nodes"][0]["check"]["right"] == {"value": "3"}


def test_conditions_of_branches_are_judged_too() -> None:
    fork = {"id": "k", "type": "fork", "branches": [{"outcome": "p", "when": compare("gt", "input.n", "3")}]}
    document = workflow("k:p->j j:ok", fork, {"id": "j", "type": "join"}, input=GIVEN)
    assert told(document) == ["WF311 E /nodes/0/branches/0/when"]


def test_an_unknown_path_is_not_compared() -> None:
    assert told(asking(compare("gt", "input.nn", "3")), strict=True) == ["WF305 E /nodes/0/check/left/path"]


# Loops


def looping(over: Any, schema: Json | None = None) -> Json:
    step = {"id": "e", "type": "foreach", "over": over, "as": "x"}
    return workflow("e:item->w w:ok->e e:done", step, {"id": "w", "type": "wait", "seconds": 0},
                    input=record({"xs": schema or {}}))  # fmt: skip


@pytest.mark.parametrize(
    ("document", "ordinary", "strict"),
    [
        (looping("input.xs", INTEGER), ["WF312 E /nodes/0/over"], None),
        (looping("input.xs", {"type": "object"}), ["WF312 E /nodes/0/over"], None),
        (looping({"value": 3}), ["WF312 E /nodes/0/over/value"], None),
        (looping("context"), ["WF312 E /nodes/0/over"], None),
        (looping("input.xs", {"type": ["array", "null"]}), [], ["WF312 E /nodes/0/over"]),
        (looping("input.xs", {}), [], ["WF312 E /nodes/0/over"]),
        (looping("input.xs", {"type": "array"}), [], []),
        (looping({"value": []}), [], []),
    ],
)
def test_a_loop_goes_over_an_array(document: Json, ordinary: list[str], strict: list[str] | None) -> None:
    assert told(document) == ordinary
    assert told(document, strict=True) == (ordinary if strict is None else strict)


def test_the_one_array_inside_an_object_is_meant() -> None:
    document = looping("input.xs", record({"items": {"type": "array"}, "total": INTEGER}))
    assert fixed(document)["nodes"][0]["over"] == "input.xs.items"
    assert fixed(looping({"value": 3}))["nodes"][0]["over"] == {"value": [3]}


def test_a_finding_says_what_was_found_and_expected() -> None:
    found = only(asking(compare("gt", "input.n", "3")))
    assert found.message == (
        '`gt` compares `input.n` (integer) with `"3"`, which have no order; expected two numbers or two strings'
    )
    found = only(asking(compare("eq", "input.mode", "luod")))
    assert found.facts["got"] == ['"loud" | "quiet"', '"luod"']
    assert [one.at.pointer for one in found.related] == ["/input_schema/properties/mode"]
