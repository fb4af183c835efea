"""A definition agrees with the capability behind it, in outcomes, schemas and effects (reference 1.3).

Known are the built-in nodes and what the lock knows. That a schema of its own takes more than the capability's is no
disagreement; where a step makes use of it, that is told of the payload (WF301, WF302, WF390).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Applicability, Code, Diagnostic, Fix, Place, Severity
from wfc.ir import Edge, NodeDef, NodeStep, Schema, std, stronger
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.behind import Known, harmless, known_behind, never_given, unmentioned
from wfc.passes.graph.calls import called
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import PLACEHOLDER, SAFE, UNSAFE, patch
from wfc.passes.spelling import meant, quoted
from wfc.passes.types import describe
from wfc.passes.types.fields import known_fields

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
_SHOWN = 5


def check(facts: Facts) -> Iterator[Diagnostic]:
    """What no step uses is never called; an entry of the lock that does not hold says nothing."""
    catalogue = facts.module.catalogue
    for flow in facts.flows:
        for definition in called(flow):
            known = known_behind(catalogue, definition)
            if known is not None and definition.written:
                yield from _outcomes(flow, definition, known)
                yield from _schemas(facts, flow, definition, known)
                yield from _effects(definition, known)


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


def _schemas(facts: Facts, flow: Flow, definition: NodeDef, known: Known) -> Iterator[Diagnostic]:
    at = definition.at.below("input_schema")
    found = list(_schema(definition, known, "input_schema", at, definition.input_schema, known.input))
    yield from found
    lacking = () if found else never_given(facts, flow, definition, known)
    if lacking:
        yield _unmentioned(definition, known, "input_schema", at, lacking)
    at = definition.at.below("output_schema")
    if any(one not in known.others and one not in definition.outcome_schemas for one in known.outcomes):
        yield from _output(definition, known, "output_schema", at, definition.output_schema, known.output)
    for outcome, schema in definition.outcome_schemas.items():
        if outcome in known.outcomes:
            at, theirs = definition.at.below("outcome_schemas", outcome), known.others.get(outcome, known.output)
            yield from _output(definition, known, f"outcome_schemas.{outcome}", at, schema, theirs)


def _output(
    definition: NodeDef, known: Known, field: str, place: Place, mine: Schema, theirs: Any
) -> Iterator[Diagnostic]:
    found = list(_schema(definition, known, field, place, mine, theirs))
    yield from found
    lacking = () if found else unmentioned(types.of(mine), types.of(theirs))
    if lacking:
        yield CAPABILITY_CONTRACT.at(
            place,
            severity=Severity.WARNING,
            confidence="likely",
            fixes=(_left_out(definition, field, place, UNSAFE),),
            field=field,
            definition=definition.name,
            capability=known.name,
            problem=f"{quoted(lacking)} required here, and not among what is given there",
            got=list(lacking),
            expected=f"fields that are given, such as {quoted(known_fields(types.of(theirs))[:_SHOWN])}",
        )


def _unmentioned(definition: NodeDef, known: Known, field: str, place: Place, lacking: tuple[str, ...]) -> Diagnostic:
    """Nothing that steps hand over by this definition is taken: each call lacks what the capability requires."""
    return CAPABILITY_CONTRACT.at(
        place,
        fixes=(_left_out(definition, field, place, UNSAFE),),
        field=field,
        definition=definition.name,
        capability=known.name,
        problem=f"{quoted(lacking)} required there, not mentioned here, and bound by no step",
        got=list(known_fields(types.of(definition.input_schema))),
        expected=describe(types.of(known.input)),
    )


def _schema(
    definition: NodeDef, known: Known, field: str, place: Place, mine: Schema, theirs: Any
) -> Iterator[Diagnostic]:
    found = types.contradicts(types.of(mine), types.of(theirs))
    if found is None:
        return
    where = f" at `{'.'.join(found.path)}`" if found.path else ""
    yield CAPABILITY_CONTRACT.at(
        place,
        fixes=(_left_out(definition, field, place, SAFE),),
        field=field,
        definition=definition.name,
        capability=known.name,
        problem=f"{found.first} against {found.second}{where}",
        got=found.first,
        expected="a schema that the same values satisfy",
    )


def _left_out(definition: NodeDef, field: str, place: Place, applicability: Applicability) -> Fix:
    test = {"op": "test", "path": definition.at.below("name").pointer, "value": definition.name}
    return patch(f"Leave `{field}` out", place, [test, {"op": "remove", "path": place.pointer}], applicability)


# -- effects ----------------------------------------------------------------------------------------------------------


def _effects(definition: NodeDef, known: Known) -> Iterator[Diagnostic]:
    """A definition that says less than what is locked; the run goes by the stronger of the two."""
    if isinstance(known, std.Builtin) or definition.effects is None or known.effects is None:
        return
    if stronger(definition.effects, known.effects) == definition.effects:
        return
    place = definition.at.below("effects")
    yield CAPABILITY_CONTRACT.at(
        place,
        severity=Severity.WARNING,
        help=f"leave `effects` out; {harmless(definition, definition.effects)}",
        fixes=(_left_out(definition, "effects", place, SAFE),),
        field="effects",
        definition=definition.name,
        capability=known.name,
        problem=f"`{definition.effects}` promises more than `{known.effects}`, which is what a run goes by",
        got=definition.effects,
        expected=f"`{known.effects}`",
    )
