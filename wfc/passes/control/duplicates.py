"""Names are given once: steps, workflows, definitions, edges of an outcome, outcomes of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Related, Severity
from wfc.ir import Branch, Catch, ForkStep, InterruptStep, NodeDef, NodeStep, Step, SubgraphStep
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.wiring import Repeated
from wfc.passes.repairs.patches import PLACEHOLDER, SAFE, UNSAFE, patch, rewrite, take_out, written_edge
from wfc.passes.spelling import fresh

DUPLICATE_STEP = Code(
    code="WF103",
    rule="duplicate-step",
    severity=Severity.ERROR,
    message="a second {kind} is named `{got}`; expected {expected}",
    help="give this {kind} another name, and lead to it what is meant for it",
    why=(
        "Edges, mocks, traces and suppressions name a step by its id, subgraph steps name a workflow by its name. With "
        "two of one name nobody can say which is meant, and readers that keep the last one drop the other silently."
    ),
    example=example(
        """{"name": "greet", "start": "hello",
 "nodes": [{"id": "hello", "type": "wait", "seconds": 1},
           {"id": "hello", "type": "wait", "seconds": 2}],
                  ^^^^^^^
 "edges": [{"from": "hello", "outcome": "ok", "to": "bye"}, {"from": "bye", "outcome": "ok", "to": "__end__"}]}
""",
        ('"hello", "type": "wait", "seconds": 2', '"bye", "type": "wait", "seconds": 2'),
    ),
)
DUPLICATE_NODE_DEF = Code(
    code="WF104",
    rule="duplicate-node-def",
    severity=Severity.ERROR,
    message="a second definition is named `{got}`; expected {expected}",
    help="give this definition another name, or remove it",
    why=(
        "A step takes its schemas and outcomes from the definition that it names. Two definitions of one name may "
        "differ in all of them, so the contract of every step that uses the name would be a matter of luck."
    ),
    example=example(
        """{"name": "greet", "start": "hello",
 "node_defs": [{"name": "say", "outcomes": ["ok"]},
               {"name": "say", "outcomes": ["ok", "busy"]}],
                        ^^^^^
 "nodes": [{"id": "hello", "type": "node", "node": "say"}],
 "edges": [{"from": "hello", "outcome": "ok", "to": "__end__"}]}
