"""What steps write: sources that are not there, types that a state path does not take, reducers, seeds."""

from __future__ import annotations

from typing import Any

import pytest

import wfc
from tests.passes.valued import (
    ANY,
    BOOLEAN,
    INTEGER,
    MAYBE_TEXT,
    TEXT,
    Json,
    define,
    exists,
    fixed,
    node,
    only,
    path,
    record,
    told,
    value,
    workflow,
    write,
)

SILENT = record({"y": TEXT, "n": INTEGER, "o?": record({"k": TEXT})})
CLOSED = {**SILENT, "additionalProperties": False}
ADMITTING = {**SILENT, "additionalProperties": True}
TEXTS, NUMBERS = {"type": "array", "items": TEXT}, {"type": "array", "items": INTEGER}
SOURCE, TARGET = "/nodes/0/output/0/source", "/nodes/0/output/0/target"


def writing(source: str, schema: Any = ANY, *on: str, returns: Json = SILENT, to: str = "s", **more: Any) -> Json:
    """A step that writes a part of its output to `state.s`, of that schema."""
    step = node("a", "f", to=[write(source, to, *on)])
    return workflow("a:ok", step, state={"s": schema}, defs=[define("f", output=returns, **more)])


def two(*bindings: Json, **schemas: Json) -> Json:
    """A step with the outcomes `ok` and `no`, and schemas for them."""
    definition = define("f", output=SILENT, outcomes=["ok", "no"], outcome_schemas=schemas)
    return workflow("a:ok a:no", node("a", "f", to=bindings), state={"s": ANY}, defs=[definition])


def catching(*bindings: Json) -> Json:
    step = node("a", "f", to=bindings, catch=[{"codes": ["node_failed"], "outcome": "broke"}])
    return workflow("a:ok a:broke", step, state={"s": ANY}, defs=[define("f", output=SILENT)])


@pytest.mark.parametrize(
    ("document", "ordinary", "strict"),
    [
        # what the output does not have
        (writing("z"), [f"WF306 E {SOURCE}"], None),
        (writing("z", returns=CLOSED), [f"WF306 E {SOURCE}"], None),
        (writing("z", returns=ADMITTING), [f"WF306 W {SOURCE}"], [f"WF306 E {SOURCE}"]),
        (writing("z", returns={"type": "object"}), [], [f"WF391 E {SOURCE}"]),
        (writing("y.first"), [f"WF308 E {SOURCE}"], None),
        (writing("o.z"), [f"WF306 W {SOURCE}"], [f"WF306 E {SOURCE}"]),
        # what it may have
        (writing("o"), [f"WF407 W {SOURCE}"], [f"WF407 E {SOURCE}"]),
        (writing("o.k"), [f"WF407 W {SOURCE}"], [f"WF407 E {SOURCE}"]),
        (writing("m.k", returns=record({"m": {"anyOf": [record({"k": TEXT}), {"type": "null"}]}})), [],
         [f"WF391 E {SOURCE}"]),
        # outcome by outcome
        (two(write("y", "s"), no=record({"why": TEXT})), [f"WF306 E {SOURCE}"], None),
        (two(write("y", "s", "no"), no=record({"why": TEXT})), [f"WF306 E {SOURCE}"], None),
        (two(write("o", "s", "ok")), [], [f"WF391 E {SOURCE}"]),
        (two(write("o", "s", "ok", "no")), [f"WF407 W {SOURCE}"], [f"WF407 E {SOURCE}"]),
        (catching(write("y", "s"), write("y", "s", "broke")), ["WF306 E /nodes/0/output/1/source"], None),
        (catching(write("error.type", "s", "broke")), [], [f"WF391 E {SOURCE}"]),
        # types
        (writing("y", INTEGER), [f"WF302 E {TARGET}"], None),
        (writing("y", {"enum": ["a", "b"]}), [], [f"WF393 E {TARGET}"]),
        (writing("y", {"type": "object"}, to="s.k.j"), [], []),
        (writing("y", record({"k?": INTEGER}), to="s.k"), [f"WF302 E {TARGET}"], None),
        (writing("y", TEXTS, to="s.first"), [f"WF308 E {TARGET}"], None),
        # reducers
        (writing("y", {**NUMBERS, "reducer": "wf.std.append"}), [f"WF302 E {TARGET}"], None),
        (writing("y", {**TEXTS, "reducer": "wf.std.extend"}), [f"WF302 E {TARGET}"], None),
        (writing("y", {"reducer": "wf.std.add"}), [f"WF302 E {TARGET}"], None),
        (writing("y", {**TEXTS, "reducer": "wf.std.append", "maxItems": 3}, returns=record({"y": TEXT})), [], []),
        (writing("v", {"reducer": "wf.std.max"}, returns=record({"v": ANY})), [], [f"WF394 E {TARGET}"]),
        (writing("n", {"reducer": "wf.std.max", "default": "a"}), [f"WF302 E {TARGET}"], None),
        # a nested write creates what requires more
        (writing("y", record({"k": TEXT, "j": TEXT}), to="s.k"), [], [f"WF393 E {TARGET}"]),
        (writing("y", {**record({"k?": TEXT, "j?": TEXT}), "minProperties": 2}, to="s.k"), [], [f"WF393 E {TARGET}"]),
        (writing("y", {"anyOf": [record({"k": TEXT}), TEXT]}, to="s.k"), [], []),
        (writing("y", {"anyOf": [record({"k": TEXT}), TEXT], "default": "a"}, to="s.k"), [], [f"WF393 E {TARGET}"]),
    ],
)  # fmt: skip
def test_what_is_written(document: Json, ordinary: list[str], strict: list[str] | None) -> None:
    assert told(document) == ordinary
    assert told(document, strict=True) == (ordinary if strict is None else strict)


