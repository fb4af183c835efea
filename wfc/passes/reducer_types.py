"""Every reducer can work on the field that it stands at, and lists are not appended as elements (reference 1.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Related, Severity
from wfc.ir import ReducerRef, reducer_ref
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.field_uses import FieldUses
from wfc.passes.flow import Flow
from wfc.passes.reducer_places import Counting
from wfc.passes.repairs import SAFE, UNSAFE, rewrite, take_out
from wfc.passes.types import ANYTHING, Type, Verdict, describe, fits
from wfc.passes.values import Write

REDUCER_TYPE = Code(
    code="WF412",
    rule="reducer-type",
    severity=Severity.ERROR,
    message="`{reducer}` does not work at `{field}`: {problem}; expected {expected}",
    help="give the field another reducer, or the schema of what `{reducer}` makes of it",
    why=(
        "A reducer makes one kind of value: `append` and `extend` lists, `add` numbers, `merge_object` objects. Where "
        "the schema of the field refuses that kind, no write of it can ever succeed. A list that is appended becomes "
        "one element; `extend` adds its elements one by one."
    ),
    example=example(
        """{"name": "size", "start": "count",
 "state_schema": {"type": "object", "properties": {"length": {"type": "integer"},
   "names": {"type": "array", "default": ["a", "b"], "reducer": "wf.std.add"}}},
                                                                ^^^^^^^^^^^^
 "output_schema": {"type": "object", "properties": {"length": {"type": "integer"}}},
 "nodes": [{"id": "count", "type": "node", "node": "wf.std.count",
            "input": [{"target": "array", "path": "state.names"}],
            "output": [{"source": "count", "target": "state.length"}]}],
 "edges": [{"from": "count", "outcome": "ok", "to": "__end__"}]}
""",
        ('"wf.std.add"', '"wf.std.append"'),
    ),
)
CODES = (REDUCER_TYPE,)
_SHOWN = 5
_APPEND, _EXTEND = "wf.std.append", "wf.std.extend"
_ARRAY, _TEXT_OR_NUMBER = types.array_of(ANYTHING), types.of({"type": ["number", "string"]})
_GIVES: Mapping[str, Type] = {
    _APPEND: types.array_of(ANYTHING, 1),
    _EXTEND: _ARRAY,
    "wf.std.set_union": _ARRAY,
    "wf.std.merge_object": types.open_record({}),
    "wf.std.max": _TEXT_OR_NUMBER,
    "wf.std.min": _TEXT_OR_NUMBER,
    "wf.std.add": types.of({"type": "number"}),
}


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        uses = facts.field_uses(flow)
        for each in uses.reducers[0]:
            reducer = reducer_ref(each.written)
            if reducer is not None and uses.declared.reducer(each.parts) == reducer:
                found = _misfit(facts, flow, uses, each, reducer)
                yield from [found] if found is not None else _lists(facts, flow, uses, each, reducer)


def _gives(reducer: ReducerRef) -> Type:
    """All that a reducer can make of a field; anything where that is not known."""
    if reducer.name != "wf.std.modulo_add":
        return _GIVES.get(reducer.name, ANYTHING)
    modulus = reducer.config.get("modulus")
    if isinstance(modulus, bool) or not isinstance(modulus, int | float) or modulus <= 0:
        return ANYTHING
    return types.of({"type": "number", "minimum": 0, "exclusiveMaximum": modulus})


def _misfit(facts: Facts, flow: Flow, uses: FieldUses, each: Counting, reducer: ReducerRef) -> Diagnostic | None:
    """The finding for a field that refuses all that its reducer gives."""
    held, given = uses.declared.type(each.parts), _gives(reducer)
    if types.is_empty(held) or not types.disjoint(held, given):
        return None
    fix, expected = _fitting(facts, flow, each, held)
    return REDUCER_TYPE.at(
        _place(flow, each),
        fixes=(fix,),
        reducer=reducer.name,
        field=".".join(("state", *each.parts)),
        problem=f"it gives {describe(given)}, and the field is {describe(held)}",
        got=describe(held),
        expected=expected,
    )


def _fitting(facts: Facts, flow: Flow, each: Counting, held: Type) -> tuple[Fix, str]:
    """The reducer for fields of this type, as far as what is written to it tells which."""
    place = _place(flow, each)
    kind = "".join(types.kinds(held))
    name, sure = {"array": _suited(facts, flow, each, held), "object": ("wf.std.merge_object", True)}.get(
        kind, ("wf.std.add" if kind == "number" else "", False)
    )
    if not name:
        return take_out("Replace what is there", place, each.written, UNSAFE), "a field that is replaced"
    return rewrite(f"Write `{name}`", place, each.written, name, SAFE if sure else UNSAFE), f"`{name}`"


def _suited(facts: Facts, flow: Flow, each: Counting, held: Type) -> tuple[str, bool]:
    """`append` where elements are written, `extend` where lists are."""
    written = [_written(facts, write) for write in facts.field_uses(flow).paths.written.get(each.parts, ())]
    element = types.elements(held)
    if written and all(fits(one, element).verdict is Verdict.ALWAYS and types.disjoint(one, _ARRAY) for one in written):
        return _APPEND, True
    lists = bool(written) and all(types.is_array(one) is Verdict.ALWAYS for one in written)
    return (_EXTEND, False) if lists else (_APPEND, False)


def _written(facts: Facts, write: Write) -> Type:
    """All that a binding may write."""
    return types.either(*(facts.values.source(write, outcome).type for outcome in write.outcomes))


def _place(flow: Flow, each: Counting) -> Place:
    workflow = flow.workflow.at
    pointer = f"{workflow.pointer}/state_schema{each.at}"
    return Place(workflow.file, pointer, workflow.workflow, None, "state_schema")


# -- lists ------------------------------------------------------------------------------------------------------------


def _lists(facts: Facts, flow: Flow, uses: FieldUses, each: Counting, reducer: ReducerRef) -> Iterator[Diagnostic]:
    """Lists of elements that are appended as if each were one element; one finding, at the first write."""
    if reducer.name != _APPEND:
        return
    element = types.elements(uses.declared.type(each.parts))
    written = [(write, _written(facts, write)) for write in uses.paths.written.get(each.parts, ())]
    lists = [(write, one) for write, one in written if _is_list_of(one, element)]
    if lists:
        yield _appended(flow, each, element, lists, len(lists) == len(written))


def _is_list_of(written: Type, element: Type) -> bool:
    """Whether what is written is never an element, and always a list of what may be elements."""
    if types.is_empty(written) or fits(written, element).verdict is not Verdict.NEVER:
        return False
    return types.is_array(written) is Verdict.ALWAYS and not types.disjoint(types.elements(written), element)


def _appended(
    flow: Flow, each: Counting, element: Type, lists: Sequence[tuple[Write, Type]], every: bool
) -> Diagnostic:
    (first, written), *others = lists
    related = [Related("declared", _place(flow, each), "the reducer")]
    related += [Related("written", write.at, "here too") for write, _ in others[:_SHOWN]]
    extend: Any = _EXTEND
    step = flow.steps[first.step].id
    problem = f"`{step}` writes {describe(written)} as one element, and elements are {describe(element)}"
    return REDUCER_TYPE.at(
        first.at,
        related=tuple(related),
        fixes=(rewrite(f"Write `{_EXTEND}`", _place(flow, each), each.written, extend, SAFE if every else UNSAFE),),
        hides=len(others),
        reducer=_APPEND,
        field=str(first.path),
        problem=problem,
        got=describe(written),
        expected=f"`{_EXTEND}`, which adds each of them",
    )
