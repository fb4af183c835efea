"""State and input as their schemas declare them: where each code speaks, near misses, and its fixes."""

from typing import Any

import pytest

from tests.passes.judged import INTEGER, LIST, TEXT, Json, bind, found, healed, node, places, put, record, work
from wfc import check
from wfc.diagnostics import Applicability, Severity

UNSAFE, PLACEHOLDER = Applicability.UNSAFE, Applicability.PLACEHOLDER
EXTEND, APPEND = "wf.std.extend", "wf.std.append"


def state(**fields: Any) -> Json:
    """A workflow with these state fields, whatever is done with them."""
    return work("a", node("a"), state=fields)


def modulo(config: Any = None, **more: Any) -> Json:
    written: Json = {"ref": {"source": "wf.std", "capability_key": "modulo_add"}, **more}
    return state(n={**INTEGER, "reducer": written if config is None else {**written, "config": config}})


def written(schema: Json, *puts: Json, **fields: Any) -> Json:
    """A workflow that writes to `state.x` of a schema."""
    return work("a", node("a", output=list(puts)), state={"x": schema}, **fields)


def seeded(given: Json, held: Json, **fields: Any) -> Json:
    return work("a", node("a", input=[bind("x", "state.s")]), input={"s": given}, state={"s": held}, **fields)


READS = node("a", input=[bind("x", "state.s")])
NESTED = {"type": "object", "properties": {"n": {**INTEGER, "default": 1}, "m": INTEGER}, "required": ["n", "m"]}
RECURSIVE = {"$defs": {"t": record(next={"$ref": "#/$defs/t"}, n={**LIST, "reducer": APPEND})},
             **record(x={"$ref": "#/$defs/t"})}  # fmt: skip

