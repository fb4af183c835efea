"""What can be wrong with foreach bodies and fork branches (reference 1.4), each with what is to blame for it."""

from __future__ import annotations

from wfc.passes.graph.wiring import Wire
from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class Escape:
    """A wire leaves the region that `outcome` of `step` enters for anything but its foreach step or its join."""

    wire: Wire
    step: str
    outcome: str
    exit: str


@dataclass(frozen=True, slots=True)
class Intrusion:
    """A wire, or `start` where there is none, leads from outside into a region."""

    wire: Wire | None
    step: str
    outcome: str
    into: str


@dataclass(frozen=True, slots=True)
class Unclosed:
    """No join, or several, close a fork; or only one outside the region of the foreach or fork `outer`.

    Not `certain` where something unreadable or unwired may be the reason.
    """

    fork: str
    joins: tuple[str, ...]
    outer: str | None = None
    certain: bool = True


@dataclass(frozen=True, slots=True)
class IdleJoin:
    """A join inside a branch of `fork` closes no fork there."""

    join: str
    fork: str


@dataclass(frozen=True, slots=True)
class DeadBranch:
    """A branch that never reaches the join of its fork."""

    fork: str
    branch: str
    join: str


Fault = Escape | Intrusion | Unclosed | IdleJoin
