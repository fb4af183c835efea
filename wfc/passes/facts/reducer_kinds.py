"""What built-in reducers make of a field, and which lists are appended as if each were one element (reference 1.6)."""

from __future__ import annotations

from collections.abc import Mapping

from wfc.ir import ReducerRef
from wfc.passes import types
from wfc.passes.facts.field_uses import FieldUses
from wfc.passes.types import ANYTHING, Type, Verdict, fits
from wfc.passes.values import Values, Write

Parts = tuple[str, ...]
APPEND = "wf.std.append"
ARRAY = types.array_of(ANYTHING)
_TEXT_OR_NUMBER = types.of({"type": ["number", "string"]})
_GIVES: Mapping[str, Type] = {
    APPEND: types.array_of(ANYTHING, 1),
    "wf.std.extend": ARRAY,
    "wf.std.set_union": ARRAY,
    "wf.std.merge_object": types.open_record({}),
    "wf.std.max": _TEXT_OR_NUMBER,
    "wf.std.min": _TEXT_OR_NUMBER,
    "wf.std.add": types.of({"type": "number"}),
}


def gives(reducer: ReducerRef) -> Type:
    """All that a reducer can make of a field; anything where that is not known."""
    if reducer.name != "wf.std.modulo_add":
        return _GIVES.get(reducer.name, ANYTHING)
    modulus = reducer.config.get("modulus")
    if isinstance(modulus, bool) or not isinstance(modulus, int | float) or modulus <= 0:
        return ANYTHING
    return types.of({"type": "number", "minimum": 0, "exclusiveMaximum": modulus})


def misfits(uses: FieldUses) -> Mapping[Parts, Type]:
    """The state paths whose schema refuses all that their reducer gives, with what the schema admits."""
    found: dict[Parts, Type] = {}
    for each in uses.reducers[0]:
        held = uses.declared.type(each.parts)
        if types.disjoint(held, gives(uses.declared.reducer(each.parts))) and not types.is_empty(held):
            found[each.parts] = held
    return found


def appended_lists(values: Values, uses: FieldUses) -> Mapping[Write, Type]:
    """The writes that append lists of elements, with what they write."""
    found: dict[Write, Type] = {}
    for each in uses.reducers[0]:
        writes = uses.paths.written.get(each.parts, ())
        if writes and uses.declared.reducer(each.parts).name == APPEND:
            element = types.elements(uses.declared.type(each.parts))
            found |= {write: one for write in writes if _is_list_of(one := written(values, write), element)}
    return found


def written(values: Values, write: Write) -> Type:
    """All that a binding may write."""
    return types.either(*(values.source(write, outcome).type for outcome in write.outcomes))


def _is_list_of(written: Type, element: Type) -> bool:
    """Whether what is written is never an element, and always a list of what may be elements."""
    if types.is_empty(written) or fits(written, element).verdict is not Verdict.NEVER:
        return False
    return types.is_array(written) is Verdict.ALWAYS and not types.disjoint(types.elements(written), element)
