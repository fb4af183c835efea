"""Which documents a subgraph reference can mean: those beside the referring file, and those in the library folders.

Reference 1.1. Every file is read at most once, and the document that was given first is never read again. Files that
do not parse hold no workflow and so are skipped.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from wfc.project.find import WORKFLOW_SUFFIXES
from wfc.records import dataclass, field


class Readable(Protocol):
    """What has to be known of a document here."""

    @property
    def name(self) -> str: ...

    @property
    def workflow_names(self) -> tuple[str, ...]: ...


_D = TypeVar("_D", bound=Readable)


@dataclass(frozen=True, slots=True)
class Seen:
    """What was looked at besides the document that was given: the workflow files of folders, the content of files."""

    folders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    files: dict[str, str | None] = field(default_factory=dict)

    def holds(self) -> bool:
        """Whether all of it is still the same."""
        return all(workflow_files(folder) == names for folder, names in self.folders.items()) and all(
            digest(content_of(file)) == known for file, known in self.files.items()
        )


def reach(
    root: _D, libraries: Sequence[str], read: Callable[[str, bytes], _D], seen: Seen
) -> Callable[[_D, str], tuple[_D, ...]]:
    """A function that finds the documents in reach of one of them that hold a workflow of a name, in name order.

    What it looks at is written down in `seen`.
    """
    known: dict[str, _D | None] = {os.path.realpath(root.name): root}

    def opened(file: str) -> _D | None:
        place = os.path.realpath(file)
        if place not in known:
            content = content_of(file)
            seen.files[file] = digest(content)
            known[place] = None if content is None else read(file, content)
        return known[place]

    def files(folder: str) -> list[str]:
        if folder not in seen.folders:
            seen.folders[folder] = workflow_files(folder)
        return [os.path.join(folder, name) for name in seen.folders[folder]]

    def find(document: _D, name: str) -> tuple[_D, ...]:
        folders = (os.path.dirname(document.name), *libraries)
        opening = (opened(file) for folder in folders for file in files(folder))
        documents = {id(found): found for found in opening if found is not None}
        return tuple(found for found in documents.values() if name in found.workflow_names)

    return find


def workflow_files(folder: str) -> tuple[str, ...]:
    """The names of the workflow files in a folder; an empty name means the current one."""
    names = os.listdir(folder or ".") if os.path.isdir(folder or ".") else ()
    return tuple(name for name in sorted(names) if name.endswith(WORKFLOW_SUFFIXES))


def content_of(file: str) -> bytes | None:
    """The content of a file; none for one that the system does not let us read."""
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError:
        return None


def digest(content: bytes | None) -> str | None:
    """A short name for a content."""
    return None if content is None else hashlib.blake2b(content, digest_size=16).hexdigest()
