"""The door to lark: the tables that it makes of `grammar/workflow.lark`, loaded when the first text is read."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wfc.records import dataclass

if TYPE_CHECKING:
    from lark import Lark

# In the repository the grammar stands beside the package; a wheel holds it inside.
_FOLDER = Path(__file__).parents[2]
_PLACES = (_FOLDER / "grammar", _FOLDER.parent / "grammar")
_LEXICAL = frozenset({"NAME", "PATH", "NAMED", "STRING", "NUMBER", "DURATION", "RANGE"})


@dataclass(frozen=True, slots=True)
class Words:
    """The keywords and marks of the grammar, by what is written, with the kinds that the grammar calls them."""

    keywords: dict[str, str]
    signs: dict[str, str]

    def kind(self, word: str, wanted: Container[str]) -> str:
        """The kind of a word where these kinds can stand."""
        known = self.keywords.get(word)
        if known is not None and (known in wanted or "NAME" not in wanted):
            return known
        return "PATH" if "." in word and "-" not in word else "NAME" if "." not in word else "BAD"


@cache
def grammar_text() -> str:
    """The grammar."""
    place = next(folder for folder in _PLACES if (folder / "workflow.lark").is_file())
    return (place / "workflow.lark").read_text(encoding="utf-8")


class Refused(Exception):
    """A word that cannot stand where it stands, and the kinds that can."""

    def __init__(self, found: Any, wanted: tuple[str, ...]) -> None:
        super().__init__()
        self.found = found
        self.wanted = wanted


# What to do at a word: go to a state, or make something of so many values and go on from what stands in front of them.
Shift = int
Reduce = tuple[int, Callable[[list[Any]], Any], str]
Row = dict[str, "Shift | Reduce"]


@dataclass(frozen=True, slots=True)
class Tables:
    """The grammar as lark has made it: for each state what to do at a kind of word; and the words."""

    rows: list[Row]
    start: int
    end: int
    words: Words

    def wanted(self, states: list[int]) -> tuple[str, ...]:
        """The kinds of word that can stand behind what has led to these states."""
        return tuple(sorted(kind for kind in self.rows[states[-1]] if kind.isupper() and self._takes(states, kind)))

    def led_to(self, state: int, name: str) -> int:
        """The state behind a thing of the grammar."""
        following = self.rows[state][name]
        assert isinstance(following, int)
        return following

    def _takes(self, states: list[int], kind: str) -> bool:
        states = list(states)
        while True:
            action = self.rows[states[-1]].get(kind)
            if action is None or isinstance(action, int):
                return action is not None
            size, _, name = action
            del states[len(states) - size :]
            following = self.led_to(states[-1], name)
            states.append(following)
            if kind == "$END" and following == self.end:
                return True


def tables(rules: Any) -> Tables:
    """The tables of the grammar; `rules` has a function for every rule that makes something."""
    made = _lark(rules)
    keywords: dict[str, str] = {}
    signs: dict[str, str] = {}
    for terminal in made.terminals:
        if terminal.name not in _LEXICAL:
            for word in _words(terminal.pattern):
                (keywords if word[0].isalpha() else signs)[word] = terminal.name
    walk = made.parse_interactive(start="line").parser_state.parse_conf
    numbers = {state: number for number, state in enumerate(walk.states)}
    rows = [
        {str(kind): _action(action, numbers, walk.callbacks) for kind, action in row.items()}
        for row in walk.states.values()
    ]
    return Tables(rows, numbers[walk.start_state], numbers[walk.end_state], Words(keywords, signs))


def _action(action: Any, numbers: dict[Any, int], callbacks: Any) -> Shift | Reduce:
    _, argument = action
    if argument in numbers:
        return numbers[argument]
    return len(argument.expansion), callbacks[argument], str(argument.origin.name)


def _lark(rules: Any) -> Lark:
    from lark import Lark

    return Lark(grammar_text(), parser="lalr", lexer="basic", start="line", transformer=rules, keep_all_tokens=True)


def _words(pattern: Any) -> list[str]:
    """What a terminal that is no pattern of characters matches: a word, or one of several."""
    if type(pattern).__name__ == "PatternStr":
        return [pattern.value]
    return str(pattern.value).replace("\\", "").removeprefix("(?:").removesuffix(")").split("|")
