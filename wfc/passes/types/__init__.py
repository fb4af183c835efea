"""Types of JSON values, and the questions about them: the front door of the room.

A type is a schema or made of others. Answers about all of its values are ALWAYS, NEVER or MAYBE, the first two proved
against the verdicts of jsonschema-rs. Types are compared by identity, and everything is a pure function of them.
"""

from wfc.passes.types.comparing import comparable, compared, may_equal, only_value
from wfc.passes.types.contradicting import Disagreement, contradicts
from wfc.passes.types.describing import describe
from wfc.passes.types.fitting import Fit, Verdict, disjoint, fits, is_empty
from wfc.passes.types.forms import ANYTHING, NOTHING, Type, both, either
from wfc.passes.types.lowering import of
from wfc.passes.types.making import array_of, equal_to, literal, only, open_record, record, without
from wfc.passes.types.membership import holds
from wfc.passes.types.reading import (
    Field,
    Reached,
    all_of,
    at,
    elements,
    field,
    is_array,
    is_object,
    kept,
    kinds,
    lengths,
)
from wfc.passes.types.reducing import after_reducer, reducer_accepts, taken
from wfc.passes.types.samples import sample
from wfc.passes.types.std import std_outputs

__all__ = [
    "ANYTHING",
    "NOTHING",
    "Disagreement",
    "Field",
    "Fit",
    "Reached",
    "Type",
    "Verdict",
    "after_reducer",
    "all_of",
    "array_of",
    "at",
    "both",
    "comparable",
    "compared",
    "contradicts",
    "describe",
    "disjoint",
    "either",
    "elements",
    "equal_to",
    "field",
    "fits",
    "holds",
    "is_array",
    "is_empty",
    "is_object",
    "kept",
    "kinds",
    "lengths",
    "literal",
    "may_equal",
    "of",
    "only",
    "only_value",
    "open_record",
    "record",
    "reducer_accepts",
    "sample",
    "std_outputs",
    "taken",
    "without",
]
