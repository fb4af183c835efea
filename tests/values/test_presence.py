"""Whether a path is there where a step stands: every rule in the smallest workflow, and the near miss beside it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.values.studied import Json, Studied
from tests.values.workflows import (
    BOOLEAN,
    INTEGER,
    TEXT,
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
    look,
    no,
    put,
    record,
    some,
    stand,
    workflow,
    write,
)
from wfc.paths import GraphSourcePath

FLAG = {"input_schema": record({"flag": BOOLEAN})}
IF = compare("eq", "input.flag", True)
PAIR = record(optional={"a": INTEGER, "b": INTEGER})
TWO = {"value": [1, 2]}
ANY: Json = {}


def presences(document: Json, *asked: str) -> list[str]:
    """The presence of each `step path` that is asked for."""
    studied = Studied(document)
    found = []
    for question in asked:
        step, path = question.split()
        found.append(studied.values.seen_at(studied.flow, step, GraphSourcePath.parse(path)).presence.value)
    return found


def told(document: Json, **expected: str) -> Any:
    """A case: what `at` the step `here` is said of one path; keywords are paths with `__` for dots."""
    return pytest.param(document, {f"here {name.replace('__', '.')}": said for name, said in expected.items()})


def check(document: Json, expected: dict[str, str]) -> None:
    assert dict(zip(expected, presences(document, *expected), strict=True)) == expected


# Before the first step

INPUT = record({"must": INTEGER}, {"may": INTEGER, "given": {**INTEGER, "default": 1}, "both": INTEGER})
SEEDED = workflow(
    stand("here"),
    input_schema=INPUT,
    state={
        "both": {**INTEGER, "default": 2},
        "own": {**INTEGER, "default": 3},
        "none": INTEGER,
        "built": record({"in": {"default": 1}}),
    },
)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("input.must", "always"),
        ("input.may", "maybe"),
        ("input.given", "always"),
        ("input.unknown", "maybe"),
        ("state.must", "always"),
        ("state.may", "maybe"),
        ("state.given", "always"),
        ("state.both", "always"),
        ("state.own", "always"),
        ("state.built.in", "always"),
        ("state.built.out", "never"),
        ("state.none", "never"),
        ("state.unknown", "never"),
        ("state", "always"),
        ("input", "always"),
        ("context", "always"),
    ],
)
def test_defaults_and_seeds(path: str, expected: str) -> None:
    assert presences(SEEDED, f"here {path}") == [expected]


def test_a_closed_input_has_no_other_keys() -> None:
    document = workflow(stand("here"), input_schema=record(optional={"may": INTEGER}, additionalProperties=False))
    assert presences(document, "here input.may", "here input.other", "here state.other") == ["maybe", "never", "never"]


# Writes, by outcome

FOUND = definition("find", {"type": "object"}, ["found", "missing"], found=record({"x": INTEGER}, {"y": INTEGER}))
DIAMOND = {"state": {"x": INTEGER, "y": INTEGER, "p": PAIR}, **FLAG}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        told(workflow(put("w", "state.x", "here"), stand("here"), **DIAMOND), state__x="always", state__y="never"),
        told(
            workflow(choice("c", IF, "w", "here"), put("w", "state.x", "here"), stand("here"), **DIAMOND),
            state__x="maybe",
        ),
        told(
            workflow(
                choice("c", IF, "w", "v"),
                put("w", "state.x", "here"),
                put("v", "state.x", "here"),
                stand("here"),
                **DIAMOND,
            ),
            state__x="always",
        ),
        told(
            workflow(
                call("f", "find", [write("x", "state.x", "found")], found="here", missing="end"),
                stand("here"),
                node_defs=[FOUND],
                **DIAMOND,
            ),
            state__x="always",
        ),
        told(
            workflow(
                call("f", "find", [write("x", "state.x", "found")], found="here", missing="here"),
                stand("here"),
                node_defs=[FOUND],
                **DIAMOND,
            ),
            state__x="maybe",
        ),
        told(
            workflow(
                call("f", "find", [write("x", "state.x", "found")], found="end", missing="here"),
                stand("here"),
                node_defs=[FOUND],
                **DIAMOND,
            ),
            state__x="never",
        ),
        # What is written has been found in the output, whether its schema requires it or not.
        told(
            workflow(
                call("f", "find", [write("y", "state.y", "found")], found="here", missing="end"),
                stand("here"),
                node_defs=[FOUND],
                **DIAMOND,
            ),
            state__y="always",
        ),
        # An outcome that is never given leads nowhere.
        told(
            workflow(
                choice("c", IF, "w", "f"),
                put("w", "state.x", "here"),
                call("f", "wf.std.fail", [], [{"target": "message", "value": ""}], ok="here"),
                stand("here"),
                **DIAMOND,
            ),
            state__x="always",
        ),
    ],
)
def test_writes(document: Json, expected: dict[str, str]) -> None:
    check(document, expected)


# Parents and children

NEED = {"type": "object", "properties": {"a": INTEGER, "b": INTEGER, "c": PAIR}, "required": ["a"]}


def unwriting(value: Any, schema: Json = PAIR) -> Json:
    return workflow(put("w", "state.p.b", "u"), put("u", "state.p", "here", value), stand("here"), state={"p": schema})


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        # A nested write makes its parents, and nothing else.
        told(
            workflow(put("w", "state.p.a", "here"), stand("here"), state={"p": PAIR}),
            state__p="always",
            state__p__a="always",
            state__p__b="never",
        ),
        told(
            workflow(put("w", "state.d.e.f", "here"), stand("here"), state={"d": {"type": "object"}}),
            state__d="always",
            state__d__e="always",
            state__d__e__f="always",
            state__d__g="never",
        ),
        # A replace of the parent takes away what it does not bring.
        told(unwriting({}), state__p="always", state__p__b="never"),
        told(unwriting({"b": 1}), state__p__b="always"),
        told(unwriting({"a": 1}, NEED), state__p__a="always", state__p__b="never"),
        told(
            workflow(
                put("w", "state.p.b", "u"),
                call("u", "make", [write("p", "state.p")], ok="here"),
                stand("here"),
                state={"p": PAIR},
                node_defs=[definition("make", record({"p": record({"a": INTEGER}, {"b": INTEGER})}))],
            ),
            state__p__a="always",
            state__p__b="maybe",
        ),
        # A merge keeps what it does not bring.
        told(
            workflow(
                put("w", "state.p.b", "u"),
                put("u", "state.p", "here", {"a": 1}),
                stand("here"),
                state={"p": {**PAIR, "reducer": "wf.std.merge_object"}},
            ),
            state__p__a="always",
            state__p__b="always",
        ),
        # What is there satisfies its declared schema.
        told(
            workflow(
                call("u", "make", [write("p", "state.p")], ok="here"),
                stand("here"),
                state={"p": NEED},
                node_defs=[definition("make", record({"p": {"type": "object"}}))],
            ),
            state__p__a="always",
            state__p__b="maybe",
            state__p__c__a="maybe",
        ),
        # Two nested writes of one step are judged together.
        told(
            workflow(
                call("u", "make", [write("x", "state.p.a"), write("x", "state.p.b")], ok="here"),
                stand("here"),
                state={"p": record({"a": INTEGER, "b": INTEGER})},
                node_defs=[definition("make", record({"x": INTEGER}))],
            ),
            state__p__a="always",
            state__p__b="always",
        ),
        # Nothing is found below what is no object.
        told(workflow(put("w", "state.n", "here", 3), stand("here"), state={"n": ANY}), state__n__x="never"),
    ],
)
def test_nested_places(document: Json, expected: dict[str, str]) -> None:
    check(document, expected)


# Guards

MAY = {
    "input_schema": record({"flag": BOOLEAN}, {"o": INTEGER, "q": INTEGER, "d": record({"k": INTEGER}, {"l": INTEGER})})
}


def guarded(condition: Json, at: str) -> Json:
    """A workflow with the step `here` on one side of a condition."""
    sides = {"true": "end", "false": "end", at: "here"}
    return workflow(choice("c", condition, sides["true"], sides["false"]), stand("here"), **MAY)


O, Q = exists("input.o"), exists("input.q")  # noqa: E741
EQ = compare("eq", "input.o", 1)


@pytest.mark.parametrize(
    ("condition", "side", "o", "q"),
    [
        (O, "true", "always", "maybe"),
        (O, "false", "never", "maybe"),
        (no(O), "true", "never", "maybe"),
        (no(O), "false", "always", "maybe"),
        (both(O, Q), "true", "always", "always"),
        (both(O, Q), "false", "maybe", "maybe"),
        (some(O, Q), "true", "maybe", "maybe"),
        (some(O, Q), "false", "never", "never"),
        (some(no(O), no(Q)), "false", "always", "always"),
        (both(IF, O), "true", "always", "maybe"),
        (some(IF, O), "true", "maybe", "maybe"),
        (some(both(O, Q), both(Q, O)), "true", "always", "always"),
        # A comparison that has an answer has found both sides.
        (EQ, "true", "always", "maybe"),
        (EQ, "false", "always", "maybe"),
        (some(IF, EQ), "true", "maybe", "maybe"),
        (some(IF, EQ), "false", "always", "maybe"),
        (both(O, EQ), "false", "maybe", "maybe"),
    ],
)
def test_guards(condition: Json, side: str, o: str, q: str) -> None:
    assert presences(guarded(condition, side), "here input.o", "here input.q") == [o, q]


@pytest.mark.parametrize(
    ("condition", "side", "expected"),
    [
        (exists("input.d.l"), "true", ["always", "always", "always"]),
        (exists("input.d.l"), "false", ["maybe", "maybe", "never"]),
        (exists("input.d"), "true", ["always", "always", "maybe"]),
        # What an object has to have is missing only with the object.
        (exists("input.d.k"), "false", ["never", "never", "never"]),
    ],
)
def test_guards_of_nested_places(condition: Json, side: str, expected: list[str]) -> None:
    assert presences(guarded(condition, side), "here input.d", "here input.d.k", "here input.d.l") == expected


def operand_presences(condition: Json) -> list[str]:
    """The presence of each operand where it is evaluated, in the order of evaluation."""
    studied = Studied(workflow(choice("c", condition, "end", "end"), **MAY))
    return [studied.values.presence(read).value for read in studied.reads("c") if read.role == "operand"]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (EQ, ["maybe"]),
        (both(O, EQ), ["always"]),
        (both(EQ, O), ["maybe"]),
        (some(O, EQ), ["never"]),
        (some(no(O), EQ), ["always"]),
        (no(both(O, EQ)), ["always"]),
        (both(some(O, IF), EQ), ["always", "maybe"]),
        (both(EQ, EQ), ["maybe", "always"]),
        (both(O, no(some(compare("lt", "input.o", 1), EQ))), ["always", "always"]),
    ],
)
def test_operands_behind_their_guards(condition: Json, expected: list[str]) -> None:
    assert operand_presences(condition) == expected


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        # A guard holds until a write undoes it.
        told(
            workflow(
                put("w", "state.p", "c", {}),
                choice("c", exists("state.p.a"), "here", "end"),
                stand("here"),
                state={"p": PAIR},
            ),
            state__p__a="always",
        ),
        told(
            workflow(
                choice("c", exists("state.p.a"), "u", "end"),
                put("u", "state.p", "here", {}),
                stand("here"),
                state={"p": PAIR},
            ),
            state__p__a="never",
        ),
        told(
            workflow(
                choice("c", exists("state.p.a"), "u", "end"),
                put("u", "state.p.b", "here"),
                stand("here"),
                state={"p": PAIR},
            ),
            state__p__a="always",
        ),
        # What has been read is there afterwards.
        told(workflow(look("r", "input.o", "here"), stand("here"), **MAY), input__o="always", input__q="maybe"),
        told(
            workflow(choice("c", IF, "r", "here"), look("r", "input.o", "here"), stand("here"), **MAY),
            input__o="maybe",
        ),
    ],
)
def test_what_a_look_has_found(document: Json, expected: dict[str, str]) -> None:
    check(document, expected)


# Context

NEST = workflow(
    each("outer", TWO, "first", "after"),
    stand("first", "inner"),
    each("inner", TWO, "deep", "last", **{"as": "other"}),
    stand("deep", "inner"),
    stand("last", "outer"),
    stand("after"),
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("first context.it", "always"),
        ("first context.loop_item", "always"),
        ("first context.loop_index", "always"),
        ("first context.other", "never"),
        ("deep context.it", "always"),
        ("deep context.other", "always"),
        ("last context.other", "never"),
        ("after context.it", "never"),
        ("after context.loop_item", "never"),
        ("outer context.it", "never"),
        ("after context.retry_count", "always"),
        ("outer context.prior_outcome", "never"),
        ("first context.prior_outcome", "always"),
        ("after context.activated_incoming_edge.from", "always"),
        ("after context.activated_incoming_edge.nothing", "never"),
    ],
)
def test_context(question: str, expected: str) -> None:
    assert presences(NEST, question) == [expected]


def test_a_first_step_in_a_loop_has_a_prior_outcome_later() -> None:
    document = workflow(stand("here", "c"), choice("c", IF, "here", "end"), **FLAG)
    assert presences(document, "here context.prior_outcome", "c context.prior_outcome") == ["maybe", "always"]


def test_a_fork_and_its_join_count_as_steps_before() -> None:
    document = workflow(fork("k", {"p": "a"}), stand("a", "j"), join("j", "after"), stand("after"))
    assert presences(document, "a context.prior_outcome", "after context.prior_outcome") == ["always", "always"]


# Loops over items

LIST = {"input_schema": record({"xs": {"type": "array"}, "some": {"type": "array", "minItems": 1}})}


def loop(over: Any, **fields: Any) -> Json:
    """A body that writes `state.x`, a step before it, and one after the loop."""
    steps = (each("e", over, "in", "here", **fields), stand("in", "w"), put("w", "state.x", "e"), stand("here"))
    return workflow(*steps, state={"x": ANY}, **LIST)


@pytest.mark.parametrize("mode", ["serial", "parallel"])
@pytest.mark.parametrize(
    ("over", "fields", "expected"),
    [
        ("input.xs", {}, "maybe"),
        ("input.some", {}, "always"),
        (TWO, {}, "always"),
        ({"value": []}, {}, "maybe"),
        (TWO, {"on_item_error": "skip"}, "maybe"),
        (TWO, {"on_item_error": "collect"}, "maybe"),
        (TWO, {"locals": ["state.x"]}, "never"),
    ],
)
def test_what_a_body_writes_after_the_loop(mode: str, over: Any, fields: Json, expected: str) -> None:
    assert presences(loop(over, mode=mode, **fields), "here state.x") == [expected]


@pytest.mark.parametrize(("mode", "expected"), [("serial", "maybe"), ("parallel", "never")])
def test_what_an_item_sees_of_earlier_ones(mode: str, expected: str) -> None:
    assert presences(loop(TWO, mode=mode), "in state.x") == [expected]


def test_a_local_place_is_private_to_each_serial_item() -> None:
    assert presences(loop(TWO, locals=["state.x"]), "in state.x") == ["never"]


@pytest.mark.parametrize("mode", ["serial", "parallel"])
def test_a_body_that_unwrites(mode: str) -> None:
    steps = (
        put("w", "state.p.a", "e"),
        each("e", "input.xs", "u", "here", mode=mode),
        put("u", "state.p", "e", {}),
        stand("here"),
    )
    assert presences(workflow(*steps, state={"p": PAIR}, **LIST), "here state.p", "here state.p.a") == [
        "always",
        "maybe",
    ]


@pytest.mark.parametrize("mode", ["serial", "parallel"])
def test_a_local_place_below_another(mode: str) -> None:
    body = (
        each("e", TWO, "w", "here", mode=mode, locals=["state.p.a"]),
        put("w", "state.p.a", "v"),
        put("v", "state.p.b", "e"),
    )
    document = workflow(*body, stand("here"), state={"p": PAIR})
    assert presences(document, "here state.p.a", "here state.p.b") == ["never", "always"]


def test_items_and_what_they_hold() -> None:
    items = {"input_schema": record({"xs": {"type": "array", "items": record({"a": INTEGER}, {"b": INTEGER})}})}
    document = workflow(each("e", "input.xs", "here"), stand("here", "e"), **items)
    assert presences(document, "here context.it.a", "here context.it.b", "here context.it.a.x") == [
        "always",
        "maybe",
        "never",
    ]


# Forks

FORKED = {"state": {"x": ANY, "y": ANY, "p": PAIR}, **FLAG}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        told(
            workflow(
                fork("k", {"p": "w", "q": "v"}),
                put("w", "state.x", "j"),
                put("v", "state.y", "j"),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__x="always",
            state__y="always",
        ),
        told(
            workflow(
                fork("k", {"p": "w", "q": "v"}, {"q": IF}),
                put("w", "state.x", "j"),
                put("v", "state.y", "j"),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__x="always",
            state__y="maybe",
        ),
        told(
            workflow(
                fork("k", {"p": "w", "q": "v"}, locals=["state.x"]),
                put("w", "state.x", "j"),
                put("v", "state.y", "j"),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__x="never",
            state__y="always",
        ),
        # Two branches make one object.
        told(
            workflow(
                fork("k", {"p": "w", "q": "v"}),
                put("w", "state.p.a", "j"),
                put("v", "state.p.b", "j"),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__p__a="always",
            state__p__b="always",
        ),
        # What one branch takes away is gone.
        told(
            workflow(
                put("s", "state.p.a", "k"),
                fork("k", {"p": "u", "q": "v"}),
                put("u", "state.p", "j", {}),
                put("v", "state.y", "j"),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__p__a="never",
        ),
        told(
            workflow(
                put("s", "state.p.a", "k"),
                fork("k", {"p": "u"}, {"p": IF}),
                put("u", "state.p", "j", {}),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__p__a="maybe",
        ),
        # A branch writes on one of its ways.
        told(
            workflow(
                fork("k", {"p": "c", "q": "v"}),
                choice("c", IF, "w", "j"),
                put("w", "state.x", "j"),
                put("v", "state.y", "j"),
                join("j", "here"),
                stand("here"),
                **FORKED,
            ),
            state__x="maybe",
            state__y="always",
        ),
        # A sibling does not see it.
        told(
            workflow(
                fork("k", {"p": "w", "q": "here"}),
                put("w", "state.x", "j"),
                stand("here", "j"),
                join("j", "end"),
                **FORKED,
            ),
            state__x="never",
        ),
        # A branch knows what its own `when` has said.
        told(
            workflow(fork("k", {"p": "here"}, {"p": O}), stand("here", "j"), join("j"), **MAY),
            input__o="always",
        ),
        told(
            workflow(
                fork("k", {"p": "a", "q": "here"}, {"p": EQ}), stand("a", "j"), stand("here", "j"), join("j"), **MAY
            ),
            input__o="always",
        ),
    ],
)
def test_forks(document: Json, expected: dict[str, str]) -> None:
    check(document, expected)


# Loops by edges

ROUND = {"state": {"x": ANY, "p": PAIR}, **FLAG}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        told(
            workflow(stand("here", "w"), put("w", "state.x", "c"), choice("c", IF, "here", "end"), **ROUND),
            state__x="maybe",
        ),
        told(
            workflow(put("w", "state.x", "here"), stand("here", "c"), choice("c", IF, "w", "end"), **ROUND),
            state__x="always",
        ),
        told(
            workflow(
                put("s", "state.p.a", "here"),
                stand("here", "u"),
                put("u", "state.p", "c", {}),
                choice("c", IF, "here", "end"),
                **ROUND,
            ),
            state__p__a="maybe",
        ),
    ],
)
def test_loops(document: Json, expected: dict[str, str]) -> None:
    check(document, expected)


# Answers, errors, children

CATCH = {"catch": [{"codes": ["node_failed"], "outcome": "broke"}]}
BREAKS = call(
    "f",
    "find",
    [write("error.code", "state.x", "broke"), write("error.type", "state.y", "broke")],
    broke="here",
    found="end",
    missing="end",
)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        # A field that an answer has to have: by the refusal of one without it.
        told(
            workflow(
                ask("a", [write("comment", "state.x", "yes")], yes="here", no="end"), stand("here"), state={"x": ANY}
            ),
            state__x="always",
        ),
        told(
            workflow(
                ask("a", [write("comment", "state.x", "yes")], yes="end", no="here"), stand("here"), state={"x": ANY}
            ),
            state__x="never",
        ),
        told(
            workflow((BREAKS[0] | CATCH, BREAKS[1]), stand("here"), state={"x": ANY, "y": ANY}, node_defs=[FOUND]),
            state__x="always",
            state__y="always",
        ),
    ],
)
def test_answers_and_errors(document: Json, expected: dict[str, str]) -> None:
    check(document, expected)


CHILD = {
    **workflow(
        choice("c", IF, "w", "late"), put("w", "state.x"), finish("late", "late"), state={"x": ANY, "y": ANY}, **FLAG
    ),
    "name": "child",
    "outcomes": ["ok", "late"],
    "output_schema": record(optional={"x": ANY, "y": ANY}),
}


@pytest.mark.parametrize(
    ("outcome", "source", "expected"),
    [
        ("ok", "x", "always"),
        ("ok", "y", "never"),
        ("late", "x", "never"),
        ("broke", "error.code", "always"),
        ("broke", "error.message", "always"),
        ("broke", "error.type", "maybe"),
        ("broke", "x", "never"),
    ],
)
def test_what_a_child_gives(outcome: str, source: str, expected: str) -> None:
    step, wires = child("s", "child", [write(source, "state.r", outcome)], ok="end", late="end")
    main = workflow((step | CATCH, wires | {"broke": "end"}), state={"r": ANY})
    studied = Studied({"main": "main", "workflows": [main, CHILD]})
    (found,) = studied.values.writes_of(studied.flow, "s")
    assert studied.values.source(found, outcome).presence.value == expected


def test_the_ends_of_a_workflow() -> None:
    studied = Studied(CHILD)
    reads = {
        (read.step, str(read.path)): studied.values.presence(read).value for read in studied.values.reads(studied.flow)
    }
    ends = {key: said for key, said in reads.items() if key[1].startswith("state")}
    assert ends == {
        ("w", "state.x"): "always",
        ("w", "state.y"): "never",
        ("late", "state.x"): "never",
        ("late", "state.y"): "never",
    }


def test_copying_needs_what_is_copied() -> None:
    document = workflow(copy("c", "state.x", "state.y", "here"), stand("here"), state={"x": TEXT, "y": TEXT})
    assert presences(document, "c state.x", "here state.y") == ["never", "always"]
