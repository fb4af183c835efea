"""What a step hands over and what asks for it: how the bindings of a payload lie in the schema that judges it.

Guarantees: each binding is exactly one of filled, stray and blocked; of bindings that overlap only the first counts.
Nothing is said of a payload whose schema is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wfc.diagnostics import Place
from wfc.ir import InterruptStep, NodeStep, Step, SubgraphStep, std
from wfc.passes import types
from wfc.passes.facts import Facts
from wfc.passes.facts.behind import known_behind, never_given
from wfc.passes.graph.flow import Flow
from wfc.passes.types import Type, Verdict
from wfc.passes.types.fields import OBJECT, known_fields, required_fields
from wfc.passes.values import Argument, Source
from wfc.records import dataclass, field

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Contract:
    """What a payload is judged by; there is one for each definition, question or child step of a workflow.

    `owner` says whose schema it is, in words for a message; `at` is where that is written, none for what is built in,
    and `told` what stands there, where that is another one's. `defaults` are put in where a top-level field is missing.
    """

    owner: str
    type: Type
    at: Place | None
    defaults: Mapping[str, Any] = field(default_factory=dict)
    told: str | None = None


class Contracts:
    """The contracts of the steps of one workflow."""

    def __init__(self, facts: Facts, flow: Flow) -> None:
        self._facts = facts
        self._flow = flow
        self._of_definitions: dict[str, Contract | None] = {}
        self._behind: dict[str, Contract | None] = {}

    def of(self, step: Step) -> Contract | None:
        """The contract of a step's payload; none where it has no payload, or nobody knows what is asked for."""
        if isinstance(step, NodeStep):
            name = step.definition
            if name not in self._of_definitions:
                self._of_definitions[name] = _call(self._flow, name)
            return self._of_definitions[name]
        if isinstance(step, InterruptStep):
            return _question(step)
        return _child(self._facts, step) if isinstance(step, SubgraphStep) else None

    def behind(self, step: Step) -> Contract | None:
        """The contract of the capability that a step calls, where its definition says another one of its own.

        None where the two disagree: that is said of the definition (WF713).
        """
        if not isinstance(step, NodeStep):
            return None
        name = step.definition
        if name not in self._behind:
            self._behind[name] = _capability(self._facts, self._flow, name)
        return self._behind[name]


def _capability(facts: Facts, flow: Flow, name: str) -> Contract | None:
    definition = flow.definitions.get(name)
    known = known_behind(facts.module.catalogue, definition) if definition is not None else None
    if definition is None or known is None or not definition.written:
        return None
    mine, theirs = types.of(definition.input_schema), types.of(known.input)
    if mine is theirs or types.contradicts(mine, theirs) is not None or never_given(facts, flow, definition, known):
        return None
    at = definition.at.below("input_schema")
    return Contract(f"`{known.name}` behind `{name}`", theirs, at, told=f"what `{name}` says it takes")


def _call(flow: Flow, name: str) -> Contract | None:
    definition = flow.definitions.get(name)
    if definition is None:
        return None
    at = definition.at.below("input_schema") if definition.written else None
    return Contract(f"`{definition.name}`", types.of(definition.input_schema), at)


def _question(step: InterruptStep) -> Contract:
    owner = f"a `{step.kind}` request"
    if step.request_schema is None:
        return Contract(owner, OBJECT, None)
    at = None if step.kind in std.INTERRUPT_KINDS else step.at.below("request_schema")
    return Contract(owner, types.both(types.of(step.request_schema), OBJECT), at)


def _child(facts: Facts, step: SubgraphStep) -> Contract | None:
    """A child is judged by its own schema; one that cannot be looked up by what the step says of it."""
    child = facts.child(step)
    owner = f"`{step.workflow}`"
    if child is not None:
        at = child.workflow.at.below("input_schema")
        asked = types.both(types.of(child.workflow.input_schema), OBJECT)
        return Contract(owner, asked, at, facts.values.solver(child).looks.beginning.input_defaults)
    if step.input_schema is None:
        return None
    return Contract(owner, types.of(step.input_schema), step.at.below("input_schema"))


@dataclass(frozen=True, slots=True)
class Filled:
    """A binding that fills a place of which the schema says something: `wanted`."""

    argument: Argument
    wanted: Type


@dataclass(frozen=True, slots=True)
class Stray:
    """A binding of a field, `name` in the object at `above`, that the schema forbids, or does not mention."""

    argument: Argument
    above: Parts
    name: str
    known: tuple[str, ...]
    forbidden: bool


@dataclass(frozen=True, slots=True)
class Blocked:
    """A binding inside `above`, where the schema takes no object."""

    argument: Argument
    above: Parts
    wanted: Type


