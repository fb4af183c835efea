"""The shared cases: each fault of reading is found where the case says, and nothing is found in what is well formed."""

import pytest

from tests.frontend.documents import Case, cases, elaborated, told

CASES = list(cases())
READING = [case for case in CASES if (case.code or "").startswith("WF0")]
OTHERS = [case for case in CASES if not (case.code or "").startswith("WF0")]

# Cases without a code in which nothing can be read as it stands, or a part cannot.
REFUSED_WITHOUT_A_CODE = {
    "an empty object is not a workflow": ["WF011 "],
    "an object with only unknown keys is not a workflow": ["WF011 ", "WF010 /nodes_", "WF012 /nodes_", "WF010 /x"],
    "a source path without a root": ["WF021 /nodes/0/input/0/path"],
    "an output target without the state root": ["WF021 /nodes/0/output/0/target"],
    "a schema that is not an object": ["WF016 /input_schema"],
    "a workflow schema that is not an object schema": ["WF016 /input_schema/type"],
    "a workflow schema that is true": ["WF016 /output_schema"],
    "a capability reference of another shape": ["WF011 /node_defs/0/uses"],
    "a workflow reference of another shape (name+version)": ["WF013 /workflows/0/nodes/0/workflow"],
    "a wait of {'path': 'seconds'} seconds": ["WF021 /nodes/0/seconds/path"],
    "the reserved kind in_doubt": ["WF015 /nodes/0/kind"],
    "a path that is a number": ["WF012 /nodes/0/input/0/path"],
    "a structural path with a segment with a dot is a path error": ["WF020 /nodes/0/input/0/path"],
    "a structural path with a numeric segment is a path error": ["WF020 /nodes/0/input/0/path"],
}


@pytest.mark.parametrize("case", READING, ids=lambda case: case.name)
def test_a_fault_of_reading_is_the_only_finding(case: Case) -> None:
    found = [one for one in told(elaborated(case.workflow)) if not one.startswith("WF014")]
    if case.at is None:
        assert [one[:5] for one in found] == [case.code]
    else:
        assert found == [f"{case.code} {case.at}"]


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: case.name)
def test_what_is_well_formed_is_read_without_a_finding(case: Case) -> None:
    expected = REFUSED_WITHOUT_A_CODE.get(case.name.partition(": ")[2], [])
    assert [one for one in told(elaborated(case.workflow)) if not one.startswith("WF014")] == expected


def test_the_cases_are_there() -> None:
    assert (len(READING) > 50, len(OTHERS) > 600) == (True, True)
