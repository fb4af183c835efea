"""What an answer is taken for, however it is wrapped."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.planner.flows import GOOD_TEXT
from wfc.planner import Reply, read_answer

PATCH = [{"op": "remove", "path": "/x"}]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (GOOD_TEXT, "workflow"),
        (f"```\n{GOOD_TEXT}\n```", "workflow"),
        (f"First I thought\n```json\n{{}}\n```\nbut better:\n```json\n{GOOD_TEXT}\n```", "workflow"),
        (f"```json\n{GOOD_TEXT}", "workflow"),
        (f"```json\n{GOOD_TEXT[:-40]}", "truncated"),
        (GOOD_TEXT[:-1], "truncated"),
        ("workflow a {\n  start b\n  b: end ok\n}", "workflow"),
        ("```wf\n# my best\nmain workflow a {\n  start b\n  b: end ok\n}\n```", "workflow"),
        ("```wf\nworkflow a {\n  start b\n", "truncated"),
        (json.dumps(PATCH), "patch"),
        (json.dumps({"patch": PATCH}), "patch"),
        (f"This will do: {json.dumps(PATCH)}", "patch"),
        ("-  read: a then b\n+  read: a then c\n", "patch"),
        ("So:\n```diff\n@@ -1,2 +1,2 @@\n read: a then b\n+  more: c then d\n```", "patch"),
        ("- one thing\n- another thing", "nothing"),
        ('{"search": "mail"}', "search"),
        ('{"impossible": "no mail"}', "impossible"),
        ('{"impossible": "no mail", "name": "x"}', "workflow"),
        ("[1, 2]", "nothing"),
        ("", "nothing"),
        ("Use a workflow.", "nothing"),
        ("I cannot do that", "refusal"),
        ("We are unable to assist.", "refusal"),
        ("{" * 200_000, "truncated"),
        # Deeper than a reader of Python goes: the reader of workflows says so.
        ("[" * 200_000, "workflow"),
        ("[" * 200_000 + "]" * 200_000, "workflow"),
    ],
)
def test_kinds(text: str, kind: str) -> None:
    assert read_answer(Reply(text)).kind == kind


def test_the_last_block_wins() -> None:
    text = f"```json\n{GOOD_TEXT}\n```\nno, rather\n```json\n{json.dumps(PATCH)}\n```"
    assert read_answer(Reply(text)).patch == tuple(PATCH)


def test_a_refusal_that_the_planner_marks_is_one_whatever_it_says() -> None:
    assert read_answer(Reply(GOOD_TEXT, "refused")).kind == "refusal"


@given(st.text(alphabet='{}[]"\\,:` \nab1', max_size=60))
def test_no_answer_is_too_odd(text: str) -> None:
    assert read_answer(Reply(text)).kind in ("workflow", "patch", "truncated", "nothing", "refusal")
