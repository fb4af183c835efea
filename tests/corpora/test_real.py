"""Real workflows are free of errors and warnings, also under `--strict`; what is only noted of them is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import wfc
from wfc.diagnostics import Severity

HERE = Path(__file__).parent / "real"
FILES = sorted(HERE.glob("*.wftest.json"))


def workflows(file: Path) -> dict[str, str]:
    """The different workflows of a test file, as texts, by the name of the first test of each."""
    held = json.loads(file.read_text("utf-8"))
    found: dict[str, str] = {}
    for test in held.get("tests", [held]):
        text = json.dumps(test.get("workflow", held.get("workflow")))
        if text not in found.values():
            found[test["name"]] = text
    return found


@pytest.mark.parametrize("file", FILES, ids=[file.name.removesuffix(".wftest.json") for file in FILES])
def test_only_notes_are_made(file: Path, snapshot: SnapshotAssertion) -> None:
    notes = []
    for text in workflows(file).values():
        report = wfc.check(wfc.loads(text, name=file.name), strict=True)
        assert [one.message for one in report.diagnostics if one.severity is not Severity.NOTE] == []
        assert report.clean
        notes += [f"{one.code.code} {one.at.pointer}: {one.message}" for one in report.diagnostics]
    assert notes == snapshot


def test_there_are_real_workflows() -> None:
    assert len(FILES) >= 10
