"""Which findings of several reports are shown: each once, and none that its reader asked to leave out.

Reference 3.1 (nothing is reported twice), 3.2 (what can be neither suppressed nor lowered stays).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch

from wfc.diagnostics import Diagnostic, Report, Severity

LEVELS = tuple(Severity)


@dataclass(frozen=True, slots=True)
class Selection:
    """Codes, rule names, or beginnings of codes (`WF4`). Nothing selected means everything."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def keeps(self, found: Diagnostic) -> bool:
        ignored = [*self.ignore]
        for pattern, words in self.per_file_ignores.items():
            ignored += words if fnmatch(found.at.file, pattern) else ()
        return (not self.select or _names(found, self.select)) and not _names(found, ignored)


def _names(found: Diagnostic, words: Iterable[str]) -> bool:
    return any(word == found.code.rule or found.code.code.startswith(word) for word in words)


def chosen(report: Report, selection: Selection, always: Callable[[str], bool]) -> Report:
    """The report without what the selection leaves out, which counts as suppressed; `always` names codes that stay."""
    kept = tuple(found for found in report.diagnostics if always(found.code.code) or selection.keeps(found))
    return replace(report, diagnostics=kept, suppressed=report.suppressed + len(report.diagnostics) - len(kept))


def combined(reports: Iterable[Report]) -> Report:
    """One report over several documents: a finding that two of them share stands once."""
    several = tuple(reports)
    found = {(one.id, one.at.pointer): one for report in several for one in report.diagnostics}
    return Report(
        diagnostics=tuple(found.values()),
        skipped=tuple(dict.fromkeys(skipped for report in several for skipped in report.skipped)),
        strict=all(report.strict for report in several),
        complete=all(report.complete for report in several),
        suppressed=sum(report.suppressed for report in several),
        baselined=sum(report.baselined for report in several),
    )


def fails(report: Report, level: Severity) -> bool:
    """Whether there is a finding at or above the level."""
    return any(LEVELS.index(found.severity) <= LEVELS.index(level) for found in report.diagnostics)
