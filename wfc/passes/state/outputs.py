"""What steps write comes from their output and goes where it may: outcome by outcome (reference 1.5, 2.3.7, 2.7)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Related, Severity, Strict
from wfc.ir import InterruptStep, NodeStep, Schema, Step, SubgraphStep, std
from wfc.passes import types
from wfc.passes.bindings.presence import OPTIONAL_SOURCE, UNPROVED_PRESENCE
from wfc.passes.bindings.rooted_locals import is_rooted
from wfc.passes.bindings.sources import PATH_THROUGH_SCALAR
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.behind import known_behind
from wfc.passes.facts.returns import inputs_of
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import UNSAFE, give, leave_out, put
from wfc.passes.repairs.remedies import required_anew, required_in
from wfc.passes.spelling import alike, meant, quoted
from wfc.passes.state import commits, destinations
from wfc.passes.state.destinations import Destination
from wfc.passes.types import Field, Reached, Type, Verdict, describe
from wfc.passes.types.fields import OBJECT, known_fields, lists_fields
from wfc.passes.values import Write
from wfc.passes.values.solving import Solver
from wfc.paths import LocalPath, Parts
from wfc.records import dataclass, replace

UNKNOWN_OUTPUT_FIELD = Code(
    code="WF306",
    rule="unknown-output-field",
    severity=Severity.ERROR,
    strict=Strict.ERROR,
    message="`{step}` {says} `{got}` to write when it leaves by `{outcome}`; expected {expected}",
    help="read a field that the output has under `{outcome}`, or let `on` name the outcomes that have it",
    why=(
        "Under each outcome an output has the fields of that outcome's schema. What the schema does not list never "
        "reaches a binding, so the step fails with `missing_path` when it takes this outcome. A caught outcome has "
        "nothing but its `error`."
    ),
    example=example(
        """{"name": "ask", "start": "who",
 "state_schema": {"type": "object", "properties": {"name": {"type": "string"}}},
 "output_schema": {"type": "object", "properties": {"name": {"type": "string"}}},
 "node_defs": [{"name": "look_up", "outcomes": ["ok"], "output_schema": {"type": "object",
   "properties": {"name": {"type": "string"}}, "required": ["name"], "additionalProperties": false}}],
 "nodes": [{"id": "who", "type": "node", "node": "look_up", "output": [{"source": "nmae", "target": "state.name"}]}],
                                                                                  ^^^^^^
 "edges": [{"from": "who", "outcome": "ok", "to": "__end__"}]}
""",
        ('"nmae"', '"name"'),
    ),
)
CODES = (UNKNOWN_OUTPUT_FIELD, OPTIONAL_SOURCE, UNPROVED_PRESENCE, *destinations.CODES, *commits.CODES)


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report where each value comes from and where it goes, then what a whole patch may be refused for."""
    for flow in facts.flows:
        solver = facts.values.solver(flow)
        sound: set[Hashable] = set()
        for name in flow.reachable:
            writes = solver.accesses[name].writes
            kind = _kind(solver, name, writes)
            if not writes or kind in sound:
                continue
            found = list(_of_step(facts, flow, name, writes))
            yield from found
            if kind is not None and not found:
                sound.add(kind)


def _kind(solver: Solver, name: str, writes: Sequence[Write]) -> Hashable | None:
    """All that decides what is found of the writes of a step; none where that is more than its own output.

    So steps that write the same are judged once, if they only replace fields of state and nobody runs beside them.
    """
    flow = solver.flow
    if flow.region(name) is not None or isinstance(flow.steps[name], InterruptStep):
        return None
    known: list[Hashable] = [flow.wiring.wired.get(name)]
    for write in writes:
        if not write.replaces or len(write.path.parts) > 1:
            return None
        results = [solver.result(name, outcome) for outcome in write.outcomes]
        known.append((write.path.parts, write.source.parts, write.outcomes, *results))
    return tuple(known)


