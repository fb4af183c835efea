"""Which documents a subgraph reference can mean: those beside the referring file, and those in the library folders.

Reference 1.1. Every file is read at most once, and the document that was given first is never read again. Files that
do not parse hold no workflow and so are skipped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from wfc.project.find import WORKFLOW_SUFFIXES


class Readable(Protocol):
    """What has to be known of a document here."""

    @property
    def name(self) -> str: ...

    @property
    def workflow_names(self) -> tuple[str, ...]: ...


_D = TypeVar("_D", bound=Readable)


def reach(root: _D, libraries: Sequence[str], read: Callable[[str, bytes], _D]) -> Callable[[_D, str], tuple[_D, ...]]:
    """A function that finds the documents in reach of one of them that hold a workflow of a name, in name order."""
    known: dict[str, _D | None] = {os.path.realpath(root.name): root}

    def opened(file: str) -> _D | None:
        place = os.path.realpath(file)
        if place not in known:
            known[place] = _read(file, read)
        return known[place]

    def find(document: _D, name: str) -> tuple[_D, ...]:
        folders = (os.path.dirname(document.name), *libraries)
        documents = {id(found): found for file in _candidates(folders) if (found := opened(file)) is not None}
        return tuple(found for found in documents.values() if name in found.workflow_names)

    return find


def _candidates(folders: Sequence[str]) -> Iterator[str]:
    for folder in folders:
        names = os.listdir(folder or ".") if os.path.isdir(folder or ".") else ()
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(WORKFLOW_SUFFIXES))


def _read(file: str, read: Callable[[str, bytes], _D]) -> _D | None:
    """The document of a file; none for one that the system does not let us read."""
    try:
        with open(file, "rb") as opened:
            return read(file, opened.read())
    except OSError:
        return None
