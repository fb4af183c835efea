"""What a step hands to its output bindings, outcome by outcome, and what it is given (reference 1.4, 1.5, 1.9, 2.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from wfc.ir import (
    Catch,
    ForeachStep,
    InterruptStep,
    Linked,
    NodeDef,
    NodeStep,
    Schema,
    Step,
    SubgraphStep,
    Unresolved,
    Value,
    std,
)
from wfc.passes import types
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.wiring import Wire
from wfc.passes.types import ANYTHING, Type, both
from wfc.passes.types.shapes import is_closed, objects_of
from wfc.passes.values.access import Access, Argument, Source, caught_outcomes
from wfc.passes.values.cells import ALWAYS, NEVER
from wfc.passes.values.declared import Parts
from wfc.passes.values.roots import DEEPEST, loops

TypeOfSource = Callable[[Source], Type]
Exits = Mapping[str, Type]
"""What a workflow gives, by the outcome with which it ends."""

_OBJECT = types.open_record({})
_TEXT, _COUNT = types.of({"type": "string"}), types.of({"type": "integer", "minimum": 0})
_NONE = types.literal(0)


def payload(arguments: Sequence[Argument], type_of: TypeOfSource) -> Type:
    """The payload that arguments build; every field is there once it is built, for a missing source fails the step."""
    if len(arguments) == 1 and not arguments[0].target.parts:
        return type_of(arguments[0].source)
    return _nested([(argument.target.parts, type_of(argument.source)) for argument in arguments], types.record)


def _nested(fields: Iterable[tuple[Parts, Type]], make: Callable[[Mapping[str, tuple[Type, bool]]], Type]) -> Type:
    """Objects with fields at places of any depth, all of which are there."""
    made: dict[Parts, dict[str, tuple[Type, bool]]] = {(): {}}
    for parts, type in fields:
        for depth in range(len(parts)):
            made.setdefault(parts[:depth], {})
        if parts:
            made[parts[:-1]][parts[-1]] = (type, True)
    for parts in sorted(made, key=len, reverse=True):
        if parts:
            made[parts[:-1]].setdefault(parts[-1], (make(made[parts]), True))
    return make(made[()])


def reads_its_input(flow: Flow, step: Step) -> bool:
    """Whether the type of what a step returns depends on what it is given."""
    if isinstance(step, NodeStep):
        definition = flow.definitions.get(step.definition)
        return definition is not None and definition.uses.source == std.SOURCE
    return isinstance(step, ForeachStep)


def result(flow: Flow, step: Step, access: Access, outcome: str, exits: Exits | None, type_of: TypeOfSource) -> Type:
    """The type of what the output bindings of an outcome read. `exits` are those of a child that is known.

    Of a definition or child that is not there, or at fault, nothing follows: it gives no values. Nor does anything of
    a definition without outcomes, which is whole only when the lock knows its capability, nor of what a step hands on
    of bindings some of which could not be read.
    """
    if isinstance(step, (NodeStep, SubgraphStep)) and outcome in caught_outcomes(flow, step):
        return caught(step.catch, outcome)
    match step:
        case NodeStep():
            definition = flow.definitions.get(step.definition)
            if definition is None or not definition.outcomes or ("input" in step.gaps and reads_its_input(flow, step)):
                return types.NOTHING
            return _returned(definition, access, outcome, type_of)
        case SubgraphStep():
            if exits is not None:
                return exits.get(outcome, types.NOTHING)
            if step.output_schema is None and not isinstance(step.link, Linked | Unresolved):
                return types.NOTHING
            return _OBJECT if step.output_schema is None else both(types.of(step.output_schema), _OBJECT)
        case InterruptStep():
            return _answered(step, access, outcome)
        case ForeachStep():
            return _looped(step, type_of(access.source or Value([])))
        case _:
            return ANYTHING


def caught(catches: Sequence[Catch], outcome: str) -> Type:
    """The output of a caught outcome: its `error` object, whose `type` may be missing."""
    codes = {code.partition(":")[0] for catch in catches if catch.outcome == outcome for code in catch.codes}
    error = {"code": (types.equal_to(*sorted(codes)), True), "message": (_TEXT, True), "type": (_TEXT, False)}
    return types.record({"error": (types.record(error), True)})


def _returned(definition: NodeDef, access: Access, outcome: str, type_of: TypeOfSource) -> Type:
    kept = _kept(definition.schema_of(outcome))
    builtin = std.BY_KEY.get(definition.uses.capability_key) if definition.uses.source == std.SOURCE else None
    if builtin is None or outcome not in builtin.outcomes:
        return kept
    # What the definition refuses is no output of any run.
    given = both(payload(access.arguments, type_of), types.of(definition.input_schema))
    return _inferred(builtin.key, outcome, given, kept) if types.kinds(given) else types.NOTHING


@lru_cache(maxsize=1024)
def _kept(schema: Schema) -> Type:
    return types.kept(schema)


@lru_cache(maxsize=4096)
def _inferred(key: str, outcome: str, given: Type, kept: Type) -> Type:
    """What a built-in returns, given its payload, behind a definition that keeps some of it."""
    return both(kept, _split(types.std_outputs(key, given)[outcome], kept))


def _split(given: Type, kept: Type) -> Type:
    """What is left of a built-in's output when the keys that a definition does not keep are gone."""
    objects = list(objects_of(given))
    lost = [name for each in objects for name in each.by_name if types.field(kept, name).presence is NEVER]
    if not lost:
        return given
    if not all(is_closed(each) for each in objects):
        return ANYTHING
    parts = [types.field(given, name) for each in objects for name in each.by_name if name not in lost]
    names = [name for each in objects for name in each.by_name if name not in lost]
    return types.record({name: (part.type, part.presence is ALWAYS) for name, part in zip(names, parts, strict=True)})


