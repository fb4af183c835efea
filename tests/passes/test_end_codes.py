"""What ends project: required fields that are not written, types that never fit or may not fit, all of it together."""

from __future__ import annotations

from typing import Any

import pytest

from tests.passes.valued import (
    ANY,
    INTEGER,
    MAYBE_TEXT,
    TEXT,
    Json,
    check,
    compare,
    fixed,
    node,
    only,
    path,
    record,
    set_to,
    told,
    workflow,
    write,
)

GIVEN = record({"n": INTEGER, "maybe": MAYBE_TEXT})
CHOICE = check("c", compare("eq", "input.n", 1))
SET, OTHER = set_to("s", "r", "x"), set_to("t", "q", "y")
DONE = {"id": "d", "type": "end", "outcome": "ok"}


def ending(arrows: str, *steps: Json, output: Json, state: Any = None) -> Json:
    return workflow(arrows, *steps, input=GIVEN, state=state or {"r": TEXT, "q": TEXT}, output=output)


TAKE = node("s", "wf.std.record", path("r", "input.maybe"), to=[write("r", "r")])
R = record({"r": TEXT})
PROPERTY = "/output_schema/properties/r"


@pytest.mark.parametrize(
    ("document", "ordinary", "strict"),
    [
        # each end is judged by itself
        (ending("c:true->s c:false s:ok", CHOICE, SET, output=R), ["WF402 E /edges/1"], None),
        (ending("c:true->s c:false->d s:ok", CHOICE, SET, DONE, output=R), ["WF402 E /nodes/2"], None),
        (ending("c:true->s c:false->d s:ok->d", CHOICE, SET, DONE, output=R), ["WF403 W /nodes/2"], ["WF403 E /nodes/2"]),
        # a field that nothing writes is one finding
        (ending("c:true->s c:false->d s:ok", CHOICE, OTHER | {"id": "s"}, DONE, output=R), ["WF402 E /edges/2"], None),
        # types
        (ending("s:ok", SET, output=record({"r": INTEGER})), [f"WF302 E {PROPERTY}"], None),
        (ending("s:ok", SET, output=record({"r?": INTEGER})), [f"WF302 E {PROPERTY}"], None),
        (ending("s:ok", TAKE, output=R, state={"r": MAYBE_TEXT}), [], [f"WF395 E {PROPERTY}"]),
        # what is not listed is not projected
        (ending("s:ok", SET, output={"type": "object", "properties": {}, "required": ["r"]}), [],
         ["WF395 E /output_schema/required"]),
        # all of it together
        (ending("s:ok", SET, output={**record({"r?": TEXT}), "minProperties": 2}), ["WF302 E /edges/0"], None),
        (ending("c:true->s c:false->d s:ok->d", CHOICE, SET, DONE, output={**record({"r?": TEXT}), "minProperties": 1}),
         [], ["WF395 E /nodes/2"]),
    ],
)  # fmt: skip
def test_what_is_projected(document: Json, ordinary: list[str], strict: list[str] | None) -> None:
    assert told(document) == ordinary
    assert told(document, strict=True) == (ordinary if strict is None else strict)


@pytest.mark.parametrize(
    "document",
    [
        ending("s:ok", SET, output=R),
        ending("s:ok", SET, output=record({"r": TEXT, "q?": TEXT})),
        ending("s:ok", SET, output={"type": "object"}),
        ending("s:ok", SET, output=record({}, additionalProperties=False)),
        ending("s:ok", OTHER | {"id": "s"}, output=R, state={"r": {"type": "string", "default": ""}, "q": TEXT}),
        ending("s:ok", OTHER | {"id": "s"}, output=record({"n": INTEGER})),
        ending("c:true->s c:false->t s:ok->d t:ok->d", CHOICE, SET, set_to("t", "r", "z"), DONE, output=R),
        ending("s:ok", SET, output=record({"r": TEXT, "q?": INTEGER})),
        ending("s:ok", TAKE, output=record({"r": ANY}), state={"r": MAYBE_TEXT}),
    ],
)
def test_what_is_an_output_is_left_alone(document: Json) -> None:
    assert told(document, strict=True) == []


def test_a_condition_before_the_end_narrows() -> None:
    document = ending("s:ok->c c:true->d c:false", TAKE, check("c", compare("ne", "state.r", None)), DONE,
                      output=record({"r?": TEXT}), state={"r": MAYBE_TEXT})  # fmt: skip
    assert told(document) == [f"WF302 E {PROPERTY}"]
    assert only(document).facts["path"] == ["s:ok", "c:false", "__end__"]


def test_a_way_shows_where_it_is_not_written() -> None:
    found = only(ending("c:true->s c:false->d s:ok->d", CHOICE, SET, DONE, output=R))
    assert found.facts["path"] == ["c:false", "d"]
    assert [(one.role, one.at.pointer) for one in found.related] == [
        ("declared", "/output_schema/required"),
        ("declared", "/state_schema/properties/r"),
        ("written", "/nodes/1/output/0/target"),
    ]
    assert found.message == (
        "the output requires `r`, which not every way to `d` writes to state; expected a write on each"
    )


def test_a_field_may_be_left_out_or_given_a_default() -> None:
    document = ending("c:true->s c:false s:ok", CHOICE, SET, output=R)
    assert [fix.title for fix in only(document).fixes] == ["Do not require `r`", 'Let `state.r` begin as `""`']
    assert fixed(document)["output_schema"]["required"] == []


def test_ends_of_children_are_judged_too() -> None:
    child = ending("s:ok", OTHER | {"id": "s"}, output=R) | {"name": "child", "input_schema": record({})}
    step = {"id": "g", "type": "subgraph", "workflow": {"name": "child"}}
    document = {"workflows": [workflow("g:ok", step), child]}
    assert told(document) == ["WF402 E /workflows/1/edges/0"]


def test_a_write_that_goes_elsewhere_is_one_finding() -> None:
    document = ending("s:ok", set_to("s", "rr", "x"), output=R)
    assert told(document) == []
    assert told(ending("s:ok", SET | {"output": [{"source": "r", "target": "r"}]}, output=R)) == [
        "WF021 E /nodes/0/output/0/target"
    ]
