"""Which findings of several reports are told: each once, in order, and none that its reader left out."""

from __future__ import annotations

import pytest

from tests.report.samples import FILE, REPORT, finding
from wfc.diagnostics import Report, Severity, Silence, Skipped
from wfc.linting.selection import Selection, combined, without
from wfc.records import replace


@pytest.mark.parametrize(
    ("selection", "kept"),
    [
        (Selection(), True),
        (Selection(select=("WF1",)), True),
        (Selection(select=("WF2", "unknown-target")), True),
        (Selection(select=("WF2",)), False),
        (Selection(ignore=("unknown-target",)), False),
        (Selection(select=("WF101",), ignore=("WF1",)), False),
        (Selection(per_file_ignores={"*.wf.json": ("WF101",)}), False),
        (Selection(per_file_ignores={FILE: ("WF101",)}), False),
        (Selection(per_file_ignores={"other/*": ("WF101",)}), True),
        (Selection(per_file_ignores={f"../*/{FILE}": ("WF101",)}, folder="elsewhere"), True),
        (Selection(per_file_ignores={f"../{FILE}": ("WF101",)}, folder="elsewhere"), False),
    ],
)
def test_a_selection_keeps_or_leaves_out(selection: Selection, kept: bool) -> None:
    assert selection.keeps(finding()) is kept


def test_what_is_left_out_is_counted() -> None:
    left = without(
        Report((finding(), finding(Severity.NOTE))), lambda one: one.severity is Severity.NOTE, Silence.LEFT_OUT
    )
    assert (len(left.diagnostics), left.suppressed, left.baselined) == (1, 1, 0)


def test_a_finding_that_two_documents_share_stands_once() -> None:
    skipped = (Skipped("WF705", "no store"),)
    several = [
        Report((finding(),), skipped, True, complete=True, files=("b",)),
        Report((finding(),), skipped, True, files=("a",)),
    ]
    assert combined(several) == Report((finding(),), skipped, strict=True, files=("a", "b"))


def test_files_and_places_give_the_order_whatever_comes_first() -> None:
    first, second = finding(), replace(finding(), at=replace(finding().at, file="b.wf.json"))
    ours, theirs = Report((first,), files=(FILE,)), Report((second,), files=("b.wf.json",))
    assert combined([ours, theirs]) == combined([theirs, ours])
    assert [one.at.file for one in combined([ours, theirs]).diagnostics] == ["b.wf.json", FILE]


def test_the_strictest_level_holds_for_all() -> None:
    levels = [replace(REPORT, fail_level=level) for level in (Severity.ERROR, Severity.NOTE, Severity.WARNING)]
    assert combined(levels).fail_level is Severity.NOTE
