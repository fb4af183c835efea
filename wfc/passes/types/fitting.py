"""Whether values of one type may stand where another is wanted: always, never, or perhaps.

ALWAYS and NEVER are proved, against the verdicts of jsonschema-rs; MAYBE is all else. An answer is a pure function of
the two types, kept for when it is asked again.
"""

from __future__ import annotations

from enum import Enum
from functools import cached_property, lru_cache
from typing import Any

from wfc.passes.types.emptiness import steps_to_apart, steps_to_empty
from wfc.passes.types.forms import Type
from wfc.passes.types.inclusion import steps_to_inside
from wfc.passes.types.proofs import Goal, Question, Steps, apart, empty, inside, proved
from wfc.passes.types.samples import refused
from wfc.records import dataclass


class Verdict(Enum):
    """What can be said of all values: yes for each, no for each, or neither."""

    ALWAYS = "always"
    MAYBE = "maybe"
    NEVER = "never"


@dataclass(frozen=True)
class Fit:
    """How values of `source` stand to `target`."""

    verdict: Verdict
    source: Type
    target: Type

    @cached_property
    def witness(self) -> tuple[Any] | None:
        """A value of the source that the target refuses, in a one-tuple; none where none was found."""
        return None if self.verdict is Verdict.ALWAYS else refused(self.source, self.target)


@lru_cache(maxsize=65536)
def fits(source: Type, target: Type) -> Fit:
    """How values of `source` stand to `target`; a source without values fits everywhere."""
    if _proved(inside(source, target)):
        return Fit(Verdict.ALWAYS, source, target)
    if _proved(apart(source, target)):
        return Fit(Verdict.NEVER, source, target)
    return Fit(Verdict.MAYBE, source, target)


@lru_cache(maxsize=65536)
def disjoint(one: Type, other: Type) -> bool:
    """Whether it is certain that no value is of both types."""
    return _proved(apart(one, other))


@lru_cache(maxsize=65536)
def is_empty(type: Type) -> bool:
    """Whether it is certain that the type has no value."""
    return _proved(empty(type))


def _proved(goal: Goal) -> bool:
    return proved(goal, _steps)


def _steps(goal: Goal) -> Steps:
    question, one, other = goal
    if question is Question.INSIDE:
        return steps_to_inside(one, other)
    return steps_to_apart(one, other) if question is Question.APART else steps_to_empty(one)
