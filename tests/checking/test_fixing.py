"""Fixes are trusted after they were tried, and the tries are bounded by what they cost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from wfc.checking import applicable, joined, together, verified
from wfc.diagnostics import Applicability, Code, Diagnostic, Example, Fix, Place, Severity
from wfc.records import replace
from wfc.source import Edit

CODE = Code("WF101", "unknown-target", Severity.ERROR, "{got}", "", "", Example("", ""))
SMALL, HUGE = 1_000, 100_000_000


def offered(number: int, *, applicability: Applicability = Applicability.SAFE, start: int | None = None) -> Diagnostic:
    """A finding with a fix that changes one character."""
    edit = Edit(number * 2, number * 2 + 1, "x") if start is None else Edit(start, start + 1, "x")
    fix = Fix(f"fix {number}", "a", (), applicability, edits=(edit,))
    return CODE.at(Place("a", f"/{number}", step=f"step_{number}"), fixes=(fix,), got=str(number))


class World:
    """Findings that go when their fix is applied, but for those of which a fix spoils it or does not help."""

    def __init__(self, count: int, *, spoiling: Sequence[int] = (), useless: Sequence[int] = ()) -> None:
        self.found = [offered(number) for number in range(count)]
        self.spoiling, self.useless = set(spoiling), set(useless)
        self.tries = 0

    def attempt(self, fixes: Sequence[Fix]) -> list[Diagnostic]:
        self.tries += 1
        applied = {int(fix.title.split()[1]) for fix in fixes}
        left = [one for number, one in enumerate(self.found) if number not in applied - self.useless]
        new = [replace(offered(1000 + number), fixes=()) for number in applied & self.spoiling]
        return [*left, *new]

    def good(self, characters: int) -> set[int]:
        told = verified(self.found, self.found, self.attempt, characters)
        return {number for number, one in enumerate(told) for fix in one.fixes if fix.verified}


@pytest.mark.parametrize("characters", [SMALL, HUGE])
def test_what_helps_is_verified(characters: int) -> None:
    assert World(10).good(characters) == set(range(10))


def test_what_does_not_help_or_brings_a_new_error_is_modest() -> None:
    world = World(10, spoiling=[3], useless=[5])
    told = verified(world.found, world.found, world.attempt, SMALL)
    fixes = {number: fix for number, one in enumerate(told) for fix in one.fixes}
    assert {number for number, fix in fixes.items() if not fix.verified} == {3, 5}
    assert {fixes[3].applicability, fixes[5].applicability} == {Applicability.UNSAFE}


def test_a_fix_that_leaves_a_new_warning_comes_behind_one_that_leaves_none_unless_it_is_safe() -> None:
    kinds = [Applicability.SAFE, Applicability.UNSAFE, Applicability.PLACEHOLDER]
    warning = replace(offered(1), severity=Severity.WARNING, fixes=())
    fixes = [Fix(kind.value, "a", (), kind, edits=(Edit(2, 3, "x"),)) for kind in kinds]

    def attempt(applied: Sequence[Fix]) -> list[Diagnostic]:
        return [] if applied[0].applicability is Applicability.PLACEHOLDER else [warning]

    one = replace(offered(0), fixes=tuple(fixes))
    (told,) = verified([one], [one], attempt, SMALL)
    assert [fix.title for fix in told.fixes] == ["safe", "placeholder", "unsafe"]
    (told,) = verified([one], [one, warning], attempt, SMALL)
    assert [fix.title for fix in told.fixes] == ["safe", "unsafe", "placeholder"]


def test_a_fix_that_leaves_several_warnings_in_the_place_of_one_does_not_help() -> None:
    one = replace(offered(0), severity=Severity.WARNING)
    new = [replace(offered(number), severity=Severity.WARNING, fixes=()) for number in (1, 2)]
    for hides, helps in ((0, False), (1, True)):
        standing = replace(one, hides=hides)
        (told,) = verified([standing], [standing], lambda fixes: new, SMALL)
        assert told.fixes[0].verified is helps


def test_in_a_large_text_all_are_tried_together_and_the_bad_ones_found_by_halves() -> None:
    world = World(64, spoiling=[17])
    assert world.good(SMALL * 64) == set(range(64)) - {17}
    assert world.tries <= 16


def test_in_a_huge_one_there_are_two_tries() -> None:
    world = World(64, spoiling=[17])
    assert (world.good(HUGE), world.tries) == (set(), 2)
    world = World(64)
    assert (len(world.good(HUGE)), world.tries) == (64, 1)


def test_a_finding_that_is_told_with_other_words_afterwards_is_no_new_one() -> None:
    one, other = offered(0), offered(1)

    def attempt(fixes: Sequence[Fix]) -> list[Diagnostic]:
        return [replace(other, message="1, nearest: something else")]

    (told, _) = verified([one, replace(other, fixes=())], [one, other], attempt, SMALL)
    assert told.fixes[0].verified


def test_one_that_comes_again_in_another_place_is_not_gone() -> None:
    one = offered(0)
    (told,) = verified([one], [one], lambda fixes: [replace(one, at=replace(one.at, pointer="/9"))], SMALL)
    assert not told.fixes[0].verified


def test_of_two_that_change_the_same_place_the_first_is_applied() -> None:
    first, second = offered(0, start=4), offered(1, start=4)
    world = World(2)
    offers = [(one, one.fixes[0]) for one in (first, second)]
    assert [fix.title for _, fix in together(offers, world.found, world.attempt, SMALL)] == ["fix 0"]


def test_two_may_put_something_in_at_one_place_in_their_order() -> None:
    fixes = [Fix(name, "a", (), edits=(Edit(3, 3, name),)) for name in ("one", "two")]
    assert joined(fixes) == {"a": [Edit(3, 3, "one"), Edit(3, 3, "two")]}


def test_unsafe_fixes_are_applied_when_no_safe_one_is_left_and_placeholders_never() -> None:
    kinds = [Applicability.PLACEHOLDER, Applicability.UNSAFE, Applicability.SAFE]
    fixes = tuple(Fix(kind.value, "a", (), kind, verified=True) for kind in kinds)
    found = [replace(offered(0), fixes=fixes), replace(offered(1), fixes=fixes[:2])]
    assert [fix.title for _, fix in applicable(found, "a", unsafe=False)] == ["safe"]
    assert [fix.title for _, fix in applicable(found, "a", unsafe=True)] == ["safe"]
    assert [fix.title for _, fix in applicable(found[1:], "a", unsafe=True)] == ["unsafe"]
    assert applicable([replace(offered(0), fixes=fixes[:1])], "a", unsafe=True) == []
    assert applicable(found, "b", unsafe=True) == []
