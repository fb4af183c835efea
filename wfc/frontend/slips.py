"""What a fault of JSON syntax was surely meant to be: a change of the text for each slip that people and models make.

Guarantees: a change never touches what stands outside of the slip; where several things may have been meant there is
none. Whether the text can then be read is not judged here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from enum import Enum

from wfc.frontend.mends import Mend, mend
from wfc.frontend.slips_in_strings import after_quote, in_string
from wfc.records import dataclass


class Due(Enum):
    """What stands next in a document without faults."""

    VALUE = "a value"
    KEY = "a key"
    COLON = "a colon"
    NEXT = "another entry, or the end of the container"
    END = "the end of the text"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where the syntax is broken.

    `closers` are those of the open containers, innermost last; `before` is where the last value or key begins, and
    `ended` where it ends; `first` says that it is the first entry of its container.
    """

    text: str
    at: int
    due: Due
    closers: Sequence[str]
    before: int
    ended: int
    first: bool


_COMMENT = re.compile(r"[ \t]*(?:(?://|#)[^\n\r]*|/\*.*?\*/)", re.DOTALL)
_FENCE = re.compile(r"```[A-Za-z]*[ \t]*\r?\n?")
_LEFT_OVER = re.compile(r"[\s\]},;]*\Z")
_SINGLE = re.compile(r"'((?:[^'\\\n\r]|\\.)*)'")
_CURLY = re.compile('[“”„]([^“”„"\\\\\n\r]*)[“”]')
_WORD = re.compile(r"[A-Za-z_$][0-9A-Za-z_$.-]*")
_KEY = re.compile(r"""\s*(?:"[^"\n\r]*"|'[^'\n\r]*'|[A-Za-z_$][\w$-]*)\s*:""")
_COLON = re.compile("=>|->|:=|=")
_NUMBER = re.compile(r"([-+]?)([0-9][0-9_]*)?(?:\.([0-9]*))?([eE][-+]?[0-9]+)?(?![0-9A-Za-z_.])")
_CONSTANTS = {"true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null"}
_MOST_CLOSERS = 200


def slip(spot: Spot) -> Mend | None:
    """What was meant at a place; none where nobody can tell."""
    text, at = spot.text, spot.at
    if comment := _comment(text, at):
        return comment
    if (fence := _FENCE.match(text, at)) and not spot.closers:
        return mend("Take the fence away", *fence.span(), "")
    match spot.due:
        case Due.VALUE:
            return _doubled(text, at, bool(spot.closers) and spot.closers[-1] == "]") or _value(text, at)
        case Due.KEY:
            return _doubled(text, at, True) or _key(text, at)
        case Due.COLON:
            return _colon(spot)
        case Due.NEXT:
            return _next(spot)
        case Due.END:
            rest = _LEFT_OVER.match(text, at)
            return (
                mend("Take away what is left over", at, rest.end(), "\n" if "\n" in text[at:] else "") if rest else None
            )


def _comment(text: str, at: int) -> Mend | None:
    start = at
    while start and text[start - 1] in " \t":
        start -= 1
    found = _COMMENT.match(text, start)
    # What the author remarked is lost.
    return mend("Remove the comment", *found.span(), "", safe=False) if found else None


def _doubled(text: str, at: int, free: bool) -> Mend | None:
    """A comma too many between two entries."""
    return mend("Remove the comma", at, at + 1, "") if free and text.startswith(",", at) else None


def _quoted(text: str, at: int) -> Mend | None:
    """A string in other quotes than double ones, or with one of them missing, or with what no string may hold."""
    if text.startswith('"', at):
        return in_string(text, at)
    other = _SINGLE.match(text, at) or _CURLY.match(text, at)
    if other is None:
        return None
    said = re.sub(r"\\(['\"])", r"\1", other[1])
    if "\\" in said:
        return None
    return mend("Write it in double quotes", *other.span(), json.dumps(said, ensure_ascii=False))


def _key(text: str, at: int) -> Mend | None:
    found = _WORD.match(text, at)
    if found is None:
        return _quoted(text, at)
    closed = text.startswith('"', found.end())
    return mend("Write the key in double quotes", *found.span(), f'"{found[0]}{"" if closed else chr(34)}')


def _value(text: str, at: int) -> Mend | None:
    found = _WORD.match(text, at)
    if found is not None and found[0].lower() in _CONSTANTS:
        meant = _CONSTANTS[found[0].lower()]
        return mend(f"Write `{meant}`", *found.span(), meant, safe=found[0] != "undefined")
    if found is not None and text.startswith('"', found.end()):
        return mend('Add `"`', at, at, '"')
    if found is not None:
        return mend("Write it in double quotes", *found.span(), f'"{found[0]}"', safe=False)
    return _number(text, at) or _quoted(text, at)


def _number(text: str, at: int) -> Mend | None:
    """A number with a plus in front, with zeros or marks in it, or without digits on one side of its point."""
    found = _NUMBER.match(text, at)
    if found is None or not (found[2] or found[3]):
        return None
    whole = (found[2] or "0").replace("_", "").lstrip("0") or "0"
    point = "" if found[3] is None else f".{found[3] or '0'}"
    meant = f"{found[1].strip('+')}{whole}{point}{found[4] or ''}"
    return mend(f"Write `{meant}`", *found.span(), meant) if meant != found[0] else None


def _colon(spot: Spot) -> Mend | None:
    text, at = spot.text, spot.at
    if found := _COLON.match(text, at):
        return mend("Write `:`", *found.span(), ":")
    return mend("Add `:`", spot.ended, spot.ended, ":") if _begins_value(text, at) else None


def _begins_value(text: str, at: int) -> bool:
    return text[at : at + 1] in {'"', "{", "[", "'", "-"} or text[at : at + 1].isalnum()


def _next(spot: Spot) -> Mend | None:
    """What is wrong behind an entry: a comma too many or none, a container that is not closed, or closed by another."""
    text, at = spot.text, spot.at
    due = spot.closers[-1]
    found = text[at : at + 1]
    if not found:
        return _unclosed(spot)
    if found == ",":
        return mend("Remove the comma", at, at + 1, "")
    if found in "]}":
        if found in spot.closers:
            return mend(f"Add `{due}`", spot.ended, spot.ended, due)
        return mend(f"Write `{due}`", at, at + 1, due)
    if found == ";":
        return mend("Write `,`", at, at + 1, ",")
    if found == ":":
        return _array_before_key(spot)
    string = after_quote(text, spot.before, spot.ended, at)
    if string is not None:
        return string
    if _KEY.match(text, at) if due == "}" else _begins_value(text, at):
        return mend("Add `,`", spot.ended, spot.ended, ",")
    return None


def _unclosed(spot: Spot) -> Mend | None:
    """The end of the text inside of containers: one that lacks its end is closed, of more something may be missing."""
    if len(spot.closers) > _MOST_CLOSERS:
        return None
    ends = "".join(reversed(spot.closers))
    return mend(f"Add `{ends}`", spot.ended, spot.ended, ends, sure=len(ends) == 1)


def _array_before_key(spot: Spot) -> Mend | None:
    """An array that goes on with a key had its end before it."""
    if spot.first or spot.closers[-1] != "]" or "}" not in spot.closers[-2:]:
        return None
    comma = spot.text.rfind(",", 0, spot.before)
    return mend("Add `]`", comma, comma, "]")
