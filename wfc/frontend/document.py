"""What was written: a JSON value and where each part of it stands in its text.

Guarantees: reading never raises for bad input and never recurses; a readable document has a value that lost nothing
(reference 1.1). Positions are looked up only when somebody asks, and each container is looked through once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from wfc.diagnostics import Applicability, Diagnostic, Fix, InternalError, Place, Related
from wfc.edits import PatchFault
from wfc.frontend.decoding import decoded
from wfc.frontend.fault_codes import NOT_JSON
from wfc.frontend.faults import Fault, faults
from wfc.frontend.json_edits import json_edits
from wfc.frontend.json_places import Entry, entries, whole
from wfc.ir import NotJson, plain_json, strict_value, to_json
from wfc.records import dataclass, field, replace
from wfc.source import Edit, Source, Span, pointer, pointer_parts


@dataclass(frozen=True)
class Document:
    """A document by its name. `value` is none, and `readable` false, where the text is no JSON.

    `diagnostics` are those of WF001 to WF005. `text` is none for a value that was given from Python.
    `promised` are workflows that it refers to by name and that are prepared only when it runs, if at all.
    """

    name: str
    value: Any = field(repr=False)
    readable: bool
    diagnostics: tuple[Diagnostic, ...] = ()
    text: str | None = field(default=None, repr=False)
    promised: frozenset[str] = frozenset()

    @cached_property
    def source(self) -> Source:
        """The text; of a value given from Python its pretty print, which is then what positions refer to."""
        return Source(self.name, "".join(_printed(self.value)) if self.text is None else self.text)

    @property
    def sources(self) -> dict[str, Source]:
        """The texts in which its parts were written, by the names of their files."""
        return {self.name: self.source}

    def file_of(self, written: str) -> str:
        """The file in which the value of a pointer was written."""
        return self.name

    @cached_property
    def workflow_names(self) -> tuple[str, ...]:
        """The names of the workflows in here, in their order; one without a name is left out."""
        named = [raw.get("name") for _, raw in self.workflows() if isinstance(raw, dict)]
        return tuple(name for name in named if isinstance(name, str))

    def workflows(self) -> list[tuple[str, Any]]:
        """The workflows as written, each with its pointer: those of a module, or the one that the document is."""
        listed = self.value.get("workflows") if isinstance(self.value, dict) else None
        if isinstance(listed, list):
            return [(f"/workflows/{index}", raw) for index, raw in enumerate(listed)]
        return [("", self.value)] if isinstance(self.value, dict) and "workflows" not in self.value else []

    def existing(self, written: str) -> str:
        """The longest beginning of a JSON pointer that leads to something here; all of it where nothing was read."""
        return pointer(*self._descend(written)[0]) if self.readable else written

    def locate(self, written: str, *, key: bool = False) -> Span:
        """Where the value of a pointer stands, or with `key` its key; of what is not there, the nearest around it."""
        if not self.readable:
            return self.source.span(0, 0)
        reached, (name, value) = self._descend(written)
        start, end = name if key and name is not None and len(reached) == len(pointer_parts(written)) else value
        return self.source.span(start, end)

    def edits(self, patch: Iterable[Mapping[str, Any]]) -> tuple[Edit, ...]:
        """An RFC 6902 patch as changes of the text that leave all else as it is; raises `PatchFault`."""
        if not self.readable:
            raise PatchFault(f"`{self.name}` could not be read")
        return json_edits(self.source.text, self.value, patch, self._whole[1], self._entries)

    @property
    def is_editable(self) -> bool:
        """Whether changes can be made in its text."""
        return True

    @property
    def restated(self) -> Document:
        """The same document in a text that can be edited."""
        return self

    def again(self, text: str) -> Document:
        """The document that another text under this name is, in the same form."""
        return replace(read_json(self.name, text), promised=self.promised)

    def _descend(self, written: str) -> tuple[tuple[str, ...], Entry]:
        entry = self._whole
        reached: tuple[str, ...] = ()
        for part in pointer_parts(written):
            inside = self._entries(entry[1][0])
            if part not in inside:
                break
            entry = inside[part]
            reached = (*reached, part)
        return reached, entry

    @cached_property
    def _whole(self) -> Entry:
        return (None, whole(self.source.text))

    @cached_property
    def _looked_through(self) -> dict[int, dict[str, Entry]]:
        return {}

    def _entries(self, start: int) -> dict[str, Entry]:
        """What stands directly in the container whose text begins at `start`."""
        known = self._looked_through.get(start)
        if known is None:
            known = dict(entries(self.source.text, start))
            self._looked_through[start] = known
        return known


def read_json(name: str, data: bytes | str) -> Document:
    """Read a document from the content of a file. `name` is the file as the user gave it. Never raises."""
    text, wrong = decoded(data)
    return refused(name, text, wrong) if wrong else _read_text(name, text)


def _read_text(name: str, text: str) -> Document:
    """The C parser reads the text; the scanner looks at it where that fails, or may have let something pass."""
    plain = plain_json(text)
    if plain is not None:
        return Document(name, plain[0], True, (), text)
    found = faults(text)
    if found:
        return refused(name, text, found)
    try:
        return Document(name, strict_value(text), True, (), text)
    except (ValueError, RecursionError):
        raise InternalError("no fault found in a text that the JSON parser refuses", text[:1000]) from None


def refused(name: str, text: str, found: list[Fault]) -> Document:
    """A document that cannot be read, with what is wrong with its text."""
    source = Source(name, text)
    return Document(name, None, False, tuple(diagnostic_of(source, fault) for fault in found), text)


def diagnostic_of(source: Source, fault: Fault) -> Diagnostic:
    """A fault of a text as a finding."""
    at = Place(source.name, pointer(*fault.pointer), span=source.span(fault.start, fault.end))
    related: tuple[Related, ...] = ()
    if fault.first is not None:
        earlier = Place(source.name, at.pointer, span=source.span(*fault.first))
        related = (Related("conflicts", earlier, "the first of the two"),)
    fixes = tuple(
        Fix(
            one.title,
            source.name,
            (),
            Applicability.SAFE if one.sure and one.safe else Applicability.UNSAFE,
            edits=one.edits,
        )
        for one in fault.mends
    )
    found = fault.code.at(at, related=related, fixes=fixes, **fault.facts)
    return found if fault.hint is None else replace(found, help=fault.hint)


def document_of(value: Any, name: str = "<python>") -> Document:
    """A document from a value that was given from Python; what is no JSON in it is a diagnostic."""
    try:
        return Document(name, to_json(value), True)
    except NotJson as wrong:
        found = NOT_JSON.at(Place(name, ""), got=f"what JSON cannot hold ({wrong})", expected="plain JSON values")
        return Document(name, None, False, (found,), "")


def _printed(value: Any, step: str = "  ") -> Iterator[str]:
    """JSON text with two spaces a level, made without recursion."""
    scalar = json.JSONEncoder(ensure_ascii=False).encode
    waiting: list[tuple[str, Any, int]] = [("", value, 0)]
    while waiting:
        lead, item, depth = waiting.pop()
        yield lead
        if item is _CLOSED:
            continue
        if not isinstance(item, (dict, list)) or not item:
            yield scalar(item)
            continue
        pad = "\n" + step * (depth + 1)
        if isinstance(item, dict):
            rows = [(f"{scalar(key)}: ", inner) for key, inner in item.items()]
        else:
            rows = [("", inner) for inner in item]
        yield "{" if isinstance(item, dict) else "["
        waiting.append(("\n" + step * depth + ("}" if isinstance(item, dict) else "]"), _CLOSED, depth))
        for place in range(len(rows) - 1, -1, -1):
            head, inner = rows[place]
            waiting.append((("," if place else "") + pad + head, inner, depth + 1))


_CLOSED = object()
