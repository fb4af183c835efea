"""Names of steps that lead nowhere, and which step each of them surely means.

A guess has to fit: an edge comes from a step that still lacks an edge for its outcome, a run begins at a step that
nothing leads to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from wfc.diagnostics import Place
from wfc.ir import END, Edge, EndStep, Step, Workflow
from wfc.passes.spelling import Speller, meant
from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """A step's name where it is used: as `start` of a workflow, or as `from` or `to` of an edge."""

    role: str
    name: str
    owner: Place
    edge: Edge | None = None

    @property
    def at(self) -> Place:
        return self.owner.below(self.role)


@dataclass(frozen=True, slots=True)
class Dangling:
    """A name that no step has, with everything that uses it.

    `meant` is the step that it surely stands for. `misnamed` is a step whose own id is the fault: it is the one that
    the references mean, and nothing else refers to it.
    """

    name: str
    references: tuple[Reference, ...]
    meant: str | None
    misnamed: Step | None = None


def find_dangling(workflow: Workflow, steps: Mapping[str, Step], twins: Sequence[Step]) -> tuple[Dangling, ...]:
    """The unknown names of a workflow. `steps` are its steps by id, `twins` those whose id is an earlier step's."""
    uses: dict[str, list[Reference]] = {}
    for reference in _unknown(workflow, steps):
        uses.setdefault(reference.name, []).append(reference)
    if not uses:
        return ()
    if len(uses) == len(twins) == 1:
        ((name, found),) = uses.items()
        return (Dangling(name, tuple(found), name, twins[0]),)
    guessing = _Guessing(workflow, steps, only_one=len(uses) == 1)
    return tuple(guessing.explain(name, found) for name, found in uses.items())


def _unknown(workflow: Workflow, steps: Mapping[str, Step]) -> Iterator[Reference]:
    """Every use of a name that no step has, in the order of the document."""
    if workflow.start is not None and workflow.start not in steps:
        yield Reference("start", workflow.start, workflow.at)
    for edge in workflow.edges:
        if edge.source is not None and edge.source not in steps:
            yield Reference("from", edge.source, edge.at, edge)
        if edge.target is not None and edge.target not in steps and edge.target != END:
            yield Reference("to", edge.target, edge.at, edge)


@dataclass(frozen=True)
class _Guessing:
    """What unknown names may mean; `only_one` when there is no other one in the workflow."""

    workflow: Workflow
    steps: Mapping[str, Step]
    only_one: bool

    def explain(self, name: str, found: list[Reference]) -> Dangling:
        misnamed = self._misnamed(name, found)
        if misnamed is not None:
            return Dangling(name, tuple(found), misnamed.id, misnamed)
        return Dangling(name, tuple(found), self._meant(name, found))

    def _misnamed(self, name: str, found: list[Reference]) -> Step | None:
        """The step that several references mean although its id says otherwise: nobody refers to it by its id."""
        if len(found) < 2 or not self.orphans:
            return None
        if self.only_one and len(self.orphans) == 1 and len({reference.role for reference in found}) > 1:
            return next(iter(self.orphans.values()))
        guess = self.among_orphans.meant(name)
        return None if guess is None else self.orphans[guess]

    def _meant(self, name: str, found: list[Reference]) -> str | None:
        roles = {reference.role for reference in found}
        if "from" in roles:
            outcomes = {reference.edge.outcome for reference in found if reference.edge and reference.role == "from"}
            sources = self._lacking(outcomes)
            return meant(name, sources) or (sources[0] if len(sources) == 1 and roles == {"from"} else None)
        if "start" in roles:
            only = self.untargeted[0] if len(self.untargeted) == 1 and roles == {"start"} else None
            return self.among_untargeted.meant(name) or only or self.among_steps.meant(name)
        return self.among_untargeted.meant(name) or self.among_targets.meant(name)

    def _lacking(self, outcomes: set[str | None]) -> list[str]:
        """The steps that have these outcomes and no edge for any of them."""
        return [
            name
            for name, step in self.steps.items()
            if not isinstance(step, EndStep)
            and (step.outcomes is None or outcomes <= set(step.outcomes))
            and not any((name, outcome) in self.wired for outcome in outcomes)
        ]

    @cached_property
    def wired(self) -> frozenset[tuple[str | None, str | None]]:
        return frozenset((edge.source, edge.outcome) for edge in self.workflow.edges)

    @cached_property
    def untargeted(self) -> list[str]:
        """The steps that nothing leads to."""
        targets = {self.workflow.start, *(edge.target for edge in self.workflow.edges)}
        return [name for name in self.steps if name not in targets]

    @cached_property
    def orphans(self) -> dict[str, Step]:
        """The steps that nothing leads to and nothing leaves."""
        sources = {edge.source for edge in self.workflow.edges}
        return {name: self.steps[name] for name in self.untargeted if name not in sources}

    @cached_property
    def among_orphans(self) -> Speller:
        return Speller(self.orphans)

    @cached_property
    def among_untargeted(self) -> Speller:
        return Speller(self.untargeted)

    @cached_property
    def among_steps(self) -> Speller:
        return Speller(self.steps)

    @cached_property
    def among_targets(self) -> Speller:
        return Speller([*self.steps, END])
