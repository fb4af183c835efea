"""No run of a clean workflow fails structurally: the quick version of `python -m tests.soundness`."""

from __future__ import annotations

from typing import Any

import pytest

import wfc
from tests.soundness import witnesses
from tests.soundness.judge import STRICT_CODES, errors
from tests.soundness.play import play
from tests.soundness.precision import precision
from tests.soundness.shrink import shrunk
from tests.soundness.survey import Figures, Order, survey
from wfc.vm import link


@pytest.fixture(scope="module")
def figures() -> Figures:
    return survey(Order(seed=1, first=0, workflows=160, runs=8))


def test_nothing_crashes(figures: Figures) -> None:
    assert figures.crashes == []


def test_clean_workflows_never_fail_structurally(figures: Figures) -> None:
    assert figures.failures == []


def test_many_workflows_are_clean(figures: Figures) -> None:
    assert figures.clean >= figures.workflows * 0.2


@pytest.mark.parametrize("code", STRICT_CODES)
def test_no_pass_is_idle(code: str) -> None:
    assert witnesses.holds(code)


def test_errors_are_confirmed_by_runs() -> None:
    total = precision(seed=1, workflows=30, jobs=1)
    assert sum(total.confirmed.values()) >= 0.8 * sum(total.reported.values())


# -- the driver finds what is there to be found ----------------------------------------------------------------------

NUMBER = {"type": "integer"}
MAYBE = {"type": ["integer", "null"]}


def flow(step: dict[str, Any], gives: Any, takes: Any = None, field: Any = None, **more: Any) -> dict[str, Any]:
    """Two steps: `first` gives `y`, as its schema says, to `state.f`; then the step that is looked at."""
    work = {"name": "work", "input_schema": {"type": "object", "properties": {"a": takes or {}}}, "outcomes": ["ok"]}
    work["output_schema"] = {"type": "object", "properties": {"y": gives}, "required": ["y"]}
    first = {"id": "first", "type": "node", "node": "work", "output": [{"source": "y", "target": "state.f"}]}
    outcomes = {"condition": ("true", "false"), "foreach": ("item", "done")}.get(step["type"], ("ok",))
    edges = [{"from": "first", "outcome": "ok", "to": "then"}]
    edges += [{"from": "then", "outcome": one, "to": "then" if one == "item" else "__end__"} for one in outcomes]
    made: dict[str, Any] = {"name": "main", "start": "first", "node_defs": [work], "edges": edges}
    made["nodes"] = [first, {"id": "then", **step}]
    made["state_schema"] = {"type": "object", "properties": {"f": field or {}, "g": NUMBER}}
    return {"main": "main", "workflows": [made | more]}


def call(path: str) -> dict[str, Any]:
    return {"type": "node", "node": "work", "input": [{"target": "a", "path": path}]}


LESS = {"op": "lt", "left": {"path": "state.f"}, "right": {"value": 3}}
FAULTY = (
    ("node_input_invalid", flow(call("state.f"), MAYBE, NUMBER)),
    ("missing_path", flow(call("state.g"), NUMBER)),
    ("missing_path", flow(call("state.f.deep"), {"type": "object", "properties": {"deep": NUMBER}})),
    ("type_mismatch", flow({"type": "condition", "check": LESS}, MAYBE)),
    ("type_mismatch", flow({"type": "foreach", "over": "state.f", "as": "one"}, {"type": ["array", "null"]})),
    ("state_invalid", flow(call("state.f"), MAYBE, field=NUMBER)),
    ("reducer_failed", flow(call("state.f"), MAYBE, field={**MAYBE, "reducer": "wf.std.max"})),
    ("output_invalid", flow(call("state.f"), NUMBER, output_schema={"type": "object", "required": ["f", "g"]})),
)


@pytest.mark.parametrize(("code", "made"), FAULTY)
def test_the_driver_finds_obvious_failures(code: str, made: dict[str, Any]) -> None:
    linked = link(wfc.compile(made, unchecked=True))
    ended = [play(linked, seed).error for seed in range(12)]
    assert code in [error.code for error in ended if error is not None]


def test_what_fails_is_made_small() -> None:
    code, made = FAULTY[0]

    def fails(smaller: dict[str, Any]) -> bool:
        if any(one.startswith(("WF0", "WF1", "WF2")) for one in errors(smaller)):
            return False
        ended = [play(link(wfc.compile(smaller, unchecked=True)), seed).error for seed in range(12)]
        return any(error is not None and error.code == code for error in ended)

    small = shrunk(made, fails)["workflows"][0]
    assert [step["id"] for step in small["nodes"]] == ["first", "then"]
    assert small.keys() == {"name", "start", "nodes", "edges", "node_defs"}
