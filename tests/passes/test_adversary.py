"""Small workflows against chapter 3: what is said of them under `--strict`, and what is not."""

from __future__ import annotations

import pytest

from wfc import driver

DEFS = """
 def f(x: any) -> {
   n: integer, t: string, m: integer | null, v: string | null, u: string | integer, o?: string, l: [integer]
 } outcomes ok effects read
 def s(x: string) -> { y: string } outcomes ok effects read
 def i(x: integer) -> { y: integer } outcomes ok effects read
"""
# Unused definitions, fields and what could be faster are no part of it.
ASIDE = frozenset({"WF111", "WF405", "WF406", "WF506"})


def told(body: str) -> list[str]:
    report = driver.check(driver.loads(f"workflow a {{{DEFS}{body}\n}}\n", name="a.wf"), strict=True)
    return [one.code.code for one in report.diagnostics if one.code.code not in ASIDE]


CASES: dict[str, tuple[str, list[str]]] = {
    "the first value of `max` is of one family, whichever": (
        """ state { o: string | integer by max }
 a: f(x = 1) -> o = u then b
 b: f(x = state.o) then end""",
        [],
    ),
    "a second one may be of the other": (
        """ state { o: string | integer by max }
 a: f(x = 1) -> o = u then b
 b: f(x = 1) -> o = u then c
 c: f(x = state.o) then end""",
        ["WF394"],
    ),
    "null is of no family": (
        """ state { o: string | null by max }
 a: f(x = 1) -> o = v then b
 b: s(x = state.o) then end""",
        ["WF394"],
    ),
    "a guard is undone by a loop that writes and is asked again": (
        """ state { p: { n?: integer } }
 def mk(x: any) -> { p: { n?: integer } } outcomes ok effects read
 z: mk(x = 1) -> p then g
 g: if exists state.p.n then w else end
 w: i(x = state.p.n) then v
 v: mk(x = 1) -> p then g""",
        [],
    ),
    "a guard holds while a parallel region writes beside it": (
        """ input { l: [integer] }
 state { p: { n?: integer, q?: integer } = {} }
 output { p }
 g: if exists state.p.n then e else end
 e: foreach it in input.l do w then r
 w: i(x = context.it) -> p.q = y then e
 r: i(x = state.p.n) then end""",
        [],
    ),
    "one way of an `or` is no guard": (
        """ input { p?: integer, q: boolean }
 g: if exists input.p or input.q == true then b else end
 b: i(x = input.p) then end""",
        ["WF407"],
    ),
    "a guard on the parent is none of the field": (
        """ input { o?: { a?: integer } }
 g: if exists input.o then h else end
 h: i(x = input.o.a) then end""",
        ["WF407"],
    ),
    "a guard on a field is one of its parent": (
        """ input { o?: { a?: integer, b: integer } }
 g: if exists input.o.a then h else end
 h: i(x = input.o.b) then end""",
        [],
    ),
    "branches that exclude one another may write the same": (
        """ input { z: boolean }
 state { p: integer }
 output { p? }
 k: fork x when input.z == true, y when input.z == false
 x -> a, y -> b
 a: i(x = 1) -> p = y then j
 b: i(x = 2) -> p = y then j
 j: join then end""",
        [],
    ),
    "a discriminator tells of the other field": (
        """ input { p: { k: "a", v: integer } | { k: "b", v: string } }
 g: if input.p.k == "a" then h else end
 h: i(x = input.p.v) then end""",
        [],
    ),
    "an answer in a branch may not come": (
        """ state { ap: boolean, q: integer }
 output { ap, q }
 k: fork x, y
 x -> a, y -> b
 a: interrupt approval(prompt = "p") -> ap = approved on yes
   yes -> j, no -> j
 b: i(x = 2) -> q = y then j
 j: join then end""",
        ["WF403"],
    ),
    "an array of texts has a sum where it is empty": (
        """ input { l: [string] }
 state { v: number }
 output { v }
 a: wf.std.sum(array = input.l) -> v = sum then end""",
        ["WF390"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_told_and_nothing_else(name: str) -> None:
    body, expected = CASES[name]
    assert sorted(told(body)) == expected
