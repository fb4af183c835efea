"""Many workflows judged, on several processes, and what became of them in one table of figures.

The figures are a pure function of the arguments: numbers of workflows come in order, whichever process was faster.
"""

from __future__ import annotations

import gc
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.soundness.judge import STRICT_CODES, Failure, Verdict, document, features, judge

_CHUNK = 100

Judged = tuple[int, Verdict, tuple[str, ...]]


@dataclass
class Figures:
    """`failures`: of clean workflows, with their numbers.

    `tried` and `witnesses`: by code, the workflows that had errors of it alone and were run, and the first that failed.
    """

    workflows: int = 0
    clean: int = 0
    runs: int = 0
    completed: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)
    failing: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, Failure]] = field(default_factory=list)
    crashes: list[tuple[int, str]] = field(default_factory=list)
    tried: Counter[str] = field(default_factory=Counter)
    witnesses: dict[str, tuple[int, Failure]] = field(default_factory=dict)

    def add(self, number: int, verdict: Verdict, used: tuple[str, ...]) -> None:
        self.workflows += 1
        self.codes.update(verdict.codes)
        self.runs += verdict.runs
        self.completed += verdict.completed
        if verdict.crash is not None:
            self.crashes.append((number, verdict.crash))
        if verdict.clean:
            self.clean += 1
            self.features.update(used)
            if verdict.failure is not None:
                self.failing[verdict.failure.code] += 1
                self.failures.append((number, verdict.failure))
        elif verdict.only is not None and verdict.runs:
            self.tried[verdict.only] += 1
            if verdict.failure is not None:
                self.witnesses.setdefault(verdict.only, (number, verdict.failure))

    def include(self, later: Figures) -> None:
        """Add the figures of workflows with higher numbers."""
        for name in ("workflows", "clean", "runs", "completed"):
            setattr(self, name, getattr(self, name) + getattr(later, name))
        for name in ("codes", "features", "failing", "tried"):
            getattr(self, name).update(getattr(later, name))
        self.failures += later.failures
        self.crashes += later.crashes
        self.witnesses = {**later.witnesses, **self.witnesses}


@dataclass(frozen=True)
class Order:
    """What to survey: numbers `first` up to `first + workflows` of a seed, each run so many times."""

    seed: int
    first: int
    workflows: int
    runs: int
    depth: int = 2


def survey(order: Order, jobs: int = 1, *, progress: bool = False) -> Figures:
    figures = Figures()
    began = time.monotonic()
    for chunk in _chunks(order, jobs):
        for judged in chunk:
            figures.add(*judged)
        if progress:
            _tell(figures, order, time.monotonic() - began)
    return figures


def _chunks(order: Order, jobs: int) -> Iterator[list[Judged]]:
    end = order.first + order.workflows
    parts = [
        Order(order.seed, first, min(_CHUNK, end - first), order.runs, order.depth)
        for first in range(order.first, end, _CHUNK)
    ]
    if jobs == 1:
        yield from map(_judged, parts)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap(_judged, parts)


def _judged(part: Order) -> list[Judged]:
    judged = []
    for number in range(part.first, part.first + part.workflows):
        made = document(part.seed, number, part.depth)
        verdict = judge(made, part.runs)
        judged.append((number, verdict, features(made) if verdict.clean else ()))
    # What is cached of types is many objects, through which the collector need not look again and again.
    gc.collect()
    gc.freeze()
    return judged


def _tell(figures: Figures, order: Order, seconds: float) -> None:
    told = f"{figures.workflows}/{order.workflows} workflows, {figures.clean} clean, {len(figures.failures)} failing"
    told += f", {len(figures.crashes)} crashes, {figures.workflows / max(seconds, 0.001):.0f} a second"
    sys.stderr.write(f"\r{told}")
    sys.stderr.flush()


# -- as text ----------------------------------------------------------------------------------------------------------


def summary(figures: Figures) -> str:
    """The figures as markdown."""
    share = figures.clean / max(1, figures.workflows)
    lines = [
        f"- workflows: {figures.workflows}, clean under strict: {figures.clean} ({share:.1%})",
        f"- runs: {figures.runs}, completed: {figures.completed}",
        f"- clean workflows with a structural failure: {len(figures.failures)} {dict(figures.failing.most_common())}",
        f"- crashes: {len(figures.crashes)}",
    ]
    lines += ["", "| in clean workflows | count |", "| --- | ---: |"]
    lines += [f"| {name} | {count} |" for name, count in sorted(figures.features.items())]
    lines += ["", "| strict error | workflows |", "| --- | ---: |"]
    lines += [f"| {code} | {count} |" for code, count in sorted(figures.codes.items())]
    lines += ["", "| pass switched off | workflows tried | first failing run |", "| --- | ---: | --- |"]
    lines += [_switched(figures, code) for code in STRICT_CODES]
    return "\n".join(lines) + "\n"


def _switched(figures: Figures, code: str) -> str:
    if code not in figures.witnesses:
        return f"| {code} | {figures.tried[code]} | none |"
    number, failure = figures.witnesses[code]
    told = f"workflow {number}, run {failure.run}: {failure.code} at {failure.step}"
    return f"| {code} | {figures.tried[code]} | {told} |"
