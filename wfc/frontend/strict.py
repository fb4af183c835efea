"""The JSON of reference 1.1 by the C parser: what it lets pass loses nothing but what `SUSPECT` looks for."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from wfc.ir import MAX_DEPTH, MAX_DIGITS

SUSPECT = re.compile(rf"\\u[dD][89a-fA-F]|[\ud800-\udfff]|[0-9]{{{MAX_DIGITS + 1}}}")


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
