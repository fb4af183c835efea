"""From what was written to what is meant: shapes read, defaults filled, older spellings renewed, workflows linked.

Guarantees (reference 1): never raises for what an author wrote; each fault is reported once, where it stands; what a
fault makes unreadable is a hole, and what only follows from it is not reported. Reading reads nothing but documents:
`find` alone reaches outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.diagnostics import Diagnostic, Place
from wfc.frontend.document import Document
from wfc.frontend.findings import Finding, diagnose
from wfc.frontend.linking import Find, Linker, Stored, nothing_stored
from wfc.frontend.model import AGAIN, DOCUMENT
from wfc.frontend.reader import Record, read
from wfc.frontend.scalars import HOLE
from wfc.frontend.workflows import workflow
from wfc.ir import NOTHING_KNOWN, Catalogue, Module, Workflow
from wfc.records import dataclass, replace


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
    """A document as read: all of it, its workflows by their index there, and what was found.

    Findings are kept by the pointer of the workflow that they lie in, those outside of workflows under none.
    """

    document: Document
    top: Any
    workflows: list[Any]
    findings: dict[str | None, list[Finding]]


def elaborate(
    root: Document, find: Find, catalogue: Catalogue = NOTHING_KNOWN, stored: Stored = nothing_stored
) -> Elaborated:
    """Read a document and every workflow that it refers to; `find` gives the documents in reach that hold a name.

    `catalogue` is what is known of the capabilities that definitions name, `stored` gives published workflows.
    """
    if not root.readable:
        return Elaborated(None, {root.name: root}, root.diagnostics)
    sheets = {root.name: _sheet(root)}
    linker = Linker(find, _mean_the_same, stored)
    for place, as_read in enumerate(sheets[root.name].workflows):
        if isinstance(as_read, Record) and (as_read["name"] is not HOLE or as_read["nodes"] is not HOLE):
            linker.index(root, place)
    made: list[Workflow] = []
    while len(made) < len(linker.order):
        document, place = linker.order[len(made)]
        if document.name not in sheets:
            sheets[document.name] = _sheet(document)
        sheet = sheets[document.name]
        as_read = sheet.workflows[place]
        made.append(workflow(as_read, document, linker, catalogue, sheet.findings[as_read.pointer]))
    module = _module(sheets[root.name], tuple(made), linker) if made else None
    if module is not None:
        module = replace(module, catalogue=catalogue)
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
    findings: dict[str | None, list[Finding]] = {each.pointer: [] for each in workflows if isinstance(each, Record)}
    for found in reading.findings:
        findings.setdefault(_owner(found.pointer, findings), []).append(found)
    return _Sheet(document, top, workflows, findings)


def _owner(pointer: str, workflows: dict[str | None, list[Finding]]) -> str | None:
    """The workflow that a pointer lies in: the document itself, or the first two segments of a module's."""
    if "" in workflows:
        return ""
    above = "/".join(pointer.split("/", 3)[:3])
    return above if above in workflows else None


def _diagnostics(sheet: _Sheet, linker: Linker, root: Document) -> list[Diagnostic]:
    """What was found in a document; of one that only lends workflows, what concerns these."""
    lent = {
        each.pointer
        for place, each in enumerate(sheet.workflows)
        if isinstance(each, Record) and (sheet.document.name, place) in linker.indexes
    }
    concerned = [
        found
        for owner, inside in sheet.findings.items()
        for found in inside
        if sheet.document is root or owner is None or owner in lent
    ]
    return diagnose(sheet.document, concerned)


def _module(sheet: _Sheet, workflows: tuple[Workflow, ...], linker: Linker) -> Module:
    document, at = sheet.document, Place(sheet.document.name, "")
    if "workflows" not in sheet.top.fields:
        return Module(workflows, 0, at)
    named = sheet.top["main"]
    if named is None and "main" not in sheet.top.given:
        return Module(workflows, linker.indexes.get((document.name, 0)), at, None, sheet.top.extra)
    names = [each["name"] if isinstance(each, Record) else None for each in sheet.workflows]
    place = names.index(named) if isinstance(named, str) and named in names else None
    main = None if place is None else linker.indexes.get((document.name, place))
    # A workflow whose name could not be read may be the one that is named.
    unsure = not all(isinstance(name, str) for name in names)
    return Module(workflows, main, at, named if place is None and not unsure else None, sheet.top.extra)
