"""Every shared case behaves as the reference says: what it finds, how it runs, what it gives.

The one list of what does not yet: cases whose finding comes from a pass that is not written. It only ever gets shorter.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from wfc.frontend import read_json
from wfc.passes import PENDING
from wfc.testing import Scenario, results_text, run_scenario, scenarios

HERE = Path(__file__).parent
FOLDERS = (HERE, HERE.parent / "corpora" / "combined", HERE.parent / "corpora" / "real")
FAULTS = "invalid-workflows.wftest.json"

# (the code that the case waits for, its file, its name)
WAITING: tuple[tuple[str, str, str], ...] = ()


def cases() -> list[Scenario]:
    files = [file for folder in FOLDERS for file in sorted(folder.glob("*.wftest.json"))]
    return [one for file in files for one in scenarios(read_json(str(file), file.read_bytes()))]


CASES = cases()


def named(case: Scenario) -> str:
    return f"{Path(case.file).name.removesuffix('.wftest.json')}: {case.name}"


def is_waiting(case: Scenario) -> bool:
    return any((file, name) == (Path(case.file).name, case.name) for _, file, name in WAITING)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_case(case: Scenario) -> None:
    result = run_scenario(case)
    if is_waiting(case):
        assert not result.ok, "this case waits no longer; take it off the list"
        return
    assert result.ok, results_text([result])


def test_the_list_names_cases_that_exist_and_codes_without_a_pass() -> None:
    known = {(Path(case.file).name, case.name) for case in CASES}
    pending = {code for code, _ in PENDING}
    assert [entry for entry in WAITING if entry[1:] not in known or entry[0] not in pending] == []
