"""Canonical layout: the same again, comments where they belong, nothing lost."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.frontend.text.corpus import workflows
from tests.frontend.text.mutated import mutated
from wfc.frontend import canonical_text, document_of, elaborate, read_document, text_of
from wfc.ir import equal

COMMENTED = """\
# What this is for.
# Two lines of it.
workflow   review "Summarise notes"   {   # why here
  input { folder: string   # where from
          # how many
          limit: integer = 20 }

  # wfc: allow WF406 because limit is for later
  output {summaries}
  state
  { summaries: [string] by wf.std.append = []
    # behind all fields
  }
  # before a definition
  def list(path: string) -> { files: [string] } outcomes ok, empty -> {}   # behind its head
    # between its lines
    uses notes.list   effects read
  start first   # the first one
  # wfc: allow WF401 because it is there
  first: list(path = input.folder)   # behind a step
    -> state.summaries = files on ok   # in the middle
    ok -> end ok     # behind an edge
    # before an edge
    empty -> end none
  # before the end
}
# after all
"""


def comments(text: str) -> list[str]:
    return sorted(re.findall(r"# .*", text))


def test_comments_stand_where_they_belong(snapshot: SnapshotAssertion) -> None:
    document = read_document("a.wf", COMMENTED)
    assert document.diagnostics == ()
    laid = canonical_text(document, "text")
    assert laid == snapshot
    assert comments(laid) == comments(COMMENTED)
    again = read_document("a.wf", laid)
    assert canonical_text(again, "text") == laid
    assert equal(again.value, document.value)


@given(st.data())
@settings(deadline=None, max_examples=100)
def test_no_comment_is_lost_and_what_is_laid_out_stays(data: st.DataObject) -> None:
    _, value = data.draw(st.sampled_from(workflows()[::3]))
    lines = text_of(value).split("\n")
    for number in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(lines) - 1))
        if data.draw(st.booleans()):
            lines[place] += f" # c{number}"
        else:
            lines.insert(place, f"  # c{number}")
    text = "\n".join(lines)
    document = read_document("a.wf", text)
    if not document.readable:
        # A comment within a JSON value is none.
        assert any('"' in line or "[" in line for line in lines)
        return
    laid = canonical_text(document, "text")
    assert comments(laid) == comments(text)
    again = read_document("a.wf", laid)
    assert canonical_text(again, "text") == laid
    assert text_of(again.value) == text_of(value)


def meant(value: Any) -> Any:
    return elaborate(document_of(value), lambda document, name: ())


@given(st.data())
@settings(deadline=None, max_examples=100)
def test_json_is_laid_out_without_loss(data: st.DataObject) -> None:
    def choose(n: int) -> int:
        return data.draw(st.integers(0, n - 1))

    file, value = workflows()[choose(len(workflows()))]
    value = mutated(value, choose) if "limits" not in file else value
    structural = canonical_text(document_of(value), "json", "structural")
    for laid in (canonical_text(document_of(value), "json"), structural):
        back = read_document("a.wf.json", laid)
        assert canonical_text(back, "json") == canonical_text(document_of(value), "json")
        first, second = meant(value), meant(back.value)
        sound = [one for one in first.diagnostics if one.code.code != "WF014"] == []
        assert not sound or first.module == second.module
        assert "WF014" not in [one.code.code for one in second.diagnostics] or not sound


def test_paths_have_the_form_that_is_asked_for() -> None:
    step = {"id": "s", "type": "wait", "seconds": {"path": "input.n"}}
    edge = {"to": "__end__", "outcome": "ok", "from": "s", "x-a": [1, 2]}
    value = {"nodes": [step], "start": "s", "edges": [edge], "name": "a"}
    structural = json.loads(canonical_text(document_of(value), "json", "structural"))
    assert structural["nodes"][0]["seconds"] == {"path": {"root": "input", "parts": ["n"]}}
    dotted = canonical_text(document_of(structural), "json")
    assert dotted == (
        '{\n  "name": "a",\n  "start": "s",\n'
        '  "nodes": [{"id": "s", "type": "wait", "seconds": {"path": "input.n"}}],\n'
        '  "edges": [{"from": "s", "outcome": "ok", "to": "__end__", "x-a": [1, 2]}]\n}\n'
    )


@pytest.mark.parametrize("text", ["workflow a { s: end ok }", "workflow a {\r\n s: end ok\r\n}\r\n"])
def test_layouts_that_authors_have(text: str) -> None:
    assert canonical_text(read_document("a.wf", text), "text") == "workflow a {\n s: end\n}\n"
