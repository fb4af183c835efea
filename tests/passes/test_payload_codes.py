"""What is bound to payloads: unknown fields, missing ones, types that never fit or may not fit, literals."""

from __future__ import annotations

from typing import Any

import pytest

import wfc
from tests.passes.valued import (
    BOOLEAN,
    INTEGER,
    MAYBE_TEXT,
    TEXT,
    Json,
    define,
    fixed,
    node,
    only,
    path,
    record,
    set_to,
    told,
    value,
    workflow,
    write,
)
from wfc.diagnostics import Applicability
from wfc.edits import apply_patch

SAY = define("say", record({"text": TEXT, "loud?": BOOLEAN}, additionalProperties=False))
OPEN = define("say", record({"text": TEXT, "loud?": BOOLEAN}))
GIVEN = record({"text": TEXT, "n": INTEGER, "maybe": MAYBE_TEXT}, additionalProperties=False)
TARGET, PATH, VALUE, STEP = "/nodes/0/input/0/target", "/nodes/0/input/0/path", "/nodes/0/input/0/value", "/nodes/0"


def say(*bindings: Json, definition: Json = SAY, given: Json = GIVEN) -> Json:
    """One call of `say` with these bindings."""
    return workflow("a:ok", node("a", "say", *bindings), input=given, defs=[definition])


def taking(schema: Json, *bindings: Json) -> Json:
    """One call of a definition with this input schema."""
    return say(*bindings, definition=define("say", schema))


TEXT_BOUND = path("text", "input.text")


@pytest.mark.parametrize(
    ("document", "ordinary", "strict"),
    [
        # unknown fields
        (say(TEXT_BOUND, value("volume", 3)), ["WF300 E /nodes/0/input/1/target"], None),
        (say(TEXT_BOUND, value("volume", 3), definition=OPEN), ["WF300 W /nodes/0/input/1/target"], None),
        (say(path("txet", "input.text")), [f"WF300 E {TARGET}"], None),
        (say(path("txet", "input.text"), definition=OPEN), [f"WF300 E {TARGET}"], None),
        (say(path("input.text", "input.text")), [f"WF300 E {TARGET}"], None),
        (taking(record({"o": record({"k": TEXT})}), path("o.kk", "input.text")), [f"WF300 E {TARGET}"], None),
        # missing ones
        (say(), [f"WF301 E {STEP}"], None),
        (say(value("loud", True)), [f"WF301 E {STEP}"], None),
        (taking(record({"o": record({"k": TEXT, "j": TEXT})}), path("o.k", "input.text")), [f"WF301 E {STEP}"], None),
        # objects where none are taken
        (say(path("text.inner", "input.text")), [f"WF308 E {TARGET}"], None),
        (taking(TEXT, path("text", "input.text")), [f"WF308 E {TARGET}"], None),
        # types
        (say(path("text", "input.n")), [f"WF302 E {PATH}"], None),
        (say(path("text", "input.maybe")), [], [f"WF390 E {PATH}"]),
        (taking(TEXT, path(".", "input.n")), [f"WF302 E {PATH}"], None),
        (taking(TEXT, path(".", "input.maybe")), [], [f"WF390 E {PATH}"]),
        # literals
        (say(value("text", 7)), [f"WF310 E {VALUE}"], None),
        (say(TEXT_BOUND, value("loud", "true")), ["WF310 E /nodes/0/input/1/value"], None),
        (taking(record({"o": record({"k": TEXT})}), value("o", {})), [f"WF310 E {VALUE}"], None),
        (taking({"enum": ["a", "b"]}, value(".", "c")), [f"WF310 E {VALUE}"], None),
        # all fields together
        (taking({**record({"a?": INTEGER, "b?": INTEGER}), "maxProperties": 1}, value("a", 1), value("b", 2)),
         [f"WF310 E {VALUE}"], None),
        (taking({**record({"a?": {}, "b?": {}}), "maxProperties": 1}, path("a", "input.n"), path("b", "input.n")),
         [f"WF302 E {STEP}"], None),
        (taking({"anyOf": [record({"k": {"const": "t"}, "v": TEXT}), record({"k": {"const": "n"}, "v": INTEGER})]},
                value("k", "t"), path("v", "input.n")), [f"WF302 E {STEP}"], None),
    ],
)  # fmt: skip
def test_what_is_bound(document: Json, ordinary: list[str], strict: list[str] | None) -> None:
    assert told(document) == ordinary
    assert told(document, strict=True) == (ordinary if strict is None else strict)


