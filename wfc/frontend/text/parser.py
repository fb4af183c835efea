"""One statement of a text at a time, by the tables that lark makes of the grammar; a bad one does not hide the next."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

from wfc.frontend.text import build_clauses, build_steps, build_types, build_values
from wfc.frontend.text.build_steps import Statement
from wfc.frontend.text.grammar import Refused, Tables, tables
from wfc.frontend.text.lexer import END, BadValue, Clash, Lexeme, Lexer, Strange
from wfc.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Broken:
    """A statement that is none: the word at which it breaks, what could stand there, and from where to where it goes.

    `value` tells that a JSON value is broken, `before` is the word in front.
    """

    found: Lexeme
    wanted: tuple[str, ...]
    start: int
    end: int
    before: Lexeme | None = None
    value: bool = False


@dataclass(slots=True)
class Parsed:
    """The statements of a text, and those that are none."""

    statements: list[Statement] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)
    clashes: list[Clash | Strange] = field(default_factory=list)


@cache
def language() -> Tables:
    """The tables with the functions that make something of what was read."""
    made = SimpleNamespace()
    for module in (build_types, build_values, build_clauses, build_steps):
        for name in dir(module):
            rule = getattr(module, name)
            if callable(rule) and getattr(rule, "__module__", "").startswith(__package__ or ""):
                setattr(made, name, rule)
    return tables(made)


def parse(text: str) -> Parsed:
    """All statements of a text."""
    found = Parsed()
    lexer = Lexer(text, language().words, clashes=found.clashes)
    while lexer.begin():
        one = parse_one(lexer)
        if isinstance(one, Broken):
            found.broken.append(one)
        else:
            found.statements.append(one)
    return found


def parse_one(lexer: Lexer) -> Statement | Broken:
    """The statement that begins where the lexer stands."""
    start = lexer.at
    seen: list[Lexeme] = []
    try:
        statement: Statement = _walk(lexer, seen)
        statement.start, statement.end = start, seen[-1].end
        return statement
    except Refused as refused:
        lexer.give_up()
        before = seen[-1] if seen else None
        return Broken(refused.found, refused.wanted, start, max(lexer.at, refused.found.end), before)
    except BadValue as bad:
        found = Lexeme("BAD", lexer.text[bad.at : bad.at + 1], bad.at, bad.at + 1, lexer.clashes)
        lexer.at = bad.at + 1
        lexer.give_up()
        return Broken(found, (), start, lexer.at, seen[-1] if seen else None, value=True)


def _walk(lexer: Lexer, seen: list[Lexeme]) -> Any:
    """What a statement says; its words are added to `seen`. Raises `Refused` and `BadValue`."""
    known = language()
    rows, end = known.rows, known.end
    states, values = [known.start], list[Any]()
    row = rows[known.start]
    while True:
        lexeme = lexer.next(row)
        kind = lexeme.type
        while True:
            action = row.get(kind)
            if action is None:
                raise Refused(lexeme, known.wanted(states))
            if isinstance(action, int):
                states.append(action)
                values.append(lexeme)
                seen.append(lexeme)
                row = rows[action]
                break
            size, make, name = action
            if size:
                made = make(values[-size:])
                del values[-size:], states[-size:]
            else:
                made = make([])
            values.append(made)
            following = known.led_to(states[-1], name)
            states.append(following)
            if following == end and kind == END:
                return made
            row = rows[following]


def words_of(text: str) -> Iterator[Lexeme]:
    """The words of a text as the statements in it read them, for the rule `file`. The text has no faults."""
    lexer = Lexer(text, language().words)
    while lexer.begin():
        seen: list[Lexeme] = []
        _walk(lexer, seen)
        yield from seen
        if lexer.last != "CLOSED":
            yield Lexeme("_NL", "\n", lexer.at, lexer.at, lexer.clashes)
