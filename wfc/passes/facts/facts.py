"""What is known of a module: its flows, what explains their faults, and what they contain of one another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from wfc.ir import Linked, Module, SubgraphStep
from wfc.passes.facts.barrier_writes import Clash, clashes
from wfc.passes.facts.field_uses import FieldUses
from wfc.passes.facts.reads import Reads
from wfc.passes.facts.reducer_kinds import appended_lists, misfits
from wfc.passes.facts.uses import Uses, uses_of
from wfc.passes.graph.causes import Causes, Lacking, find_causes
from wfc.passes.graph.flow import Flow
from wfc.passes.types import Type
from wfc.passes.values import Values, Write
from wfc.records import dataclass

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recursion:
    """A subgraph step that leads back to a workflow which contains it; `way` names the workflows once around."""

    flow: Flow
    step: SubgraphStep
    way: tuple[str, ...]


@dataclass(frozen=True)
class Facts:
    """The facts of a module, shared by all passes; flows stand in the order of its workflows."""

    module: Module

    @cached_property
    def flows(self) -> tuple[Flow, ...]:
        return tuple(Flow(index, workflow) for index, workflow in enumerate(self.module.workflows))

    @cached_property
    def values(self) -> Values:
        return Values(self.flows)

    @cached_property
    def _reads(self) -> tuple[Reads, ...]:
        return tuple(Reads(flow, self.values.solver(flow)) for flow in self.flows)

    def reads(self, flow: Flow) -> Reads:
        """What is wrong with the looks of a flow."""
        return self._reads[flow.index]

    @cached_property
    def _uses(self) -> tuple[Uses, ...]:
        return tuple(uses_of(self.values.solver(flow)) for flow in self.flows)

    def uses(self, flow: Flow) -> Uses:
        """Which writes of a flow somebody looks at."""
        return self._uses[flow.index]

    @cached_property
    def _clashes(self) -> tuple[list[Clash], ...]:
        return tuple(clashes(flow, self.values.solver(flow)) for flow in self.flows)

    def clashes(self, flow: Flow) -> list[Clash]:
        """Where writes of lineages that run side by side exclude one another."""
        return self._clashes[flow.index]

    @cached_property
    def _causes(self) -> tuple[Causes, ...]:
        return tuple(find_causes(flow, self.lacking[flow.index]) for flow in self.flows)

    @cached_property
    def lacking(self) -> tuple[tuple[Lacking, ...], ...]:
        """Per flow the outcomes of children that its steps do not declare, however they may misspell them."""
        return tuple(tuple(self._lacking(flow)) for flow in self.flows)

    def _lacking(self, flow: Flow) -> Iterator[Lacking]:
        for step in flow.workflow.steps:
            if isinstance(step, SubgraphStep) and (child := self.child(step)) is not None:
                yield from (Lacking(step, outcome) for outcome in child.given if outcome not in step.declared)

    @cached_property
    def _field_uses(self) -> tuple[FieldUses, ...]:
        return tuple(FieldUses(flow, self.values.solver(flow).accesses) for flow in self.flows)

    def field_uses(self, flow: Flow) -> FieldUses:
        """What the steps of a flow do with its input and state."""
        return self._field_uses[flow.index]

    @cached_property
    def _misfits(self) -> tuple[Mapping[Parts, Type], ...]:
        return tuple(misfits(uses) for uses in self._field_uses)

    def misfits(self, flow: Flow) -> Mapping[Parts, Type]:
        """The state paths that refuse all that their reducer gives, with what they admit."""
        return self._misfits[flow.index]

    @cached_property
    def _appended(self) -> tuple[Mapping[Write, Type], ...]:
        return tuple(appended_lists(self.values, uses) for uses in self._field_uses)

    def appended(self, flow: Flow) -> Mapping[Write, Type]:
        """The writes of lists that are appended as if each were one element, with what they write."""
        return self._appended[flow.index]

    def is_misdirected(self, flow: Flow, write: Write) -> bool:
        """Whether what is wrong with a write is said of its target or of the reducer there, so that more follows."""
        parts = write.path.parts
        known = parts in self.field_uses(flow).doubtful or parts in self.misfits(flow)
        return known or self.reads(flow).clashes(write) or write in self.appended(flow)

    def causes(self, flow: Flow) -> Causes:
        """Which fault of a flow explains which of its islands."""
        return self._causes[flow.index]

    def child(self, step: SubgraphStep) -> Flow | None:
        """The flow that a subgraph step runs, where its reference led to one."""
        return self.flows[step.link.index] if isinstance(step.link, Linked) else None

    @cached_property
    def recursions(self) -> tuple[Recursion, ...]:
        """One subgraph step for each way in which a workflow contains itself, found from `main` on."""
        found: list[Recursion] = []
        done: set[int] = set()
        main = self.module.main
        for root in sorted(self.flows, key=lambda flow: (flow.index != main, flow.workflow.name, flow.index)):
            found += self._recursions_from(root.index, done)
        return tuple(found)

    def _recursions_from(self, root: int, done: set[int]) -> Iterator[Recursion]:
        """Go down the children depth first; one that is still open above contains itself."""
        if root in done:
            return
        done.add(root)
        way = [root]
        waiting = [iter(self._children(root))]
        while way:
            for child, step in waiting[-1]:
                if child in way:
                    around = [*way[way.index(child) :], child]
                    names = tuple(self.flows[index].workflow.name for index in around)
                    yield Recursion(self.flows[way[-1]], step, names)
                elif child not in done:
                    done.add(child)
                    way.append(child)
                    waiting.append(iter(self._children(child)))
                    break
            else:
                way.pop()
                waiting.pop()

    def _children(self, index: int) -> list[tuple[int, SubgraphStep]]:
        """The children of a workflow by name, each with the first step that runs it."""
        first: dict[int, SubgraphStep] = {}
        for step in sorted(self.flows[index].workflow.steps, key=lambda step: step.id):
            if isinstance(step, SubgraphStep) and isinstance(step.link, Linked):
                first.setdefault(step.link.index, step)
        return sorted(first.items(), key=lambda pair: self.flows[pair[0]].workflow.name)