def _of_step(facts: Facts, flow: Flow, name: str, writes: Sequence[Write]) -> Iterator[Diagnostic]:
    faulty: set[Write] = set()
    for write in writes:
        source = _Source(facts, flow, name, write, facts.is_misdirected(flow, write))
        found = list(_of_write(source))
        yield from found
        known = any(one.code not in (UNPROVED_PRESENCE, OPTIONAL_SOURCE) for one in found)
        if known or source.misdirected:
            faulty.add(write)
    yield from commits.of_step(facts, flow, name, faulty)


def _of_write(source: _Source) -> Iterator[Diagnostic]:
    """Of a write whose source is wrong, or of whose target something is said already, the target says nothing."""
    found = list(source.all())
    yield from found
    if not any(one.severity is Severity.ERROR for one in found) and not source.misdirected:
        yield from Destination(source.facts, source.flow, source.name, source.write, source.declared).all()


# What to do about a field that an output may lack.
_WAY_OUT = (
    "let {owner} require `{field}`, or write the record that may hold it to state as a whole, and lead to who reads "
    "`{field}` only where `exists` finds it"
)
_CALLED = "; where a call is to give it, an answer without it is `node_output_invalid`, which `catch` can take"


@dataclass(frozen=True, slots=True)
class _Lack:
    """An outcome under which a source may not be there: `index` is that of its segment that is not, in `holder`."""

    outcome: str
    reached: Reached
    index: int
    holder: Type

    @property
    def field(self) -> Field:
        return self.reached.fields[self.index]

    @property
    def unknown(self) -> bool:
        """Whether no schema mentions the segment, and one lists what there is."""
        return not self.field.listed and lists_fields(self.holder)


