"""Figures from measured mutants: a line for each kind, and shares over all kinds, each of which weighs the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bench.mutations.expectations import expectations
from bench.mutations.measure import Measured


@dataclass(frozen=True)
class Line:
    """One kind: how many mutants count and are left out, and the shares of those that count (0 to 1)."""

    kind: str
    mutants: int
    left_out: int
    detected: float
    exact: float
    right: float
    offered: float
    verified: float
    healed_safe: float
    healed: float
    worse: int


SHARES = ("detected", "exact", "right", "offered", "verified", "healed_safe", "healed")
GOALS = {"detected": 0.99, "exact": 0.97, "healed_safe": 0.70, "healed": 0.85}
_TITLES = (
    "detected",
    "exact pointer",
    "right code first",
    "fix offered",
    "fix verified",
    "healed safe",
    "healed unsafe",
)


def lines(measured: Sequence[Measured]) -> list[Line]:
    return [_line(kind, [one for one in measured if one.kind == kind]) for kind in expectations()]


def _line(kind: str, ones: list[Measured]) -> Line:
    counted = [one for one in ones if not one.same]

    def share(true: Callable[[Measured], bool]) -> float:
        return sum(map(true, counted)) / max(1, len(counted))

    return Line(
        kind,
        len(counted),
        len(ones) - len(counted),
        share(lambda one: one.detected),
        share(lambda one: one.exact),
        share(lambda one: one.right),
        share(lambda one: one.offered),
        share(lambda one: one.verified),
        share(lambda one: one.healed_safe),
        share(lambda one: one.healed),
        sum(bool(one.worse) for one in counted),
    )


def overall(found: Sequence[Line]) -> dict[str, float]:
    """The mean over the kinds that have mutants, each kind counting once."""
    counted = [line for line in found if line.mutants]
    return {share: sum(getattr(line, share) for line in counted) / max(1, len(counted)) for share in SHARES}


def markdown(found: Sequence[Line]) -> str:
    head = "| kind | mutants | left out | " + " | ".join(_TITLES) + " | worse |"
    rows = [head, "| --- |" + " ---: |" * (len(SHARES) + 3)]
    rows += [_row(line) for line in found]
    whole = overall(found)
    mutants, left_out = sum(line.mutants for line in found), sum(line.left_out for line in found)
    cells = " | ".join(f"**{whole[share]:.1%}**" for share in SHARES)
    rows.append(
        f"| **all {len(found)} kinds** | {mutants} | {left_out} | {cells} | {sum(line.worse for line in found)} |"
    )
    goals = " | ".join(f"≥ {GOALS[share]:.0%}" if share in GOALS else "" for share in SHARES)
    rows.append(f"| goal | | | {goals} | 0 |")
    return "\n".join(rows) + "\n"


def _row(line: Line) -> str:
    cells = " | ".join(f"{getattr(line, share):.0%}" for share in SHARES)
    return f"| {line.kind} | {line.mutants} | {line.left_out} | {cells} | {line.worse or ''} |"


def as_json(found: Sequence[Line]) -> dict[str, Any]:
    return {"kinds": [asdict(line) for line in found], "overall": overall(found), "goals": GOALS}
