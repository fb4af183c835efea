"""Pages say what is so: their workflows check clean, their lists are complete, and all of them can be found."""

from __future__ import annotations

import json
import pydoc
import re
from pathlib import Path
from typing import Any

import pytest

import wfc
from wfc.cli import run
from wfc.diagnostics import Severity
from wfc.passes.types.keywords import _DRAFTS

README = Path("README.md").read_text("utf-8")
LANGUAGE = Path("docs/language.md").read_text("utf-8")
PAGES = sorted(Path("docs").glob("*.md"))


def blocks(page: str) -> list[Any]:
    return [json.loads(text) for text in re.findall(r"^```json\n(.*?)^```", page, re.DOTALL | re.MULTILINE)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_readme_lists_every_page(page: Path) -> None:
    assert f"](docs/{page.name})" in README


def test_the_page_of_bindings_keeps_the_two_inputs_apart() -> None:
    workflow = blocks(LANGUAGE)[0]
    assert {one["path"].partition(".")[0] for one in workflow["nodes"][0]["input"] if "path" in one} == {"input"}
    assert [one.message for one in wfc.check(workflow, strict=True).diagnostics] == []
    section = LANGUAGE.partition("## Input is not `input`")[2].partition("```json")[0]
    assert [word for word in ("list of bindings", "what the run was started with") if word not in section] == []
    ended = wfc.execute_workflow(wfc.compile(workflow), {"text": "hi"})
    assert (ended.status, ended.output) == ("completed", {"greeting": "hi"})


@pytest.mark.parametrize(
    ("fails", "next"), [(0, "__end__"), (3, "late")], ids=["an outcome has its edge", "a failure that is caught"]
)
def test_the_page_of_outcomes_tells_them_from_failures(fails: int, next: str) -> None:
    definition, step = blocks(LANGUAGE)[1:3]
    edges = [
        {"from": "search", "outcome": outcome, "to": to}
        for outcome, to in (("found", "__end__"), ("none", "__end__"), ("unreachable", "late"))
    ]
    late = {"id": "late", "type": "end", "outcome": "ok"}
    workflow = {"name": "w", "node_defs": [definition], "start": "search", "nodes": [step, late], "edges": edges}
    assert [one for one in wfc.check(workflow).diagnostics if one.severity is Severity.ERROR] == []
    calls: list[int] = []

    def search(payload: Any) -> wfc.NodeResult:
        calls.append(1)
        if len(calls) <= fails:
            raise OSError("no route")
        return wfc.NodeResult("found", {})

    ended = wfc.execute_workflow(wfc.compile(workflow), {}, handlers={"search": search})
    assert (ended.status, ended.trace[0]["next"], len(calls)) == ("completed", next, max(fails, 1))


def test_every_keyword_that_is_judged_is_named() -> None:
    listed = LANGUAGE.partition("proves with them what it can:")[2].partition(".\n")[0]
    assert set(re.findall(r"`([$\w]+)`", listed)) == set(_DRAFTS)


@pytest.mark.parametrize("page", [Path("README.md"), *PAGES], ids=lambda page: page.name)
def test_every_command_that_a_page_names_is_there(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = page.read_text("utf-8")
    groups = {"tools", "runs", "artifacts", "deploy", "plan"}
    for words in {tuple(re.findall(r"[a-z-]+", command)[:2]) for command in re.findall(r"[`$] ?wfc ([^`\n]+)", text)}:
        command = words if words[0] in groups and words[1:] else words[:1]
        assert run([*command, "--help"]) == 0, command
    targets = re.findall(r"^([a-z]+):", Path("Makefile").read_text("utf-8"), re.MULTILINE)
    assert [one for one in re.findall(r"`make ([a-z]+)`", text) if one not in targets] == []
    capsys.readouterr()


def test_what_is_out_of_scope_is_said() -> None:
    limits = README.partition("## Limits")[2]
    assert [word for word in ("scheduler", "monitoring", "users", "marketplace") if word not in limits] == []


def test_examples_are_laid_out_as_fmt_lays_out() -> None:
    assert run(["fmt", "--check", "examples"]) == 0


def test_the_house_is_entered_by_its_names() -> None:
    """`dir` and `help` show what is imported when it is asked for."""
    assert set(wfc.__all__) <= set(dir(wfc))
    shown = pydoc.plain(pydoc.render_doc(wfc))
    assert all(f"    {name}(" in shown for name in ("check", "compile", "execute_workflow", "resume_workflow", "plan"))


def test_the_words_of_the_package_name_what_is_there() -> None:
    text = str(wfc.__doc__).replace('"review.wf.json"', "")
    assert [name for name in set(re.findall(r"\bwfc\.(\w+)\b", text)) if not hasattr(wfc, name)] == []