SPOKEN: list[tuple[str, list[str], Json]] = [
    ("WF314", ["N /nodes/0/input/0/path"], work("a", READS, input={"s": TEXT})),
    ("WF314", ["N /nodes/0/input/0/path"], seeded(TEXT, TEXT)),
    ("WF314", ["N /nodes/0/input/0/path"],
     work("a->b b", READS, node("b", input=[bind("x", "state.s.k")]), input={"s": {}})),
    ("WF405", ["N /state_schema/properties/n"], state(n=INTEGER)),
    ("WF405", ["N /state_schema/properties/x/properties/b"],
     work("a", node("a", output=[put("n", "state.x.a")]), state={"x": record(a=INTEGER, b=INTEGER)})),
    ("WF406", ["N /input_schema/properties/s"], work("a", node("a"), input={"s": TEXT})),
    ("WF409", ["E /state_schema/properties/n/default"], state(n={**INTEGER, "default": "x"})),
    ("WF409", ["E /state_schema/properties/x/properties/n/default"], state(x=record(n={**INTEGER, "default": None}))),
    ("WF409", ["E /state_schema/properties/p"], state(p=NESTED)),
    ("WF409", ["E /state_schema/properties/q/properties/p"], state(q={**record(p=NESTED), "maxProperties": 3})),
    ("WF409", ["E /state_schema/$defs/d/default"],
     work("a", node("a"), state_schema={"$defs": {"d": {**INTEGER, "default": "x"}},
         **record(n={"$ref": "#/$defs/d"})})),
    ("WF409", ["E /input_schema/properties/s/default"], work("a", node("a"), input={"s": {**TEXT, "default": 1}})),
    ("WF410", ["E /state_schema/properties/n/reducer"], state(n={**INTEGER, "reducer": "add"})),
    ("WF410", ["E /state_schema/properties/n/reducer"], state(n={**INTEGER, "reducer": "wf.std.plus"})),
    ("WF410", ["E /state_schema/properties/n/reducer"], state(n={**INTEGER, "reducer": "wf.sdt.add"})),
    ("WF410", ["E /state_schema/properties/n/reducer"], state(n={**INTEGER, "reducer": {"name": "add"}})),
    ("WF410", ["E /state_schema/properties/x/properties/n/reducer"], state(x=record(n={"reducer": "append"}))),
    ("WF411", ["E /state_schema/properties/n/reducer"], modulo()),
    ("WF411", ["E /state_schema/properties/n/reducer"], state(n={**INTEGER, "reducer": "wf.std.modulo_add"})),
    ("WF411", ["E /state_schema/properties/n/reducer/config"], modulo({})),
    ("WF411", ["E /state_schema/properties/n/reducer/config/modulus"], modulo({"modulus": 0})),
    ("WF411", ["E /state_schema/properties/n/reducer/config/modulus"], modulo({"modulus": True})),
    ("WF411", ["E /state_schema/properties/n/reducer/config/further"], modulo({"modulus": 7, "further": 1})),
    ("WF411", ["E /state_schema/properties/n/reducer/config"], modulo(7)),
    ("WF412", ["E /state_schema/properties/t/reducer"], state(t={**TEXT, "reducer": APPEND})),
    ("WF412", ["E /state_schema/properties/n/reducer"], state(n={**LIST, "maxItems": 0, "reducer": APPEND})),
    ("WF412", ["E /state_schema/properties/n/reducer"], state(n={"type": ["string", "null"], "reducer": "wf.std.add"})),
    ("WF412", ["E /state_schema/properties/x/reducer"], state(x={"const": [1], "reducer": "wf.std.merge_object"})),
    ("WF412", ["E /nodes/0/output/0/target"], written({**LIST, "reducer": APPEND}, put("ns", "state.x"))),
    ("WF413", ["E /input_schema/properties/s"], seeded(TEXT, INTEGER)),
    ("WF413", ["E /input_schema/properties/s"], seeded({"enum": [1, 2]}, {"type": "integer", "minimum": 3})),
    ("WF414", ["W /state_schema/required"], work("a", node("a"), state_schema={**record(n={}), "required": ["n"]})),
    ("WF414", ["W /state_schema/additionalProperties"],
     work("a", node("a"), state_schema={**record(n={}), "additionalProperties": False})),
    ("WF414", ["W /state_schema/default"], work("a", node("a"), state_schema={**record(n={}), "default": {"n": 1}})),
    ("WF415", ["W /state_schema/properties/n/items/reducer"], state(n={"type": "array", "items": {"reducer": APPEND}})),
    ("WF415", ["W /state_schema/properties/n/anyOf/0/reducer"], state(n={"anyOf": [{**LIST, "reducer": APPEND}]})),
    ("WF415", ["W /state_schema/reducer"], work("a", node("a"), state_schema={**record(n={}), "reducer": APPEND})),
    ("WF415", ["W /state_schema/allOf/0/properties/n/reducer"],
     work("a", node("a"), state_schema={**record(m={}), "allOf": [record(n={"reducer": APPEND})]})),
    ("WF415", ["W /state_schema/$defs/d/reducer"],
     work("a", node("a"), state_schema={"$defs": {"d": {"reducer": "wf.std.add"}}, **record(
         n={"type": "array", "items": {"$ref": "#/$defs/d"}})})),
]  # fmt: skip

