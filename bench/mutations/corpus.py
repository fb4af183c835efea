"""The valid workflows into which faults are put, each with its tests. The rule by which they are chosen is fixed:

all examples, all real workflows, and of each conformance file but two the two longest workflows whose every test runs
to its end without `unchecked`, and in which neither an error nor a warning is found: many have a fault on purpose.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from bench.mutations.documents import Json
from bench.mutations.findings import findings, problems
from wfc.frontend import read_json
from wfc.testing import Scenario, scenarios

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
REAL = ROOT / "tests" / "corpora" / "real"
CONFORMANCE = ROOT / "tests" / "conformance"
_OF_EACH = 2
# Chains of a thousand steps say nothing about planners, and in old spellings hardly a fault could be put.
_OTHER_FILES = ("limits.wftest.json", "legacy.wftest.json")


@dataclass(frozen=True)
class Original:
    """A valid workflow and its tests; `name` says where it is from."""

    name: str
    document: Json
    tests: tuple[Scenario, ...]


@cache
def originals() -> tuple[Original, ...]:
    """The chosen workflows, always in the same order."""
    chosen = [one for file in sorted(EXAMPLES.rglob("*.wftest.json")) for one in _grouped(file)]
    chosen += [one for file in sorted(REAL.glob("*.wftest.json")) for one in _grouped(file)]
    for file in sorted(CONFORMANCE.glob("*.wftest.json")):
        if file.name in _OTHER_FILES:
            continue
        longest = sorted(filter(_runs_through, _grouped(file)), key=lambda one: -len(json.dumps(one.document)))
        chosen += islice((one for one in longest if not problems(findings(one.document))), _OF_EACH)
    return tuple(chosen)


def _grouped(file: Path) -> Iterator[Original]:
    """The workflows of a test file, each with all of its tests."""
    tests: dict[str, list[Scenario]] = {}
    for one in scenarios(read_json(str(file), file.read_bytes())):
        tests.setdefault(json.dumps(_document(file, one)), []).append(one)
    stem = file.relative_to(ROOT).as_posix().removesuffix(".wftest.json")
    for index, (text, group) in enumerate(tests.items()):
        yield Original(f"{stem}#{index}", json.loads(text), tuple(group))


def _document(file: Path, test: Scenario) -> Json:
    if not isinstance(test.workflow, str):
        return dict(test.workflow)
    return dict(json.loads((file.parent / test.workflow).read_text("utf-8")))


def _runs_through(one: Original) -> bool:
    return all(
        test.expect.get("status") == "completed" and not test.unchecked and not test.expect.get("check")
        for test in one.tests
    )
