"""The shared cases: what is refused is refused where and as promised, what is right is left alone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.passes.workflows import CODES, examined, findings
from wfc.diagnostics import Severity
from wfc.ir import verify
from wfc.passes import accept, examine, lower

TESTS = Path(__file__).parents[1]
OURS = {code.code for code in CODES}

# Warnings that are true of a case, which runs all the same.
WARNED = {
    "__end__ finishes with outcome ok": ["WF112 /outcomes/1"],
    "an end step finishes with its own outcome": ["WF112 /outcomes/0"],
    "an unreachable step does not stop a run": ["WF200 /nodes/1"],
    "parallel: a body may be empty": ["WF209 /edges/0"],
    "a step may declare an outcome that its child never gives": ["WF702 /workflows/0/nodes/0/outcomes/1"],
}


def cases() -> Iterator[Any]:
    for folder in (TESTS / "conformance", TESTS / "corpora" / "real"):
        for path in sorted(folder.glob("*.wftest.json")):
            held = json.loads(path.read_text("utf-8"))
            for test in held.get("tests", [held]):
                case = {"workflow": held.get("workflow"), **test}
                yield pytest.param(case, id=f"{path.name.partition('.')[0]}: {test['name']}")


CASES = list(cases())
REFUSED = [case for case in CASES if case.values[0]["expect"].get("check_fails")]
RIGHT = [case for case in CASES if not case.values[0]["expect"].get("check_fails")]
OURS_REFUSED = [case for case in REFUSED if case.values[0]["expect"].get("x-code") in OURS]


@pytest.mark.parametrize("case", OURS_REFUSED)
def test_a_fault_is_one_finding_at_its_place(case: dict[str, Any]) -> None:
    expect = case["expect"]
    found = [one for one in findings(case["workflow"]) if one.severity is not Severity.NOTE]
    assert [one.code.code for one in found] == [expect["x-code"]]
    assert expect.get("at") in (None, found[0].at.pointer)


@pytest.mark.parametrize("case", RIGHT)
def test_what_is_right_is_left_alone_and_lowered(case: dict[str, Any]) -> None:
    found = examined(case["workflow"])
    told = [f"{one.code.code} {one.at.pointer}" for one in found.diagnostics if one.code.code != "WF111"]
    if not case.get("unchecked"):
        assert told == WARNED.get(case["name"], [])
    accepted = accept(found, found.diagnostics, unchecked=bool(case.get("unchecked")))
    assert accepted is not None
    verify(lower(accepted))


def test_definitions_are_reported_as_unused_only_where_they_are() -> None:
    for case in RIGHT:
        for one in examined(case.values[0]["workflow"]).diagnostics:
            if one.code.code == "WF111":
                assert json.dumps(case.values[0]["workflow"]).count(f'"node": "{one.facts["got"]}"') == 0


def test_real_workflows_have_no_finding() -> None:
    for path in sorted((TESTS / "corpora" / "real").glob("*.wftest.json")):
        assert examined(json.loads(path.read_text("utf-8"))["workflow"]).diagnostics == (), path.name


def test_examining_twice_gives_the_same() -> None:
    module = examined(RIGHT[0].values[0]["workflow"]).module
    assert examine(module).diagnostics == examine(module).diagnostics
