"""JSON Schema in the shorthand of types; what that cannot say is added as JSON, so that reading it gives the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wfc.frontend.text.layout import Fragment, Group, joined, literal, separated
from wfc.frontend.text.words import DOTTED, NAME, SIMPLE_TYPES, name, text_literal
from wfc.frontend.unrolled import Walk, unrolled
from wfc.ir import equal, kind_of

_NAMED = re.compile(r"#/\$defs/([A-Za-z_][A-Za-z0-9_]*)\Z")
_RANGES = {
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
}
_BEYOND = {"exclusiveMinimum": ">", "exclusiveMaximum": "<"}
STD = "wf.std."
_UNION = "union"


def written_type(schema: Any) -> Fragment:
    """A schema as a type."""
    return written_root(schema)


def written_fields(schema: Any) -> Fragment | None:
    """The fields of a record in parentheses; none for any other schema."""
    if not isinstance(schema, dict) or schema.get("type") != "object" or not isinstance(schema.get("properties"), dict):
        return None
    if not _defs_fit(schema) or not _required_fits(schema, False):
        return None
    closed = schema.get("additionalProperties") is False
    if not set(schema) <= {"type", "properties", "required", "$defs", *(("additionalProperties",) if closed else ())}:
        return None
    made: Group = unrolled(_record({**schema, "additionalProperties": None}, False, None, ""))
    return (Group("(", ")", made.entries), *((" only",) if closed else ()))


def written_root(
    schema: Any, *, optional: bool = False, like: Mapping[str, Any] | None = None, tag: str = ""
) -> Fragment:
    """The schema of input, state or output."""
    made: tuple[Fragment, bool] = unrolled(_typed(schema, optional, like, tag))
    return made[0]


def is_record(schema: Any) -> bool:
    """Whether a schema is written as a record, whatever stands behind it."""
    return isinstance(schema, dict) and schema.get("type") == "object" and not _is_named(schema) and _has_fields(schema)


def _is_named(schema: dict[str, Any]) -> bool:
    return isinstance(ref := schema.get("$ref"), str) and _NAMED.match(ref) is not None


def _type(schema: Any) -> Walk:
    return (yield _typed(schema))[0]


def _typed(schema: Any, optional: bool = False, like: Mapping[str, Any] | None = None, tag: str = "") -> Walk:
    """A schema as a type, and whether bars stand in it."""
    if not isinstance(schema, dict):
        return (f"json {text_literal(schema)}",), False
    left = dict(schema)
    base, kind = yield from _base(left, optional, like, tag)
    behind = _suffixes(left, kind)
    if behind and kind == _UNION:
        base = joined("(", base, ")")
    return joined(base, *behind), kind == _UNION and not behind


def _base(left: dict[str, Any], optional: bool, like: Mapping[str, Any] | None, tag: str) -> Walk:
    """What a type is, taken out of the keywords that are `left`; and of which kind, for the bounds behind it."""
    if _is_named(left):
        return (f"${left.pop('$ref').rpartition('/')[2]}",), None
    if "type" not in left:
        return (yield from _untyped(left))
    kind = left["type"]
    if isinstance(kind, list):
        if len(kind) > 1 and all(one in SIMPLE_TYPES for one in kind) and len(set(kind)) == len(kind):
            del left["type"]
            return (" | ".join(kind),), _UNION
        return ("any",), None
    if kind == "string" and _alternatives(left.get("enum"), "string"):
        del left["type"]
        return _choice(left.pop("enum")), _UNION
    if not isinstance(kind, str) or kind not in SIMPLE_TYPES:
        return ("any",), None
    if kind == "object" and _has_fields(left):
        fits = _required_fits(left, optional)
        record = yield _record(left, optional, like, tag)
        for key in ("type", "properties", "$defs", *(("required",) if fits else ())):
            left.pop(key, None)
        return (record,), "object"
    del left["type"]
    if kind == "array" and isinstance(left.get("items"), (dict, bool)):
        inner = yield _type(left.pop("items"))
        return (Group("[", "]", (inner,)),), "array"
    return (kind,), kind


def _untyped(left: dict[str, Any]) -> Walk:
    if "const" in left and kind_of(left["const"]) in ("string", "number", "boolean"):
        return (text_literal(left.pop("const")),), None
    if _alternatives(left.get("enum"), None):
        return _choice(left.pop("enum")), _UNION
    members = left.get("anyOf")
    if not isinstance(members, list) or len(members) < 2:
        return ("any",), None
    del left["anyOf"]
    parts = []
    for member in members:
        inner, is_union = yield _typed(member)
        parts.append(joined("(", inner, ")") if is_union else inner)
    if all(_is_simple(part) for part in parts):
        # Bare, they would be one list of types, or of values.
        parts[0] = joined("(", parts[0], ")")
    return separated(parts, " | "), _UNION


def _is_simple(part: Fragment) -> bool:
    word = part[0] if len(part) == 1 else None
    return isinstance(word, str) and (word in SIMPLE_TYPES or word[0] in '"-0123456789' or word in ("true", "false"))


def _alternatives(values: Any, kind: str | None) -> bool:
    """Whether a list of values can be written as literals between bars."""
    if not isinstance(values, list) or len(values) < 2:
        return False
    kinds = {kind_of(value) for value in values}
    if kind is not None:
        return kinds == {kind}
    return kinds <= {"string", "number", "boolean", "null"} and kinds not in ({"string"}, {"null"})


def _choice(values: list[Any]) -> Fragment:
    return (" | ".join(map(text_literal, values)),)


def _suffixes(left: dict[str, Any], kind: str | None) -> list[str | Fragment]:
    """What stands behind a type, taken out of the keywords that are left; the last is JSON for all others."""
    made: list[str | Fragment] = []
    if isinstance(left.get("enum"), list):
        made.append((" in ", *literal(left.pop("enum"))))
    if kind in _RANGES:
        made += _bounds(left, *_RANGES[kind])
    if kind == "object" and left.get("additionalProperties") is False:
        del left["additionalProperties"]
        made.append(" only")
    if isinstance(left.get("description"), str):
        made.append((" desc ", *literal(left.pop("description"))))
    if left:
        made.append((" where ", *literal(left)))
    return made


def _bounds(left: dict[str, Any], least: str, most: str) -> list[str | Fragment]:
    made: list[str | Fragment] = []
    low, high = (left.pop(key) if kind_of(left.get(key)) == "number" else None for key in (least, most))
    if low is not None or high is not None:
        made.append(f" {_number(low)}..{_number(high)}")
    for key, sign in _BEYOND.items() if least == "minimum" else ():
        if kind_of(left.get(key)) == "number":
            made.append(f" {sign} {_number(left.pop(key))}")
    return made


def _number(value: Any) -> str:
    return "" if value is None else text_literal(value)


# -- records ----------------------------------------------------------------------------------------------------------


def _has_fields(schema: dict[str, Any]) -> bool:
    """Whether an object schema is one that a record can say."""
    if isinstance(schema.get("properties"), dict):
        return _defs_fit(schema)
    return "properties" not in schema and isinstance(schema.get("additionalProperties"), dict) and "$defs" not in schema


def _defs_fit(schema: dict[str, Any]) -> bool:
    defs = schema.get("$defs", {"A": {}})
    return isinstance(defs, dict) and bool(defs) and all(NAME.match(key) and "-" not in key for key in defs)


def _marked(schema: dict[str, Any], optional: bool) -> set[str]:
    """The required fields that are said by the fields themselves."""
    if optional or not _required_fits(schema, optional):
        return set()
    return set(schema.get("required", ()))


def _required_fits(schema: dict[str, Any], optional: bool) -> bool:
    """Whether `required` is what the fields say: those without a default that are not marked, in their order."""
    if "required" not in schema:
        return True
    required, fields = schema["required"], schema.get("properties", {})
    if optional or not isinstance(required, list) or not required or not isinstance(fields, dict):
        return False
    if not all(isinstance(one, str) for one in required):
        return False
    wanted = set(required)
    return required == [key for key in fields if key in wanted and not _has_default(fields[key])]


def _has_default(schema: Any) -> bool:
    return isinstance(schema, dict) and "default" in schema


def _record(schema: dict[str, Any], optional: bool, like: Mapping[str, Any] | None, tag: str) -> Walk:
    entries, tags = [], []
    marked = _marked(schema, optional)
    for key, inner in schema.get("$defs", {}).items():
        entries.append(joined(f"${key}: ", (yield _type(inner))))
        tags.append(f"{tag}/$defs/{key}")
    for key, inner in schema.get("properties", {}).items():
        mark = "" if optional or key in marked or _has_default(inner) else "?"
        entries.append((yield _field(key, mark, inner, like)))
        tags.append(f"{tag}/properties/{_segment(key)}")
    if schema.get("properties") != {} and isinstance(schema.get("additionalProperties"), dict):
        entries.append(joined("*: ", (yield _type(schema.pop("additionalProperties")))))
        tags.append(f"{tag}/additionalProperties")
    return Group("{", "}", tuple(entries), tuple(tags) if tag else (), " ")


def _segment(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _field(field: str, mark: str, schema: Any, like: Mapping[str, Any] | None) -> Walk:
    key = f"{name(field)}{mark}"
    if like is not None and field in like and equal(like[field], schema):
        return (key,)
    if isinstance(schema, dict) and not schema and not (like is not None and field in like):
        return (key,)
    left = dict(schema) if isinstance(schema, dict) else schema
    behind: list[str | Fragment] = []
    if isinstance(left, dict):
        behind = _behind_field(left)
        if behind and not left and not (like is not None and field in like):
            return joined(key, *behind)
    return joined(f"{key}: ", (yield _type(left)), *behind)


def _behind_field(left: dict[str, Any]) -> list[str | Fragment]:
    """Reducer and default, taken out of the keywords of a field."""
    made: list[str | Fragment] = []
    reducer = written_reducer(left.get("reducer"))
    if reducer is not None:
        del left["reducer"]
        made.append(reducer)
    if "default" in left:
        made.append((" = ", *literal(left.pop("default"))))
    return made


def written_reducer(written: Any) -> Fragment | None:
    """A reducer behind its keyword; none for what only JSON can say."""
    if isinstance(written, str):
        return (f" by {_rule(written)}",)
    if not isinstance(written, dict) or set(written) != {"ref", "config"} or not isinstance(written["config"], dict):
        return None
    name = reducer_name(written["ref"])
    return None if name is None else joined(f" by {_rule(name)} ", literal(written["config"]))


def reducer_name(ref: Any) -> str | None:
    """The dotted name of a structural reference, where reading that gives the reference again."""
    if not isinstance(ref, dict) or set(ref) != {"source", "capability_key"}:
        return None
    name = f"{ref['source']}.{ref['capability_key']}"
    return name if DOTTED.match(name) and reference_of(name) == ref else None


def reference_of(name: str) -> dict[str, str]:
    """The structural reference that a dotted name means (reference 1.3)."""
    source, _, key = ("wf.std", "", name[len(STD) :]) if name.startswith(STD) else name.partition(".")
    return {"source": source, "capability_key": key}


def _rule(written: str) -> str:
    if written.startswith(STD) and NAME.match(written[len(STD) :]):
        return written[len(STD) :]
    return written if DOTTED.match(written) and "." in written else text_literal(written)
