"""What is said at a node, a box and a finding, the same in every format."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from wfc.backends.emit.pictures.picture import Box, Link, Node, Remark

_KINDS = {
    "node": "node",
    "condition": "if",
    "foreach": "for each",
    "fork": "fork",
    "join": "join",
    "wait": "wait",
    "interrupt": "question",
    "subgraph": "workflow",
    "end": "end",
    "hole": "unreadable",
    "missing": "no such step",
}
_SIGNS = {"error": "✗", "warning": "▲", "note": "i"}
LONGEST_LINE = 34
LONGEST_DETAIL = 46


def kind_words(node: Node) -> str:
    """What kind of node it is; the marks of beginning and end need no word."""
    return _KINDS.get(node.kind, "")


def node_lines(node: Node) -> Iterator[str]:
    """The lines of a node below its kind: its name, what it does, what was found, what a run did there."""
    yield shortened(node.title)
    if node.detail:
        yield shortened(node.detail, LONGEST_DETAIL)
    if node.remarks:
        yield remark_words(node.remarks)
    if node.visits:
        yield visit_words(node)


def is_told_below(box: Box) -> bool:
    """Whether the words of a box stand at its bottom: links come to a body, and go back from it, at its top."""
    return box.kind == "foreach"


def remark_words(remarks: tuple[Remark, ...]) -> str:
    """The codes of findings, each once."""
    codes = list(dict.fromkeys(f"{_SIGNS[one.severity]} {one.code}" for one in remarks))
    return shortened(", ".join(codes))


def visit_words(node: Node) -> str:
    """How often a run came by, and when."""
    numbers = ", ".join(f"#{visit.number}" for visit in node.visits)
    return shortened(f"{len(node.visits)}× {numbers}" if len(node.visits) > 1 else numbers)


def link_words(link: Link) -> str:
    """What is said at a link: its outcome, and how often it was taken where that is more than once."""
    return shortened(link.label) + (f" {link.taken}×" if link.taken and link.taken > 1 and link.label else "")


def box_words(box: Box) -> str:
    return shortened(box.title, 2 * LONGEST_LINE)


def shortened(text: str, most: int = LONGEST_LINE) -> str:
    """Text that is at most so many columns wide; of a longer one, much of its beginning and a little of its end."""
    text = visible(text)
    if columns(text) <= most:
        return text
    kept = most - 1
    head = _cut(text, kept - kept // 3)
    tail = _cut(text[::-1], kept // 3)[::-1]
    return f"{head}…{tail}"


def _cut(text: str, most: int) -> str:
    width = 0
    for place, one in enumerate(text):
        width += columns(one)
        if width > most:
            return text[:place]
    return text


def columns(text: str) -> int:
    """How many columns of a fixed font a text takes."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def visible(text: str) -> str:
    """Text without control characters, which no picture can show and some formats forbid."""
    return "".join(" " if one in "\n\t\r" else "�" if _is_control(one) else one for one in text)


def _is_control(one: str) -> bool:
    return unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp", "Cn") or ord(one) in (0xFFFE, 0xFFFF)
