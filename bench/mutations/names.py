"""Names that lead nowhere, names given twice, outcomes too few or too many."""

from __future__ import annotations

from collections.abc import Iterator

from bench.mutations.documents import (
    Json,
    definition,
    definitions,
    drop,
    edges,
    misspelt,
    put,
    steps,
    workflows,
    writes,
)
from bench.mutations.kind import Mutant, kind, mutant

END = "__end__"


@kind
def misspelt_edge_target(document: Json) -> Iterator[Mutant]:
    for edge in edges(document):
        if edge.body["to"] != END:
            yield mutant(put(document, f"{edge.at}/to", misspelt(edge.body["to"])), f"{edge.at}/to")


@kind
def dangling_edge_target(document: Json) -> Iterator[Mutant]:
    for edge in edges(document):
        yield mutant(put(document, f"{edge.at}/to", "handle_everything_else"), f"{edge.at}/to")


@kind
def misspelt_edge_source(document: Json) -> Iterator[Mutant]:
    for edge in edges(document):
        yield mutant(put(document, f"{edge.at}/from", misspelt(edge.body["from"])), f"{edge.at}/from")


@kind
def misspelt_definition(document: Json) -> Iterator[Mutant]:
    for step in steps(document, "node"):
        yield mutant(put(document, f"{step.at}/node", misspelt(step.body["node"])), f"{step.at}/node")


@kind
def misspelt_start(document: Json) -> Iterator[Mutant]:
    for top, workflow in workflows(document):
        yield mutant(put(document, f"{top}/start", misspelt(workflow["start"])), f"{top}/start")


@kind
def misspelt_child(document: Json) -> Iterator[Mutant]:
    for step in steps(document, "subgraph"):
        named = step.body["workflow"]
        at = f"{step.at}/workflow/name" if isinstance(named, dict) else f"{step.at}/workflow"
        name = named.get("name") if isinstance(named, dict) else named
        if isinstance(name, str):
            yield mutant(put(document, at, misspelt(name)), at, f"{step.at}/workflow")


@kind
def missing_edge(document: Json) -> Iterator[Mutant]:
    for edge in edges(document):
        source = next((step for step in steps(document) if step.top == edge.top and step.id == edge.body["from"]), None)
        if source is not None:
            yield mutant(drop(document, edge.at), source.at)


@kind
def misspelt_edge_outcome(document: Json) -> Iterator[Mutant]:
    for edge in edges(document):
        yield mutant(put(document, f"{edge.at}/outcome", misspelt(edge.body["outcome"])), f"{edge.at}/outcome")


@kind
def extra_edge_outcome(document: Json) -> Iterator[Mutant]:
    """An edge for an error, as if errors were outcomes."""
    for edge in edges(document):
        count = len(edge.workflow["edges"])
        added = {"from": edge.body["from"], "outcome": "failure", "to": edge.body["to"]}
        if added["outcome"] != edge.body["outcome"]:
            yield mutant(put(document, f"{edge.top}/edges/{count}", added), f"{edge.top}/edges/{count}/outcome")


@kind
def unwired_new_outcome(document: Json) -> Iterator[Mutant]:
    """A definition that lists one more outcome, which no step wires."""
    for at, one, workflow in definitions(document):
        users = [step.at for step in steps(document, "node") if step.workflow is workflow and definition(step) is one]
        if users and one.get("outcomes"):
            yield mutant(put(document, f"{at}/outcomes", [*one["outcomes"], "not_found"]), *users)


@kind
def misspelt_end_outcome(document: Json) -> Iterator[Mutant]:
    for step in steps(document, "end"):
        yield mutant(put(document, f"{step.at}/outcome", misspelt(step.body["outcome"])), f"{step.at}/outcome")


@kind
def undeclared_end(document: Json) -> Iterator[Mutant]:
    """The workflow does not list an outcome with which it ends."""
    for top, workflow in workflows(document):
        outcomes = workflow.get("outcomes", ["ok"])
        for outcome in outcomes if len(outcomes) > 1 else ():
            ends = [step.at for step in steps(document, "end") if step.top == top and step.body["outcome"] == outcome]
            at = [f"{one}/outcome" for one in ends]
            at += [f"{one.at}/to" for one in edges(document) if outcome == "ok" and one.top == top and _ends(one.body)]
            if at:
                yield mutant(put(document, f"{top}/outcomes", [one for one in outcomes if one != outcome]), *at)


def _ends(edge: Json) -> bool:
    return bool(edge["to"] == END)


@kind
def misspelt_on(document: Json) -> Iterator[Mutant]:
    for binding in writes(document):
        if binding.body.get("on"):
            at = f"{binding.at}/on/0"
            yield mutant(put(document, at, misspelt(binding.body["on"][0])), at)


@kind
def duplicated_id(document: Json) -> Iterator[Mutant]:
    """A later step of another kind bears the id of an earlier one; edges name what they named."""
    for first, second in zip(steps(document), steps(document)[1:], strict=False):
        if first.top == second.top:
            yield mutant(put(document, f"{second.at}/id", first.id), f"{second.at}/id")


@kind
def repeated_step(document: Json) -> Iterator[Mutant]:
    for step in steps(document):
        at = f"{step.top}/nodes/{len(step.workflow['nodes'])}"
        yield mutant(put(document, at, step.body), f"{at}/id")


@kind
def repeated_edge(document: Json) -> Iterator[Mutant]:
    for edge in edges(document):
        at = f"{edge.top}/edges/{len(edge.workflow['edges'])}"
        yield mutant(put(document, at, edge.body), at)


@kind
def repeated_definition(document: Json) -> Iterator[Mutant]:
    for at, one, workflow in definitions(document):
        top = at.rpartition("/")[0]
        yield mutant(
            put(document, f"{top}/{len(workflow['node_defs'])}", one), f"{top}/{len(workflow['node_defs'])}/name"
        )
