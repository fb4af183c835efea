"""The ways of control through a workflow as a graph of points, with what happens to state and to what is known there.

Guarantees: along every way that a run can take, lineages included, the points come in the order in which the run reads,
learns and writes. A loop has a point where an item enters, one where it returns and one where the loop is left; a fork
has one where each branch returns and one where they are joined. A condition is a point for each of its comparisons, so
that what is evaluated only after others is only reached through them. Point 0 is the start; a point to which no arrow
leads otherwise is none that a run can come to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from wfc.passes.graph.wiring import Wire
from wfc.passes.types import ANYTHING, Type
from wfc.passes.values.access import Read, Write
from wfc.passes.values.roots import Parts, Root
from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class Prove:
    """From here on something is certain: that a place is there, with a value of a type, or that it is not there."""

    root: Root
    parts: Parts
    there: bool
    type: Type = ANYTHING


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """A binding writes, its step having taken an outcome; not `exact` where the place lies deeper than is followed."""

    root: Root
    parts: Parts
    write: Write
    outcome: str
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Enter:
    """An item of the loop `root.name` enters."""

    root: Root


@dataclass(frozen=True, slots=True)
class Forget:
    """What comes before could not be read, so that nothing is known of the root."""

    root: Root


@dataclass(frozen=True, slots=True)
class Drop:
    """A serial item ends: what is local to it is again as it was at `entry`, where it began."""

    root: Root
    barrier: Barrier


Effect = Prove | Assign | Enter | Forget | Drop

Region = tuple[str, str]
"""A foreach body or fork branch: the step that opens it and the outcome that enters it."""


@dataclass(frozen=True, slots=True)
class End:
    """The point where the lineages of a region come to their barrier; `certain`: at least one of them always does."""

    point: int
    region: Region
    certain: bool


@dataclass(frozen=True, slots=True)
class Barrier:
    """Where lineages hand on what they wrote; `entry` is the point whose state they began with.

    `step` is the foreach or fork. `side_by_side` lineages are merged; others follow one after the other.
    """

    step: str
    entry: int
    ends: tuple[End, ...]
    locals: tuple[tuple[Root, Parts], ...]
    side_by_side: bool


@dataclass(frozen=True)
class Points:
    """The graph of one workflow.

    `step` and `wire` tell per point where it belongs, `effects` what happens at it, after what is read at it.
    `arrival` is the point at which a step reads, `leaving` the one at which it has taken an outcome, `read_at` that of
    each look.
    """

    step: Sequence[str]
    wire: Sequence[Wire | None]
    after: Sequence[Sequence[int]]
    before: Sequence[Sequence[int]]
    effects: Sequence[Sequence[Effect]]
    arrival: Mapping[str, int]
    leaving: Mapping[tuple[str, str], int]
    read_at: Mapping[Read, int]
    barriers: Mapping[int, Barrier]

    @cached_property
    def barrier_of(self) -> Mapping[str, tuple[int, Barrier]]:
        """The barrier of each foreach and fork that has one, with the point behind it."""
        return {barrier.step: (point, barrier) for point, barrier in self.barriers.items()}
