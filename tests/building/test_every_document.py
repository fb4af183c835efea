"""Whatever JSON can say, builder calls can say, and it comes to the same (reference 1, 4.8)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wfc
from tests import generated
from tests.building.calls import built, main_first
from wfc.diagnostics import Severity
from wfc.frontend import text_of
from wfc.ir import canonical, content_hash

TESTS = Path(__file__).parents[1]


def workflows() -> dict[str, Any]:
    """Every workflow that stands in a test file of the corpora, without a fault that keeps it from being read."""
    found: dict[str, Any] = {}
    seen: set[str] = set()
    for file in sorted([*TESTS.glob("conformance/*.json"), *TESTS.glob("corpora/real/*.json")]):
        content = json.loads(file.read_text("utf-8"))
        for number, case in enumerate(content.get("tests", [content])):
            workflow = case.get("workflow", content.get("workflow"))
            if isinstance(workflow, dict) and canonical(workflow) not in seen and is_readable(workflow):
                seen.add(canonical(workflow))
                found[f"{file.name}:{number}"] = workflow
    return found


def is_readable(document: Any) -> bool:
    found = wfc.from_value(document).elaborated.diagnostics
    return not any(one.severity is Severity.ERROR for one in found)


WORKFLOWS = workflows()


def test_there_are_many() -> None:
    assert len(WORKFLOWS) > 250


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_written_workflow_comes_back_equal(name: str) -> None:
    document = WORKFLOWS[name]
    assert built(document).load().module == wfc.from_value(main_first(document)).module


@pytest.mark.parametrize("name", WORKFLOWS)
def test_three_forms_compile_to_the_same(name: str) -> None:
    document = WORKFLOWS[name]
    try:
        program = wfc.compile(document, unchecked=True)
    except wfc.CompileError:
        return
    text = wfc.loads(text_of(document), form="text", name="a.wf")
    for form in (text, built(document).load()):
        assert content_hash(wfc.compile(form, unchecked=True)) == content_hash(program)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_made_workflow_comes_back_equal_and_compiles_to_the_same(data: st.DataObject) -> None:
    document = generated.workflow(lambda n: data.draw(st.integers(0, n - 1)))
    builder = built(document)
    assert builder.to_json() == {key: value for key, value in main_first(document).items() if key != "main"}
    programs = builder.load(), wfc.from_value(document)
    hashes = {content_hash(wfc.compile(one, unchecked=True)) for one in programs}
    assert len(hashes) == 1
