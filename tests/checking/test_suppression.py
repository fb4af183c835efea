"""What a suppression covers, what it cannot cover, and what is said about one that covers nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest

import wfc
from wfc.checking import CODES
from wfc.diagnostics import Applicability, Code, Report, Severity

Json = dict[str, Any]
CARETS = re.compile(r"[ ^]*\^[ ^]*")


def flow(*allowed: Any, **keys: Any) -> Json:
    """A workflow with an outcome that no end gives (WF112) and a definition that nobody uses (WF111)."""
    return {
        "name": "greeting",
        "outcomes": ["ok", "never"],
        "start": "done",
        "x-wfc-allow": list(allowed),
        "node_defs": [{"name": "unused", "outcomes": ["ok"]}],
        "nodes": [{"id": "done", "type": "end", "outcome": "ok"}],
        **keys,
    }


def allow(code: str, reason: str = "it is meant") -> Json:
    return {"code": code, "reason": reason}


def told(report: Report) -> list[str]:
    return [f"{found.code.code} {found.at.pointer}" for found in report.diagnostics]


def covered(report: Report) -> list[str]:
    return [f"{one.diagnostic.code.code} {one.diagnostic.at.pointer}" for one in report.silenced]


def test_a_finding_inside_of_the_object_is_not_told_and_counted_with_its_reason() -> None:
    report = wfc.check(flow(allow("WF112", "both are asked for"), allow("WF111")))
    assert (told(report), covered(report)) == ([], ["WF111 /node_defs/0", "WF112 /outcomes/1"])
    assert (report.suppressed, report.silenced[1].reason) == (2, "both are asked for")


def test_a_definition_and_a_step_have_their_own() -> None:
    inside = [{"name": "unused", "outcomes": ["ok"], "x-wfc-allow": [allow("WF111")]}]
    assert told(wfc.check(flow(allow("WF112"), node_defs=inside))) == []
    on_step = [{"id": "done", "type": "end", "outcome": "ok", "x-wfc-allow": [allow("WF112")]}]
    report = wfc.check(flow(allow("WF111"), nodes=on_step))
    assert told(report) == ["WF112 /outcomes/1", "WF900 /nodes/0/x-wfc-allow/0"]


def test_the_innermost_one_covers_so_that_the_outer_one_is_told() -> None:
    inside = [{"name": "unused", "outcomes": ["ok"], "x-wfc-allow": [allow("WF111")]}]
    report = wfc.check(flow(allow("WF112"), allow("WF111"), node_defs=inside))
    assert told(report) == ["WF900 /x-wfc-allow/1"]


def test_in_a_module_each_workflow_has_its_own() -> None:
    one = flow(allow("WF112"), allow("WF111"))
    other = {key: value for key, value in flow().items() if key != "x-wfc-allow"} | {"name": "other"}
    report = wfc.check({"workflows": [one, other], "main": "greeting"})
    assert told(report) == ["WF112 /workflows/1/outcomes/1", "WF111 /workflows/1/node_defs/0"]


def test_an_error_without_which_nothing_means_anything_is_always_told() -> None:
    report = wfc.check(flow(allow("WF100"), allow("WF112"), allow("WF111"), start="gone"))
    assert [found for found in told(report) if found.startswith("WF100")] == ["WF100 /start"]
    assert not report.silenced or report.silenced[0].diagnostic.severity is not Severity.ERROR


@pytest.mark.parametrize(
    ("entry", "pointer", "got"),
    [
        ({"code": "WF112"}, "", "a suppression without a reason"),
        ({"code": "WF112", "reason": " "}, "/reason", "a suppression without a reason"),
        ({"code": "WF112", "reason": 1}, "/reason", "a suppression without a reason"),
        ({"code": "WF999", "reason": "r"}, "/code", "`WF999`, which is no code"),
        ({"code": 112, "reason": "r"}, "/code", "a number"),
        ({"reason": "r"}, "", "a suppression without a code"),
        ("WF112", "", "a string"),
        (None, "", "`null`"),
    ],
)
def test_what_is_no_suppression_covers_nothing(entry: Any, pointer: str, got: str) -> None:
    report = wfc.check(flow(entry, allow("WF111")))
    wrong = [found for found in report.diagnostics if found.code.code == "WF901"]
    assert [(found.at.pointer, found.facts["got"]) for found in wrong] == [(f"/x-wfc-allow/0{pointer}", got)]
    assert "WF112 /outcomes/1" in told(report)


def test_one_for_an_error_that_is_told_all_the_same_is_told_to_be_in_vain() -> None:
    lost = {"id": "done", "type": "node", "node": "nobody", "x-wfc-allow": [allow("WF105"), allow("WF404")]}
    edge = {"from": "done", "outcome": "ok", "to": "__end__"}
    report = wfc.check({"name": "a", "start": "done", "nodes": [lost], "edges": [edge]})
    assert told(report) == ["WF105 /nodes/0/node", "WF900 /nodes/0/x-wfc-allow/0"]
    assert "an error of that code leaves a run without meaning and is always told" in report.diagnostics[1].message


def test_a_list_that_is_none_is_told() -> None:
    (wrong, *_) = (one for one in wfc.check({**flow(), "x-wfc-allow": {}}).diagnostics if one.code.code == "WF901")
    assert (wrong.at.pointer, wrong.message) == (
        "/x-wfc-allow",
        "found an object, expected a list of objects with `code` and `reason`",
    )


@pytest.mark.parametrize("written", ["unreached-workflow-outcome", "WF1112", "unreached-workflow-outcom"])
def test_a_code_that_is_surely_meant_is_offered_as_a_safe_fix(written: str) -> None:
    report = wfc.check(flow(allow(written), allow("WF111")))
    (wrong,) = (one for one in report.diagnostics if one.code.code == "WF901")
    assert [(fix.title, fix.applicability) for fix in wrong.fixes] == [("Write `WF112`", Applicability.SAFE)]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("WF200", "nothing of that code is found inside of this object"),
        ("WF101", "an error of that code leaves a run without meaning and is always told"),
        ("WF900", "what is wrong with a suppression is mended, not suppressed"),
    ],
)
def test_one_that_covers_nothing_is_told_and_a_safe_fix_takes_it_out(code: str, why: str) -> None:
    report = wfc.check(flow(allow("WF112"), allow(code), allow("WF111")))
    (found,) = report.diagnostics
    assert (found.code.code, found.facts["why"], found.at.pointer) == ("WF900", why, "/x-wfc-allow/1")
    assert [(fix.verified, fix.applicability) for fix in found.fixes] == [(True, Applicability.SAFE)]


def test_the_last_one_goes_with_its_key() -> None:
    report = wfc.check(flow(allow("WF200"), outcomes=["ok"], node_defs=[]))
    assert report.diagnostics[0].fixes[0].patch[-1] == {"op": "remove", "path": "/x-wfc-allow"}


def test_one_where_nothing_can_be_covered_is_told() -> None:
    report = wfc.check({"workflows": [flow(allow("WF112"), allow("WF111"))], "x-wfc-allow": [allow("WF112")]})
    assert [(found.at.pointer, found.facts["why"]) for found in report.diagnostics] == [
        ("/x-wfc-allow/0", "it stands on no workflow, definition or step")
    ]


def test_nothing_is_unused_where_other_faults_kept_a_place_from_being_judged() -> None:
    assert [found for found in told(wfc.check(flow(allow("WF200"), start="gone"))) if "WF900" in found] == []
    island = [{"id": "done", "type": "end", "outcome": "ok"}, {"id": "lost", "type": "end", "outcome": "ok"}]
    report = wfc.check(flow(allow("WF112"), allow("WF111"), allow("WF108"), nodes=island))
    assert told(report) == ["WF200 /nodes/1"]


def test_a_suppression_counts_for_a_compile_too() -> None:
    unwired = {
        "name": "pausing",
        "start": "pause",
        "nodes": [{"id": "pause", "type": "wait", "seconds": 1, "x-wfc-allow": [allow("WF108")]}],
    }
    assert [one.diagnostic.code.code for one in wfc.check(unwired).silenced] == ["WF108"]
    assert wfc.compile(unwired).name == "pausing"


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)
def test_each_example_gives_what_its_carets_promise_and_its_repair_nothing(code: Code) -> None:
    lines = code.example.bad.split("\n")
    text = "\n".join(line for line in lines if not CARETS.fullmatch(line))
    given = wfc.loads(text)
    (found,) = wfc.check(given).diagnostics
    assert found.code is code
    assert found.at.span is not None
    (place,) = (place for place, line in enumerate(lines) if CARETS.fullmatch(line))
    carets = lines[place]
    assert (found.at.span.start.line, found.at.span.start.column) == (place, carets.index("^") + 1)
    assert found.at.span.end.column == len(carets.rstrip()) + 1
    assert wfc.check(wfc.loads(code.example.good)).diagnostics == ()
