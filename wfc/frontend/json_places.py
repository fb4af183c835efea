"""Where the parts of a container stand in JSON text that is known to be well formed.

The C decoder steps over the values, so that a long literal costs no more than reading it did.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

# From the first code point of a value or key up to, and without, the one behind it.
Stretch = tuple[int, int]
# Of the key, where there is one, and of the value.
Entry = tuple[Stretch | None, Stretch]

_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def whole(text: str) -> Stretch:
    """Where the one value of a text stands."""
    start = after_blank(text, 0)
    return start, _DECODER.raw_decode(text, start)[1]


def entries(text: str, start: int) -> Iterator[tuple[str, Entry]]:
    """Key or index, and the stretches, of each entry of the container at `start`; a scalar has none."""
    opener = text[start]
    if opener not in "[{":
        return
    at, index = after_blank(text, start + 1), 0
    while text[at] not in "]}":
        name: Stretch | None = None
        part = str(index)
        if opener == "{":
            part, end = _DECODER.raw_decode(text, at)
            name = (at, end)
            at = after_blank(text, after_blank(text, end) + 1)
        _, end = _DECODER.raw_decode(text, at)
        yield part, (name, (at, end))
        at = after_blank(text, end)
        if text[at] == ",":
            at = after_blank(text, at + 1)
        index += 1


def after_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
