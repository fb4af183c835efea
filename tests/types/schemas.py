"""Schemas of all drafts and keywords, made from a stream of choices, and schemas close to a given one.

`choose(n)` gives a number below n, so that whoever chooses can repeat what was made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jsonschema_rs

Choose = Callable[[int], int]
Json = Any

URIS = {
    4: "http://json-schema.org/draft-04/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    2019: "https://json-schema.org/draft/2019-09/schema",
    2020: "https://json-schema.org/draft/2020-12/schema",
}
DRAFTS = tuple(URIS)
NAMES = ("a", "b", "c")
KINDS = ("string", "integer", "number", "boolean", "null", "array", "object", "array", "object", "object")
BOUNDS = (0, 1, 2, 3, -1, 0.5, 1.0, 2.5, 5)
PATTERNS = ("^a", "b$", "^[ab]*$", "1", "^.$")
CONSTANTS = (
    None, True, False, 0, 1, 1.0, 2, 0.5, "a", "b", "", [], [1], {}, {"a": 1}, {"a": "a"}, ["a", None], {"a": [1.0]},
)  # fmt: skip
_COUNTS = (
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems",
    "minProperties", "maxProperties",
)  # fmt: skip
_HOLDERS = (
    "items", "additionalItems", "additionalProperties", "not", "if", "then", "else", "contains",
    "unevaluatedProperties",
)  # fmt: skip
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
_MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")


def judge(schema: Json) -> Callable[[Json], bool]:
    """The verdict of jsonschema-rs, with the settings of a run."""
    return jsonschema_rs.validator_for(schema, validate_formats=False, offline=True).is_valid


class Schemas:
    """Schemas of one draft that may refer to some definitions."""

    def __init__(self, choose: Choose, draft: int) -> None:
        self.choose, self.draft = choose, draft
        self.definitions = "$defs" if draft >= 2019 else "definitions"
        self.names = [f"d{index}" for index in range(max(0, choose(5) - 2))]

    def pick(self, options: Any) -> Any:
        return options[self.choose(len(options))]

    def once_in(self, count: int) -> bool:
        return self.choose(count) == count - 1

    def document(self) -> Json:
        """A whole schema with its definitions, which refer to one another only inside arrays and objects."""
        return self.around(self.schema(2), {name: self.schema(1, direct=False) for name in self.names})

    def around(self, schema: Json, definitions: Json) -> Json:
        if isinstance(schema, bool):
            return schema if self.draft == 2020 else {"$schema": URIS[self.draft], **({} if schema else {"not": {}})}
        made = {"allOf": [schema]} if self.draft <= 7 and "$ref" in schema else schema
        marked = {} if self.draft == 2020 else {"$schema": URIS[self.draft]}
        return {**marked, **made, **({self.definitions: definitions} if definitions else {})}

    def schema(self, depth: int, direct: bool = True) -> Json:
        if self.once_in(20):
            return self.flag()
        if self.names and direct and self.once_in(5):
            beside = self.text() if self.once_in(4) else {}
            return {"$ref": f"#/{self.definitions}/{self.pick(self.names)}", **beside}
        if self.once_in(7):
            return self.enumeration()
        if depth and self.once_in(12):
            return self.tagged(depth - 1)
        made: Json = {}
        kinds = sorted({self.pick(KINDS), self.pick(KINDS)}) if self.once_in(4) else [self.pick(KINDS)]
        if not self.once_in(5):
            made["type"] = kinds[0] if len(kinds) == 1 else kinds
        for kind in kinds:
            made |= self.own(kind, depth)
        return made | (self.combined(depth - 1, direct) if depth and self.once_in(4) else {})

    def flag(self) -> Json:
        return self.pick(({}, {"not": {}}) if self.draft == 4 else (True, False, {}))

    def enumeration(self) -> Json:
        if self.draft >= 6 and self.once_in(3):
            return {"const": self.pick(CONSTANTS)}
        made: list[Json] = []
        for value in (self.pick(CONSTANTS) for _ in range(1 + self.choose(3))):
            if not any(judge({"enum": [other]})(value) for other in made):
                made.append(value)
        return {"enum": made, **(self.own(self.pick(KINDS), 0) if self.once_in(5) else {})}

    def tagged(self, depth: int) -> Json:
        """Objects that one field tells apart, or of which some need a field that the others forbid."""
        names = self.pick((("a", "b"), ("a", "b", "ab")))
        tags = [{"enum": [name]} if self.choose(2) else {"enum": [name, "x"]} for name in names]
        made = [
            {
                "type": "object",
                "properties": {"a": tag, "b": self.inner(depth)},
                "required": sorted({"a", self.pick(NAMES)}),
            }
            for tag in tags
        ]
        if self.once_in(3):
            made = [{"required": ["c"]}, {"properties": {"c": self.pick(({"not": {}}, self.inner(depth)))}}]
        return {self.pick(("anyOf", "oneOf")): made}

    def own(self, kind: str, depth: int) -> Json:
        match kind:
            case "integer" | "number":
                return self.number()
            case "string":
                return self.text()
            case "array":
                return self.array(depth)
            case "object":
                return self.object(depth)
            case _:
                return {}

    def number(self) -> Json:
        low = self.pick(BOUNDS)
        made: Json = {"minimum": low} if self.once_in(3) else {}
        if self.once_in(3):
            made["maximum"] = self.pick(BOUNDS) + (0 if self.once_in(9) else low)
        if self.once_in(6):
            made["multipleOf"] = self.pick((1, 2, 3, 4, 6, 0.5, 2.0))
        if self.draft == 4:
            flags = [f"exclusiveM{word[1:]}" for word in ("minimum", "maximum") if word in made]
            return {**made, **{word: bool(self.choose(2)) for word in flags if self.once_in(3)}}
        above = {"exclusiveMinimum": self.pick(BOUNDS)} if self.once_in(7) else {}
        return {**made, **above, **({"exclusiveMaximum": self.pick(BOUNDS) + low} if self.once_in(7) else {})}

    def text(self) -> Json:
        made: Json = self.size("minLength", "maxLength")
        if self.once_in(5):
            made["pattern"] = self.pick(PATTERNS)
        if self.draft in (6, 7) and self.once_in(15):
            made["contentMediaType"] = "application/json"
        return made

    def size(self, least: str, most: str) -> Json:
        low, high = self.choose(3), self.choose(4)
        made: Json = {least: low} if self.once_in(4) else {}
        return {**made, most: high if self.once_in(9) else max(low, high)} if self.once_in(4) else made

    def array(self, depth: int) -> Json:
        made: Json = self.size("minItems", "maxItems")
        if self.choose(3):
            made["items"] = self.inner(depth)
        if self.once_in(5):
            made["prefixItems" if self.draft == 2020 else "items"] = [
                self.inner(depth) for _ in range(1 + self.choose(2))
            ]
            if self.draft < 2020 and self.choose(2):
                made["additionalItems"] = self.inner(depth) if self.choose(2) else bool(self.choose(2))
        if self.once_in(6):
            made["uniqueItems"] = True
        if self.draft >= 6 and self.once_in(6):
            made["contains"] = self.inner(depth)
            if self.draft >= 2019:
                made |= {"minContains": self.choose(3)} if self.choose(2) else {}
                made |= {"maxContains": 1 + self.choose(2)} if self.once_in(3) else {}
        if self.draft >= 2019 and self.once_in(12):
            made["unevaluatedItems"] = self.inner(0)
        return made

    def inner(self, depth: int) -> Json:
        if depth:
            return self.schema(depth - 1)
        if self.names and self.once_in(3):
            return {"$ref": f"#/{self.definitions}/{self.pick(self.names)}"}
        return self.pick(
            ({"type": "string"}, {"type": "integer"}, {"type": ["null", "number"]}, {}, {"enum": ["a", 1]})
        )

    def object(self, depth: int) -> Json:
        made: Json = self.size("minProperties", "maxProperties") if self.once_in(4) else {}
        if not self.once_in(6):
            made["properties"] = {self.pick(NAMES): self.inner(depth) for _ in range(1 + self.choose(3))}
        if self.choose(2):
            made["required"] = sorted({self.pick(NAMES) for _ in range(1 + self.choose(2))})
        if self.once_in(3):
            made["additionalProperties"] = self.inner(depth) if self.choose(2) else self.flag()
        if self.once_in(7):
            made["patternProperties"] = {self.pick(PATTERNS): self.inner(depth) for _ in range(1 + self.choose(2))}
        if self.draft >= 6 and self.once_in(9):
            made["propertyNames"] = self.pick(({"maxLength": 1}, {"pattern": "^[ab]*$"}, {"enum": ["a", "b"]}))
        if self.once_in(9):
            made |= self.dependencies()
        if self.draft >= 2019 and self.once_in(9):
            made["unevaluatedProperties"] = self.inner(depth) if self.choose(2) else False
        return made

    def dependencies(self) -> Json:
        name, names = self.pick(NAMES), sorted({self.pick(NAMES)})
        schema = {"properties": {self.pick(NAMES): self.inner(0)}, "required": [self.pick(NAMES)]}
        if self.draft <= 7 or self.once_in(4):
            return {"dependencies": {name: names if self.choose(2) else schema}}
        return {"dependentRequired": {name: names}} if self.choose(2) else {"dependentSchemas": {name: schema}}

    def combined(self, depth: int, direct: bool) -> Json:
        word = self.pick(("allOf", "anyOf", "oneOf", "anyOf", "oneOf", "not", "if"))
        if word == "not":
            return {"not": self.schema(depth, direct)}
        if word != "if":
            closing = {"unevaluatedProperties": False} if self.draft >= 2019 and self.once_in(3) else {}
            return {word: [self.schema(depth, direct) for _ in range(1 + self.choose(3))], **closing}
        if self.draft < 7:
            return {}
        words = ["if", *(word for word in ("then", "else") if self.choose(3))]
        return {word: self.schema(depth, direct) for word in words}

    def varied(self, schema: Json) -> Json:
        """A schema in which one thing somewhere is changed, added or taken away."""
        if not isinstance(schema, dict) or self.once_in(12):
            return self.schema(1, direct=False)
        inner = [(word, key) for word in schema for key in self.keys_of(word, schema[word])]
        if not inner or self.once_in(3):
            return self.changed(schema)
        word, key = self.pick(inner)
        if key is None:
            return {**schema, word: self.varied(schema[word])}
        held = schema[word].copy()
        held[key] = self.varied(held[key])
        return {**schema, word: held}

    def keys_of(self, word: str, held: Json) -> list[Any]:
        """The keys, or none for itself, at which schemas stand in what a keyword holds."""
        if word in _MAPS and isinstance(held, dict):
            return list(held)
        if word in _LISTS and isinstance(held, list):
            return list(range(len(held)))
        return [None] if word in _HOLDERS and isinstance(held, dict) else []

    def changed(self, schema: Json) -> Json:
        aside = {word: schema[word] for word in ("$schema", self.definitions) if word in schema}
        bare = {word: held for word, held in schema.items() if word not in aside}
        match self.choose(6):
            case 0:
                words = [word for word in bare if word in _COUNTS and not isinstance(bare[word], bool)]
                return {
                    **schema,
                    **{word: max(0, bare[word] + self.pick((1, -1))) for word in words[: 1 + self.choose(2)]},
                }
            case 1 if bare:
                gone = self.pick(list(bare))
                flags = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}
                beside = flags.get(gone) if self.draft == 4 else None
                return {word: held for word, held in schema.items() if word not in (gone, beside)}
            case 2 if "type" in bare:
                kinds = [bare["type"]] if isinstance(bare["type"], str) else bare["type"]
                return {**schema, "type": sorted({*kinds, self.pick(KINDS)})}
            case 3:
                word = self.pick(("anyOf", "allOf", "oneOf"))
                return {**aside, word: [bare, self.schema(1, direct=False)]}
            case 4 if "enum" in bare:
                return {**schema, "enum": bare["enum"][:1]}
            case _:
                kinds = bare.get("type", self.pick(KINDS))
                return {**schema, **self.own(kinds if isinstance(kinds, str) else self.pick(kinds), 1)}


def buildable(make: Callable[[], Json]) -> Json:
    """A schema that the judge can build: a few that are made refer to definitions that are not there."""
    for _ in range(20):
        made = make()
        try:
            judge(made)
        except (ValueError, jsonschema_rs.ReferencingError):
            continue
        return made
    return {}


def any_draft(choose: Choose) -> int:
    return 2020 if choose(2) else DRAFTS[choose(len(DRAFTS))]


def one(choose: Choose, draft: int | None = None) -> Json:
    """A schema of a draft, or of any."""
    return buildable(lambda: Schemas(choose, draft or any_draft(choose)).document())


def pair(choose: Choose) -> tuple[Json, Json]:
    """Two schemas, most often close to one another; neither is always the narrower one."""
    if choose(6) == 5:
        return one(choose), one(choose)
    made = Schemas(choose, any_draft(choose))
    first = buildable(made.document)
    second = buildable(lambda: made.varied(first))
    return (first, second) if choose(2) else (second, first)
