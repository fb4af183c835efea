"""JSON text from a node is read by the rules of the language: nothing is repaired, nothing silently wins.

Reference 1.1. Duplicate keys, `NaN`, numbers beyond a double or 4,000 digits, lone surrogates and nesting over 200 are
refused with a message; a leading byte order mark is dropped.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from wfc.ir import MAX_DEPTH, MAX_DIGITS, to_json

_TEXT_SHOWN = 40


def read_strict(text: str) -> Any:
    """The value that a JSON text holds; raises `ValueError` with one sentence for anything else."""
    try:
        value = _DECODER.decode(text.removeprefix("\ufeff"))
    except RecursionError:
        raise ValueError(f"nesting deeper than {MAX_DEPTH}") from None
    return to_json(value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise ValueError(f"the key `{key[:_TEXT_SHOWN]}` stands twice in one object")
        seen.add(key)
    return made


def _integer(text: str) -> int:
    if len(text.lstrip("-")) > MAX_DIGITS:
        raise ValueError(f"an integer of more than {MAX_DIGITS} digits")
    return int(text)


def _double(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"`{text[:_TEXT_SHOWN]}` is too large for a double")
    return value


def _constant(text: str) -> NoReturn:
    raise ValueError(f"`{text}` is no JSON number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_double, parse_constant=_constant
)
