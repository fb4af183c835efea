"""Which documents a subgraph reference can mean: those beside the referring file, and those in the library folders.

Reference 1.1. Every file is read at most once, and the document that was given first is never read again. Files that
do not parse hold no workflow and so are skipped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from wfc.digests import sha256
from wfc.project.find import WORKFLOW_SUFFIXES
from wfc.records import dataclass, field


class Readable(Protocol):
    """What has to be known of a document here."""

    @property
    def name(self) -> str: ...

    @property
    def workflow_names(self) -> tuple[str, ...]: ...

    @property
    def readable(self) -> bool: ...


_D = TypeVar("_D", bound=Readable)


@dataclass(frozen=True)
class Shelf(Generic[_D]):
    """Folders and files as they were when first looked at. Several checks can share one while nothing changes.

    `read` makes a document of a name and a content.
    """

    read: Callable[[str, bytes], _D]
    _names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _digests: dict[str, str | None] = field(default_factory=dict)
    _documents: dict[str, _D | None] = field(default_factory=dict)
    _places: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def holding(read: Callable[[str, bytes], _D], files: Mapping[str, str]) -> Shelf[_D]:
        """A shelf on which the current folder holds these files, whatever the system has there."""
        contents = {name: text.encode() for name, text in files.items()}
        return Shelf(
            read,
            {"": tuple(sorted(files))},
            {name: digest(content) for name, content in contents.items()},
            {name: read(name, content) for name, content in contents.items()},
        )

    def names(self, folder: str) -> tuple[str, ...]:
        """The workflow files in a folder; an empty name means the current one."""
        if folder not in self._names:
            names = os.listdir(folder or ".") if os.path.isdir(folder or ".") else ()
            self._names[folder] = tuple(name for name in sorted(names) if name.endswith(WORKFLOW_SUFFIXES))
        return self._names[folder]

    def place(self, file: str) -> str:
        """What tells whether two names mean one file."""
        if file not in self._places:
            self._places[file] = os.path.realpath(file)
        return self._places[file]

    def digest(self, file: str) -> str | None:
        """A short name for the content of a file; none for one that the system does not let us read."""
        if file not in self._digests:
            self._digests[file] = digest(content_of(file))
        return self._digests[file]

    def document(self, file: str) -> _D | None:
        """The document of a file; none for one that the system does not let us read."""
        if file not in self._documents:
            content = content_of(file)
            self._digests[file] = digest(content)
            self._documents[file] = None if content is None else self.read(file, content)
        return self._documents[file]


@dataclass(frozen=True, slots=True)
class Seen:
    """What was looked at besides the document that was given: the workflow files of folders, the content of files."""

    folders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    files: dict[str, str | None] = field(default_factory=dict)

    def holds(self, shelf: Shelf[_D]) -> bool:
        """Whether all of it is still the same."""
        return all(shelf.names(folder) == names for folder, names in self.folders.items()) and all(
            shelf.digest(file) == known for file, known in self.files.items()
        )


def reach(root: _D, libraries: Sequence[str], shelf: Shelf[_D], seen: Seen) -> Callable[[_D, str], tuple[_D, ...]]:
    """A function that finds what in reach of a document holds a workflow of a name, or cannot be read, in name order.

    What it looks at is written down in `seen`.
    """
    known: dict[str, _D | None] = {shelf.place(root.name): root}

    def opened(file: str) -> _D | None:
        place = shelf.place(file)
        if place not in known:
            known[place] = shelf.document(file)
            seen.files[file] = shelf.digest(file)
        return known[place]

    def find(document: _D, name: str) -> tuple[_D, ...]:
        documents: dict[int, _D] = {}
        for folder in (os.path.dirname(document.name), *libraries):
            seen.folders[folder] = shelf.names(folder)
            opening = (opened(os.path.join(folder, each)) for each in seen.folders[folder])
            documents |= {id(found): found for found in opening if found is not None}
        return tuple(found for found in documents.values() if name in found.workflow_names or not found.readable)

    return find


def content_of(file: str) -> bytes | None:
    """The content of a file; none for one that the system does not let us read."""
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError:
        return None


def digest(content: bytes | None) -> str | None:
    """A short name for a content."""
    return None if content is None else sha256(content)
