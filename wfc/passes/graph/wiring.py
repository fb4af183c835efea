"""Edges as they are meant: names that only misspell a step or an outcome are put right, so that no more follows.

Guarantees to whoever asks afterwards: every wire leaves a step that is there by an outcome of it (or of an unreadable
step), each (step, outcome) has one wire, and what could not be put right stands in `dangling`, `undeclared` or
`repeated` with the place at which it was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from wfc.ir import END, Edge, EndStep, Step, Workflow
from wfc.passes.graph.names import Dangling, find_dangling
from wfc.passes.spelling import outcome_meant
from wfc.records import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class Wire:
    """source –outcome→ target      An edge by which control can go; `target` is a step or `__end__`."""

    edge: Edge
    source: str
    outcome: str
    target: str


@dataclass(frozen=True, slots=True)
class Undeclared:
    """An edge by an outcome that its source does not declare; `meant` is the unwired outcome that it stands for.

    It may stand for one as long as some outcome of the source has no edge.
    """

    edge: Edge
    step: Step
    meant: str | None
    may_stand: bool


@dataclass(frozen=True, slots=True)
class Repeated:
    """A second edge for one outcome.

    `meant` is the one outcome of the step that has no edge, if there is just one; else `source` is the one step that
    has no edge for this outcome.
    """

    edge: Edge
    first: Edge
    meant: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Wiring:
    """The graph of a workflow as it is meant, and what is wrong with it as written.

    `steps` are the steps by id, a misnamed twin by the id that is meant. `out` holds the wires of each step, its first
    outcome's first and the others in order of their names. `loose` are further steps that an edge leads to although no
    run could take it; `entries` are steps that are led to from where nobody can know. `blurred` are steps of which an
    edge has no readable outcome, `wired` the outcomes with an edge.
    """

    start: str | None
    steps: Mapping[str, Step]
    out: Mapping[str, Sequence[Wire]]
    loose: Mapping[str, Sequence[str]]
    entries: tuple[str, ...]
    wired: Mapping[str, frozenset[str]]
    blurred: frozenset[str]
    dangling: tuple[Dangling, ...]
    undeclared: tuple[Undeclared, ...]
    repeated: tuple[Repeated, ...]
    from_end: tuple[Edge, ...]


def outcome_order(outcomes: Iterable[str]) -> dict[str, int]:
    """The rank of each outcome: the first one first, the others by name, however the author ordered them (4.1.1)."""
    first, *others = dict.fromkeys(outcomes)
    return {name: rank for rank, name in enumerate([first, *sorted(others)])}


def lay_wires(workflow: Workflow, steps: Mapping[str, Step], twins: Sequence[Step]) -> Wiring:
    """Lay out the edges of a workflow. `steps` are its steps by id, `twins` those whose id is an earlier step's."""
    dangling = find_dangling(workflow, steps, twins)
    renamed = {found.name: twin for found in dangling for twin in twins if found.misnamed is twin}
    unclear = {twin.id for twin in twins if not renamed}
    laying = _Laying({**steps, **renamed}, {found.name: found.meant for found in dangling}, unclear)
    for edge in workflow.edges:
        laying.lay(edge)
    laying.settle()
    return Wiring(
        start=laying.step(workflow.start),
        steps=laying.steps,
        out={source: _in_order(laying.steps[source], wires) for source, wires in laying.out.items()},
        loose=laying.loose,
        entries=tuple(dict.fromkeys(laying.entries)),
        wired={source: frozenset(outcomes) for source, outcomes in laying.wired.items()},
        blurred=frozenset(laying.blurred | unclear),
        dangling=dangling,
        undeclared=tuple(laying.undeclared),
        repeated=tuple(laying.repeated),
        from_end=tuple(laying.from_end),
    )


def _in_order(step: Step, wires: list[Wire]) -> list[Wire]:
    if len(wires) < 2:
        return wires
    rank = outcome_order(step.outcomes) if step.outcomes else {}
    return sorted(wires, key=lambda wire: (rank.get(wire.outcome, len(rank)), wire.outcome))


