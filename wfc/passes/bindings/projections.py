"""What an end projects is an output of its workflow: all that is required, and everything fits (reference 2.3.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wfc.diagnostics import Applicability, Code, Diagnostic, Fix, Place, Related, Severity, Strict
from wfc.passes import types
from wfc.passes.bindings.fitting import TYPE_MISMATCH
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.places import around
from wfc.passes.facts.witnesses import Witnesses, undone
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.declaring import loosened
from wfc.passes.repairs.filling import filling
from wfc.passes.repairs.remedies import default_for, optional_in
from wfc.passes.types import NOTHING, Fit, Type, Verdict, describe
from wfc.passes.types.fields import required_fields
from wfc.passes.values import Read
from wfc.records import dataclass

UNPROVED_OUTPUT = Code(
    code="WF395",
    rule="unproved-output",
    severity=Severity.NOTE,
    strict=Strict.ONLY,
    message="the output at `{end}` may be refused: {reason}; expected {expected}",
    help="narrow what state holds there, or let the output schema take it",
    why=(
        "At every end the fields of the output schema are taken from state and judged as one object. Strict checking "
        "promises that no run fails there, so each field has to be proved to fit, and so has all of it together."
    ),
    example=example(
        """{"name": "note", "start": "set",
 "input_schema": {"type": "object", "properties": {"text": {"type": ["string", "null"]}}, "required": ["text"]},
 "state_schema": {"type": "object", "properties": {"note": {"type": ["string", "null"]}}},
 "output_schema": {"type": "object", "properties": {"note": {"type": "string"}}},
                                                            ^^^^^^^^^^^^^^^^^^
 "nodes": [{"id": "set", "type": "node", "node": "wf.std.record", "input": [{"target": "note", "path": "input.text"}],
            "output": [{"source": "note", "target": "state.note"}]}],
 "edges": [{"from": "set", "outcome": "ok", "to": "__end__"}]}
""",
        ('{"note": {"type": "string"}}', '{"note": {"type": ["string", "null"]}}'),
    ),
)
OUTPUT_NEVER_WRITTEN = Code(
    code="WF402",
    rule="output-never-written",
    severity=Severity.ERROR,
    message="the output requires `{got}`, which nothing on the way to `{end}` writes to state; expected a write before",
    help="write `state.{got}` before `{end}`, give it a default, or do not require it",
    why=(
        "The output of a workflow is what state holds under the names of the output schema when it ends. A required "
        "field that no way to this end writes is missing there in every run, which then fails with `output_invalid` "
        "after all its work is done."
    ),
    example=example(
        """{"name": "note", "start": "nap",
 "state_schema": {"type": "object", "properties": {"note": {"type": "string"}}},
 "output_schema": {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]},
 "nodes": [{"id": "nap", "type": "wait", "seconds": 1}],
 "edges": [{"from": "nap", "outcome": "ok", "to": "__end__"}]}
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
        (', "required": ["note"]', ""),
    ),
)
OUTPUT_MAYBE_UNWRITTEN = Code(
    code="WF403",
    rule="output-maybe-unwritten",
    severity=Severity.WARNING,
    strict=Strict.ERROR,
    message="the output requires `{got}`, which not every way to `{end}` writes to state; expected a write on each",
    help="write `state.{got}` on the way that is shown as well, give it a default, or do not require it",
    why=(
        "The output of a workflow is what state holds under the names of the output schema when it ends. A run that "
        "takes a way on which a required field is not written fails with `output_invalid` after all its work is done."
    ),
    example=example(
        """{"name": "note", "start": "long",
 "input_schema": {"type": "object", "properties": {"long": {"type": "boolean"}}, "required": ["long"]},
 "state_schema": {"type": "object", "properties": {"note": {"type": "string"}}},
 "output_schema": {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]},
 "nodes": [{"id": "long", "type": "condition", "check": {"op": "eq", "left": {"path": "input.long"}, "right": true}},
           {"id": "set", "type": "node", "node": "wf.std.record", "input": [{"target": "note", "value": "x"}],
            "output": [{"source": "note", "target": "state.note"}]},
           {"id": "done", "type": "end", "outcome": "ok"}],
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 "edges": [{"from": "long", "outcome": "true", "to": "set"}, {"from": "set", "outcome": "ok", "to": "done"},
           {"from": "long", "outcome": "false", "to": "done"}]}
""",
        (', "required": ["note"]},\n "nodes"', '},\n "nodes"'),
    ),
)
CODES = (UNPROVED_OUTPUT, OUTPUT_NEVER_WRITTEN, OUTPUT_MAYBE_UNWRITTEN, TYPE_MISMATCH)


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        yield from _Projecting(facts, flow, types.of(flow.workflow.output_schema), Witnesses(facts)).all()


