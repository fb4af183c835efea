"""Functions that do what no function should: at full speed the run is that of the reference, and so is what is raised.

The reference is the machine that does every step by `wfc.vm.steps` alone. Each function misbehaves once, in the middle
of steps that are alike, in items of loops that skip, collect or fail, with retries and catches around it.
"""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable
from typing import Any

import pytest

import wfc
from tests.running.test_looking_in import called_by
from wfc.runs import Execution

Json = dict[str, Any]

STATE = {
    "n": {"default": 0},
    "deep": {"type": "object", "default": {"a": [1]}},
    "log": {"type": "array", "reducer": "wf.std.append", "default": []},
}
AROUND: dict[str, Json] = {
    "retry": {"retry": {"max_attempts": 3}},
    "catch": {"catch": [{"codes": ["node_failed", "node_output_invalid", "undeclared_outcome"], "outcome": "bad"}]},
}
LOOPS = [(mode, errors) for mode in ("serial", "parallel") for errors in ("fail", "skip", "collect")]


def step(name: str, source: str, *targets: str, **more: Any) -> Json:
    return {
        "id": name,
        "type": "node",
        "node": "work",
        "input": [{"target": "x", "path": source}, {"target": "l", "path": "state.deep"}],
        "output": [{"source": "n", "target": f"state.{target}"} for target in targets],
        **more,
    }


def compiled(kind: str, mode: str = "serial", errors: str = "fail") -> wfc.Program:
    nodes = [step(f"s{number}", "state.n", "n", "log", **AROUND.get(kind, {})) for number in range(4)]
    edges = ["s0 ok s1", "s1 ok s2", "s2 ok s3", "s3 ok __end__"]
    if kind == "catch":
        edges += [f"s{number} bad __end__" for number in range(4)]
    if kind == "loop":
        over = {"mode": mode, "on_item_error": errors, "over": {"value": list(range(6))}, "as": "it"}
        nodes = [{"id": "each", "type": "foreach", **over}, step("body", "context.it", "log"), *nodes]
        edges += ["each item body", "body ok each", "each done s0"]
    document = {
        "name": "hostile",
        "state_schema": {"type": "object", "properties": STATE},
        "output_schema": {"type": "object", "properties": {name: {} for name in STATE}},
        "node_defs": [{"name": "work", "input_schema": {}, "output_schema": {}, "outcomes": ["ok"]}],
        "start": nodes[0]["id"],
        "nodes": nodes,
        "edges": [dict(zip(("from", "outcome", "to"), edge.split(), strict=True)) for edge in edges],
    }
    return wfc.compile(document, unchecked=True)


PROGRAMS = {
    **{kind: compiled(kind) for kind in ("plain", "retry", "catch")},
    **{f"{mode} {errors}": compiled("loop", mode, errors) for mode, errors in LOOPS},
}


class Liar:
    """Says that it is of another class."""

    def __init__(self, claims: type) -> None:
        self._claims = claims

    @property
    def __class__(self) -> Any:
        if self._claims is Liar:
            raise RuntimeError("no class")
        return self._claims


class RaisingKey:
    """A key that looks like `n` and cannot be compared with it."""

    def __hash__(self) -> int:
        return hash("n")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not comparable")


class Dict(dict[str, Any]):
    pass


class Text(str):
    pass


class Number(enum.IntEnum):
    ONE = 1


def raising(error: BaseException) -> Callable[[Json], Any]:
    def work(given: Json) -> Any:
        raise error

    return work


def mutating(given: Json) -> Any:
    given["x"] = 99
    given["l"]["a"].append(5)
    given["beside"] = 1
    return {"n": 1}


def within_itself(given: Json) -> Any:
    made: Json = {}
    made["n"] = made
    return made


def running_another(given: Json) -> Any:
    """The workflow that calls it, among others, from its beginning."""
    runs = [wfc.execute_workflow(one, {}, handlers={"work": lambda given: {"n": 7}}) for one in PROGRAMS.values()]
    return {"n": [run.output["n"] for run in runs if run.output]}


HOSTILE: dict[str, Callable[[Json], Any]] = {
    **{
        f"raises {type(error).__name__}": raising(error)
        for error in (
            ValueError("no"),
            wfc.NodeFailed("boom"),
            KeyError("x"),
            SystemExit(3),
            KeyboardInterrupt(),
            GeneratorExit(),
            StopAsyncIteration(),
            asyncio.CancelledError(),
            BaseExceptionGroup("several", [KeyboardInterrupt()]),
        )
    },
    "raises StopIteration": lambda given: next(iter(())),
    "changes its input": mutating,
    "returns its input": lambda given: given,
    "returns what contains itself": within_itself,
    "runs workflows": running_another,
    "returns a dict of a class": lambda given: Dict(n=1),
    "returns a str of a class": lambda given: {"n": Text("a")},
    "returns a member of an enum": lambda given: {"n": Number.ONE},
    "returns a key that is no string": lambda given: {1: 2},
    "returns a key that raises": lambda given: {RaisingKey(): 1},
    **{f"returns a false {claims.__name__}": lambda given, claims=claims: Liar(claims) for claims in (dict, int, Liar)},
    **{
        f"returns a false {claims.__name__} inside": lambda given, claims=claims: {"n": Liar(claims)}
        for claims in (dict, int, Liar)
    },
    "returns a long integer": lambda given: {"n": 2**70},
    "returns no number": lambda given: {"n": float("nan")},
    "returns a lone surrogate": lambda given: {"n": "\ud800"},
    "returns a set": lambda given: {"n": {1}},
    "returns nothing": lambda given: None,
    "returns a number": lambda given: 5,
    "returns a class": lambda given: dict,
    "returns a triple": lambda given: ("ok", 1, 2),
    "returns an outcome that is not declared": lambda given: ("nope", {"n": 1}),
    "returns a result": lambda given: wfc.NodeResult(None, {"n": 1}),
}


def ended(program: wfc.Program, way: str, hostile: Callable[[Json], Any], at: int, limit: int, *, plain: bool) -> Any:
    """What was raised, and the run as it is then. The call number `at` is the hostile one; what others have returned
    they change later."""
    calls, lent = 0, list[Json]()

    def work(given: Json) -> Any:
        nonlocal calls
        calls += 1
        for made in lent:
            made["n"] = made["later"] = "changed"
        if calls == at:
            return hostile(given)
        lent.append({"n": calls})
        return lent[-1]

    handlers = {"work": called_by(way, work)}
    execution = Execution(program, is_unseen=not plain, handlers=handlers).start({}, run_id="r", step_limit=limit)
    execution.machine.is_reference = plain
    raised = ""
    try:
        execution.go_without_loop() if way == "sync" else asyncio.run(execution.go())
    except BaseException as error:  # noqa: BLE001 - that is what is compared
        raised = f"{type(error).__name__}: {error}"
    return raised, execution.snapshot().to_json()


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("way", ["sync", "async", "waiting"])
def test_a_hostile_function_makes_the_run_of_the_reference(name: str, way: str) -> None:
    for kind, program in PROGRAMS.items():
        if way != "sync" and kind.startswith("parallel"):
            continue  # several items are under way then, and none of them at full speed
        wfc.execute_workflow(program, {}, handlers={"work": lambda given: {"n": 1}})  # later runs have longer sprints
        for at, limit in ((1, 500), (3, 500), (8, 500), (8, 9), (3, 3)):
            reference = ended(program, way, HOSTILE[name], at, limit, plain=True)
            assert not (reference[0] and name.startswith("returns")), reference[0]
            assert ended(program, way, HOSTILE[name], at, limit, plain=False) == reference, (kind, at, limit)
