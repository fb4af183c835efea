"""A construct of the author reworded: the words that change do, the others stay where and as they are.

What is known is the construct as the author wrote it, its canonical text, and the canonical text that is wanted. The
author's words are matched with the canonical ones, and what differs between the two canonical texts is changed there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from wfc.records import dataclass
from wfc.source import Edit

_WORD = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|#[^\n]*|[A-Za-z_$][A-Za-z0-9_.-]*(?<![.-])|-?[0-9][0-9A-Za-z.+]*|->|==|!=|<=|>=|[^\s,]'
)


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text without commas, which line ends may stand for; and where they stand."""

    text: str
    words: list[str]
    places: list[tuple[int, int]]

    def before(self, index: int) -> int:
        """Where the word in front of a place ends."""
        return self.places[index - 1][1] if index else 0

    def after(self, index: int) -> int:
        """Where the word at a place begins."""
        return self.places[index][0] if index < len(self.places) else len(self.text)


def _words(text: str) -> _Words:
    found = list(_WORD.finditer(text))
    return _Words(text, [one[0] for one in found], [one.span() for one in found])


def reworded(author: str, old: str, new: str, indent: str) -> list[Edit]:
    """Changes of the author's text, at an indentation, that make of what says `old` what says `new`."""
    mine, was, wanted = _words(author), _words(old), _words(new.replace("\n", "\n" + indent))
    known = _matched(was.words, mine.words)
    edits = [_edit(mine, wanted, *region) for region in _regions(was, wanted, mine, known)]
    return [_trimmed(author, edit) for edit in edits if author[edit.start : edit.end] != edit.text]


def _trimmed(author: str, edit: Edit) -> Edit:
    """A change without the blanks around it that stay."""
    start, end, text = edit.start, edit.end, edit.text
    while start < end and text and author[start] == text[0] and text[0].isspace():
        start, text = start + 1, text[1:]
    while start < end and text and author[end - 1] == text[-1] and text[-1].isspace():
        end, text = end - 1, text[:-1]
    return Edit(start, end, text)


def _matched(was: list[str], mine: list[str]) -> list[int | None]:
    """For each canonical word the place of the author's."""
    known: list[int | None] = [None] * len(was)
    for block in SequenceMatcher(None, was, mine, autojunk=False).get_matching_blocks():
        for step in range(block.size):
            known[block.a + step] = block.b + step
    return known


def _regions(was: _Words, wanted: _Words, mine: _Words, known: list[int | None]) -> Iterator[tuple[int, int, int, int]]:
    """What changes: from where to where in the author's words, and the wanted words that come there."""
    regions: list[list[int]] = []
    for op, a1, a2, b1, b2 in SequenceMatcher(None, was.words, wanted.words, autojunk=False).get_opcodes():
        if op == "equal":
            continue
        while a1 and known[a1 - 1] is None:
            a1, b1 = a1 - 1, b1 - 1
        while a2 < len(known) and known[a2] is None:
            a2, b2 = a2 + 1, b2 + 1
        if regions and regions[-1][1] >= a1:
            regions[-1][1], regions[-1][3] = max(regions[-1][1], a2), max(regions[-1][3], b2)
        else:
            regions.append([a1, a2, b1, b2])
    for a1, a2, b1, b2 in regions:
        start, end = _stretch(known, a1, a2, len(mine.words))
        yield start, end, max(b1, 0), b2


def _stretch(known: list[int | None], first: int, last: int, count: int) -> tuple[int, int]:
    """The author's words for canonical ones; comments around them stay out."""
    own = [place for place in known[first:last] if place is not None]
    right = known[last] if last < len(known) else count
    if last > first and len(own) == last - first:
        return own[0], own[-1] + 1
    if first == last and right is not None:
        return right, right
    left = known[first - 1] if first else -1
    start = (-1 if left is None else left) + 1
    return start, max(start, count if right is None else right)


def _edit(mine: _Words, wanted: _Words, start: int, end: int, first: int, last: int) -> Edit:
    at, to = mine.before(start), mine.after(end)
    core = wanted.text[wanted.after(first) : wanted.before(last)] if last > first else ""
    lead = _gap(mine, start, wanted, first)
    if not core:
        return Edit(at, to, lead if start else "")
    if "\n" in lead and start < len(mine.words) and mine.words[start] in _CLOSERS:
        # What comes last is no further in than what stands in front of it.
        lead = "\n" + _indent(mine.text, at)
    kept = [word for word in mine.words[start:end] if word.startswith("#")]
    return Edit(at, to, lead + _comments(kept) + core + _gap(mine, end, wanted, last))


_CLOSERS = (")", "]", "}")


def _indent(text: str, at: int) -> str:
    line = text.rfind("\n", 0, at) + 1
    return text[line : len(text) - len(text[line:].lstrip(" \t"))]


def _comments(kept: list[str]) -> str:
    return "".join(f"{one}\n" for one in kept)


def _gap(mine: _Words, index: int, wanted: _Words, place: int) -> str:
    """What stands between two words: as the author has it where that is a line end, else as it is wanted."""
    told = wanted.text[wanted.before(place) : wanted.after(place)]
    written = mine.text[mine.before(index) : mine.after(index)]
    if index < len(mine.words) and mine.words[index].startswith("#"):
        return written
    if "\n" in written and (not told.strip() or told.strip() == ","):
        return written
    if index == 0 and place == 0:
        return ""
    return told if index < len(mine.words) or place < len(wanted.words) else ""
