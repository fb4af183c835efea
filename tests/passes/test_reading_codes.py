"""What steps read: unknown paths, paths through scalars, state that is not written, fields that may be missing."""

from __future__ import annotations

import pytest

from tests.passes.valued import (
    ANY,
    INTEGER,
    TEXT,
    Json,
    check,
    compare,
    define,
    exists,
    findings,
    fixed,
    node,
    only,
    path,
    record,
    set_to,
    told,
    use,
    workflow,
    write,
)

PERSON = record({"name": TEXT, "age?": INTEGER})
CLOSED = record({"n": INTEGER, "who": record({"name": TEXT, "age?": INTEGER}, additionalProperties=False)},
                additionalProperties=False)  # fmt: skip
OPEN = record({"n": INTEGER, "who": PERSON, "extra?": TEXT})
AT = "/nodes/0/input/0/path"


def reading(source: str, given: Json = CLOSED, **fields: object) -> Json:
    return workflow("a:ok", use("a", source), input=given, **fields)  # type: ignore[arg-type]


def asking(condition: Json, given: Json = CLOSED, **fields: object) -> Json:
    return workflow("c:true c:false", check("c", condition), input=given, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("document", "ordinary", "strict"),
    [
        # what no schema mentions
        (reading("input.m"), [f"WF305 E {AT}"], None),
        (reading("input.who.nam"), [f"WF305 E {AT}"], None),
        (reading("input.m", OPEN), [f"WF305 W {AT}"], [f"WF305 E {AT}"]),
        (reading("input.who.nam", OPEN), [f"WF305 W {AT}"], [f"WF305 E {AT}"]),
        (reading("input.m", record({"n": ANY}, additionalProperties=INTEGER)), [f"WF305 W {AT}"], [f"WF305 E {AT}"]),
        (reading("state.m", state={"s": {"type": "integer", "default": 1}}), [f"WF305 E {AT}"], None),
        (asking(exists("input.m")), ["WF305 W /nodes/0/check/path"], ["WF305 E /nodes/0/check/path"]),
        (asking(exists("input.m"), OPEN), ["WF305 W /nodes/0/check/path"], ["WF305 E /nodes/0/check/path"]),
        (asking({"op": "not", "arg": exists("state.m")}), ["WF305 W /nodes/0/check/arg/path"],
         ["WF305 E /nodes/0/check/arg/path"]),
        (asking(compare("eq", "input.m", 1)), ["WF305 E /nodes/0/check/left/path"], None),
        # what is no object
        (reading("input.n.value"), [f"WF308 E {AT}"], None),
        (reading("input.who.name.first"), [f"WF308 E {AT}"], None),
        (asking(compare("lt", "input.n", "input.n.value")), ["WF308 E /nodes/0/check/right/path"], None),
        # what its schema does not require
        (reading("input.who.age"), [f"WF407 W {AT}"], [f"WF407 E {AT}"]),
        (reading("input.extra", OPEN), [f"WF407 W {AT}"], [f"WF407 E {AT}"]),
        (asking(compare("eq", "input.who.age", 3)), [], ["WF391 E /nodes/0/check/left/path"]),
        (reading("input.m", record({})), [], [f"WF391 E {AT}"]),
        (reading("input.m", {"type": "object", "additionalProperties": INTEGER}), [], [f"WF391 E {AT}"]),
        (reading("input.p.name", record({"p": {"anyOf": [PERSON, {"type": "null"}]}})), [], [f"WF391 E {AT}"]),
        # state that only the input gives
        (reading("state.extra", OPEN), [f"WF407 W {AT}"], [f"WF407 E {AT}"]),
        (reading("state.who.name", OPEN), [], []),
        # state that is not written
        (reading("state.s", state={"s": TEXT}), [f"WF400 E {AT}"], None),
        (reading("state.s.k", state={"s": record({"k?": TEXT}) | {"default": {}}}), [f"WF400 E {AT}"], None),
    ],
)  # fmt: skip
def test_what_is_read(document: Json, ordinary: list[str], strict: list[str] | None) -> None:
    assert told(document) == ordinary
    assert told(document, strict=True) == (ordinary if strict is None else strict)


