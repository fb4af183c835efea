"""What the grammar's rules for clauses make, and how they are added to the definition or step that they stand behind.

Each function that has the name of a rule takes what that rule holds, marks and keywords included.
"""

from __future__ import annotations

from typing import Any, Protocol

from wfc.frontend.text.build_types import json_value, put, put_all
from wfc.frontend.text.build_values import Target, array_of, in_state
from wfc.frontend.text.lexer import Lexeme
from wfc.frontend.text.parts import Part, Stretch, an_array, an_object
from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class Way:
    """An edge beside its step: the outcome, where it leads, further keys as JSON, and all of where it stands."""

    outcome: Part
    target: Target
    start: int
    end: int
    more: Lexeme | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A key that a clause says; `at` is where its keyword stands."""

    key: str
    part: Part
    at: Stretch


def at_(lexeme: Lexeme) -> Stretch:
    return lexeme.start, lexeme.end


class Clauses(Protocol):
    """What clauses are added to."""

    @property
    def part(self) -> Part | None: ...

    @property
    def word(self) -> Lexeme | None: ...

    @property
    def ways(self) -> list[Way]: ...

    outcomes: list[tuple[Part, Part | None]] | None


def add(found: Clauses, clauses: list[Any]) -> None:
    """What clauses say, added to the thing that they stand behind."""
    assert found.part is not None and found.word is not None
    owner, clashes = found.part, found.word.clashes
    for clause_ in clauses:
        if isinstance(clause_, Way):
            found.ways.append(clause_)
        elif isinstance(clause_, _Outcomes):
            if found.outcomes is not None:
                put(
                    owner,
                    "outcomes",
                    array_of([one for one, _ in clause_.listed]) if clause_.listed else owner,
                    clause_.at,
                    clashes,
                )
            else:
                found.outcomes = clause_.listed
                if clause_.listed:
                    put(owner, "outcomes", array_of([one for one, _ in clause_.listed]), clause_.at, clashes)
        elif isinstance(clause_, _Extra):
            whole = put_all(owner, clause_.more, clause_.more)
            if whole is not None:
                put(owner, "with", whole, at_(clause_.more), clashes)
        elif clause_.key == "catch" and "catch" in owner.inside:
            caught = owner.inside["catch"]
            owner.put("catch", an_array([*caught.inside, *clause_.part.inside], caught.start, clause_.part.end))
        else:
            put(owner, clause_.key, clause_.part, clause_.at, clashes)


@dataclass(frozen=True, slots=True)
class _Outcomes:
    listed: list[tuple[Part, Part | None]]
    at: Stretch


@dataclass(frozen=True, slots=True)
class _Extra:
    more: Lexeme


def outcome(children: list[Any]) -> tuple[Part, Part | None]:
    return children[0], children[2]


def outcomes(children: list[Any]) -> list[tuple[Part, Part | None]]:
    return children[::2]


def outcomes_clause(children: list[Any]) -> _Outcomes:
    return _Outcomes(children[1], at_(children[0]))


def outcomes_left_out(children: list[Any]) -> _Outcomes:
    return _Outcomes([], at_(children[0]))


def extra_clause(children: list[Any]) -> _Extra:
    return _Extra(children[1])


def _word_clause(key: str) -> Any:
    """A clause of a keyword and a value."""

    def clause_(children: list[Any]) -> Said:
        found = children[1]
        part = found if isinstance(found, Part) else _plain(found)
        return Said(key, part, at_(children[0]))

    return clause_


def _plain(lexeme: Lexeme) -> Part:
    return Part(lexeme.text if lexeme.type == "NAME" else lexeme.value, lexeme.start, lexeme.end)


uses = _word_clause("uses")
effects = _word_clause("effects")
timeout = _word_clause("timeout_seconds")
max = _word_clause("max_concurrency")
errors = _word_clause("on_item_error")
request = _word_clause("request_schema")


def retry(children: list[Any]) -> Said:
    word, attempts, *parts = children
    if not parts:
        return Said("retry", json_value(attempts), at_(word))
    made = an_object(word.start, parts[-1].part.end)
    put(made, "max_attempts", json_value(attempts), at_(attempts), word.clashes)
    for part in parts:
        put(made, part.key, part.part, part.at, word.clashes)
    return Said("retry", made, at_(word))


delay = _word_clause("delay_seconds")
backoff = _word_clause("backoff")
limit = _word_clause("max_delay_seconds")


def retry_on(children: list[Any]) -> Said:
    return Said("on", array_of(children[1]), at_(children[0]))


def mode(children: list[Any]) -> Said:
    return Said("mode", Part(children[0].text, *at_(children[0])), at_(children[0]))


def locals(children: list[Any]) -> Said:
    return Said("locals", array_of([in_state(one) for one in children[1::2]]), at_(children[0]))


def catch(children: list[Any]) -> Said:
    word, codes, _, name = children
    made = an_object(word.start, name.end)
    made.put("codes", array_of(codes))
    made.put("outcome", name)
    return Said("catch", an_array([made], word.start, name.end), at_(word))
