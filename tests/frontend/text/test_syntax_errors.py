"""What is no text is told as it was written: all of it at once, with what could stand there and a likely repair."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.frontend.text.corpus import workflows
from wfc import driver
from wfc.frontend import read_document, text_of
from wfc.report import FORMATS, paint_if

AROUND = "workflow a {\n input { x: string }\n state { s: string, n: integer }\n%s\n}\n"
SLIPS = {
    "colon for equals": " b: f(x: input.x) then end ok",
    "equals for colon": " output { s = string }",
    "arrow forgotten at an edge": " b: f()\n   ok c\n c: end ok",
    "arrow forgotten before a write": " b: f() state.s = text then end ok",
    "other arrows": " b: f() => state.s\n   ok → c\n c: end ok",
    "bracket not closed": " def f(x: string -> { y: string }\n b: end ok",
    "brace not closed": " output { s\n outcomes ok\n b: end ok",
    "two brackets not closed": " b: f(x = input.x\n c: if (state.n == 1 then b else b",
    "keyword misspelt": " outcoms ok, no\n b: foreac x in state.s do b then end ok\n c: f() retyr 3 then b",
    "type misspelt": " def f(a: strng, b: int) -> { c: Item }\n b: end ok",
    "single quotes": " b: f(x = 'it is') then end ok",
    "template braces": " b: f(x = {{state.s}}, y = $.state.s) then end ok",
    "index in a path": " b: f(x = state.s.0) then end ok",
    "comparison": " b: if state.n = 3 then end ok else end ok\n c: if state.n then b else b",
    "edges below a step that is none": " b: wait\n   ok -> c\n c: if state.n == \n   true -> b\n   false -> end ok",
    "keyword as a name": " state: f() then end ok",
    "no step below": " b: f() then",
    "JSON": ' b: f(x = {"a": 1, "a": 2}, y = {"b": NaN}) with {"x-a": [1,]}',
    "a text not closed": ' b: f(x = "abc) then end ok\n c: end ok',
    "numbers": " b: wait 05s then end ok\n c: f(x = 1e400) then end ok",
    "twice": " input { y: string }\n b: f(x = 1) retry 2 retry 3 then end ok\n output { s, s }",
    "comment of another language": " // b is the end\n b: end ok",
}
WHOLE = {
    "no opening brace": "workflow a\n b: end ok\n}\n",
    "a colon for the brace": "workflow a:\n b: end ok\n}\n",
    "no closing brace": "workflow a {\n b: end ok\n",
    "no closing brace before the next": "workflow a {\n b: end ok\nworkflow c {\n d: end ok\n}\n",
    "a brace too many": "workflow a {\n b: end ok\n}\n}\n",
    "outside of a workflow": "b: end ok\n",
    "JSON in a text": '{"name": "a"}\n',
    "nothing": "# only a comment\n",
    "outcomes with types": "workflow a {\n outcomes ok -> string\n b: end ok\n}\n",
    "an edge without a step": "workflow a {\n ok -> b\n b: end ok\n}\n",
}
EVERY = {**{name: AROUND % text for name, text in SLIPS.items()}, **WHOLE}


def told(text: str) -> str:
    given_ = driver.loads(text, name="a.wf")
    report = driver.check(given_)
    return FORMATS[0].render(report, given_.texts, paint_if(False)).partition("skipped:")[0]


@pytest.mark.parametrize("name", EVERY)
def test_it_is_told(name: str, snapshot: SnapshotAssertion) -> None:
    assert read_document("a.wf", EVERY[name]).diagnostics
    assert told(EVERY[name]) == snapshot


REPAIRED = [name for name, text in EVERY.items() if all(one.fixes for one in read_document("a.wf", text).diagnostics)]


@pytest.mark.parametrize("name", REPAIRED)
def test_a_text_with_its_repairs_can_be_read(name: str) -> None:
    given_ = driver.repair(driver.loads(EVERY[name], name="a.wf"), unsafe=True).given
    assert [one.code.code for one in given_.root.diagnostics] == []


def test_the_usual_slips_have_a_repair() -> None:
    assert len(REPAIRED) >= 16


WORDS = st.sampled_from(
    [
        "workflow",
        "main",
        "input",
        "state",
        "output",
        "outcomes",
        "def",
        "start",
        "edge",
        "with",
        "json",
        "a",
        "b",
        "c",
        "ok",
        "end",
        "then",
        "else",
        "do",
        "on",
        "retry",
        "3",
        "2s",
        "state.x",
        "input.y",
        '"t"',
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "->",
        "=",
        "==",
        ":",
        ",",
        "|",
        ".",
        "..",
        "0..3",
        "#",
        "\n",
        "$X",
        "?",
        "*",
        ";",
        "if",
        "and",
        "or",
        "not",
        "exists",
        "foreach",
        "in",
        "fork",
        "join",
        "wait",
        "set",
        "interrupt",
        "subgraph",
        "catch",
        "as",
        "where",
        "only",
        "by",
        "in",
        "string",
        "integer",
        "'q'",
        "=>",
        "\\",
        "\u2028",
        "é",
        "\x00",
        "//",
        "1e999",
        "true",
        "null",
    ]
)


@given(st.lists(WORDS, max_size=40).map(" ".join) | st.text(max_size=80))
@settings(deadline=None, max_examples=300)
@example("workflow a {\n" * 300)
@example("[" * 3000)
@example("workflow a {\n input " + "{a: [" * 3000)
@example('workflow a { b: f(x = "\\ud800") }')
@example("workflow a {\n b: if " + "(" * 5000)
def test_no_text_is_a_fault_of_ours(text: str) -> None:
    document = read_document("a.wf", text)
    assert document.readable == (document.diagnostics == ())
    assert document.locate("/nodes/0").start.line >= 1


@given(st.data())
@settings(deadline=None, max_examples=100)
def test_a_damaged_text_is_no_fault_of_ours(data: st.DataObject) -> None:
    _, value = data.draw(st.sampled_from(workflows()[::5]))
    text = text_of(value)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    document = read_document("a.wf", text[:start] + data.draw(WORDS | st.just("")) + text[end:])
    assert document.readable == (document.diagnostics == ())
    if document.readable:
        assert text_of(read_document("a.wf", text_of(document.value)).value) == text_of(document.value)
