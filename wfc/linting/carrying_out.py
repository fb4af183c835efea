"""One check carried out, in this process or another one; several of them side by side where that is faster."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

from wfc.diagnostics import Diagnostic, Report, Silence
from wfc.ir import NOTHING_KNOWN, Catalogue
from wfc.linting.asked import Task
from wfc.linting.baseline import without_known
from wfc.linting.selection import without
from wfc.linting.stored import report_from_json, report_to_json
from wfc.project import Seen, Shelf
from wfc.records import dataclass, replace

# Less than this is checked sooner than another process has begun.
_WORTH_A_PROCESS = 400_000


@dataclass(frozen=True, slots=True)
class Result:
    """A report, what else was looked at for it, and the texts of documents that cannot be read as they are."""

    report: Report
    seen: Seen
    texts: dict[str, str]


def carry_out(task: Task, shelf: Shelf[Any]) -> dict[str, Any]:
    """The result of a task as a JSON value, which is how it is kept and how it leaves a process."""
    from wfc import driver

    given = driver.loads(
        task.data,
        name=task.name,
        libraries=task.libraries,
        shelf=shelf,
        catalogue=task.catalogue,
        store=task.store,
    )
    report = driver.check(given, strict=task.strict, narrow=partial(narrow, task))
    return {
        "report": report_to_json(report),
        "folders": {folder: list(names) for folder, names in given.seen.folders.items()},
        "files": given.seen.files,
        "texts": {name: one.source.text for name, one in given.documents.items() if not one.readable},
    }


def result_of(value: dict[str, Any]) -> Result:
    folders = {folder: tuple(names) for folder, names in value["folders"].items()}
    return Result(report_from_json(value["report"]), Seen(folders, value["files"]), value["texts"])


def narrow(task: Task, report: Report, stays: Callable[[Diagnostic], bool]) -> Report:
    """The report without what its reader leaves out or knows."""
    selection = task.selection
    report = without(report, lambda found: not stays(found) and not selection.keeps(found), Silence.LEFT_OUT)
    return report if task.baseline is None else without_known(report, task.baseline, stays)


def new_shelf() -> Shelf[Any]:
    """What the tasks of one check look at. The compiler is imported when there is something to read."""

    def read(name: str, content: bytes) -> Any:
        from wfc.frontend import read_document

        return read_document(name, content)

    return Shelf(read)


def each(tasks: Sequence[Task], shelf: Shelf[Any]) -> Iterator[dict[str, Any]]:
    """The results of tasks, in their order."""
    workers = min(_processors(), len(tasks))
    if workers < 2 or sum(len(task.data) for task in tasks) < _WORTH_A_PROCESS:
        yield from (carry_out(task, shelf) for task in tasks)
        return
    from concurrent.futures import ProcessPoolExecutor

    # What every worker needs is imported before they part.
    import wfc.frontend
    import wfc.passes  # noqa: F401

    # What is known of capabilities may be much, and is the same for all tasks of a project.
    catalogues = {task.known: task.catalogue for task in tasks}
    with ProcessPoolExecutor(workers, initializer=_begin_worker, initargs=(catalogues,)) as pool:
        with _without_interrupts():
            # The workers are made here, and nothing interrupts them, not even while they begin.
            made = pool.map(_carry_out_in_worker, [replace(task, catalogue=NOTHING_KNOWN) for task in tasks])
        yield from made


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ctrl-C reaches this thread behind the block, and never the processes that begin in it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _carry_out_in_worker(task: Task) -> dict[str, Any]:
    return carry_out(replace(task, catalogue=_catalogues[task.known]), _shelf_of_worker())


# A worker lives as long as one check.
_shelf_of_worker = cache(new_shelf)


_catalogues: dict[str, Catalogue] = {}


def _begin_worker(catalogues: dict[str, Catalogue]) -> None:
    """A worker knows what all tasks know, leaves it to its parent to be interrupted, and ends with it: one that waited
    for work from a parent that was killed would do so for ever."""
    _catalogues.update(catalogues)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
