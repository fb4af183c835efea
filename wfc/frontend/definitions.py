"""Node definitions: shorthands and what is left out are filled, from the contract of a built-in where it has one.

Reference 1.3, 1.9, 4.2. `contract_of` is the one place that knows capabilities by their names: those of the built-in
source, and those that the lock of the project knows.
"""

from __future__ import annotations

from typing import Any

from wfc.diagnostics import Applicability, Place
from wfc.frontend.bindings import retry
from wfc.frontend.findings import Finding, Repair, with_article
from wfc.frontend.reader import Record
from wfc.frontend.reader_codes import MISSING_FIELD
from wfc.frontend.scalars import HOLE
from wfc.frontend.schema_check import schema_at
from wfc.ir import OBJECT, CapabilityRef, Catalogue, Contract, NodeDef, Schema
from wfc.ir.std import BY_KEY, SOURCE, Builtin

_STD = SOURCE + "."


def capability(written: str) -> CapabilityRef:
    """A capability by its written name: the built-in source, else split at the first dot, else a handler's name."""
    if written.startswith(_STD):
        return CapabilityRef(SOURCE, written.removeprefix(_STD))
    source, dot, key = written.partition(".")
    return CapabilityRef(source, key) if dot else CapabilityRef(None, written)


def contract_of(uses: CapabilityRef, catalogue: Catalogue) -> Builtin | Contract | None:
    """What is known of a capability without asking its source."""
    if uses.source == SOURCE:
        return BY_KEY.get(uses.capability_key)
    return catalogue.contract(uses.source, uses.capability_key)


def node_def(record: Record, at: Place, catalogue: Catalogue, findings: list[Finding]) -> NodeDef | None:
    """The definition; none where it has no name. Outcomes that cannot be known are an empty tuple."""
    name = record["name"]
    if name is HOLE:
        return None
    uses = _uses(record["uses"], name)
    contract = contract_of(uses, catalogue)
    outcomes = _outcomes(record["outcomes"], contract)
    # Of a known source they are what it, or the lock, says; where that says nothing, that is what is told.
    if outcomes is None and record["outcomes"] is None and uses.source not in (SOURCE, *catalogue.sources):
        findings.append(_lacks_outcomes(record))
    return NodeDef(
        name=name,
        input_schema=_filled(record, "input_schema", contract and contract.input, findings),
        output_schema=_filled(record, "output_schema", contract and contract.output, findings),
        outcomes=outcomes or (),
        outcome_schemas=_outcome_schemas(record["outcome_schemas"], contract, findings),
        uses=uses,
        effects=record["effects"] or _effects(uses, contract),
        retry=retry(record["retry"]),
        timeout_seconds=record["timeout_seconds"],
        desc=record["desc"],
        extra=record.extras(),
        at=at,
    )


def _effects(uses: CapabilityRef, contract: Builtin | Contract | None) -> Any:
    if uses.source == SOURCE:
        return "pure"
    return contract.effects if isinstance(contract, Contract) else None


def _lacks_outcomes(record: Record) -> Finding:
    title, required = with_article(record.title), "`name`, `outcomes`"
    facts = {"owner": title, "missing": "`outcomes`", "required": required, "keys": ["outcomes"]}
    test = {"op": "test", "path": f"{record.pointer}/name", "value": record["name"]}
    add = {"op": "add", "path": f"{record.pointer}/outcomes", "value": ["ok"]}
    repair = Repair("Declare the one outcome `ok`", (test, add), Applicability.UNSAFE)
    return Finding(MISSING_FIELD, record.pointer, facts, repairs=(repair,))


def _uses(read: Any, name: str) -> CapabilityRef:
    if isinstance(read, str):
        return capability(read)
    if isinstance(read, Record) and HOLE not in read.fields.values():
        return CapabilityRef(read["source"], read["capability_key"])
    return capability(name)


def _outcomes(read: Any, contract: Builtin | Contract | None) -> tuple[str, ...] | None:
    if read is None:
        return contract.outcomes if contract else None
    return None if read is HOLE or HOLE in read else tuple(read)


def _filled(record: Record, field: str, known: Any, findings: list[Finding]) -> Schema:
    written = record[field]
    if written is None or written is HOLE:
        return OBJECT if known is None else Schema.of(known)
    return schema_at(written, f"{record.pointer}/{field}", findings)


def _outcome_schemas(read: Any, contract: Builtin | Contract | None, findings: list[Finding]) -> dict[str, Schema]:
    if isinstance(read, list):
        return {entry.key: schema_at(entry.value, entry.pointer, findings) for entry in read if entry.value is not HOLE}
    return {outcome: Schema.of(known) for outcome, known in contract.others.items()} if contract else {}


def builtin_def(contract: Builtin, at: Place) -> NodeDef:
    """The definition that a step stands for which names a built-in directly."""
    return NodeDef(
        name=contract.name,
        input_schema=Schema.of(contract.input),
        output_schema=Schema.of(contract.output),
        outcomes=contract.outcomes,
        outcome_schemas={outcome: Schema.of(known) for outcome, known in contract.others.items()},
        uses=CapabilityRef(SOURCE, contract.key),
        effects="pure",
        retry=None,
        timeout_seconds=None,
        desc=None,
        extra={},
        at=at,
        written=False,
    )
