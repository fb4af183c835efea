"""The tables that lark makes of `grammar/workflow.lark`, kept beside it, so that no text waits for them to be made.

Guarantees: reading a text imports no lark; a test makes the tables anew and compares.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

from wfc.records import dataclass

# In the repository the grammar stands beside the package; a wheel holds it inside.
_FOLDER = Path(__file__).parents[2]
_PLACES = (_FOLDER / "grammar", _FOLDER.parent / "grammar")
TABLES = "workflow.tables.json"
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


def kept(name: str) -> str:
    """A file that stands beside the grammar, or the grammar."""
    place = next(folder for folder in _PLACES if (folder / name).is_file())
    return (place / name).read_text(encoding="utf-8")


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
    held = json.loads(kept(TABLES))
    made = [_reduction(rules, *rule) for rule in held["rules"]]
    rows = [{kind: to if to >= 0 else made[-1 - to] for kind, to in row.items()} for row in held["rows"]]
    return Tables(rows, held["start"], held["end"], Words(held["keywords"], held["signs"]))


def _reduction(
    rules: Any, size: int, origin: str, name: str | None, single: bool, spread: list[int], absent: list[int]
) -> Reduce:
    """What is made of so many values: absent ones are None, those of repetitions are spread out."""
    make = _listed if name is None else getattr(rules, name, _listed)
    if single:
        make = _single(make)
    if spread or any(absent):
        make = _filled(make, frozenset(spread), absent)
    return size, make, origin


def _listed(children: list[Any]) -> Any:
    return children


def _single(make: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
    def made(children: list[Any]) -> Any:
        return children[0] if len(children) == 1 else make(children)

    return made


def _filled(make: Callable[[list[Any]], Any], spread: frozenset[int], absent: list[int]) -> Callable[[list[Any]], Any]:
    def made(children: list[Any]) -> Any:
        filled: list[Any] = []
        for place, child in enumerate(children):
            filled += [None] * absent[place]
            if place in spread:
                filled += child
            else:
                filled.append(child)
        filled += [None] * absent[-1]
        return make(filled)

    return made


# -- how they are made ------------------------------------------------------------------------------------------------


def made_tables() -> str:
    """The content of the file of tables, by lark."""
    from lark import Lark

    made = Lark(kept("workflow.lark"), parser="lalr", lexer="basic", start="line", keep_all_tokens=True)
    keywords: dict[str, str] = {}
    signs: dict[str, str] = {}
    for terminal in made.terminals:
        if terminal.name not in _LEXICAL:
            for word in _words(terminal.pattern):
                (keywords if word[0].isalpha() else signs)[word] = terminal.name
    walk = made.parse_interactive(start="line").parser_state.parse_conf
    numbers = _numbered(walk.states, walk.start_state)
    rules: dict[str, int] = {}
    rows = []
    for row in map(walk.states.__getitem__, numbers):
        actions = ((str(kind), argument) for kind, (_, argument) in row.items())
        rows.append(
            {
                kind: numbers[argument] if argument in numbers else -1 - rules.setdefault(_rule(argument), len(rules))
                for kind, argument in sorted(actions, key=lambda one: one[0])
            }
        )
    lines = [
        f'"start": {numbers[walk.start_state]}',
        f'"end": {numbers[walk.end_state]}',
        f'"keywords": {json.dumps(keywords, sort_keys=True)}',
        f'"signs": {json.dumps(signs, sort_keys=True)}',
        '"rules": [\n' + ",\n".join(rules) + "\n]",
        '"rows": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]",
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _numbered(states: Any, start: Any) -> dict[Any, int]:
    """The states in the order in which they are met from the first one, whatever order lark made them in."""
    numbers = {start: 0}
    waiting = [start]
    for state in waiting:
        for _, (_, argument) in sorted(states[state].items(), key=lambda one: str(one[0])):
            if argument in states and argument not in numbers:
                numbers[argument] = len(numbers)
                waiting.append(argument)
    return numbers


def _rule(rule: Any) -> str:
    """A rule as `_reduction` takes it."""
    origin = str(rule.origin.name)
    helper = origin.startswith("_")
    single = bool(rule.options.expand1) and not rule.alias
    spread = [place for place, part in enumerate(rule.expansion) if not part.is_term and str(part.name).startswith("_")]
    absent, count = [], 0
    for is_absent in rule.options.empty_indices or [False] * len(rule.expansion):
        if is_absent:
            count += 1
        else:
            absent.append(count)
            count = 0
    absent.append(count)
    name = None if helper else str(rule.alias or origin)
    return json.dumps([len(rule.expansion), origin, name, single, spread, absent])


def _words(pattern: Any) -> list[str]:
    """What a terminal that is no pattern of characters matches: a word, or one of several."""
    if type(pattern).__name__ == "PatternStr":
        return [pattern.value]
    return str(pattern.value).replace("\\", "").removeprefix("(?:").removesuffix(")").split("|")
