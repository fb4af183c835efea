"""Bindings, state paths and `context`: where each code speaks, near misses in which it is silent, and its fixes."""

from typing import Any

import pytest

from tests.passes.judged import (
    INTEGER,
    TEXT,
    Json,
    bind,
    edges,
    eq,
    found,
    healed,
    node,
    places,
    put,
    record,
    work,
)
from wfc.diagnostics import Applicability, Strict

UNSAFE = Applicability.UNSAFE


def one(*, given: list[Json] = [], written: list[Json] = [], **fields: Any) -> Json:  # noqa: B006
    """A workflow of one node."""
    fields = {"state": {"n": INTEGER, "t": TEXT, "o": record(a=INTEGER, b=INTEGER)}, **fields}
    return work("a", node("a", input=given, output=written), **fields)


def loop(*body: Json, arrows: str, state: Any = None, alias: str = "it", **fields: Any) -> Json:
    """A loop over a list of numbers with a body that begins with its first step."""
    each = {"id": "e", "type": "foreach", "over": {"value": [1, 2]}, "as": alias, **fields.pop("loop", {})}
    more = {} if state is None else {"state": state}
    return work(f"e:item->{body[0]['id']} e:done {arrows}", each, *body, **more, **fields)


def local(path: str, schema: Json) -> Json:
    """A loop that makes a path private to its items, below the state field `o`."""
    return loop(node("b"), arrows="b->e", loop={"locals": [path]}, state={"o": schema})


FOUND_OR_NOT = {"name": "f2", "outcomes": ["found", "missing"], "effects": "read",
                "output_schema": {**record(n=INTEGER), "required": ["n"]},
                "outcome_schemas": {"missing": {**record(why=INTEGER), "required": ["why"]}}}  # fmt: skip


def two_outcomes(*written: Json, catch: list[Json] = []) -> Json:  # noqa: B006
    arrows = "a:found a:missing" + "".join(f" a:{entry['outcome']}" for entry in catch)
    return work(arrows, node("a", "f2", output=list(written), catch=catch), defs=[FOUND_OR_NOT], state={"n": INTEGER})


CAUGHT = [{"codes": ["node_failed"], "outcome": "broken"}]

