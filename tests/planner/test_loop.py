"""The loop, answer by answer: what it makes of each, and for which reason it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import wfc
from tests.planner.flows import BAD_SOURCE, CAPABILITIES, GOOD, GOOD_TEXT, MISSPELT, NO_PATH
from wfc.briefing import definition_of
from wfc.planner import Message, Options, Plan, PlannerFault, Reply, Scripted, plan


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No configuration and no children are in reach."""
    monkeypatch.chdir(tmp_path)


def planned(*answers: str | Reply, **options: Any) -> Plan:
    replies = [one if isinstance(one, Reply) else Reply(one) for one in answers]
    return plan("copy a file", Scripted(replies), capabilities=CAPABILITIES, options=Options(**options))


def patch(*operations: dict[str, Any]) -> str:
    return json.dumps({"patch": list(operations)})


ADD_PATH = patch({"op": "add", "path": "/nodes/1/input/-", "value": {"target": "path", "value": "b.txt"}})


@pytest.mark.parametrize(
    ("answers", "status", "kinds"),
    [
        ([GOOD_TEXT], "clean", ["workflow"]),
        (["```wf\nworkflow done {\n  start stop\n  stop: end ok\n}\n```"], "clean", ["workflow"]),
        ([f"Here it is:\n```json\n{GOOD_TEXT}\n```\nEnjoy!"], "clean", ["workflow"]),
        ([f"Sure. {GOOD_TEXT} That is all."], "clean", ["workflow"]),
        ([MISSPELT], "clean", ["workflow"]),
        ([NO_PATH, ADD_PATH], "clean", ["workflow", "patch"]),
        ([NO_PATH, GOOD_TEXT], "clean", ["workflow", "workflow"]),
        ([NO_PATH, NO_PATH], "repeated", ["workflow", "workflow"]),
        ([NO_PATH, "I would do it so.", ADD_PATH], "clean", ["workflow", "nothing", "patch"]),
        ([NO_PATH, patch({"op": "remove", "path": "/nodes/7"}), ADD_PATH], "clean", ["workflow", "patch", "patch"]),
        ([NO_PATH, BAD_SOURCE, NO_PATH], "oscillating", ["workflow"] * 3),
        ([NO_PATH, BAD_SOURCE], "rounds_exhausted", ["workflow"] * 2),
        (['{"impossible": "there is no mail"}'], "impossible", ["impossible"]),
        (["I'm sorry, but I can't help with that."], "refused", ["refusal"]),
        ([Reply("", "refused")], "refused", ["refusal"]),
        (["Well.", "Well."], "no_workflow", ["nothing"] * 2),
        ([ADD_PATH, ADD_PATH], "no_workflow", ["patch"] * 2),
        ([GOOD_TEXT[:200], GOOD_TEXT], "clean", ["truncated", "workflow"]),
        ([Reply(GOOD_TEXT[:200], "length"), GOOD_TEXT], "clean", ["truncated", "workflow"]),
        (['{"search": "write"}', GOOD_TEXT], "clean", ["search", "workflow"]),
        (['{"name": "x",, }', GOOD_TEXT], "clean", ["workflow", "workflow"]),
        ([], "planner_failed", []),
    ],
)
def test_how_a_session_ends(answers: list[str | Reply], status: str, kinds: list[str]) -> None:
    made = planned(*answers, max_rounds=1 if status == "rounds_exhausted" else 3)
    assert (made.status, [one.kind for one in made.rounds]) == (status, kinds), made.reason
    assert made.is_clean == (status == "clean")


WRITTEN = """workflow copying {
 state { content: string }
 output { content }

 def fs.read_file
 def fs.write_file

 start read
 read: fs.read_file(path = "a.txt") -> state.content = content then write
 write: fs.write_file(content = state.content) then end ok
}
"""
WRITE = ' write: fs.write_file(path = "b.txt", content = state.content) then end ok'


@pytest.mark.parametrize(
    "change",
    [
        f"-write: fs.write_file(state.content) then end\n+{WRITE}",
        f"So:\n```diff\n--- a\n+++ b\n@@ -9 +9 @@\n- write: fs.write_file(state.content) then end\n+{WRITE}\n```\n",
    ],
)
def test_a_text_is_mended_by_its_lines(change: str) -> None:
    made = planned(WRITTEN, change)
    assert (made.status, [one.kind for one in made.rounds]) == ("clean", ["workflow", "patch"]), made.rounds[-1].note


