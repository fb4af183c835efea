"""Loops, retries, questions, `catch`, built-ins, artifacts and credentials: where each code speaks, and near misses."""

import json
from typing import Any

import pytest

from tests.passes.judged import (
    INTEGER,
    LIST,
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
from wfc.ir import std

UNSAFE, PLACEHOLDER = Applicability.UNSAFE, Applicability.PLACEHOLDER


def cond(name: str, check: Json) -> Json:
    return {"id": name, "type": "condition", "check": check}


def again(check: Json, step: Json, arrows: str = "", **fields: Any) -> Json:
    """A step that is done until a condition holds."""
    return work(f"a->c c:true c:false->a {arrows}", step, cond("c", check), **fields)


def effect(name: str | None = None, **fields: Any) -> Json:
    """A definition with a retry."""
    said = {} if name is None else {"effects": name}
    return {"name": "g", "outcomes": ["ok"], "retry": 3, "uses": "mail.send", **said, **fields}


def call(definition: Json, **fields: Any) -> Json:
    return work("a", node("a", "g", **fields), defs=[definition])


def ask(*resume: Json, outcomes: tuple[str, ...] = ("yes", "no"), kind: str = "own", **fields: Any) -> Json:
    fields = {"resume_schema": {**record(n=INTEGER, t=TEXT), "required": ["n"]}, **fields} if kind == "own" else fields
    step = {"id": "h", "type": "interrupt", "kind": kind, "outcomes": list(outcomes), "resume": list(resume), **fields}
    return work(" ".join(f"h:{outcome}" for outcome in outcomes), step, state={"n": {}, "t": {}})


def catching(*entries: tuple[list[str], str], uses: str = "f", **fields: Any) -> Json:
    """A step that catches codes; every outcome leads to the end."""
    catch = [{"codes": codes, "outcome": outcome} for codes, outcome in entries]
    arrows = " ".join(dict.fromkeys(["a", *(f"a:{outcome}" for _, outcome in entries)]))
    return work(arrows, node("a", uses, catch=catch, **fields))


def parent(child: Json, *codes: str) -> Json:
    catch = [{"codes": list(codes), "outcome": "bad"}]
    step = {"id": "s", "type": "subgraph", "workflow": {"name": "child"}, "catch": catch}
    return {"workflows": [work("s s:bad", step), {**child, "name": "child"}]}


def built_in(name: str, arrows: str = "a", **fields: Any) -> Json:
    """A definition of `wf.std.index`, or of another built-in, and a step that uses it."""
    definition = {"name": "g", "uses": f"wf.std.{name}", **fields}
    return work(arrows, node("a", "g", input=[bind("array", [[1]]), bind("position", [0])]), defs=[definition])


def collecting(*output: Json, **fields: Any) -> Json:
    step = {"id": "e", "type": "foreach", "over": {"value": [1]}, "as": "it", "on_item_error": "collect", **fields}
    return work("e:item->b b->e e:done", {**step, "output": list(output)}, node("b"), state={"n": {}})


KEY = "ghp_" + "Vt3Hn8QzLx5Rk2Wd9Ym4Bc7Jf1Pg6Ts0Aeuq"
STORED = {"id": "s", "type": "subgraph", "workflow": {"artifact_id": "w", "version": 1}}
FAILING = work("a", node("a"))
CAUGHT = work("a a:bad", node("a", catch=[{"codes": ["node_failed"], "outcome": "bad"}]))
SKIPPING = work("e:item->a a->e e:done", {"id": "e", "type": "foreach", "over": {"value": [1]}, "as": "it",
                                          "on_item_error": "skip"}, node("a"))  # fmt: skip

SPOKEN: list[tuple[str, list[str], Json]] = [
    ("WF203", ["W /nodes/1/check"], again(eq("state.done", True), node("a"), state={"done": {}})),
    ("WF203", ["W /nodes/1/check"], again(eq("input.n", 1), node("a", output=[put("n", "state.n")]), state={"n": {}})),
    ("WF203", ["W /nodes/1/check"],
     again(eq("state.n", 1), {"id": "a", "type": "wait", "seconds": 1}, state={"n": {}})),
    ("WF203", ["W /nodes/1/check"],
     work("a:item->b b->a a:done->c c:true c:false->a",
          {"id": "a", "type": "foreach", "over": {"value": [1]}, "as": "it", "locals": ["state.n"]},
          cond("c", eq("state.n", 1)), node("b", output=[put("n", "state.n")]), state={"n": {}})),
    ("WF203", ["W /nodes/2/check"],
     work("a->b b->c c:true->d c:false->b d:true d:false->a", node("a", output=[put("n", "state.n")]), node("b"),
          cond("c", eq("input.n", 1)), cond("d", eq("state.n", 1)), state={"n": {}})),
    ("WF203", ["W /nodes/2/check"],
     work("e:item->b b->c c:true->e c:false->b e:done", {"id": "e", "type": "foreach", "over": {"value": [1]},
         "as": "it"},
          node("b"), cond("c", eq("context.it", 1)))),
    ("WF505", ["W /nodes/0/on_item_error"], collecting()),
    ("WF505", ["W /nodes/0/on_item_error"], collecting(put("failed", "state.n"))),
    ("WF600", ["W /node_defs/0/retry"], call(effect("write"))),
    ("WF600", ["W /node_defs/0/retry"], call(effect())),
    ("WF600", ["W /nodes/0/retry"], call(effect("write", retry=1), retry=2)),
    ("WF600", ["W /node_defs/0/retry"], call(effect("write", retry={"max_attempts": 2, "on": ["node_timeout"]}))),
    ("WF602", ["W /nodes/0/resume/0"], ask(put("n", "state.n"))),
    ("WF602", ["W /nodes/0/resume/0"], ask(put("n", "state.n"), put("t", "state.t"))),
    ("WF602", ["W /nodes/0/resume/0"], ask(put("n", "state.n"), resume_schemas={"no": record(n=INTEGER)})),
    ("WF602", ["W /nodes/0/resume/0"],
     ask(put("text", "state.t"), kind="text_input", request=[bind("prompt", ["?"])])),
    ("WF603", ["N /nodes/0/kind"], ask(put("n", "state.n"), outcomes=("yes",), resume_schema=None)),
    ("WF604", ["W /nodes/0/catch/1"], catching((["node_failed"], "b"), (["node_failed"], "c"))),
    ("WF604", ["W /nodes/0/catch/1"], catching((["node_failed"], "b"), (["node_failed:T", "node_failed:U"], "c"))),
    ("WF604", ["W /nodes/0/catch/1/codes/0"], catching((["node_failed"], "b"), (["node_failed", "node_timeout"], "c"))),
    ("WF604", ["W /nodes/0/catch/0/codes/1"], catching((["node_failed", "node_failed:T"], "b"))),
    ("WF604", ["W /nodes/0/catch/0/codes/0"], catching((["node_failed"], "b"), uses="wf.std.to_json")),
    ("WF604", ["W /nodes/0/catch/0/codes/0"], catching((["capability_unavailable"], "b"), uses="wf.std.fail")),
    ("WF604", ["W /workflows/0/nodes/0/catch/0/codes/0"], parent(CAUGHT, "node_failed")),
    ("WF604", ["W /workflows/0/nodes/0/catch/0/codes/0"], parent(SKIPPING, "node_failed")),
    ("WF705", ["N /nodes/0/workflow"], work("s", STORED)),
    ("WF713", ["E /node_defs/0/outcomes"], built_in("index", outcomes=["ok"])),
    ("WF713", ["E /node_defs/0/outcomes"], built_in("index", "a a:out a:no", outcomes=["ok", "out", "no"])),
    ("WF713", ["E /node_defs/0/input_schema"], built_in("count", input_schema={"type": "array"})),
    ("WF713", ["E /node_defs/0/input_schema"],
     built_in("count", input_schema={**record(items={}), "required": ["items"]})),
    ("WF713", ["E /node_defs/0/output_schema"], built_in("count", output_schema={**record(count=TEXT),
        "required": ["count"]})),
    ("WF713", ["E /node_defs/0/outcome_schemas/out_of_range"],
     built_in("index", "a a:out_of_range", outcome_schemas={"out_of_range": {"type": "array"}})),
    ("WF800", ["W /nodes/0/input/0/value"], work("a", node("a", input=[bind("x", [KEY])]))),
    ("WF800", ["W /nodes/0/input/0/value/headers/0"],
     work("a", node("a", input=[bind("x", [{"headers": [f"token {KEY}"]}])]))),
    ("WF800", ["W /nodes/0/check/right/value"], work("c:true c:false", cond("c", eq("input.k", KEY)))),
    ("WF800", ["W /input_schema/properties/k/default"], work("a", node("a"), input={"k": {**TEXT, "default": KEY}})),
    ("WF800", ["W /desc"], work("a", node("a"), desc=f"Uses {KEY}.")),
]  # fmt: skip

SILENT: list[tuple[str, str, Json]] = [
    ("WF203", "a step writes what is read", again(
        eq("state.n", 1), node("a", output=[put("n", "state.n")]), state={"n": {}})),
    ("WF203", "a step writes a part of it, or what it is part of", again(
        eq("state.n.k", 1), node("a", output=[put("n", "state.n")]), state={"n": {}})),
    ("WF203", "a node leaves the loop", work(
        "a:ok->c a:no c:true c:false->a", node("a", "g"), cond("c", eq("input.n", 1)),
        defs=[{"name": "g", "outcomes": ["ok", "no"], "effects": "read"}])),
    ("WF203", "a question leaves it", work(
        "h:yes->c h:no c:true c:false->h", {"id": "h", "type": "interrupt", "kind": "own", "outcomes": ["yes", "no"]},
        cond("c", eq("input.n", 1)))),
    ("WF203", "how control came decides", again(eq("context.prior_outcome", "x"), node("a"))),
    ("WF203", "one of two conditions reads what is written", work(
        "a->c c:true c:false->d d:true d:false->a", node("a", output=[put("n", "state.n")]),
        cond("c", eq("input.n", 1)), cond("d", eq("state.n", 1)), state={"n": {}})),
    ("WF203", "the outer loop writes what the inner one leaves open", work(
        "a->c c:true->d c:false->b b->a d:true d:false->a", node("a", output=[put("n", "state.n")]), node("b"),
        cond("c", eq("state.n", 1)), cond("d", eq("state.n", 2)), state={"n": {}})),
    ("WF203", "a list that ends", SKIPPING),
    ("WF203", "nothing leaves it, which is said otherwise", work("a->b b->a", node("a"), node("b"))),
    ("WF203", "an edge is missing that may lead out", work(
        "a:ok->c c:true c:false->a", node("a", "g"), cond("c", eq("input.n", 1)),
        defs=[{"name": "g", "outcomes": ["ok", "no"], "effects": "read"}])),
    ("WF203", "a condition on literals alone is said to be constant", again(
        {"op": "eq", "left": {"value": 1}, "right": {"value": 1}}, node("a"))),
    ("WF203", "a binding could not be read", again(
        eq("state.n", 1), node("a", output=[{"source": "n", "target": "n"}]), state={"n": {}})),
    ("WF203", "no loop at all", work("c:true->a c:false a", cond("c", eq("input.n", 1)), node("a"))),
    ("WF505", "the errors are read", collecting(put("errors", "state.n"))),
    ("WF505", "all of the result is read", collecting(put(".", "state.n"))),
    ("WF505", "items that are skipped", collecting(on_item_error="skip")),
    ("WF600", "a call that may be repeated", call(effect("idempotent"))),
    ("WF600", "one attempt", call(effect("write", retry=1))),
    ("WF600", "a step that is tried once", call(effect("write"), retry=1)),
    ("WF600", "only before a call has begun", call(
        effect("write", retry={"max_attempts": 3, "on": ["capability_unavailable"]}))),
    ("WF600", "a built-in node", work("a", node("a", "wf.std.to_json", retry=3, input=[bind("value", [1])]))),
    ("WF600", "a definition that no step uses", work("b", {"id": "b", "type": "wait", "seconds": 1}) | {
        "node_defs": [effect("write")]}),
    ("WF602", "one outcome", ask(put("n", "state.n"), outcomes=("yes",))),
    ("WF602", "the outcome is named", ask(put("n", "state.n", "yes"))),
    ("WF602", "named for several by choice", ask(put("n", "state.n", "yes", "no"))),
    ("WF602", "the other outcome has a schema that holds it", ask(
        put("n", "state.n"), resume_schemas={"no": {**record(n=INTEGER), "required": ["n"]}})),
    ("WF602", "the whole payload is always there", ask(put(".", "state.n"))),
    ("WF603", "a built-in kind", ask(kind="approval", request=[bind("prompt", ["?"])])),
    ("WF603", "a schema for the answer", ask(put("n", "state.n", "yes"))),
    ("WF603", "a schema for another answer", ask(
        put("n", "state.n", "no"), resume_schema=None, resume_schemas={"no": {}})),
    ("WF603", "nothing is shown or taken", ask(resume_schema=None)),
    ("WF604", "single types before all others", catching((["node_failed:T"], "b"), (["node_failed"], "c"))),
    ("WF604", "two types", catching((["node_failed:T"], "b"), (["node_failed:U"], "c"))),
    ("WF604", "two entries with one outcome", catching((["node_failed"], "b"), (["node_timeout"], "b"))),
    ("WF604", "what any capability may do", catching((["undeclared_outcome", "capability_unavailable"], "b"))),
    ("WF604", "built-in nodes that may fail", catching((["node_failed"], "b"), uses="wf.std.range")),
    ("WF604", "a time limit on a built-in node", catching((["node_timeout"], "b"), uses="wf.std.to_json",
        timeout_seconds=1)),
    ("WF604", "a child that fails", parent(FAILING, "node_failed:T")),
    ("WF604", "a child that catches only one type", parent(
        work("a a:bad", node("a", catch=[{"codes": ["node_failed:T"], "outcome": "bad"}])), "node_failed")),
    ("WF604", "a child that cannot be read", work("s s:bad", {
        **STORED, "catch": [{"codes": ["node_failed"], "outcome": "bad"}]})),
    ("WF705", "a workflow of the module", parent(FAILING, "node_failed")),
    ("WF713", "outcomes in another order", built_in("index", "a a:out_of_range", outcomes=["out_of_range", "ok"])),
    ("WF713", "schemas and outcomes left out", built_in("index", "a a:out_of_range")),
    ("WF713", "a narrower schema", built_in("count", input_schema=record(array=LIST))),
    ("WF713", "another source", work("a", node("a", "g"), defs=[{"name": "g", "uses": "wf.index",
        "outcomes": ["ok"]}])),
    ("WF713", "a definition that no step uses", work("b", {"id": "b", "type": "wait", "seconds": 1}) | {
        "node_defs": [{"name": "g", "uses": "wf.std.index", "outcomes": ["ok"]}]}),
    ("WF800", "an example of a key", work("a", node("a", input=[bind("x", ["AKIAIOSFODNN7EXAMPLE"])]))),
    ("WF800", "a placeholder of its shape", work("a", node("a", input=[bind("x", ["ghp_" + "x" * 36])]))),
    ("WF800", "a hash", work("a", node("a", input=[bind("x", ["3f786850e387550fdab836ed7e6dc881de23001b"])]))),
    ("WF800", "an address without a password", work("a", node("a", input=[bind("x", ["https://user@a.bc:8080/d"])]))),
    ("WF800", "a password that is filled in elsewhere", work(
        "a", node("a", input=[bind("x", ["postgres://app:${env:DB_PASSWORD}@db/main"])]))),
    ("WF800", "a pattern for keys", work("a", node("a"), input={"k": {**TEXT, "pattern": "^ghp_[A-Za-z0-9]{36}$"}})),
    ("WF800", "a long word", work("a", node("a", input=[bind("x", ["sk-" + "internationalization" * 3])]))),
]  # fmt: skip


@pytest.mark.parametrize(("code", "at", "document"), SPOKEN)
def test_it_speaks(code: str, at: list[str], document: Json) -> None:
    assert places(code, document) == at


@pytest.mark.parametrize(("code", "document"), [(code, document) for code, _, document in SILENT],
                         ids=[f"{code} {name}" for code, name, _ in SILENT])  # fmt: skip
def test_it_stays_silent(code: str, document: Json) -> None:
    assert places(code, document) == []


SECRETS = [
    "AKIA" + "Q3JX7N5WLKZB2VRT", "glpat-" + "x7Kq2mVn9RtWc4LpZs8d", "xoxb-" + "2048719354-q7Rk2mVn9RtWc4LpZs8d",
    "https://hooks.slack.com/services/" + "T04KQ9XZ1/B05MW7RN2/q7Rk2mVn9RtWc4LpZs8dHjFb",
        "sk_live_" + "q7Rk2mVn9RtWc4LpZs8dHjFb",
    "sk-ant-api03-" + "q7Rk2mVn9RtWc4LpZs8dHjFb" * 2, "sk-proj-" + "q7Rk2mVn9RtWc4LpZs8dHjT3BlbkFJq7Rk2mVn9RtWc4LpZs8d",
    "AIza" + "Sq7Rk2mVn9RtWc4LpZs8dHjFbq7Rk2mVn9R", "hf_" + "q7Rk2mVn9RtWc4LpZs8dHjFbq7Rk2mVn9R",
        "npm_" + "q7Rk2mVn9RtWc4LpZs8dHjFbq7Rk2mVn9RtW",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0." + "q7Rk2mVn9RtWc4LpZs8dHjFb-_x2",
        "8103947265:" + "AAq7Rk2mVn9RtWc4LpZs8dHjFbq7Rk2mVn9",
    "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEowq7Rk2mVn9RtWc4LpZs8dHjFbq7Rk2mVn9RtWc4LpZs8dHjFb",
        "postgres://app:" + "q7Rk2mVn9RtW@db.internal/main",
]  # fmt: skip


@pytest.mark.parametrize("secret", SECRETS, ids=[secret[:8] for secret in SECRETS])
def test_a_credential_is_known_by_its_shape_and_never_repeated(secret: str) -> None:
    (finding,) = found("WF800", work("a", node("a", input=[bind("x", [f"Bearer {secret} "])])))
    said = json.dumps([finding.message, finding.help, finding.facts, [fix.patch for fix in finding.fixes]])
    assert secret[-8:] not in said


def test_the_loop_and_what_it_hangs_on_are_told() -> None:
    (finding,) = found("WF203", again(eq("state.done", True), node("a"), state={"done": {}}))
    assert finding.facts["path"] == ["a:ok", "c:false", "a"]
    assert [(one.role, one.at.pointer) for one in finding.related] == [
        ("read", "/nodes/1/check/left/path"), ("on the path", "/nodes/0"), ("on the path", "/nodes/1")]  # fmt: skip


def test_errors_that_nobody_reads_may_be_skipped() -> None:
    assert healed("WF505", collecting(), UNSAFE)["nodes"][0]["on_item_error"] == "skip"


def test_a_definition_is_reported_once_for_all_its_steps() -> None:
    (finding,) = found("WF600", work("a->b b", node("a", "g"), node("b", "g"), defs=[effect()]))
    assert [one.at.pointer for one in finding.related] == ["/node_defs/0", "/nodes/0", "/nodes/1"]
    assert finding.confidence == "likely"


def test_a_call_may_be_declared_as_one_that_can_be_repeated() -> None:
    assert healed("WF600", call(effect("write")), UNSAFE)["node_defs"][0]["effects"] == "idempotent"


def test_bindings_are_for_the_outcomes_that_hold_their_fields() -> None:
    document = healed("WF602", ask(put("n", "state.n"), put("t", "state.t"), outcomes=("yes", "no", "later")))
    assert [one["on"] for one in document["nodes"][0]["resume"]] == [["yes"], ["yes"]]


def test_a_field_that_is_handed_out_may_be_meant_for_every_outcome() -> None:
    document = ask(put("n", "state.n")) | {"output_schema": record(n={})}
    assert healed("WF602", document, UNSAFE)["nodes"][0]["resume"] == [put("n", "state.n", "yes")]


def test_a_single_type_is_caught_before_all_others() -> None:
    entries = healed("WF604", catching((["node_failed"], "b"), (["node_failed:T"], "c")))["nodes"][0]["catch"]
    assert [entry["codes"] for entry in entries] == [["node_failed:T"], ["node_failed"]]


def test_a_code_that_takes_nothing_goes() -> None:
    document = healed("WF604", catching((["node_failed"], "b"), (["node_failed", "node_timeout"], "c")))
    assert document["nodes"][0]["catch"][1]["codes"] == ["node_timeout"]


def test_an_entry_that_takes_nothing_goes_with_its_edge() -> None:
    document = healed("WF604", catching((["node_failed"], "b"), (["node_failed"], "c")), UNSAFE)
    assert (len(document["nodes"][0]["catch"]), document["edges"]) == (1, edges("a a:b"))


def test_a_stored_workflow_is_an_error_where_all_has_to_be_proved() -> None:
    (finding,) = found("WF705", work("s", STORED))
    assert (finding.code.strict, finding.facts["got"]) == (Strict.ERROR, "artifact:w@1")


def test_outcomes_of_a_built_in_are_put_right_with_their_edges() -> None:
    document = built_in("index", "a a:out_of_rnage", outcomes=["ok", "out_of_rnage"])
    after = healed("WF713", document)
    assert (after["node_defs"][0]["outcomes"], after["edges"]) == (["ok", "out_of_range"], edges("a a:out_of_range"))


def test_an_outcome_that_never_comes_goes_with_its_edges() -> None:
    document = work("a a:none", node("a", "g", input=[bind("array", [[]])]),
                    defs=[{"name": "g", "uses": "wf.std.count", "outcomes": ["ok", "none"]}])  # fmt: skip
    after = healed("WF713", document, UNSAFE)
    assert (after["node_defs"][0]["outcomes"], after["edges"]) == (["ok"], edges("a"))


def test_a_new_outcome_needs_an_edge() -> None:
    after = healed("WF713", built_in("index", outcomes=["ok"]), PLACEHOLDER)
    assert after["edges"] == edges("a a:out_of_range")


def test_a_schema_that_disagrees_is_left_out() -> None:
    document = healed("WF713", work("a", node("a", "g", input=[bind("array", [[]])]), defs=[
        {"name": "g", "uses": "wf.std.count", "output_schema": {**record(count=TEXT),
            "required": ["count"]}}]))  # fmt: skip
    assert document["node_defs"] == [{"name": "g", "uses": "wf.std.count"}]


@pytest.mark.parametrize("builtin", std.BUILTINS, ids=lambda builtin: builtin.key)
def test_each_built_in_agrees_with_itself(builtin: std.Builtin) -> None:
    definition = {"name": "g", "uses": builtin.name, "input_schema": builtin.input, "output_schema": builtin.output,
                  "outcomes": list(builtin.outcomes), "outcome_schemas": builtin.others}  # fmt: skip
    arrows = " ".join(f"a:{outcome}" for outcome in builtin.outcomes)
    assert places("WF713", work(arrows, node("a", "g"), defs=[definition])) == []


def test_long_and_deep_workflows_are_ordinary() -> None:
    """A chain is looked at step by step; loops in loops are all seen, from the outside in, up to a limit."""
    waits = [{"id": f"w{number}", "type": "wait", "seconds": 0} for number in range(3000)]
    ways = " ".join(f"w{number}->w{number + 1}" for number in range(2999))
    assert places("WF203", work(f"{ways} w2999", *waits)) == []
    heads = [{"id": f"h{number}", "type": "wait", "seconds": 0} for number in range(300)]
    tests = [cond(f"c{number}", eq("input.n", number)) for number in range(300)]
    down = " ".join(f"h{number}->h{number + 1}" for number in range(299)) + " h299->c299"
    up = " ".join(f"c{number}:true->c{number - 1} c{number}:false->h{number}" for number in range(1, 300))
    found_at = places("WF203", work(f"{down} {up} c0:true c0:false->h0", *heads, *tests, input={"n": {}}))
    assert "W /nodes/300/check" in found_at