SILENT: list[tuple[str, str, Json]] = [
    ("WF314", "a field that a step writes, wherever it stands", work(
        "a->b b", READS, node("b", output=[put("t", "state.s")]), input={"s": TEXT}, state={"s": TEXT})),
    ("WF314", "a part of it is written", work(
        "a->b b", READS, node("b", output=[put("n", "state.s.n")]), input={"s": {}}, state={"s": {"type": "object"}})),
    ("WF314", "a default stands in where the input gives none", seeded(TEXT, {**TEXT, "default": ""})),
    ("WF314", "state says more of it than the input", seeded({"type": ["string", "null"]}, TEXT)),
    ("WF314", "a field that the input does not list", work("a", READS)),
    ("WF405", "read in a condition", work(
        "c:true c:false", {"id": "c", "type": "condition", "check": {"op": "exists", "path": "state.n"}},
            state={"n": {}})),
    ("WF405", "written only", written(INTEGER, put("n", "state.x"))),
    ("WF405", "a part of it is used", written({"type": "object"}, put("n", "state.x.a"))),
    ("WF405", "handed out", work("a", node("a"), state={"n": {}}, output={"n": {}})),
    ("WF405", "given by the input", work("a", node("a"), state={"n": {}}, input={"n": {}})),
    ("WF405", "all of state is read", work("a", node("a", input=[bind("x", "state")]), state={"n": {}})),
    ("WF405", "required by the object around it", work(
        "a", node("a", output=[put("n", "state.x.a")]), state={"x": {**record(a=INTEGER, b=INTEGER),
            "required": ["b"]}})),
    ("WF405", "used by a step that no run comes to", work(
        "a b", node("a"), node("b", output=[put("n", "state.n")]), state={"n": INTEGER})),
    ("WF405", "a step could not be read", work("a", node("a"), {"id": "b", "type": "node"}, state={"n": {}})),
    ("WF405", "a slip at the one place that writes it is what is wrong", written(
        INTEGER, put("n", "state.xx"), output={"t": {}})),
    ("WF406", "a slip at the one place that reads it is what is wrong", work(
        "a", node("a", input=[bind("x", "input.amuont")]), input={"amount": INTEGER})),
    ("WF406", "read", work("a", node("a", input=[bind("x", "input.s.k")]), input={"s": {}})),
    ("WF406", "read from state", work("a", READS, input={"s": {}})),
    ("WF406", "handed out", work("a", node("a"), input={"s": {}}, output={"s": {}})),
    ("WF406", "all of the input is read", work("a", node("a", input=[bind("x", "input")]), input={"s": {}})),
    ("WF409", "a default of its schema", state(n={**INTEGER, "default": 1.0})),
    ("WF409", "a format is no rule", state(n={**TEXT, "format": "date", "default": "soon"})),
    ("WF409", "an object's own default counts alone", state(p={**NESTED, "default": {"n": 1, "m": 1}})),
    ("WF409", "a default below an own one is never used", state(
        p={**record(n={**INTEGER, "default": "x"}), "default": {}})),
    ("WF409", "an inner default of the input is never given", work(
        "a", node("a"), input={"s": record(n={**INTEGER, "default": "x"})})),
    ("WF409", "elements have no defaults", state(n={"type": "array", "items": {**INTEGER, "default": "x"}})),
    ("WF409", "an object that its defaults make whole", state(
        p={**record(n={**INTEGER, "default": 1}), "required": ["n"]})),
    ("WF409", "a schema that refers to itself", work("a", node("a"), state_schema=RECURSIVE)),
    ("WF410", "a reducer of one's own", state(n={**INTEGER, "reducer": "mine.add"})),
    ("WF410", "a field that is called reducer", state(reducer={**TEXT, "default": "append"})),
    ("WF410", "a reducer with its reference", state(
        n={**LIST, "reducer": {"ref": {"source": "wf.std", "capability_key": "append"}}})),
    ("WF411", "a modulus", modulo({"modulus": 0.5})),
    ("WF411", "a key of the author's own", modulo({"modulus": 7}, **{"x-why": "clock"})),
    ("WF411", "no config where none is needed", state(n={**LIST, "reducer": {
        "ref": {"source": "wf.std", "capability_key": "append"}, "config": {}}})),
    ("WF412", "a field that may be of the kind", state(n={"type": ["integer", "string"], "reducer": "wf.std.add"})),
    ("WF412", "a field of any kind", state(n={"reducer": APPEND})),
    ("WF412", "the larger of two texts", state(n={**TEXT, "reducer": "wf.std.max"})),
    ("WF412", "a list of lists", written(
        {"type": "array", "items": LIST, "reducer": APPEND}, put("ns", "state.x"))),
    ("WF412", "a list of anything", written({"type": "array", "reducer": APPEND}, put("ns", "state.x"))),
    ("WF412", "an element", written({**LIST, "reducer": APPEND}, put("n", "state.x"))),
    ("WF412", "what is of no use as elements either", written(
        {"type": "array", "items": TEXT, "reducer": APPEND}, put("ns", "state.x"))),
    ("WF413", "types that overlap", seeded({"type": ["integer", "null"]}, INTEGER)),
    ("WF413", "a state field of another name", work("a", node("a"), input={"s": TEXT}, state={"n": INTEGER})),
    ("WF413", "an input field that nothing can be", seeded({"not": {}}, INTEGER)),
    ("WF414", "what asks for nothing", work("a", node("a"), state_schema={
        **record(n={}), "title": "T", "description": "D", "$defs": {}, "required": [], "additionalProperties": True})),
    ("WF414", "the same inside a field", state(n={**record(), "additionalProperties": False, "required": ["k"]})),
    ("WF415", "a chain of references and `allOf`", work("a", node("a"), state_schema={
        "$defs": {"d": {"reducer": APPEND}}, **record(n={**LIST, "allOf": [{"$ref": "#/$defs/d"}]})})),
    ("WF415", "a definition that counts in one place and not in another", work("a", node("a"), state_schema={
        "$defs": {"d": {**LIST, "reducer": APPEND}}, **record(
            n={"$ref": "#/$defs/d"}, m={"type": "array", "items": {"$ref": "#/$defs/d"}})})),
    ("WF415", "a definition that nothing refers to", work("a", node("a"), state_schema={
        "$defs": {"d": {"reducer": APPEND}}, **record(n={})})),
    ("WF415", "a literal that looks like one", state(n={"enum": [{"reducer": "x"}], "default": {"reducer": "x"}})),
]  # fmt: skip


