"""All mutants of all originals, or of a sample, measured on several processes; the order is always the same."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator, Mapping
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
    """Which mutants are measured: of each kind at most so many, or `every` one; of named kinds and workflows alone."""

    of_kind: int = 20
    every: bool = False
    kinds: tuple[str, ...] = ()
    originals: tuple[int, ...] = ()
    doubles: bool = True


@dataclass(frozen=True)
class Part:
    """What became of one original: its own findings, and its mutants."""

    original: str
    findings: tuple[str, ...]
    singles: tuple[Measured, ...]
    doubles: tuple[Double, ...]


@dataclass(frozen=True)
class _Work:
    """The mutants of one original that are to be measured, by kind and place in the order of the kind."""

    number: int
    chosen: tuple[tuple[str, int], ...]
    doubles: bool


def survey(sample: Sample, jobs: int) -> Iterator[Part]:
    work = _shared_out(sample)
    if jobs == 1:
        yield from map(_part, work)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap(_part, work)


def _shared_out(sample: Sample) -> list[_Work]:
    """The work on each original. Every kind gets its mutants from as many originals as can be."""
    numbers = sample.originals or range(len(originals()))
    chosen: dict[int, list[tuple[str, int]]] = {number: [] for number in numbers}
    for kind in expectations():
        if sample.kinds and kind not in sample.kinds:
            continue
        counts = {number: len(_mutants(number, kind)) for number in numbers}
        for number, index in _spread(counts, sum(counts.values()) if sample.every else sample.of_kind):
            chosen[number].append((kind, index))
    return [_Work(number, tuple(picked), sample.doubles) for number, picked in chosen.items()]


def _spread(counts: Mapping[int, int], most: int) -> list[tuple[int, int]]:
    """So many numbered mutants: a first of each original, then a second; where there are more, others for each kind."""
    found: list[tuple[int, int]] = []
    for turn in range(max(counts.values(), default=0)):
        # Where in an original a mutant stands depends on the number of the original, so that not all are at its head.
        round = [(number, (turn + number * 7) % count) for number, count in counts.items() if turn < count]
        left = most - len(found)
        found += round if len(round) <= left else [round[place * len(round) // left] for place in range(left)]
    return sorted(found)


@cache
def _known(number: int) -> Known:
    return known(originals()[number])


@cache
def _mutants(number: int, kind: str) -> tuple[Mutant, ...]:
    return tuple(KINDS[kind](originals()[number].document))


def _part(work: _Work) -> Part:
    before = _known(work.number)
    singles = tuple(_measured(kind, _mutants(work.number, kind)[index], before) for kind, index in work.chosen)
    pairs = tuple(doubles(before, work.number)) if work.doubles else ()
    return Part(before.original.name, tuple(sorted(before.findings)), singles, pairs)


def _measured(kind: str, mutant: Mutant, before: Known) -> Measured:
    try:
        return measured(kind, mutant, before, expectations()[kind])
    except Exception:
        sys.stderr.write(f"while measuring {kind} of {before.original.name} at {mutant.at}:\n")
        raise