""",
        (',\n               {"name": "say", "outcomes": ["ok", "busy"]}', ""),
    ),
)
DUPLICATE_EDGE = Code(
    code="WF107",
    rule="duplicate-edge",
    severity=Severity.ERROR,
    message="a second edge leaves `{source}` by `{outcome}`, to `{got}`; expected one edge an outcome",
    help="keep one of the two; to run two steps side by side, lead the outcome to a `fork`",
    why=(
        "After an outcome control goes to exactly one step. Two edges for one outcome would need a rule for which "
        "wins; there is none, because parallel branches are written as a fork, where they can be seen and joined again."
    ),
    example=example(
        """{"name": "greet", "start": "hello",
 "nodes": [{"id": "hello", "type": "wait", "seconds": 1}],
 "edges": [{"from": "hello", "outcome": "ok", "to": "__end__"},
           {"from": "hello", "outcome": "ok", "to": "__end__"}]}
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
        (',\n           {"from": "hello", "outcome": "ok", "to": "__end__"}', ""),
    ),
)
DUPLICATE_OUTCOME = Code(
    code="WF113",
    rule="duplicate-outcome",
    severity=Severity.ERROR,
    message="{what} `{got}` stands here a second time; expected {expected}",
    help="name every outcome once",
    why=(
        "An outcome is wired by its name, once. A second entry of that name can have no edge of its own: a branch "
        "would never run, and a caught error could not be told from an ordinary answer of the node."
    ),
    example=example(
        """{"name": "ask", "start": "who", "outcomes": ["ok", "no", "ok"],
                                                         ^^^^
 "nodes": [{"id": "who", "type": "interrupt", "kind": "approval", "outcomes": ["yes", "no"],
            "request": [{"target": "prompt", "value": "Go?"}]},
           {"id": "stop", "type": "end", "outcome": "no"}],
 "edges": [{"from": "who", "outcome": "yes", "to": "__end__"}, {"from": "who", "outcome": "no", "to": "stop"}]}
""",
        (', "ok"],', "],"),
    ),
)
CODES = (DUPLICATE_STEP, DUPLICATE_NODE_DEF, DUPLICATE_EDGE, DUPLICATE_OUTCOME)


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report the second of two, always beside the first."""
    yield from _workflows(facts)
    for flow in facts.flows:
        for twin, first in flow.twins:
            yield _twin(flow, twin, first)
        yield from _definitions(flow)
        yield from _edges(flow)
        yield from _outcomes(flow)


def _workflows(facts: Facts) -> Iterator[Diagnostic]:
    """Only within one file: workflows of several files may share a name, and references tell them apart."""
    seen: dict[tuple[str, str], Place] = {}
    names = {flow.workflow.name for flow in facts.flows}
    for flow in facts.flows:
        workflow = flow.workflow
        first = seen.setdefault((workflow.at.file, workflow.name), workflow.at)
        if first is not workflow.at:
            place, new = workflow.at.below("name"), fresh(workflow.name, names)
            yield DUPLICATE_STEP.at(
                place,
                related=(Related("declared", first.below("name"), "the first one"),),
                fixes=(rewrite(f"Name it `{new}`", place, workflow.name, new, PLACEHOLDER),),
                kind="workflow",
                got=workflow.name,
                expected="a name of its own for each workflow of a module",
            )


def _twin(flow: Flow, twin: Step, first: Step) -> Diagnostic:
    place = twin.at.below("id")
    meant = next((found for found in flow.wiring.dangling if found.misnamed is twin), None)
    if meant is not None:
        fix = rewrite(f"Name it `{meant.name}`, as its edges do", place, twin.id, meant.name)
    elif twin == first:
        changes = [{"op": "test", "path": place.pointer, "value": twin.id}, {"op": "remove", "path": twin.at.pointer}]
        fix = patch("Remove the repetition", place, changes, SAFE)
    else:
        new = fresh(twin.id, flow.by_id)
        fix = rewrite(f"Name it `{new}`", place, twin.id, new, PLACEHOLDER)
    return DUPLICATE_STEP.at(
        place,
        related=(Related("declared", first.at.below("id"), "the first one"),),
        fixes=(fix,),
        hides=len(meant.references) if meant else 0,
        kind="step",
        got=twin.id,
        expected=f"`{meant.name}`, which edges lead to" if meant else "an id of its own for each step",
    )


def _definitions(flow: Flow) -> Iterator[Diagnostic]:
    for definition in flow.workflow.defs:
        first = flow.definitions[definition.name]
        if first is not definition:
            yield DUPLICATE_NODE_DEF.at(
                definition.at.below("name"),
                related=(Related("declared", first.at.below("name"), "the first one"),),
                fixes=(_one_definition(flow, definition, first),),
                got=definition.name,
                expected="a name of its own for each definition",
            )


def _one_definition(flow: Flow, definition: NodeDef, first: NodeDef) -> Fix:
    place, name = definition.at.below("name"), definition.name
    if definition == first:
        changes = [
            {"op": "test", "path": place.pointer, "value": name},
            {"op": "remove", "path": definition.at.pointer},
        ]
        return patch("Remove the repetition", place, changes, SAFE)
    new = fresh(name, flow.definitions)
    return rewrite(f"Name it `{new}`", place, name, new, PLACEHOLDER)


def _edges(flow: Flow) -> Iterator[Diagnostic]:
    for repeated in flow.wiring.repeated:
        edge, first = repeated.edge, repeated.first
        yield DUPLICATE_EDGE.at(
            edge.at,
            related=(Related("conflicts", first.at, "the first one"),),
            fixes=(_one_edge(repeated),),
            hides=int(repeated.meant is not None or repeated.source is not None),
            source=edge.source,
            outcome=edge.outcome,
            got=edge.target,
        )


def _one_edge(repeated: Repeated) -> Fix:
    edge, meant = repeated.edge, repeated.meant
    if meant is not None:
        return rewrite(f"Let it leave by `{meant}`", edge.at.below("outcome"), edge.outcome, meant)
    if repeated.source is not None:
        return rewrite(f"Let it leave from `{repeated.source}`", edge.at.below("from"), edge.source, repeated.source)
    same = edge.target == repeated.first.target
    return take_out("Remove this edge", edge.at, written_edge(edge), SAFE if same else UNSAFE)


def _outcomes(flow: Flow) -> Iterator[Diagnostic]:
    workflow = flow.workflow
    yield from _listed("outcome", workflow.outcomes, workflow.at)
    for definition in workflow.defs:
        if definition.written:
            yield from _listed("outcome", definition.outcomes, definition.at)
    for step in workflow.steps:
        match step:
            case InterruptStep():
                yield from _listed("outcome", step.outcomes or (), step.at)
            case SubgraphStep():
                yield from _listed("outcome", step.declared, step.at)
                yield from _caught(step.catch, step.declared, step.at.below("outcomes"))
            case NodeStep():
                used = flow.definitions.get(step.definition)
                if used is not None:
                    yield from _caught(step.catch, used.outcomes, used.at)
            case ForkStep():
                yield from _branches(step)


def _listed(what: str, names: Sequence[str], owner: Place) -> Iterator[Diagnostic]:
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        if first.setdefault(name, index) != index:
            place = owner.below("outcomes", index)
            yield _second(what, name, place, owner.below("outcomes", first[name]), take_out("Remove it", place, name))


def _branches(step: ForkStep) -> Iterator[Diagnostic]:
    first: dict[str, Branch] = {}
    for branch in step.branches:
        earlier = first.setdefault(branch.outcome, branch)
        if earlier is not branch:
            place = branch.at if branch.when is None else branch.at.below("outcome")
            new = fresh(branch.outcome, step.outcomes or ())
            fix = rewrite(f"Name it `{new}`", place, branch.outcome, new, PLACEHOLDER)
            yield _second("branch", branch.outcome, place, earlier.at, fix)


def _caught(catch: Sequence[Catch], declared: Sequence[str], where: Place) -> Iterator[Diagnostic]:
    """Two entries of `catch` may share an outcome; an outcome of the step itself none of them may take."""
    for entry in catch:
        if entry.outcome in declared:
            place, new = entry.at.below("outcome"), fresh(entry.outcome, declared)
            fix = rewrite(f"Name it `{new}`", place, entry.outcome, new, PLACEHOLDER)
            yield _second("caught outcome", entry.outcome, place, where, fix)


def _second(what: str, name: str, place: Place, first: Place, fix: Fix) -> Diagnostic:
    return DUPLICATE_OUTCOME.at(
        place,
        related=(Related("declared", first, "the first one"),),
        fixes=(fix,),
        what=what,
        got=name,
        expected="names that differ",
    )