@pytest.mark.parametrize(("code", "at", "document"), SPOKEN)
def test_it_speaks(code: str, at: list[str], document: Json) -> None:
    assert places(code, document) == at


@pytest.mark.parametrize(("code", "document"), [(code, document) for code, _, document in SILENT],
                         ids=[f"{code} {name}" for code, name, _ in SILENT])  # fmt: skip
def test_it_stays_silent(code: str, document: Json) -> None:
    assert places(code, document) == []


CAUSES = [
    ("WF307", written({**record(a=INTEGER), "additionalProperties": False}, put("n", "state.x.c"), output={"x": {}})),
    ("WF410", written({**LIST, "reducer": "append"}, put("n", "state.x"), output={"x": {}})),
    ("WF412", written({**LIST, "reducer": "wf.std.add"}, put("n", "state.x"), output={"x": {}})),
    ("WF412", written({**LIST, "reducer": APPEND}, put("ns", "state.x"), output={"x": {}})),
]


@pytest.mark.parametrize(("code", "document"), CAUSES)
def test_nothing_more_is_said_of_a_write_whose_target_is_wrong(code: str, document: Json) -> None:
    report = check(document, strict=True)
    assert [one.code.code for one in report.diagnostics if one.severity is not Severity.NOTE] == [code]


def test_a_misplaced_reducer_is_only_warned_of_so_that_it_hides_no_error() -> None:
    field = {"type": "array", "items": {**INTEGER, "reducer": APPEND}}
    report = check(written(field, put("n", "state.x"), output={"x": {}}), strict=True)
    told = [(one.code.code, one.severity) for one in report.diagnostics if one.severity is not Severity.NOTE]
    assert told == [("WF415", Severity.WARNING), ("WF302", Severity.ERROR)]


def test_all_looks_at_a_seeded_field_are_one_finding_and_one_fix() -> None:
    document = work("a->b b", READS, node("b", input=[bind("x", "state.s.k")]), input={"s": {}})
    (finding,) = found("WF314", document)
    assert (finding.hides, finding.related[0].at.pointer) == (1, "/nodes/1/input/0/path")
    assert [step["input"][0]["path"] for step in healed("WF314", document)["nodes"]] == ["input.s", "input.s.k"]


@pytest.mark.parametrize(("default", "schema", "right"), [("5", INTEGER, 5), ("true", {"type": "boolean"}, True),
                                                          (5, TEXT, "5"), ("[1]", LIST, [1])])  # fmt: skip
def test_a_default_of_another_kind_keeps_what_it_says(default: Any, schema: Json, right: Any) -> None:
    document = healed("WF409", state(n={**schema, "default": default}))
    assert document["state_schema"]["properties"]["n"]["default"] == right


