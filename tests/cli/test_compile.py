"""`wfc compile`, `wfc schema`, `wfc new`, `wfc test`: files that are written and printed."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest

from tests.cli.conftest import APPROVAL, Command
from wfc.cli.schema import SCHEMAS
from wfc.ir import content_hash, decode, parse_program


def test_a_program_is_written_beside_its_source(wfc: Command, flows: Path) -> None:
    ended = wfc("compile", "approval.wf.json", "--json").json
    program = decode((flows / "approval.wfir.json").read_text())
    assert ended == {
        "schema": "wfc.compiled/1",
        "name": "approval",
        "hash": content_hash(program),
        "file": "approval.wfir.json",
        "text": None,
    }


def test_assembly_is_printed_and_reads_back(wfc: Command, flows: Path) -> None:
    program = decode(wfc("compile", "approval.wf.json", "-o", "-").out)
    assert parse_program(wfc("compile", "approval.wf.json", "--emit", "asm").out) == program


def test_a_program_has_the_published_shape(wfc: Command, flows: Path) -> None:
    jsonschema_rs.validate(wfc("schema", "ir").json, wfc("compile", "approval.wf.json", "-o", "-").json)


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_one(wfc: Command, name: str) -> None:
    jsonschema_rs.meta.validate(wfc("schema", name).json)


def test_a_new_project_checks_clean_tests_green_and_runs(wfc: Command, here: Path) -> None:
    made = wfc("new", "project", "--json").json
    assert all((here / file).is_file() for file in made["files"])
    assert ".wfc/" in (here / "project" / ".gitignore").read_text().split()
    checked = wfc("check", "project", "--strict", "--json").json
    assert (checked["ok"], checked["diagnostics"]) == (True, [])
    tested = wfc("test", "project", "--json")
    assert (tested.code, tested.json["failed"], tested.json["passed"]) == (0, 0, 2)
    assert wfc("fmt", "--check", "project").code == 0
    ran = wfc("run", "project/greet.wf.json", "--json")
    assert (ran.code, ran.json["output"]) == (0, {"text": "Hello Ada! Hello Grace!"})


def test_a_new_project_overwrites_nothing(wfc: Command, here: Path) -> None:
    (here / "wfc.toml").write_text("# mine")
    ended = wfc("new")
    assert (ended.code, ended.err) == (2, "error: wfc.toml is there already; give a folder without it\n")
    assert [file.name for file in here.iterdir()] == ["wfc.toml"]


def test_failing_tests_are_exit_1_and_shown_side_by_side(wfc: Command, flows: Path) -> None:
    test = {"name": "n", "workflow": "approval.wf.json", "expect": {"status": "completed", "state": {"text": "Hi"}}}
    (flows / "a.wftest.json").write_text(json.dumps(test))
    ended = wfc("test", ".")
    assert (ended.code, ended.err) == (1, "")
    assert [line.split() for line in ended.out.splitlines()] == [
        ["FAILED", "a.wftest.json:", "n"],
        ["status"],
        ["expected", "actual"],
        ['"completed"', "|", '"interrupted"'],
        ["state.text"],
        ["expected", "actual"],
        ['"Hi"', "|", '"Hello', 'Ada!"'],
        [],
        ["0", "passed,", "1", "failed"],
    ]


def test_a_test_file_that_cannot_be_read_is_exit_2_and_the_others_run(wfc: Command, flows: Path) -> None:
    (flows / "a.wftest.json").write_text('{"expct": {}}')
    good = {"name": "n", "workflow": APPROVAL, "expect": {"status": "interrupted"}}
    (flows / "b.wftest.json").write_text(json.dumps(good))
    ended = wfc("test", ".", "--json")
    assert (ended.code, ended.err) == (2, "error: a.wftest.json:1:2: `expct` is no key here; nearest: `expect`\n")
    jsonschema_rs.validate(SCHEMAS["test-results"](), ended.json)
    assert ended.json["passed"] == 1


def test_a_new_project_leaves_what_its_folder_ignores_as_it_is(wfc: Command, here: Path) -> None:
    (here / ".gitignore").write_text("mine\n")
    made = wfc("new")
    assert (made.code, (here / ".gitignore").read_text()) == (0, "mine\n")
    assert ".gitignore is there already; let it name `.wfc/`" in made.err