@pytest.mark.parametrize(
    "document",
    [
        writing("y", TEXT),
        writing("."),
        writing("y", {"type": ["string", "null"]}),
        writing("n", {"type": "number"}),
        writing("z", returns={}),
        writing("z", returns=record({"y": TEXT, "z": ANY}, additionalProperties=True)),
        writing("o.k", TEXT, returns=record({"o": record({"k": TEXT})})),
        writing("n", {"type": "integer", "reducer": "wf.std.add", "default": 0}),
        writing("y", {**TEXTS, "reducer": "wf.std.append"}),
        writing("y", record({"k?": TEXT, "j?": TEXT}), to="s.k"),
        writing("y", {**record({"k": TEXT, "j": TEXT}), "default": {"k": "", "j": ""}}, to="s.k"),
        two(write("y", "s", "ok"), no=record({"why": TEXT})),
        two(write("y", "s", "ok"), write("why", "s", "no"), no=record({"why": TEXT})),
        catching(write("y", "s"), write("error.message", "s", "broke")),
        catching(write("y", "s"), write("error.code", "s", "broke")),
    ],
)
def test_what_may_be_written_is_left_alone(document: Json) -> None:
    assert [one for one in told(document, strict=True) if not (one.startswith("WF391") and "z" in str(document))] == []


def test_writes_of_one_step_are_judged_together() -> None:
    both = node("a", "f", to=[write("y", "s.k"), write("y", "s.j")])
    document = workflow("a:ok", both, state={"s": record({"k": TEXT, "j": TEXT})}, defs=[define("f", output=SILENT)])
    assert told(document, strict=True) == []
    document["nodes"][0]["output"][1]["target"] = "state.s.i"
    assert told(document, strict=True) == [f"WF393 E {TARGET}"]


def test_a_reducer_closes_over_itself() -> None:
    """What a loop adds again and again stays within the schema, or may leave it."""
    schema = {"type": "integer", "minimum": 0, "reducer": "wf.std.add", "default": 0}
    step = node("a", "f", to=[write("n", "s")])
    again = {"id": "c", "type": "condition", "check": {"op": "lt", "left": {"path": "state.s"}, "right": 9}}
    for low, findings in ((0, []), (-1, [f"WF393 E {TARGET}"])):
        returns = record({"n": {"type": "integer", "minimum": low}})
        document = workflow(
            "a:ok->c c:true->a c:false", step, again, state={"s": schema}, defs=[define("f", output=returns)]
        )
        assert told(document, strict=True) == findings


