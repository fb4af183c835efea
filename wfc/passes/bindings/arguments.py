"""A step binds fields that its payload has, and all that it must have: of nodes, questions and child workflows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from wfc.diagnostics import Applicability, Code, Diagnostic, Fix, Place, Related, Severity
from wfc.ir import Step
from wfc.passes.bindings.sources import PATH_THROUGH_SCALAR
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.payloads import Blocked, Contract, Contracts, Missing, Parts, Payload, Stray, lay
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.offers import Offers
from wfc.passes.repairs.patches import SAFE, UNSAFE, leave_out, put
from wfc.passes.spelling import alike, meant, quoted
from wfc.passes.types import describe
from wfc.paths import GRAPH_ROOTS, LocalPath
from wfc.records import dataclass, replace

_STEP = """{"name": "greet", "start": "hello",
 "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
 "node_defs": [{"name": "say", "outcomes": ["ok"], "input_schema": {"type": "object",
   "properties": {"text": {"type": "string"}}, "required": ["text"], "additionalProperties": false}}],"""
UNKNOWN_INPUT_FIELD = Code(
    code="WF300",
    rule="unknown-input-field",
    severity=Severity.ERROR,
    message="`{step}` binds `{got}`, which {owner} {says}; expected {expected}",
    help="bind a field that {owner} has, or declare `{got}` where its input schema is written",
    why=(
        "A payload holds exactly what its bindings build. A field that the schema forbids makes every call fail before "
        "it starts; one that an open schema does not mention is handed over and, as a rule, looked at by nobody, while "
        "the field that was meant stays empty."
    ),
    example=example(
        _STEP
        + """
 "nodes": [{"id": "hello", "type": "node", "node": "say", "input": [{"target": "txet", "path": "input.text"}]}],
                                                                               ^^^^^^
 "edges": [{"from": "hello", "outcome": "ok", "to": "__end__"}]}
""",
        ('"txet"', '"text"'),
    ),
)
MISSING_INPUT = Code(
    code="WF301",
    rule="missing-input",
    severity=Severity.ERROR,
    message="`{step}` does not bind `{got}`, which {owner} requires; expected {expected}",
    help="bind `{got}` to a path or to a value",
    why=(
        "What a node, a question or a child workflow requires has to be bound where it is used: nothing is handed over "
        "by having the same name. Without it the payload is refused whenever control comes to this step."
    ),
    example=example(
        _STEP
        + """
 "nodes": [{"id": "hello", "type": "node", "node": "say", "input": []},
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           {"id": "bye", "type": "node", "node": "say", "input": [{"target": "text", "path": "input.text"}]}],
 "edges": [{"from": "hello", "outcome": "ok", "to": "bye"}, {"from": "bye", "outcome": "ok", "to": "__end__"}]}
