"""Types as other languages write them, in the words of this one: `list[str]`, `Optional[T]`, `T[]`, `Map<K, V>`."""

from __future__ import annotations

import re

_GENERIC = (
    r"(?:[Ll]ist|[Aa]rray|[Ss]equence|[Ii]terable|[Ss]et|[Tt]uple|[Oo]ptional|[Nn]ullable|[Mm]aybe|[Dd]ict|[Mm]ap|[Mm]apping"
    r"|Record|[Uu]nion|[Ll]iteral|[Ee]num)"
)
# Up to the bracket that closes it, as deep as anybody writes it.
_INNER = r"[^\[\]<>()]*"
for _ in range(4):
    _INNER = rf"(?:[^\[\]<>()]|[\[<(]{_INNER}[\]>)])*"
# What other languages call the types.
ELSEWHERE = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
    "map": "object",
    "none": "null",
    "json": "any",
}
NATIVE = (
    rf"\b{_GENERIC}\s*[\[<(]{_INNER}[\]>)](?:\[\])*|\b(?:nullable|optional)\s+\w+(?=\s*[,;)}}=\n|])|\$?\b\w+(?:\[\])+"
)
_QUOTED = re.compile(r'("(?:[^"\\\n]|\\.)*")')
_WORD = re.compile(r"(?<![\w$.])[A-Za-z]\w*(?!\s*[\w(\[<])")
_INNERMOST = re.compile(rf"({_GENERIC})\s*(?:\[([^\[\]<>()]*)\]|<([^\[\]<>()]*)>|\(([^\[\]<>()]*)\))")
_WORDS = re.compile(r"(?:nullable|optional)\s+(\w+)")
_SUFFIX = re.compile(r"(\$?\w+|\x01[^\x01\x02]*\x02)\[\]")
_LISTS = frozenset({"list", "array", "sequence", "iterable", "set", "tuple"})
_MAPS = frozenset({"dict", "map", "mapping", "record"})
_MAYBE = frozenset({"optional", "nullable", "maybe"})
# Brackets that are of this language already, so that they are looked into no more.
_DONE = str.maketrans("[]{}", "\x01\x02\x03\x04")
_AGAIN = str.maketrans("\x01\x02\x03\x04", "[]{}")


def native(written: str) -> str | None:
    """A type of another language in this one; none where it says something that has no words here."""
    last = None
    while written != last:
        last = written
        written = _WORDS.sub(r"\1 | null", written)
        written = _INNERMOST.sub(_one, written)
        written = _SUFFIX.sub(lambda found: f"[{found[1]}]".translate(_DONE), written)
    made = written.translate(_AGAIN)
    if re.search(rf"\b{_GENERIC}\s*[\[<(]", made):
        return None
    pieces = _QUOTED.split(made)
    return "".join(piece if place % 2 else _WORD.sub(_named, piece) for place, piece in enumerate(pieces))


def _named(found: re.Match[str]) -> str:
    return ELSEWHERE.get(found[0].lower(), found[0])


def _one(found: re.Match[str]) -> str:
    kind = found[1].lower()
    inner = next(group for group in found.groups()[1:] if group is not None).strip()
    parts = [part.strip() for part in inner.split(",") if part.strip()]
    if not parts:
        return found[0].translate(_DONE)
    if kind in _LISTS:
        return f"[{inner}]".translate(_DONE)
    if kind in _MAPS:
        return f"{{ *: {parts[-1]} }}".translate(_DONE)
    if kind in _MAYBE:
        return f"{inner} | null"
    return " | ".join(parts)
