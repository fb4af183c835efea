"""The document that a draft gives: its positions are those of Python calls.

It stands where a document that was read from a text stands, and answers the same questions. Nothing of it can be edited
in place: a fix of it is a patch of its value, which its author carries over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from wfc.diagnostics import Diagnostic, Place
from wfc.edits import PatchFault
from wfc.frontend.builder.calls import Call
from wfc.frontend.builder.written import Fault, Written, assembled
from wfc.frontend.document import Document, document_of
from wfc.frontend.fault_codes import NOT_JSON, TOO_DEEP
from wfc.ir import MAX_DEPTH
from wfc.records import dataclass, field, replace
from wfc.source import Edit, Source, Span, lookup, pointer, pointer_parts


@dataclass(frozen=True)
class BuiltDocument(Document):
    """A document from Python. `places` are the calls of its parts by their pointers; `""` is that of the builder."""

    places: Mapping[str, Call] = field(default_factory=dict, repr=False)

    @cached_property
    def source(self) -> Source:
        return self.places[""].source

    @cached_property
    def sources(self) -> dict[str, Source]:
        """The texts of every file in which a part was called for."""
        files = {call.code.co_filename: call for call in self.places.values()}
        texts = {call.file: call.source for call in files.values()}
        return {file: source for file, source in texts.items() if source.text}

    def file_of(self, written: str) -> str:
        return self._call(written).file

    def existing(self, written: str) -> str:
        return pointer(*lookup(self.value, pointer_parts(written))[1]) if self.readable else ""

    def locate(self, written: str, *, key: bool = False) -> Span:
        """Where the nearest call stands that said this."""
        return self._call(written).span

    @property
    def is_editable(self) -> bool:
        return False

    @property
    def restated(self) -> Document:
        return replace(document_of(self.value, self.name), promised=self.promised)

    def edits(self, patch: Iterable[Mapping[str, Any]]) -> tuple[Edit, ...]:
        raise PatchFault(f"`{self.name}` is Python, which nothing edits")

    def _call(self, written: str) -> Call:
        at = written
        while at not in self.places:
            at = at.rpartition("/")[0]
        return self.places[at]


def built(top: Written, promised: frozenset[str]) -> BuiltDocument:
    """The document of a draft; `promised` are the workflows that steps refer to and that are not prepared."""
    whole = assembled(top)
    name = whole.places[""].file
    if whole.faults:
        found = tuple(_told(fault) for fault in whole.faults)
        return BuiltDocument(name, None, False, found, places=whole.places)
    return BuiltDocument(name, whole.value, True, places=whole.places, promised=promised)


def _told(fault: Fault) -> Diagnostic:
    at = Place(fault.call.file, "", span=fault.call.span)
    if fault.message is None:
        return TOO_DEEP.at(at, limit=MAX_DEPTH)
    return NOT_JSON.at(at, got=f"what JSON cannot hold ({fault.message})", expected="plain JSON values")
