"""Which kinds of values a schema is sure to accept: so a step whose values are of them need not ask at every run.

Guarantees: every verdict is that of jsonschema-rs. A schema that says nothing but which kinds a value may have gives
one verdict for all values of a kind, and it is asked for that one; of any other schema nothing is foreseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from wfc.ir import root_properties
from wfc.vm.plans import ANNOTATIONS, Check, admits_all
from wfc.vm.verdicts import Judge

Kinds = frozenset[type]

# Values that stand for all of their kind. A number with a fraction of zero counts as an integer, so there are two.
_SAMPLES: dict[type, tuple[Any, ...]] = {
    int: (0, -1, 10**30),
    str: ("", "a"),
    bool: (False, True),
    float: (1.0, 0.5),
    type(None): (None,),
}
ALL_KINDS: Kinds = frozenset(_SAMPLES)
_NAMED: dict[str, Kinds] = {
    "integer": frozenset([int]),
    "number": frozenset([int, float]),
    "string": frozenset([str]),
    "boolean": frozenset([bool]),
    "null": frozenset([type(None)]),
}
_OF_OBJECTS = ANNOTATIONS | {"type", "properties", "required", "additionalProperties"}


def kinds_of_object(judge: Judge, keys: Sequence[str]) -> tuple[Kinds, ...]:
    """For an object of exactly these keys: the kinds of each key's value with which the schema is sure to accept it."""
    if admits_all(judge.schema):
        return tuple(ALL_KINDS for _ in keys)
    if not isinstance(judge.schema, dict) or not judge.schema.keys() <= _OF_OBJECTS:
        return tuple(frozenset() for _ in keys)
    declared = root_properties(judge.schema)
    others = judge.schema.get("additionalProperties", True)
    found = [_kinds(declared.get(key, others)) for key in keys]
    return tuple(found) if all(found) and _are_accepted(judge, keys, found) else tuple(frozenset() for _ in keys)


def kinds_of_checks(schemas: Sequence[Any], checks: Sequence[Check]) -> Kinds:
    """The kinds of values that all of these checks, with these schemas, are sure to accept."""
    found = ALL_KINDS.intersection(*map(_kinds, schemas))
    samples = chain.from_iterable(_SAMPLES[kind] for kind in found)
    return found if all(check.verdict.is_valid(sample) for sample in samples for check in checks) else frozenset()


def _kinds(schema: Any) -> Kinds:
    """The kinds that a schema names, where it says nothing else."""
    if admits_all(schema):
        return ALL_KINDS
    if not isinstance(schema, dict) or not schema.keys() <= ANNOTATIONS | {"type"}:
        return frozenset()
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return frozenset().union(*(_NAMED.get(name, ()) for name in names))


def _are_accepted(judge: Judge, keys: Sequence[str], found: Sequence[Kinds]) -> bool:
    """Whether the schema accepts an object with each kind at each key, beside one that is as good at the others."""
    first = {key: _SAMPLES[next(iter(kinds))][0] for key, kinds in zip(keys, found, strict=True)}
    return judge.is_valid(first) and all(
        judge.is_valid({**first, key: sample})
        for key, kinds in zip(keys, found, strict=True)
        for kind in kinds
        for sample in _SAMPLES[kind]
    )
