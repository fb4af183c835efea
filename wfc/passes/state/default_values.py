"""Every default that a run begins with is a value of its own schema (reference 1.6, 2.3.1).

Guarantees to later phases: where nothing is reported here, the first value of each state field is of its declared type.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Severity
from wfc.ir import Schema, declarations, pieces, root_properties
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.repairs.literals import meant_literal
from wfc.passes.repairs.patches import UNSAFE, rewrite, take_out
from wfc.passes.types import Type
from wfc.records import dataclass
from wfc.source import pointer

BAD_DEFAULT = Code(
    code="WF409",
    rule="bad-default",
    severity=Severity.ERROR,
    message="{what} `{field}` is {got}, which its own schema refuses; expected {expected}",
    help="give a default that the schema of `{field}` accepts, or none",
    why=(
        "A default stands where nothing was given or written, so it has to be what every reader of the field may count "
        "on. One that its own schema refuses makes each run that needs it begin with a value of the wrong type."
    ),
    example=example(
        """{"name": "tell", "start": "tell",
 "state_schema": {"type": "object", "properties": {
   "n": {"type": "integer", "default": "0"}, "text": {"type": "string"}}},
                                       ^^^
 "output_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
 "nodes": [{"id": "tell", "type": "node", "node": "wf.std.to_json", "input": [{"target": "value", "path": "state.n"}],
            "output": [{"source": "text", "target": "state.text"}]}],
 "edges": [{"from": "tell", "outcome": "ok", "to": "__end__"}]}
""",
        ('"default": "0"', '"default": 0'),
    ),
)
CODES = (BAD_DEFAULT,)
_SHOWN = 60

Parts = tuple[str, ...]


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        workflow, uses = flow.workflow, facts.field_uses(flow)
        given = workflow.input_schema
        yield from _input(_Schema(given, given.value, workflow.at.below("input_schema")))
        state = _Schema(workflow.state_schema, uses.declared.value, workflow.at.below("state_schema"))
        yield from _state(state, uses.beginning.defaults)


@dataclass(frozen=True, slots=True)
class _Schema:
    """A schema whose defaults count, as a value and where it is written."""

    schema: Schema
    value: Any
    place: Place

    def type(self, at: str) -> Type:
        return types.of(self.schema, at)

    def declarations(self, parts: Parts) -> tuple[str, ...]:
        """The pointers of the schemas that declare a field."""
        return tuple(at for at, _ in declarations(self.value, parts))

    def own(self, declared: Sequence[str]) -> tuple[str, Any] | None:
        """The default that a field has itself, with its pointer; the first of several counts."""
        found = (each for at in declared for each in pieces(self.value, at))
        return next(((at + pointer("default"), piece["default"]) for at, piece in found if "default" in piece), None)


@dataclass(frozen=True, slots=True)
class _Default:
    """What a field begins with. `own` is the pointer of the default itself; none where inner defaults build it.

    `declared` are the pointers of the schemas that declare the field.
    """

    path: str
    value: Any
    own: str | None
    declared: tuple[str, ...]


def _input(schema: _Schema) -> Iterator[Diagnostic]:
    """Only defaults of top-level fields are ever given."""
    for name in root_properties(schema.value):
        declared = schema.declarations((name,))
        own = schema.own(declared)
        if own is not None:
            yield from _judged(schema, _Default(f"input.{name}", own[1], own[0], declared))


def _state(schema: _Schema, first: Mapping[str, tuple[Any]]) -> Iterator[Diagnostic]:
    """Inner values first: an object that is built of them is reported only where they are right."""
    wrong: set[Parts] = set()
    for name, (value,) in first.items():
        for parts, default in reversed(list(_defaults(schema, name, value))):
            found = [] if parts in wrong else list(_judged(schema, default))
            yield from found
            if found or parts in wrong:
                wrong.add(parts[:-1])


def _defaults(schema: _Schema, name: str, value: Any) -> Iterator[tuple[Parts, _Default]]:
    """The default of a state field, or the objects that are built for it, an object before what is in it."""
    waiting: list[tuple[Parts, Any]] = [((name,), value)]
    while waiting:
        parts, built = waiting.pop()
        declared = schema.declarations(parts)
        own = schema.own(declared)
        yield parts, _Default(".".join(("state", *parts)), built, None if own is None else own[0], declared)
        if own is None:
            waiting += [((*parts, inner), each) for inner, each in built.items()]


def _judged(schema: _Schema, default: _Default) -> Iterator[Diagnostic]:
    refusing = [at for at in default.declared if types.holds(schema.type(at), default.value) is False]
    if not refusing:
        return
    wanted, own = schema.type(refusing[0]), default.own
    place = schema.place
    here = Place(place.file, place.pointer + (own or refusing[0]), place.workflow, place.step, place.field)
    yield BAD_DEFAULT.at(
        here,
        fixes=() if own is None else (_fix(here, default.value, wanted),),
        what="the object that defaults build for" if own is None else "the default of",
        field=default.path,
        got=_shown(default.value),
        expected=types.describe(wanted),
        witness=default.value,
    )


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return f"`{text if len(text) <= _SHOWN else text[: _SHOWN - 1] + '…'}`"


def _fix(place: Place, value: Any, wanted: Type) -> Fix:
    """A value that was written as another kind keeps what it says; else the field begins without one."""
    guess = meant_literal(value, wanted)
    if guess is not None:
        return rewrite(f"Write {_shown(guess[0])}", place, value, *guess)
    return take_out("Leave the default out", place, value, UNSAFE)
