"""The same trivial work in other workflow libraries, each measured in a process of its own (one file a library)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Figure

LIBRARIES = ("langgraph", "pydantic_graph", "burr")
_ROOT = Path(__file__).parents[2]


def figures(python: str) -> Iterator[Figure]:
    """The figures of every library that the interpreter has."""
    for library in LIBRARIES:
        command = [python, "-m", f"bench.peers.{library}_steps"]
        done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            yield Figure(f"{library}: not measured ({last[:80]})", float("nan"))
            continue
        for name, value, unit in json.loads(done.stdout.splitlines()[-1]):
            yield Figure(f"{library}: {name}", value, unit=unit)
