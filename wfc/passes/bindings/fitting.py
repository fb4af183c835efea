"""What is bound fits where it is bound: fields of payloads, and the seconds of a wait."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Related, Severity, Strict
from wfc.ir import Step, Value, WaitStep, canonical
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.payloads import Contract, Contracts, Parts, Payload, built, lay, tree_of
from wfc.passes.facts.places import around
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.declaring import narrowed
from wfc.passes.repairs.literals import meant_literal, meant_path
from wfc.passes.repairs.offers import Offers
from wfc.passes.repairs.patches import SAFE, UNSAFE, patch, put, rewrite
from wfc.passes.types import Fit, Type, Verdict, describe
from wfc.passes.values import Argument, Read, Source, Values
from wfc.paths import GraphSourcePath
from wfc.records import dataclass

TYPE_MISMATCH = Code(
    code="WF302",
    rule="type-mismatch",
    severity=Severity.ERROR,
    message="{source} is {got}, which {taker} never takes; expected {expected}",
    help="bind something of that type, or change one of the two schemas",
    why=(
        "Schemas say what a value may be, and they are enforced: a payload, a state path or an output that does not "
        "match fails the step. Here no value of the one type is one of the other, so that every run that comes to this "
        "place fails."
    ),
    example=example(
        """{"name": "greet", "start": "hello",
 "input_schema": {"type": "object", "properties": {"who": {"type": "string"}, "age": {"type": "integer"}},
                  "required": ["who", "age"]},
 "node_defs": [{"name": "say", "outcomes": ["ok"], "input_schema": {"type": "object",
   "properties": {"text": {"type": "string"}, "age": {"type": "integer"}}, "required": ["text", "age"]}}],
 "nodes": [{"id": "hello", "type": "node", "node": "say",
   "input": [{"target": "age", "path": "input.who"},
                                       ^^^^^^^^^^^
             {"target": "text", "path": "input.who"}]},
           {"id": "bye", "type": "node", "node": "say",
   "input": [{"target": "text", "path": "input.who"}, {"target": "age", "path": "input.age"}]}],
 "edges": [{"from": "hello", "outcome": "ok", "to": "bye"}, {"from": "bye", "outcome": "ok", "to": "__end__"}]}
""",
        ('"age", "path": "input.who"', '"age", "path": "input.age"'),
    ),
)
BAD_LITERAL = Code(
    code="WF310",
    rule="bad-literal",
    severity=Severity.ERROR,
    message="{got} is bound to {taker}, which refuses it; expected {expected}",
    help="write a value of that type",
    why=(
        'A literal is a JSON value and is taken as it is written: `"3"` is a text and no number, `"true"` no boolean. '
        "The schema of the place refuses this one, so the step fails whenever control comes to it."
    ),
    example=example(
        """{"name": "greet", "start": "hello",
 "node_defs": [{"name": "say", "outcomes": ["ok"], "input_schema": {"type": "object",
   "properties": {"loud": {"type": "boolean"}}, "required": ["loud"]}}],
 "nodes": [{"id": "hello", "type": "node", "node": "say", "input": [{"target": "loud", "value": "true"}]}],
                                                                                                ^^^^^^
 "edges": [{"from": "hello", "outcome": "ok", "to": "__end__"}]}
""",
        ('"value": "true"', '"value": true'),
    ),
)
UNPROVED_TYPE = Code(
    code="WF390",
    rule="unproved-type",
    severity=Severity.NOTE,
    strict=Strict.ONLY,
    message="{source} is {got}, not all of which {taker} takes; expected {expected}",
    help="narrow what is bound, by a schema or by a condition before the step, or let {taker} take more",
    why=(
        "Strict checking promises that no payload is refused, so every value that a binding can have must be one that "
        "the schema takes. Here some are not, or that they are could not be proved."
    ),
    example=example(
        """{"name": "greet", "start": "hello",
 "input_schema": {"type": "object", "properties": {"who": {"type": ["string", "null"]}}, "required": ["who"]},
 "node_defs": [{"name": "say", "outcomes": ["ok"], "input_schema": {"type": "object",
   "properties": {"text": {"type": "string"}}, "required": ["text"]}}],
 "nodes": [{"id": "hello", "type": "node", "node": "say", "input": [{"target": "text", "path": "input.who"}]}],
                                                                                               ^^^^^^^^^^^
 "edges": [{"from": "hello", "outcome": "ok", "to": "__end__"}]}
