"""What a write to one state path has to be checked against, worked out once per path (reference 1.6, 2.4).

A plan says which reducer the path has, which schemas its value must satisfy, which ancestors could refuse the write,
and whether growth of an array can be judged by the added elements alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.ir import (
    REDUCERS,
    REPLACE,
    Reducer,
    ReducerRef,
    canonical,
    declarations,
    draft_of,
    pieces,
    reducer_ref,
)
from wfc.paths import Parts
from wfc.records import dataclass
from wfc.vm.verdicts import Judge, Verdict

ANNOTATIONS = frozenset(
    [
        "title",
        "description",
        "default",
        "examples",
        "$comment",
        "reducer",
        "$defs",
        "definitions",
        "$schema",
        "$id",
        "$anchor",
        "deprecated",
        "readOnly",
        "writeOnly",
        "format",
    ]
)
# These are looked through: the pieces that they lead to are judged one by one.
_TRANSPARENT = frozenset(("$ref", "allOf"))
_GROWTH = ANNOTATIONS | _TRANSPARENT | {"type", "items", "minItems"}


# What a schema that says one of these means depends on where it stands.
_PLACED = ("$ref", "$dynamicRef", "$recursiveRef", "$id", "$anchor", "$dynamicAnchor", "$schema", "unevaluated")


def says_the_same(one: Any, one_root: Any, other: Any, other_root: Any) -> bool:
    """Whether two schemas, each inside its root, ask the same of a value beyond doubt: their texts are equal."""
    if not isinstance(one, dict) or not isinstance(other, dict) or draft_of(one_root) != draft_of(other_root):
        return False
    texts = [canonical({key: item for key, item in said.items() if key not in ANNOTATIONS}) for said in (one, other)]
    return texts[0] == texts[1] and not any(f'"{word}' in texts[0] for word in _PLACED)


def admits_all(schema: Any) -> bool:
    """Whether a schema says nothing that could refuse a value."""
    return schema is True or (isinstance(schema, dict) and schema.keys() <= ANNOTATIONS)


_WAYS = {id(one): way for one in REDUCERS for way in ("replace", "append") if one.name == f"wf.std.{way}"}


@dataclass(frozen=True, slots=True)
class Check:
    """A schema at a pointer of the state schema, and the state path whose value it judges."""

    parts: Parts
    at: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Everything about writing one state path. `text` is its dotted form.

    `checks` judge the path itself; `ancestors` always, `creators` when the write creates that ancestor.
    `elements`, where it is not none, judge the elements that a reducer adds to an array that is there. `way` is
    `replace` or `append` where a built-in reducer does that to a key of the state itself.
    """

    parts: Parts
    text: str
    reducer: Reducer
    config: Mapping[str, Any]
    checks: tuple[Check, ...]
    ancestors: tuple[Check, ...]
    creators: tuple[Check, ...]
    elements: tuple[Check, ...] | None
    way: str = ""


def reducer_at(schema: Any, parts: Parts) -> ReducerRef:
    """The reducer that is declared for exactly this path; `wf.std.replace` where none is."""
    for at, _ in declarations(schema, parts):
        for _, piece in pieces(schema, at):
            found = reducer_ref(piece["reducer"]) if "reducer" in piece else None
            if found is not None:
                return found
    return REPLACE


def plan(judge: Judge, parts: Parts, reducer: Reducer, config: Mapping[str, Any]) -> Plan:
    """The plan of a path under the schema of `judge`."""
    ancestors, creators = _above(judge, parts)
    declared = [at for at, _ in declarations(judge.schema, parts)]
    growing = reducer.grows is not None and bool(declared) and not ancestors
    return Plan(
        parts=parts,
        text=".".join(("state", *parts)),
        reducer=reducer,
        config=config,
        checks=tuple(Check(parts, at, judge.inside(at)) for at in declared),
        ancestors=ancestors,
        creators=creators,
        elements=_elements(judge, parts, declared) if growing else None,
        way=_WAYS.get(id(reducer), "") if len(parts) == 1 else "",
    )


def _above(judge: Judge, parts: Parts) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
    always: list[Check] = []
    created: list[Check] = []
    for depth in range(1, len(parts)):
        above, below = parts[:depth], parts[depth]
        for at, _ in declarations(judge.schema, above):
            found = list(pieces(judge.schema, at))
            check = Check(above, at, judge.inside(at))
            if any(_could_refuse(piece, below) for _, piece in found):
                always.append(check)
            elif any("required" in piece for _, piece in found):
                created.append(check)
    return tuple(always), tuple(created)


def _could_refuse(piece: Mapping[str, Any], below: str) -> bool:
    """Whether an object that satisfied this schema may fail it once the field `below` has a value of its own schema."""
    properties = piece.get("properties")
    listed = isinstance(properties, dict) and below in properties
    for keyword, value in piece.items():
        if keyword in ANNOTATIONS or keyword in _TRANSPARENT or keyword in ("properties", "required"):
            continue
        if keyword == "type" and (value == "object" or (isinstance(value, list) and "object" in value)):
            continue
        if keyword == "additionalProperties" and (listed or value is True):
            continue
        return True
    return False


def _elements(judge: Judge, parts: Parts, declared: list[str]) -> tuple[Check, ...] | None:
    """What judges single elements; none when a keyword speaks about the array as a whole."""
    checks: list[Check] = []
    for start in declared:
        for at, piece in pieces(judge.schema, start):
            if not piece.keys() <= _GROWTH or isinstance(piece.get("items"), list):
                return None
            if "items" in piece:
                checks.append(Check(parts, at + "/items", judge.inside(at + "/items")))
    return tuple(checks)
