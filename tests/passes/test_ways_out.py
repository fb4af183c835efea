"""Where something may be missing, a finding says what to do, and its fixes lead to a clean workflow."""

from __future__ import annotations

import pytest

from tests.passes.judged import TEXT, Json, bind, node, put, record, work
from wfc import check, loads
from wfc.diagnostics import Diagnostic
from wfc.edits import apply_patch
from wfc.source import edited

G = {
    "name": "g",
    "outcomes": ["ok"],
    "effects": "read",
    "input_schema": {**record(c=TEXT), "required": ["c"]},
    "output_schema": {**record(text=TEXT, comment=TEXT), "required": ["text"]},
}
AFTER = work("a->b b->z z", node("a", "f"), node("b", "g", input=[bind("c", "input.c")]), node("z", "f"), defs=[G], input={"c": TEXT})  # fmt: skip
FIRST = work("b->z z", node("b", "g", input=[bind("c", "input.c")]), node("z", "f"), defs=[G], input={"c": TEXT})


def optional(document: Json) -> Diagnostic:
    (one,) = [one for one in check(document, strict=True).diagnostics if one.code.code == "WF407"]
    return one


@pytest.mark.parametrize("document", [AFTER, FIRST])
def test_a_call_is_passed_by_where_what_it_reads_is_not_there(document: Json) -> None:
    one = optional(document)
    assert one.help == "let the input schema require `c`, or lead to `b` only where `exists input.c` is true"
    assert [fix.title for fix in one.fixes] == ["Require `c`", "Pass `b` by where `input.c` is not there"]
    for fix in one.fixes:
        assert fix.verified
        assert check(apply_patch(document, fix.patch), strict=True).clean


def test_a_step_that_decides_something_is_not_passed_by() -> None:
    several = {**G, "name": "h", "outcomes": ["ok", "no"]}
    step = node("b", "h", input=[bind("c", "input.c")])
    one = optional(work("b b:no->z z", step, node("z", "f"), defs=[several], input={"c": TEXT}))
    assert [fix.title for fix in one.fixes] == ["Require `c`"]
    ask = {
        "id": "b",
        "type": "interrupt",
        "kind": "approval",
        "outcomes": ["ok"],
        "request": [bind("prompt", "input.c")],
    }
    assert [fix.title for fix in optional(work("b", ask, input={"c": TEXT})).fixes] == ["Require `c`"]


def test_a_step_is_not_passed_by_where_others_read_the_same_behind_it() -> None:
    steps = [node(name, "g", input=[bind("c", "input.c")]) for name in "bd"]
    one = optional(work("b->d d", *steps, defs=[G], input={"c": TEXT}))
    assert (one.hides, [fix.title for fix in one.fixes]) == (1, ["Require `c`"])


def test_an_output_that_may_lack_a_field_says_what_to_do() -> None:
    step = node("b", "g", input=[bind("c", ["x"])], output=[put("comment", "state.c")])
    document = work("b", step, defs=[G], state={"c": TEXT}, output={"c": TEXT})
    one = optional(document)
    assert "write the record that may hold it to state as a whole" in one.help
    assert check(apply_patch(document, one.fixes[0].patch), strict=True).clean
    # As the help says: the whole of it, and a look before.
    whole = node("b", "g", input=[bind("c", ["x"])], output=[put(".", "state.said")])
    seen = {"id": "seen", "type": "condition", "check": {"op": "exists", "path": "state.said.comment"}}
    read = node("d", "g", input=[bind("c", "state.said.comment")])
    said = work("b->seen seen:true->d seen:false d", whole, seen, read, defs=[G], state={"said": G["output_schema"]})
    assert check(said, strict=True).clean


def test_a_text_can_be_mended_by_passing_by() -> None:
    text = """workflow a {
 input { c?: string }
 def g(c: string) outcomes ok effects read
 b: g(input.c) then end
}
"""
    given = loads(text, form="text")
    (one,) = [one for one in check(given, strict=True).diagnostics if one.code.code == "WF407"]
    assert one.fixes[1].verified
    assert (
        edited(text, one.fixes[1].edits)
        == """workflow a {
 input { c?: string }
 def g(c: string) outcomes ok effects read
 start has_c
 b: g(input.c) then end
 has_c: if exists input.c then b else end
}
"""
    )