@pytest.mark.parametrize(
    "document",
    [
        say(TEXT_BOUND),
        say(TEXT_BOUND, value("loud", False)),
        say(
            TEXT_BOUND, value("volume", 3), definition=define("say", record({"text": TEXT}, additionalProperties=True))
        ),
        say(TEXT_BOUND, value("volume", 3), definition=define("say", {"type": "object"})),
        say(
            TEXT_BOUND, value("x_1", 3), definition=define("say", record({"text": TEXT}, patternProperties={"^x_": {}}))
        ),
        taking(TEXT, path(".", "input.text")),
        taking({"type": "number"}, path(".", "input.n")),
        taking({}, path("a.b.c", "input.maybe")),
        taking(record({"o": record({"k": TEXT, "j": TEXT})}), path("o.k", "input.text"), path("o.j", "input.text")),
        taking({"anyOf": [record({"a": INTEGER}), record({"b": INTEGER})]}, path("b", "input.n")),
        taking(record({"o": {"anyOf": [record({"k": TEXT}), {"type": "null"}]}}), value("o.k", "x")),
        taking(record({"n": {"type": "integer", "minimum": 0}}), value("n", 2.0)),
        say(definition=define("say", {"type": "object"})),
    ],
)
def test_what_fits_is_left_alone(document: Json) -> None:
    assert told(document, strict=True) == []


@pytest.mark.parametrize(
    ("broken", "title", "found"),
    [
        (path("txet", "input.text"), "Bind `text`", path("text", "input.text")),
        (path("state.text", "input.text"), "Bind `text`", path("text", "input.text")),
        (path("text", "input.n"), "Bind `input.text`", path("text", "input.text")),
        (value("text", "input.text"), None, None),
        (value("text", 7), 'Write `"7"`', value("text", "7")),
        (value("text", False), 'Write `"false"`', value("text", "false")),
        (value("text", ["x"]), 'Write `"x"`', value("text", "x")),
    ],
)
def test_a_slip_has_its_repair(broken: Json, title: str | None, found: Json | None) -> None:
    document = say(broken)
    if title is None:
        assert told(document) == []
        return
    assert only(document).fixes[0].title == title
    assert fixed(document)["nodes"][0]["input"] == [found]


@pytest.mark.parametrize(
    ("schema", "literal", "meant"),
    [
        (BOOLEAN, "true", True),
        (BOOLEAN, "False", False),
        (INTEGER, "3", 3),
        ({"type": "null"}, "None", None),
        ({"type": "array", "items": INTEGER}, "[1, 2]", [1, 2]),
        ({"type": "array", "items": INTEGER}, 1, [1]),
        ({"type": "object"}, '{"a": 1}', {"a": 1}),
        ({"enum": ["short", "long"]}, "shrot", "short"),
        ({"enum": ["short", "long"]}, "LONG", "long"),
    ],
)
def test_a_literal_of_another_spelling_is_put_right(schema: Json, literal: Any, meant: Any) -> None:
    document = taking(record({"v": schema}), value("v", literal))
    assert only(document).code.code == "WF310"
    assert fixed(document)["nodes"][0]["input"] == [value("v", meant)]


def test_a_path_that_was_written_as_a_value_is_put_right() -> None:
    for written in ("input.n", "{{ input.n }}", "$.input.n"):
        document = taking(record({"n": INTEGER}), value("n", written))
        assert fixed(document)["nodes"][0]["input"] == [path("n", "input.n")]


def test_a_missing_field_is_bound_to_the_path_of_its_name() -> None:
    assert fixed(say())["nodes"][0]["input"] == [path("text", "input.text")]
    document = say(given=record({"words": TEXT, "n": INTEGER}))
    assert fixed(document)["nodes"][0]["input"] == [path("text", "input.words")]
    assert only(say(given=record({"n": INTEGER}))).fixes[0].applicability == "placeholder"


def test_a_step_without_bindings_is_given_a_list() -> None:
    document = say()
    del document["nodes"][0]["input"]
    assert fixed(document)["nodes"][0]["input"] == [path("text", "input.text")]


def test_a_finding_says_what_was_found_and_expected() -> None:
    found = only(say(path("text", "input.n")))
    assert found.message == "`input.n` is integer, which `text` of `say` never takes; expected string"
    assert (found.facts["got"], found.facts["expected"], found.facts["witness"]) == ("integer", "string", 0)
    assert found.facts["path"] == ["a"]
    assert [one.at.pointer for one in found.related] == ["/node_defs/0/input_schema", "/input_schema/properties/n"]
    assert only(say(path("text", "input.maybe")), strict=True).facts["witness"] is None
    assert only(say(path("txet", "input.text"))).hides == 1


def test_what_nothing_comes_of_is_no_fault() -> None:
    """A branch in which a value cannot be, an empty loop, a path that is unknown itself."""
    document = workflow(
        "c:true->a c:false a:ok",
        {
            "id": "c",
            "type": "condition",
            "check": {"op": "eq", "left": {"path": "input.maybe"}, "right": {"value": None}},
        },
        node("a", "say", path("text", "input.maybe")),
        input=GIVEN,
        defs=[SAY],
    )
    assert told(document) == ["WF302 E /nodes/1/input/0/path"]
    document["edges"][0]["outcome"], document["edges"][1]["outcome"] = "false", "true"
    assert told(document, strict=True) == []
    assert told(say(path("text", "input.nope"))) == ["WF305 E /nodes/0/input/0/path"]


# Questions and children


def ask(*bindings: Json, **more: Any) -> Json:
    step = {"id": "a", "type": "interrupt", "kind": "approval", "outcomes": ["ok"], "request": list(bindings), **more}
    return workflow("a:ok", step, input=GIVEN)


