"""Small workflows whose steps write state, for the tests of passes about writes."""

from __future__ import annotations

from typing import Any

from tests.passes.workflows import NAME, Json, flow, nowhere
from wfc.diagnostics import Code, Diagnostic
from wfc.edits import apply_patch
from wfc.frontend import document_of, elaborate
from wfc.passes import PIPELINE
from wfc.passes.facts import Facts

LOG = {"type": "array", "reducer": "wf.std.append", "default": []}


def writing(arrows: str, writes: str, **fields: Any) -> Json:
    """A workflow as `flow` makes it, in which some steps write constants, as in `a:m a:o.k b:m`.

    State has the fields `m`, `o` with `k` and `l`, and `log`, unless `state_schema` says otherwise; all are projected.
    """
    state = {"m": {}, "o": {"type": "object", "properties": {"k": {}, "l": {}}}, "log": LOG}
    properties = fields.pop("state", state)
    projected = fields.pop("output", list(properties))
    given = {"state_schema": {"type": "object", "properties": properties}}
    given["output_schema"] = {"type": "object", "properties": {name: {} for name in projected}}
    made = flow(arrows, **{**given, **fields})
    targets: dict[str, list[str]] = {}
    for write in writes.split():
        step, target = write.split(":")
        targets.setdefault(step, []).append(f"state.{target}")
    steps = {step["id"]: step for step in made["nodes"]}
    for name, paths in targets.items():
        steps[name] = {
            "id": name,
            "type": "node",
            "node": "wf.std.record",
            "input": [{"target": "x", "value": 1}],
            "output": [{"source": "x", "target": path} for path in paths],
        }
    return made | {"nodes": list(steps.values())}


def changed(document: Json, name: str, **fields: Any) -> Json:
    """The same with further fields of one step."""
    return document | {"nodes": [step | fields if step["id"] == name else step for step in document["nodes"]]}


def found(document: Json, codes: tuple[Code, ...]) -> list[Diagnostic]:
    """What the passes that own some codes find."""
    read = elaborate(document_of(document, NAME), nowhere)
    assert read.diagnostics == ()
    assert read.module is not None
    facts = Facts(read.module)
    return [one for each in PIPELINE if set(each.codes) <= set(codes) for one in each.run(facts)]


def told(document: Json, codes: tuple[Code, ...]) -> list[str]:
    """Findings as code, severity and step."""
    return [f"{one.code.code} {one.severity} {one.at.step}" for one in found(document, codes)]


def fixed(document: Json, one: Diagnostic, number: int = 0) -> Json:
    repaired: Json = apply_patch(document, one.fixes[number].patch)
    return repaired
