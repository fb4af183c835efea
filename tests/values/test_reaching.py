"""Which change a point sees, on graphs of all shapes, against the textbook's iteration over sets."""

from __future__ import annotations

import random

import pytest

from wfc.passes.values.points import Effect, Forget, Points
from wfc.passes.values.reaching import Reaching
from wfc.passes.values.roots import Root

ROOT = Root("state", "x")


def graph(choose: random.Random, size: int) -> list[list[int]]:
    """Arrows among points all of which can be reached from point 0, to which none leads."""
    after: list[list[int]] = [[] for _ in range(size)]
    for point in range(1, size):
        after[choose.randrange(point)].append(point)
    for _ in range(choose.randrange(2 * size)):
        source, target = choose.randrange(size), choose.randrange(1, size)
        if target not in after[source]:
            after[source].append(target)
    return after


def points(after: list[list[int]], changing: set[int]) -> Points:
    before: list[list[int]] = [[] for _ in after]
    for source, targets in enumerate(after):
        for target in targets:
            before[target].append(source)
    effects: list[list[Effect]] = [[Forget(ROOT)] if point in changing else [] for point in range(len(after))]
    return Points([""] * len(after), [None] * len(after), after, before, effects, {}, {}, {}, {})


def reaching_sets(laid: Points, changing: set[int]) -> list[set[int]]:
    """Per point the changes that reach it, -1 standing for the beginning."""
    entering: list[set[int]] = [set() for _ in laid.after]
    entering[0] = {-1}
    again = True
    while again:
        again = False
        for point, targets in enumerate(laid.after):
            leaving = {point} if point in changing else entering[point]
            for target in targets:
                if not leaving <= entering[target]:
                    entering[target] |= leaving
                    again = True
    return entering


@pytest.mark.parametrize("seed", range(150))
def test_a_point_sees_the_one_change_that_reaches_it_or_a_meeting_of_those_that_do(seed: int) -> None:
    choose = random.Random(seed)
    after = graph(choose, 2 + choose.randrange(25))
    changing = {point for point in range(len(after)) if choose.randrange(4) == 0}
    laid = points(after, changing)
    reaching, sets = Reaching(laid), reaching_sets(laid, changing)
    for point in range(len(after)):
        seen = reaching.before(ROOT, point)
        if seen is None:
            assert sets[point] == {-1}
        elif seen[1]:
            assert sets[point] == sets[seen[0]]
        else:
            assert sets[point] == {seen[0]}
        assert reaching.after(ROOT, point) == ((point, False) if point in changing else seen)


def test_ways_meet_only_where_something_different_has_happened_on_them() -> None:
    diamond = [[1], [2, 3], [4], [4], [5], []]
    assert Reaching(points(diamond, {1})).before(ROOT, 5) == (1, False)
    assert Reaching(points(diamond, {2})).before(ROOT, 5) == (4, True)
    assert Reaching(points(diamond, set())).before(ROOT, 5) is None