@pytest.mark.parametrize(
    "document",
    [
        reading("input"),
        reading("state"),
        reading("context"),
        reading("input.who.name"),
        reading("input.n", OPEN),
        reading("state.n"),
        reading("state.s", state={"s": {"default": 0}}),
        reading("state.s.k", state={"s": {"type": "object", "properties": {"k": {"default": 0}}}}),
        reading("input.q", record({"q?": {"type": "integer", "default": 3}})),
        reading("context.retry_count"),
        asking(exists("input.who.age")),
        asking(exists("input.m"), {"type": "object"}),
        asking({"op": "and", "args": [exists("input.who.age"), compare("eq", "input.who.age", 3)]}),
        asking(
            {"op": "or", "args": [{"op": "not", "arg": exists("input.who.age")}, compare("eq", "input.who.age", 3)]}
        ),
    ],
)
def test_what_is_there_is_left_alone(document: Json) -> None:
    assert told(document, strict=True) == []


LATER = set_to("s", "v", "x")
STATE = {"v": TEXT, "o": record({"k?": TEXT, "j?": TEXT}), "list": {"type": "array", "items": TEXT}}
CHOICE = check("c", compare("eq", "input.n", 1))
EACH = {"id": "e", "type": "foreach", "over": "input.xs", "as": "x", "mode": "serial"}
GIVEN = record({"n": INTEGER, "xs": {"type": "array", "items": record({"id": INTEGER, "note?": TEXT})}})


def ways(arrows: str, *steps: Json, **more: object) -> Json:
    return workflow(arrows, *steps, input=GIVEN, state=STATE, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("document", "ordinary"),
    [
        (ways("a:ok->s s:ok", use("a", "state.v"), LATER), ["WF400 E /nodes/0/input/0/path"]),
        (ways("c:true->s c:false->a s:ok->a a:ok", CHOICE, LATER, use("a", "state.v")), ["WF401 W /nodes/2/input/0/path"]),
        (ways("c:true->s c:false->a s:ok a:ok", CHOICE, LATER, use("a", "state.v")), ["WF400 E /nodes/2/input/0/path"]),
        # a loop may have no items, and may skip them all
        (ways("e:item->s s:ok->e e:done->a a:ok", EACH, LATER, use("a", "state.v")), ["WF401 W /nodes/2/input/0/path"]),
        (ways("e:item->s s:ok->e e:done->a a:ok", {**EACH, "over": {"value": [1]}, "on_item_error": "skip"}, LATER,
              use("a", "state.v")), ["WF401 W /nodes/2/input/0/path"]),
        (ways("e:item->s s:ok->e e:done->a a:ok", {**EACH, "over": {"value": [1]}, "locals": ["state.v"]}, LATER,
              use("a", "state.v")), ["WF400 E /nodes/2/input/0/path"]),
        # who replaces an object takes its fields away
        (ways("s:ok->r r:ok->a a:ok", set_to("s", "o.k", "x"), set_to("r", "o", {"j": "y"}), use("a", "state.o.k")),
         ["WF400 E /nodes/2/input/0/path"]),
        (ways("c:true->s c:false->r s:ok->a r:ok->a a:ok", CHOICE, set_to("s", "o.k", "x"), set_to("r", "o", {"j": "y"}),
              use("a", "state.o.k")), ["WF401 W /nodes/3/input/0/path"]),
        # what is not guarded where it is read
        (ways("c:true->a c:false->s s:ok a:ok", check("c", {"op": "not", "arg": exists("state.v")}), use("a", "state.v"),
              LATER), ["WF400 E /nodes/1/input/0/path"]),
        # fields of items
        (ways("e:item->a a:ok->e e:done", EACH, use("a", "context.x.note")), ["WF407 W /nodes/1/input/0/path"]),
        (ways("e:item->a a:ok->e e:done", EACH, use("a", "context.x.idd")), ["WF305 W /nodes/1/input/0/path"]),
        (ways("e:item->a a:ok->e e:done", EACH, use("a", "context.x.id.no")), ["WF308 E /nodes/1/input/0/path"]),
    ],
)  # fmt: skip
def test_state_is_written_before(document: Json, ordinary: list[str]) -> None:
    assert told(document) == ordinary