def test_every_seed_is_taken() -> None:
    document = workflow(
        "w:ok", {"id": "w", "type": "wait", "seconds": 0}, input=record({"s": MAYBE_TEXT}), state={"s": TEXT}
    )
    assert (told(document), told(document, strict=True)) == ([], ["WF393 E /input_schema/properties/s"])
    document["state_schema"]["properties"]["s"] = MAYBE_TEXT
    assert told(document, strict=True) == []


# Questions: a resume that would fail is refused instead


def asking(source: str, schema: Json, *on: str, **more: Any) -> Json:
    step = {"id": "h", "type": "interrupt", "outcomes": ["ok", "no"], "resume": [write(source, "s", *on)], **more}
    return workflow("h:ok h:no", {"kind": "own", **step}, state={"s": schema})


RESUME = "/nodes/0/resume/0"
OWN = {"resume_schema": SILENT}


@pytest.mark.parametrize(
    ("document", "findings"),
    [
        (asking("y", INTEGER, "ok", **OWN), [f"WF302 E {RESUME}/target"]),
        (asking("z", ANY, "ok", resume_schema=CLOSED), [f"WF306 E {RESUME}/source"]),
        (asking("z", ANY, "ok", **OWN), [f"WF306 E {RESUME}/source"]),
        (asking("o", {"type": "object", "minProperties": 2}, "ok", **OWN), []),
        (asking("y", {"enum": ["a"]}, "ok", **OWN), []),
        (asking("v", {"reducer": "wf.std.add"}, "ok"), []),
        (asking("why", TEXT, "no", **OWN), []),
        (
            asking("why", TEXT, "no", **OWN, resume_schemas={"no": record({"why": INTEGER})}),
            [f"WF302 E {RESUME}/target"],
        ),
        (asking("approved", BOOLEAN, "ok", kind="approval", request=[value("prompt", "?")]), []),
    ],
)
def test_resumes_are_judged_where_no_answer_could_be_taken(document: Json, findings: list[str]) -> None:
    assert told(document, strict=True) == findings


# Children and loops


def parent(source: str, child_output: Json, *steps: Json, arrows: str = "w:ok", **more: Any) -> Json:
    wait = {"id": "w", "type": "wait", "seconds": 0}
    child = workflow(arrows, *(steps or (wait,)), output=child_output, state={"r": TEXT}, **more)
    step = {"id": "g", "type": "subgraph", "workflow": {"name": "child"}, "output": [write(source, "s")]}
    return {"workflows": [workflow("g:ok", step, state={"s": TEXT}), {**child, "name": "child"}]}


SET = node("r", "wf.std.record", value("r", "x"), to=[write("r", "r")])
AT = "/workflows/0/nodes/0/output/0/source"


@pytest.mark.parametrize(
    ("document", "findings"),
    [
        (parent("r", record({"r?": TEXT})), [f"WF306 E {AT}"]),
        (parent("q", record({"r?": TEXT}), SET, arrows="r:ok"), [f"WF306 E {AT}"]),
        (parent("r", record({"r?": TEXT}), SET, arrows="r:ok"), []),
        (parent("r", record({"r?": TEXT}),
                {"id": "c", "type": "condition", "check": exists("input.n")}, SET, arrows="c:true->r c:false r:ok",
                input=record({"n?": ANY})), [f"WF407 E {AT}"]),
    ],
)  # fmt: skip
def test_the_output_of_a_child_is_what_its_ends_project(document: Json, findings: list[str]) -> None:
    assert told(document, strict=True) == findings


@pytest.mark.parametrize(
    ("source", "schema", "policy", "findings"),
    [
        ("count", INTEGER, "fail", []),
        ("failed_indexes", NUMBERS, "skip", []),
        ("errors", {"type": "array", "items": record({"index": INTEGER, "message": TEXT})}, "collect", []),
        ("items", ANY, "fail", [f"WF306 E {SOURCE}"]),
        ("count", TEXT, "fail", [f"WF302 E {TARGET}"]),
    ],
)
def test_the_result_of_a_loop_is_typed(source: str, schema: Json, policy: str, findings: list[str]) -> None:
    each = {"id": "e", "type": "foreach", "over": {"value": [1]}, "as": "x", "on_item_error": policy}
    document = workflow("e:item->w w:ok->e e:done", {**each, "output": [write(source, "s")]},
                        {"id": "w", "type": "wait", "seconds": 0}, state={"s": schema})  # fmt: skip
    assert told(document, strict=True) == findings


