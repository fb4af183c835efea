"""Two faults at once: both have to be reported, and nothing more than them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bench.mutations.expectations import expectations
from bench.mutations.findings import findings
from bench.mutations.kind import KINDS, Mutant
from bench.mutations.measure import Known, name, new_findings

_PAIRS = 12


@dataclass(frozen=True)
class Double:
    """`reported`: how many of the two were found where they are; `findings`: all that was found.

    `beside` is what of it is not where one of the faults is.
    """

    kinds: tuple[str, str]
    original: str
    reported: int
    findings: tuple[str, ...]
    beside: tuple[str, ...] = ()


def doubles(before: Known, number: int) -> Iterator[Double]:
    """So many pairs of kinds, others for every workflow; the second fault stands at another step than the first."""
    kinds = list(expectations())
    for index in range(_PAIRS):
        first = kinds[(number * 7 + index * 13) % len(kinds)]
        second = kinds[(number * 11 + index * 29 + 5) % len(kinds)]
        pair = _pair(before, first, second) if first != second else None
        if pair is not None:
            yield _judged(before, (first, second), *pair)


def _pair(before: Known, first: str, second: str) -> tuple[Mutant, Mutant] | None:
    """A mutant, and a mutant of it with a second fault elsewhere that leaves the first in place."""
    for one in list(KINDS[first](before.original.document))[:1]:
        try:
            further = list(KINDS[second](one.document))
        except (AttributeError, KeyError, TypeError, IndexError, ValueError):
            return None  # the first fault leaves no document into which the second could be put
        for other in reversed(further):
            if not any(_are_near(here, there) for here in one.at for there in other.at):
                return one, other
    return None


def _are_near(here: str, there: str) -> bool:
    """Whether two pointers lie in one step, edge or definition, or one of them in what the other points at."""
    first, second = _around(here), _around(there)
    return first == second or first.startswith(f"{second}/") or second.startswith(f"{first}/")


def _around(at: str) -> str:
    """The step, edge or definition in which a pointer lies."""
    parts = at.split("/")
    depth = 5 if parts[1:2] == ["workflows"] else 3
    return "/".join(parts[:depth])


def _judged(before: Known, kinds: tuple[str, str], one: Mutant, other: Mutant) -> Double:
    found = new_findings(findings(other.document), before)
    pointers = {finding.at.pointer for finding in found}
    reported = sum(bool(pointers & set(mutant.at)) for mutant in (one, other))
    beside = (name(finding) for finding in found if finding.at.pointer not in (*one.at, *other.at))
    return Double(kinds, before.original.name, reported, tuple(map(name, found)), tuple(beside))
