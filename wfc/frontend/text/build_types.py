"""What the grammar's rules for types make: JSON Schema, with the place of every keyword.

Each function has the name of its rule and takes what that rule holds, marks and keywords included.
"""

from __future__ import annotations

from typing import Any

from wfc.frontend.text.lexer import Clash, Lexeme, Strange
from wfc.frontend.text.parts import Part, Stretch, an_array, an_object
from wfc.frontend.text.words import SIMPLE_TYPES
from wfc.frontend.text.write_types import reference_of
from wfc.records import dataclass, field

_SIMPLE = "simple"
_LITERAL = "literal"
_NULL = "null"
_CONSTANTS = {"true": True, "false": False}
_RANGES = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}
_NUMBERS = ("minimum", "maximum")
_BEYOND = {">": "exclusiveMinimum", "<": "exclusiveMaximum", ">=": "minimum", "<=": "maximum"}
STD = "wf.std."


def leaf(lexeme: Lexeme, value: Any = None) -> Part:
    """A word as a value: the given one, else its text."""
    return Part(lexeme.text if value is None else value, lexeme.start, lexeme.end)


def json_value(lexeme: Lexeme) -> Part:
    return Part(lexeme.value, lexeme.start, lexeme.end)


def put(owner: Part, key: str, part: Part, at: Stretch, clashes: list[Clash | Strange]) -> None:
    """Add a key to an object; one that is there already is a clash, and the first stays.

    What is required is said by the marks of fields unless it is said in so many words.
    """
    present = owner.inside.get(key)
    if present is not None and not (key == "required" and present.key is None):
        clashes.append(Clash(key, present.key or present.stretch, at))
    elif key in owner.value and present is None:
        clashes.append(Clash(key, owner.stretch, at))
    else:
        owner.put(key, part, at)


def put_all(owner: Part, more: Lexeme, at: Lexeme) -> Part | None:
    """Add the keys of a JSON object; gives the value where it is none."""
    if not isinstance(more.value, dict):
        return json_value(more)
    found = json_keys(more)
    for key, (name, part) in found.items():
        put(owner, key, part, name, more.clashes)
    return None


def json_keys(more: Lexeme) -> dict[str, tuple[Stretch, Part]]:
    """The entries of a JSON object, each with the place of its key and its value."""
    from wfc.frontend.json_places import entries

    made = {}
    for key, (name, (start, end)) in entries(more.text, 0):
        shifted = (more.start + name[0], more.start + name[1]) if name else (more.start, more.end)
        made[key] = (shifted, Part(more.value[key], more.start + start, more.start + end))
    return made


# -- atoms ------------------------------------------------------------------------------------------------------------


def type_word(children: list[Any]) -> Part:
    word: Lexeme = children[0]
    if word.text == "any":
        return an_object(word.start, word.end)
    if word.text in _CONSTANTS:
        return _constant(word, _CONSTANTS[word.text])
    if word.text not in SIMPLE_TYPES:
        word.clashes.append(Strange(word.text, (word.start, word.end)))
    made = an_object(word.start, word.end, _NULL if word.text == "null" else _SIMPLE)
    made.put("type", leaf(word))
    return made


def constant(children: list[Any]) -> Part:
    word: Lexeme = children[0]
    return _constant(word, word.value)


def _constant(word: Lexeme, value: Any) -> Part:
    made = an_object(word.start, word.end, _LITERAL)
    made.put("const", Part(value, word.start, word.end))
    return made


def named(children: list[Any]) -> Part:
    word: Lexeme = children[0]
    made = an_object(word.start, word.end)
    made.put("$ref", Part(f"#/$defs/{word.text[1:]}", word.start, word.end))
    return made


def array(children: list[Any]) -> Part:
    opener, inner, closer = children
    made = an_object(opener.start, closer.end, "array")
    made.put("type", Part("array", opener.start, opener.end))
    made.put("items", inner)
    return made


def bracketed(children: list[Any]) -> Part:
    inner: Part = children[1]
    inner.mark = None
    return inner


def raw_type(children: list[Any]) -> Part:
    return json_value(children[1])


def union(children: list[Any]) -> Part:
    if len(children) == 1:
        return children[0]  # type: ignore[no-any-return]
    members: list[Part] = children[::2]
    start, end = members[0].start, members[-1].end
    marks = {member.mark for member in members}
    made = an_object(start, end, "union")
    if marks <= {_LITERAL, _NULL} and _LITERAL in marks:
        values = [Part(member.value.get("const"), member.start, member.end) for member in members]
        if all(isinstance(one.value, str) for one in values):
            made.put("type", Part("string", start, end))
        made.put("enum", an_array(values, start, end))
    elif marks <= {_SIMPLE, _NULL}:
        made.put("type", an_array([member.inside["type"] for member in members], start, end))
    else:
        made.put("anyOf", an_array(members, start, end))
    return made


# -- what stands behind an atom ---------------------------------------------------------------------------------------

Suffix = tuple[str, Any, Lexeme, Lexeme]


def one_of(children: list[Any]) -> Suffix:
    return "enum", json_value(children[1]), children[0], children[1]


def range(children: list[Any]) -> Suffix:
    return "range", None, children[0], children[0]


def beyond(children: list[Any]) -> Suffix:
    sign, bound = children
    return _BEYOND.get(sign.text, "const"), Part(bound.value, bound.start, bound.end), sign, bound


