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
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_told_and_nothing_else(name: str) -> None:
    body, expected = CASES[name]
    assert sorted(told(body)) == expected
