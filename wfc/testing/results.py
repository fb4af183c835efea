"""The results of workflow tests, as text with expected and actual side by side and as `wfc.tests/1` (reference 4.5)."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from wfc.records import asdict, dataclass
from wfc.testing.compare import Difference

FORMAT = "wfc.tests/1"
_DIFFERENCE = {
    "type": "object",
    "properties": {"what": {"type": "string"}, "expected": {}, "actual": {}},
    "required": ["what", "expected", "actual"],
    "additionalProperties": False,
}
_TEST = {
    "type": "object",
    "properties": {
        "file": {"type": "string"},
        "name": {"type": "string"},
        "ok": {"type": "boolean"},
        "differences": {"type": "array", "items": _DIFFERENCE},
    },
    "required": ["file", "name", "ok", "differences"],
    "additionalProperties": False,
}
RESULTS_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Results of workflow tests",
    "type": "object",
    "properties": {
        "schema": {"const": FORMAT},
        "passed": {"type": "integer", "minimum": 0},
        "failed": {"type": "integer", "minimum": 0},
        "tests": {"type": "array", "items": _TEST},
    },
    "required": ["schema", "passed", "failed", "tests"],
    "additionalProperties": False,
}
_COLUMN = 56
_LINES = 200


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one test; it is passed when nothing differs."""

    file: str
    name: str
    differences: tuple[Difference, ...]

    @property
    def ok(self) -> bool:
        return not self.differences


def results_json(results: Sequence[Result]) -> dict[str, Any]:
    passed = sum(result.ok for result in results)
    tests = [
        {"file": one.file, "name": one.name, "ok": one.ok, "differences": [asdict(diff) for diff in one.differences]}
        for one in results
    ]
    return {"schema": FORMAT, "passed": passed, "failed": len(results) - passed, "tests": tests}


def results_text(results: Sequence[Result]) -> str:
    """The failures, each with its differences, then a count. Ends with a newline."""
    lines = [line for result in results if not result.ok for line in _failure(result)]
    passed = sum(result.ok for result in results)
    return "\n".join([*lines, f"{passed} passed, {len(results) - passed} failed"]) + "\n"


def _failure(result: Result) -> Iterator[str]:
    yield f"FAILED {result.file}: {result.name}"
    for difference in result.differences:
        yield f"  {difference.what}"
        yield from _side_by_side(_written(difference.expected), _written(difference.actual))
    yield ""


def _written(value: Any) -> list[str]:
    """A value as lines: on one where it fits into a column."""
    short = json.dumps(value, ensure_ascii=False)
    if len(short) <= _COLUMN:
        return [short]
    lines = json.dumps(value, ensure_ascii=False, indent=2).split("\n")
    return lines if len(lines) <= _LINES else [*lines[:_LINES], f"… {len(lines) - _LINES} more lines"]


def _side_by_side(expected: list[str], actual: list[str]) -> Iterator[str]:
    """Two columns; a bar stands between lines that differ."""
    yield f"    {'expected':<{_COLUMN}}   actual"
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, expected, actual, autojunk=False).get_opcodes():
        between = " " if tag == "equal" else "|"
        for left, right in zip_longest(expected[i1:i2], actual[j1:j2], fillvalue=""):
            yield f"    {_fitted(left):<{_COLUMN}} {between} {_fitted(right)}".rstrip()


def _fitted(line: str) -> str:
    return line if len(line) <= _COLUMN else line[: _COLUMN - 1] + "…"