@pytest.mark.parametrize("default", ["x", "1e999", "9" * 5000, "[" * 2000])
def test_a_default_that_says_nothing_else_goes(default: str) -> None:
    assert healed("WF409", state(n={**INTEGER, "default": default}), UNSAFE)["state_schema"]["properties"] == {
        "n": INTEGER
    }


@pytest.mark.parametrize(("name", "right"), [("append", APPEND), ("wf.sdt.append", APPEND), ("wf.std.apend", APPEND),
                                             ("push", APPEND), ("wf.std.concat", EXTEND), ("merge",
                                                 "wf.std.merge_object")])  # fmt: skip
def test_a_reducer_by_another_name(name: str, right: str) -> None:
    document = healed("WF410", state(n={"reducer": name}))
    assert document["state_schema"]["properties"]["n"]["reducer"] == right


def test_a_modulus_under_another_name_or_as_a_text() -> None:
    for config in ({"modulo": 7}, {"modulus": "7"}):
        document = healed("WF411", modulo(config))
        assert document["state_schema"]["properties"]["n"]["reducer"]["config"] == {"modulus": 7}
    document = healed("WF411", modulo(modulus=7))
    assert document["state_schema"] == modulo({"modulus": 7})["state_schema"]


def test_a_modulus_that_is_not_there_has_to_be_chosen() -> None:
    assert healed("WF411", modulo(), PLACEHOLDER)["state_schema"] == modulo({"modulus": 1})["state_schema"]


def test_the_reducer_that_fits_what_is_written() -> None:
    wrong = {**LIST, "reducer": "wf.std.add"}
    assert healed("WF412", written(wrong, put("n", "state.x")))["state_schema"] == record(x={**LIST, "reducer": APPEND})
    lists = healed("WF412", written(wrong, put("ns", "state.x")), UNSAFE)
    assert lists["state_schema"] == record(x={**LIST, "reducer": EXTEND})


def test_lists_that_are_appended_are_one_finding_for_a_field() -> None:
    document = work("a->b b", node("a", output=[put("ns", "state.x")]), node("b", output=[put("ns", "state.x")]),
                    state={"x": {**LIST, "reducer": APPEND}})  # fmt: skip
    (finding,) = found("WF412", document)
    assert (finding.hides, [one.role for one in finding.related]) == (1, ["declared", "written"])
    assert healed("WF412", document)["state_schema"] == record(x={**LIST, "reducer": EXTEND})


def test_lists_beside_elements_leave_the_reducer_in_doubt() -> None:
    document = work("a->b b", node("a", output=[put("ns", "state.x")]), node("b", output=[put("n", "state.x")]),
                    state={"x": {**LIST, "reducer": APPEND}})  # fmt: skip
    (finding,) = found("WF412", document)
    assert [fix.applicability for fix in finding.fixes] == [UNSAFE]


def test_a_seed_that_does_not_fit_has_a_witness() -> None:
    (finding,) = found("WF413", seeded({"enum": ["a"]}, INTEGER))
    assert (finding.facts["witness"], finding.facts["expected"]) == ("a", "integer")


def test_state_may_be_declared_as_its_seed_is() -> None:
    document = seeded(TEXT, {**INTEGER, "reducer": "wf.std.max"})
    assert healed("WF413", document, UNSAFE)["state_schema"] == record(s={**TEXT, "reducer": "wf.std.max"})


def test_a_keyword_that_nothing_enforces_can_go() -> None:
    document = work("a", node("a"), state_schema={**record(n={}), "required": ["n"]})
    assert healed("WF414", document)["state_schema"] == record(n={})


def test_a_misplaced_reducer_is_moved_to_its_field() -> None:
    document = healed("WF415", state(n={"type": "array", "items": {**INTEGER, "reducer": APPEND}}))
    assert document["state_schema"] == record(n={**LIST, "reducer": APPEND})


def test_a_reducer_that_does_not_fit_the_field_around_it_stays() -> None:
    (finding,) = found("WF415", state(n={"type": "array", "items": {**INTEGER, "reducer": "wf.std.add"}}))
    assert finding.fixes == ()
