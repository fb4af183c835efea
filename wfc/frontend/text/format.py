"""The canonical layout of a text: constructs on their lines, comments where they belong.

Guarantees: no comment is lost; a text that is laid out already stays as it is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

from wfc.frontend.text.allowances import is_allowance
from wfc.frontend.text.document import Sheet, TextDocument
from wfc.frontend.text.layout import BODY, STEP, Group, Remark, Remarks, laid_out
from wfc.frontend.text.write import Line, lines_of
from wfc.source import lookup, pointer_parts

_INDENTS = ("", BODY, BODY + STEP)
_GROUPS = {"def": "defs", "start": "steps", "step": "steps", "edges": "steps", "edge": "steps", "json": "steps"}
_TAIL = " tail"


def text_of(value: Any) -> str:
    """The canonical text of a JSON document."""
    return "".join(f"{row}\n" for row in _rows(lines_of(value), {}))


def formatted(document: TextDocument) -> str:
    """A text in canonical layout. One that cannot be read stays as it is."""
    if document.sheet is None:
        return document.source.text
    return reformatted(document, document.value)


def remark_count(text: str, sheet: Sheet) -> int:
    """How many comments of a text are no part of its document."""
    return sum(not is_allowance(text[start:end]) for start, end in sheet.comments)


def _rows(lines: Iterable[Line], remarks: Remarks) -> Iterator[str]:
    before: Line | None = None
    for line in lines:
        indent = _INDENTS[line.depth]
        if before is not None and _apart(before, line):
            yield ""
        found = [remarks[pointer] for pointer in line.pointers if pointer in remarks]
        before_it = [one for remark in found for one in remark.before]
        behind = [one for remark in found for one in remark.behind]
        for comment in (*before_it, *behind[:-1], *line.remarks):
            yield indent + comment
        text = indent + laid_out(line.fragment, indent, remarks)
        yield text + (f"  {behind[-1]}" if behind else "")
        before = line


def _apart(before: Line, line: Line) -> bool:
    """Whether a blank line stands between two constructs."""
    if line.depth == 0 and line.kind != "close":
        return before.kind in ("close", "json", "with", "main")
    if line.kind == "close" or before.kind == "head":
        return False
    return _GROUPS.get(before.kind, "contracts") != _GROUPS.get(line.kind, "contracts")


# -- where comments belong --------------------------------------------------------------------------------------------


def _remarks(text: str, sheet: Sheet, lines: list[Line], value: Any) -> dict[str, Remark]:
    """The comments of a text by the pointers of what they belong to; the lines say the value."""
    known = {pointer for line in lines for pointer in line.pointers}
    tags = {tag for line in lines for part in line.fragment if isinstance(part, Group) for tag in part.tags}
    made: dict[str, Remark] = {}
    starts = [statement.start for statement in sheet.statements]
    for start, end in sheet.comments:
        comment = text[start:end].rstrip()
        if is_allowance(comment):
            continue
        place = bisect_right(starts, start) - 1
        pointer, is_behind = _field(text, sheet, place, start, tags, value) or _anchor(text, sheet, place, start, known)
        remark = made.setdefault(pointer, Remark())
        (remark.behind if is_behind else remark.before).append(comment)
    return made


def _anchor(text: str, sheet: Sheet, place: int, at: int, known: set[str]) -> tuple[str, bool]:
    """What a comment belongs to, and whether it stands behind that; `place` is the statement that begins before it."""
    if place >= 0:
        statement = sheet.statements[place]
        inside = at < statement.end
        behind = text.find("\n", min(at, statement.end), at) < 0
        if inside or behind:
            own = next((one for one in sheet.pointers.get(place, ()) if one in known), None)
            if own is not None:
                return own, not inside
    for later in range(place + 1, len(sheet.statements)):
        for pointer in sheet.pointers.get(later, ()):
            if pointer in known:
                return pointer, False
    return _TAIL, False


def _field(text: str, sheet: Sheet, place: int, at: int, tags: set[str], value: Any) -> tuple[str, bool] | None:
    """The field of a section that a comment inside of it belongs to, of those that do not go without saying."""
    statement = sheet.statements[place] if place >= 0 else None
    pointers = sheet.pointers.get(place, ())
    if statement is None or statement.kind != "section" or at >= statement.end or not pointers:
        return None
    part = statement.part
    if part is None or not isinstance(part.inside, dict):
        return None
    found: list[tuple[int, int, str]] = []
    for holder in ("properties", "$defs"):
        inner = part.inside.get(holder)
        for name, one in inner.inside.items() if inner is not None and isinstance(inner.inside, dict) else ():
            start = one.key[0] if one.key else one.start
            tag = f"{pointers[0]}/{holder}/{_segment(name)}"
            if tag in tags or not _is_there(value, tag):
                found.append((start, max(one.end, start), tag))
    found.sort()
    for start, end, tag in found:
        if end <= at and text.find("\n", end, at) < 0:
            return tag, True
        if start <= at < end:
            return tag, False
    return next(((tag, False) for start, _, tag in found if start > at), (found[-1][2], False) if found else None)


def _is_there(value: Any, tag: str) -> bool:
    parts = pointer_parts(tag)
    return len(lookup(value, parts)[1]) == len(parts)


def _segment(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def reformatted(document: TextDocument, value: Any) -> str:
    """The canonical text of another value, with the comments of a document where what they belong to is still there."""
    assert document.sheet is not None
    lines = list(lines_of(value))
    remarks = _remarks(document.source.text, document.sheet, lines, value)
    rows = [*_rows(lines, remarks), *remarks.get(_TAIL, Remark()).before]
    return "".join(f"{row}\n" for row in rows)
