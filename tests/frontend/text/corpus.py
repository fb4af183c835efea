"""Every workflow that the tests and examples hold, each once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
FILES = (
    *sorted((ROOT / "tests/conformance").glob("*.wftest.json")),
    *sorted((ROOT / "tests/corpora/real").glob("*.wftest.json")),
    *sorted((ROOT / "examples").rglob("*.wf.json")),
)


@cache
def workflows() -> tuple[tuple[str, Any], ...]:
    """The file and the document of each workflow."""
    seen: dict[str, tuple[str, Any]] = {}
    for file in FILES:
        for value in _inside(json.loads(file.read_text("utf-8"))):
            if isinstance(value, dict):
                seen.setdefault(json.dumps(value), (file.name, value))
    return tuple(seen.values())


def _inside(held: dict[str, Any]) -> Iterator[Any]:
    if "nodes" in held:
        yield held
        return
    for test in held.get("tests", [held]):
        yield test.get("workflow", held.get("workflow"))
