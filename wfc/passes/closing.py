"""Which join closes a fork: the first one on the ways from its branches, inner forks and loops passed over.

Used where the regions are not well formed, so that a fork is matched with the join that its author meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from wfc.ir import ForeachStep, ForkStep, HoleStep
from wfc.passes.region_faults import Fault, Unclosed
from wfc.passes.routes import Routes


@dataclass
class Closing:
    """The join of each fork that has one, and the faults of the others; owned by `closing_joins`."""

    join_of: dict[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


def closing_joins(
    routes: Routes,
    forks: Iterable[str],
    precedes: Callable[[str, str], bool],
    merges: Callable[[str, str], bool],
) -> Closing:
    """Match forks with joins. Inner forks have to come first.

    `precedes(step, fork)` tells that a step lies on every way to a fork; a branch never comes back to one. `merges(fork,
    join)` tells that every way to a join leads through one branch of the fork, so that it may be one inside that branch.
    """
    closing = Closing()
    taken: set[str] = set()
    open_forks: dict[str, _Walk] = {}
    for fork in forks:
        walk = _Walk(routes, closing.join_of, open_forks, partial(_precedes, precedes, fork))
        first = walk.joins(fork, lambda join, fork=fork: join in taken and merges(fork, join))  # type: ignore[misc]
        if len(first) > 1 and (shared := [join for join in first if join in walk.passed]):
            first = shared
        found = first
        if len(first) > 1 and not walk.blind:
            found = walk.joins(fork, partial(merges, fork))
        if len(found) == 1:
            closing.join_of[fork] = found[0]
            taken.add(found[0])
        else:
            open_forks[fork] = walk
            certain = not walk.blind and bool(first or walk.ended)
            closing.faults.append(Unclosed(fork, tuple(found or first), certain=certain))
    return closing


def _precedes(precedes: Callable[[str, str], bool], fork: str, step: str) -> bool:
    return step == fork or precedes(step, fork)


@dataclass
class _Walk:
    """The ways from a fork onwards.

    `found` are the joins that they come to first, `passed` those that inner forks took. `ended` when a way ends, or
    comes back, without a join; `blind` when one meets a step that could not be read.
    """

    routes: Routes
    join_of: dict[str, str]
    open_forks: dict[str, _Walk]
    comes_back: Callable[[str], bool]
    found: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    ended: bool = False
    blind: bool = False

    def joins(self, fork: str, is_plain: Callable[[str], bool]) -> list[str]:
        """The first joins that may close the fork, by name; plain ones are passed like any other step."""
        self.found.clear()
        waiting = [target for _, target in self.routes.leaving(fork)]
        seen: set[str] = set()
        while waiting:
            step = waiting.pop()
            if step in seen:
                continue
            seen.add(step)
            if self.routes.ends(step) or self.comes_back(step):
                self.ended = True
            elif self.routes.is_join(step) and not is_plain(step):
                self.found.add(step)
            else:
                waiting += self._onwards(step)
        return sorted(self.found)

    def _onwards(self, step: str) -> list[str]:
        """Where control is after a step and the region that it may open."""
        leaving = self.routes.leaving(step)
        match self.routes.wiring.steps[step]:
            case ForeachStep():
                return [target for wire, target in leaving if wire.outcome != "item"]
            case ForkStep() if step in self.join_of:
                self.passed.add(self.join_of[step])
                return [target for _, target in self.routes.leaving(self.join_of[step])]
            case ForkStep() if step in self.open_forks:
                self._take_over(self.open_forks[step])
                return []
            case HoleStep():
                self.blind = True
        return [target for _, target in leaving]

    def _take_over(self, other: _Walk) -> None:
        """Behind a fork that nothing closes lies what was found there."""
        self.found |= other.found
        self.passed |= other.passed
        self.ended |= other.ended
        self.blind |= other.blind
