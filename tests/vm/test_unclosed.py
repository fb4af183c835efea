"""A fork whose branches come to no join, which only an unchecked run can have, is run all the same."""

from __future__ import annotations

from typing import Any

import pytest

import wfc
from wfc.ir import Elapsed
from wfc.vm import Machine, link

NEVER = {"op": "exists", "path": "input.nothing"}


def unclosed(branch: Any, *edges: dict[str, str]) -> dict[str, Any]:
    wait = {"id": "w", "type": "wait", "seconds": 0}
    fork = {"id": "f", "type": "fork", "branches": [branch]}
    leading = {"from": "f", "outcome": "b", "to": "w"}
    return {"name": "main", "start": "f", "nodes": [fork, wait], "edges": [leading, *edges]}


ROUND = {"from": "w", "outcome": "ok", "to": "w"}


@pytest.mark.parametrize(
    ("document", "code", "step"),
    [
        (unclosed("b", ROUND), "step_limit", "w"),
        (unclosed("b"), "unwired_outcome", "w"),
        (unclosed({"outcome": "b", "when": NEVER}, ROUND), "unwired_outcome", "f"),
    ],
)
def test_a_fork_without_a_join_fails_as_a_run_does(document: dict[str, Any], code: str, step: str) -> None:
    machine = Machine.start(link(wfc.compile(document, unchecked=True)), {}, run_id="r", step_limit=20)
    while (effect := machine.poll()) is not None:
        machine.answer(Elapsed(effect.call_id))  # type: ignore[union-attr]
    error = machine.snapshot().error
    assert error is not None
    assert (error.code, error.node_id) == (code, step)
