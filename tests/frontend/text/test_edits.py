"""A patch as changes of a text: what is read afterwards means the patched document, and all else stays as written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.frontend.text.corpus import workflows
from wfc import driver
from wfc.edits import PatchFault, apply_patch
from wfc.frontend import read_document, text_of
from wfc.frontend.text.edits import meaning
from wfc.source import edited, lookup, pointer

STYLED = """\
# Files notes.
workflow review {
  input  { folder: string, limit: integer = 20 }   # given
  state  {
    files: [string]     # found
    draft: string
    approved: boolean
  }
  output { files?: [string] }

  def list_files(path: string) -> { files: [string] } outcomes ok, empty -> {}
    uses notes.list_files  effects read   # where
  start list

  list: list_files(path = input.folder) -> state.files = files on ok
    ok -> ask     # go on
    empty -> end ok
  ask: interrupt approval(prompt = "File these?",
                          data = state.files) -> state.approved = approved
    yes -> end ok
    no -> end rejected
}
"""


def changed(text: str, patch: list[dict[str, Any]]) -> str:
    document = read_document("a.wf", text)
    after = edited(text, document.edits(patch))
    again = read_document("a.wf", after)
    assert again.diagnostics == ()
    assert meaning(again.value) == meaning(apply_patch(document.value, patch))
    return after


def difference(before: str, after: str) -> list[str]:
    """The lines that go and come."""
    import difflib

    rows = difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
    return [row for row in rows if not row.startswith(("---", "+++", "@@"))]


def test_a_word_changes_alone() -> None:
    patch = [{"op": "replace", "path": "/edges/0/to", "value": "__end__"}]
    assert difference(STYLED, changed(STYLED, patch)) == ["-    ok -> ask     # go on", "+    ok -> end ok     # go on"]


def test_a_name_changes_in_its_place() -> None:
    patch = [{"op": "replace", "path": "/nodes/0/input/0/path", "value": "input.limit"}]
    assert difference(STYLED, changed(STYLED, patch)) == [
        "-  list: list_files(path = input.folder) -> state.files = files on ok",
        "+  list: list_files(path = input.limit) -> state.files = files on ok",
    ]


def test_a_field_goes_with_its_line() -> None:
    patch = [{"op": "remove", "path": "/state_schema/properties/draft"}]
    assert difference(STYLED, changed(STYLED, patch)) == ["-    draft: string"]


def test_a_field_comes_on_a_line() -> None:
    patch = [{"op": "add", "path": "/state_schema/properties/more", "value": {"type": "integer"}}]
    assert difference(STYLED, changed(STYLED, patch)) == ["+    more: integer"]


def test_a_step_comes_and_goes_with_its_edges() -> None:
    step = {"id": "rest", "type": "wait", "seconds": 5}
    more = [
        {"op": "add", "path": "/nodes/2", "value": step},
        {"op": "add", "path": "/edges/-", "value": {"from": "rest", "outcome": "ok", "to": "ask"}},
    ]
    with_step = changed(STYLED, more)
    assert difference(STYLED, with_step) == ["+  rest: wait 5s", "+    ok -> ask"]
    less = [{"op": "remove", "path": "/nodes/2"}, {"op": "remove", "path": "/edges/4"}]
    assert changed(with_step, less) == STYLED


def test_a_definition_and_contracts_come() -> None:
    bare = "workflow a {\n  s: end ok\n}\n"
    definition = {"name": "f", "output_schema": {"type": "object"}, "outcomes": ["ok"]}
    patch = [
        {"op": "add", "path": "/node_defs", "value": [definition]},
        {"op": "add", "path": "/outcomes", "value": ["ok", "no"]},
        {"op": "add", "path": "/desc", "value": "What"},
    ]
    assert changed(bare, patch) == 'workflow a "What" {\n outcomes ok, no\n def f -> object\n  s: end ok\n}\n'


def test_a_reason_is_written_as_a_comment() -> None:
    allowed = [{"code": "WF405", "reason": "later"}]
    patch = [{"op": "add", "path": "/nodes/1/x-wfc-allow", "value": allowed}]
    after = changed(STYLED, patch)
    assert "  # wfc: allow WF405 because later\n  ask: interrupt" in after
    assert changed(after, [{"op": "remove", "path": "/nodes/1/x-wfc-allow"}]).split() == STYLED.split()


def test_what_does_not_apply_is_refused() -> None:
    with pytest.raises(PatchFault):
        read_document("a.wf", STYLED).edits([{"op": "test", "path": "/name", "value": "other"}])


def places(value: Any) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [()]
    for path in found:
        item = lookup(value, path)[0]
        inner = item if isinstance(item, dict) else range(len(item)) if isinstance(item, list) else ()
        found += [(*path, str(part)) for part in inner]
    return found


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_any_patch_of_any_text(data: st.DataObject) -> None:
    small = [value for file, value in workflows() if "limits" not in file and value]
    document = read_document("a.wf", text_of(data.draw(st.sampled_from(small))))
    path = data.draw(st.sampled_from(places(document.value)[1:]))
    value = data.draw(st.sampled_from([1, "zz", True, None, [], {}, {"type": "integer"}, ["ok"], "state.zz"]))
    act = data.draw(st.sampled_from(["add", "replace", "remove"]))
    operation: dict[str, Any] = {"op": act, "path": pointer(*path)}
    if act != "remove":
        operation["value"] = value
    wanted = apply_patch(document.value, [operation])
    again = read_document("a.wf", edited(document.source.text, document.edits([operation])))
    assert again.diagnostics == ()
    assert meaning(again.value) == meaning(wanted)


FAULTY = [value for file, value in workflows() if file == "invalid-workflows.wftest.json"]


@pytest.mark.parametrize("value", FAULTY[::4])
def test_fixes_of_a_text_are_those_of_its_document(value: Any) -> None:
    """What is found, and what mends it, does not depend on the form."""
    text = driver.loads(text_of(value), name="a.wf")
    same = driver.from_value(text.root.value, name="a.wf")
    ours, theirs = driver.check(text).diagnostics, driver.check(same).diagnostics
    assert sorted((one.code.code, one.at.pointer, one.message) for one in ours) == sorted(
        (one.code.code, one.at.pointer, one.message) for one in theirs
    )
    assert sorted((fix.title, fix.verified) for one in ours for fix in one.fixes) == sorted(
        (fix.title, fix.verified) for one in theirs for fix in one.fixes
    )
