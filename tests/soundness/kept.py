"""Figures of a survey kept in a file, so that a long one can be cut off at any time and taken up again."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

from tests.soundness.survey import Figures, Order, survey

_STRIDE = 500


def surveyed(order: Order, jobs: int, file: Path) -> Figures:
    """The figures of a whole survey; what the file holds is not judged again, and those of another one are refused."""
    asked = replace(order, workflows=0)
    of, total = pickle.loads(file.read_bytes()) if file.exists() else (asked, Figures())
    if of != asked:
        raise SystemExit(f"{file} holds figures of {of}; expected figures of {asked}")
    while total.workflows < order.workflows:
        count = min(_STRIDE, order.workflows - total.workflows)
        total.include(survey(replace(order, first=order.first + total.workflows, workflows=count), jobs))
        file.write_bytes(pickle.dumps((asked, total)))
    return total
