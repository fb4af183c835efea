"""Whatever is written, reading gives findings and never raises, twice the same, and only errors make holes."""

import json
from typing import Any

from hypothesis import given, settings

from tests.frontend.damage import damaged
from tests.frontend.documents import elaborated, told
from wfc.diagnostics import Severity
from wfc.edits import apply_patch


@settings(max_examples=400)
@given(damaged())
def test_a_damaged_workflow_is_read(value: Any) -> None:
    before = json.dumps(value)
    read = elaborated(value)
    assert json.dumps(value) == before
    assert told(elaborated(value)) == told(read)
    errors = [found for found in read.diagnostics if found.severity is Severity.ERROR]
    holes = read.module is None or any(workflow.holes for workflow in read.module.workflows)
    assert errors or not holes
    for fix in (fix for found in read.diagnostics for fix in found.fixes):
        assert fix.patch[0]["op"] == "test"
        assert apply_patch(value, fix.patch) != value
