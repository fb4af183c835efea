"""What is wrong inside of a JSON string, or with where it ends, and how it is written right."""

from __future__ import annotations

import json
import re

from wfc.frontend.mends import Mend, mend
from wfc.source import Edit

_OVER_LINES = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_FOLLOWS = re.compile(r"\s*(?:[,:}\]]|\Z)")
_PIECES = re.compile(r"""(?P<good>\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))|\\x(?P<byte>[0-9a-fA-F]{2})|\\'|\\|[\x00-\x1f]""")
_END = re.compile(r'"(?=[ \t]*(?:,?[ \t]*$|,\s*"|[}\]]))', re.MULTILINE)
_NAME = re.compile(r'[^"\n\r]*"\s*:')


def in_string(text: str, start: int) -> Mend | None:
    """What to change in the string that begins at `start` and cannot be read."""
    whole = _OVER_LINES.match(text, start + 1)
    if whole is None or not _FOLLOWS.match(text, whole.end()):
        return _unclosed(text, start)
    pieces = [found for found in _PIECES.finditer(text, start + 1, whole.end() - 1) if not found["good"]]
    edits = tuple(Edit(*found.span(), _written(found)) for found in pieces)
    return Mend("Write the escapes of JSON", edits) if edits else None


def _written(found: re.Match[str]) -> str:
    """What JSON writes for a control character, or for an escape that it does not have."""
    if found["byte"]:
        return f"\\u00{found['byte']}"
    return {"\\'": "'", "\\": "\\\\"}.get(found[0]) or json.dumps(found[0])[1:-1]


def _unclosed(text: str, start: int) -> Mend | None:
    """A string without its end: it ends before what closes the line."""
    end = text.find("\n", start)
    line = text[start : len(text) if end < 0 else end]
    at = start + max(1, len(line.rstrip(" \t\r,}]")))
    return mend('Add `"`', at, at, '"', sure=False)


def after_quote(text: str, start: int, end: int, at: int) -> Mend | None:
    """What to change where a string is followed by a word: it ended too late, or holds quotes that are no ends."""
    if at != end or not text.startswith('"', start) or text[at : at + 1] in '"{[':
        return None
    said = text[start : end - 1]
    if _NAME.match(text, at):
        # The next key lost its quote to a string that was not closed.
        closed = said.rstrip().removesuffix(",").rstrip()
        last = start + len(closed)
        return mend('Add `"`', last, last, '"', sure=False) if "," in said[len(closed) :] else None
    final = _END.search(text, at)
    if final is None or "\n" in text[at : final.start()]:
        return None
    inner = text[end - 1 : final.start()].replace('"', '\\"')
    return mend("Escape the quotes inside", end - 1, final.start(), inner, sure=False)