@dataclass(frozen=True, slots=True)
class _Source:
    """What one binding reads in the output of its step; `misdirected` where its target is what is wrong."""

    facts: Facts
    flow: Flow
    name: str
    write: Write
    misdirected: bool

    @property
    def step(self) -> Step:
        return self.flow.steps[self.name]

    @property
    def _is_question(self) -> bool:
        return isinstance(self.step, InterruptStep)

    # Where the value comes from

    def all(self) -> Iterator[Diagnostic]:
        """Report it once, under the first outcome that has the worst fault."""
        lacks = [lack for outcome in self.write.outcomes if (lack := self._lack(outcome)) is not None]
        never = [lack for lack in lacks if lack.reached.presence is Verdict.NEVER]
        if never:
            yield self._through(never[0]) if never[0].reached.through else self._unknown(never[0], lacks)
            return
        # What other outcomes surely have is missed under one whose schema says nothing at all.
        elsewhere = len(lacks) < len(self.write.outcomes) and not self._is_question
        strange = [lack for lack in lacks if lack.unknown or (elsewhere and not lack.field.listed)]
        if strange:
            yield self._unknown(strange[0], lacks)
        elif lacks:
            yield self._optional(lacks[0])

    def _lack(self, outcome: str) -> _Lack | None:
        """What is wrong under one outcome; a payload that lacks a field is refused before it counts (reference 2.7)."""
        if self.step.outcomes is None and not self._is_of_definition(outcome):
            return None
        output, parts = self._output(outcome), self.write.source.parts
        reached = types.at(output, parts)
        if reached.presence is Verdict.ALWAYS or not types.kinds(output):
            return None
        found = [
            _Lack(outcome, reached, index, types.at(output, parts[:index]).type)
            for index, field in enumerate(reached.fields)
            if field.presence is not Verdict.ALWAYS
        ]
        never = reached.presence is Verdict.NEVER
        lack = found[-1] if never else next((lack for lack in found if lack.unknown), found[0])
        if never or not self._is_question:
            return lack
        # Without `on`, what later outcomes need not hold is a question of its own (WF602).
        widened = self.write.binding.on is None and outcome != (self.step.outcomes or ("",))[0]
        return lack if lack.unknown and not widened else None

    def _is_of_definition(self, outcome: str) -> bool:
        """Whether a step of which not all outcomes could be read has this one by its definition."""
        definition = self.flow.definitions.get(self.step.definition) if isinstance(self.step, NodeStep) else None
        return definition is None or outcome in definition.outcomes

    def _output(self, outcome: str) -> Type:
        """What the output is before it is known that a binding finds its field in it."""
        step = self.step
        if not isinstance(step, InterruptStep):
            return self.facts.values.solver(self.flow).result(self.name, outcome)
        schema = _resume_schema(step, outcome)
        return OBJECT if schema is None else types.both(types.of(schema), OBJECT)

    def _unknown(self, lack: _Lack, lacks: list[_Lack]) -> Diagnostic:
        parts, failing = self.write.source.parts, lack.index
        known = known_fields(types.both(lack.holder, OBJECT))
        names = alike(parts[failing], known)
        never = lack.reached.presence is Verdict.NEVER
        return UNKNOWN_OUTPUT_FIELD.at(
            self.write.binding.at.below("source"),
            severity=Severity.ERROR if never else Severity.WARNING,
            confidence="proved" if never else "likely",
            related=self.declared(lack.outcome),
            fixes=self._repairs(lack, lacks, names),
            step=self.step.id,
            says="has no" if never else "may have no",
            got=str(self.write.source),
            outcome=lack.outcome,
            expected=f"one of {quoted(names)}" if names else "no source under this outcome",
            allowed=names,
            path=self._way(lack.outcome),
        )

    def _repairs(self, lack: _Lack, lacks: list[_Lack], names: list[str]) -> tuple[Fix, ...]:
        """Only the outcomes that have the field; where none has, a field that is spelt like it."""
        parts, at = self.write.source.parts, self.write.binding.at
        lost = {each.outcome for each in lacks}
        kept = [outcome for outcome in self.write.outcomes if outcome not in lost] or self._caught(lack)
        if kept:
            return (give(f"Write it under {quoted(kept)} only", self.step, [(at.below("on"), kept)]),)
        if not lack.index and parts[1:] and self._is_there(lack.outcome, parts[1:]):
            source = str(LocalPath(parts[1:]))
            return (put(f"Write `{source}`", self.step, [(at.below("source"), source)]),)
        guess = meant(parts[lack.index], names)
        if guess is not None:
            source = str(LocalPath((*parts[: lack.index], guess, *parts[lack.index + 1 :])))
            return (put(f"Write `{source}`", self.step, [(at.below("source"), source)]),)
        return (*self._misplaced(), leave_out("Remove this binding", self.step, [at], UNSAFE))

    def _is_there(self, outcome: str, parts: Parts) -> bool:
        """Whether the output has a place, or its schema lists it."""
        reached = types.at(self._output(outcome), parts)
        return reached.presence is Verdict.ALWAYS or (
            reached.presence is Verdict.MAYBE and all(field.listed for field in reached.fields)
        )

    def _misplaced(self) -> Iterator[Fix]:
        """What a step hands on it lacks where the field was bound as if its place led through the graph (WF313)."""
        source = self.write.source
        for binding in inputs_of(self.step):
            if is_rooted(binding.target) and binding.target.parts[1:] == source.parts:
                yield put(f"Bind `{source}`", self.step, [(binding.at.below("target"), str(source))], UNSAFE)

    def _caught(self, lack: _Lack) -> list[str]:
        """The caught outcomes, where the binding reads the record that they have and does not name them."""
        step, binding = self.step, self.write.binding
        catches = step.catch if isinstance(step, (NodeStep, SubgraphStep)) else ()
        if binding.on is not None or self.write.source.parts[:1] != ("error",) or lack.index:
            return []
        return list(dict.fromkeys(catch.outcome for catch in catches))

    def _through(self, lack: _Lack) -> Diagnostic:
        parts, failing = self.write.source.parts, lack.index
        above = LocalPath(parts[:failing])
        at = self.write.binding.at.below("source")
        return PATH_THROUGH_SCALAR.at(
            at,
            related=self.declared(lack.outcome),
            fixes=(put(f"Write `{above}`", self.step, [(at, str(above))], UNSAFE),),
            got=str(self.write.source),
            field=parts[failing],
            through=f"`{above}`" if above.parts else "the output",
            type=describe(lack.holder),
            path=self._way(lack.outcome),
        )

    def _optional(self, lack: _Lack) -> Diagnostic:
        """An `on` that names some of several outcomes is taken as a guard, outside of strict mode."""
        field = self.write.source.parts[lack.index]
        plain = lack.field.listed and lack.field.container is Verdict.ALWAYS
        others = set(self.step.outcomes or ()) - {"item"}
        guarded = self.write.binding.on is not None and not others <= set(self.write.binding.on)
        owner = f"the output of `{self.step.id}` under `{lack.outcome}`"
        schema = self._schema(lack.outcome)
        return (OPTIONAL_SOURCE if plain and not guarded else UNPROVED_PRESENCE).at(
            self.write.binding.at.below("source"),
            confidence="likely",
            related=self.declared(lack.outcome),
            help=_WAY_OUT + (_CALLED if isinstance(self.step, NodeStep) else ""),
            fixes=() if schema is None or not plain else self._required(*schema),
            step=self.step.id,
            got=str(self.write.source),
            owner=owner,
            field=field,
            reason=f"{owner} does not require `{field}`",
            path=self._way(lack.outcome),
        )

    def _required(self, schema: Schema, at: Place) -> tuple[Fix, ...]:
        """A schema that the definition leaves out is written down before a field can be required in it."""
        parts, step = self.write.source.parts, self.step
        definition = self.flow.definitions.get(step.definition) if isinstance(step, NodeStep) else None
        known = known_behind(self.facts.module.catalogue, definition) if definition is not None else None
        if definition is None or known is None or schema != Schema.of(known.output):
            return required_in(schema, parts, at)
        test = {"op": "test", "path": definition.at.below("name").pointer, "value": definition.name}
        return tuple(replace(fix, patch=(test, *fix.patch)) for fix in required_anew(schema, parts, at))

    def declared(self, outcome: str) -> tuple[Related, ...]:
        schema = self._schema(outcome)
        return () if schema is None else (Related("declared", schema[1], f"the output under `{outcome}`"),)

    def _schema(self, outcome: str) -> tuple[Schema, Place] | None:
        """The written schema of an outcome's output, and where it is."""
        step = self.step
        if isinstance(step, (NodeStep, SubgraphStep)) and any(catch.outcome == outcome for catch in step.catch):
            return None
        match step:
            case NodeStep():
                return self._returned(step, outcome)
            case SubgraphStep():
                child = self.facts.child(step)
                if child is None:
                    return None
                return child.workflow.output_schema, child.workflow.at.below("output_schema")
            case InterruptStep():
                return self._answered(step, outcome)
            case _:
                return None

    def _returned(self, step: NodeStep, outcome: str) -> tuple[Schema, Place] | None:
        definition = self.flow.definitions.get(step.definition)
        if definition is None or not definition.written:
            return None
        own = outcome in definition.outcome_schemas
        at = definition.at.below("outcome_schemas", outcome) if own else definition.at.below("output_schema")
        return definition.schema_of(outcome), at

    def _answered(self, step: InterruptStep, outcome: str) -> tuple[Schema, Place] | None:
        schema = _resume_schema(step, outcome)
        if schema is None or (step.kind in std.INTERRUPT_KINDS and outcome not in step.resume_schemas):
            return None
        own = outcome in step.resume_schemas
        return schema, step.at.below("resume_schemas", outcome) if own else step.at.below("resume_schema")

    def _way(self, outcome: str) -> list[str]:
        return [*self.flow.trail(self.name)[:-1], f"{self.step.id}:{outcome}"]


def _resume_schema(step: InterruptStep, outcome: str) -> Schema | None:
    first = bool(step.outcomes) and outcome == (step.outcomes or ("",))[0]
    return step.resume_schema if first else step.resume_schemas.get(outcome)
