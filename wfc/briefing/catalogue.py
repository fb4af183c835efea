"""The capabilities that may be used, fitted to a budget of tokens: the most relevant first, the rest on request.

Guarantees: the same capabilities and request give the same text; the text keeps the budget, as `tokens` counts.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from wfc.briefing.listing import source_of
from wfc.briefing.tokens import tokens
from wfc.ir import Contract
from wfc.records import dataclass
from wfc.tools import signature

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_MOST_OF_A_DESCRIPTION = 90
# How much more a word of the name says than one of the description.
_NAME_WEIGHT = 4


@dataclass(frozen=True, slots=True)
class Catalogue:
    """`lines` in name order; `left_out` says by source how many capabilities did not fit."""

    lines: tuple[str, ...]
    left_out: tuple[tuple[str, int], ...] = ()

    @property
    def text(self) -> str:
        if not self.left_out:
            return "\n".join(self.lines)
        rest = ", ".join(f"{count} of {source}" for source, count in self.left_out)
        return "\n".join([*self.lines, f"# not shown: {rest}"])


def fitted(capabilities: Sequence[Contract], request: str, budget: int) -> Catalogue:
    """The catalogue for a request within `budget` tokens."""
    told = {one.name: line(one) for one in capabilities}
    costs = {name: tokens(text) + 1 for name, text in told.items()}
    if sum(costs.values()) <= budget:
        return Catalogue(tuple(told[name] for name in sorted(told)))
    # What is not shown has to be said, too.
    left = budget - tokens("# not shown:") - 8 * len({source_of(one) for one in capabilities})
    kept: set[str] = set()
    for one in ranked(capabilities, request):
        if costs[one.name] <= left:
            kept.add(one.name)
            left -= costs[one.name]
    missing = Counter(source_of(one) for one in capabilities if one.name not in kept)
    return Catalogue(tuple(told[name] for name in sorted(kept)), tuple(sorted(missing.items())))


def line(capability: Contract) -> str:
    """A signature, and the beginning of what its source says about it."""
    said = " ".join((capability.description or "").split())
    first = said.split(". ")[0].removesuffix(".")
    if len(first) > _MOST_OF_A_DESCRIPTION:
        first = first[:_MOST_OF_A_DESCRIPTION].rsplit(" ", 1)[0] + "…"
    return f"{signature(capability)}  # {first}" if first else signature(capability)


def search(capabilities: Sequence[Contract], query: str, most: int) -> list[Contract]:
    """The capabilities that share words with a query, the most fitting first."""
    scores = _scores(capabilities, query)
    found = [one for one in ranked(capabilities, query) if scores[one.name] > 0]
    return found[:most]


def ranked(capabilities: Sequence[Contract], query: str) -> list[Contract]:
    """All of them, those that fit a query best first; ties in name order."""
    scores = _scores(capabilities, query)
    return sorted(capabilities, key=lambda one: (-scores[one.name], one.name))


def _scores(capabilities: Sequence[Contract], query: str) -> dict[str, float]:
    """How well each fits: rare words of the query count more, words of a name more than words about it."""
    bags = {one.name: _bag(one) for one in capabilities}
    asked = set(_words(query))
    seen = Counter(word for bag in bags.values() for word in bag.keys() & asked)
    rarity = {word: math.log(1 + len(bags) / count) for word, count in seen.items()}
    return {
        name: sum(rarity[word] * bag[word] / (bag[word] + 1.5) for word in bag.keys() & asked)
        for name, bag in bags.items()
    }


def _bag(capability: Contract) -> Counter[str]:
    bag = Counter(_words(capability.description or ""))
    for word in _words(capability.name):
        bag[word] += _NAME_WEIGHT
    properties = capability.input.get("properties") if isinstance(capability.input, dict) else None
    bag.update(_words(" ".join(properties or ())))
    return bag


def _words(text: str) -> Iterable[str]:
    """Words in lower case without the endings that a plural or a tense gives them."""
    for found in _WORD.findall(text):
        word = found.lower()
        for ending in ("ing", "es", "ed", "s"):
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                word = word.removesuffix(ending)
                break
        yield word.removesuffix("e") if len(word) > 3 else word
