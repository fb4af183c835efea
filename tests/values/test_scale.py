"""Large workflows are ordinary: nothing is recursive, and work grows about as the workflow does."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.values.studied import Json, Studied
from tests.values.workflows import (
    INTEGER,
    both,
    choice,
    compare,
    copy,
    each,
    exists,
    fork,
    join,
    put,
    record,
    stand,
    workflow,
)

XS = {"input_schema": record({"xs": {"type": "array"}}, {"may": INTEGER})}


def presences(document: Json) -> dict[str, str]:
    """The presence of the last look of each step."""
    studied = Studied(document)
    return {read.step: studied.values.presence(read).value for read in studied.values.reads(studied.flow)}


def test_a_chain_of_100_000_steps() -> None:
    names = [f"s{number}" for number in range(100_000)]
    steps = [put("first", "state.n", names[0]), *(stand(a, b) for a, b in pairwise(names))]
    last = copy(names[-1], "state.n", "state.m")
    assert presences(workflow(*steps, last, state={"n": INTEGER})) == {names[-1]: "always"}


def test_a_chain_in_which_each_step_reads_what_the_one_before_wrote() -> None:
    names = [f"s{number}" for number in range(10_000)]
    steps = [put("first", "state.n", names[0]), *(copy(a, "state.n", "state.n", b) for a, b in pairwise(names))]
    found = presences(workflow(*steps, copy(names[-1], "state.n", "state.m"), state={"n": INTEGER}))
    assert set(found.values()) == {"always"}


def test_a_chain_in_which_each_step_has_its_own_field() -> None:
    numbers = range(5_000)
    steps = [
        put("s0", "state.v0", "s1"),
        *(copy(f"s{n}", f"state.v{n - 1}", f"state.v{n}", f"s{n + 1}") for n in numbers[1:]),
    ]
    document = workflow(*steps, stand("s5000"), state={f"v{n}": INTEGER for n in numbers})
    assert set(presences(document).values()) == {"always"}


def test_many_steps_that_fail_to_one_handler() -> None:
    steps = [
        choice(f"c{n}", compare("eq", "input.xs", n), f"w{n}" if n % 10 == 0 else f"c{n + 1}", "handler")
        for n in range(2_000)
    ]
    writes = [put(f"w{n}", "state.n", f"c{n + 1}") for n in range(0, 2_000, 10)]
    found = presences(workflow(*steps, *writes, stand("c2000"), copy("handler", "state.n", "state.m"), **XS))
    assert found["handler"] == "maybe"


@pytest.mark.parametrize("mode", ["serial", "parallel"])
def test_200_nested_loops(mode: str) -> None:
    depth = 200
    opening = [
        each(f"e{n}", "input.xs", f"e{n + 1}" if n < depth - 1 else "w", f"e{n - 1}" if n else "last", mode=mode)
        for n in range(depth)
    ]
    log = {"log": {"type": "array", "reducer": "wf.std.append", "default": []}, "x": {}}
    last = copy("last", "state.log", "state.x")
    document = workflow(*opening, copy("w", "context.it", "state.log", f"e{depth - 1}"), last, state=log, **XS)
    assert presences(document)["last"] == "always"


def test_200_loops_by_edges_inside_one_another() -> None:
    depth = 200
    steps = [copy(f"a{n}", "state.n", "state.n", f"a{n + 1}" if n < depth - 1 else f"c{n}") for n in range(depth)]
    steps += [choice(f"c{n}", compare("lt", "state.n", n), f"a{n}", f"c{n - 1}" if n else "end") for n in range(depth)]
    assert set(presences(workflow(*steps, state={"n": {**INTEGER, "default": 0}})).values()) == {"always"}


def test_2_000_branches() -> None:
    number = 2_000
    log = {"type": "array", "items": INTEGER, "reducer": "wf.std.append", "default": []}
    steps: list[Any] = [fork("k", {f"b{n}": f"w{n}" for n in range(number)})]
    steps += [put(f"w{n}", f"state.v{n}" if n % 2 else "state.log", "j") for n in range(number)]
    fields = {f"v{n}": INTEGER for n in range(1, number, 2)} | {"log": log}
    steps += [join("j", "last"), copy("last", "state.v1999", "state.v1")]
    assert presences(workflow(*steps, state=fields))["last"] == "always"


def test_a_condition_with_2_000_comparisons() -> None:
    guard = exists("input.may")
    condition = both(guard, *(compare("ne", "input.may", n) for n in range(2_000)))
    studied = Studied(workflow(choice("c", condition, "end", "end"), **XS))
    operands = [read for read in studied.reads("c") if read.role == "operand"]
    assert {studied.values.presence(read).value for read in operands} == {"always"}


def test_a_condition_as_deep_as_a_document_admits() -> None:
    condition: Json = compare("eq", "input.may", 1)
    for _ in range(60):
        condition = {"op": "not", "arg": {"op": "or", "args": [condition]}}
    studied = Studied(workflow(choice("c", condition, "end", "end"), **XS))
    assert [studied.values.presence(read).value for read in studied.reads("c")] == ["maybe"]


def test_a_path_with_5_000_segments() -> None:
    deep = ".".join(["state.p", *(f"s{n}" for n in range(5_000))])
    document = workflow(put("w", deep, "r"), copy("r", deep, "state.q", "t"), copy("t", "state.p.s0.s1", "state.q"))
    assert presences(document) == {"r": "maybe", "t": "always"}


def test_300_fields_of_one_object() -> None:
    steps = [put(f"s{n}", f"state.p.v{n}", f"s{n + 1}") for n in range(300)]
    document = workflow(*steps, copy("s300", "state.p.v7", "state.q", "t"), copy("t", "state.p.nothing", "state.q"))
    assert presences(document) == {"s300": "always", "t": "never"}