def only(children: list[Any]) -> Suffix:
    word = children[0]
    return "additionalProperties", Part(False, word.start, word.end), word, word


def described(children: list[Any]) -> Suffix:
    return "description", Part(children[1].value, children[1].start, children[1].end), children[0], children[1]


def where(children: list[Any]) -> Suffix:
    return "where", None, children[0], children[1]


def refined(children: list[Any]) -> Part:
    made: Part = children[0]
    key, value, first, last = children[1]
    if not isinstance(made.value, dict) or made.inside is None:
        made = opened(made)
    if key == "range":
        _put_range(made, first)
    elif key == "where":
        whole = put_all(made, last, first)
        if whole is not None:
            put(made, "where", whole, (first.start, last.end), first.clashes)
    else:
        put(made, key, value, (first.start, first.end), first.clashes)
    made.end = last.end
    made.mark = "array" if made.mark == "array" else None
    return made


def opened(raw: Part) -> Part:
    """A schema that was written as JSON, so that something can be added to it."""
    made = an_object(raw.start, raw.end)
    if isinstance(raw.value, dict):
        for key, value in raw.value.items():
            made.put(key, Part(value, raw.start, raw.end, {}))
    return made


def _put_range(made: Part, word: Lexeme) -> None:
    low, high = word.value
    lows, _, highs = word.text.partition("..")
    kind = made.value.get("type")
    keys = _RANGES.get(kind, _NUMBERS) if isinstance(kind, str) else _NUMBERS
    places = ((word.start, word.start + len(lows)), (word.end - len(highs), word.end))
    for key, bound, place in zip(keys, (low, high), places, strict=True):
        if bound is not None:
            put(made, key, Part(bound, *place), (word.start, word.end), word.clashes)


# -- records ----------------------------------------------------------------------------------------------------------


class Record(Part):
    """An object schema made of fields; `bare` are those without anything but a name, `optional` the marked ones."""

    __slots__ = ("bare", "optional")

    def __init__(self, start: int, end: int) -> None:
        super().__init__({}, start, end, {}, None)
        self.bare: list[str] = []
        self.optional: dict[str, bool] = {}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record, a named type (`$Name`), or all other fields (`*`)."""

    key: Lexeme
    name: str
    type: Part | None
    optional: bool = False
    behind: list[tuple[str, Part, Lexeme]] = field(default_factory=list)


def field_of(children: list[Any]) -> Field:
    key, mark, _, type_, *behind = children
    name = key.value if key.type == "STRING" else key.text
    return Field(key, name, type_, mark is not None, behind)


def key(children: list[Any]) -> Lexeme:
    return children[0]  # type: ignore[no-any-return]


def definition_of(children: list[Any]) -> Field:
    return Field(children[0], children[0].text, children[2])


def other_fields(children: list[Any]) -> Field:
    return Field(children[0], "*", children[2])


def by(children: list[Any]) -> tuple[str, Part, Lexeme]:
    word, rule, config = children
    name = rule.value
    if not rule.mark and "." not in name:
        name = STD + name
    if config is None:
        return "reducer", Part(name, rule.start, rule.end), word
    made = an_object(rule.start, config.end)
    ref = an_object(rule.start, rule.end)
    for part, text in reference_of(name).items():
        ref.put(part, Part(text, rule.start, rule.end))
    made.put("ref", ref)
    made.put("config", json_value(config))
    return "reducer", made, word


def default(children: list[Any]) -> tuple[str, Part, Lexeme]:
    return "default", json_value(children[1]), children[0]


def fields(children: list[Any]) -> list[Field]:
    return [child for child in children if isinstance(child, Field)]


def record(children: list[Any]) -> Record:
    opener, entries, closer = children
    return a_record(opener, entries or [], closer)


def a_record(opener: Lexeme, entries: list[Field], closer: Lexeme) -> Record:
    """The object schema of fields between brackets."""
    made = Record(opener.start, closer.end)
    start, end = opener.start, closer.end
    made.put("type", Part("object", opener.start, opener.end))
    properties = an_object(start, end)
    defs = an_object(start, end)
    required: list[Part] = []
    for one in entries:
        at = (one.key.start, one.key.end)
        if one.name == "*" and one.key.type == "STAR":
            put(made, "additionalProperties", one.type or an_object(*at), at, one.key.clashes)
        elif one.key.type == "NAMED":
            put(defs, one.name[1:], one.type or an_object(*at), at, one.key.clashes)
        else:
            _put_field(made, properties, required, one)
    if defs.inside:
        made.put("$defs", defs)
    if properties.inside or "additionalProperties" not in made.inside:
        made.put("properties", properties)
    if required:
        made.put("required", an_array(required, start, end))
    return made


def _put_field(made: Record, properties: Part, required: list[Part], one: Field) -> None:
    at = (one.key.start, one.key.end)
    schema = one.type or an_object(*at)
    if one.behind and (schema.inside is None or not isinstance(schema.value, dict)):
        schema = opened(schema)
    for name, part, word in one.behind:
        put(schema, name, part, (word.start, word.end), word.clashes)
    if one.name not in properties.inside:
        made.optional[one.name] = one.optional
        if one.type is None and not one.behind:
            made.bare.append(one.name)
        if not one.optional and not any(name == "default" for name, _, _ in one.behind):
            required.append(Part(one.name, *at))
    put(properties, one.name, schema, at, one.key.clashes)
