"""What a kind of fault is: a function that puts it into a document wherever it can stand, and where it is then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench.mutations.documents import Json


@dataclass(frozen=True)
class Mutant:
    """A document with one fault. `at`: the pointers of which one is where reference 3.1 has the finding point."""

    document: Json
    at: tuple[str, ...]


Make = Callable[[Json], Iterator[Mutant]]
KINDS: dict[str, Make] = {}


def kind(make: Make) -> Make:
    """Enter a kind by the name of its function."""
    KINDS[make.__name__] = make
    return make


def mutant(document: Json, *at: str) -> Mutant:
    return Mutant(document, at)
