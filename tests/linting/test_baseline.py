"""What a baseline knows, it knows so many times."""

from __future__ import annotations

from pathlib import Path

from tests.report.samples import finding
from wfc.diagnostics import Diagnostic, Report, Severity, Silence
from wfc.linting.baseline import Baseline, baseline_text, first, gone, read_baseline, shrunk, without_known
from wfc.records import replace


def never(found: Diagnostic) -> bool:
    return False


def report(count: int) -> Report:
    return Report(tuple(finding() for _ in range(count)), files=("flow.wf.json",))


def test_what_is_known_twice_is_told_from_the_third_time_on() -> None:
    known = first(Baseline("known.json"), report(2).diagnostics)
    assert [entry.count for entry in known.entries] == [2]
    left = without_known(report(3), known, never)
    assert (len(left.diagnostics), left.baselined) == (1, 2)


def test_it_shrinks_to_what_occurs() -> None:
    known = first(Baseline("known.json"), report(3).diagnostics)
    less = shrunk(known, without_known(report(1), known, never))
    assert ([entry.count for entry in less.entries], gone(known, less)) == ([1], 2)
    assert shrunk(less, without_known(report(3), less, never)) == less
    assert shrunk(less, without_known(report(0), less, never)).entries == ()


def test_what_stays_is_told_although_it_is_known() -> None:
    known = first(Baseline("known.json"), report(1).diagnostics)
    assert without_known(report(1), known, lambda found: found.severity is Severity.ERROR) == report(1)


def test_a_file_is_named_as_seen_from_the_baseline() -> None:
    (entry,) = first(Baseline("ci/known.json"), report(1).diagnostics).entries
    assert entry.file == "../flow.wf.json"
    below = replace(finding(), at=replace(finding().at, file="ci/flow.wf.json"))
    (entry,) = first(Baseline("ci/known.json"), [below]).entries
    assert (entry.file, entry.id) == ("flow.wf.json", finding().id)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = str(tmp_path / "known.json")
    known = first(Baseline(file), report(2).diagnostics)
    (tmp_path / "known.json").write_text(baseline_text(known))
    assert read_baseline(file, may_be_missing=False) == known


def test_what_it_knows_counts_as_baselined() -> None:
    known = first(Baseline("known.json"), report(1).diagnostics)
    assert [one.by for one in without_known(report(1), known, never).silenced] == [Silence.BASELINED]
