"""For each code that only strict mode makes an error, a small workflow that would be clean without it, and fails.

They show that no such pass is idle: with it switched off, the promise of reference 2.12 would not hold. Each was found
by a survey and made small; `python -m tests.soundness --witnesses` finds those that are missing.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.soundness.judge import document, judge
from tests.soundness.shapes import Json
from tests.soundness.story import as_test, smallest, told
from tests.soundness.survey import Figures, Order

FOLDER = Path(__file__).with_name("witnesses")
_RUNS = 60


def stands(code: str) -> bool:
    return _file(code).exists()


def holds(code: str) -> bool:
    """Whether the workflow still has errors of that code alone, and a run of it still fails."""
    made = json.loads(_file(code).read_text("utf-8"))["workflow"]
    whole = made if "workflows" in made else {"main": made["name"], "workflows": [made]}
    verdict = judge(whole, _RUNS)
    return verdict.codes == (code,) and verdict.failure is not None


def keep(figures: Figures, order: Order) -> list[str]:
    """Write down a witness for each code that has none and for which the survey found one."""
    kept = []
    for code, (number, failure) in sorted(figures.witnesses.items()):
        if stands(code) and holds(code):
            continue
        small = smallest(document(order.seed, number, order.depth), failure.code, (code,))
        _write(code, as_test(small, f"without {code}: {failure.code}"))
        kept.append(code)
    return kept


def _write(code: str, test: Json | None) -> None:
    FOLDER.mkdir(exist_ok=True)
    _file(code).write_text(told(test) + "\n", "utf-8")


def _file(code: str) -> Path:
    return FOLDER / f"{code}.json"
