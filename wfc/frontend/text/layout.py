"""How a construct is laid out: on one line where it fits, else its brackets are opened, the outermost first.

Guarantees: what is laid out in one way or another reads the same; nothing but blanks, line ends and the commas between
entries of braces differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wfc.frontend.unrolled import Walk, unrolled
from wfc.records import dataclass, field

WIDTH = 120
# A blank in front of a word costs no token, so that what stands in a workflow is indented by one.
BODY = " "
STEP = "  "
# A blank at which a line may go on as the next one.
BREAK = "\x1f"


@dataclass(frozen=True, slots=True)
class Group:
    """Brackets and the entries between them. Entries of braces may stand on lines of their own without a comma.

    `tags` names the entries, so that a remark on one of them finds its line.
    """

    opener: str
    closer: str
    entries: tuple[Fragment, ...]
    tags: tuple[str, ...] = ()
    pad: str = ""


Fragment = tuple[str | Group, ...]


def joined(*parts: str | Group | Fragment) -> Fragment:
    """One fragment of several."""
    made: list[str | Group] = []
    for part in parts:
        made += part if isinstance(part, tuple) else (part,)
    return tuple(made)


def separated(fragments: Iterable[Fragment], mark: str) -> Fragment:
    """Fragments with a mark between them."""
    made: list[str | Group] = []
    for fragment in fragments:
        if made:
            made.append(mark)
        made += fragment
    return tuple(made)


def flat(fragment: Fragment) -> str:
    """A fragment on one line."""
    if all(part.__class__ is str for part in fragment):
        return "".join(fragment).replace(BREAK, " ")  # type: ignore[arg-type]
    text: str = unrolled(_flat(fragment))
    return text.replace(BREAK, " ")


def _flat(fragment: Fragment) -> Walk:
    made = []
    for part in fragment:
        if isinstance(part, str):
            made.append(part)
            continue
        entries = []
        for entry in part.entries:
            entries.append((yield _flat(entry)))
        pad = part.pad if entries else ""
        made.append(part.opener + pad + ", ".join(entries) + pad + part.closer)
    return "".join(made)


@dataclass(frozen=True, slots=True)
class Remark:
    """Comments that belong to a thing: on lines before it, and behind it on its own."""

    before: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)


Remarks = Mapping[str, Remark]


def laid_out(fragment: Fragment, indent: str, remarks: Remarks | None = None) -> str:
    """A fragment at an indentation, without the blanks in front of it.

    A line that is too long goes on at the next one where it may, before brackets are opened. Brackets around an entry
    with remarks are opened in any case.
    """
    told = remarks or {}
    line = indent + flat(fragment)
    if len(line) <= WIDTH and not _is_remarked(fragment, told):
        return line.lstrip(" ")
    inner = indent + STEP
    rows: list[str] = []
    for segment in _segments(fragment):
        short = flat(segment)
        row = rows[-1].rpartition("\n")[2] if rows else ""
        if rows and len(row) + 1 + len(short) <= WIDTH and not _is_remarked(segment, told):
            rows[-1] += " " + short
            continue
        lead = inner if rows else indent
        rows.append(lead + unrolled(_opened(segment, lead, len(lead), 0, told)))
    return "\n".join(rows).lstrip(" ")


def _segments(fragment: Fragment) -> Iterator[Fragment]:
    """What stands between the blanks at which a line may break."""
    made: list[str | Group] = []
    for part in fragment:
        if not isinstance(part, str):
            made.append(part)
            continue
        first, *others = part.split(BREAK)
        made.append(first)
        for other in others:
            if any(made):
                yield tuple(made)
            made = [other]
    yield tuple(made)


def _is_remarked(fragment: Fragment, remarks: Remarks) -> bool:
    return bool(remarks) and bool(unrolled(_holds(fragment, remarks)))


def _opened(fragment: Fragment, indent: str, column: int, behind: int, remarks: Remarks) -> Walk:
    """`column` is where the fragment begins, `behind` how much has to follow on its last line."""
    line = flat(fragment)
    forced = _is_remarked(fragment, remarks)
    if not forced and column + len(line) + behind <= WIDTH:
        return line
    widest = _widest(fragment, remarks if forced else {})
    if widest is None:
        return line
    group = fragment[widest]
    assert isinstance(group, Group)
    inner = indent + STEP
    comma = "" if group.opener == "{" else ","
    rows = []
    for place, entry in enumerate(group.entries):
        last = place == len(group.entries) - 1
        written = yield _opened(entry, inner, len(inner), len(comma), remarks)
        remark = remarks.get(group.tags[place], _SILENT) if group.tags else _SILENT
        rows += [f"\n{inner}{comment}" for comment in remark.before]
        rows.append(f"\n{inner}{written}{'' if last else comma}" + "".join(f"  {one}" for one in remark.behind))
    rest = yield _opened(fragment[widest + 1 :], indent, len(indent) + 1, behind, remarks)
    return f"{flat(fragment[:widest])}{group.opener}{''.join(rows)}\n{indent}{group.closer}{rest}"


_SILENT = Remark()


def _widest(fragment: Fragment, remarks: Remarks) -> int | None:
    """Which brackets of a fragment to open: those that have to be, else the widest ones."""
    best, width = None, 0
    for place, part in enumerate(fragment):
        if not isinstance(part, Group) or not part.entries:
            continue
        if _is_remarked((part,), remarks):
            return place
        length = len(flat((part,)))
        if length > width:
            best, width = place, length
    return best


def _holds(fragment: Fragment, remarks: Remarks) -> Walk:
    for part in fragment:
        if isinstance(part, Group):
            if any(tag in remarks for tag in part.tags):
                return True
            for entry in part.entries:
                if (yield _holds(entry, remarks)):
                    return True
    return False


def literal(value: Any) -> Fragment:
    """A JSON value."""
    return (json.dumps(value, ensure_ascii=False),)
