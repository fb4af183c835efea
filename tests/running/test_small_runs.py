"""What one or two steps do to a payload, to state and to the trace: reference 2.3 to 2.5, rule by rule.

Whole payloads, whole states and whole errors are compared. Runs are unchecked, so that the machine itself is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import pytest

import wfc
from wfc.ir import REDUCERS, encode

Json = dict[str, Any]
Write = dict[str, Any]

APPEND = {"type": "array", "reducer": "wf.std.append"}
MERGED = {"type": "object", "reducer": "wf.std.merge_object"}
CLOSED = {"type": "object", "properties": {"name": {}}, "additionalProperties": False}
ANY: Json = {"outcomes": ["ok", "other"], "input_schema": {}, "output_schema": {}}


def source(target: str, path: str) -> Json:
    return {"target": target, "path": path}


def literal(target: str, value: Any) -> Json:
    return {"target": target, "value": value}


def to(path: str, target: str) -> Json:
    return {"source": path, "target": target}


def node(id: str, *, input: Any = (), output: Any = (), use: str = "work") -> Json:
    return {"id": id, "type": "node", "node": use, "input": list(input), "output": list(output)}


def chain(*steps: Json, state: Any = (), **more: Any) -> Json:
    """Steps one after the other, by their outcome `ok`; every other outcome of a node ends the run."""
    ids = [step["id"] for step in steps]
    edges = [{"from": id, "outcome": "ok", "to": next} for id, next in zip(ids, [*ids[1:], "__end__"], strict=True)]
    edges += [{"from": step["id"], "outcome": "other", "to": "__end__"} for step in steps if step.get("node") == "work"]
    document = {"name": "w", "start": ids[0], "nodes": list(steps), "edges": edges}
    properties = {"type": "object", "properties": dict(state)}
    return {"node_defs": [{"name": "work", **ANY}], "state_schema": properties, **document, **more}


def run(document: Json, input: Json, handler: Callable[..., Any] | None = None, **more: Any) -> wfc.RunState:
    handlers = {} if handler is None else {"work": handler}
    return wfc.execute_workflow(wfc.compile(document, unchecked=True), input, handlers=handlers, run_id="r", **more)


# -- what a node is given ---------------------------------------------------------------------------------------------

GIVEN: list[tuple[str, list[Json], Json, Any]] = [
    ("nothing is bound", [], {"text": "there"}, {}),
    ("nested targets build nested objects",
     [source("user.name", "input.n"), source("user.mail.work", "input.m")], {"n": "N", "m": "M"},
     {"user": {"name": "N", "mail": {"work": "M"}}}),
    ("a whole object", [source("user", "input.person")], {"person": {"name": "A"}}, {"user": {"name": "A"}}),
    ("a whole payload from a path", [source(".", "input.rates")], {"rates": {"usd": 1}}, {"usd": 1}),
    ("a whole payload from a literal", [literal(".", {"a": 1})], {}, {"a": 1}),
    ("the whole input", [source("all", "input")], {"a": 1}, {"all": {"a": 1}}),
    ("the whole context", [source("all", "context")], {}, {"all": {"retry_count": 0}}),
    ("a null that is there", [source("t", "input.x")], {"x": None}, {"t": None}),
    ("a null that is written", [literal("t", None)], {}, {"t": None}),
    ("a literal of any depth", [literal("retry", {"count": 3, "on": ["a", None, {"b": [1.5]}]})], {},
     {"retry": {"count": 3, "on": ["a", None, {"b": [1.5]}]}}),
    ("a local path has no graph root", [source("state.x", "input.a")], {"a": 1}, {"state": {"x": 1}}),
    ("reads overlap", [source("all", "input.p"), source("n", "input.p.name")], {"p": {"name": "N"}},
     {"all": {"name": "N"}, "n": "N"}),
]  # fmt: skip


@pytest.mark.parametrize(("bindings", "input", "payload"), [pytest.param(*told, id=name) for name, *told in GIVEN])
def test_a_payload_is_what_is_bound_and_nothing_else(bindings: list[Json], input: Json, payload: Any) -> None:
    given: list[Any] = []
    ended = run(chain(node("e", input=bindings), state={"text": {"default": "there, too"}}), input, given.append)
    assert (ended.status, given, ended.trace[0]["input"]) == ("completed", [payload], payload)


@pytest.mark.parametrize("path", ["state.nope", "input.nope", "context.nope", "input.text.deeper"])
def test_what_is_missing_is_no_null_and_nothing_is_called(path: str) -> None:
    given: list[Any] = []
    ended = run(chain(node("e", input=[source("t", path)])), {"text": "hi"}, given.append)
    assert ended.error is not None
    assert (ended.error.code, ended.error.node_id, ended.error.path, given) == ("missing_path", "e", path, [])


def test_what_a_handler_does_to_its_payload_is_done_to_nothing_else() -> None:
    def spoil(payload: Any) -> Any:
        payload["x"].append("spoilt")
        return {}

    both = [node("a", input=[source("x", "state.xs")]), node("b", input=[source("x", "state.xs")])]
    ended = run(chain(*both, state={"xs": {"type": "array", "default": [1]}}), {}, spoil)
    assert (ended.state, [entry["input"] for entry in ended.trace]) == ({"xs": [1]}, [{"x": [1]}, {"x": [1]}])


def test_a_handler_is_told_of_its_call_and_of_no_state() -> None:
    seen: list[wfc.CallContext] = []

    def look(payload: Any, context: wfc.CallContext) -> Any:
        seen.append(context)
        return {}

    run(chain(node("a"), node("b"), state={"secret": {"default": 1}}), {"text": "hi"}, look)
    assert {one.name for one in fields(wfc.CallContext)} == {"call_id", "attempt", "node_id", "run_id", "context"}
    assert dict(seen[1].context) == {
        "retry_count": 0,
        "prior_outcome": "ok",
        "activated_incoming_edge": {"from": "a", "outcome": "ok", "to": "b"},
    }


def test_context_is_the_frames_and_no_part_of_state() -> None:
    given: list[Any] = []
    binding = source("p", "context.prior_outcome")
    document = chain(node("a"), node("b", input=[binding]), input_schema={"properties": {"prior_outcome": {}}})
    ended = run(document, {"prior_outcome": "x"}, given.append)
    assert (given[1], ended.state) == ({"p": "ok"}, {"prior_outcome": "x"})


# -- what becomes of an output ----------------------------------------------------------------------------------------

KEPT: list[tuple[str, Any, list[Json], Json]] = [
    ("nothing is bound", {"a": 1}, [], {}),
    ("a nested source", {"job": {"wage": 5}}, [to("job.wage", "state.w")], {"w": 5}),
    ("a whole object", {"user": {"name": "A"}}, [to("user", "state.person")], {"person": {"name": "A"}}),
    ("the whole output", {"usd": 1}, [to(".", "state.rates")], {"rates": {"usd": 1}}),
    ("reads overlap", {"user": {"name": "A"}}, [to("user", "state.person"), to("user.name", "state.w")],
     {"person": {"name": "A"}, "w": "A"}),
    ("a null", {"a": None}, [to("a", "state.w")], {"w": None}),
    ("parents are made", {"a": 1}, [to("a", "state.person.job.wage")], {"person": {"job": {"wage": 1}}}),
]  # fmt: skip
PLACES: Json = {"w": {}, "person": {"type": "object"}, "rates": {}}


@pytest.mark.parametrize(("output", "bindings", "state"), [pytest.param(*told, id=name) for name, *told in KEPT])
def test_state_is_what_is_written_and_nothing_else(output: Any, bindings: list[Json], state: Json) -> None:
    ended = run(chain(node("e", output=bindings), state=PLACES), {}, lambda payload: output)
    assert (ended.status, ended.state) == ("completed", state)
    assert [change["path"] for change in ended.trace[0].get("changes", [])] == [one["target"] for one in bindings]


@pytest.mark.parametrize("missing", ["nope", "a.nope"])
def test_a_source_that_is_missing_writes_nothing_and_calls_no_reducer(missing: str) -> None:
    reduced: list[Any] = []

    def note(new: Any, config: Any) -> Any:
        reduced.append(new)
        return new

    own = wfc.Reducer("own.note", True, ("number",), merge=lambda current, new, config: note(new, config), first=note)
    places = {"w": {"reducer": "own.note"}, "x": {}}
    document = chain(node("e", output=[to("a", "state.w"), to(missing, "state.x")]), state=places)
    ended = run(document, {}, lambda payload: {"a": 1}, reducers=[own])
    assert ended.error is not None
    assert (ended.error.code, ended.state, reduced) == ("missing_path", {}, [])


def test_what_is_not_declared_is_seen_by_nobody() -> None:
    made = {"name": "work", **ANY, "output_schema": {"type": "object", "properties": {"a": {}}}}
    document = chain(node("e", output=[to("debug", "state.w")]), state=PLACES, node_defs=[made])
    ended = run(document, {}, lambda payload: {"a": 1, "debug": 2})
    assert ended.error is not None
    assert (ended.error.code, ended.error.path, ended.state) == ("missing_path", "debug", {})


def test_an_output_that_names_an_outcome_goes_nowhere_else() -> None:
    ended = run(chain(node("e")), {}, lambda payload: wfc.NodeResult("ok", {"outcome": "other"}, meta={"outcome": "x"}))
    assert (ended.trace[0]["outcome"], ended.trace[0]["output"]) == ("ok", {"outcome": "other"})


def test_bindings_keep_their_order() -> None:
    letters = ["b", "a", "c"]
    step = node(
        "e", input=[literal(name, 1) for name in letters], output=[to(name, f"state.{name}") for name in letters]
    )
    document = chain(step, state={name: {} for name in letters})
    (entry,) = run(document, {}, dict).trace
    assert [change["path"] for change in entry["changes"]] == ["state.b", "state.a", "state.c"]
    stored = encode(wfc.compile(document))
    places = [
        stored.index(f'"target":{{"parts":["{name}"],"root":"{root}"}}')
        for root in ("local", "state")
        for name in letters
    ]
    assert places == sorted(places)


@dataclass
class Person:
    name: str


def test_what_a_handler_returns_is_json_from_then_on() -> None:
    given = Person("A")
    outputs = iter([{"p": given}, {"p": "B"}])
    both = [node("a", output=[to("p", "state.person")]), node("b", output=[to("p", "state.person.name")])]
    ended = run(chain(*both, state={"person": {"type": "object"}}), {}, lambda payload: next(outputs))
    assert (ended.state, given) == ({"person": {"name": "B"}}, Person("A"))


# -- how writes meet what is there ------------------------------------------------------------------------------------

STATES: list[tuple[str, Json, list[Write], Any]] = [
    ("a reducer is that of exactly its path", {"profile": MERGED},
     [{"profile": {"a": {"x": 1}}}, {"profile": {"b": 2}}, {"profile.a": {"y": 3}}],
     {"profile": {"a": {"y": 3}, "b": 2}}),
    ("what is below a reducer does not inherit it", {"person": MERGED},
     [{"person.tags": {"a": 1}}, {"person.tags": {"b": 2}}], {"person": {"tags": {"b": 2}}}),
    ("what is above a reducer does not use it", {"person": {"type": "object", "properties": {"tags": APPEND}}},
     [{"person.tags": "a"}, {"person": {"tags": ["b"]}}], {"person": {"tags": ["b"]}}),
    ("a declared path below a root has its reducer", {"person": {"type": "object", "properties": {"tags": APPEND}}},
     [{"person.tags": "a"}, {"person.tags": "b"}], {"person": {"tags": ["a", "b"]}}),
    ("an undeclared path is replaced", {"person": {"type": "object"}},
     [{"person.note": {"a": 1}}, {"person.note": {"b": 2}}], {"person": {"note": {"b": 2}}}),
    ("a declared path without a reducer is replaced", {"n": {"type": "integer"}}, [{"n": 1}, {"n": 2}], {"n": 2}),
    ("an object is replaced, not merged", {"person": {"type": "object"}}, [{"person": {"a": 1}}, {"person": {"b": 2}}],
     {"person": {"b": 2}}),
    ("an undeclared path takes any value", {"person": {"type": "object"}}, [{"person.z": [1, "a"]}],
     {"person": {"z": [1, "a"]}}),
    ("sums of negative numbers", {"n": {"reducer": "wf.std.add"}}, [{"n": 3}, {"n": -1}], {"n": 2}),
    ("the larger, whichever comes first", {"m": {"reducer": "wf.std.max"}, "n": {"reducer": "wf.std.max"}},
     [{"m": 3, "n": 5}, {"m": 5, "n": 3}], {"m": 5, "n": 5}),
    ("a union of sets", {"s": {"type": "array", "reducer": "wf.std.set_union"}}, [{"s": ["a"]}, {"s": ["b", "a"]}],
     {"s": ["a", "b"]}),
    ("another type", {"age": {"type": "integer"}}, [{"age": 1}, {"age": "x"}], ("state_invalid", {"age": 1})),
    ("a field too many in a replacement", {"p": CLOSED}, [{"p": {"name": "A"}}, {"p": {"name": "A", "x": 1}}],
     ("state_invalid", {"p": {"name": "A"}})),
    ("a field too many below", {"p": CLOSED}, [{"p": {"name": "A"}}, {"p.x": 1}],
     ("state_invalid", {"p": {"name": "A"}})),
    ("another type below a replacement", {"p": {"type": "object", "properties": {"age": {"type": "integer"}}}},
     [{"p": {"age": "x"}}], ("state_invalid", {})),
    ("a parent that is no object", {"p": {}}, [{"p": 3}, {"p.name": "A"}], ("state_conflict", {"p": 3})),
    ("a reducer that fails keeps every write out", {"ok": {}, "m": {"reducer": "wf.std.max", "default": 3}},
     [{"ok": 1, "m": "x"}], ("reducer_failed", {"m": 3})),
]  # fmt: skip


def writing(id: str, write: Write) -> Json:
    values = list(enumerate(write.items()))
    return node(
        id,
        use="wf.std.record",
        input=[literal(f"v{number}", value) for number, (_, value) in values],
        output=[to(f"v{number}", f"state.{path}") for number, (path, _) in values],
    )


def written(declared: Json, writes: list[Write], **root: Any) -> wfc.RunState:
    document = chain(*(writing(f"s{number}", write) for number, write in enumerate(writes)))
    return run(document | {"state_schema": {"type": "object", "properties": declared, **root}}, {})


@pytest.mark.parametrize(("declared", "writes", "left"), [pytest.param(*told, id=name) for name, *told in STATES])
def test_a_write_meets_what_is_there(declared: Json, writes: list[Write], left: Any) -> None:
    ended = written(declared, writes)
    code = ended.error.code if ended.error else None
    assert (code, ended.state) == (left if isinstance(left, tuple) else (None, left))
    if ended.error:
        assert (ended.error.node_id, ended.status) == (f"s{len(writes) - 1}", "failed")


def test_the_whole_state_is_not_judged_at_every_write() -> None:
    assert written({"a": {}, "b": {}}, [{"a": 1}], required=["a", "b"]).state == {"a": 1}


def test_an_undeclared_path_can_be_read_again() -> None:
    given: list[Any] = []
    both = [writing("a", {"person.nick": "N"}), node("b", input=[source("n", "state.person.nick")])]
    run(chain(*both, state={"person": {"type": "object"}}), {}, given.append)
    assert given == [{"n": "N"}]


def wired(*edges: str) -> list[Json]:
    written = [edge.replace(">", ":").split(":") for edge in edges]
    return [{"from": one, "outcome": outcome, "to": target} for one, outcome, target in written]


def failing(document: Json) -> tuple[str, str | None, str]:
    """The code, path and message of a run that commits nothing."""
    ended = run(document, {})
    assert ended.error is not None and ended.state == {}
    return ended.error.code, ended.error.path, ended.error.message


def test_an_undeclared_path_that_siblings_write_is_a_conflict() -> None:
    each = {"id": "each", "type": "foreach", "over": {"value": [1, 2]}, "as": "x", "mode": "parallel"}
    keep = node(
        "keep", use="wf.std.identity", input=[source("value", "context.x")], output=[to("value", "state.p.note")]
    )
    edges = wired("each:item>keep", "keep:ok>each", "each:done>__end__")
    message = "is written by the parallel lineages 0 and 1 and has no reducer that can merge them"
    assert failing(chain(each, keep, state={"p": {"type": "object"}}) | {"edges": edges}) == (
        "state_conflict",
        "state.p.note",
        f"`state.p.note` {message}",
    )


@pytest.mark.parametrize(("first", "second"), [("p", "p.note"), ("p.note", "p")])
def test_a_path_in_another_that_a_sibling_writes_is_a_conflict(first: str, second: str) -> None:
    fork, join = {"id": "fork", "type": "fork", "branches": ["l", "r"]}, {"id": "join", "type": "join"}
    edges = wired("fork:l>a", "fork:r>b", "a:ok>join", "b:ok>join", "join:ok>__end__")
    steps = [fork, writing("a", {first: {}}), writing("b", {second: {}}), join]
    assert failing(chain(*steps, state={"p": MERGED}) | {"edges": edges}) == (
        "state_conflict",
        f"state.{second}",
        f"`state.{second}` is written by lineage 1 beside `state.{first}` by lineage 0, and one lies in the other",
    )


def test_a_reducer_that_nobody_has_is_missed_before_the_first_step() -> None:
    document = chain(node("e", output=[to("a", "state.w")]), state={"w": {"reducer": "own.note"}})
    given: list[Any] = []
    ended = run(document, {}, given.append)
    assert ended.error is not None
    assert (ended.error.code, list(ended.trace), given) == ("capability_unavailable", [], [])
    assert "`own.note`" in ended.error.message


def test_a_reducer_says_what_it_is() -> None:
    (modulo,) = (one for one in REDUCERS if one.name == "wf.std.modulo_add")
    assert (modulo.mergeable, modulo.kinds, modulo.config) == (True, ("number",), ("modulus",))


# -- conditions -------------------------------------------------------------------------------------------------------


def exists(path: str) -> Json:
    return {"op": "exists", "path": path}


def compared(op: str, path: str, value: Any) -> Json:
    return {"op": op, "left": {"path": path}, "right": {"value": value}}


CHECKS: list[tuple[str, Json, Any]] = [
    ("what is null is there", exists("state.null"), "true"),
    ("what is missing is not", exists("state.nope"), "false"),
    ("what context does not have is missing", exists("context.x"), "false"),
    ("the outcome before", compared("eq", "context.prior_outcome", "ok"), "true"),
    ("null equals null", compared("eq", "state.null", None), "true"),
    ("null is not another null", compared("ne", "state.null", None), "false"),
    ("a value is not null", compared("ne", "state.n", None), "true"),
    ("input", compared("lt", "input.n", 3), "true"),
    ("state", compared("gt", "state.n", 3), "false"),
    ("nested", {"op": "and", "args": [exists("state.n"), {"op": "not", "arg": compared("gt", "state.n", 3)}]}, "true"),
    ("a missing path is no null", compared("eq", "state.nope", None), ("missing_path", "state.nope")),
]


@pytest.mark.parametrize(("check", "result"), [pytest.param(*told, id=name) for name, *told in CHECKS])
def test_a_condition_reads_and_writes_nothing(check: Json, result: Any) -> None:
    state = {"null": {"default": None}, "n": {"default": 2}}
    document = chain(node("a"), {"id": "c", "type": "condition", "check": check}, state=state)
    document["edges"][1:2] = [{"from": "c", "outcome": outcome, "to": "__end__"} for outcome in ("true", "false")]
    ended = run(document, {"n": 2}, lambda payload: {})
    assert ended.state == {"null": None, "n": 2}
    if isinstance(result, tuple):
        assert ended.error is not None
        assert (ended.error.code, ended.error.path, ended.error.node_id) == (*result, "c")
    else:
        assert (ended.trace[1]["outcome"], "changes" in ended.trace[1]) == (result, False)


# -- the order of it all ----------------------------------------------------------------------------------------------


def stage(fault: int) -> Any:
    """A run that has every fault from the given one on; the first of them is what is told."""

    def bad(number: int) -> bool:
        return number >= fault

    def work(payload: Any) -> Any:
        if bad(4):
            raise ValueError("boom")
        output = {} if bad(7) else {"n": "text" if bad(8) else 1}
        return wfc.NodeResult("never" if bad(6) else "ok", "no object" if bad(5) else output)

    declared = {
        "name": "work",
        "input_schema": {"type": "object", "properties": {"t": {"type": "integer" if bad(3) else "string"}}},
        "output_schema": {"type": "object"},
        "outcomes": ["ok"],
    }
    step = node("e", input=[source("t", "input.t" if not bad(2) else "input.nope")], output=[to("n", "state.n")])
    document = {
        "name": "w",
        "input_schema": {"type": "object", "required": ["t", "more"] if bad(1) else ["t"]},
        "state_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
        "output_schema": {"type": "object", "properties": {"n": {}}, "required": ["n", "m"] if bad(9) else ["n"]},
        "node_defs": [declared],
        "start": "e",
        "nodes": [step],
        "edges": [{"from": "e", "outcome": "ok", "to": "nowhere" if bad(0) else "__end__"}],
    }
    return run(document, {"t": "hi"}, work)


STAGES = [
    "input_invalid",
    "missing_path",
    "node_input_invalid",
    "node_failed",
    "node_output_invalid",
    "undeclared_outcome",
    "missing_path",
    "state_invalid",
    "output_invalid",
    "completed",
]


def test_of_many_faults_the_first_stage_tells_its_own() -> None:
    with pytest.raises(wfc.CompileError, match="WF101"):
        stage(0)
    ended = [stage(fault) for fault in range(1, 11)]
    assert [one.error.code if one.error else one.status for one in ended] == STAGES
    assert [len(one.trace) for one in ended] == [0, *[1] * 9]
    assert [one.state for one in ended[:8]] == [{}] * 8