def test_lines_that_do_not_apply_are_asked_for_again() -> None:
    made = planned(
        WRITTEN, "-  read: nothing\n+  read: something", f"+{WRITE}", WRITTEN.replace(" write:", WRITE + "\n #")
    )
    assert [one.note for one in made.rounds] == [
        "",
        "the patch does not apply: `read: nothing` stands nowhere in the workflow",
        f"the patch does not apply: `{WRITE.strip()}` comes nowhere; expected a line before it that is there already",
        "",
    ]
    assert made.status == "clean"


def test_a_clean_workflow_is_complete() -> None:
    made = planned(GOOD_TEXT)
    names = {one["name"]: one for one in made.workflow["node_defs"]}
    assert names["fs.write_file"] == definition_of(CAPABILITIES[1])
    assert names["fs.read_file"]["output_schema"] == CAPABILITIES[0].output


def test_safe_fixes_are_made_before_anybody_is_asked() -> None:
    made = planned(MISSPELT)
    assert made.rounds[0].applied == ('WF101 [{"op": "replace", "path": "/edges/0/to", "value": "write"}]',)
    left = planned(MISSPELT, GOOD_TEXT, auto_fix=False)
    assert [one["code"] for one in left.rounds[0].findings] == ["WF101"]


def test_a_capability_that_is_not_in_the_catalogue_is_a_finding() -> None:
    text = GOOD_TEXT.replace(
        '{"name": "fs.read_file"}', '{"name": "fs.read_file"}, {"name": "fs.writ_file", "outcomes": ["ok"]}'
    )
    made = planned(text.replace('"node": "fs.write_file"', '"node": "fs.writ_file"'), max_rounds=0)
    assert [one["code"] for one in made.rounds[0].findings] == ["WF710"]
    assert "`fs.write_file`" in made.rounds[0].findings[0]["message"]
    alone = plan("copy", Scripted([Reply(GOOD_TEXT)]), options=Options(max_rounds=0))
    assert alone.further == ("error at /node_defs/0: `fs.read_file` is no capability; only built-in nodes are there",)


def test_what_is_only_warned_of_stops_nobody() -> None:
    unused = {**GOOD, "node_defs": [*GOOD["node_defs"], {"name": "spare", "uses": "fs.write_file"}]}
    made = planned(json.dumps(unused), json.dumps(unused), auto_fix=False)
    assert (made.status, made.reason) == ("clean", "the planner insists on what is only warned of")
    assert [one.code.code for one in made.diagnostics] == ["WF111"]


class Recording:
    """A planner with nothing but the one method; it keeps what it is asked."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[list[Message]] = []

    def answer(self, messages: Any) -> Reply:
        self.asked.append(list(messages))
        return Reply(self.answers.pop(0))


def test_what_a_planner_is_asked(snapshot: SnapshotAssertion) -> None:
    planner = Recording('{"search": "write"}', NO_PATH, "no", patch({"op": "remove", "path": "/nodes/7"}), ADD_PATH)
    made = plan("copy a file", planner, capabilities=CAPABILITIES, options=Options(max_rounds=4))
    assert made.is_clean
    assert [[f"{one.role}: {one.text}" for one in asked[1:]] for asked in planner.asked] == snapshot
    assert planner.asked[0][0].text.endswith(
        "fs.read_file(path: string) -> { content: string } | read  # Read a file\n"
        "fs.write_file(path: string, content: string) -> { bytes: integer } | write  # Write a file\n"
    )


def test_every_round_is_kept_and_a_fault_loses_none() -> None:
    class Failing(Recording):
        def answer(self, messages: Any) -> Reply:
            if not self.answers:
                raise PlannerFault("rate_limited", "HTTP 429")
            return super().answer(messages)

    kept: list[Plan] = []
    made = plan("copy", Failing(NO_PATH), capabilities=CAPABILITIES, keep=kept.append)
    assert [(one.status, len(one.rounds)) for one in kept] == [(None, 1), ("planner_failed", 1)]
    assert (made.reason, made.workflow["name"]) == ("rate_limited: HTTP 429", "copying")


def test_searches_are_counted_by_themselves() -> None:
    made = planned(*['{"search": "mail"}'] * 7, max_rounds=1)
    assert [one.kind for one in made.rounds] == ["search"] * 7
    assert (made.status, made.rounds[-1].note) == ("no_workflow", "one search too many")


def test_a_result_is_of_the_published_shape(snapshot: SnapshotAssertion) -> None:
    made = planned(NO_PATH, ADD_PATH).to_json()
    assert {**made, "workflow": made["workflow"]["name"]} == snapshot


def test_the_verb_is_public() -> None:
    made = wfc.plan("copy a file", Scripted([Reply(GOOD_TEXT)]), capabilities=CAPABILITIES)
    assert isinstance(made, wfc.Plan) and made.is_clean
