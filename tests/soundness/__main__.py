"""`python -m tests.soundness --workflows 200000 --seed 1 --jobs 2`: the long survey; counterexamples are made small."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from tests.soundness import story, witnesses
from tests.soundness.judge import document
from tests.soundness.kept import surveyed
from tests.soundness.precision import precision, told
from tests.soundness.survey import Figures, Order, summary, survey


def main() -> None:
    asked = _arguments()
    if asked.precision:
        sys.stdout.write(told(precision(asked.seed, asked.precision, asked.jobs)))
        return
    order = Order(asked.seed, asked.first, asked.workflows, asked.runs, asked.depth)
    if asked.figures:
        figures = surveyed(order, asked.jobs, Path(asked.figures))
    else:
        figures = survey(order, asked.jobs, progress=sys.stderr.isatty() or asked.progress)
    sys.stdout.write("\n" + summary(figures))
    if asked.witnesses:
        sys.stdout.write(f"\nnew witnesses: {', '.join(witnesses.keep(figures, order)) or 'none'}\n")
    _show(figures, order, asked.show, set(asked.only))
    sys.exit(1 if figures.failures or figures.crashes else 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soundness", description=__doc__)
    parser.add_argument("--workflows", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first workflow")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=12, help="runs of each clean workflow")
    parser.add_argument("--depth", type=int, default=2, help="how deep regions nest")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="how many counterexamples of a run error are made small")
    parser.add_argument("--only", nargs="*", default=[], help="show only failures with these run errors")
    parser.add_argument("--precision", type=int, default=0, help="judge the errors of so many faulty workflows instead")
    parser.add_argument("--witnesses", action="store_true", help="write down what shows that a pass is not idle")
    parser.add_argument("--figures", help="a file that keeps the figures, and from which a survey is taken up again")
    parser.add_argument("--progress", action="store_true")
    return parser.parse_args()


def _show(figures: Figures, order: Order, most: int, only: set[str]) -> None:
    shown: Counter[str] = Counter()
    for number, failure in figures.failures:
        if shown[failure.code] < most and (not only or failure.code in only):
            shown[failure.code] += 1
            small = story.smallest(document(order.seed, number, order.depth), failure.code)
            test = story.as_test(small, f"workflow {number} of seed {order.seed}: {failure.code}")
            sys.stdout.write(f"\nclean, but run {failure.run} of workflow {number} fails:\n{story.told(test)}\n")
    for number, crash in figures.crashes[:most]:
        small = story.crashing(document(order.seed, number, order.depth), crash)
        sys.stdout.write(f"\nworkflow {number} makes the compiler fail:\n{crash}\n{story.told(small)}\n")


if __name__ == "__main__":
    main()