@pytest.mark.parametrize(
    "document",
    [
        ways("s:ok->a a:ok", LATER, use("a", "state.v")),
        ways("c:true->s c:false->t s:ok->a t:ok->a a:ok", CHOICE, LATER, set_to("t", "v", "y"), use("a", "state.v")),
        ways("c:true->a c:false->s s:ok a:ok", check("c", exists("state.v")), use("a", "state.v"), LATER),
        ways("e:item->s s:ok->a a:ok->e e:done", EACH, LATER, use("a", "state.v")),
        ways("e:item->s s:ok->e e:done->a a:ok", {**EACH, "over": {"value": [1]}}, LATER, use("a", "state.v")),
        ways("e:item->a a:ok->e e:done", EACH, use("a", "context.x.id")),
        ways("s:ok->r r:ok->a a:ok", set_to("s", "o.k", "x"), set_to("r", "o.j", "y"), use("a", "state.o.k")),
    ],
)
def test_what_is_written_is_left_alone(document: Json) -> None:
    assert [one for one in told(document, strict=True) if not one.startswith("WF204")] == []


def test_a_way_shows_where_it_is_not_written() -> None:
    document = ways(
        "c:true->s c:false->d s:ok->a d:ok->a a:ok", CHOICE, LATER, {"id": "d", "type": "join"}, use("a", "state.v")
    )
    found = only(document)
    assert found.facts["path"] == ["c:false", "d:ok", "a"]
    assert [(one.role, one.at.pointer) for one in found.related] == [
        ("declared", "/state_schema/properties/v"),
        ("written", "/nodes/1/output/0/target"),
    ]


def test_only_the_first_of_several_reads_is_reported() -> None:
    document = ways(
        "c:true->s c:false->a s:ok->a a:ok->b b:ok", CHOICE, LATER, use("a", "state.v"), use("b", "state.v")
    )
    assert told(document) == ["WF401 W /nodes/2/input/0/path"]


def test_what_nothing_writes_is_missed_once() -> None:
    document = ways("a:ok->b b:ok", use("a", "state.v"), use("b", "state.v"))
    found = only(document)
    assert (found.code.code, found.at.pointer, found.hides) == ("WF400", "/nodes/0/input/0/path", 1)


def test_a_required_output_that_was_missed_on_the_way_counts_there() -> None:
    asked = {"output": record({"v": TEXT, "list?": {}})}
    found = only(ways("a:ok", use("a", "state.v"), **asked))
    assert (found.code.code, found.hides) == ("WF400", 1)


def test_what_is_missed_in_two_branches_is_counted_at_the_first() -> None:
    steps = [CHOICE, *(use(name, "state.v") for name in "abd")]
    found = findings(ways("c:true->a c:false->b a:ok->d b:ok->d d:ok", *steps), strict=False)
    assert [(one.at.pointer, one.hides) for one in found] == [
        ("/nodes/1/input/0/path", 1),
        ("/nodes/2/input/0/path", 0),
    ]


def test_what_one_look_finds_is_not_asked_for_again() -> None:
    found = only(workflow("a:ok->b b:ok", use("a", "input.who.age"), use("b", "input.who.age"), input=CLOSED))
    assert (found.code.code, found.at.pointer, found.hides) == ("WF407", AT, 1)


def test_one_unknown_path_is_one_finding() -> None:
    document = workflow("a:ok->b b:ok", use("a", "input.m"), use("b", "input.m"), input=CLOSED)
    found = only(document)
    assert (found.at.pointer, found.hides) == (AT, 1)
    assert [one.at.pointer for one in found.related] == ["/input_schema", "/nodes/1/input/0/path"]


@pytest.mark.parametrize(
    ("source", "title", "meant"),
    [
        ("input.who.nmae", "Read `input.who.name`", "input.who.name"),
        ("input.whom", "Read `input.who`", "input.who"),
        ("input.s", "Read `state.s`", "state.s"),
        ("input.n.value", "Read `input.n`", "input.n"),
    ],
)
def test_a_slip_has_its_repair(source: str, title: str, meant: str) -> None:
    document = reading(source, state={"s": {"type": "string", "default": ""}})
    assert only(document).fixes[0].title == title
    assert fixed(document)["nodes"][0]["input"] == [path("value", meant)]


def test_a_path_of_neither_root_has_no_repair() -> None:
    assert only(reading("state.n", record({}), state={"s": {"default": 0}})).fixes == ()


def test_a_field_may_be_required_and_a_path_given_a_default() -> None:
    assert fixed(reading("input.who.age"))["input_schema"]["properties"]["who"]["required"] == ["name", "age"]
    document = fixed(reading("state.s", state={"s": {"type": "array"}}))
    assert document["state_schema"]["properties"]["s"] == {"type": "array", "default": []}


