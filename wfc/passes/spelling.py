"""Which name was probably meant; affordable also where a document has a hundred thousand names.

Among many names only those are weighed that could be a slip of the word: of about its length, with its first or last
letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import count

from wfc.diagnostics import close_match, nearest

_WEIGHED = 300
_WORDS = 100
_LIKELY = 5
_ALIKE = 0.45
_NAME = re.compile(r"(?!__)[A-Za-z_][A-Za-z0-9_./-]{0,127}")


# What an outcome is called elsewhere, and what it may be called here, the likeliest first.
_SPOKEN = {
    word: tuple(names.split())
    for words, names in (
        ("yes", "true approved ok"),
        ("no", "false rejected"),
        ("then if_true on_true is_true", "true"),
        ("else otherwise if_false on_false is_false", "false"),
        ("success succeeded successful completed complete done default next finished", "ok done"),
        ("each body do loop next iterate", "item"),
        ("finished end after exhausted empty", "done"),
        ("approve accept accepted confirm confirmed", "approved"),
        ("reject deny denied decline declined", "rejected"),
    )
    for word in words.split()
}


class Speller:
    """Candidates for misspelt words among `names`.

    After a hundred different words it has none any more: a document with that many has another fault, and weighing
    each of them against every name would take minutes.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted(set(names))
        self._known: dict[str, list[str]] = {}

    def alike(self, word: str) -> list[str]:
        """The names, those most like `word` first."""
        if word not in self._known:
            self._known[word] = nearest(word, _plausible(word, self._names)) if len(self._known) < _WORDS else []
        return self._known[word]

    def meant(self, word: str) -> str | None:
        """The one name that `word` is surely a misspelling of, or none."""
        return _sure(word, self.alike(word))


def alike(word: str, names: Iterable[str]) -> list[str]:
    """The names, those most like `word` first."""
    return Speller(names).alike(word)


def meant(word: str, names: Iterable[str]) -> str | None:
    """The one name that `word` is surely a misspelling of, or none."""
    return Speller(names).meant(word)


def is_at_fault(name: str | None) -> bool:
    """Whether a name is none of the alphabet: what else is said of what it was meant to be follows from that (WF015).

    Those of definitions may hold two more characters (reference 1.1).
    """
    return name is not None and _NAME.fullmatch(name) is None


def outcome_meant(word: str, names: Iterable[str]) -> str | None:
    """The outcome that a word surely stands for: one that is spelt like it, or that others call so."""
    among = list(names)
    return meant(word, among) or next((name for name in _SPOKEN.get(word.lower(), ()) if name in among), None)


def _sure(word: str, likely: list[str]) -> str | None:
    """A close match; of short names, which have none, the only one that is like the word at all."""
    close = close_match(word, likely[:_LIKELY])
    if close is not None or not likely:
        return close
    best, second = _likeness(word, likely[0]), max((_likeness(word, name) for name in likely[1:2]), default=0.0)
    return likely[0] if best >= _ALIKE and best >= 2 * second else None


def _likeness(word: str, name: str) -> float:
    return SequenceMatcher(None, word.lower(), name.lower()).ratio()


def quoted(names: Iterable[str]) -> str:
    """Names for a message: in backticks, with commas."""
    return ", ".join(f"`{name}`" for name in names)


def _plausible(word: str, names: list[str]) -> list[str]:
    """The names to weigh; they are sorted, so that ties do not depend on how a document lists them."""
    if len(names) <= _WEIGHED:
        return names
    near = [name for name in names if abs(len(name) - len(word)) <= 2 and {name[:1], name[-1:]} & {word[:1], word[-1:]}]
    return (near or names)[:_WEIGHED]


def fresh(name: str, taken: Iterable[str]) -> str:
    """The name itself, or with the least number behind it that makes it one nobody has."""
    known = set(taken)
    if name not in known:
        return name
    return next(made for number in count(2) if (made := f"{name}_{number}") not in known)
