"""The shapes of test files: what is read, and the one sentence about what is not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from wfc.frontend import read_json
from wfc.testing import Scenario, TestFileFault, scenarios

FLOW = {"name": "a"}


def read(value: Any) -> tuple[Scenario, ...]:
    return scenarios(read_json("a.wftest.json", json.dumps(value)))


def test_a_file_is_one_test() -> None:
    assert read({"name": "n", "workflow": FLOW, "expect": {}, "x-why": 1}) == (
        Scenario("a.wftest.json", "n", FLOW, {}),
    )


def test_a_file_may_hold_several_with_defaults_that_each_may_replace() -> None:
    mocks: dict[str, Any] = {"s": [{"output": {}}]}
    several = {
        "workflow": "a.wf.json",
        "input": {"n": 1},
        "mocks": mocks,
        "tests": [{"expect": {}}, {"workflow": FLOW, "input": None, "mocks": {}, "max_steps": 3, "expect": {}}],
    }
    assert read(several) == (
        Scenario("a.wftest.json", "test 1", "a.wf.json", {}, {"n": 1}, mocks),
        Scenario("a.wftest.json", "test 2", FLOW, {}, None, {}, max_steps=3),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1, "a": 2}', "a.wftest.json:1:10: "),
        ('{"expct": {}}', "a.wftest.json:1:2: `expct` is no key here; nearest: `expect`"),
        ('{"tests": [{"expect": {"statis": 1}}]}', "a.wftest.json:1:24: `statis` is no key here; nearest: `status`"),
        (
            '{"mocks": {"a": [{"outptu": 1}]}, "expect": {}}',
            "a.wftest.json:1:19: `outptu` is no key here; nearest: `out",
        ),
        ('{"workflow": {}}', 'a.wftest.json:1:1: "expect" is a required property'),
        ('{"expect": {}}', "a.wftest.json:1:1: a key is missing: `workflow`"),
        ('{"workflow": {}, "expect": {"status": "done"}}', 'a.wftest.json:1:39: "done" is not one of'),
        ('{"workflow": {}, "expect": {"check": ["WF1"]}}', 'a.wftest.json:1:39: "WF1" does not match'),
        ('{"workflow": {}, "expect": {"check_fails": false}}', "a.wftest.json:1:44: "),
        ('{"workflow": {}, "max_steps": 0, "expect": {}}', "a.wftest.json:1:31: 0 is less than the minimum of 1"),
        ("[]", 'a.wftest.json:1:1: [] is not of type "object"'),
    ],
)
def test_what_has_another_shape_is_told_with_its_place(text: str, told: str) -> None:
    with pytest.raises(TestFileFault) as fault:
        scenarios(read_json("a.wftest.json", text))
    assert str(fault.value).startswith(told)