@dataclass(frozen=True, slots=True)
class Missing:
    """A field that the schema requires and that nothing fills; `object` is the type of what should hold it."""

    parts: Parts
    wanted: Type


@dataclass(frozen=True, slots=True)
class Payload:
    """How the bindings of a step lie in the schema of its payload."""

    filled: tuple[Filled, ...]
    stray: tuple[Stray, ...]
    blocked: tuple[Blocked, ...]
    missing: tuple[Missing, ...]
    overlapping: bool


Tree = dict[str, "Tree | Argument"]


def lay(contract: Contract, arguments: Sequence[Argument]) -> Payload:
    """Lay the bindings of a payload over its schema."""
    tree, overlapping = tree_of(arguments)
    if isinstance(tree, Argument):
        return Payload((Filled(tree, contract.type),), (), (), (), overlapping)
    laid = _Laid()
    waiting: list[tuple[Parts, Tree, Type]] = [((), tree, contract.type)]
    while waiting:
        above, inner, wanted = waiting.pop()
        holder = types.both(wanted, OBJECT)
        if types.is_empty(holder):
            laid.blocked += (Blocked(each, above, wanted) for each in leaves(inner))
            continue
        waiting += reversed(list(laid.object(above, inner, holder)))
        defaults = contract.defaults if not above else ()
        laid.missing += (
            Missing((*above, name), types.field(holder, name).type)
            for name in required_fields(holder)
            if name not in inner and name not in defaults
        )
    return Payload(tuple(laid.filled), tuple(laid.stray), tuple(laid.blocked), tuple(laid.missing), overlapping)


@dataclass
class _Laid:
    """What was found of a payload so far; owned by `lay`."""

    filled: list[Filled] = field(default_factory=list)
    stray: list[Stray] = field(default_factory=list)
    blocked: list[Blocked] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)

    def object(self, above: Parts, inner: Tree, holder: Type) -> Iterator[tuple[Parts, Tree, Type]]:
        """Judge the fields of one object; those that are objects themselves are given back."""
        required = required_fields(holder)
        for name, each in inner.items():
            found = types.field(holder, name)
            forbidden = found.presence is Verdict.NEVER
            if forbidden or (not found.listed and found.further == "silent" and name not in required):
                known = tuple(name for name in known_fields(holder))
                self.stray += (Stray(leaf, above, name, known, forbidden) for leaf in leaves(each))
            elif isinstance(each, Argument):
                self.filled.append(Filled(each, found.type))
            else:
                yield (*above, name), each, found.type


def tree_of(arguments: Sequence[Argument]) -> tuple[Tree | Argument, bool]:
    """The bindings by the fields that they fill, and whether some of them overlap."""
    tree: Tree = {}
    clashing = False
    for argument in arguments:
        if not argument.target.parts:
            return argument, len(arguments) > 1
        *above, last = argument.target.parts
        holder: Tree | Argument = tree
        for name in above:
            holder = holder.setdefault(name, {}) if isinstance(holder, dict) else holder
        if isinstance(holder, dict) and last not in holder:
            holder[last] = argument
        else:
            clashing = True
    return tree, clashing


def leaves(tree: Tree | Argument) -> Iterator[Argument]:
    """The bindings in a tree, in their order."""
    waiting = [tree]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Argument):
            yield each
        else:
            waiting += reversed(each.values())


def built(tree: Tree | Argument, type_of: Callable[[Source], Type], defaults: Mapping[str, Any]) -> Type:
    """The type of the payload that bindings build, with the defaults of fields that they leave out."""
    if isinstance(tree, Argument):
        given = type_of(tree.source)
        return filled_in(given, defaults) if defaults else given
    made: dict[int, Type] = {}
    waiting: list[tuple[Tree, bool]] = [(tree, False)]
    while waiting:
        inner, ready = waiting.pop()
        below = [each for each in inner.values() if not isinstance(each, Argument)]
        if not ready:
            waiting += [(inner, True), *((each, False) for each in below)]
            continue
        fields = {
            name: (type_of(each.source) if isinstance(each, Argument) else made[id(each)], True)
            for name, each in inner.items()
        }
        if inner is tree:
            fields |= {name: (types.literal(value), True) for name, value in defaults.items() if name not in inner}
        made[id(inner)] = types.record(fields)
    return made[id(tree)]


def filled_in(given: Type, defaults: Mapping[str, Any]) -> Type:
    """The type of a whole payload once defaults stand where it has no value; what is no object stays what it is."""
    merged = types.after_reducer("wf.std.merge_object", {}, types.literal(dict(defaults)), given)
    return merged if types.is_object(given) is Verdict.ALWAYS else types.either(merged, given)
