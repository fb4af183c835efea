"""Answers are small: what is too long is left out, and said to be (reference 4.7).

Guarantees: an answer never exceeds its bound by more than its fixed fields; whatever was cut can be read page by page.
"""

from __future__ import annotations

import json
from typing import Any

from wfc.source import lookup, pointer_parts

# Characters of JSON: some two thousand tokens.
MOST_OF_A_VALUE = 6000
_MOST_OF_A_PREVIEW = 400


class PointerFault(Exception):
    """A JSON pointer that leads to nothing: one sentence."""


def text_of(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def small(fields: dict[str, Any], *cuttable: str) -> dict[str, Any]:
    """The fields, of which those that may be cut are shortened where they are too long: arrays to their first elements,
    anything else to a preview. `cut` says which, and how many elements or characters there are."""
    cut: dict[str, int] = {}
    made = dict(fields)
    for name in cuttable:
        value = fields.get(name)
        whole = text_of(value)
        if len(whole) <= MOST_OF_A_VALUE:
            continue
        made[name] = _first(value) if isinstance(value, list) else f"{whole[:_MOST_OF_A_PREVIEW]}…"
        cut[name] = len(value) if isinstance(value, list) else len(whole)
    return {**made, "cut": cut} if cut else made


def _first(elements: list[Any]) -> list[Any]:
    """The first elements that have room."""
    room = MOST_OF_A_VALUE
    for index, element in enumerate(elements):
        room -= len(text_of(element)) + 1
        if room < 0:
            return elements[:index]
    return elements


def page(value: Any, offset: int, limit: int | None) -> dict[str, Any]:
    """A part of a value: elements of an array, characters of anything else that is too long for one answer.

    `next_offset` is there where something follows.
    """
    whole = value if isinstance(value, list) else text_of(value)
    if not isinstance(value, list) and len(whole) <= MOST_OF_A_VALUE and not offset:
        return {"value": value}
    until = offset
    room = MOST_OF_A_VALUE
    most = len(whole) if limit is None else min(len(whole), offset + limit)
    while until < most:
        room -= len(text_of(whole[until])) + 1 if isinstance(value, list) else 1
        if room < 0 and until > offset:
            break
        until += 1
    part = whole[offset:until]
    if isinstance(value, list) and len(part) == 1 and len(text_of(part[0])) > MOST_OF_A_VALUE:
        part = [f"{text_of(part[0])[:_MOST_OF_A_PREVIEW]}…"]
    following = {"next_offset": until} if until < len(whole) else {}
    return {"value": part, "total": len(whole), **following}


def inside(value: Any, pointer: str) -> Any:
    """What a JSON pointer leads to. Raises `PointerFault`."""
    try:
        parts = pointer_parts(pointer)
    except ValueError as wrong:
        raise PointerFault(str(wrong)) from None
    found, reached = lookup(value, parts)
    if reached != parts:
        raise PointerFault(f"`{pointer}` leads to nothing; `/{'/'.join(reached)}` is the last place that is there")
    return found
