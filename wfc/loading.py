"""Workflows read, with everything that they contain: from files, texts, values and builders, in either form."""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from wfc.records import dataclass, field
from wfc.source import Source as Text

if TYPE_CHECKING:
    from wfc.frontend import Document, Elaborated, Form
    from wfc.ir import Catalogue, Module
    from wfc.project import Seen, Shelf

Find = Callable[["Document", str], tuple["Document", ...]]


@dataclass(frozen=True)
class Loaded:
    """A workflow as it was read, with everything that it contains.

    `tried` remembers what was found in these texts and in what fixes made of them, which is asked for again and again.
    """

    root: Document
    find: Find
    elaborated: Elaborated
    seen: Seen
    catalogue: Catalogue
    tried: dict[tuple[str, bool], Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def module(self) -> Module | None:
        return self.elaborated.module

    @property
    def documents(self) -> Mapping[str, Document]:
        """Every document that was read, by its name."""
        return self.elaborated.documents

    @property
    def texts(self) -> dict[str, Text]:
        """What their authors wrote, by the same names."""
        return {name: text for document in self.documents.values() for name, text in document.sources.items()}

    @property
    def size(self) -> int:
        return sum(len(text.text) for text in self.texts.values())

    def identity(self, changed: Mapping[str, str]) -> str:
        """A short name for all that was read, with other texts where they are given."""
        texts = {name: changed.get(name, document.source.text) for name, document in sorted(self.documents.items())}
        parts = [part.encode(errors="surrogatepass") for one in texts.items() for part in one]
        return hashlib.sha256(b"".join(b"%d:%b" % (len(part), part) for part in parts)).hexdigest()


Source = Loaded | str | os.PathLike[str] | Mapping[str, Any]


@contextmanager
def unswept() -> Iterator[None]:
    """Without the garbage collector, which would look through a module while it grows, and find nothing to collect."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def load(path: str | os.PathLike[str], *, libraries: Sequence[str] | None = None) -> Loaded:
    """Read a workflow file and the files that it refers to. Raises `OSError` for a file that cannot be read.

    `libraries` are the folders in which children are looked for; by default those of the configuration around the file.
    """
    from wfc.frontend import read_document

    with open(path, "rb") as file:
        return _load(read_document(str(path), file.read()), libraries)


def loads(
    text: str | bytes,
    *,
    form: Form | None = None,
    name: str = "<text>",
    libraries: Sequence[str] | None = None,
    shelf: Shelf[Document] | None = None,
    beside: Mapping[str, str] | None = None,
    catalogue: Catalogue | None = None,
) -> Loaded:
    """Read a workflow from a text; children are looked for beside `name` and in `libraries`, as for `load`.

    `form` is `json` or `text`; by default what the name and the beginning of the text say. Where several are read while
    nothing changes, they may share a `shelf`. `beside` are the texts of files by name that stand for the folder, and
    nothing is looked for elsewhere. `catalogue` is what is known of capabilities; by default what the configuration and
    its lock know.
    """
    from wfc.frontend import FORMS, read_document
    from wfc.project import Shelf

    if beside is not None:
        libraries, shelf = (), Shelf.holding(read_document, beside)
    if form not in (None, *FORMS):
        raise ValueError(f"`{form}` is no form of a workflow; expected `json` or `text`")
    return _load(read_document(name, text, form), libraries, shelf, catalogue)


def from_value(value: Mapping[str, Any], *, name: str = "<python>") -> Loaded:
    """Read a workflow from a JSON value."""
    from wfc.frontend import document_of

    return _load(document_of(value, name), None)


def from_document(document: Document) -> Loaded:
    """Read a workflow from a document that was made in another way, such as by a builder."""
    return _load(document, None)


@unswept()
def _load(
    root: Document,
    libraries: Sequence[str] | None,
    shelf: Shelf[Document] | None = None,
    catalogue: Catalogue | None = None,
) -> Loaded:
    from wfc.frontend import elaborate, read_document
    from wfc.project import Seen, Shelf, find_project, reach

    if libraries is None or catalogue is None:
        project = find_project(os.path.dirname(root.name) or None)
        libraries = project.libraries if libraries is None else libraries
        catalogue = project.catalogue if catalogue is None else catalogue
    seen = Seen()
    find = reach(root, libraries, shelf or Shelf(read_document), seen)
    return Loaded(root, find, elaborate(root, find, catalogue), seen, catalogue)


def loaded(source: Source) -> Loaded:
    """The source itself when it is loaded already; else a path or a JSON value, read."""
    if isinstance(source, Loaded):
        return source
    return from_value(source) if isinstance(source, Mapping) else load(source)
