"""Proofs that work on themselves: a goal asks for further goals, whatever their depth, and a goal may come up again.

A goal that comes up again while it is open counts as proved only where a value has become smaller in between: then it
is proved for all values by induction on their size. Otherwise it is not proved. So every answer `True` is certain, and
no answer depends on what was asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from enum import IntEnum, auto

from wfc.passes.types.forms import ANYTHING, NOTHING, Type
from wfc.records import dataclass

MOST_GOALS = 10_000


class Question(IntEnum):
    """What can be proved of two types; of the first alone where the question is whether it is empty."""

    INSIDE = auto()
    APART = auto()
    EMPTY = auto()


Goal = tuple[Question, Type, Type]
Steps = Generator[tuple[Goal, bool], bool, bool]
"""The way to one answer: goals that it needs, each with whether it is about a part of the value, and their answers."""


def inside(source: Type, target: Type) -> Goal:
    """Every value of `source` is one of `target`."""
    return Question.INSIDE, source, target


def apart(one: Type, other: Type) -> Goal:
    """No value is of both."""
    return Question.APART, one, other


def empty(type: Type) -> Goal:
    """There is no value of the type."""
    return Question.EMPTY, type, NOTHING


@dataclass(slots=True)
class _Open:
    """A goal that is being proved: how deep in the value it is, and what was proved when it began.

    `assumed` tells that something built on it; `loose`, that it builds on an open goal about the same value.
    """

    goal: Goal
    steps: Steps
    level: int
    deeper: bool
    since: int
    assumed: bool = False
    loose: bool = False


def proved(goal: Goal, steps_of: Callable[[Goal], Steps]) -> bool:
    """Whether a goal can be proved, `steps_of` being how each is."""
    if _plain(goal):
        return True
    known: dict[Goal, bool] = {}
    certain: list[Goal] = []
    first = _Open(goal, steps_of(goal), 0, False, 0)
    open_, stack = {goal: first}, [first]
    answer: bool | None = None
    left = MOST_GOALS
    while stack:
        top = stack[-1]
        try:
            asked, deeper = next(top.steps) if answer is None else top.steps.send(answer)
        except StopIteration as done:
            answer = bool(done.value)
            stack.pop()
            del open_[top.goal]
            _close(top, answer, known, certain, stack)
            continue
        answer = _plain(asked)
        answer = known.get(asked) if answer is None else answer
        if answer is None and asked in open_:
            answer = _assume(top, open_[asked], deeper)
        if answer is None:
            if not left:
                return False
            left -= 1
            fresh = _Open(asked, steps_of(asked), top.level + deeper, deeper, len(certain))
            open_[asked] = fresh
            stack.append(fresh)
    return bool(answer)


def _plain(goal: Goal) -> bool | None:
    """The answer that is seen at once; none where it has to be worked out."""
    question, one, other = goal
    if one is NOTHING:
        return True
    if question is Question.INSIDE:
        return True if one is other or other is ANYTHING else None
    return (True if other is NOTHING else None) if question is Question.APART else None


def _assume(top: _Open, held: _Open, deeper: bool) -> bool:
    """Build on an open goal, where that is allowed."""
    if top.level + deeper <= held.level:
        return False
    held.assumed = True
    top.loose = top.loose or not deeper
    return True


def _close(done: _Open, answer: bool, known: dict[Goal, bool], certain: list[Goal], stack: list[_Open]) -> None:
    """Keep the answer of a goal, as far as it holds wherever the goal comes up again."""
    if not answer:
        known[done.goal] = False
        for built in certain[done.since :] if done.assumed else ():
            del known[built]
        del certain[done.since if done.assumed else len(certain) :]
    elif not done.loose:
        known[done.goal] = True
        certain.append(done.goal)
    elif stack and not done.deeper:
        stack[-1].loose = True
