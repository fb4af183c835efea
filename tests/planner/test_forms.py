"""How findings look in the text form: by the line that the planner has before it, whatever order the document had."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.planner.flows import BAD_SOURCE, CAPABILITIES, MISSPELT, NO_PATH
from wfc.briefing import by_name
from wfc.frontend import text_of
from wfc.planner import FORMS, JSON_FORM, TEXT_FORM
from wfc.planner.judging import judged


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize("text", [NO_PATH, BAD_SOURCE, MISSPELT], ids=["no_path", "bad_source", "misspelt"])
def test_what_is_told(text: str, form: object, snapshot: SnapshotAssertion) -> None:
    assert form in FORMS
    now = judged(text, by_name(CAPABILITIES), auto_fix=False)
    chosen = TEXT_FORM if form is TEXT_FORM else JSON_FORM
    assert f"{chosen.shown(now.shown)}\n\n{chosen.told(now)}" == snapshot


def test_a_line_is_found_whatever_the_order_of_steps_and_edges() -> None:
    value = json.loads(MISSPELT)
    turned = {**value, "nodes": value["nodes"][::-1], "edges": value["edges"][::-1]}
    now = judged(json.dumps(turned), by_name(CAPABILITIES), auto_fix=False)
    lines = text_of(now.shown).splitlines()
    told = TEXT_FORM.told(now)
    number = int(told.split("line ")[1].split(":")[0])
    assert "wirte" in lines[number - 1]


def test_a_text_that_cannot_be_read_is_told_by_line_and_column() -> None:
    now = judged("workflow a {\n start b\n b: ende ok\n}\n", by_name(CAPABILITIES), auto_fix=False)
    assert TEXT_FORM.told(now).startswith("1. error WF001 at line 3, column ")