def test_a_structural_path_is_repaired_as_well() -> None:
    document = reading("input.n")
    document["nodes"][0]["input"][0]["path"] = {"root": "input", "parts": ["m"]}
    document["input_schema"]["properties"]["mm"] = INTEGER
    assert fixed(document)["nodes"][0]["input"] == [path("value", "input.mm")]


# One cause, one finding


@pytest.mark.parametrize(
    ("document", "findings_"),
    [
        # a write that goes elsewhere, a step that is not reached, an outcome that is not there
        (ways("s:ok->a a:ok", set_to("s", "w", "x"), use("a", "state.v")), []),
        (ways("n:no->s n:ok->a s:ok->a a:ok", node("n", "wf.std.record"), LATER, use("a", "state.v")), []),
        (ways("s:ok->a a:ok", {**LATER, "output": [write("v", "v", "done")]}, use("a", "state.v")), []),
        (ways("s:ok->a a:ok", {**LATER, "output": [{"source": "v", "target": "v"}]}, use("a", "state.v")),
         ["WF021 E /nodes/0/output/0/target"]),
        (ways("s:ok->a a:ok", {**LATER, "type": "nod"}, use("a", "state.v")), ["WF018 E /nodes/0/type"]),
    ],
)  # fmt: skip
def test_what_follows_from_another_fault_is_not_reported(document: Json, findings_: list[str]) -> None:
    assert told(document) == findings_


def test_an_unknown_path_says_nothing_about_types() -> None:
    defs = [define("f", record({"n": INTEGER}))]
    document = workflow("a:ok", node("a", "f", path("n", "input.m")), input=OPEN, defs=defs)
    assert told(document, strict=True) == [f"WF305 E {AT}"]
    document = workflow("a:ok", node("a", "f", path("n", "input.n.m")), input=OPEN, defs=defs)
    assert told(document, strict=True) == [f"WF308 E {AT}"]


def test_unreachable_steps_are_not_judged() -> None:
    document = workflow("a:ok b:ok", use("a", "input.n"), use("b", "input.m"), input=CLOSED)
    assert findings(document, strict=True) == []


def test_children_are_judged_by_themselves() -> None:
    child = workflow("a:ok", use("a", "input.m"), input=CLOSED)
    step = {"id": "g", "type": "subgraph", "workflow": {"name": "child"}, "input": [path(".", "input")]}
    document = {"workflows": [workflow("g:ok", step, input=CLOSED), {**child, "name": "child"}]}
    assert told(document) == ["WF305 E /workflows/1/nodes/0/input/0/path"]


def test_what_a_condition_has_found_is_there_behind_it() -> None:
    guard = check("c", exists("input.who.age"))
    document = workflow("c:true->a c:false a:ok", guard, use("a", "input.who.age"), input=CLOSED)
    assert told(document, strict=True) == []
    document["edges"][0]["outcome"], document["edges"][1]["outcome"] = "false", "true"
    assert told(document) == ["WF407 E /nodes/1/input/0/path"]


def test_a_fork_is_guarded_branch_by_branch() -> None:
    fork = {"id": "k", "type": "fork", "branches": [{"outcome": "p", "when": exists("input.who.age")}, "q"]}
    steps = (fork, use("a", "input.who.age"), use("b", "input.who.age"), {"id": "j", "type": "join"})
    document = workflow("k:p->a k:q->b a:ok->j b:ok->j j:ok", *steps, input=CLOSED)
    assert told(document) == ["WF407 W /nodes/2/input/0/path"]


def test_waits_and_loops_read_too() -> None:
    wait = {"id": "w", "type": "wait", "seconds": {"path": "input.m"}}
    each = {"id": "e", "type": "foreach", "over": "input.m", "as": "x"}
    document = workflow("w:ok->e e:item->e e:done", wait, each, input=CLOSED)
    found = only(document)
    assert (found.at.pointer, found.hides) == ("/nodes/0/seconds/path", 1)


def test_the_same_path_in_another_root_is_nearer_than_a_like_name() -> None:
    state = {"transfer_id": {"type": "string", "default": ""}}
    document = reading("input.transfer_id", record({"transfer_ids": TEXT}), state=state)
    assert only(document).message.endswith("expected one such as `state.transfer_id`")
    assert fixed(document)["nodes"][0]["input"] == [path("value", "state.transfer_id")]