""",
        ('"input": []', '"input": [{"target": "text", "path": "input.text"}]'),
    ),
)
CODES = (UNKNOWN_INPUT_FIELD, MISSING_INPUT, PATH_THROUGH_SCALAR)


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        offers, contracts = Offers(facts, flow), Contracts(facts, flow)
        accesses = facts.values.solver(flow).accesses
        sound: set[Hashable] = set()
        for name in flow.reachable:
            contract, arguments = contracts.of(flow.steps[name]), accesses[name].arguments
            if contract is None:
                continue
            # Only which fields are bound counts here, so that of the steps that bind the same the first is judged.
            shape = (contract, *[argument.target.parts for argument in arguments])
            if shape in sound:
                continue
            found = list(_Found(flow, name, contract, offers).all(lay(contract, arguments)))
            behind = contracts.behind(flow.steps[name]) if not found else None
            if behind is not None:
                found = list(_Found(flow, name, behind, offers).beyond(lay(behind, arguments)))
            if not found and not flow.steps[name].gaps:
                sound.add(shape)
            yield from found


@dataclass(frozen=True, slots=True)
class _Found:
    """What is found of the payload of one step."""

    flow: Flow
    name: str
    contract: Contract
    offers: Offers

    @property
    def step(self) -> Step:
        return self.flow.steps[self.name]

    def all(self, payload: Payload) -> Iterator[Diagnostic]:
        """A field that is misspelt leaves another one unbound; that is one finding, at the misspelt one."""
        lacking = [] if payload.overlapping or self.step.gaps & {"input", "request"} else list(payload.missing)
        for stray in payload.stray:
            meant_for = _meant(stray, payload, lacking)
            if meant_for is not None:
                lacking.remove(meant_for)
            # What looks like a graph path and does no harm is a question of its own (WF313).
            if stray.forbidden or meant_for is not None or not _is_rooted(stray):
                yield self._stray(stray, payload, meant_for)
        for missing in lacking:
            yield self._missing(missing)
        for blocked in payload.blocked:
            yield self._blocked(blocked)

    def beyond(self, payload: Payload) -> Iterator[Diagnostic]:
        """What a capability surely refuses of a payload that its definition takes."""
        return self.all(replace(payload, stray=tuple(one for one in payload.stray if one.forbidden)))

    def _stray(self, stray: Stray, payload: Payload, lacking: Missing | None) -> Diagnostic:
        target = stray.argument.target
        taken = {filled.argument.target.parts for filled in payload.filled}
        free = [name for name in stray.known if (*stray.above, name) not in taken]
        names = alike(stray.name, free)
        certain = stray.forbidden or lacking is not None
        return UNKNOWN_INPUT_FIELD.at(
            stray.argument.binding.at.below("target"),
            severity=Severity.ERROR if certain else Severity.WARNING,
            confidence="proved" if certain else "likely",
            related=self._declared(),
            fixes=(self._rename(stray, free, lacking),),
            hides=int(lacking is not None),
            step=self.step.id,
            got=str(target),
            owner=self.contract.owner,
            says="does not have" if stray.forbidden else "does not mention",
            expected=f"one of {quoted(names)}" if names else "no further field",
            allowed=names,
        )

    def _rename(self, stray: Stray, free: list[str], lacking: Missing | None) -> Fix:
        place, parts, depth = stray.argument.binding.at, stray.argument.target.parts, len(stray.above)
        if _is_rooted(stray) and parts[1] in free:
            return self._bind(place, parts[1:], SAFE)
        guess = lacking.parts[-1] if lacking is not None else meant(stray.name, free)
        if guess is None:
            applicability = SAFE if stray.forbidden else UNSAFE
            return leave_out(f"Remove the binding of `{stray.argument.target}`", self.step, [place], applicability)
        sure = meant(stray.name, [guess]) is not None
        return self._bind(place, (*stray.above, guess, *parts[depth + 1 :]), SAFE if sure else UNSAFE)

    def _bind(self, place: Place, parts: Parts, applicability: Applicability) -> Fix:
        target = str(LocalPath(parts))
        return put(f"Bind `{target}`", self.step, [(place.below("target"), target)], applicability)

    def _missing(self, missing: Missing) -> Diagnostic:
        field = str(LocalPath(missing.parts))
        return MISSING_INPUT.at(
            self.step.at,
            related=self._declared(),
            fixes=self.offers.binding(self.name, LocalPath(missing.parts), missing.wanted),
            step=self.step.id,
            got=field,
            owner=self.contract.owner,
            expected=describe(missing.wanted),
            path=self.flow.trail(self.name),
        )

    def _blocked(self, blocked: Blocked) -> Diagnostic:
        target, above = blocked.argument.target, LocalPath(blocked.above)
        return PATH_THROUGH_SCALAR.at(
            blocked.argument.binding.at.below("target"),
            related=self._declared(),
            got=str(target),
            field=target.parts[len(blocked.above)],
            through=f"`{above}` of {self.contract.owner}" if above.parts else f"the input of {self.contract.owner}",
            type=describe(blocked.wanted),
            path=self.flow.trail(self.name),
        )

    def _declared(self) -> tuple[Related, ...]:
        contract = self.contract
        told = contract.told or f"what {contract.owner} takes"
        return () if contract.at is None else (Related("declared", contract.at, told),)


def _meant(stray: Stray, payload: Payload, lacking: list[Missing]) -> Missing | None:
    """The unbound field that a stray binding was meant for: spelt like it, or the only one beside the only stray."""
    beside = {missing.parts[-1]: missing for missing in lacking if missing.parts[:-1] == stray.above}
    if _is_rooted(stray):
        return beside.get(stray.argument.target.parts[1])
    guess = meant(stray.name, beside)
    if guess is not None:
        return beside[guess]
    return next(iter(beside.values())) if len(beside) == len(payload.stray) == 1 else None


def _is_rooted(stray: Stray) -> bool:
    """Whether a target looks like a graph path."""
    return not stray.above and stray.name in GRAPH_ROOTS and len(stray.argument.target.parts) > 1