@dataclass(frozen=True, slots=True)
class _End:
    """One end of a workflow: what it projects, and the type of the output that comes of it."""

    step: str
    at: Place
    reads: Sequence[Read]
    type: Type


@dataclass(frozen=True, slots=True)
class _Projecting:
    """The ends of one workflow."""

    facts: Facts
    flow: Flow
    schema: Type
    witnesses: Witnesses

    def all(self) -> Iterator[Diagnostic]:
        """A field of another type is reported once, at its schema; one that is not there at each end."""
        ends = [end for end in self._ends() if types.fits(end.type, self.schema).verdict is not Verdict.ALWAYS]
        told: set[str] = set()
        for end in ends:
            lacking = self._lacking(end)
            missing = [one for name in lacking for one in self._missing(end, name, told)]
            wrong = [read for read in end.reads if self._misfits(read)]
            yield from missing
            for read in wrong:
                if read.path.parts[0] not in told:
                    told.add(read.path.parts[0])
                    yield self._field(end, read)
            strange = any(read.path.parts[0] in self.facts.reads(self.flow).undeclared for read in end.reads)
            if not lacking and not wrong and not strange:
                yield self._together(end)

    def _ends(self) -> Iterator[_End]:
        solver = self.facts.values.solver(self.flow)
        for name, access in solver.accesses.items():
            for outputs in access.outputs:
                seen = {read.path.parts[0]: (self._type(read), self._there(read) is Verdict.ALWAYS) for read in outputs}
                at = outputs[0].at if outputs else self.flow.steps[name].at
                # A field that is there without a possible value: no run comes to this end.
                if not any(always and not types.kinds(type) for type, always in seen.values()):
                    fields = {field: found for field, found in seen.items() if types.kinds(found[0])}
                    yield _End(name, at, outputs, types.record(fields))

    def _type(self, read: Read) -> Type:
        return NOTHING if self._there(read) is Verdict.NEVER else self.facts.values.type_of(read)

    def _there(self, read: Read) -> Verdict:
        return self.facts.values.presence(read)

    # Fields that are required

    def _lacking(self, end: _End) -> list[str]:
        there = {read.path.parts[0] for read in end.reads if self._there(read) is Verdict.ALWAYS}
        return [name for name in required_fields(self.schema) if name not in there]

    def _missing(self, end: _End, name: str, told: set[str]) -> Iterator[Diagnostic]:
        """A field that nothing writes at all is reported at the first end; else each end is judged by itself."""
        read = next((read for read in end.reads if read.path.parts[0] == name), None)
        looks = self.facts.reads(self.flow)
        if name in told or (read is not None and looks.follows((name,))):
            return
        if read is None or (name,) not in looks.written:
            told.add(name)
        yield self._unlisted(end, name) if read is None else self._unwritten(end, read)

    def _unwritten(self, end: _End, read: Read) -> Diagnostic:
        name, never = read.path.parts[0], self._there(read) is Verdict.NEVER
        witness = None if never else self.witnesses.of(read, 0)
        schema = self.flow.workflow.output_schema
        place = self.flow.workflow.at.below("output_schema")
        return (OUTPUT_NEVER_WRITTEN if never else OUTPUT_MAYBE_UNWRITTEN).at(
            end.at,
            confidence="proved" if never or witness else "likely",
            related=(
                Related("declared", place.below("required"), "required here"),
                *undone(witness),
                *around(self.facts, self.flow, read.path),
            ),
            fixes=(
                *filling(self.facts, self.flow, read.path, end.step),
                *_harmless_first((*optional_in(schema, name, place), *default_for(self.facts, self.flow, read.path))),
            ),
            got=name,
            end=self._named(end),
            path=list(witness.way) if witness else self._trail(end),
        )

    def _unlisted(self, end: _End, name: str) -> Diagnostic:
        """Only what is listed is projected, so that a required field which is not is never there."""
        schema, place = self.flow.workflow.output_schema, self.flow.workflow.at.below("output_schema")
        return UNPROVED_OUTPUT.at(
            place.below("required"),
            fixes=optional_in(schema, name, place),
            end=self._named(end),
            reason=f"`{name}` is required and is none of its `properties`",
            expected="only fields that are projected",
            got=name,
            path=self._trail(end),
        )

    # Types

    def _misfits(self, read: Read) -> bool:
        if read.path.parts[0] in self.facts.reads(self.flow).undeclared:
            return False
        return types.fits(self._type(read), self._wanted(read)).verdict is not Verdict.ALWAYS

    def _wanted(self, read: Read) -> Type:
        return types.field(self.schema, read.path.parts[0]).type

    def _field(self, end: _End, read: Read) -> Diagnostic:
        name = read.path.parts[0]
        fit = types.fits(self._type(read), self._wanted(read))
        never = fit.verdict is Verdict.NEVER
        return (TYPE_MISMATCH if never else UNPROVED_OUTPUT).at(
            self.flow.workflow.at.below("output_schema", "properties", name),
            confidence="proved" if never or fit.witness is not None else "likely",
            related=around(self.facts, self.flow, read.path),
            fixes=() if never else self._loosened(name, fit.source),
            source=f"`{read.path}` at `{self._named(end)}`",
            taker=f"`{name}` of the output",
            end=self._named(end),
            reason=f"`{name}` is {describe(fit.source)}",
            got=describe(fit.source),
            expected=describe(fit.target),
            **_witness(fit),
            path=self._trail(end),
        )

    def _loosened(self, name: str, given: Type) -> tuple[Fix, ...]:
        workflow = self.flow.workflow
        return loosened(workflow.output_schema.value, (name,), workflow.at.below("output_schema"), name, given)

    def _together(self, end: _End) -> Diagnostic:
        """Each field by itself is right, and all of them together are refused, or may be."""
        fit = types.fits(end.type, self.schema)
        never = fit.verdict is Verdict.NEVER
        return (TYPE_MISMATCH if never else UNPROVED_OUTPUT).at(
            end.at,
            confidence="proved" if never or fit.witness is not None else "likely",
            related=(Related("declared", self.flow.workflow.at.below("output_schema"), "what an output is"),),
            source=f"the output at `{self._named(end)}`",
            taker="the output schema",
            end=self._named(end),
            reason=f"all of it together is {describe(fit.source)}",
            got=describe(fit.source),
            expected=describe(fit.target),
            **_witness(fit),
            path=self._trail(end),
        )

    def _named(self, end: _End) -> str:
        """An end step by its id, an edge to `__end__` by where it comes from."""
        wire = end.reads[0].wire if end.reads else None
        return end.step if wire is None else f"{wire.source}:{wire.outcome}"

    def _trail(self, end: _End) -> list[str]:
        wire = end.reads[0].wire if end.reads else None
        return self.flow.trail(end.step) if wire is None else self.flow.trail_by(wire)


def _harmless_first(fixes: tuple[Fix, ...]) -> tuple[Fix, ...]:
    return tuple(sorted(fixes, key=lambda fix: fix.applicability is not Applicability.SAFE))


def _witness(fit: Fit) -> dict[str, Any]:
    return {} if fit.witness is None else {"witness": fit.witness[0]}
