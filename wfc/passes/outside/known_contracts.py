"""A definition agrees with the capability behind it, in outcomes and in schemas (reference 1.3).

Known are the built-in nodes and what the lock knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Severity
from wfc.ir import Catalogue, Contract, Edge, NodeDef, NodeStep, Schema, std
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.graph.calls import called
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import PLACEHOLDER, SAFE, UNSAFE, patch
from wfc.passes.spelling import meant, quoted

CAPABILITY_CONTRACT = Code(
    code="WF713",
    rule="capability-contract",
    severity=Severity.ERROR,
    message="`{field}` of `{definition}` disagrees with `{capability}`: {problem}; expected {expected}",
    help="leave `{field}` out, so that what `{capability}` declares is used, or change it to agree",
    why=(
        "A definition is a contract, and the capability behind it has one of its own. Where both cannot hold together "
        "the definition promises to the graph what no call will give: an outcome that never comes, one that has no "
        "edge, a payload that is refused."
    ),
    example=example(
        """{"name": "size", "start": "count",
 "input_schema": {"type": "object", "properties": {"names": {"type": "array"}}, "required": ["names"]},
 "state_schema": {"type": "object", "properties": {"length": {"type": "integer"}}},
 "output_schema": {"type": "object", "properties": {"length": {"type": "integer"}}},
 "node_defs": [{"name": "length", "uses": "wf.std.count", "outcomes": ["ok", "empty"]}],
                                                                      ^^^^^^^^^^^^^^^
 "nodes": [{"id": "count", "type": "node", "node": "length", "input": [{"target": "array", "path": "input.names"}],
            "output": [{"source": "count", "target": "state.length"}]}],
 "edges": [{"from": "count", "outcome": "ok", "to": "__end__"}, {"from": "count", "outcome": "empty", "to": "__end__"}]}
""",
        ('["ok", "empty"]', '["ok"]'),
        (', {"from": "count", "outcome": "empty", "to": "__end__"}', ""),
    ),
)
CODES = (CAPABILITY_CONTRACT,)

Known = std.Builtin | Contract


def check(facts: Facts) -> Iterator[Diagnostic]:
    """What no step uses is never called; an entry of the lock that does not hold says nothing."""
    catalogue = facts.module.catalogue
    for flow in facts.flows:
        for definition in called(flow):
            known = _known(catalogue, definition)
            if known is not None and definition.written:
                yield from _outcomes(flow, definition, known)
                yield from _schemas(definition, known)


def _known(catalogue: Catalogue, definition: NodeDef) -> Known | None:
    source, key = definition.uses.source, definition.uses.capability_key
    if source == std.SOURCE:
        return std.BY_KEY.get(key)
    locked = catalogue.sources.get(source) if source is not None else None
    return None if locked is None or key in locked.drift else locked.contracts.get(key)


# -- outcomes ---------------------------------------------------------------------------------------------------------


def _outcomes(flow: Flow, definition: NodeDef, known: Known) -> Iterator[Diagnostic]:
    mine, theirs = definition.outcomes, known.outcomes
    if not mine or set(mine) == set(theirs):
        return
    lacking = [outcome for outcome in theirs if outcome not in mine]
    further = [outcome for outcome in dict.fromkeys(mine) if outcome not in theirs]
    said = [f"{quoted(lacking)} is not declared"] if lacking else []
    said += [f"{quoted(further)} is never given"] if further else []
    yield CAPABILITY_CONTRACT.at(
        definition.at.below("outcomes"),
        fixes=tuple(_outcome_fixes(flow, definition, lacking, further)),
        field="outcomes",
        definition=definition.name,
        capability=known.name,
        problem=" and ".join(said),
        got=list(mine),
        expected=quoted(theirs),
        allowed=list(theirs),
    )


def _outcome_fixes(flow: Flow, definition: NodeDef, lacking: list[str], further: list[str]) -> Iterator[Fix]:
    """A slip is put right with its edges; an outcome that never comes goes with them; a new one needs edges."""
    renamed = {other: guess for other in further if (guess := meant(other, lacking)) is not None}
    gone = [outcome for outcome in further if outcome not in renamed]
    new = [outcome for outcome in lacking if outcome not in renamed.values()]
    written = [renamed.get(each, each) for each in definition.outcomes if each not in gone]
    place = definition.at.below("outcomes")
    changes: list[dict[str, Any]] = [
        {"op": "test", "path": definition.at.below("name").pointer, "value": definition.name},
        {"op": "replace", "path": place.pointer, "value": [*written, *new]},
    ]
    edges = [edge for edge in flow.workflow.edges if _is_of(flow, edge, definition)]
    for edge in edges:
        if edge.outcome in renamed:
            path = edge.at.below("outcome").pointer
            changes.append({"op": "replace", "path": path, "value": renamed[edge.outcome]})
    steps = [name for name in flow.reachable if _uses(flow, name, definition)] if new else []
    for name in steps:
        for outcome in new:
            edge_to = {"from": name, "outcome": outcome, "to": flow.way_out(name, outcome)}
            changes.append({"op": "add", "path": flow.workflow.at.below("edges", "-").pointer, "value": edge_to})
    changes += [{"op": "remove", "path": edge.at.pointer} for edge in reversed(edges) if edge.outcome in gone]
    applicability = PLACEHOLDER if new else UNSAFE if gone else SAFE
    yield patch(f"Declare {quoted([*written, *new])}", place, changes, applicability)


def _is_of(flow: Flow, edge: Edge, definition: NodeDef) -> bool:
    return edge.source in flow.steps and _uses(flow, str(edge.source), definition)


def _uses(flow: Flow, name: str, definition: NodeDef) -> bool:
    step = flow.steps[name]
    return isinstance(step, NodeStep) and step.definition == definition.name


# -- schemas ----------------------------------------------------------------------------------------------------------


def _schemas(definition: NodeDef, known: Known) -> Iterator[Diagnostic]:
    at = definition.at
    yield from _schema(
        definition, known, "input_schema", at.below("input_schema"), definition.input_schema, known.input
    )
    shared = [one for one in known.outcomes if one not in known.others and one not in definition.outcome_schemas]
    if shared:
        place = at.below("output_schema")
        yield from _schema(definition, known, "output_schema", place, definition.output_schema, known.output)
    for outcome, schema in definition.outcome_schemas.items():
        if outcome in known.outcomes:
            place, theirs = at.below("outcome_schemas", outcome), known.others.get(outcome, known.output)
            yield from _schema(definition, known, f"outcome_schemas.{outcome}", place, schema, theirs)


def _schema(
    definition: NodeDef, known: Known, field: str, place: Place, mine: Schema, theirs: Any
) -> Iterator[Diagnostic]:
    found = types.contradicts(types.of(mine), types.of(theirs))
    if found is None:
        return
    test = {"op": "test", "path": definition.at.below("name").pointer, "value": definition.name}
    where = f" at `{'.'.join(found.path)}`" if found.path else ""
    yield CAPABILITY_CONTRACT.at(
        place,
        fixes=(patch(f"Leave `{field}` out", place, [test, {"op": "remove", "path": place.pointer}], SAFE),),
        field=field,
        definition=definition.name,
        capability=known.name,
        problem=f"{found.first} against {found.second}{where}",
        got=found.first,
        expected="a schema that the same values satisfy",
    )
