"""What the keywords of one schema object say about values of each kind, draft by draft.

Keywords that lead to other schemas about the same value (`$ref`, `allOf`, …) are read in `lowering`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wfc.passes.types.forms import (
    ANYTHING,
    FALSE,
    NULL,
    TRUE,
    Array,
    Atom,
    Contains,
    Further,
    Literals,
    Multiple,
    Names,
    Number,
    Object,
    Pattern,
    Rule,
    Type,
    Unique,
    both,
    in_short,
)
from wfc.passes.types.meets import array, number, object_of, text
from wfc.passes.types.roots import Draft, matches
from wfc.source import pointer

Inside = Callable[[str, Any], Type]
"""The type of a schema inside the one that is read, by its pointer relative to that and its value."""
Said = Mapping[str, Any]

_LAST = 2020
# Every keyword that can refuse a value, with the first and the last draft in which it does.
_DRAFTS: Mapping[str, tuple[Draft, Draft]] = {
    **dict.fromkeys((
        "type", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
        "maxLength", "pattern", "items", "minItems", "maxItems", "uniqueItems", "properties", "patternProperties",
        "additionalProperties", "required", "minProperties", "maxProperties", "dependencies", "allOf", "anyOf", "oneOf",
        "not", "$ref",
    ), (4, _LAST)),
    **dict.fromkeys(("const", "contains", "propertyNames"), (6, _LAST)),
    # The judge asserts these two in the drafts in which it may.
    **dict.fromkeys(("contentMediaType", "contentEncoding"), (6, 7)),
    **dict.fromkeys(("if", "then", "else"), (7, _LAST)),
    **dict.fromkeys((
        "dependentRequired", "dependentSchemas", "unevaluatedItems", "unevaluatedProperties", "minContains",
        "maxContains",
    ), (2019, _LAST)),
    "additionalItems": (4, 2019),
    "$recursiveRef": (2019, 2019),
    "prefixItems": (2020, _LAST),
    "$dynamicRef": (2020, _LAST),
}  # fmt: skip
_ALL_KINDS = frozenset(("null", "boolean", "number", "string", "array", "object"))


def said_by(draft: Draft, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of a schema object that can refuse a value; up to draft 7 a `$ref` stands for all of them."""
    if draft <= 7 and isinstance(schema.get("$ref"), str):
        return {"$ref": schema["$ref"]}
    found: dict[str, Any] = {}
    for name, operand in schema.items():
        first, last = _DRAFTS.get(name, (_LAST, 0))
        if first <= draft <= last:
            found[name] = operand
    return found


def own_atoms(draft: Draft, said: Said, inside: Inside) -> list[Atom]:
    """The atoms that the keywords about single kinds leave."""
    kinds = _kinds(said.get("type"))
    constants = ((NULL,) if "null" in kinds else ()) + ((FALSE, TRUE) if "boolean" in kinds else ())
    found: list[Atom | None] = [Literals(constants)] if constants else []
    if "number" in kinds or "integer" in kinds:
        whole = 0 if "number" in kinds else 2 if draft == 4 else 1
        found.append(_number(draft, said, whole))
    if "string" in kinds:
        rules = (Pattern(said["pattern"]),) if "pattern" in said else ()
        found.append(text(*_size(said, "minLength", "maxLength"), rules))
    if "array" in kinds:
        found.append(_array(draft, said, inside))
    if "object" in kinds:
        found.append(_object(said, inside))
    return [atom for atom in found if atom is not None]


def _kinds(written: Any) -> frozenset[str]:
    if written is None:
        return _ALL_KINDS
    return frozenset((written,) if isinstance(written, str) else written)


def _size(said: Said, least: str, most: str) -> tuple[int, int | None]:
    """Two limits of a length, which may be written as doubles."""
    return int(said.get(least, 0)), int(said[most]) if most in said else None


def _number(draft: Draft, said: Said, whole: int) -> Number | None:
    low, low_open = said.get("minimum"), False
    high, high_open = said.get("maximum"), False
    if draft == 4:
        low_open, high_open = said.get("exclusiveMinimum") is True, said.get("exclusiveMaximum") is True
    else:
        above, below = said.get("exclusiveMinimum"), said.get("exclusiveMaximum")
        if above is not None and (low is None or above >= low):
            low, low_open = above, True
        if below is not None and (high is None or below <= high):
            high, high_open = below, True
    rules = (Multiple(in_short(said["multipleOf"])),) if "multipleOf" in said else ()
    return number(low, low_open, high, high_open, whole, rules)


def _array(draft: Draft, said: Said, inside: Inside) -> Array | None:
    prefix, rest = _items(draft, said, inside)
    least, most = _size(said, "minItems", "maxItems")
    rules: list[Rule] = [Unique()] if said.get("uniqueItems") is True else []
    if "contains" in said:
        rule = Contains(inside("/contains", said["contains"]), *_contained(said))
        least = max(least, rule.least)
        rules += [rule] if rule.least or rule.most is not None else []
    return array(prefix, rest, least, most, tuple(rules))


def _contained(said: Said) -> tuple[int, int | None]:
    return int(said.get("minContains", 1)), int(said["maxContains"]) if "maxContains" in said else None


def _items(draft: Draft, said: Said, inside: Inside) -> tuple[list[Type], Type]:
    first, further = ("prefixItems", "items") if draft >= 2020 else ("items", "additionalItems")
    listed = said.get(first)
    if draft < 2020 and not isinstance(listed, list):
        first, further, listed = "", "items", None
    prefix = [inside(f"/{first}/{index}", item) for index, item in enumerate(listed or ())]
    if further in said:
        return prefix, inside(f"/{further}", said[further])
    return prefix, _unevaluated(said, "unevaluatedItems", inside)


def _unevaluated(said: Said, keyword: str, inside: Inside) -> Type:
    return inside(f"/{keyword}", said[keyword]) if keyword in said and is_plain(said, keyword) else ANYTHING


# What says of elements or keys that they were looked at, besides the keywords that a schema object has for that itself.
_LOOKING = frozenset(("allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef", "$recursiveRef", "dependencies"))


def is_plain(said: Said, keyword: str) -> bool:
    """Whether `unevaluatedItems` or `unevaluatedProperties` only stands for what its own schema object leaves over."""
    also = "contains" if keyword == "unevaluatedItems" else "dependentSchemas"
    return not _LOOKING & said.keys() and also not in said


def _object(said: Said, inside: Inside) -> Object | None:
    patterned = [
        (expression, inside("/patternProperties" + pointer(expression), inner))
        for expression, inner in said.get("patternProperties", {}).items()
    ]
    fields: dict[str, Type] = {}
    for name, inner in said.get("properties", {}).items():
        matched = [type for expression, type in patterned if matches(expression, name)]
        fields[name] = both(inside("/properties" + pointer(name), inner), *matched)
    rest = _further(said, inside)
    key = inside("/propertyNames", said["propertyNames"]) if "propertyNames" in said else ANYTHING
    return object_of(
        fields,
        tuple(dict.fromkeys(said.get("required", ()))),
        (Further(tuple(patterned), rest),) if patterned or rest is not ANYTHING else (),
        _size(said, "minProperties", "maxProperties"),
        (Names(key),) if key is not ANYTHING else (),
        frozenset(fields) if "properties" in said else None,
        "additionalProperties" in said or "unevaluatedProperties" in said,
    )


def _further(said: Said, inside: Inside) -> Type:
    if "additionalProperties" in said:
        return inside("/additionalProperties", said["additionalProperties"])
    return _unevaluated(said, "unevaluatedProperties", inside)
