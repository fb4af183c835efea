"""The text in the documentation is one that is read, in canonical layout, and checked without an error."""

from __future__ import annotations

import re
from pathlib import Path

from wfc import driver
from wfc.frontend import canonical_text, read_document

PAGE = (Path(__file__).parents[3] / "docs" / "text-form.md").read_text("utf-8")


def test_the_example_is_a_workflow() -> None:
    found = re.search(r"^```\n(workflow invoices .*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    document = read_document("invoices.wf", found[1])
    assert document.diagnostics == ()
    laid = canonical_text(document, "text")
    assert canonical_text(read_document("invoices.wf", laid), "text") == laid
    report = driver.check(driver.loads(found[1], name="invoices.wf"))
    assert [one.code.code for one in report.diagnostics if one.severity == "error"] == []
