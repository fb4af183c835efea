"""A patch of a document as changes of its text, so that what it does not touch stays as its author wrote it.

Guarantees: the changed text means the patched document; the changes stand in order and do not overlap. Blocks that do
not change keep every character; of those that do, words and comments that stay do so where that can be told.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Any

from wfc.edits import PatchFault, apply_patch
from wfc.frontend.text.blocks import (
    LISTED,
    Block,
    Outline,
    Stretch,
    canonical_outlines,
    texts,
)
from wfc.frontend.text.layout import flat
from wfc.frontend.text.rewording import reworded
from wfc.frontend.text.write import lines_of
from wfc.frontend.text.write_edges import Habits
from wfc.source import Edit, edited

if TYPE_CHECKING:
    from wfc.frontend.text.document import TextDocument

# Larger texts are not read again here: what applies their fixes does that.
_PROVED_BELOW = 8_000
_CONTRACTS = ("head", "input", "state", "output", "outcomes", "with", "start")


def text_edits(document: TextDocument, patch: Iterable[Mapping[str, Any]]) -> tuple[Edit, ...]:
    """The changes that a patch asks for. Raises `PatchFault`."""
    assert document.sheet is not None
    text = document.source.text
    habits, old, mine, known = document.layout
    wanted = apply_patch(document.value, patch)
    new = canonical_outlines(wanted, habits, known)
    if len(old) == len(new) == len(mine):
        for change in (_fine, _coarse):
            edits = tuple(sorted(_edits(mine, old, new, text, change), key=lambda edit: (edit.start, edit.end)))
            if _is_sound(document, edits, wanted):
                return edits
    whole = (Edit(0, len(text), _whole(document, wanted)),)
    if _is_sound(document, whole, wanted):
        return whole
    raise PatchFault("the text form has no place for what the patch asks for")


def _whole(document: TextDocument, wanted: Any) -> str:
    from wfc.frontend.text.format import reformatted

    return reformatted(document, wanted)


def _is_sound(document: TextDocument, edits: tuple[Edit, ...], wanted: Any) -> bool:
    """Whether edits are in order, and what they make means what is wanted."""
    if any(before.end > after.start for before, after in pairwise(edits)):
        return False
    text = document.source.text
    if len(text) > _PROVED_BELOW:
        return True
    again = document.again(edited(text, edits))
    return again.readable and meaning(again.value) == meaning(wanted)


def meaning(value: Any) -> list[str]:
    """What a document says, whatever the order of keys and edges."""
    plain = json.loads(json.dumps(value, sort_keys=True))
    return [flat(line.fragment) for line in lines_of(plain, Habits(start=True))]


Change = Any


def _edits(mine: list[Outline], old: list[Outline], new: list[Outline], text: str, change: Change) -> Iterator[Edit]:
    for place, was, wanted in zip(mine, old, new, strict=True):
        for kind in dict.fromkeys((*_CONTRACTS, *was.single, *wanted.single)):
            if kind != "close":
                yield from _single(kind, place, was.single.get(kind), wanted.single.get(kind), text, change)
        for kind in LISTED:
            yield from _listed(kind, place, was.listed[kind], wanted.listed[kind], text, change)


def _single(
    kind: str, place: Outline, was: Block | None, wanted: Block | None, text: str, change: Change
) -> Iterator[Edit]:
    stretch: Stretch | None = place.single.get(kind)
    if (was and was.text) == (wanted and wanted.text):
        return
    if wanted is None:
        if stretch is not None:
            yield _removed(stretch, text)
    elif was is None or stretch is None:
        yield _inserted(_behind(kind, place), [wanted], text)
    else:
        yield from change(stretch, was, wanted, text)


def _listed(
    kind: str, place: Outline, was: list[Block], wanted: list[Block], text: str, change: Change
) -> Iterator[Edit]:
    stretches: list[Stretch] = place.listed[kind]
    if len(stretches) != len(was):
        raise PatchFault("the text does not say what its document holds")
    for op, a1, a2, b1, b2 in SequenceMatcher(None, texts(was), texts(wanted), autojunk=False).get_opcodes():
        if op == "equal":
            continue
        both = min(a2 - a1, b2 - b1)
        for one, two in zip_longest(range(a1, a1 + both), range(b1, b1 + both)):
            yield from change(stretches[one], was[one], wanted[two], text)
        for gone in range(a1 + both, a2):
            yield _removed(stretches[gone], text)
        come = wanted[b1 + both : b2]
        if come:
            before = a1 + both - 1
            behind = stretches[before] if before >= 0 else None
            if behind is None and stretches:
                yield _in_front(stretches[0], come, text)
            else:
                yield _inserted(behind or _behind(kind, place), come, text)


def _behind(kind: str, place: Outline) -> Stretch | None:
    """What a first block of a kind comes behind."""
    order = (*_CONTRACTS[:-1], "def", "start", "step", "edge")
    for other in reversed(order[: order.index(kind)] if kind in order else order):
        found = place.listed[other][-1] if place.listed.get(other) else place.single.get(other)
        if found is not None:
            return found  # type: ignore[no-any-return]
    return None


def _indent(stretch: Stretch, text: str) -> str:
    line = text.rfind("\n", 0, stretch.start) + 1
    lead = text[line : stretch.start]
    return "" if lead.strip() else lead


def _rows(blocks: list[Block], indent: str | None) -> str:
    rows = "\n".join(row for block in blocks for row in block.rows)
    if indent is None:
        return rows
    return "\n".join(indent + row.removeprefix(" ") for row in rows.split("\n"))


def _inserted(behind: Stretch | None, blocks: list[Block], text: str) -> Edit:
    """Blocks on lines behind a stretch."""
    if behind is None:
        return Edit(0, 0, _rows(blocks, None) + "\n")
    end = _line_end(text, behind.end)
    is_head = text[: behind.end].rstrip().endswith("{") or text[behind.end : end].lstrip().startswith("{")
    indent = None if is_head else _indent(behind, text)
    if text[behind.end : end].split("#")[0].strip(" \t\r{"):
        # Something else stands on the same line.
        return Edit(behind.end, behind.end, "\n" + _rows(blocks, indent) + "\n")
    return Edit(end, end, "\n" + _rows(blocks, indent))


def _in_front(stretch: Stretch, blocks: list[Block], text: str) -> Edit:
    indent = _indent(stretch, text)
    return Edit(stretch.start, stretch.start, _rows(blocks, indent).removeprefix(indent) + "\n" + indent)


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _removed(stretch: Stretch, text: str) -> Edit:
    """A block taken out, with its line where it stands alone on it."""
    line, end = text.rfind("\n", 0, stretch.start) + 1, _line_end(text, stretch.end)
    if not text[line : stretch.start].strip() and not text[stretch.end : end].strip():
        return Edit(line, min(end + 1, len(text)), "")
    return Edit(stretch.start, stretch.end, "")


def _fine(stretch: Stretch, was: Block, wanted: Block, text: str) -> Iterator[Edit]:
    """The words that differ."""
    for edit in reworded(text[stretch.start : stretch.end], was.text, wanted.text, _indent(stretch, text)):
        yield Edit(edit.start + stretch.start, edit.end + stretch.start, edit.text)


def _coarse(stretch: Stretch, was: Block, wanted: Block, text: str) -> Iterator[Edit]:
    """The whole block anew; comments inside of it come first."""
    indent = _indent(stretch, text)
    rows = _rows([wanted], indent).removeprefix(indent)
    yield Edit(stretch.start, stretch.end, rows)
