"""The ways through a workflow, read with the repairs that make its regions well formed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wfc.ir import END, EndStep, ForeachStep, ForkStep, JoinStep
from wfc.passes.graph.region_faults import Escape, Fault, IdleJoin, Intrusion, Unclosed
from wfc.passes.graph.wiring import Wire, Wiring
from wfc.records import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Repairs:
    """What to read differently so that the regions are well formed: wires that go elsewhere or nowhere, the start,
    forks that open no branches, joins that are passed like any other step.

    `join_of` is no repair: where a branch meets several joins, it says which of them closes the fork.
    """

    targets: Mapping[Wire, str | None] = field(default_factory=dict)
    start: str | None = None
    plain: frozenset[str] = frozenset()
    join_of: Mapping[str, str] = field(default_factory=dict)

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
    """The wires of a workflow as repaired. At the steps `failing` a way rightly stops where no wire leaves them."""

    wiring: Wiring
    repairs: Repairs
    failing: frozenset[str] = frozenset()

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

    def is_join(self, step: str) -> bool:
        """Whether a step may close a fork."""
        return isinstance(self.wiring.steps.get(step), JoinStep) and step not in self.repairs.plain

    def closes(self, step: str, fork: str) -> bool:
        """Whether a step ends a branch of a fork: its join where that is known, else the first join."""
        known = self.repairs.join_of.get(fork)
        return self.is_join(step) if known is None else step == known

    def ends(self, target: str) -> bool:
        return target == END or isinstance(self.wiring.steps[target], EndStep)
