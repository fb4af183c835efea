"""The lock made anew from what sources offer: which capabilities are used, what is pinned of them, what has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wfc import driver
from wfc.diagnostics import close_match
from wfc.frontend import schema_fault
from wfc.ir import Listing, Program, difference
from wfc.project import WORKFLOW_SUFFIXES, Lock, LockedSource, Project, catalogue_of, files_under
from wfc.records import dataclass, replace
from wfc.tools.looking import Seen


@dataclass(frozen=True, slots=True)
class Change:
    """What a new lock has otherwise: `what` is added, changed or removed; `diff` shows a change."""

    capability: str
    what: str
    diff: str = ""


@dataclass(frozen=True, slots=True)
class Renewed:
    """A lock, how it differs from the one before, what is used and cannot be locked, and what else was left out."""

    lock: Lock
    changes: tuple[Change, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]


def used_capabilities(project: Project, paths: Sequence[str], lock: Lock) -> tuple[dict[str, set[str]], list[str]]:
    """What the workflows below paths use of configured sources, by source; and the files that cannot be read.

    `lock` is what is known of the sources; the one on the disk may be of no use.
    """
    known = catalogue_of(project.settings, lock, str(project.file))
    used: dict[str, set[str]] = {}
    unread: list[str] = []
    for file in files_under(list(paths), WORKFLOW_SUFFIXES):
        module = driver.load(file, catalogue=known).module
        if module is None:
            unread.append(file)
            continue
        definitions = (one for workflow in module.workflows for one in workflow.defs)
        for uses in (definition.uses for definition in definitions):
            if uses.source in project.settings.sources:
                used.setdefault(str(uses.source), set()).add(uses.capability_key)
    return used, unread


def used_by_program(project: Project, program: Program) -> dict[str, set[str]]:
    """What a program uses of configured sources, by source."""
    used: dict[str, set[str]] = {}
    for uses in (one.uses for routine in program.routines for one in routine.definitions):
        if uses.source in project.settings.sources:
            used.setdefault(str(uses.source), set()).add(uses.capability_key)
    return used


def also_locked(used: Mapping[str, set[str]], lock: Lock) -> dict[str, set[str]]:
    """What is used, and what is locked of the same sources already."""
    known = {name: set(source.capabilities) for name, source in lock.sources.items()}
    return {name: keys | known.get(name, set()) for name, keys in used.items()}


def pruned(made: Renewed, names: Sequence[str]) -> Renewed:
    """The same without the sources that have other names: nothing uses them any more."""
    gone = {name: source for name, source in made.lock.sources.items() if name not in names}
    changes = [
        Change(f"{name}.{key}", "removed") for name, source in gone.items() for key in sorted(source.capabilities)
    ]
    kept = {name: source for name, source in made.lock.sources.items() if name in names}
    return replace(made, lock=Lock(kept), changes=(*made.changes, *changes))


def renewed(lock: Lock, seen: Sequence[Seen], used: Mapping[str, set[str]] | None) -> Renewed:
    """The lock with what sources offer now of what is used; `used` none: all of it. Sources that were not looked at,
    or did not answer, stay as they are locked."""
    changes: list[Change] = []
    problems: list[str] = []
    notes: list[str] = []
    for one in seen:
        if not one.answered:
            problems.append(str(one.fault or f"source `{one.name}`: {one.wants}"))
            continue
        wanted = sorted(one.listings) if used is None else sorted(used.get(one.name, ()))
        if used is None and one.kind == "workflow":
            # What is configured here was meant to be there, unlike what a server lists in its own way.
            problems += [str(_problem(one, key)) for key in one.unusable]
        pinned: dict[str, Listing] = {}
        for key in wanted:
            problem = _problem(one, key)
            if problem is None:
                pinned[key] = one.listings[key]
            elif used is not None:
                problems.append(problem)
            elif key in one.contracts:
                notes.append(problem)
        before = lock.sources.get(one.name, LockedSource(one.kind))
        changes += _changes(one.name, before, pinned)
        if pinned or one.name in lock.sources or used is None or one.name in used:
            kind = one.kind.partition(" ")[0]
            lock = lock.with_source(one.name, LockedSource(kind, tuple(sorted(one.listings)), pinned))
    return Renewed(lock, tuple(changes), tuple(problems), tuple(notes))


def _problem(seen: Seen, key: str) -> str | None:
    """Why a capability cannot be locked."""
    name = f"{seen.name}.{key}"
    if key in seen.unusable:
        how = "cannot be run" if seen.kind == "workflow" else "is listed in a way that cannot be used"
        return f"`{name}` {how}: {seen.unusable[key]}"
    if key not in seen.listings:
        near = close_match(key, list(seen.listings))
        return f"`{seen.name}` has no `{key}`" + (f"; nearest: `{near}`" if near else "")
    if key not in seen.contracts:
        return f"the configuration does not allow `{name}`"
    listing = seen.listings[key]
    schemas = [listing.input_schema, listing.output_schema, *listing.outcome_schemas.values()]
    faults = [fault for schema in schemas if schema is not None and (fault := schema_fault(schema)) is not None]
    return f"a schema of `{name}` cannot be used: {faults[0]}" if faults else None


def _changes(name: str, before: LockedSource, pinned: Mapping[str, Listing]) -> list[Change]:
    changes = []
    for key in sorted({*before.capabilities, *pinned}):
        old, new = before.capabilities.get(key), pinned.get(key)
        full = f"{name}.{key}"
        if old is None:
            changes.append(Change(full, "added"))
        elif new is None:
            changes.append(Change(full, "removed"))
        elif old.hash != new.hash:
            changes.append(Change(full, "changed", difference(old, new, old_name=f"{full} (locked)", new_name="now")))
        elif before.hashes.get(key) not in (None, old.hash):
            changes.append(Change(full, "changed"))
    return changes
