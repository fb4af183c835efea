"""What the runner compares: each expectation that does not hold is one difference, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from wfc.records import replace
from wfc.testing import Difference, Result, Scenario, TestFileFault, results_text, run_scenario

# Counts what a node says, asks whether that is right, and ends by the answer.
FLOW: dict[str, Any] = {
    "name": "flow",
    "state_schema": {"type": "object", "properties": {"n": {"type": "integer"}, "note": {"type": "string"}}},
    "output_schema": {"type": "object", "properties": {"n": {"type": "integer"}, "note": {"type": "string"}}},
    "outcomes": ["ok", "wrong"],
    "node_defs": [
        {
            "name": "count",
            "outcomes": ["ok"],
            "output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
            "effects": "read",
            "retry": 2,
        }
    ],
    "start": "one",
    "nodes": [
        {"id": "one", "type": "node", "node": "count", "output": [{"source": "n", "target": "state.n"}]},
        {
            "id": "ask",
            "type": "interrupt",
            "kind": "text_input",
            "request": [{"target": "prompt", "value": "Right?"}],
            "resume": [{"source": "text", "target": "state.note", "on": ["yes"]}],
            "outcomes": ["yes", "no"],
        },
        {"id": "wrong", "type": "end", "outcome": "wrong"},
    ],
    "edges": [
        {"from": "one", "outcome": "ok", "to": "ask"},
        {"from": "ask", "outcome": "yes", "to": "__end__"},
        {"from": "ask", "outcome": "no", "to": "wrong"},
    ],
}
MOCKS = {"count": [{"times": 1, "error": {"code": "node_failed", "message": "later"}}, {"output": {"n": 3}}]}
YES = {"outcome": "yes", "payload": {"text": "good"}}
HOLDS: dict[str, Any] = {
    "check": [],
    "status": "completed",
    "outcome": "ok",
    "output": {"n": 3.0, "note": "good"},
    "state": {"note": "good"},
    "state_missing": ["n.deeper", "other"],
    "interrupts": [{"kind": "text_input", "payload": {"prompt": "Right?"}}],
    "path": ["one", "ask"],
    "calls": {"one": 2},
    "refused": [{"reason": "undeclared_outcome"}],
}
RESUME = [{"outcome": "maybe"}, YES, {"outcome": "never used"}]


def outcome(expect: dict[str, Any], **changed: Any) -> tuple[Difference, ...]:
    given: dict[str, Any] = {"workflow": FLOW, "mocks": MOCKS, "resume": RESUME, **changed}
    return run_scenario(Scenario("a.wftest.json", "n", expect=expect, **given)).differences


def test_everything_that_can_be_expected_holds() -> None:
    assert outcome(HOLDS) == ()


@pytest.mark.parametrize(
    ("expect", "difference"),
    [
        ({"check": ["WF108 /nodes/0"]}, Difference("check", ["WF108 /nodes/0"], [])),
        ({"check_fails": True}, Difference("check_fails", True, False)),
        ({"status": "failed"}, Difference("status", "failed", "completed")),
        ({"outcome": "wrong"}, Difference("outcome", "wrong", "ok")),
        ({"output": {"n": True}}, Difference("output", {"n": True}, {"n": 3, "note": "good"})),
        ({"state": {"n": 4}}, Difference("state.n", 4, 3)),
        ({"state": {"n.x": 4}}, Difference("state.n.x (missing)", 4, None)),
        ({"state_missing": ["n"]}, Difference("state.n (expected to be missing)", None, 3)),
        (
            {"interrupts": []},
            Difference("interrupts", [], [{"kind": "text_input", "node_id": "ask", "payload": {"prompt": "Right?"}}]),
        ),
        ({"path": ["one"]}, Difference("path", ["one"], ["one", "ask"])),
        ({"calls": {"one": 1, "ask": 0}}, Difference("calls of one", 1, 2)),
        ({"error": {"code": "node_failed"}}, Difference("error (missing)", {"code": "node_failed"}, None)),
        (
            {"refused": [{"reason": "payload_invalid"}]},
            Difference("refused", [{"reason": "payload_invalid"}], [{"reason": "undeclared_outcome"}]),
        ),
    ],
)
def test_what_does_not_hold_is_one_difference(expect: dict[str, Any], difference: Difference) -> None:
    refused = {} if "refused" in expect else {"refused": HOLDS["refused"]}
    assert outcome({**refused, **expect}) == (difference,)


def test_a_refusal_that_is_not_expected_fails_the_test() -> None:
    (difference,) = outcome({"status": "completed"})
    assert (difference.what, difference.expected, difference.actual[0]["reason"]) == (
        "refused",
        [],
        "undeclared_outcome",
    )


def test_without_an_answer_the_run_waits() -> None:
    expect = {"status": "interrupted", "interrupts": [{"kind": "text_input"}], "path": ["one"]}
    assert outcome(expect, resume=[]) == ()


def test_another_status_shows_the_error_of_the_run() -> None:
    mocks = {"count": [{"error": {"code": "node_failed", "message": "boom"}}]}
    status, error = outcome({"status": "completed"}, mocks=mocks)
    assert (status.actual, error.actual["code"], error.actual["message"]) == ("failed", "node_failed", "boom")
    assert outcome({"status": "failed", "error": {"code": "node_failed", "node_id": "one"}}, mocks=mocks) == ()


def test_a_call_that_no_mock_answers_fails_the_test() -> None:
    (difference,) = outcome({"status": "failed"}, mocks={})
    assert difference.what == "calls"
    assert difference.actual.startswith("step `one` (node `count`, capability `count`) was called with {}")


BROKEN = {**FLOW, "edges": [{**FLOW["edges"][0], "to": "aks"}, *FLOW["edges"][1:]]}


def test_a_workflow_that_fails_its_check_is_not_run() -> None:
    assert outcome({"check_fails": True, "at": "/edges/0/to"}, workflow=BROKEN) == ()
    (elsewhere,) = outcome({"check_fails": True, "at": "/edges/1/to"}, workflow=BROKEN)
    assert (elsewhere.what, elsewhere.expected) == ("at", "/edges/1/to")
    (expected,) = outcome({"status": "completed"}, workflow=BROKEN)
    assert expected.what == "check (a run is expected)"
    assert "WF101 /edges/0/to" in expected.actual


UNWIRED = {**FLOW, "edges": FLOW["edges"][:2]}


def test_an_error_that_may_be_lowered_does_not_stop_an_unchecked_run() -> None:
    expect = {"check": ["WF108 /nodes/1"], "status": "completed"}
    assert outcome(expect, workflow=UNWIRED, resume=[YES], unchecked=True) == ()
    (stopped,) = outcome({"status": "completed"}, workflow=UNWIRED, resume=[YES])
    assert (stopped.what, stopped.actual) == ("check (a run is expected)", ["WF108 /nodes/1"])


def test_max_steps_is_the_limit_of_the_run() -> None:
    assert outcome({"status": "failed", "error": {"code": "step_limit"}}, max_steps=1, resume=[YES]) == ()


def test_a_workflow_may_be_a_path_beside_the_test_file(tmp_path: Path) -> None:
    (tmp_path / "flow.wf.json").write_text(json.dumps(FLOW))
    scenario = Scenario(
        str(tmp_path / "a.wftest.json"), "n", "flow.wf.json", {"status": "completed"}, mocks=MOCKS, resume=[YES]
    )
    assert run_scenario(scenario).ok
    (tmp_path / "flow.wf.json").unlink()
    with pytest.raises(TestFileFault, match=r"the workflow .*flow\.wf\.json of `n` cannot be read: No such file"):
        run_scenario(scenario)
    with pytest.raises(TestFileFault, match="the path `workflow` of `n` holds a null character"):
        run_scenario(replace(scenario, workflow="fl\0w.wf.json"))


def test_failures_are_shown_side_by_side(snapshot: SnapshotAssertion) -> None:
    long = {"files": [f"file number {n}" for n in range(5)], "note": "x" * 90}
    differences = (
        Difference("status", "completed", "failed"),
        Difference("output", long, {**long, "files": long["files"][1:]}),
    )
    passed = Result("a.wftest.json", "fine", ())
    assert results_text([passed, Result("a.wftest.json", "a name", differences)]) == snapshot
