"""What becomes of baselines after a check: one that is not there yet is written, one that is there shrinks."""

from __future__ import annotations

from wfc.diagnostics import Diagnostic, Report, Silence
from wfc.linting.baseline import baseline_text, first, gone, shrunk
from wfc.linting.selection import without
from wfc.linting.session import Checked
from wfc.records import dataclass, replace
from wfc.replacing import write_whole


@dataclass(frozen=True, slots=True)
class Updated:
    """A check after its baselines were brought up to date, and a sentence about each that has changed or should."""

    checked: Checked
    remarks: tuple[str, ...] = ()


def update_baselines(checked: Checked) -> Updated:
    """Write the baselines of a check. Raises `OSError`. What a new one knows is not told any more."""
    from wfc import driver

    stays = driver.known_codes().stays
    remarks = []
    new: set[str] = set()
    for baseline, report in checked.measured:
        found = [one for one in report.diagnostics if not stays(one)]
        after = shrunk(baseline, report) if baseline.written else first(baseline, found)
        if after != replace(baseline, written=True) or not baseline.written:
            write_whole(baseline.file, baseline_text(after).encode())
        if baseline.written:
            remarks += [f"{baseline.file}: took out {_counted(gone(baseline, after))}"] if gone(baseline, after) else []
        else:
            remarks.append(f"{baseline.file}: wrote {_counted(len(found))}")
            new |= {one.id for one in found}
    return Updated(_without(checked, new), tuple(remarks))


def stale_baselines(checked: Checked) -> Updated:
    """Say which baselines know more than there is."""
    counts = [(baseline.file, gone(baseline, shrunk(baseline, report))) for baseline, report in checked.measured]
    told = [f"{file}: {_counted(n)} no longer there; `--update-baseline` takes that out" for file, n in counts if n]
    return Updated(checked, tuple(told))


def _without(checked: Checked, names: set[str]) -> Checked:
    if not names:
        return checked

    def is_new(found: Diagnostic) -> bool:
        return found.id in names

    report: Report = without(checked.report, is_new, Silence.BASELINED)
    return replace(checked, report=report, failing=report.failing)


def _counted(count: int) -> str:
    return f"{count} finding" + ("" if count == 1 else "s")
