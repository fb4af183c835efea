"""A text by its blocks: a contract, a definition, a step with its edges. Each can be compared and put in place alone.

Guarantees: blocks of the author and canonical blocks of one document correspond, one to one and in one order for each
kind, so that what changes in the document is found in the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from wfc.frontend.text.allowances import is_allowance
from wfc.frontend.text.build_clauses import Way
from wfc.frontend.text.build_steps import Statement
from wfc.frontend.text.document import Sheet
from wfc.frontend.text.layout import BODY, STEP, flat, laid_out
from wfc.frontend.text.write import Known, Line, lines_of
from wfc.frontend.text.write_edges import Habits
from wfc.records import dataclass, field

_INDENTS = ("", BODY, BODY + STEP)
# Of these there are several, in an order; of all others at most one in a workflow.
LISTED = ("def", "step", "edge")
_KINDS = {"json": "step", "edges": "step"}


@dataclass(slots=True)
class Block:
    """Lines that belong together; `text` has each on one line."""

    text: str
    lines: list[Line]

    @property
    def rows(self) -> list[str]:
        """The lines as they are laid out, comments included."""
        return [_row(line) for line in self.lines]


def _row(line: Line) -> str:
    indent = _INDENTS[line.depth]
    return "".join(f"{indent}{one}\n" for one in line.remarks) + indent + laid_out(line.fragment, indent)


@dataclass(slots=True)
class Stretch:
    """Where a block stands in the author's text."""

    start: int
    end: int


@dataclass(slots=True)
class Outline:
    """The blocks of one workflow, by kind: of canonical text, or where they stand."""

    single: dict[str, Any] = field(default_factory=dict)
    listed: dict[str, list[Any]] = field(default_factory=lambda: {kind: [] for kind in LISTED})


def habits_of(sheet: Sheet) -> Habits:
    """How an author writes."""
    steps = [one for one in sheet.statements if one.kind == "step" and one.part is not None]
    ends = [one.part.value for one in steps if one.part is not None and one.part.value.get("type") == "end"]
    rows: set[str] = set()
    for before, one in pairwise(sheet.statements):
        if one.kind == "edges" and before.kind == "step" and not before.ways and before.part is not None:
            rows.add(str(before.part.value["id"]))
    return Habits(
        ends=frozenset(str(step["id"]) for step in ends),
        start=any(one.kind == "start" for one in sheet.statements),
        rows=frozenset(rows),
        one_by_one=not any(_shares_a_target(one) for one in sheet.statements if one.kind == "edges"),
        only_rows=bool(rows) and not any(one.ways for one in steps),
        spelt=_spelt(sheet),
    )


def _spelt(sheet: Sheet) -> frozenset[str]:
    """The ids of the steps that say of their ways what goes without saying."""
    found: set[str] = set()
    owner, ways = "", list[Way]()
    for one in (*sheet.statements, Statement("close")):
        if one.kind in ("step", "json", "close"):
            following = one.part.value.get("id") if one.part is not None and isinstance(one.part.value, dict) else None
            if any(_says_it(way, following) for way in ways):
                found.add(owner)
            owner, ways = str(following), list(one.ways)
        elif one.kind == "edges":
            ways += [way for way in one.ways if way.target.is_end]
    return frozenset(found)


def _says_it(way: Way, following: Any) -> bool:
    target = way.target
    if target.is_end:
        return target.name.value == "ok" and target.name.start != target.start
    return not target.is_next and target.name.value == following


def _shares_a_target(edges: Statement) -> bool:
    return any(before.target is way.target for before, way in pairwise(edges.ways))


def canonical_outlines(value: Any, habits: Habits, known: Known | None = None) -> list[Outline]:
    """The outlines of a document, one for what stands outside of workflows and one for each workflow.

    `known` has the lines of things that live on, so that those of a changed document that are the same need no work.
    """
    made = [Outline()]
    for line in lines_of(value, habits, known):
        kind = _KINDS.get(line.kind, line.kind)
        if line.kind == "head" or (line.depth == 0 and line.kind == "json"):
            made.append(Outline())
            kind = "head"
        here = made[0] if line.kind in ("main", "with") and line.depth == 0 else made[-1]
        text = _text(line)
        if line.kind == "edges":
            here.listed["step"][-1].text += "\n" + text
            here.listed["step"][-1].lines.append(line)
        elif kind in LISTED:
            here.listed[kind].append(Block(text, [line]))
        else:
            here.single[kind] = Block(text, [line])
    return made


def _text(line: Line) -> str:
    return "".join(f"{one}\n" for one in line.remarks) + flat(line.fragment)


def author_outlines(sheet: Sheet, text: str) -> list[Outline]:
    """Where the blocks of a text stand, in the same order."""
    made = [Outline()]
    inside = False
    for statement in sheet.statements:
        kind, place = statement.kind, Stretch(_from(sheet, statement.start, text), statement.end)
        if kind == "head" or (kind == "json" and not inside):
            made.append(Outline())
            inside = kind == "head"
            made[-1].single["head"] = place
        elif kind == "edges":
            made[-1].listed["step"][-1].end = statement.end
        elif kind == "section" and statement.word is not None:
            made[-1].single[statement.word.text] = place
        elif _KINDS.get(kind, kind) in LISTED:
            made[-1].listed[_KINDS.get(kind, kind)].append(place)
        else:
            (made[-1] if inside else made[0]).single[kind] = place
            inside = inside and kind != "close"
    return made


def _from(sheet: Sheet, start: int, text: str) -> int:
    """Where a statement begins with the suppressions before it."""
    for first, last in reversed(sheet.comments):
        if last > start:
            continue
        if text[last:start].strip() or not is_allowance(text[first:last]) or text[_line(text, first) : first].strip():
            break
        start = first
    return start


def _line(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def texts(blocks: Iterable[Block]) -> list[str]:
    return [block.text for block in blocks]
