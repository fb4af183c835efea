"""Workflows read, with everything that they contain: from files, texts, values and builders, in either form."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from wfc.digests import sha256
from wfc.records import dataclass, field
from wfc.source import Source as Text

if TYPE_CHECKING:
    from wfc.frontend import Document, Elaborated, Form, Stored
    from wfc.ir import Catalogue, Link, Module
    from wfc.project import Seen, Shelf

Find = Callable[["Document", str], tuple["Document", ...]]
# How references to published workflows, and the documents of these, begin.
ARTIFACT = "artifact:"
_NOWHERE = ""


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
    stored: Stored
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
        return sha256(b"".join(b"%d:%b" % (len(part), part) for part in parts))


Source = Loaded | str | os.PathLike[str] | Mapping[str, Any]


# With fewer new objects the collector is as quick as asking whether any are frozen, in a process that froze many.
_MANY = 200_000


@contextmanager
def unswept() -> Iterator[None]:
    """Without the garbage collector, which would look through a module while it grows, and find nothing to collect.

    What has been made in the meantime is old when the collector begins again: it would look through all of it at once.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            # Freezing and thawing is the one way to say so. What an embedder has frozen stays so.
            if gc.get_count()[0] > _MANY and not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


@unswept()
def load(
    path: str | os.PathLike[str],
    *,
    libraries: Sequence[str] | None = None,
    catalogue: Catalogue | None = None,
    store: str | None = None,
) -> Loaded:
    """Read a workflow file and the files that it refers to. Raises `OSError` for a file that cannot be read.

    `libraries` are the folders in which children are looked for, `catalogue` is what is known of capabilities, `store`
    is where published ones are; by default those of the configuration around the file.
    """
    from wfc.frontend import read_document

    with open(path, "rb") as file:
        return _load(read_document(str(path), file.read()), libraries, catalogue=catalogue, store=store)


@unswept()
def loads(
    text: str | bytes,
    *,
    form: Form | None = None,
    name: str = "<text>",
    libraries: Sequence[str] | None = None,
    shelf: Shelf[Document] | None = None,
    beside: Mapping[str, str] | None = None,
    catalogue: Catalogue | None = None,
    store: str | None = None,
) -> Loaded:
    """Read a workflow from a text; children are looked for beside `name` and in `libraries`, published ones in `store`,
    as for `load`.

    `form` is `json` or `text`; by default what the name and the beginning of the text say. Where several are read while
    nothing changes, they may share a `shelf`. `beside` are the texts of files by name that stand for the folder, and
    nothing is looked for elsewhere. `catalogue` is what is known of capabilities; by default what the configuration and
    its lock know.
    """
    from wfc.frontend import FORMS, read_document
    from wfc.project import Shelf

    if beside is not None:
        libraries, shelf, store = (), Shelf.holding(read_document, beside), _NOWHERE
    if form not in (None, *FORMS):
        raise ValueError(f"`{form}` is no form of a workflow; expected `json` or `text`")
    return _load(read_document(name, text, form), libraries, shelf, catalogue, store)


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
    store: str | None = None,
) -> Loaded:
    from wfc.frontend import elaborate, read_document
    from wfc.project import Seen, Shelf, find_project, reach

    if libraries is None or catalogue is None:
        project = find_project(os.path.dirname(root.name) or None)
        store = project.store if store is None else store
        libraries = project.libraries if libraries is None else libraries
        catalogue = project.catalogue if catalogue is None else catalogue
    seen = Seen()
    find = _outside_of_stores(reach(root, libraries, shelf or Shelf(read_document), seen))
    stored = _looking_into(store, seen)
    return Loaded(root, find, elaborate(root, find, catalogue, stored), seen, catalogue, stored)


def _outside_of_stores(find: Find) -> Find:
    """What a published workflow means by a name is in its own document."""

    def found(document: Document, name: str) -> tuple[Document, ...]:
        return () if document.name.startswith(ARTIFACT) else find(document, name)

    return found


def _looking_into(store: str | None, seen: Seen) -> Stored:
    """Published workflows, each read once. The store is opened when there is a reference to look up."""
    documents: dict[str, Document | Link] = {}

    def stored(artifact_id: str, version: int) -> Document | Link:
        name = f"{ARTIFACT}{artifact_id}@{version}"
        if name not in documents:
            documents[name] = _stored(store, artifact_id, version)
            # No file is so called, and so the finding is never taken for one that still holds: stores change.
            seen.files[name] = name
        return documents[name]

    return stored


def _stored(store: str | None, artifact_id: str, version: int) -> Document | Link:
    from wfc.backends.stores import UnknownArtifact, open_store
    from wfc.frontend import read_json
    from wfc.ir import Unknown, Unresolved

    if store in (None, _NOWHERE):
        return Unresolved()
    library = open_store(store).library
    if not library.is_there:
        return Unresolved()
    try:
        found = library.artifact(artifact_id, version)
    except UnknownArtifact:
        return Unknown(tuple(str(one) for one in library.artifacts()))
    return read_json(str(found.summary), found.document)


def loaded(source: Source) -> Loaded:
    """The source itself when it is loaded already; else a path or a JSON value, read."""
    if isinstance(source, Loaded):
        return source
    return from_value(source) if isinstance(source, Mapping) else load(source)
