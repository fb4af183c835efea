"""Everything that the table of figures in the README is made from, in one run.

    python -m bench [--only machine|stores|processes|compiler|peers] [--peers PYTHON]

The unit B is the CPU time of one bare step (see `bench.measure`). Peers are measured by an interpreter that has them:
`pip install -r bench/peers/requirements.txt` in an environment of its own; those that it does not have are left out.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version

from bench.measure import Figure

PARTS = ("machine", "stores", "processes", "compiler", "peers")


def _figures(part: str, peers: str) -> Iterator[Figure]:
    figures: Callable[..., Iterator[Figure]] = import_module(f"bench.{part}").figures
    return figures(peers) if part == "peers" else figures()


def _row(figure: Figure) -> str:
    value = f"{figure.value:.3g}" if figure.value < 1000 else f"{figure.value:,.0f}"
    goal = "" if figure.goal is None else f"≤ {figure.goal:g} {figure.unit}"
    verdict = {None: "", True: "reached", False: "missed"}[figure.is_reached]
    return f"| {figure.name} | {value} {figure.unit} | {goal} | {verdict} |"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", choices=PARTS, action="append", help="these parts alone")
    options.add_argument("--peers", default=sys.executable, metavar="PYTHON", help="the interpreter that has the peers")
    asked = options.parse_args()
    engine = f"jsonschema-rs {version('jsonschema-rs')}"
    sys.stdout.write(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {engine}\n\n")
    sys.stdout.write("| work | measured | goal | |\n| --- | --- | --- | --- |\n")
    for part in asked.only or PARTS:
        for figure in _figures(part, asked.peers):
            sys.stdout.write(_row(figure) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
