"""Which findings of several reports are told: each once, in order, and none that its reader asked to leave out.

Reference 3.1 (nothing is reported twice; files and positions give the order), 3.2 (what can be neither suppressed nor
lowered stays).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatch
from typing import Any

from wfc.diagnostics import Diagnostic, Report, Severity, Silence, Silenced
from wfc.records import dataclass, field, replace

LEVELS = tuple(Severity)


@dataclass(frozen=True, slots=True)
class Selection:
    """Codes, rule names, or beginnings of codes (`WF4`). Nothing selected means everything.

    The patterns of `per_file_ignores` are over paths seen from `folder`, or over the names of files alone.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    folder: str = "."

    @property
    def words(self) -> tuple[str, ...]:
        """Everything that names codes here."""
        return (*self.select, *self.ignore, *(word for words in self.per_file_ignores.values() for word in words))

    def keeps(self, found: Diagnostic) -> bool:
        ignored = [*self.ignore, *self._ignored_in(found.at.file)]
        return (not self.select or _names(found, self.select)) and not _names(found, ignored)

    def _ignored_in(self, file: str) -> list[str]:
        if not self.per_file_ignores:
            return []
        path = os.path.relpath(file, self.folder).replace(os.sep, "/")
        names = (path, path.rpartition("/")[2])
        patterns = self.per_file_ignores.items()
        return [word for pattern, words in patterns if any(fnmatch(name, pattern) for name in names) for word in words]


def _names(found: Diagnostic, words: Iterable[str]) -> bool:
    return any(word == found.code.rule or found.code.code.startswith(word) for word in words)


def without(report: Report, left_out: Callable[[Diagnostic], bool], by: Silence) -> Report:
    """The report with the findings silenced that are to be left out."""
    out = [left_out(found) for found in report.diagnostics]
    told = tuple(found for found, gone in zip(report.diagnostics, out, strict=True) if not gone)
    silenced = tuple(Silenced(found, by) for found, gone in zip(report.diagnostics, out, strict=True) if gone)
    return replace(report, diagnostics=told, silenced=report.silenced + silenced)


def combined(reports: Iterable[Report]) -> Report:
    """One report over several documents, in whatever order they come: what two of them share stands once."""
    several = sorted(reports, key=lambda report: report.files)
    found = {_identity(one): one for report in reversed(several) for one in report.diagnostics}
    quiet = {_identity(one.diagnostic): one for report in reversed(several) for one in report.silenced}
    return Report(
        diagnostics=tuple(sorted(found.values(), key=_order)),
        skipped=tuple(dict.fromkeys(skipped for report in several for skipped in report.skipped)),
        strict=all(report.strict for report in several),
        complete=all(report.complete for report in several),
        silenced=tuple(sorted(quiet.values(), key=lambda one: _order(one.diagnostic))),
        files=tuple(file for report in several for file in report.files),
        fixed=tuple(fixed for report in several for fixed in report.fixed),
        fail_level=max((report.fail_level for report in several), key=LEVELS.index, default=Severity.ERROR),
    )


def _identity(found: Diagnostic) -> Any:
    return found.id, found.at.pointer


def _order(found: Diagnostic) -> Any:
    span = found.at.span
    return found.at.file, (span.start, span.end) if span else (), found.code.code, found.at.pointer, found.message
