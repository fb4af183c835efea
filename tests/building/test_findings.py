"""Findings of built workflows stand at the calls that they are about."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import wfc
from wfc.report import FORMATS, plain, render_findings

FLOW = """
import wfc
from steps import add_steps

flow = wfc.WorkflowBuilder(
    "flow",
    state_schema={"größe": int, "n": int},
    output_schema={"m": int},
)
check = flow.condition("check", (wfc.state_path("n") > 3) & (wfc.input_path("limit") == "ä")); first = "äöü"
flow.connect(check, True, "sumarise")
flow.connect(
    check,
    False,
    wfc.END,
)
add_steps(flow)
"""
STEPS = """
import wfc

def add_steps(flow):
    flow.node("wf.std.count", "summarise", array=wfc.state_path("list"),
              output={"count": wfc.state_path("n"), "total": wfc.state_path("n")})
    flow.connect("summarise", "okay", wfc.END)
"""


@pytest.fixture
def flow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "flow.py").write_text(FLOW, "utf-8")
    (tmp_path / "steps.py").write_text(STEPS, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, Any] = {"__name__": "flow"}
    exec(compile(FLOW, str(tmp_path / "flow.py"), "exec"), names)
    monkeypatch.delitem(__import__("sys").modules, "steps")
    return names["flow"]


def test_findings_are_told_at_the_calls(flow: Any, snapshot: SnapshotAssertion) -> None:
    given = flow.load()
    assert render_findings(wfc.check(given).diagnostics, given.texts) == snapshot


def test_they_are_those_of_the_same_workflow_in_json(flow: Any) -> None:
    built, written = flow.check(), wfc.check(flow.to_json())
    assert [(one.code.code, one.at.pointer, one.message) for one in sorted(built.diagnostics, key=order)] == [
        (one.code.code, one.at.pointer, one.message) for one in sorted(written.diagnostics, key=order)
    ]


def test_their_fixes_are_judged_like_those_of_the_same_workflow_in_json(flow: Any) -> None:
    built, written = flow.check(), wfc.check(flow.to_json())
    assert trust(built) == trust(written) != []
    assert [fix.edits for one in built.diagnostics for fix in one.fixes if fix.edits] == []
    assert "can be fixed" not in FORMATS[0].render(built, flow.load().texts, plain)


def trust(report: wfc.Report) -> list[tuple[Any, ...]]:
    told = sorted(report.diagnostics, key=order)
    return [(one.code.code, fix.title, fix.verified, fix.applicability) for one in told for fix in one.fixes]


def test_many_fixes_of_a_builder_are_verified_together() -> None:
    made = wfc.WorkflowBuilder("many", state_schema={f"field_{number}": int for number in range(300)})
    made.connect(made.wait("rest", 1), "ok", wfc.END)
    assert trust(made.check()) == trust(wfc.check(made.to_json()))
    assert sum(fix.verified for one in made.check().diagnostics for fix in one.fixes) > 100


def order(found: wfc.Diagnostic) -> tuple[str, str]:
    return found.code.code, found.at.pointer


def test_a_compile_error_tells_them_in_its_note(flow: Any) -> None:
    with pytest.raises(wfc.CompileError) as stopped:
        flow.compile()
    assert " --> flow.py:11:1  /edges/0/to" in stopped.value.__notes__[0]


def test_what_is_no_json_is_told_where_it_was_given() -> None:
    b = wfc.WorkflowBuilder("w")
    b.node("work", f=lambda: 1)
    b.node("work", "again", f=[1, {"n": float("nan")}])
    report = b.check()
    assert [
        (one.code.code, one.at.file.rpartition("/")[2], one.at.span and one.at.span.start.column)
        for one in report.diagnostics
    ] == [
        ("WF004", "test_findings.py", 5),
        ("WF004", "test_findings.py", 5),
    ]
    assert b.to_json() is None


def test_a_config_that_is_no_json_is_told() -> None:
    ref = {"source": "wf.std", "capability_key": "modulo_add"}
    reducer = {"ref": ref, "config": {"modulus": lambda: 10}}
    b = wfc.WorkflowBuilder("w", state_schema={"n": wfc.StateField(type="integer", reducer=reducer)})
    b.connect(b.wait("rest", 1), "ok", wfc.END)
    (found,) = b.check().diagnostics
    assert (found.code.code, "properties.n.reducer.config.modulus" in found.message) == ("WF004", True)


def test_without_the_text_of_the_file_the_line_is_told() -> None:
    names: dict[str, Any] = {"__name__": "typed"}
    code = textwrap.dedent("""
        import wfc
        b = wfc.WorkflowBuilder("w")
        b.connect(b.end("e"), "ok", wfc.END)
    """)
    exec(compile(code, "<typed>", "exec"), names)
    given = names["b"].load()
    assert "<typed>:4:1" in render_findings(wfc.check(given).diagnostics, given.texts)