# Barriers


def test_a_barrier_judges_without_locals() -> None:
    """In the lineage the object has both fields; at the barrier it has only the one that is no local."""
    steps = [node("b", "f", to=[write("y", "s.k"), write("y", "s.j")]), {"id": "j", "type": "join"}]
    fork = {"id": "f", "type": "fork", "branches": ["p"]}
    document = workflow("f:p->b b:ok->j j:ok", fork, *steps, state={"s": record({"k": TEXT, "j": TEXT})},
                        defs=[define("f", output=SILENT)])  # fmt: skip
    assert told(document, strict=True) == []
    document["nodes"][0]["locals"] = ["state.s.j"]
    assert told(document, strict=True) == ["WF393 E /nodes/1/output/0/target"]


def test_a_reducer_meets_what_siblings_have_made() -> None:
    """A text and a number have no larger one; each branch by itself has nothing to compare with."""
    fork = {"id": "f", "type": "fork", "branches": ["p", "q"]}
    steps = [node("b", "f", to=[write("y", "s")]), node("c", "f", to=[write("n", "s")]), {"id": "j", "type": "join"}]
    document = workflow("f:p->b f:q->c b:ok->j c:ok->j j:ok", fork, *steps, state={"s": {"reducer": "wf.std.max"}},
                        defs=[define("f", output=SILENT)])  # fmt: skip
    assert "WF394 E /nodes/2/output/0/target" in told(document, strict=True)


# Repairs


@pytest.mark.parametrize(
    ("document", "output"),
    [
        (writing("yy"), [write("y", "s")]),
        (writing("y.first"), [write("y", "s")]),
        (two(write("y", "s"), no=record({"why": TEXT})), [write("y", "s", "ok")]),
        (writing("nothing_like_it"), []),
    ],
)
def test_a_slip_has_its_repair(document: Json, output: list[Json]) -> None:
    assert fixed(document)["nodes"][0]["output"] == output


def test_an_optional_field_may_be_required() -> None:
    assert fixed(writing("o"))["node_defs"][0]["output_schema"]["required"] == ["y", "n", "o"]


def test_a_finding_says_what_was_found_and_expected() -> None:
    found = only(writing("y", INTEGER))
    assert found.message == "`y` of `a` under `ok` is string, which `state.s` never takes; expected integer"
    assert (found.facts["witness"], found.facts["path"]) == ("", ["a:ok"])
    assert [one.at.pointer for one in found.related] == ["/node_defs/0/output_schema", "/state_schema/properties/s"]
    found = only(two(write("y", "s"), no=record({"why": TEXT})))
    assert found.facts["outcome"] == "no"
    assert found.facts["allowed"] == ["why"]


# One cause, one finding


@pytest.mark.parametrize(
    "document",
    [
        # the schema's own faults, which others report: a reducer that does not work on it, or lacks its modulus
        writing("y", {**TEXT, "reducer": "wf.std.append"}),
        writing("n", {**INTEGER, "reducer": {"ref": {"source": "wf.std", "capability_key": "modulo_add"}}}),
        # a target that is not declared, or is in a closed object
        writing("y", ANY, to="t"),
        writing("y", record({}, additionalProperties=False), to="s.k"),
    ],
)
def test_what_others_report_is_left_to_them(document: Json) -> None:
    assert told(document) == []


def test_a_path_that_is_read_in_vain_says_nothing_about_the_write() -> None:
    document = workflow("a:ok", node("a", "wf.std.identity", path("value", "input.m"), to=[write("value", "s")]),
                        input=record({"n": INTEGER}), state={"s": TEXT})  # fmt: skip
    assert told(document) == ["WF305 W /nodes/0/input/0/path"]


@pytest.mark.parametrize(("source", "field"), [("output.y", "y"), ("result.o.k", "o.k"), ("output.o", "o")])
def test_a_source_below_a_root_is_read_where_the_schema_lists_it(source: str, field: str) -> None:
    """`o` may be missing: what is meant is known, and what is told then is another question."""
    document = writing(source, returns=ADMITTING)
    (finding,) = [one for one in wfc.check(document).diagnostics if one.code.code == "WF306"]
    assert [(fix.title, fix.verified) for fix in finding.fixes] == [(f"Write `{field}`", True)]
