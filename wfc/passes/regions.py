"""Foreach bodies and fork branches as reference 1.4 defines them: which step lies in which, and which join closes a fork.

Guarantees: in a well-formed workflow every reachable step has its innermost region and every fork its one join, found in
one walk. In any other, `faults` names each edge, fork or join to blame, and the regions are those of the workflow with
these put right, so that one fault neither hides nor repeats another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from wfc.ir import END, EndStep, ForeachStep, ForkStep, JoinStep
from wfc.passes.wiring import Wire, Wiring


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """The body of a foreach, or one branch of a fork: what is entered by `outcome` of `step`."""

    step: str
    outcome: str
    body: bool
    parent: Region | None

    def outwards(self) -> Iterator[Region]:
        """The region and those around it, innermost first."""
        region: Region | None = self
        while region is not None:
            yield region
            region = region.parent

    @property
    def in_branch(self) -> bool:
        return any(not region.body for region in self.outwards())


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


Fault = Escape | Intrusion | Unclosed | IdleJoin | DeadBranch


@dataclass(frozen=True, slots=True)
class Repairs:
    """What to read differently so that the regions are well formed: wires that go elsewhere or nowhere, the start,
    forks that open no branches, joins that are passed like any other step."""

    targets: Mapping[Wire, str | None] = field(default_factory=dict)
    start: str | None = None
    plain: frozenset[str] = frozenset()

    def after(self, faults: list[Fault]) -> Repairs:
        """These repairs and one for each fault. A wire that is to blame twice leads nowhere any more."""
        targets, start, plain = dict(self.targets), self.start, set(self.plain)
        for fault in faults:
            match fault:
                case Escape(wire, exit=exit):
                    targets[wire] = None if wire in targets else exit
                case Intrusion(None, step):
                    start = step
                case Intrusion(wire, step) if wire is not None:
                    targets[wire] = None if wire in targets else step
                case Unclosed(fork):
                    plain.add(fork)
                case IdleJoin(join):
                    plain.add(join)
        return replace(self, targets=targets, start=start, plain=frozenset(plain))


@dataclass(frozen=True, slots=True)
class Routes:
    """The wires of a workflow as repaired."""

    wiring: Wiring
    repairs: Repairs

    @property
    def start(self) -> str | None:
        return self.repairs.start or self.wiring.start

    def leaving(self, step: str) -> Iterator[tuple[Wire, str]]:
        """The wires of a step with the targets that they lead to."""
        targets = self.repairs.targets
        for wire in self.wiring.out.get(step, ()):
            target = targets.get(wire, wire.target) if targets else wire.target
            if target is not None:
                yield wire, target

    def opens(self, wire: Wire) -> bool:
        """Whether a wire enters a region."""
        step = self.wiring.steps[wire.source]
        if isinstance(step, ForeachStep):
            return wire.outcome == "item"
        return isinstance(step, ForkStep) and wire.source not in self.repairs.plain

    def closes(self, step: str) -> bool:
        """Whether a step ends the branch in which it is reached."""
        return isinstance(self.wiring.steps.get(step), JoinStep) and step not in self.repairs.plain

    def ends(self, target: str) -> bool:
        return target == END or isinstance(self.wiring.steps[target], EndStep)


@dataclass(frozen=True, slots=True)
class Labels:
    """The regions of one walk. `conflicts` are wires that disagree with it; none of them when all is well formed."""

    innermost: dict[str, Region | None]
    joins: dict[str, dict[str, None]]
    returning: dict[Region, None]
    opened: list[tuple[Wire, Region]]
    conflicts: list[Wire]


def label(routes: Routes) -> Labels:
    """Walk from the start and give every step the region that the first way to it implies."""
    start = routes.start
    labels = Labels({} if start is None else {start: None}, {}, {}, [], [])
    waiting = list(labels.innermost)
    while waiting:
        source = waiting.pop()
        region = labels.innermost[source]
        for wire, target in routes.leaving(source):
            inside = region
            if routes.opens(wire):
                inside = Region(source, wire.outcome, isinstance(routes.wiring.steps[source], ForeachStep), region)
                labels.opened.append((wire, inside))
            landing = _land(inside, target, routes, labels)
            if routes.ends(target) and landing is not None:
                labels.conflicts.append(wire)
            if target == END:
                continue
            if target not in labels.innermost:
                labels.innermost[target] = landing
                waiting.append(target)
            elif labels.innermost[target] is not landing:
                labels.conflicts.append(wire)
    return labels


def _land(inside: Region | None, target: str, routes: Routes, labels: Labels) -> Region | None:
    """The region in which a wire arrives at its target."""
    if inside is None:
        return None
    if inside.body and target == inside.step:
        labels.returning[inside] = None
        return inside.parent
    if not inside.body and routes.closes(target):
        labels.returning[inside] = None
        labels.joins.setdefault(inside.step, {})[target] = None
        return inside.parent
    return inside


def idle_joins(routes: Routes, labels: Labels) -> list[Fault]:
    """Joins in a branch that close no fork there: those inside a foreach body, where no branch ends."""
    closing = {join for joins in labels.joins.values() for join in joins}
    found: list[Fault] = []
    for step, region in labels.innermost.items():
        if region is not None and routes.closes(step) and step not in closing and region.in_branch:
            fork = next(around.step for around in region.outwards() if not around.body)
            found.append(IdleJoin(step, fork))
    return found


def unjoined(routes: Routes, labels: Labels) -> list[str]:
    """The forks that have no join, or several."""
    forks = {region.step for _, region in labels.opened if not region.body}
    return [fork for fork in labels.innermost if fork in forks and len(labels.joins.get(fork, ())) != 1]


@dataclass(frozen=True, slots=True)
class Regions:
    """What is known of the regions of one workflow.

    `innermost` has every step that is reached; `join_of` the one join of each fork that has one; `dead` the branches
    that never reach it.
    """

    innermost: Mapping[str, Region | None]
    join_of: Mapping[str, str]
    faults: tuple[Fault, ...]
    dead: tuple[DeadBranch, ...]


def find_regions(wiring: Wiring) -> Regions:
    """The regions of a workflow, and every fault that keeps them from being well formed."""
    from wfc.passes.blame import blame

    faults: list[Fault] = []
    repairs = Repairs()
    while True:
        routes = Routes(wiring, repairs)
        labels = label(routes)
        found = idle_joins(routes, labels)
        if labels.conflicts or unjoined(routes, labels):
            found = blame(routes, labels) or found
        if not found:
            break
        faults += _new(found, repairs)
        repairs = repairs.after(found)
    join_of = {fork: next(iter(joins)) for fork, joins in labels.joins.items() if len(joins) == 1}
    return Regions(labels.innermost, join_of, tuple(faults), tuple(_dead(labels, join_of)))


def _new(found: list[Fault], repairs: Repairs) -> list[Fault]:
    """The certain faults that blame nothing which was blamed before."""
    return [fault for fault in found if not _is_old(fault, repairs)]


def _is_old(fault: Fault, repairs: Repairs) -> bool:
    match fault:
        case Escape(wire) | Intrusion(wire):
            return wire in repairs.targets
        case Unclosed(certain=certain):
            return not certain
        case _:
            return False


def _dead(labels: Labels, join_of: Mapping[str, str]) -> Iterator[DeadBranch]:
    for _, region in labels.opened:
        if not region.body and region not in labels.returning and region.step in join_of:
            yield DeadBranch(region.step, region.outcome, join_of[region.step])
