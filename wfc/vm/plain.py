"""What most outputs are: an object of plain values, copied and judged at one look."""

from __future__ import annotations

from typing import Any

from wfc.ir import NotJson, to_json

# As in `wfc.ir.to_json`: longer integers take a closer look.
COMMON = 2**64
_INFINITY = float("inf")


def plain(output: Any) -> dict[str, Any] | None:
    """A JSON copy of an object; none for anything that is no JSON object."""
    for key, item in output.items():
        kind = item.__class__
        if kind is str:
            if not item.isascii():
                break
        elif kind is int:
            if not -COMMON <= item <= COMMON:
                break
        elif kind is float:
            if not -_INFINITY < item < _INFINITY:
                break
        elif item is not None and kind is not bool:
            break
        if key.__class__ is not str or not key.isascii():
            break
    else:
        made: dict[str, Any] = output.copy()
        return made
    try:
        copied = to_json(output)
    except NotJson:
        return None
    return copied if copied.__class__ is dict else None
