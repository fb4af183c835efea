"""Every reducer can work on the field that it stands at, and lists are not appended as elements (reference 1.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Related, Severity
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.field_uses import FieldUses
from wfc.passes.facts.reducer_kinds import APPEND, ARRAY, gives, written
from wfc.passes.facts.reducer_places import Counting
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import SAFE, UNSAFE, rewrite, take_out
from wfc.passes.types import Type, Verdict, describe, fits
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
_EXTEND = "wf.std.extend"


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        uses = facts.field_uses(flow)
        wrong = facts.misfits(flow)
        lists = facts.appended(flow)
        for each in uses.reducers[0]:
            if each.parts in wrong:
                yield _misfit(facts, flow, each, wrong[each.parts])
            else:
                writes = uses.paths.written.get(each.parts, ())
                found = [(write, lists[write]) for write in writes if write in lists]
                yield from [_appended(flow, uses, each, found, len(found) == len(writes))] if found else []


def _misfit(facts: Facts, flow: Flow, each: Counting, held: Type) -> Diagnostic:
    """The finding for a field that refuses all that its reducer gives."""
    reducer = facts.field_uses(flow).declared.reducer(each.parts)
    fix, expected = _fitting(facts, flow, each, held)
    return REDUCER_TYPE.at(
        _place(flow, each),
        fixes=(fix,),
        reducer=reducer.name,
        field=".".join(("state", *each.parts)),
        problem=f"it gives {describe(gives(reducer))}, and the field is {describe(held)}",
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
    writes = facts.field_uses(flow).paths.written.get(each.parts, ())
    found = [written(facts.values, write) for write in writes]
    element = types.elements(held)
    if found and all(fits(one, element).verdict is Verdict.ALWAYS and types.disjoint(one, ARRAY) for one in found):
        return APPEND, True
    lists = bool(found) and all(types.is_array(one) is Verdict.ALWAYS for one in found)
    return (_EXTEND, False) if lists else (APPEND, False)


def _place(flow: Flow, each: Counting) -> Place:
    workflow = flow.workflow.at
    pointer = f"{workflow.pointer}/state_schema{each.at}"
    return Place(workflow.file, pointer, workflow.workflow, None, "state_schema")


def _appended(
    flow: Flow, uses: FieldUses, each: Counting, lists: Sequence[tuple[Write, Type]], every: bool
) -> Diagnostic:
    """Lists of elements that are appended as if each were one element; one finding, at the first write."""
    (first, one), *others = lists
    related = [Related("declared", _place(flow, each), "the reducer")]
    related += [Related("written", write.at, "here too") for write, _ in others[:_SHOWN]]
    element = types.elements(uses.declared.type(each.parts))
    fix = rewrite(f"Write `{_EXTEND}`", _place(flow, each), each.written, _EXTEND, SAFE if every else UNSAFE)
    return REDUCER_TYPE.at(
        first.at,
        related=tuple(related),
        fixes=(fix,),
        hides=len(others),
        reducer=APPEND,
        field=str(first.path),
        problem=f"`{flow.steps[first.step].id}` writes {describe(one)} as an element; elements are {describe(element)}",
        got=describe(one),
        expected=f"`{_EXTEND}`, which adds each of them",
    )