""",
        ('["string", "null"]', '"string"'),
    ),
)
CODES = (TYPE_MISMATCH, BAD_LITERAL, UNPROVED_TYPE)
_SECONDS = types.of({"type": "number", "minimum": 0})


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        offers, contracts, sound = Offers(facts, flow), Contracts(facts, flow), _Sound(facts.values)
        accesses = facts.values.solver(flow).accesses
        for name in flow.reachable:
            step = flow.steps[name]
            for contract in (contracts.of(step), contracts.behind(step)):
                if contract is None or sound.holds(contract, accesses[name].arguments):
                    continue
                found = list(_Judging(facts, flow, name, offers).payload(contract))
                yield from found
                if found:
                    break
            if isinstance(step, WaitStep):
                yield from _Judging(facts, flow, name, offers).wait()


class _Sound:
    """The payloads of a workflow that are taken whole; those that bind values of the same types are judged once."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._known: dict[Hashable, bool] = {}

    def holds(self, contract: Contract, arguments: Sequence[Argument]) -> bool:
        type_of = self._values.type_of
        bound = (contract, *[(argument.target.parts, type_of(argument.source)) for argument in arguments])
        found = self._known.get(bound)
        if found is None:
            whole = built(tree_of(arguments)[0], type_of, contract.defaults)
            found = self._known[bound] = types.fits(whole, contract.type).verdict is Verdict.ALWAYS
        return found


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place that takes a value: in words, where the value stands, where its schema is written, the field's name."""

    taker: str
    at: Place
    declared: tuple[Related, ...]
    name: str
    binding: Place | None = None


