"""Workflows as a client hands them over: an object, a text, the path of a file, a published version, or the hash of
what was seen before.

Guarantees: whatever is said of a workflow is said beside the hash of exactly what was looked at, children included;
only workflow files below the folder of the server are read or written.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wfc import driver
from wfc.backends.stores import open_store
from wfc.deploying import DEPLOYMENT
from wfc.edits import PatchFault
from wfc.project import WORKFLOW_SUFFIXES, find_project
from wfc.publishing import found_artifact, is_artifact
from wfc.records import dataclass
from wfc.source import edited

_HASH = "sha256:"
_KEPT = 100
_OBJECT = "workflow.wf.json"
# Without an ending the name leaves it to the text which form it has.
_TEXT = "workflow"


class DocumentFault(Exception):
    """A workflow that cannot be looked at, or a place that cannot be written: one sentence with what was expected."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A workflow as it was looked at: its name, its text, and the hash of it and of all that it contains."""

    given: driver.Loaded
    hash: str

    @property
    def name(self) -> str:
        return self.given.root.name

    @property
    def has_lines(self) -> bool:
        """Whether the client wrote lines: a text or a file, not an object."""
        return self.name != _OBJECT

    @property
    def text(self) -> str:
        return self.given.root.source.text


class Documents:
    """What one server was handed. The last hundred workflows are known by their hashes. `store` is where published ones
    are; none: where the configuration says."""

    def __init__(self, store: str | None = None) -> None:
        self._store = store
        self._texts: OrderedDict[str, tuple[str, str]] = OrderedDict()

    def seen(self, workflow: Any) -> Seen:
        """Read what a client means. Raises `DocumentFault`."""
        if isinstance(workflow, Mapping):
            return self._read(_OBJECT, json.dumps(workflow, indent=2))
        text = str(workflow)
        if text.startswith(_HASH):
            if text not in self._texts:
                raise DocumentFault(f"`{text}` is no workflow that was seen here lately; hand it over as a whole")
            return self._read(*self._texts[text])
        if text.lstrip()[:1] in ("{", "[") or "\n" in text:
            return self._read(_TEXT, text)
        if is_artifact(text):
            return self._published(text)
        if text.startswith(DEPLOYMENT):
            raise DocumentFault(f"`{text}` is a workflow that is bound already, to be planned and run as it is")
        path = inside_the_folder(text)
        try:
            return self._read(path, Path(path).read_bytes())
        except OSError as wrong:
            raise DocumentFault(f"{path} cannot be read: {str(wrong.strerror).lower()}") from None

    def changed(self, seen: Seen, patch: list[Mapping[str, Any]]) -> Seen:
        """The workflow after an RFC 6902 patch, in its own form. Raises `DocumentFault` for one that does not apply."""
        if not seen.given.root.readable:
            raise DocumentFault("the workflow could not be read, so no patch applies to it; hand over a whole one")
        try:
            changes = seen.given.root.edits(patch)
        except PatchFault as wrong:
            raise DocumentFault(f"the patch does not apply: {wrong}") from None
        return self._read(seen.name, edited(seen.text, changes))

    def kept(self, given: driver.Loaded) -> Seen:
        """A workflow that was loaded, remembered."""
        parts = [given.root.source.text]
        parts += [one.source.text for name, one in sorted(given.documents.items()) if name != given.root.name]
        digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
        hash = f"{_HASH}{digest[:32]}"
        self._texts[hash] = given.root.name, given.root.source.text
        self._texts.move_to_end(hash)
        if len(self._texts) > _KEPT:
            self._texts.popitem(last=False)
        return Seen(given, hash)

    def _published(self, reference: str) -> Seen:
        """The document of a version, which stands for itself: as a text like any other it can be changed and saved."""
        store = self._store or find_project().store
        return self._read(_TEXT, found_artifact(reference, open_store(store).library).document)

    def _read(self, name: str, text: str | bytes) -> Seen:
        return self.kept(driver.loads(text, name=name, store=self._store))


def inside_the_folder(path: str) -> str:
    """A workflow file below the current folder, relative to it. Raises `DocumentFault` for any other."""
    here = os.path.realpath(".")
    place = os.path.relpath(os.path.realpath(path), here)
    if os.path.isabs(path) or place.startswith("..") or "\0" in path:
        raise DocumentFault(f"`{path}` lies outside the folder of this server; expected a path below it")
    if not path.endswith(WORKFLOW_SUFFIXES):
        raise DocumentFault(
            f"`{path}` is no workflow file; expected a name that ends with {' or '.join(WORKFLOW_SUFFIXES)}"
        )
    return os.path.normpath(path)