SPOKEN: list[tuple[str, list[str], Json]] = [
    ("WF303", ["E /nodes/0/input/1/target"], one(given=[bind("x", [1]), bind("x", [2])])),
    ("WF303", ["E /nodes/0/input/1/target"], one(given=[bind("x.a", [1]), bind("x", [{}])])),
    ("WF303", ["E /nodes/0/input/1/target"], one(given=[bind("x", [{}]), bind("x.a.b", [1])])),
    ("WF303", ["E /nodes/0/input/1/target"], one(given=[bind("x", [1]), bind(".", [{}])])),
    ("WF303", ["E /nodes/0/input/1/target"], one(given=[bind(".", [{}]), bind("x", [1]), bind("y", [1])])),
    ("WF303", ["E /nodes/0/input/1/target", "E /nodes/0/input/2/target"], one(given=[bind("x",
        [n]) for n in range(3)])),
    ("WF304", ["E /nodes/0/output/1/target"], one(written=[put("n", "state.n"), put("t", "state.n")])),
    ("WF304", ["E /nodes/0/output/1/target"], one(written=[put("n", "state.o.a"), put(".", "state.o")])),
    ("WF304", ["E /nodes/0/output/1/target"], two_outcomes(put("n", "state.n"), put("n", "state.n", "found"))),
    ("WF304", ["E /nodes/0/output/1/target"],
     two_outcomes(put("error.message", "state.n", "broken"), put("error.code", "state.n", "broken"), catch=CAUGHT)),
    ("WF307", ["E /nodes/0/output/0/target"], one(written=[put("n", "state.m")])),
    ("WF307", ["E /nodes/0/output/0/target"], one(written=[put("n", "state.m.k")])),
    ("WF307", ["E /nodes/0/output/0/target"], one(written=[put("n", "state.m"), put("n", "state.m.k")])),
    ("WF307", ["W /nodes/0/output/0/target"],
     one(written=[put("n", "state.m")], state_schema={**record(), "additionalProperties": True})),
    ("WF307", ["W /nodes/0/output/0/target"],
     one(written=[put("n", "state.m")], state_schema={**record(), "patternProperties": {"^m": INTEGER}})),
    ("WF307", ["E /nodes/0/output/0/target"],
     one(written=[put("n", "state.m")], state_schema={**record(k={}), "patternProperties": {"^x": INTEGER}})),
    ("WF307", ["E /nodes/0/output/0/target"],
     one(written=[put("n", "state.o.c")], state={"o": {**record(a=INTEGER), "additionalProperties": False}})),
    ("WF307", ["E /nodes/0/locals/0"], loop(node("b"), arrows="b->e", loop={"locals": ["state.tmp"]}, state={"n": {}})),
    ("WF307", ["E /nodes/0/locals/0"], local("state.o.zz", record(k=INTEGER))),
    ("WF307", ["E /nodes/0/locals/0"], local("state.o.k.zz", record(k=record(a={})))),
    ("WF307", ["E /nodes/0/locals/0"], local("state.o.zz", {"anyOf": [{"type": "null"}, record(k=INTEGER)]})),
    ("WF307", ["E /nodes/0/locals/0"], local("state.o.zz", {**record(k=INTEGER), "additionalProperties": False})),
    ("WF309", ["E /nodes/0/input/0/path"], one(given=[bind("x", "context.it")])),
    ("WF309", ["E /nodes/0/input/0/path"], one(given=[bind("x", "context.prior_outcome")])),
    ("WF309", ["E /nodes/0/input/0/path"], one(given=[bind("x", "context.loop_item.a")])),
    ("WF309", ["E /nodes/2/input/0/path"],
     loop(node("b"), node("c", input=[bind("x", "context.it")]), arrows="b->e c") | {
         "edges": edges("e:item->b e:done->c b->e c")}),
    ("WF309", ["W /nodes/0/check/args/0/path"],
     work("c:true c:false", {"id": "c", "type": "condition", "check": {"op": "and", "args": [
         {"op": "exists", "path": "context.it"}, eq("context.it", 1)]}})),
    ("WF309", ["W /nodes/0/check/left/path"],
     work("c:true->a c:false a->c", {"id": "c", "type": "condition", "check": eq("context.prior_outcome", "ok")},
         node("a"))),
    ("WF309", ["W /nodes/0/check/args/1/left/path"],
     work("c:true->a c:false a->c", {"id": "c", "type": "condition", "check": {"op": "or", "args": [
         {"op": "exists", "path": "context.prior_outcome"}, eq("context.prior_outcome", "ok")]}}, node("a"))),
    ("WF313", ["W /nodes/0/input/0/target"], one(given=[bind("input.x", [1])])),
    ("WF313", ["W /nodes/0/output/0/source"],
     work("a", node("a", "g", output=[put("state.n", "state.n")]), state={"n": {}},
          defs=[{"name": "g", "outcomes": ["ok"], "effects": "read"}])),
    ("WF503", ["E /nodes/1/output/0/target"],
     loop(node("b", output=[put(".", "state.o")]), arrows="b->e", loop={"locals": ["state.o.a"]},
         state={"o": record(a={})})),
    ("WF507", ["W /nodes/1/as"],
     loop({"id": "e2", "type": "foreach", "over": "context.it", "as": "it"}, node("b"),
         arrows="e2:item->b b->e2 e2:done->e")),
]  # fmt: skip

