"""Fixes applied to files: each file for itself, in name order, written as a whole or not at all.

Only the files that were asked about are changed, never one that they refer to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from wfc.diagnostics import Fixed, Report
from wfc.linting.asked import Asked, Planner, Task
from wfc.linting.carrying_out import narrow
from wfc.linting.session import Given, Tell, tasks_of
from wfc.records import dataclass, field
from wfc.replacing import write_over

_BYTE_ORDER_MARK = "\ufeff".encode()


@dataclass(frozen=True, slots=True)
class Mended:
    """A text before and after its fixes; `report` tells what was fixed and what is left."""

    given: Given
    before: str = field(repr=False)
    after: str = field(repr=False)
    report: Report

    @property
    def changed(self) -> bool:
        return self.before != self.after

    @property
    def fixed(self) -> tuple[Fixed, ...]:
        return self.report.fixed

    @property
    def data(self) -> bytes:
        """The text as its file holds it: a mark at the start stays."""
        mark = _BYTE_ORDER_MARK if self.given.data.startswith(_BYTE_ORDER_MARK) else b""
        return mark + self.after.encode()


def mend_all(given: Iterable[Given], asked: Asked, unsafe: bool, tell: Tell) -> Iterator[Mended]:
    """Apply the fixes of each text, in memory. What keeps one from being checked is told."""
    for one, task in tasks_of(given, Planner(asked), tell):
        yield _mended(one, task, unsafe)


def _mended(given: Given, task: Task, unsafe: bool) -> Mended:
    from wfc import driver

    loaded = driver.loads(
        task.data, name=task.name, libraries=task.libraries, catalogue=task.catalogue, store=task.store
    )
    repaired = driver.repair(loaded, strict=task.strict, narrow=partial(narrow, task), unsafe=unsafe)
    return Mended(given, loaded.root.source.text, repaired.given.root.source.text, repaired.report)


def write_back(mended: Mended) -> None:
    """Put the new text in the place of the old one. Raises `OSError`, also when the file is no longer what was read."""
    write_over(mended.given.name, mended.given.data, mended.data)
