"""All mutants of all originals, or of a sample, measured on several processes; the order is always the same."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from bench.mutations import arguments, names, paths, regions, shapes, state
from bench.mutations.corpus import originals
from bench.mutations.doubles import Double, doubles
from bench.mutations.expectations import expectations
from bench.mutations.kind import KINDS, Make, Mutant
from bench.mutations.measure import Known, Measured, known, measured

MODULES = (names, paths, arguments, state, regions, shapes)


def kinds() -> dict[str, Make]:
    """Every kind of fault, by name: importing the modules above has entered them."""
    return dict(KINDS)


@dataclass(frozen=True)
class Sample:
    """How many mutants of a kind come from one workflow, at most, and of which kinds (all, where none is named)."""

    of_each: int = 2
    kinds: tuple[str, ...] = ()
    doubles: bool = True


@dataclass(frozen=True)
class Part:
    """What became of one original: its own findings, and its mutants."""

    original: str
    findings: tuple[str, ...]
    singles: tuple[Measured, ...]
    doubles: tuple[Double, ...]


def survey(sample: Sample, jobs: int, numbers: Sequence[int] | None = None) -> Iterator[Part]:
    wanted = range(len(originals())) if numbers is None else numbers
    work = [(number, sample) for number in wanted]
    if jobs == 1:
        yield from map(_part, work)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap(_part, work)


@cache
def _known(number: int) -> Known:
    return known(originals()[number])


def _part(work: tuple[int, Sample]) -> Part:
    number, sample = work
    before = _known(number)
    chosen = [
        (kind, mutant)
        for kind in expectations()
        if not sample.kinds or kind in sample.kinds
        for mutant in spread(list(KINDS[kind](before.original.document)), sample.of_each)
    ]
    singles = tuple(_measured(kind, mutant, before) for kind, mutant in chosen)
    pairs = tuple(doubles(before, number)) if sample.doubles else ()
    return Part(before.original.name, tuple(sorted(before.findings)), singles, pairs)


def _measured(kind: str, mutant: Mutant, before: Known) -> Measured:
    try:
        return measured(kind, mutant, before, expectations()[kind])
    except Exception:
        sys.stderr.write(f"while measuring {kind} of {before.original.name} at {mutant.at}:\n")
        raise


def spread(found: list[Mutant], most: int) -> list[Mutant]:
    """At most so many of them, from all over the list."""
    if len(found) <= most:
        return found
    return [found[index * len(found) // most] for index in range(most)]
