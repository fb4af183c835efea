"""What every step reads and writes, as values with places (reference 1.4, 1.5, 1.8).

Guarantees: every path that a run of a step may look at is one `Read`, every binding that it may commit is one `Write`,
in the order of the document. Whether something is there to be read is a question for others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Literal, assert_never

from wfc.diagnostics import Place
from wfc.ir import (
    END,
    Compare,
    Condition,
    ConditionStep,
    EndStep,
    Exists,
    ForeachStep,
    ForkStep,
    HoleStep,
    InputBinding,
    InterruptStep,
    JoinStep,
    NodeStep,
    Operand,
    OutputBinding,
    ReducerRef,
    Step,
    SubgraphStep,
    Value,
    WaitStep,
    std,
)
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.wiring import Wire
from wfc.passes.values.declared import Declared
from wfc.paths import GraphSourcePath, LocalPath, StatePath
from wfc.records import dataclass, field, replace

Role = Literal["input", "request", "operand", "exists", "over", "seconds", "output"]


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """One look of a step at a path.

    `role` is `input` of a node or child, `request` of an interrupt, `operand` of a comparison, `exists`, `over`,
    `seconds`, or `output`: what an end projects. `target` is the field of the payload that a binding fills, `branch`
    the branch of a fork whose `when` looks, `wire` the edge to `__end__` that projects.
    """

    flow: Flow = field(repr=False)
    step: str
    role: Role
    path: GraphSourcePath
    owner: Place = field(repr=False)
    below: tuple[str, ...] = ()
    target: LocalPath | None = None
    branch: str | None = None
    wire: Wire | None = field(default=None, repr=False)

    @property
    def at(self) -> Place:
        """The place of the path."""
        return self.owner.below(*self.below) if self.below else self.owner


Source = Read | Value
"""Where a value comes from: a path that is read, or a literal."""


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """One binding that writes state, with the outcomes of its step that it applies to and the reducer of its path."""

    flow: Flow = field(repr=False)
    step: str
    path: StatePath
    source: LocalPath
    outcomes: tuple[str, ...]
    reducer: ReducerRef
    binding: OutputBinding = field(repr=False)

    @property
    def at(self) -> Place:
        """The place of the target."""
        return self.binding.at.below("target")

    @property
    def replaces(self) -> bool:
        """Whether what was there before is gone afterwards, children included."""
        return self.reducer.capability_key == "replace" and self.reducer.source == std.SOURCE


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """One field of a payload and where its value comes from."""

    target: LocalPath
    source: Source
    binding: InputBinding = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two operands that a condition compares; `at` is the place of the comparison."""

    flow: Flow = field(repr=False)
    step: str
    op: str
    left: Source
    right: Source
    at: Place = field(repr=False)
    branch: str | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A condition: `reads` and `comparisons` by the index of the entry that they belong to."""

    condition: Condition
    branch: str | None
    reads: dict[int, tuple[Read, ...]]
    comparisons: dict[int, Comparison]


@dataclass(frozen=True, slots=True)
class Access:
    """What one step does with paths. `outputs` are the looks of the ends that it leads to, by edge or for itself."""

    arguments: tuple[Argument, ...] = ()
    checks: tuple[Check, ...] = ()
    source: Source | None = None
    writes: tuple[Write, ...] = ()
    outputs: tuple[tuple[Read, ...], ...] = ()
    reads: tuple[Read, ...] = field(init=False, repr=False)
    """Every look of the step, in the order of the document."""

    def __post_init__(self) -> None:
        looked = [argument.source for argument in self.arguments]
        reads = [source for source in (*looked, self.source) if isinstance(source, Read)]
        for check in self.checks:
            reads += chain.from_iterable(check.reads.values())
        reads += chain.from_iterable(self.outputs)
        object.__setattr__(self, "reads", tuple(reads))


NOTHING_AT_ALL = Access()


def caught_outcomes(flow: Flow, step: NodeStep | SubgraphStep) -> frozenset[str]:
    """The outcomes of a step that only a caught error takes; one that it has by itself stays its own."""
    if isinstance(step, SubgraphStep):
        own = step.declared
    else:
        definition = flow.definitions.get(step.definition)
        own = definition.outcomes if definition is not None else ()
    return frozenset(catch.outcome for catch in step.catch).difference(own)


def access_of(flow: Flow, name: str, declared: Declared, output: Sequence[str]) -> Access:
    """What a step reads and writes; `output` are the top-level fields that the ends of its workflow project."""
    step = flow.steps[name]
    about = _About(flow, name, step.at, declared)
    outputs = tuple(about.outputs(output, wire) for wire in flow.wires(name) if wire.target == END)
    match step:
        case NodeStep() | SubgraphStep():
            caught = caught_outcomes(flow, step)
            return Access(
                about.arguments(step.input, "input"), (), None, about.writes(step, step.output, caught), outputs
            )
        case InterruptStep():
            asked = about.arguments(step.request, "request")
            return Access(asked, (), None, about.writes(step, step.resume, frozenset()), outputs)
        case ConditionStep():
            return Access(checks=(about.check(step.check, step.at.below("check"), None),), outputs=outputs)
        case ForkStep():
            guarded = [branch for branch in step.branches if branch.when is not None]
            checks = (about.check(b.when, b.at.below("when"), b.outcome) for b in guarded if b.when is not None)
            return Access(checks=tuple(checks), outputs=outputs)
        case ForeachStep():
            over = about.source(step.over, "over", step.at, "over")
            return Access((), (), over, about.writes(step, step.output, frozenset(["item"])), outputs)
        case WaitStep():
            seconds = about.source(step.seconds, "seconds", step.at, "seconds", "path")
            return Access(source=seconds, outputs=outputs)
        case EndStep():
            return Access(outputs=(about.outputs(output, None),))
        case JoinStep() | HoleStep():
            return Access(outputs=outputs) if outputs else NOTHING_AT_ALL
        case other:
            assert_never(other)


@dataclass(frozen=True, slots=True)
class _About:
    """A step whose reads and writes are collected."""

    flow: Flow
    name: str
    at: Place
    declared: Declared

    def arguments(self, bindings: Sequence[InputBinding], role: Role) -> tuple[Argument, ...]:
        return tuple(Argument(each.target, self._bound(each, role), each) for each in bindings)

    def _bound(self, binding: InputBinding, role: Role) -> Source:
        return self.source(binding.source, role, binding.at, "path", target=binding.target)

    def source(
        self,
        operand: Operand,
        role: Role,
        owner: Place,
        *below: str,
        target: LocalPath | None = None,
        branch: str | None = None,
    ) -> Source:
        if isinstance(operand, Value):
            return operand
        return Read(self.flow, self.name, role, operand, owner, below, target, branch)

    def writes(self, step: Step, bindings: Sequence[OutputBinding], caught: frozenset[str]) -> tuple[Write, ...]:
        """The writes of a step; bindings without `on` apply to all outcomes but the caught ones."""
        if not bindings:
            return ()
        known = step.outcomes or tuple(dict.fromkeys(wire.outcome for wire in self.flow.wires(self.name)))
        usual = tuple(outcome for outcome in known if outcome not in caught)
        found = []
        for each in bindings:
            applying = usual if each.on is None else tuple(outcome for outcome in known if outcome in each.on)
            reducer = self.declared.reducer(each.target.parts)
            found.append(Write(self.flow, self.name, each.target, each.source, applying, reducer, each))
        return tuple(found)

    def check(self, condition: Condition, at: Place, branch: str | None) -> Check:
        reads: dict[int, tuple[Read, ...]] = {}
        comparisons: dict[int, Comparison] = {}
        for index, test in enumerate(condition.tests):
            spot = condition.spots[index] if index < len(condition.spots) else ""
            here = replace(at, pointer=at.pointer + spot)
            if isinstance(test, Exists):
                reads[index] = (Read(self.flow, self.name, "exists", test.path, here, ("path",), branch=branch),)
            elif isinstance(test, Compare):
                left = self.source(test.left, "operand", here, "left", "path", branch=branch)
                right = self.source(test.right, "operand", here, "right", "path", branch=branch)
                reads[index] = tuple(side for side in (left, right) if isinstance(side, Read))
                comparisons[index] = Comparison(self.flow, self.name, test.op, left, right, here, branch)
        return Check(condition, branch, reads, comparisons)

    def outputs(self, names: Sequence[str], wire: Wire | None) -> tuple[Read, ...]:
        at = self.at if wire is None else wire.edge.at
        paths = (GraphSourcePath("state", (name,)) for name in names)
        return tuple(Read(self.flow, self.name, "output", path, at, wire=wire) for path in paths)