@dataclass(frozen=True, slots=True)
class _Judging:
    """The types of what one step is given."""

    facts: Facts
    flow: Flow
    name: str
    offers: Offers

    @property
    def step(self) -> Step:
        return self.flow.steps[self.name]

    def wait(self) -> Iterator[Diagnostic]:
        source = self.facts.values.solver(self.flow).accesses[self.name].source
        if isinstance(source, Read):
            spot = _Spot(f"`seconds` of `{self.step.id}`", source.at, (), "seconds")
            yield from self._value(source, self.facts.values.type_of(source), spot, _SECONDS)

    def payload(self, contract: Contract) -> Iterator[Diagnostic]:
        """Judge a payload that may be refused, binding by binding, and as a whole where each by itself is right."""
        arguments = self.facts.values.arguments(self.flow, self.name)
        tree, _ = tree_of(arguments)
        whole = built(tree, self.facts.values.type_of, contract.defaults)
        payload, fit = lay(contract, arguments), types.fits(whole, contract.type)
        found: list[Diagnostic] = []
        for filled in payload.filled:
            source, parts = filled.argument.source, filled.argument.target.parts
            type = self.facts.values.type_of(source) if parts else whole
            if payload.overlapping and "object" in types.kinds(type) and _has_company(parts, arguments):
                continue
            found += self._value(source, type, _spot(contract, filled.argument), filled.wanted)
        yield from found
        if not found and self._is_whole(payload):
            yield self._together(contract, arguments, fit)

    def _is_whole(self, payload: Payload) -> bool:
        """Whether nothing else is wrong with the bindings from which a refusal of the whole payload would follow."""
        faulty = payload.overlapping or payload.blocked or payload.missing or self.step.gaps & {"input", "request"}
        forbidden = any(stray.forbidden for stray in payload.stray)
        reads = self.facts.reads(self.flow)
        return not (faulty or forbidden or any(reads.is_lost(filled.argument.source) for filled in payload.filled))

    def _value(self, source: Source, type: Type, spot: _Spot, wanted: Type) -> Iterator[Diagnostic]:
        fit = types.fits(type, wanted)
        if fit.verdict is Verdict.ALWAYS or self.facts.reads(self.flow).is_lost(source) or not types.kinds(type):
            return
        if isinstance(source, Value) and fit.verdict is Verdict.NEVER:
            yield self._literal(source.value, spot, wanted)
        elif isinstance(source, Read):
            yield self._path(source, spot, fit)

    def _literal(self, value: Any, spot: _Spot, wanted: Type) -> Diagnostic:
        return BAD_LITERAL.at(
            spot.at,
            related=spot.declared,
            fixes=self._meant(value, spot, wanted),
            got=f"`{describe(types.literal(value))}`",
            taker=spot.taker,
            expected=describe(wanted),
            witness=value,
            path=self.flow.trail(self.name),
        )

    def _meant(self, value: Any, spot: _Spot, wanted: Type) -> tuple[Fix, ...]:
        """A literal that was written as another one, or a path that was written as a value."""
        path = meant_path(value)
        there = Verdict.NEVER if path is None else self._is_there(path, wanted)
        if spot.binding is not None and there is not Verdict.NEVER:
            changes = [
                {"op": "test", "path": spot.at.pointer, "value": value},
                {"op": "add", "path": spot.binding.below("path").pointer, "value": str(path)},
                {"op": "remove", "path": spot.at.pointer},
            ]
            return (patch(f"Bind the path `{path}`", spot.at, changes, SAFE if there is Verdict.ALWAYS else UNSAFE),)
        found = meant_literal(value, wanted)
        if found is None:
            return ()
        new, applicability = found
        return (rewrite(f"Write `{canonical(new)}`", spot.at, value, new, applicability),)

    def _is_there(self, path: GraphSourcePath, wanted: Type) -> Verdict:
        """Whether something is there that could be bound: never, too, where it has surely another type."""
        seen = self.facts.values.seen_at(self.flow, self.name, path)
        return Verdict.NEVER if types.fits(seen.type, wanted).verdict is Verdict.NEVER else seen.presence

    def _path(self, read: Read, spot: _Spot, fit: Fit) -> Diagnostic:
        never = fit.verdict is Verdict.NEVER
        witness = fit.witness
        return (TYPE_MISMATCH if never else UNPROVED_TYPE).at(
            spot.at,
            confidence="proved" if never or witness is not None else "likely",
            related=(*spot.declared, *around(self.facts, self.flow, read.path)),
            fixes=self._others(read, spot, fit.target)
            if never
            else narrowed(self.flow, read.path, types.kinds(fit.target)),
            source=f"`{read.path}`",
            got=describe(fit.source),
            taker=spot.taker,
            expected=describe(fit.target),
            **({} if witness is None else {"witness": witness[0]}),
            path=self.flow.trail(self.name),
        )

    def _others(self, read: Read, spot: _Spot, wanted: Type) -> tuple[Fix, ...]:
        """Another path that fits: of the name of the field, spelt like it, or the only one that is there."""
        found = self.offers.likely(self.name, spot.name, wanted)
        return () if found is None else (put(f"Bind `{found[0]}`", self.step, [(spot.at, str(found[0]))], found[1]),)

    def _together(self, contract: Contract, arguments: Sequence[Argument], fit: Fit) -> Diagnostic:
        """Each field by itself is right, and all of them together are refused, or may be."""
        never = fit.verdict is Verdict.NEVER
        literal = never and arguments and all(isinstance(each.source, Value) for each in arguments)
        at = arguments[0].binding.at.below("value") if literal else self.step.at
        code = BAD_LITERAL if literal else TYPE_MISMATCH if never else UNPROVED_TYPE
        witness = fit.witness
        return code.at(
            at,
            confidence="proved" if never or witness is not None else "likely",
            related=_declared(contract),
            source=f"what `{self.step.id}` binds",
            got=f"what `{self.step.id}` binds, `{describe(fit.source)}`," if literal else describe(fit.source),
            taker=contract.owner,
            expected=describe(fit.target),
            **({} if witness is None else {"witness": witness[0]}),
            path=self.flow.trail(self.name),
        )


def _has_company(parts: Parts, arguments: Sequence[Argument]) -> bool:
    """Whether others fill parts of the object that is bound there: what it lacks may be what they were to bring."""
    return any(len(parts) < len(each.target.parts) and each.target.parts[: len(parts)] == parts for each in arguments)


def _spot(contract: Contract, argument: Argument) -> _Spot:
    target, at = argument.target, argument.binding.at
    taker = f"`{target}` of {contract.owner}" if target.parts else contract.owner
    leading = "value" if isinstance(argument.source, Value) else "path"
    return _Spot(taker, at.below(leading), _declared(contract), target.parts[-1] if target.parts else "", at)


def _declared(contract: Contract) -> tuple[Related, ...]:
    return () if contract.at is None else (Related("declared", contract.at, contract.told or "what is asked for"),)
