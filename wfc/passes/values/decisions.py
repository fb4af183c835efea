"""A condition as a graph of its comparisons: which one is evaluated after which, and which answer decides (reference
1.8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal

from wfc.ir import Compare, Every, Exists, Not, Some, Test
from wfc.records import dataclass

Answer = Literal["true", "false"]
"""What the whole condition says."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One comparison or `exists`: where its answers lead, to the index of another one or to an answer of the whole."""

    test: Exists | Compare
    if_true: int | Answer
    if_false: int | Answer


def decisions(tests: Sequence[Test]) -> Mapping[int, Decision]:
    """The decisions of a condition by the index of their entry, the first one that is evaluated first."""
    first, last = _first(tests), len(tests) - 1
    targets: dict[int, tuple[int | Answer, int | Answer]] = {last: ("true", "false")}
    found: dict[int, Decision] = {}
    for index in reversed(range(len(tests))):
        if index not in targets:
            continue
        yes, no = targets[index]
        match tests[index]:
            case Not(arg):
                targets[arg] = no, yes
            case Every(args):
                targets |= {arg: (first[following], no) for arg, following in pairwise(args)}
                targets[args[-1]] = yes, no
            case Some(args):
                targets |= {arg: (yes, first[following]) for arg, following in pairwise(args)}
                targets[args[-1]] = yes, no
            case Exists() | Compare() as test:
                found[index] = Decision(test, yes, no)
    return {first[last]: found[first[last]], **found}


def _first(tests: Sequence[Test]) -> list[int]:
    """Per entry the decision that is evaluated first in it; operands stand before their operators."""
    first: list[int] = []
    for index, test in enumerate(tests):
        match test:
            case Not(arg):
                first.append(first[arg])
            case Every(args) | Some(args):
                first.append(first[args[0]])
            case _:
                first.append(index)
    return first
