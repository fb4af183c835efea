"""Where a command works: the configuration above a file, the folder for what `wfc` keeps, the files that are meant.

Reference 4.2: `wfc.toml`, or `[tool.wfc]` in `pyproject.toml`, found by walking up; `.wfc/` stands beside it, else in
the current folder. Paths are relative to the current folder wherever they were given so, never absolute by our doing.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wfc.project.settings import ConfigFault, Settings
from wfc.records import dataclass, field

if TYPE_CHECKING:
    from pathlib import Path

    from wfc.ir import Catalogue

CONFIG_NAME = "wfc.toml"
PYPROJECT_NAME = "pyproject.toml"
DATA_FOLDER = ".wfc"
STORE_NAME = "wfc.db"
WORKFLOW_SUFFIXES = (".wf.json", ".wf")
TEST_SUFFIXES = (".wftest.json",)


@dataclass(frozen=True, slots=True)
class Project:
    """A configuration and where it was found; `named` none: there is none, and `place` is the current one."""

    place: str = "."
    settings: Settings = field(default_factory=Settings)
    named: str | None = None

    @property
    def folder(self) -> Path:
        return _path(self.place)

    @property
    def file(self) -> Path | None:
        return None if self.named is None else _path(self.named)

    @property
    def store(self) -> str:
        """The path or address of the store for durable runs."""
        named = self.settings.store
        if named is None:
            named = f"{DATA_FOLDER}/{STORE_NAME}"
        return self.placed(named)

    def placed(self, named: str) -> str:
        """A store that the configuration names, seen from the current folder."""
        return named if "://" in named else os.path.normpath(os.path.join(self.place, named))

    @property
    def catalogue(self) -> Catalogue:
        """What the configuration and its lock know of capabilities. Raises `ConfigFault` for a lock that is none."""
        if not self.settings.sources:
            from wfc.ir import NOTHING_KNOWN

            return NOTHING_KNOWN
        from wfc.project.catalogue import catalogue_of
        from wfc.project.lock import read_lock

        return catalogue_of(self.settings, read_lock(self.folder), str(self.file))

    @property
    def libraries(self) -> tuple[str, ...]:
        """The library folders. Raises `ConfigFault` for one that is not there."""
        folders = tuple(str(self.folder / library) for library in self.settings.libraries)
        for written, folder in zip(self.settings.libraries, folders, strict=True):
            if not os.path.isdir(folder):
                raise ConfigFault(f"{self.file}: `libraries` names `{written}`, which is no folder beside this file")
        return folders


@dataclass(frozen=True, slots=True)
class Found:
    """A configuration as it is written, before anybody has judged it; `named` none: there is none."""

    place: str = "."
    table: Mapping[str, Any] = field(default_factory=dict)
    named: str | None = None

    @property
    def folder(self) -> Path:
        return _path(self.place)

    @property
    def file(self) -> Path | None:
        return None if self.named is None else _path(self.named)


def _path(name: str) -> Path:
    # It costs as much as many a run, and most runs have no configuration.
    from pathlib import Path

    return Path(name)


def find_project(start: str | None = None) -> Project:
    """The project around a file or folder, by default around the current folder. Raises `ConfigFault`."""
    return configured(find_configuration(start))


def configured(found: Found) -> Project:
    """The project that a configuration means. Raises `ConfigFault`."""
    if found.named is None:
        return Project(found.place)
    from wfc.project.parse import parse_settings

    return Project(found.place, parse_settings(found.table, found.named), found.named)


def find_configuration(start: str | None = None) -> Found:
    """The configuration of that project, as it is written. Raises `ConfigFault` for one that cannot be read."""
    for file in configuration_files(start):
        table = (_read_toml if os.path.basename(file) == CONFIG_NAME else _read_pyproject)(file)
        if table is not None:
            return Found(os.path.relpath(os.path.dirname(file)), table, os.path.relpath(file))
    return Found()


def configuration_files(start: str | None = None) -> Iterator[str]:
    """Where the configuration around a file or folder may stand: the first that is there is the one."""
    for folder in _upwards(os.path.abspath(start or ".")):
        yield from (os.path.join(folder, name) for name in (CONFIG_NAME, PYPROJECT_NAME))


def _upwards(folder: str) -> Iterator[str]:
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _read_pyproject(file: str) -> dict[str, Any] | None:
    """The table `tool.wfc`, where there is one; other people's files are parsed only when they may hold it."""
    try:
        with open(file, "rb") as opened:
            if b"wfc" not in opened.read():
                return None
    except OSError:
        return None
    found = (_read_toml(file) or {}).get("tool", {}).get("wfc")
    if found is None or isinstance(found, dict):
        return found
    raise ConfigFault(f"{os.path.relpath(file)}: `tool.wfc` is no table; expected `[tool.wfc]`")


def _read_toml(file: str) -> dict[str, Any] | None:
    if not os.path.isfile(file):
        if not os.path.lexists(file):
            return None
        there = "a folder" if os.path.isdir(file) else "a link to no file" if os.path.islink(file) else "no file"
        raise ConfigFault(f"{os.path.relpath(file)} is {there}; expected the configuration, as TOML")
    import tomllib

    try:
        # Editors on Windows begin a text with a mark, which TOML does not know.
        with open(file, encoding="utf-8-sig", newline="") as opened:
            return tomllib.loads(opened.read())
    except OSError as wrong:
        raise ConfigFault(f"{os.path.relpath(file)} cannot be read: {str(wrong.strerror).lower()}") from None
    # A text that is none, no TOML, or an integer of thousands of digits; and tables in tables without an end.
    except (ValueError, RecursionError) as wrong:
        raise ConfigFault(f"{os.path.relpath(file)} cannot be read as TOML: {wrong}") from None


def files_under(paths: Sequence[str], suffixes: tuple[str, ...]) -> Iterator[str]:
    """The files that are meant by `paths`, each once: a file as it is, a folder searched for `suffixes`, in name order.

    Hidden folders are left out, and so are pipes in folders, which may never end. A path that is not there is given as
    it is: reading it says what is wrong.
    """
    seen: set[str] = set()
    for path in paths:
        for file in _walk(path, suffixes) if os.path.isdir(path) else (path,):
            if os.path.realpath(file) not in seen:
                seen.add(os.path.realpath(file))
                yield file


def _walk(folder: str, suffixes: tuple[str, ...]) -> Iterator[str]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            file = os.path.join(parent, name)
            if name.endswith(suffixes) and not _is_pipe(file):
                yield os.path.normpath(file)


def _is_pipe(file: str) -> bool:
    try:
        return stat.S_ISFIFO(os.stat(file).st_mode)
    except OSError:
        return False
