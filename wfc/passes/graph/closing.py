"""Which join closes a fork: the first one on the ways from its branches, inner forks and loops passed over.

Used where the regions are not well formed, so that a fork is matched with the join that its author meant.
"""

from __future__ import annotations

from collections.abc import Callable

from wfc.ir import ForeachStep, ForkStep, HoleStep
from wfc.passes.graph.region_faults import Fault, Unclosed
from wfc.passes.graph.routes import Routes
from wfc.records import dataclass, field

Relation = Callable[[str, str], bool]


@dataclass
class Closing:
    """The join of each fork that has one, and the faults of the others; owned by `match`.

    `precedes(step, fork)` tells that a step lies on every way to a fork; a branch never comes back to one.
    `merges(fork, join)` tells that every way to a join leads through one branch of the fork, so that it may be one
    inside that branch.
    """

    routes: Routes
    precedes: Relation
    merges: Relation
    join_of: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    open_forks: dict[str, _Walk] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def match(self, fork: str) -> None:
        """Find the join of a fork; inner forks have to come first."""
        walk = _Walk(self, fork)
        first = walk.joins(lambda join: join in self.taken and self.merges(fork, join))
        if len(first) > 1 and (shared := [join for join in first if join in walk.passed]):
            first = shared
        found = first
        if len(first) > 1 and not walk.blind:
            found = walk.joins(lambda join: self.merges(fork, join))
        if len(found) == 1:
            self.join_of[fork] = found[0]
            self.taken.add(found[0])
            return
        self.open_forks[fork] = walk
        certain = not walk.blind and bool(first or walk.ended)
        self.faults.append(Unclosed(fork, tuple(found or first), certain=certain))


@dataclass
class _Walk:
    """The ways from a fork onwards.

    `found` are the joins that they come to first, `passed` those that inner forks took. `ended` when a way ends, fails
    for sure, or comes back, without a join; `blind` when one meets a step that could not be read.
    """

    closing: Closing
    fork: str
    found: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    ended: bool = False
    blind: bool = False

    def joins(self, is_plain: Callable[[str], bool]) -> list[str]:
        """The first joins that may close the fork, by name; plain ones are passed like any other step."""
        routes = self.closing.routes
        self.found = set()
        waiting = [target for _, target in routes.leaving(self.fork)]
        seen: set[str] = set()
        while waiting:
            step = waiting.pop()
            if step in seen:
                continue
            seen.add(step)
            if routes.ends(step) or step == self.fork or self.closing.precedes(step, self.fork):
                self.ended = True
            elif routes.is_join(step) and not is_plain(step):
                self.found.add(step)
            else:
                onwards = self._onwards(step)
                self.ended |= step in routes.failing and not onwards
                waiting += onwards
        return sorted(self.found)

    def _onwards(self, step: str) -> list[str]:
        """Where control is after a step and the region that it may open."""
        routes, join_of = self.closing.routes, self.closing.join_of
        match routes.wiring.steps[step]:
            case ForeachStep():
                return [target for wire, target in routes.leaving(step) if wire.outcome != "item"]
            case ForkStep() if step in join_of:
                self.passed.add(join_of[step])
                step = join_of[step]
            case ForkStep() if step in self.closing.open_forks:
                self._take_over(self.closing.open_forks[step])
                return []
            case HoleStep():
                self.blind = True
        return [target for _, target in routes.leaving(step)]

    def _take_over(self, other: _Walk) -> None:
        """Behind a fork that nothing closes lies what was found there."""
        self.found |= other.found
        self.passed |= other.passed
        self.ended |= other.ended
        self.blind |= other.blind
