"""One workflow as read becomes one as meant: older spellings renewed, schemas judged, definitions found, steps made.

Where something has no readable name, whatever refers to a name that is nowhere may mean it; such references become
holes instead of faults of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wfc.diagnostics import Place, Severity
from wfc.frontend.bindings import records
from wfc.frontend.definitions import builtin_def, node_def
from wfc.frontend.document import Document
from wfc.frontend.findings import Finding
from wfc.frontend.legacy import modernised, nested_fields, string_reference
from wfc.frontend.linking import Linker
from wfc.frontend.reader import Record
from wfc.frontend.reader_codes import SKIPPED_FILE
from wfc.frontend.repairs import Surroundings, better_repairs
from wfc.frontend.scalars import HOLE
from wfc.frontend.schema_check import object_schema_at
from wfc.frontend.schema_codes import BAD_SCHEMA, UNRESOLVABLE_REF
from wfc.frontend.steps import Around, step
from wfc.frontend.stray_edges import take_edges
from wfc.ir import END, OBJECT, Catalogue, Edge, Link, NodeDef, Schema, Step, Workflow, WorkflowRef
from wfc.ir.std import BY_NAME
from wfc.source import lookup, pointer_parts


def workflow(
    read: Record, document: Document, linker: Linker, catalogue: Catalogue, findings: list[Finding]
) -> Workflow:
    """One workflow of a document; `findings` are those of reading it, and what is found on the way is added."""
    at = Place(document.name, read.pointer, "" if read["name"] is HOLE else read["name"])
    input_schema, output_schema = (_schema(read, name, findings) for name in ("input_schema", "output_schema"))
    state_schema = _state_schema(read, findings)
    defs = _Definitions(_defs(read, at, catalogue, findings))
    lost = read["node_defs"] is HOLE or len(defs.every) < len(read["node_defs"])

    def link(ref: WorkflowRef, pointer: str) -> Link:
        return linker.link(document, ref, lambda other: findings.append(_skipped(ref, pointer, other)))

    around = Around(defs.find, lost, link, findings)
    steps = _steps(read, at, document, around)
    known = _known_ids(steps)
    edges = _in_order((_edge(record, at, known) for record in records(read["edges"])), steps) if steps else ()
    if findings:
        edges = take_edges(findings, document.value, at, steps, edges)
        schemas = {"input": input_schema, "state": state_schema}
        findings[:] = better_repairs(findings, Surroundings(read, document.value, schemas, tuple(defs.every), steps))
    outcomes = read["outcomes"]
    return Workflow(
        name=at.workflow or "",
        at=at,
        input_schema=input_schema,
        state_schema=state_schema,
        output_schema=output_schema,
        outcomes=() if outcomes is HOLE or HOLE in outcomes else tuple(outcomes),
        defs=tuple(defs.every),
        start=_end(read["start"], known) if steps else None,
        steps=steps,
        edges=edges,
        desc=read["desc"],
        extra=read.extra,
        holes=any(found.code.severity is Severity.ERROR for found in findings),
        loose=any(found.code in (BAD_SCHEMA, UNRESOLVABLE_REF) for found in findings),
    )


def _skipped(ref: WorkflowRef, pointer: str, other: Document) -> Finding:
    fault = other.diagnostics[0]
    line = "" if fault.at.span is None else f", line {fault.at.span.start.line}"
    facts = {"got": ref.name, "file": other.name, "problem": f"{fault.code.code}{line}: {fault.message}"}
    return Finding(SKIPPED_FILE, pointer, facts)


def _schema(read: Record, name: str, findings: list[Finding]) -> Schema:
    written = read[name]
    return OBJECT if written is None else object_schema_at(written, f"{read.pointer}/{name}", findings)


def _state_schema(read: Record, findings: list[Finding]) -> Schema:
    pointer = f"{read.pointer}/state_schema"
    if read["state_schema"] is None:
        return OBJECT
    renewed = nested_fields(read["state_schema"], pointer, findings)
    found: list[Finding] = []
    schema = object_schema_at(renewed.schema, pointer, found)
    findings += (renewed.moved_back(finding) for finding in found)
    return schema


class _Definitions:
    """The definitions of a workflow; built-ins that steps name directly are added as they are asked for."""

    def __init__(self, written: list[NodeDef]) -> None:
        self.every = written
        self._by_name: dict[str, NodeDef] = {}
        for definition in written:
            self._by_name.setdefault(definition.name, definition)

    def find(self, name: str, at: Place) -> NodeDef | None:
        """The definition of a name that stands at a place; the first where there are several."""
        if name not in self._by_name and name in BY_NAME:
            self._by_name[name] = builtin_def(BY_NAME[name], at)
            self.every.append(self._by_name[name])
        return self._by_name.get(name)


def _defs(read: Record, at: Place, catalogue: Catalogue, findings: list[Finding]) -> list[NodeDef]:
    made = [node_def(record, _place(record, at), catalogue, findings) for record in records(read["node_defs"])]
    return [definition for definition in made if definition is not None]


def _place(record: Record, at: Place) -> Place:
    return Place(at.file, record.pointer, at.workflow)


def _steps(read: Record, at: Place, document: Document, around: Around) -> tuple[Step, ...]:
    if read["nodes"] is HOLE:
        return ()
    made = []
    for index, as_read in enumerate(read["nodes"]):
        pointer = as_read.pointer if isinstance(as_read, Record) else f"{read.pointer}/nodes/{index}"
        written = lookup(document.value, pointer_parts(pointer))[0]
        # A step of a map is called by its key, one that could not be read by what is written.
        named = (
            as_read["id"] if isinstance(as_read, Record) else written.get("id") if isinstance(written, dict) else None
        )
        place = Place(at.file, pointer, at.workflow, named if isinstance(named, str) else None)
        if isinstance(as_read, Record):
            around.findings.extend(modernised(as_read, written))
            around.findings.extend(string_reference(as_read))
        made.append(step(as_read, place, around))
    return tuple(made)


def _known_ids(steps: tuple[Step, ...]) -> frozenset[str] | None:
    """The ids of all steps where some step has none that could be read; else none."""
    ids = frozenset(each.id for each in steps)
    return ids if "" in ids else None


def _end(name: Any, known: frozenset[str] | None) -> str | None:
    """A step that is referred to; none where it could not be read, or may be one whose id could not be."""
    if name is HOLE or (known is not None and name not in known and name != END):
        return None
    return str(name)


def _in_order(edges: Iterable[Edge], steps: tuple[Step, ...]) -> tuple[Edge, ...]:
    """Edges in the order of the steps that they leave. Theirs means nothing, and not every form can keep it."""
    order = {each.id: place for place, each in reversed(list(enumerate(steps)))}
    return tuple(sorted(edges, key=lambda edge: order.get(edge.source or "", len(steps))))


def _edge(record: Record, at: Place, known: frozenset[str] | None) -> Edge:
    outcome = None if record["outcome"] is HOLE else record["outcome"]
    return Edge(_end(record["from"], known), outcome, _end(record["to"], known), _place(record, at), record.extra)
