"""What reducers make of the values of a state path, and whether they may meet a value that they refuse (reference 1.6).

A path that is missing has no current type. Every value that a reducer gives is of the type told here; it may hold more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wfc.ir import kind_of
from wfc.passes.types.fits import Verdict
from wfc.passes.types.forms import ANYTHING, NOTHING, Array, Contains, Object, Rule, Text, Type, Unique, both, either, made
from wfc.passes.types.holds import element_at
from wfc.passes.types.making import array_of
from wfc.passes.types.meets import array
from wfc.passes.types.ranges import Range, plus, range_of
from wfc.passes.types.reading import elements, kinds
from wfc.passes.types.shapes import arrays_of, merged, objects_of, possible_items

Config = Mapping[str, Any]

_ORDERED = either(made(*(each for each in ())), Range().type, made(Text()))


def after_reducer(name: str, config: Config, current: Type | None, incoming: Type) -> Type:
    """The values of a path after a write; `current` is none where the path is missing, before it.

    Values that the reducer refuses lead to no value. Of a reducer that is not built in, nothing is known.
    """
    reduced = _REDUCED.get(name)
    return ANYTHING if reduced is None else reduced(config, current, incoming)


def _replace(config: Config, current: Type | None, incoming: Type) -> Type:
    return incoming


def _append(config: Config, current: Type | None, incoming: Type) -> Type:
    if current is None:
        return array_of(incoming, 1, 1)
    grown = (_grown(each, Array((incoming,), NOTHING, 1, 1)) for each in arrays_of(current))
    return either(*grown)
