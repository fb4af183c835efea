"""What a broken statement was meant to be, where it says something as another language does.

Guarantees: a rewording is only given where the statement can be read with it, or read further than before.
"""

from __future__ import annotations

from wfc.frontend.text.foreign_types import ELSEWHERE
from wfc.frontend.text.habits import Reworded, habits_at
from wfc.frontend.text.lexer import Lexer, Strange
from wfc.frontend.text.parser import Broken, language, parse_one
from wfc.source import Edit, edited

_MOST_HABITS = 8


def meant_by(broken: Broken, text: str) -> Reworded | None:
    """What is meant where something is said as in another language; several habits of one statement in one repair."""
    if broken.value:
        return None
    piece, at = text[broken.start : broken.end], broken.found.start - broken.start
    met: list[Reworded] = []
    while len(met) < _MOST_HABITS:
        one, broken_at = _next_habit(piece, at)
        if one is None or one.edit is None:
            return _told([*met, one] if one is not None else met, broken, text, piece)
        met.append(one)
        piece = edited(piece, [one.edit])
        if broken_at is None:
            return _told(met, broken, text, piece)
        at = broken_at
    return _told(met, broken, text, piece)


def _next_habit(piece: str, at: int) -> tuple[Reworded | None, int | None]:
    """The first habit whose rewording can be read, or else read further, with where it breaks then."""
    further: tuple[Reworded | None, int | None] = (None, None)
    for one in habits_at(piece, at):
        if one.edit is None:
            return (one, None) if further[0] is None else further
        broken_at = breaks_at(edited(piece, [one.edit]))
        if broken_at is None:
            return one, None
        if further[0] is None and broken_at > one.edit.start + len(one.edit.text):
            further = one, broken_at
    return further


def _told(met: list[Reworded], broken: Broken, text: str, piece: str) -> Reworded | None:
    """What was met as one repair, from the first word to the last that is another one."""
    changed = [one for one in met if one.edit is not None]
    if not changed:
        return met[0] if met else None
    start, end, piece = broken.start, broken.end, _in_own_words(piece)
    while piece and start < end and text[start] == piece[0]:
        start, piece = start + 1, piece[1:]
    while piece and start < end and text[end - 1] == piece[-1]:
        end, piece = end - 1, piece[:-1]
    titles = [one.title for one in changed]
    title = ", ".join([titles[0], *(f"{one[0].lower()}{one[1:]}" for one in titles[1:])])
    return Reworded(met[0].hint, title, Edit(start, end, piece), all(one.sure for one in changed))


def _in_own_words(piece: str) -> str:
    """A statement with its types called as they are here."""
    lexer = Lexer(piece, language().words)
    while lexer.begin():
        parse_one(lexer)
    strange = [one for one in lexer.clashes if isinstance(one, Strange) and one.word.lower() in ELSEWHERE]
    return edited(piece, [Edit(*one.at, ELSEWHERE[one.word.lower()]) for one in strange])


def breaks_at(piece: str) -> int | None:
    """Where statements break; none where all can be read."""
    lexer = Lexer(piece, language().words)
    while lexer.begin():
        again = parse_one(lexer)
        if isinstance(again, Broken):
            return again.found.start
    return None