REQUEST = {"kind": "own", "request_schema": record({"n": INTEGER})}


@pytest.mark.parametrize(
    ("document", "findings"),
    [
        (ask(), ["WF301 E /nodes/0"]),
        (ask(value("prompt", 5)), ["WF310 E /nodes/0/request/0/value"]),
        (ask(path("prompt", "input.n")), ["WF302 E /nodes/0/request/0/path"]),
        (ask(path("n", "input.text"), **REQUEST), ["WF302 E /nodes/0/request/0/path"]),
        (ask(path(".", "input.n"), kind="own"), ["WF302 E /nodes/0/request/0/path"]),
        (ask(value("prompt", "Go?"), path("data", "input.maybe")), []),
        (ask(path("n", "input.n"), **REQUEST), []),
        (ask(path("whatever", "input.n"), kind="own"), []),
        (ask(kind="own"), []),
    ],
)
def test_requests_are_payloads_too(document: Json, findings: list[str]) -> None:
    assert told(document, strict=True) == findings


def parent(*bindings: Json, given: Json) -> Json:
    step = {"id": "a", "type": "subgraph", "workflow": {"name": "child"}, "input": list(bindings)}
    used = [name for name in given["properties"] if name in given.get("required", ())]
    child = workflow("w:ok", node("w", "wf.std.record", *(path(name, f"input.{name}") for name in used)), input=given)
    return {"workflows": [workflow("a:ok", step, input=GIVEN), {**child, "name": "child"}]}


DEFAULTED = {"type": "string", "default": "?"}


@pytest.mark.parametrize(
    ("document", "findings"),
    [
        (parent(given=record({"q": TEXT})), ["WF301 E /workflows/0/nodes/0"]),
        (parent(path("q", "input.n"), given=record({"q": TEXT})), ["WF302 E /workflows/0/nodes/0/input/0/path"]),
        (parent(path("q", "input.maybe"), given=record({"q": TEXT})), ["WF390 E /workflows/0/nodes/0/input/0/path"]),
        (parent(path("q", "input.text"), given=record({"q": TEXT})), []),
        (parent(given=record({"q": DEFAULTED})), []),
        (parent(given=record({"q?": TEXT})), []),
        (parent(path(".", "input"), given=record({"text": TEXT, "q": DEFAULTED})), []),
        (parent(path(".", "input.n"), given=record({})), ["WF302 E /workflows/0/nodes/0/input/0/path"]),
        (parent(path("text", "input.text"), given=record({"text": TEXT, "q?": DEFAULTED}, maxProperties=1)),
         ["WF302 E /workflows/0/nodes/0"]),
    ],
)  # fmt: skip
def test_inputs_of_children_are_payloads_too(document: Json, findings: list[str]) -> None:
    assert told(document, strict=True) == findings


# Waits


@pytest.mark.parametrize(
    ("schema", "ordinary", "strict"),
    [
        (TEXT, ["WF302 E /nodes/0/seconds/path"], ["WF302 E /nodes/0/seconds/path"]),
        ({"type": "integer", "maximum": -1}, ["WF302 E /nodes/0/seconds/path"], ["WF302 E /nodes/0/seconds/path"]),
        ({"type": "number"}, [], ["WF390 E /nodes/0/seconds/path"]),
        ({"type": "integer", "minimum": 0}, [], []),
    ],
)
def test_seconds_are_a_number_from_zero_on(schema: Json, ordinary: list[str], strict: list[str]) -> None:
    step = {"id": "a", "type": "wait", "seconds": {"path": "input.s"}}
    document = workflow("a:ok", step, input=record({"s": schema}))
    assert (told(document), told(document, strict=True)) == (ordinary, strict)


def test_types_follow_what_was_written() -> None:
    """A state path holds what was written last, not all that its schema takes."""
    document = workflow(
        "s:ok->a a:ok",
        set_to("s", "v", "x"),
        node("a", "say", path("text", "state.v"), to=[write(".", "out")]),
        state={"v": {}, "out": {}},
        defs=[SAY],
    )
    assert told(document, strict=True) == []
    document["nodes"][0]["input"][0]["value"] = 7
    assert told(document) == ["WF302 E /nodes/1/input/0/path"]


@pytest.mark.parametrize("text", ["{{input.items}}", "${input.items}", "$.input.items", "input.items"])
def test_a_path_that_was_written_as_a_value_is_bound_though_nobody_knows_its_type(text: str) -> None:
    """`items` may be missing, and be anything, so that it is the author who says yes."""
    given = {"type": "object", "properties": {"items": {}}}
    document = say(value("list", text), definition=define("say", record({"list": {"type": "array"}})), given=given)
    (finding,) = [one for one in wfc.check(document).diagnostics if one.code.code == "WF310"]
    (fix,) = finding.fixes
    assert (fix.title, fix.applicability, fix.verified) == ("Bind the path `input.items`", Applicability.UNSAFE, True)
    (step,) = apply_patch(document, fix.patch)["nodes"]
    assert step["input"] == [{"target": "list", "path": "input.items"}]
