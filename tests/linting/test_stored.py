"""A report comes back as it was, but for the examples of its codes, and tells the same in every format."""

from __future__ import annotations

import json

from tests.report.samples import FILE, REPORT, SOURCES
from wfc.diagnostics import Place, Report
from wfc.linting.stored import report_from_json, report_to_json
from wfc.records import replace
from wfc.report import FORMATS, paint_if


def back(report: Report) -> Report:
    return report_from_json(json.loads(json.dumps(report_to_json(report))))


def test_every_format_tells_the_same() -> None:
    for format_ in FORMATS:
        first, second = (format_.render(one, SOURCES, paint_if(False)) for one in (REPORT, back(REPORT)))
        assert first == second


def test_what_tools_need_comes_back() -> None:
    for old, new in zip(REPORT.diagnostics, back(REPORT).diagnostics, strict=True):
        assert (new.id, new.at, new.related, new.fixes, new.strict) == (
            old.id,
            old.at,
            old.related,
            old.fixes,
            old.strict,
        )
        assert [fix.edits for fix in new.fixes] == [fix.edits for fix in old.fixes]
    assert [(one.by, one.reason) for one in back(REPORT).silenced] == [(one.by, one.reason) for one in REPORT.silenced]


def test_a_place_without_lines_comes_back() -> None:
    nowhere = replace(REPORT.diagnostics[0], at=Place(FILE, "", None, None, None))
    assert back(Report((nowhere,))).diagnostics[0].at == nowhere.at
