"""What is written by habit from other languages is known for what it is, and said in the words of this one."""

from __future__ import annotations

import pytest

from wfc import driver
from wfc.frontend import read_document
from wfc.source import edited

# A line of a workflow as it is written elsewhere, and as it is written here.
TYPES = {
    "def g(x: list[str]) -> { y: List[int] }": "def g(x: [string]) -> { y: [integer] }",
    "def g(x: string[], y: string[][])": "def g(x: [string], y: [[string]])",
    "def g(x: array<string>, y: bool)": "def g(x: [string], y: boolean)",
    "def g(x: dict[str, list[int]])": "def g(x: { *: [integer] })",
    "def g(x: Map<string, number>)": "def g(x: { *: number })",
    "def g(x: Optional[str])": "def g(x: string | null)",
    "def g(x: Optional[list[str]], y: int)": "def g(x: [string] | null, y: integer)",
    "def g(x: nullable string)": "def g(x: string | null)",
    "def g(x: Union[str, int])": "def g(x: string | integer)",
    'def g(x: Literal["int", "b"])': 'def g(x: "int" | "b")',
    'def g(x: enum("a", "b"))': 'def g(x: "a" | "b")',
    "def g(x: string?)": "def g(x?: string)",
    "input { y: optional string, z: integer optional }": "input { y?: string, z?: integer }",
    "input { y: string required }": "input { y: string }",
    "input { string y, integer z }": "input { y: string, z: integer }",
    "input { y: string; z: integer }": "input { y: string, z: integer }",
    'input { y: string := "a" }': 'input { y: string = "a" }',
    "input y: string, z: int": "input { y: string, z: integer }",
    "state { t: list[str] reducer append = [] }": "state { t: [string] by append = [] }",
    "state { t: [string] reducer = wf.std.append }": "state { t: [string] by wf.std.append }",
    "state { t: [string] @append }": "state { t: [string] by append }",
    "fn g(x: string): { y: string }": "def g(x: string) -> { y: string }",
    "function g(x: string) -> { y: string }:": "def g(x: string) -> { y: string }",
}
CONDITIONS = {
    "b: if state.n == 1 && !(state.n == 2) then end else end": (
        "b: if state.n == 1 and not (state.n == 2) then end else end"
    ),
    "b: if !exists state.n || state.n <> 1 then end else end": (
        "b: if not exists state.n or state.n != 1 then end else end"
    ),
    "b: if state.n is None then end else end": "b: if state.n == null then end else end",
    "b: if state.n is not null then end else end": "b: if state.n != null then end else end",
    "b: if exists(state.n) then end else end": "b: if exists state.n then end else end",
    "b: if state.n exists then end else end": "b: if exists state.n then end else end",
    'b: if state.s in ["a", "b"] then end else end': 'b: if (state.s == "a" or state.s == "b") then end else end',
    "b: if state.n not in (1, 2) then end else end": "b: if (state.n != 1 and state.n != 2) then end else end",
    "b: if state.done then end else end": "b: if state.done == true then end else end",
    "b: if not state.done then end else end": "b: if state.done == false then end else end",
    "b: if state.n == 1 { end ok } else { end no }": "b: if state.n == 1 then end ok else end no",
    "b: if state.n == 1 then c else if state.n == 2 then c elif state.n == 3 then c else end": (
        "b: if state.n == 1 then c else b_2\n"
        " b_2: if state.n == 2 then c else b_3\n"
        " b_3: if state.n == 3 then c else end"
    ),
}
STEPS = {
    "b: for x in state.items do c": "b: foreach x in state.items do c",
    "b: for each x of state.items do c": "b: foreach x in state.items do c",
    "b: for (x of state.items) do c": "b: foreach x in state.items do c",
    "b: foreach state.items as x do c": "b: foreach x in state.items do c",
    "b: parallel foreach x in state.items do c": "b: foreach x in state.items parallel do c",
    "b: while state.n < 3 do c": "b: if state.n < 3 then c",
    "b: fork [c, d]": "b: fork c, d",
    "b: join(c, d) then end": "b: join then end",
    "b: f(input.x) goto c": "b: f(input.x) then c",
    "b: f(input.x)\n   ok goto c": "b: f(input.x)\n   ok -> c",
    "b: f(input.x)\n   on ok -> c": "b: f(input.x)\n   ok -> c",
    "b.ok -> c": "edge b ok -> c",
    "b: return ok": "b: end ok",
    "b: end(ok)": "b: end ok",
    "b: call f(input.x) then c": "b: f(input.x) then c",
    "step b: f(input.x) then c": "b: f(input.x) then c",
    "b: n = 1 then end": "b: set n = 1 then end",
    "b: let n = 1 then end": "b: set n = 1 then end",
    "b: set n = state.n + 1 then end": (
        'b: wf.std.calculate(operator = "+", left = state.n, right = 1) -> n = value on ok then end'
    ),
    "b: wait 5 minutes then end": "b: wait 5m then end",
    "b: wait 500ms then end": "b: wait 0.5s then end",
    "b: f(input.x) retry(3) timeout = 30s then end": "b: f(input.x) retry 3 timeout 30s then end",
    "b: f(input.x) catch (node_failed) as bad": "b: f(input.x) catch node_failed as bad",
    "b: f(input.x) catch node_failed -> c": "b: f(input.x) catch node_failed as caught\n   caught -> c",
    'b: interrupt(prompt = "Go?") then end': 'b: interrupt approval(prompt = "Go?") then end',
    "b: subgraph artifact:child@2(x = input.x) then end": "b: subgraph artifact child 2(x = input.x) then end",
    "b: subgraph flows.child(x = input.x) then end": "b: subgraph child(x = input.x) then end",
    "b: end // done": "b: end # done",
    "/* all done */": "# all done",
    '"""all done"""': "# all done",
    "-- all done": "# all done",
    'import "tools.wf"': "",
    "from tools import f": "",
}
EVERY = {**TYPES, **CONDITIONS, **STEPS}
# What has no such words here, and what is said of it.
TOLD = {
    "b: switch state.s": "a step `if` for each",
    'b: f(x = f"{state.s}") then end': "`wf.std.template(",
    'b: f(x = "a" + state.s) then end': "`wf.std.join_text`",
    "b: f(x = state.items[0]) then end": "`wf.std.index`",
    "b: set n = state.n == 1 ? 2 : 3 then end": "behind each way of an `if`",
}


