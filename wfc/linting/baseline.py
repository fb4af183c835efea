"""Findings that were there before: a file that is written once and from then on only shrinks (`--baseline`).

Guarantees: what the baseline knows is not told, as often as it knows it; what is new is; and errors that leave a run
without meaning are never in it. Files are named as seen from the folder of the baseline, so that it means the same from
wherever a check is started.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from wfc.diagnostics import Diagnostic, Report, Silence
from wfc.linting.selection import without
from wfc.project import ConfigFault
from wfc.records import dataclass, replace

FORMAT = "wfc.baseline/1"


@dataclass(frozen=True, slots=True)
class Entry:
    """A finding by its id, and how often it is known; the rest is for who reads the file."""

    file: str
    code: str
    id: str
    count: int
    message: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The entries of a file; `written` is false while there is no such file."""

    file: str
    entries: tuple[Entry, ...] = ()
    written: bool = True

    @property
    def folder(self) -> str:
        return os.path.dirname(self.file)

    def known(self) -> Counter[str]:
        return Counter({entry.id: entry.count for entry in self.entries})

    def entry(self, found: Diagnostic) -> Entry:
        """A finding as an entry."""
        file = os.path.relpath(found.at.file, self.folder or ".").replace(os.sep, "/")
        seen = replace(found, at=replace(found.at, file=file))
        return Entry(file, found.code.code, seen.id, 1, found.message)


def read_baseline(file: str, *, may_be_missing: bool) -> Baseline:
    """The baseline in a file. Raises `ConfigFault`."""
    try:
        with open(file, encoding="utf-8") as opened:
            written = json.load(opened)
        entries = tuple(_entry(entry) for entry in written["findings"] if written["schema"] == FORMAT)
    except FileNotFoundError:
        if may_be_missing:
            return Baseline(file, written=False)
        raise ConfigFault(f"the baseline {file} is not there; `--update-baseline` writes it") from None
    except OSError as wrong:
        raise ConfigFault(f"the baseline {file} cannot be read: {wrong.strerror}") from None
    except (ValueError, TypeError, KeyError, RecursionError) as wrong:
        raise ConfigFault(f"{file} is no baseline of this version; expected `{FORMAT}`: {wrong}") from None
    return Baseline(file, entries)


def _entry(written: dict[str, Any]) -> Entry:
    """An entry as it was written. Raises `TypeError` for a value of another shape."""
    entry = Entry(**written)
    texts = (entry.file, entry.code, entry.id, entry.message)
    if not all(isinstance(one, str) for one in texts) or type(entry.count) is not int:
        raise TypeError(f"found the entry {json.dumps(written)}, expected texts and a whole number as `count`")
    return entry


def without_known(report: Report, baseline: Baseline, stays: Callable[[Diagnostic], bool]) -> Report:
    """The report without the findings that the baseline knows."""
    left = baseline.known()

    def is_known(found: Diagnostic) -> bool:
        name = baseline.entry(found).id
        if stays(found) or not left[name]:
            return False
        left[name] -= 1
        return True

    return without(report, is_known, Silence.BASELINED)


def first(baseline: Baseline, found: Iterable[Diagnostic]) -> Baseline:
    """The baseline that knows these findings."""
    entries = [baseline.entry(one) for one in found]
    counts = Counter(entry.id for entry in entries)
    unique = {entry.id: replace(entry, count=counts[entry.id]) for entry in entries}
    return Baseline(baseline.file, tuple(sorted(unique.values(), key=_order)))


def shrunk(baseline: Baseline, report: Report) -> Baseline:
    """The baseline without what no longer occurs in the files of a report, or in files that are there no more."""
    occurred = Counter(baseline.entry(one.diagnostic).id for one in report.silenced if one.by is Silence.BASELINED)
    checked = {os.path.realpath(file) for file in report.files}

    def left(entry: Entry) -> int:
        file = os.path.join(baseline.folder, entry.file)
        judged = os.path.realpath(file) in checked or not os.path.exists(file)
        return min(entry.count, occurred[entry.id]) if judged else entry.count

    entries = (replace(entry, count=left(entry)) for entry in baseline.entries)
    return Baseline(baseline.file, tuple(entry for entry in entries if entry.count))


def gone(before: Baseline, after: Baseline) -> int:
    """How many findings fewer a baseline knows."""
    return before.known().total() - after.known().total()


def baseline_text(baseline: Baseline) -> str:
    """The file of a baseline, a line for each entry."""
    rows = [json.dumps(_written(entry), ensure_ascii=False) for entry in baseline.entries]
    listed = "".join(f"\n    {row}{',' if place < len(rows) - 1 else ''}" for place, row in enumerate(rows))
    return f'{{\n  "schema": "{FORMAT}",\n  "findings": [{listed}{chr(10) + "  " if rows else ""}]\n}}\n'


def _written(entry: Entry) -> dict[str, Any]:
    return {"file": entry.file, "code": entry.code, "id": entry.id, "count": entry.count, "message": entry.message}


def _order(entry: Entry) -> tuple[str, str, str]:
    return entry.file, entry.code, entry.id