def _answered(step: InterruptStep, access: Access, outcome: str) -> Type:
    """A resume payload: its schema's, with every field that a binding of the outcome reads (reference 2.7)."""
    first = step.outcomes is not None and outcome in step.outcomes[:1]
    schema: Schema | None = step.resume_schema if first else step.resume_schemas.get(outcome)
    read = [write.source.parts[:DEEPEST] for write in access.writes if outcome in write.outcomes]
    needed = _nested([(parts, ANYTHING) for parts in read], types.open_record)
    return both(needed, *([] if schema is None else [types.of(schema)]))


def _looped(step: ForeachStep, over: Type) -> Type:
    """What a foreach tells of its items when it is done."""
    failing = step.on_item_error != "fail"
    error: dict[str, Any] = {
        "index": _COUNT,
        "item": types.elements(over),
        "code": _TEXT,
        "message": _TEXT,
        "node_id": _TEXT,
    }
    errors = types.array_of(types.record({name: (type, True) for name, type in error.items()}))
    fields = {
        "count": types.field(types.std_outputs("count", {"array": over})["ok"], "count").type,
        "succeeded": _COUNT,
        "failed": _COUNT if failing else _NONE,
        "failed_indexes": types.array_of(_COUNT) if failing else types.literal([]),
        "errors": errors if step.on_item_error == "collect" else types.literal([]),
    }
    return types.record({name: (type, True) for name, type in fields.items()})


def context(flow: Flow, step: str) -> Mapping[str, tuple[Type, bool]]:
    """What `context` holds at a step beside the items of loops: each key's type, and whether it is always there."""
    arriving = [wire for wire in flow.wires_to(step) if wire.source in flow.reachable and not _ends_an_item(flow, wire)]
    known: dict[str, tuple[Type, bool]] = {"retry_count": (_COUNT, True)}
    if arriving:
        always = step != flow.wiring.start
        edge = {
            "from": types.equal_to(*dict.fromkeys(wire.source for wire in arriving)),
            "outcome": types.equal_to(*dict.fromkeys(wire.outcome for wire in arriving)),
            "to": types.equal_to(step),
        }
        known["prior_outcome"] = edge["outcome"], always
        known["activated_incoming_edge"] = types.record({name: (type, True) for name, type in edge.items()}), always
    if next(loops(flow, step), None) is not None:
        known["loop_index"] = _COUNT, True
    return known


def _ends_an_item(flow: Flow, wire: Wire) -> bool:
    """Whether an edge leads an item back to its loop, which takes no step then."""
    return flow.is_inside(wire.source, wire.target) or (wire.source == wire.target and wire.outcome == "item")