def repaired(text: str) -> str:
    """The text after the first fix of each finding, as long as there is one."""
    for _ in range(8):
        found = read_document("a.wf", text).diagnostics
        fixes = [fix for one in found for fix in one.fixes[:1]]
        if not fixes:
            return text
        text = edited(text, fixes[0].edits)
    return text


@pytest.mark.parametrize("written", EVERY)
def test_a_habit_is_said_in_the_words_of_this_language(written: str) -> None:
    text = f"workflow a {{\n {written}\n z: end\n}}\n"
    assert read_document("a.wf", text).diagnostics
    assert repaired(text) == f"workflow a {{\n {EVERY[written]}\n z: end\n}}\n"
    assert read_document("a.wf", repaired(text)).diagnostics == ()


@pytest.mark.parametrize("written", EVERY)
def test_one_repair_is_enough(written: str) -> None:
    (one,) = read_document("a.wf", f"workflow a {{\n {written}\n z: end\n}}\n").diagnostics
    assert len(one.fixes) == 1
    assert not one.help.startswith("one construct stands on a line")


@pytest.mark.parametrize("written", TOLD)
def test_what_has_no_words_here_is_told(written: str) -> None:
    (one,) = read_document("a.wf", f"workflow a {{\n {written}\n z: end\n}}\n").diagnostics
    assert TOLD[written] in one.help
    assert one.fixes == ()


@pytest.mark.parametrize("written", EVERY.values())
def test_what_is_written_here_is_left_alone(written: str) -> None:
    assert read_document("a.wf", f"workflow a {{\n {written}\n z: end\n}}\n").diagnostics == ()


def test_the_literals_of_other_languages_are_names_here_and_mended() -> None:
    written = """workflow a {
 input { n: integer | null, done: boolean }
 output { t: boolean | null, u: boolean | null } only
 state { t: boolean | null, u: boolean | null }
 b: if input.n == None and input.done == True then c else c
 c: set t = None, u = False then end
}
"""
    mended = driver.repair(driver.loads(written, name="a.wf")).given.root.source.text
    assert "b: if input.n == null and input.done == true then c else c" in mended
    assert "c: set t = null, u = false then end" in mended
