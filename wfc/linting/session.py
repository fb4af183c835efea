"""Files checked: what is known already is taken from the cache, the rest is carried out, and one report is made of all.

Guarantees: the report depends on nothing but what the files hold and what was asked; not on the order of the files, on
what was kept, or on which process did what.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from wfc.diagnostics import Diagnostic, Report
from wfc.linting.asked import Asked, Planner, Task
from wfc.linting.baseline import Baseline
from wfc.linting.cache import entry_name, keep, look_up
from wfc.linting.carrying_out import Result, each, new_shelf, result_of
from wfc.linting.selection import combined
from wfc.linting.words import judge_words
from wfc.project import ConfigFault, Shelf, content_of, digest
from wfc.records import dataclass, replace
from wfc.source import Source

# Is told of every file that cannot be read, and goes on.
Tell = Callable[[Exception], None]


@dataclass(frozen=True)
class Checked:
    """What was found in files. `sources` are the texts that findings stand in; `seen` is all that was looked at.

    `measured` is what was found by the baselines that it was measured by.
    """

    report: Report
    sources: dict[str, Source]
    failing: bool
    seen: frozenset[str]
    measured: tuple[tuple[Baseline, Report], ...]


@dataclass(frozen=True, slots=True)
class Given:
    """A text to check: what a file holds, or where it is none, what came from elsewhere."""

    name: str
    data: bytes
    is_file: bool = True


def check_all(given: Iterable[Given], asked: Asked, tell: Tell) -> Checked:
    """Check texts. What keeps one from being checked is told, and the others are."""
    planner = Planner(asked)
    tasks = [task for _, task in tasks_of(given, planner, tell)]
    pairs = list(zip(tasks, _results(tasks), strict=True))
    reports = [replace(result.report, fail_level=task.fail_level) for task, result in pairs]
    whole = combined(reports)
    return Checked(
        report=whole,
        sources=_sources(whole, pairs),
        failing=any(report.failing for report in reports),
        seen=frozenset((*_seen(pairs), *planner.seen)),
        measured=tuple(_measured(planner, tasks, reports)),
    )


def _measured(planner: Planner, tasks: list[Task], reports: list[Report]) -> Iterator[tuple[Baseline, Report]]:
    for baseline in planner.baselines.values():
        yield baseline, combined(one for task, one in zip(tasks, reports, strict=True) if task.baseline is baseline)


def tasks_of(given: Iterable[Given], planner: Planner, tell: Tell) -> Iterator[tuple[Given, Task]]:
    """Each text with what checking it means, by name. A configuration that is wrong for many is told once."""
    told: set[str] = set()
    for one in sorted(given, key=lambda each: each.name):
        try:
            yield one, planner.task(one.name, one.data, is_file=one.is_file)
        except ConfigFault as wrong:
            if str(wrong) not in told:
                told.add(str(wrong))
                tell(wrong)


def _results(tasks: list[Task]) -> list[Result]:
    shelf = new_shelf()
    kept = [_kept(task, shelf) for task in tasks]
    todo = [task for task, result in zip(tasks, kept, strict=True) if result is None]
    judge_words(todo)
    made = iter(_kept_from_now_on(todo, shelf))
    return [next(made) if result is None else result for result in kept]


def _kept(task: Task, shelf: Shelf[Any]) -> Result | None:
    """The result that was kept for a task, if everything that it depends on is still the same."""
    kept = look_up(task.cache, _name(task))
    try:
        if kept is None or kept["content"] != digest(task.data):
            return None
        result = result_of(kept)
        return result if result.seen.holds(shelf) else None
    except (KeyError, TypeError, ValueError, AttributeError):
        # Somebody else wrote there.
        return None


def _kept_from_now_on(todo: list[Task], shelf: Shelf[Any]) -> Iterator[Result]:
    for task, made in zip(todo, each(todo, shelf), strict=True):
        keep(task.cache, _name(task), {"content": digest(task.data), **made})
        yield result_of(made)


def _name(task: Task) -> str:
    selection, baseline = task.selection, task.baseline
    known = None if baseline is None else [baseline.folder, sorted(baseline.known().items())]
    chosen = [selection.select, selection.ignore, dict(selection.per_file_ignores), selection.folder]
    return entry_name(task.name, os.path.abspath(task.name), task.strict, chosen, task.libraries, task.known, known)


# -- texts ------------------------------------------------------------------------------------------------------------


def _sources(report: Report, pairs: list[tuple[Task, Result]]) -> dict[str, Source]:
    """The texts in which something is shown: the file's own, or of one that cannot be read what was made of it."""
    given = {task.name: task.data for task, _ in pairs}
    texts = {name: text for _, result in pairs for name, text in result.texts.items()}
    known = {name: content for _, result in pairs for name, content in result.seen.files.items()}
    names = sorted({name for found in report.diagnostics for name in _named(found)})
    found = {name: texts[name] if name in texts else _text(name, given, known) for name in names}
    return {name: Source(name, text) for name, text in found.items() if text is not None}


def _named(found: Diagnostic) -> Iterator[str]:
    yield found.at.file
    yield from (related.at.file for related in found.related)
    yield from (fix.file for fix in found.fixes)


def _text(name: str, given: dict[str, bytes], known: dict[str, str | None]) -> str | None:
    """The text of a file; none when it is another one than was checked."""
    data = given.get(name)
    if data is None:
        data = content_of(name)
        if data is None or digest(data) != known.get(name):
            return None
    return data.decode(errors="replace").removeprefix("\ufeff")


def _seen(pairs: list[tuple[Task, Result]]) -> Iterator[str]:
    for task, result in pairs:
        yield task.name
        yield from result.seen.files
        yield from (folder or "." for folder in result.seen.folders)
