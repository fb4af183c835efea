"""A proof may build on itself only where a value has become smaller in between."""

from __future__ import annotations

from collections.abc import Mapping

from wfc.passes.types import Type, of
from wfc.passes.types.proofs import MOST_GOALS, Goal, Steps, empty, proved

A, B, C, D = (empty(of({"const": name})) for name in "abcd")
PART, SAME = True, False
Needs = Mapping[Goal, list[tuple[Goal, bool]]]


def holds(goal: Goal, needs: Needs) -> bool:
    """Whether a goal is proved where each needs some others, and one without needs fails."""

    def steps(asked: Goal) -> Steps:
        for other, deeper in needs.get(asked, []):
            if not (yield other, deeper):
                return False
        return asked in needs

    return proved(goal, steps)


def test_what_needs_nothing_is_proved_and_what_needs_a_failure_is_not() -> None:
    assert holds(A, {A: [(B, SAME)], B: []})
    assert not holds(A, {A: [(B, SAME), (C, SAME)], B: []})


def test_a_circle_through_a_part_is_proved() -> None:
    assert holds(A, {A: [(B, SAME)], B: [(A, PART)]})
    assert holds(A, {A: [(A, PART)]})


def test_a_circle_about_the_same_value_is_not() -> None:
    assert not holds(A, {A: [(A, SAME)]})
    assert not holds(A, {A: [(B, SAME)], B: [(A, SAME)]})
    assert not holds(A, {A: [(B, PART)], B: [(C, SAME)], C: [(B, SAME)]})


def test_what_was_built_on_a_goal_that_fails_is_withdrawn() -> None:
    """B holds only if A does; A fails later, so D must not find B proved."""
    assert not holds(
        D, {D: [(C, SAME)], C: [(A, SAME)], A: [(B, PART)], B: [(A, PART)]} | {A: [(B, PART), (empty(of(1)), SAME)]}
    )
    fails = empty(of({"const": "fails"}))
    either_way: list[bool] = []

    def steps(asked: Goal) -> Steps:
        if asked == D:
            either_way.append((yield A, SAME))
            either_way.append((yield B, SAME))
            return True
        if asked == A:
            return (yield B, PART) and (yield fails, SAME)
        return (yield A, PART) if asked == B else False

    assert proved(D, steps)
    assert either_way == [False, False]


def test_a_goal_that_holds_by_a_loop_about_the_same_value_is_not_kept_for_elsewhere() -> None:
    """C asks A about the same value, which is allowed below A's part B and nowhere else."""
    seen: list[bool] = []

    def steps(asked: Goal) -> Steps:
        if asked == A:
            seen.append((yield B, PART))
            seen.append((yield C, SAME))
            return all(seen)
        if asked == B:
            return (yield C, SAME)
        return (yield A, SAME)

    assert not proved(A, steps)
    assert seen == [True, False]


def test_there_is_an_end_to_every_proof() -> None:
    count = 0
    numbers: dict[int, Type] = {}

    def steps(asked: Goal) -> Steps:
        nonlocal count
        count += 1
        numbers[count] = of({"const": count})
        return (yield empty(numbers[count]), PART)

    assert not proved(A, steps)
    assert count == MOST_GOALS + 1