SILENT: list[tuple[str, str, Json]] = [
    ("WF303", "two parts of one object", one(given=[bind("x.a", [1]), bind("x.b", [2])])),
    ("WF303", "names of which one begins like the other", one(given=[bind("x", [1]), bind("xy", [2])])),
    ("WF303", "the whole payload alone", one(given=[bind(".", [{}])])),
    ("WF304", "one path on two outcomes", two_outcomes(put("n", "state.n", "found"), put("why", "state.n", "missing"))),
    ("WF304", "a caught outcome has to be named", two_outcomes(
        put("n", "state.n", "found"), put("error.message", "state.n", "broken"), catch=CAUGHT)),
    ("WF304", "without `on` a binding is for none that is caught", two_outcomes(
        put(".", "state.n"), put("error.message", "state.n", "broken"), catch=CAUGHT)),
    ("WF304", "siblings in one object", one(written=[put("n", "state.o.a"), put("n", "state.o.b")])),
    ("WF304", "one source for two paths", one(written=[put("n", "state.n"), put("n", "state.t")])),
    ("WF307", "an undeclared path in a declared object", one(written=[put("n", "state.o.c")])),
    ("WF307", "a local path in an object that lists nothing", local("state.o.zz", {"type": "object"})),
    ("WF307", "a local path in an object that lists no field", local("state.o.zz", record())),
    ("WF307", "a local path in an object that admits more", local(
        "state.o.zz", {**record(k=INTEGER), "additionalProperties": True})),
    ("WF307", "a local path that a pattern declares", local(
        "state.o.zz", {**record(k=INTEGER), "patternProperties": {"^z": {}}})),
    ("WF307", "a local path that `allOf` declares", local(
        "state.o.zz", {"allOf": [record(k=INTEGER), record(zz=INTEGER)]})),
    ("WF307", "a declared local path", local("state.o.zz", record(zz=INTEGER))),
    ("WF307", "a local path below a field of any kind", local("state.o.k.zz", record(k={}))),
    ("WF307", "a place that only one alternative has", one(
        written=[put("n", "state.o.a")],
        state={"o": {"anyOf": [{"type": "null"}, {**record(a=INTEGER), "additionalProperties": False}]}})),
    ("WF307", "a place inside a number is no question of this code", one(written=[put("n", "state.n.k")])),
    ("WF307", "a step that no run comes to", one(state={}) | {"nodes": [
        node("a"), node("b", output=[put("n", "state.m")])]}),
    ("WF309", "an item in its body", loop(node("b", input=[bind("x", "context.it"), bind("y", "context.loop_index")]),
                                          arrows="b->e")),
    ("WF309", "an outer item in an inner body", loop(
        {"id": "e2", "type": "foreach", "over": {"value": [1]}, "as": "in"}, node("b", input=[bind("x", "context.it")]),
        arrows="e2:item->b b->e2 e2:done->e")),
    ("WF309", "the item of the loop around a loop", loop(
        {"id": "e2", "type": "foreach", "over": "context.it", "as": "in"}, arrows="e2:item->e2 e2:done->e")),
    ("WF309", "an item in a branch of its body", loop(
        {"id": "k", "type": "fork", "branches": ["p"]}, node("b", input=[bind("x", "context.it")]),
        {"id": "j", "type": "join"}, arrows="k:p->b b->j j->e")),
    ("WF309", "retries at the first step", one(given=[bind("x", "context.retry_count")])),
    ("WF309", "all of it at the first step", one(given=[bind("x", "context")])),
    ("WF309", "the way here at any other step", work(
        "a->b b", node("a"), node("b", input=[bind("x", "context.activated_incoming_edge.from")]))),
    ("WF309", "an outcome that was asked for before", work(
        "c:true->a c:false a->c", {"id": "c", "type": "condition", "check": {"op": "and", "args": [
            {"op": "exists", "path": "context.activated_incoming_edge"}, eq("context.prior_outcome", "ok")]}},
                node("a"))),
    ("WF309", "whether there was a step before", work(
        "c:true->a c:false a->c",
        {"id": "c", "type": "condition", "check": {"op": "not", "arg": {"op": "exists",
            "path": "context.prior_outcome"}}},
        node("a"))),
    ("WF309", "a key of a step that could not be read", one(given=[bind("x", "context.it")]) | {"nodes": [
        node("a", input=[bind("x", "context.it")]), {"id": "e", "type": "foreach"}]}),
    ("WF313", "a field of that name", work(
        "a", node("a", "g", input=[bind("input.x", [1])]),
        defs=[{"name": "g", "outcomes": ["ok"], "input_schema": record(input=record(x={}))}])),
    ("WF313", "a root alone", one(given=[bind("state", [1])])),
    ("WF313", "what a schema forbids is another finding", work(
        "a", node("a", "g", input=[bind("input.x", [1])]),
        defs=[{"name": "g", "outcomes": ["ok"], "input_schema": {**record(x={}), "additionalProperties": False}}])),
    ("WF503", "the local path itself", loop(
        node("b", output=[put("n", "state.o.a")]), arrows="b->e", loop={"locals": ["state.o.a"]},
            state={"o": record(a={})})),
    ("WF503", "an object around it after the loop", loop(
        node("b"), node("c", output=[put(".", "state.o")]), arrows="b->e c", loop={"locals": ["state.o.a"]},
        state={"o": record(a={})}) | {"edges": edges("e:item->b e:done->c b->e c")}),
    ("WF503", "the loop's own output", loop(
        node("b"), arrows="b->e", state={"o": record(a={})},
        loop={"locals": ["state.o.a"], "output": [put(".", "state.o")]})),
    ("WF507", "one name for two loops after each other", work(
        "e:item->e e:done->e2 e2:item->e2 e2:done", {"id": "e", "type": "foreach", "over": {"value": []}, "as": "it"},
        {"id": "e2", "type": "foreach", "over": {"value": []}, "as": "it"})),
]  # fmt: skip


@pytest.mark.parametrize(("code", "at", "document"), SPOKEN)
def test_it_speaks(code: str, at: list[str], document: Json) -> None:
    assert places(code, document) == at


@pytest.mark.parametrize(("code", "document"), [(code, document) for code, _, document in SILENT],
                         ids=[f"{code} {name}" for code, name, _ in SILENT])  # fmt: skip
def test_it_stays_silent(code: str, document: Json) -> None:
    assert places(code, document) == []