@dataclass
class _Laying:
    """The edges laid so far; owned by `lay_wires`."""

    steps: dict[str, Step]
    names: Mapping[str, str | None]
    unclear: set[str]
    declared: dict[str, frozenset[str] | None] = field(default_factory=dict)
    out: dict[str, list[Wire]] = field(default_factory=dict)
    loose: dict[str, list[str]] = field(default_factory=dict)
    entries: list[str] = field(default_factory=list)
    wired: dict[str, dict[str, Edge]] = field(default_factory=dict)
    blurred: set[str] = field(default_factory=set)
    strays: list[tuple[Edge, str, str | None]] = field(default_factory=list)
    seconds: list[tuple[Edge, str, str | None]] = field(default_factory=list)
    undeclared: list[Undeclared] = field(default_factory=list)
    repeated: list[Repeated] = field(default_factory=list)
    from_end: list[Edge] = field(default_factory=list)

    def step(self, name: str | None) -> str | None:
        """The id of the step that a written name means."""
        if name is None or name in self.steps:
            return name
        return self.names.get(name)

    def lay(self, edge: Edge) -> None:
        """Connect an edge where it says, or put it aside."""
        source = self.step(edge.source)
        target = END if edge.target == END else self.step(edge.target)
        if source is None:
            self.entries += [target] if target not in (None, END) else []
            return
        if isinstance(self.steps[source], EndStep):
            self.from_end.append(edge)
            self._loosen(source, target)
            return
        if edge.outcome is None:
            self.blurred.add(source)
            self._loosen(source, target)
            return
        if not self._declares(source, edge.outcome):
            self.strays.append((edge, source, target))
        elif edge.outcome not in self.wired.get(source, ()):
            self._connect(edge, source, edge.outcome, target)
        elif source in self.unclear:
            self._loosen(source, target)
        else:
            self.seconds.append((edge, source, target))

    def settle(self) -> None:
        """Give the edges that fit nowhere to the outcomes that they probably mean."""
        for edge, source, target in self.strays:
            left, outcome = self._unwired(source), str(edge.outcome)
            guess = outcome_meant(outcome, left) or (left[0] if len(left) == 1 else None)
            self.undeclared.append(Undeclared(edge, self.steps[source], guess, bool(left)))
            if left:
                self._connect(edge, source, guess or outcome, target)
            else:
                self._loosen(source, target)
        for edge, source, target in self.seconds:
            self._place_second(edge, source, str(edge.outcome), target)

    def _place_second(self, edge: Edge, source: str, outcome: str, target: str | None) -> None:
        first = self.wired[source][outcome]
        left = self._unwired(source) if first.target != edge.target else []
        lacking = self._lacking(outcome) if first.target != edge.target and not left else []
        if len(left) == 1:
            self.repeated.append(Repeated(edge, first, meant=left[0]))
            self._connect(edge, source, left[0], target)
        elif len(lacking) == 1:
            self.repeated.append(Repeated(edge, first, source=lacking[0]))
            self._connect(edge, lacking[0], outcome, target)
        else:
            self.repeated.append(Repeated(edge, first))
            self._loosen(source, target)

    def _declares(self, source: str, outcome: str) -> bool:
        """Whether a step may leave by an outcome; one whose outcomes are not known may leave by any."""
        if source not in self.declared:
            known = None if source in self.unclear else self.steps[source].outcomes
            self.declared[source] = None if known is None else frozenset(known)
        declared = self.declared[source]
        return declared is None or outcome in declared

    def _connect(self, edge: Edge, source: str, outcome: str, target: str | None) -> None:
        self.wired.setdefault(source, {})[outcome] = edge
        if target is not None:
            self.out.setdefault(source, []).append(Wire(edge, source, outcome, target))

    def _loosen(self, source: str, target: str | None) -> None:
        if target is not None and target != END:
            self.loose.setdefault(source, []).append(target)

    def _unwired(self, source: str) -> list[str]:
        taken = self.wired.get(source, {})
        return [outcome for outcome in dict.fromkeys(self.steps[source].outcomes or ()) if outcome not in taken]

    def _lacking(self, outcome: str) -> list[str]:
        """Steps that have an outcome and no edge for it."""
        return [
            name
            for name, step in self.steps.items()
            if name not in self.unclear and outcome in (step.outcomes or ()) and outcome not in self.wired.get(name, ())
        ]
