"""Values close to schemas, made from a stream of choices: many are of the schema, many just miss it.

Numbers and lengths are taken from the schemas themselves, so that values lie at their bounds and beside them.
"""

from __future__ import annotations

from typing import Any

from tests.types.schemas import CONSTANTS, KINDS, NAMES, Choose, Json

_TEXTS = ("", "a", "b", "aa", "ab", "abc", "a1", "1", "é", "A", "bab")
_NUMBERS = (0, 1, -1, 2, 0.5, 1.0, 1.5, -0.0, 2**53 + 1, float(2**53), 1e300, 10**20)


def near_both(choose: Choose, first: Json, second: Json, count: int = 8) -> list[Json]:
    """Values close to one of two schemas, and some that are close to none."""
    numbers = [*_NUMBERS, *(number + step for number in numbers_in([first, second]) for step in (0, 1, -1, 0.5))]
    made = [
        Values(choose, schema, numbers, bending).near(schema)
        for schema in (first, second)
        for bending in (0, 25, 8)
        for _ in range(count)
    ]
    return [*made, *CONSTANTS]


def numbers_in(value: Json) -> list[int | float]:
    """The different numbers in a schema."""
    found: dict[Any, None] = {}
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, (dict, list)):
            waiting += item.values() if isinstance(item, dict) else item
        elif isinstance(item, (int, float)) and not isinstance(item, bool):
            found[item] = None
    return list(found)


class Values:
    """Values close to the schemas of one document; one part in `bending` goes astray, none where it is 0."""

    def __init__(self, choose: Choose, document: Json, numbers: list[int | float], bending: int) -> None:
        self.choose, self.document, self.numbers, self.bending = choose, document, numbers, bending

    def pick(self, options: Any) -> Any:
        return options[self.choose(len(options))]

    def astray(self) -> bool:
        return self.bending > 0 and self.choose(self.bending) == 0

    def near(self, schema: Json, depth: int = 4) -> Json:
        """A value that keeps most of what a schema says."""
        said = self.said(schema)
        if "enum" in said and not self.astray():
            return self.rewritten(self.pick(said["enum"]))
        kinds = said.get("type", KINDS)
        kind = self.pick(KINDS) if self.astray() else self.pick([kinds] if isinstance(kinds, str) else kinds)
        match kind:
            case "null":
                return None
            case "boolean":
                return bool(self.choose(2))
            case "string":
                return self.text(said)
            case "integer" | "number":
                return self.number(said, kind)
            case "array":
                return self.array(said, depth)
            case _:
                return self.object(said, depth)

    def said(self, schema: Json) -> Json:
        """What a schema says of a value, with one choice for each alternative."""
        found: Json = {}
        waiting, left = [schema], 12
        while waiting and left:
            left -= 1
            each = waiting.pop()
            if isinstance(each, bool):
                continue
            reference = each.get("$ref")
            if isinstance(reference, str):
                holder, name = reference.split("/")[1:]
                waiting.append(self.document[holder][name])
            for word, held in each.items():
                if word == "allOf":
                    waiting += held
                elif word in ("anyOf", "oneOf"):
                    waiting.append(self.pick(held))
                elif word in ("if", "then", "else"):
                    waiting += [held] if self.choose(2) else []
                elif word == "const":
                    found["enum"] = [held]
                elif word in ("properties", "patternProperties"):
                    found[word] = {**found.get(word, {}), **held}
                elif word == "required":
                    found[word] = [*found.get(word, []), *held]
                else:
                    found.setdefault(word, held)
        return found

    def rewritten(self, value: Json) -> Json:
        """The value, or one that is equal, or perhaps a little more."""
        if isinstance(value, int) and not isinstance(value, bool) and self.choose(3) == 0:
            return float(value)
        if isinstance(value, list) and self.choose(3) == 0:
            return [*map(self.rewritten, value), *([self.pick(CONSTANTS)] if self.astray() else [])]
        if isinstance(value, dict) and self.choose(3) == 0:
            return {**{key: self.rewritten(item) for key, item in value.items()}, **({"b": 1} if self.astray() else {})}
        return value

    def length(self, said: Json, least: str, most: str) -> int:
        low = int(said.get(least, 0))
        high = int(said.get(most, low + 2))
        return self.choose(4) if self.astray() else low + self.choose(max(1, high - low + 1))

    def text(self, said: Json) -> str:
        if self.choose(2):
            return self.pick(_TEXTS)
        length = self.length(said, "minLength", "maxLength")
        return (self.pick(_TEXTS[1:]) * length)[:length]

    def number(self, said: Json, kind: str) -> int | float:
        options = self.numbers
        if not self.astray():
            low, high = said.get("minimum", -1e400), said.get("maximum", 1e400)
            options = [each for each in options if low <= each <= high] or options
        number = self.pick(options)
        if kind == "number" or self.astray():
            return number
        return int(number) if self.choose(3) else float(int(number))

    def array(self, said: Json, depth: int) -> list[Json]:
        items = said.get("items", True)
        prefix = said.get("prefixItems", items if isinstance(items, list) else [])
        rest = said.get("additionalItems", True) if isinstance(items, list) else items
        length = self.length(said, "minItems", "maxItems")
        if not depth:
            return [self.pick(CONSTANTS) for _ in range(length)]
        made = [self.near(prefix[index] if index < len(prefix) else rest, depth - 1) for index in range(length)]
        if "contains" in said and made:
            made[self.choose(len(made))] = self.near(said["contains"], depth - 1)
        return [*made[:-1], made[0]] if len(made) > 1 and self.choose(4) == 0 else made

    def object(self, said: Json, depth: int) -> Json:
        properties, required = said.get("properties", {}), said.get("required", ())
        names = [name for name in required if not self.astray()]
        names += [name for name in properties if name not in required and self.choose(2)]
        further = [*said.get("patternProperties", {}).values(), said.get("additionalProperties", True)]
        if self.choose(3) == 0 and (further[0] is not False or self.astray()):
            names.append(self.pick((*NAMES, "ab", "b1", "zz")))
        made: Json = {}
        for name in dict.fromkeys(names):
            schema = properties[name] if name in properties else self.pick(further)
            made[name] = self.near(schema, depth - 1) if depth else self.pick(CONSTANTS)
        return made