def test_a_repeated_binding_goes() -> None:
    document = healed("WF303", one(given=[bind("x", [1]), bind("x", [1])]))
    assert document["nodes"][0]["input"] == [bind("x", [1])]


def test_the_binding_that_is_named_like_the_missing_field_is_moved_to_it() -> None:
    defs = [{"name": "g", "outcomes": ["ok"], "input_schema": {**record(x=INTEGER, y=INTEGER), "required": ["x", "y"]}}]
    given = [bind("x", "input.y"), bind("x", "input.x")]
    document = work("a", node("a", "g", input=given), defs=defs, input_schema={
        **record(x=INTEGER, y=INTEGER), "required": ["x", "y"]})  # fmt: skip
    assert healed("WF303", document)["nodes"][0]["input"] == [bind("y", "input.y"), bind("x", "input.x")]


def test_writes_of_two_outcomes_are_told_apart_by_what_they_return() -> None:
    document = healed("WF304", two_outcomes(put("n", "state.n"), put("why", "state.n")))
    assert document["nodes"][0]["output"] == [put("n", "state.n", "found"), put("why", "state.n", "missing")]


def test_a_write_is_moved_to_the_field_that_nothing_writes() -> None:
    document = one(written=[put("n", "state.n"), put("t", "state.n")], output={"n": INTEGER, "t": TEXT})
    assert healed("WF304", document)["nodes"][0]["output"][1] == put("t", "state.t")


def test_a_slip_in_a_state_path_is_put_right_everywhere() -> None:
    document = work("a->b b", node("a", output=[put("n", "state.totl")]), node("b", output=[put("n", "state.totl")]),
                    state={"total": INTEGER}, output={"total": INTEGER})  # fmt: skip
    (finding,) = found("WF307", document)
    assert (finding.hides, finding.related[0].at.pointer) == (1, "/nodes/1/output/0/target")
    assert [step["output"][0]["target"] for step in healed("WF307", document)["nodes"]] == ["state.total"] * 2


def test_what_is_handed_out_is_declared_as_it_is_written() -> None:
    document = one(written=[put("n", "state.sum")], state={}, output={"sum": INTEGER})
    assert healed("WF307", document)["state_schema"]["properties"] == {"sum": INTEGER}


def test_a_slip_in_a_local_path_is_put_right() -> None:
    document = local("state.o.totl", record(total=INTEGER))
    assert healed("WF307", document)["nodes"][0]["locals"] == ["state.o.total"]


def test_a_local_path_that_is_written_is_declared() -> None:
    document = loop(node("b", output=[put("n", "state.o.zz")]), arrows="b->e", loop={"locals": ["state.o.zz"]},
                    state={"o": record(k=INTEGER)})  # fmt: skip
    assert list(healed("WF307", document)["state_schema"]["properties"]["o"]["properties"]) == ["k", "zz"]


def test_a_slip_in_a_key_of_context_is_put_right() -> None:
    document = loop(node("b", input=[bind("x", "context.lien.a")]), arrows="b->e", alias="line",
                    loop={"over": {"value": [{"a": 1}]}})  # fmt: skip
    assert healed("WF309", document)["nodes"][1]["input"] == [bind("x", "context.line.a")]


def test_in_a_body_the_item_may_be_meant() -> None:
    document = loop(node("b", input=[bind("x", "context.row")]), arrows="b->e", alias="it")
    assert healed("WF309", document, UNSAFE)["nodes"][1]["input"] == [bind("x", "context.it")]


def test_a_key_that_is_not_always_there_is_an_error_where_all_has_to_be_proved() -> None:
    document = next(
        document for code, at, document in SPOKEN if (code, at) == ("WF309", ["W /nodes/0/check/left/path"])
    )
    (finding,) = found("WF309", document)
    assert (finding.code.strict, finding.confidence) == (Strict.ERROR, "likely")


def test_a_rooted_target_is_written_without_its_root() -> None:
    document = one(given=[bind("input.x", [1])])
    assert healed("WF313", document)["nodes"][0]["input"] == [bind("x", [1])]


def test_an_inner_item_gets_a_name_of_its_own_wherever_it_is_meant() -> None:
    document = loop({"id": "e2", "type": "foreach", "over": "context.it", "as": "it"},
                    node("b", input=[bind("x", "context.it.a"), bind("y", "context.loop_item")]),
                    arrows="e2:item->b b->e2 e2:done->e", loop={"over": {"value": [[{"a": 1}]]}})  # fmt: skip
    after = healed("WF507", document)["nodes"]
    assert (after[0]["as"], after[1]["over"], after[1]["as"]) == ("it", "context.it", "it_2")
    assert after[2]["input"] == [bind("x", "context.it_2.a"), bind("y", "context.loop_item")]
