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
FOLDERS = (HERE, HERE.parent / "corpora" / "real")
FAULTS = "invalid-workflows.wftest.json"

# (the code that the case waits for, its file, its name)
WAITING = (
    ("WF300", FAULTS, "a binding target that the node's closed input schema does not have"),
    ("WF300", FAULTS, "a local path with the state root is an unknown input field"),
    ("WF301", FAULTS, "a direct built-in without a required input"),
    ("WF301", FAULTS, "a request without a required field of its kind"),
    ("WF301", FAULTS, "a required node input is not bound"),
    ("WF301", FAULTS, "a subgraph without a required child input"),
    ("WF302", FAULTS, "a resume value of another type than its state path"),
    ("WF302", FAULTS, "a source of another type"),
    ("WF302", FAULTS, "a wait whose seconds are a text"),
    ("WF302", FAULTS, "an output field of another type than its state path"),
    ("WF303", FAULTS, "a target below another target"),
    ("WF303", FAULTS, "two bindings with one target"),
    ("WF304", FAULTS, "two output bindings with one state target"),
    ("WF304", FAULTS, "two writes of one step to overlapping state paths"),
    ("WF305", FAULTS, "a read of an input field that the schema does not have"),
    ("WF306", FAULTS, "a binding of the definition's output under the caught outcome alone"),
    ("WF306", FAULTS, "a binding under an outcome whose own closed schema does not have the field"),
    ("WF306", FAULTS, "a subgraph output that the child does not have"),
    ("WF306", FAULTS, "an output source that the node does not declare"),
    ("WF307", FAULTS, "a local path whose root is not declared"),
    ("WF307", FAULTS, "a write below a closed object to a field that it does not have"),
    ("WF307", FAULTS, "a write to a state root that is not declared"),
    ("WF308", FAULTS, "a read below a number"),
    ("WF308", FAULTS, "a write below a list"),
    ("WF309", FAULTS, "an unknown context field"),
    ("WF309", FAULTS, "the loop alias outside its body"),
    ("WF310", FAULTS, "a literal null where an integer is due"),
    ("WF310", FAULTS, "a request field of the wrong type"),
    ("WF311", FAULTS, "an ordering of a number and a text"),
    ("WF312", FAULTS, "foreach over a number"),
    ("WF312", FAULTS, "over a literal that is no array"),
    ("WF400", FAULTS, "a read of a state path that no step ever writes"),
    ("WF400", FAULTS, "a state path that is read before the only step that writes it"),
    ("WF402", FAULTS, "a required output field that nothing writes"),
    ("WF409", FAULTS, "a default that its own schema refuses"),
    ("WF409", FAULTS, "an input default that its own schema refuses"),
    ("WF409", FAULTS, "an object built from defaults that its own schema refuses"),
    ("WF410", FAULTS, "an unknown reducer"),
    ("WF411", FAULTS, "modulo_add without a modulus"),
    ("WF412", FAULTS, "a reducer that its path's type can never hold"),
    ("WF413", FAULTS, "an input field that seeds a state field of another type"),
    ("WF500", FAULTS, "two branches that certainly replace one path"),
    ("WF503", FAULTS, "a write to the parent of a local path"),
    ("WF713", FAULTS, "a definition of a built-in that lacks one of its outcomes"),
)


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
