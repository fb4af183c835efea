"""What steps read and write, each with its place in the document."""

from __future__ import annotations

from tests.values.studied import Studied
from tests.values.workflows import (
    BOOLEAN,
    INTEGER,
    ask,
    both,
    call,
    child,
    choice,
    compare,
    copy,
    definition,
    each,
    exists,
    finish,
    fork,
    join,
    no,
    record,
    some,
    workflow,
    write,
)

MAKE = definition("make", record({"n": INTEGER}), ["ok", "other"])
DOCUMENT = workflow(
    choice("c", both(exists("input.a"), no(some(compare("lt", "input.b", 3), exists("state.x")))), "k", "late"),
    fork("k", {"p": "e", "q": "j"}, {"q": compare("eq", "input.a", 1)}),
    each("e", "input.xs", "w", "j", output=[write("count", "state.count")]),
    call(
        "w",
        "make",
        [write("n", "state.x"), write("n", "state.y.z", "other")],
        [{"target": "in.a", "path": "context.it"}],
        ok="e",
        other="e",
    ),
    join("j", "s"),
    ({"id": "s", "type": "wait", "seconds": {"path": "input.b"}}, {"ok": "a"}),
    ask("a", [write("comment", "state.note", "yes")], yes="end", no="late"),
    finish("late", "late"),
    outcomes=["ok", "late"],
    input_schema=record({"a": INTEGER, "b": INTEGER, "xs": {"type": "array"}}),
    output_schema=record(optional={"x": INTEGER, "note": {}}),
    node_defs=[MAKE],
)


def test_looks() -> None:
    studied = Studied(DOCUMENT)
    found = [(read.step, read.role, str(read.path), read.at.pointer) for read in studied.values.reads(studied.flow)]
    assert sorted(found) == sorted(
        [
            ("c", "exists", "input.a", "/nodes/0/check/args/0/path"),
            ("c", "operand", "input.b", "/nodes/0/check/args/1/arg/args/0/left/path"),
            ("c", "exists", "state.x", "/nodes/0/check/args/1/arg/args/1/path"),
            ("k", "operand", "input.a", "/nodes/1/branches/1/when/left/path"),
            ("e", "over", "input.xs", "/nodes/2/over"),
            ("w", "input", "context.it", "/nodes/3/input/0/path"),
            ("s", "seconds", "input.b", "/nodes/5/seconds/path"),
            ("a", "output", "state.x", "/edges/10"),
            ("a", "output", "state.note", "/edges/10"),
            ("late", "output", "state.x", "/nodes/7"),
            ("late", "output", "state.note", "/nodes/7"),
        ]
    )


def test_writes() -> None:
    studied = Studied(DOCUMENT)
    found = [
        (write.step, str(write.path), write.outcomes, write.at.pointer) for write in studied.values.writes(studied.flow)
    ]
    assert sorted(found) == [
        ("a", "state.note", ("yes",), "/nodes/6/resume/0/target"),
        ("e", "state.count", ("done",), "/nodes/2/output/0/target"),
        ("w", "state.x", ("ok", "other"), "/nodes/3/output/0/target"),
        ("w", "state.y.z", ("other",), "/nodes/3/output/1/target"),
    ]


def test_a_binding_without_on_leaves_caught_outcomes_alone() -> None:
    step, wires = call("w", "make", [write("n", "state.x")], ok="end", other="end", broke="end")
    caught = step | {"catch": [{"codes": ["node_failed"], "outcome": "broke"}]}
    studied = Studied(workflow((caught, wires), node_defs=[MAKE]))
    (found,) = studied.values.writes(studied.flow)
    assert found.outcomes == ("ok", "other")


def test_a_child_is_read_and_written_like_a_node() -> None:
    inner = workflow(join("j"), input_schema=record({"a": INTEGER}), output_schema=record(optional={"b": INTEGER})) | {
        "name": "inner"
    }
    step = child("s", "inner", [write("b", "state.b")], [{"target": "a", "path": "input.a"}], ok="end")
    studied = Studied({"main": "main", "workflows": [workflow(step, input_schema=record({"a": INTEGER})), inner]})
    values, flow = studied.values, studied.flow
    assert [(read.role, str(read.target)) for read in values.reads(flow)] == [("input", "a")]
    assert [str(write.path) for write in values.writes(flow)] == ["state.b"]


def test_comparisons_have_both_sides() -> None:
    condition = {"op": "eq", "left": {"path": "input.a"}, "right": {"path": "state.b"}}
    studied = Studied(workflow(choice("c", condition, "end", "end")))
    (found,) = studied.values.comparisons(studied.flow)
    assert (found.op, [str(side.path) for side in (found.left, found.right)], found.at.pointer) == (  # type: ignore[union-attr]
        "eq",
        ["input.a", "state.b"],
        "/nodes/0/check",
    )


def test_writers_of_a_path_are_those_that_touch_it() -> None:
    steps = (
        copy("a", "input.f", "state.p", "b"),
        copy("b", "input.f", "state.p.q", "c"),
        copy("c", "input.f", "state.r"),
    )
    studied = Studied(workflow(*steps, input_schema=record({"f": BOOLEAN})))
    (path,) = {write.path for write in studied.values.writes(studied.flow) if write.step == "b"}
    assert [write.step for write in studied.values.writers(studied.flow, path)] == ["a", "b"]


def test_what_is_there_around_a_write() -> None:
    steps = (copy("a", "input.f", "state.n", "b"), copy("b", "input.f", "state.n"))
    studied = Studied(workflow(*steps, input_schema=record({"f": INTEGER}), state={"n": {"type": "number"}}))
    first, second = studied.values.writes(studied.flow)
    values = studied.values
    assert [values.before(each, "ok").presence.value for each in (first, second)] == ["never", "always"]
    assert values.after(first, "ok") == values.before(second, "ok")
