"""From what was written to what is meant: shapes read, defaults filled, older spellings renewed, workflows linked.

Guarantees (reference 1): never raises for what an author wrote; each fault is reported once, where it stands; what a
fault makes unreadable is a hole, and what only follows from it is not reported. Reading reads nothing but documents:
`find` alone reaches outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wfc.diagnostics import Diagnostic, Place
from wfc.frontend.document import Document
from wfc.frontend.findings import Finding, diagnose
from wfc.frontend.linking import Find, Linker, place_of_name
from wfc.frontend.model import AGAIN, DOCUMENT
from wfc.frontend.reader import Record, read
from wfc.frontend.scalars import HOLE
from wfc.frontend.workflows import is_inside, workflow
from wfc.ir import Module, Workflow


@dataclass(frozen=True, slots=True)
class Elaborated:
    """The module, the documents it was made from by their names, and what is wrong with them (0xx).

    `module` is none where the root document has no workflow that could be read.
    """

    module: Module | None
    documents: Mapping[str, Document]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A document as read: all of it, its workflows by their index there, and what was found so far."""

    document: Document
    top: Any
    workflows: list[Any]
    findings: list[Finding]


def elaborate(root: Document, find: Find) -> Elaborated:
    """Read a document and every workflow that it refers to; `find` gives the documents in reach that hold a name."""
    if not root.readable:
        return Elaborated(None, {root.name: root}, root.diagnostics)
    sheets = {root.name: _sheet(root)}
    linker = Linker(find, _mean_the_same)
    for place, as_read in enumerate(sheets[root.name].workflows):
        if isinstance(as_read, Record):
            linker.index(root, place)
    made: list[Workflow] = []
    while len(made) < len(linker.order):
        document, place = linker.order[len(made)]
        if document.name not in sheets:
            sheets[document.name] = _sheet(document)
        sheet = sheets[document.name]
        made.append(workflow(sheet.workflows[place], document, linker, sheet.findings))
    module = _module(sheets[root.name], tuple(made), linker) if made else None
    found = [diagnostic for sheet in sheets.values() for diagnostic in _diagnostics(sheet, linker, root)]
    return Elaborated(module, {name: sheet.document for name, sheet in sheets.items()}, tuple(found))


def _mean_the_same(first: Document, second: Document) -> bool:
    """Whether two documents are forms of one module."""
    return elaborate(first, _nowhere).module == elaborate(second, _nowhere).module


def _nowhere(document: Document, name: str) -> tuple[Document, ...]:
    return ()


def _sheet(document: Document) -> _Sheet:
    reading = read(DOCUMENT, document.value, AGAIN)
    top = reading.value
    workflows = [top]
    if isinstance(top, Record) and "workflows" in top.fields:
        workflows = [] if top["workflows"] is HOLE else top["workflows"]
    return _Sheet(document, top, workflows, reading.findings)


def _diagnostics(sheet: _Sheet, linker: Linker, root: Document) -> list[Diagnostic]:
    """What was found in a document; of one that only lends workflows, what concerns these."""
    findings = sheet.findings
    if sheet.document is not root:
        lent = [pointer for place, (pointer, _) in enumerate(sheet.document.workflows())
                if (sheet.document.name, place) not in linker.indexes]  # fmt: skip
        findings = [found for found in findings if not any(is_inside(found.pointer, other) for other in lent)]
    return diagnose(sheet.document, findings)


def _module(sheet: _Sheet, workflows: tuple[Workflow, ...], linker: Linker) -> Module:
    document, at = sheet.document, Place(sheet.document.name, "")
    if "workflows" not in sheet.top.fields:
        return Module(workflows, 0, at)
    named = sheet.top["main"]
    if named is None and "main" not in sheet.top.given:
        return Module(workflows, linker.indexes.get((document.name, 0)), at, None, sheet.top.extra)
    place = place_of_name(document, named) if isinstance(named, str) else None
    main = None if place is None else linker.indexes.get((document.name, place))
    return Module(workflows, main, at, named if place is None else None, sheet.top.extra)
