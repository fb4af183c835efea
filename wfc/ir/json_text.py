"""JSON that is beyond doubt, read by the C parser alone: most of what is ever read.

Guarantees: a value that is given here is the one that the text holds by the rules of the language (reference 1.1).
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from wfc.ir.values import MAX_DEPTH, MAX_DIGITS

SUSPECT = re.compile(rf"\\u[dD][89a-fA-F]|[\ud800-\udfff]|[0-9]{{{MAX_DIGITS + 1}}}")


def plain_json(text: str) -> tuple[Any] | None:
    """The value of a text, in a one-tuple; none for a text that is no JSON, or that takes a closer look."""
    try:
        value = STRICT.decode(text)
    except (ValueError, RecursionError):
        return None
    return None if SUSPECT.search(text) or not _is_plainly_shallow(value, text) else (value,)


def strict_value(text: str) -> Any:
    """The value of a text that holds no fault."""
    return STRICT.decode(text)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _finite(written: str) -> float:
    value = float(written)
    if not math.isfinite(value):
        raise ValueError("no double")
    return value


def _no_constant(written: str) -> Any:
    raise ValueError(f"{written} is no JSON")


STRICT = json.JSONDecoder(object_pairs_hook=_distinct, parse_float=_finite, parse_constant=_no_constant)


def _is_plainly_shallow(value: Any, text: str) -> bool:
    return text.count("[") + text.count("{") <= MAX_DEPTH or is_shallow(value)


def is_shallow(value: Any) -> bool:
    """Whether a value is nested no deeper than a document may be."""
    level, depth = [value], 0
    while level:
        if depth >= MAX_DEPTH:
            return False
        depth += 1
        inside = [item.values() if type(item) is dict else item for item in level if type(item) in (dict, list)]
        level = [item for items in inside for item in items if type(item) in (dict, list)]
    return True
