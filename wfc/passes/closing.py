"""Which join closes a fork: the first one on the ways from its branches, inner forks and loops passed over.

Used where the regions are not well formed, so that a fork is matched with the join that its author meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

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
    outside: Callable[[str], set[str]],
    merges: Callable[[str, str], bool],
) -> Closing:
    """Match forks with joins. Inner forks have to come first.

    `outside(fork)` are the steps on every way to a fork; a branch never comes back to one of them. `merges(fork, join)`
    tells that every way to a join leads through one branch of the fork, so that it may be a join inside that branch.
    """
    closing = Closing()
    taken: set[str] = set()
    for fork in forks:
        walk = _Walk(routes, closing.join_of, outside(fork) | {fork})
        inner = {join for join in taken if merges(fork, join)}
        first = walk.joins(fork, inner)
        if len(first) > 1 and (shared := [join for join in first if join in walk.passed]):
            first = shared
        found = first
        if len(first) > 1 and not walk.blind:
            found = walk.joins(fork, inner | {join for join in first if merges(fork, join)})
        if len(found) == 1:
            closing.join_of[fork] = found[0]
            taken.add(found[0])
        else:
            certain = not walk.blind and bool(first or walk.ended)
            closing.faults.append(Unclosed(fork, tuple(found or first), certain=certain))
    return closing


@dataclass
class _Walk:
    """The ways from a fork onwards.

    `ended` when one of them ends, or comes back, without a join; `blind` when one meets a step that could not be read;
    `passed` are the joins that inner forks took.
    """

    routes: Routes
    join_of: dict[str, str]
    outside: set[str]
    ended: bool = False
    blind: bool = False
    passed: set[str] = field(default_factory=set)

    def joins(self, fork: str, plain: set[str]) -> list[str]:
        """The first joins that may close the fork, by name; `plain` ones are passed like any other step."""
        found: set[str] = set()
        waiting = [target for _, target in self.routes.leaving(fork)]
        seen: set[str] = set()
        while waiting:
            step = waiting.pop()
            if step in seen:
                continue
            seen.add(step)
            if step in self.outside or self.routes.ends(step):
                self.ended = True
            elif self.routes.is_join(step) and step not in plain:
                found.add(step)
            else:
                waiting += self._onwards(step)
        return sorted(found)

    def _onwards(self, step: str) -> list[str]:
        """Where control is after a step and the region that it may open."""
        leaving = self.routes.leaving(step)
        match self.routes.wiring.steps[step]:
            case ForeachStep():
                return [target for wire, target in leaving if wire.outcome != "item"]
            case ForkStep() if step not in self.routes.repairs.plain:
                join = self.join_of.get(step)
                if join is None:
                    return []
                self.passed.add(join)
                return [target for _, target in self.routes.leaving(join)]
            case HoleStep():
                self.blind = True
        return [target for _, target in leaving]
