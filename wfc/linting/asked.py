"""What one check is: a text, and everything beside it that decides what is told of it.

The command line wins over the configuration; what is ignored adds up. A configuration that was read before is not
parsed again: parsing it costs more than checking a small file.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from wfc.diagnostics import Severity
from wfc.ir import NOTHING_KNOWN, Catalogue, catalogue_from_json, catalogue_json
from wfc.linting.baseline import Baseline, read_baseline
from wfc.linting.cache import entry_name, keep, look_up
from wfc.linting.selection import Selection
from wfc.project import (
    DATA_FOLDER,
    CheckSettings,
    Found,
    Project,
    Settings,
    catalogue_of,
    configuration_files,
    configured,
    digest,
    find_configuration,
    lock_bytes,
    lock_file,
    lock_of,
)
from wfc.records import asdict, dataclass, field, replace

_CACHE_FOLDER = "cache"


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of a command. `baseline` and `fail_level` none: what the configuration says."""

    strict: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_level: Severity | None = None
    baseline: str | None = None
    updates_baseline: bool = False
    cached: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """A text to check under its name, and how. `cache` is the folder for results; none where none is kept.

    `known` names the content of `catalogue`: two that are not the same have not the same name.
    """

    name: str
    data: bytes = field(repr=False)
    strict: bool
    selection: Selection
    libraries: tuple[str, ...]
    store: str
    catalogue: Catalogue
    known: str
    baseline: Baseline | None
    fail_level: Severity
    cache: Path | None


@dataclass(frozen=True, slots=True)
class Around:
    """The project around a text, and what it knows of capabilities, with a name for that."""

    project: Project
    catalogue: Catalogue
    known: str


@dataclass(frozen=True, slots=True)
class Planner:
    """Makes tasks for files; each configuration and baseline is read once."""

    asked: Asked
    projects: dict[str, Around] = field(default_factory=dict)
    baselines: dict[str, Baseline] = field(default_factory=dict)
    looked_at: set[str] = field(default_factory=set)

    def task(self, name: str, data: bytes, *, is_file: bool = True) -> Task:
        """What checking a text means. Raises `ConfigFault`."""
        around, asked = self._around(os.path.dirname(name)), self.asked
        project = around.project
        check = project.settings.check
        selection = Selection(
            asked.select or check.select,
            (*check.ignore, *asked.ignore),
            check.per_file_ignores,
            str(project.folder),
        )
        return Task(
            name=name,
            data=data,
            strict=asked.strict or check.strict,
            selection=selection,
            libraries=project.libraries,
            store=project.store,
            catalogue=around.catalogue,
            known=around.known,
            baseline=self._baseline(project),
            fail_level=asked.fail_level or Severity(check.fail_level),
            cache=_cache(project) if asked.cached and is_file else None,
        )

    @property
    def seen(self) -> list[str]:
        """The files of the configurations and of the baselines, also of those that cannot be read or may still be
        written, and of the locks."""
        projects = [around.project for around in self.projects.values()]
        return [*self.looked_at, *(str(lock_file(one.folder)) for one in projects if one.file is not None)]

    def _around(self, folder: str) -> Around:
        if folder not in self.projects:
            self.looked_at.update(configuration_files(folder))
            self.projects[folder] = _configured(find_configuration(folder), self.asked.cached)
        return self.projects[folder]

    def _baseline(self, project: Project) -> Baseline | None:
        written = project.settings.check.baseline
        file = self.asked.baseline or (None if written is None else os.path.join(project.folder, written))
        if file is not None and file not in self.baselines:
            self.looked_at.add(file)
            self.baselines[file] = read_baseline(file, may_be_missing=self.asked.updates_baseline)
        return None if file is None else self.baselines[file]


def _configured(found: Found, cached: bool) -> Around:
    """The project with what of its settings concerns a check. What was parsed once is kept."""
    bare = Project(found.place, named=found.named)
    if found.file is None:
        return Around(bare, NOTHING_KNOWN, "")
    folder = _cache(bare) if cached else None
    locked = lock_bytes(found.folder) if "sources" in found.table else b""
    name = entry_name("settings", str(found.file), json.dumps(found.table, default=str), digest(locked))
    kept = _kept(look_up(folder, name))
    if kept is None:
        parsed = configured(found).settings
        settings = Settings(libraries=parsed.libraries, store=parsed.store, check=parsed.check)
        catalogue = catalogue_of(parsed, lock_of(locked, str(lock_file(found.folder))), str(found.file))
        told = {
            "libraries": parsed.libraries,
            "store": parsed.store,
            "check": asdict(parsed.check),
            "catalogue": catalogue_json(catalogue),
        }
        keep(folder, name, told)
        kept = settings, catalogue
    return Around(replace(bare, settings=kept[0]), kept[1], name)


def _kept(kept: Any) -> tuple[Settings, Catalogue] | None:
    """What was kept of a configuration; none when it is something else."""
    try:
        check = CheckSettings(**{key: _frozen(value) for key, value in kept["check"].items()})
        settings = Settings(libraries=tuple(kept["libraries"]), store=kept["store"], check=check)
        return settings, catalogue_from_json(kept["catalogue"])
    except (KeyError, TypeError, AttributeError, ValueError):
        return None


def _cache(project: Project) -> Path:
    return project.folder / DATA_FOLDER / _CACHE_FOLDER


def _frozen(value: Any) -> Any:
    """A value as it stands in settings: JSON has lists where they have tuples."""
    if isinstance(value, dict):
        return {key: _frozen(inner) for key, inner in value.items()}
    return tuple(value) if isinstance(value, list) else value
