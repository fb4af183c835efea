"""Every subgraph step runs a workflow that is there once, contains none of its parents and fits the step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Fix, Related, Severity
from wfc.ir import Ambiguous, Edge, Schema, SubgraphStep, Unknown
from wfc.passes.examples import example
from wfc.passes.facts import Facts, Recursion
from wfc.passes.graph.causes import Lacking
from wfc.passes.graph.flow import Flow
from wfc.passes.outside.contracts import disagreement
from wfc.passes.repairs.patches import PLACEHOLDER, SAFE, UNSAFE, patch
from wfc.passes.spelling import alike, is_at_fault, meant, quoted

_CHILD = """,
 {"name": "child", "start": "nap", "nodes": [{"id": "nap", "type": "wait", "seconds": 1}],
  "edges": [{"from": "nap", "outcome": "ok", "to": "__end__"}]}]}
"""
UNKNOWN_WORKFLOW = Code(
    code="WF700",
    rule="unknown-workflow",
    severity=Severity.ERROR,
    message="`{step}` runs `{got}`, and no workflow of that name is in reach; expected {expected}",
    help=(
        "name a workflow of this module, or put a file that holds `{got}` into the folder of this one or into a folder "
        "of `libraries`"
    ),
    why=(
        "A subgraph step is a workflow within a workflow. It is looked for in the module first, then in the files "
        "beside it and in the libraries of the configuration. Without it there is nothing to run and no contract to "
        "check."
    ),
    example=example(
        """{"workflows": [
 {"name": "parent", "start": "go", "nodes": [{"id": "go", "type": "subgraph", "workflow": {"name": "chidl"}}],
                                                                                          ^^^^^^^^^^^^^^^^^
  "edges": [{"from": "go", "outcome": "ok", "to": "__end__"}]}"""
        + _CHILD,
        ('"chidl"', '"child"'),
    ),
)
RECURSIVE_WORKFLOW = Code(
    code="WF701",
    rule="recursive-workflow",
    severity=Severity.ERROR,
    message="`{step}` runs `{got}`, which contains this step: {around}; expected no workflow inside itself",
    help="write the repetition as a loop inside one workflow, or move the common part into a third one",
    why=(
        "A child runs inside its parent, with a scope of its own. Were a workflow inside itself, there would be no "
        "last scope; everything about it, from its types to its program, would have to be known before it is."
    ),
    unrepaired="which of the workflows is to do without the other is a question of what they are for",
    example=example(
        """{"workflows": [
 {"name": "parent", "start": "go", "nodes": [{"id": "go", "type": "subgraph", "workflow": {"name": "parent"}}],
                                                                                          ^^^^^^^^^^^^^^^^^^
  "edges": [{"from": "go", "outcome": "ok", "to": "__end__"}]}"""
        + _CHILD,
        ('{"name": "parent"}}', '{"name": "child"}}'),
    ),
)
SUBGRAPH_OUTCOME = Code(
    code="WF702",
    rule="subgraph-outcome",
    severity=Severity.ERROR,
    message="{got}; expected {expected}",
    help="{advice}",
    why=(
        "The outcome with which a child ends is the outcome of the step that runs it. One that the step does not "
        "declare has no edge and fails the run; one that the child never gives is an edge that nothing can take."
    ),
    example=example(
        """{"workflows": [
 {"name": "parent", "start": "go", "nodes": [{"id": "go", "type": "subgraph", "workflow": {"name": "child"},
  "outcomes": ["ok"]}],
              ^^^^^^
  "edges": [{"from": "go", "outcome": "ok", "to": "__end__"}]},
 {"name": "child", "outcomes": ["ok", "late"], "start": "nap",
  "input_schema": {"type": "object", "properties": {"n": {}}},
  "nodes": [{"id": "nap", "type": "condition", "check": {"op": "exists", "path": "input.n"}},
            {"id": "late", "type": "end", "outcome": "late"}],
  "edges": [{"from": "nap", "outcome": "true", "to": "__end__"}, {"from": "nap", "outcome": "false", "to": "late"}]}]}
""",
        ('  "outcomes": ["ok"]}]', '  "outcomes": ["ok", "late"]}]'),
        ('"to": "__end__"}]', '"to": "__end__"}, {"from": "go", "outcome": "late", "to": "__end__"}]'),
    ),
)
SUBGRAPH_CONTRACT = Code(
    code="WF703",
    rule="subgraph-contract",
    severity=Severity.ERROR,
    message="`{field}` of `{step}` disagrees with that of `{child}`: {got}; expected {expected}",
    help="leave `{field}` out, so that the child's own is used, or change one of the two",
    why=(
        "The child checks its input and projects its output by its own schemas. A schema on the step that cannot hold "
        "together with them promises something to the reader that no run can keep."
    ),
    example=example(
        """{"workflows": [
 {"name": "parent", "start": "go", "nodes": [{"id": "go", "type": "subgraph", "workflow": {"name": "child"},
  "output_schema": {"type": "array"}}],
                   ^^^^^^^^^^^^^^^^^
  "edges": [{"from": "go", "outcome": "ok", "to": "__end__"}]}"""
        + _CHILD,
        ('{"type": "array"}', '{"type": "object"}'),
    ),
)
_ONE = """{"name": "%s", "start": "pause",
 "nodes": [{"id": "pause", "type": "wait", "seconds": 1}],
 "edges": [{"from": "pause", "outcome": "ok", "to": "__end__"}]}
"""
AMBIGUOUS_WORKFLOW = Code(
    code="WF704",
    rule="ambiguous-workflow",
    severity=Severity.ERROR,
    message="`{step}` runs `{got}`, which {count} files in reach hold: {expected}",
    help="rename all but one of them, or put the workflow into this module, where it is found first",
    why=(
        "Which of two workflows runs must not depend on the order in which files are looked through. One name in reach "
        "stands for one workflow; a module's own workflows come before all others."
    ),
    unrepaired="which of the two is meant, and what the other one is to be called, only their author knows",
    example=example(
        """{"name": "parent", "start": "go",
 "nodes": [{"id": "go", "type": "subgraph", "workflow": {"name": "child"}}],
                                                        ^^^^^^^^^^^^^^^^^
 "edges": [{"from": "go", "outcome": "ok", "to": "__end__"}]}
""",
        ('{"name": "child"}', '{"name": "other"}'),
        beside={"one.wf.json": _ONE % "child", "two.wf.json": _ONE % "child", "three.wf.json": _ONE % "other"},
    ),
)
CODES = (UNKNOWN_WORKFLOW, RECURSIVE_WORKFLOW, SUBGRAPH_OUTCOME, SUBGRAPH_CONTRACT, AMBIGUOUS_WORKFLOW)


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        for step in flow.workflow.steps:
            if not isinstance(step, SubgraphStep):
                continue
            match step.link:
                case Unknown(known, unsure):
                    if not unsure and not _is_misnamed(step, known):
                        yield _unknown(step, known)
                case Ambiguous(files):
                    yield _ambiguous(step, files)
            child = facts.child(step)
            if child is not None:
                yield from _outcomes(facts, flow, step, child)
                yield from _schemas(step, child)
    for recursion in facts.recursions:
        yield _recursive(recursion)


def _is_misnamed(step: SubgraphStep, known: tuple[str, ...]) -> bool:
    """Whether a name surely means a workflow whose own name is the fault; an artifact is known by no such name."""
    return step.workflow.name is not None and is_at_fault(meant(step.workflow.name, known))


def _unknown(step: SubgraphStep, known: tuple[str, ...]) -> Diagnostic:
    got = str(step.workflow)
    guess, names = meant(got, known), alike(got, known)
    # A version is never taken for another one without being asked.
    guess = guess if step.workflow.artifact_id is None else None
    return UNKNOWN_WORKFLOW.at(
        step.at.below("workflow"),
        fixes=(_name_workflow(step, guess),) if guess else (),
        step=step.id,
        got=got,
        expected=f"one such as {quoted(names[:1])}" if names else "one in reach",
        allowed=names,
    )


def _name_workflow(step: SubgraphStep, name: str) -> Fix:
    changes = [_tested(step), {"op": "replace", "path": step.at.below("workflow").pointer, "value": {"name": name}}]
    return patch(f"Run `{name}`", step.at, changes, SAFE)


def _ambiguous(step: SubgraphStep, files: tuple[str, ...]) -> Diagnostic:
    return AMBIGUOUS_WORKFLOW.at(
        step.at.below("workflow"),
        step=step.id,
        got=str(step.workflow),
        count=len(files),
        expected=quoted(sorted(files)),
    )


def _recursive(recursion: Recursion) -> Diagnostic:
    step, way = recursion.step, recursion.way
    return RECURSIVE_WORKFLOW.at(
        step.at.below("workflow"),
        step=step.id,
        got=str(step.workflow),
        around=" → ".join(f"`{name}`" for name in way),
        path=list(way),
    )


def _outcomes(facts: Facts, flow: Flow, step: SubgraphStep, child: Flow) -> Iterator[Diagnostic]:
    """A name of the step that the child does not have is taken for one of those that the step lacks, if it can be.

    Where the child could not be read as a whole, its outcomes are not known. An end of the child that gives what the
    child does not declare is the child's fault.
    """
    theirs = list(dict.fromkeys(child.workflow.outcomes))
    if child.workflow.holes and not theirs:
        return
    lacking = {each.outcome: each for each in facts.lacking[flow.index] if each.step is step}
    ending = {outcome for outcome, _ in child.ends}
    strange = [outcome for outcome in dict.fromkeys(step.declared) if outcome not in theirs and outcome not in ending]
    declared = Related("declared", child.workflow.at.below("outcomes"), "the child's outcomes")
    for outcome in strange:
        correct = meant(outcome, lacking) or (next(iter(lacking)) if len(lacking) == len(strange) == 1 else None)
        lacking.pop(correct or "", None)
        if is_at_fault(outcome):
            continue
        yield _idle_outcome(flow, step, outcome, correct, theirs, declared)
    for each in lacking.values():
        yield _lacking_outcome(facts, flow, each, theirs, declared)


def _idle_outcome(
    flow: Flow, step: SubgraphStep, outcome: str, correct: str | None, theirs: list[str], declared: Related
) -> Diagnostic:
    """An error where another outcome of the child was meant, because that one then goes without."""
    return SUBGRAPH_OUTCOME.at(
        step.at.below("outcomes", step.declared.index(outcome)),
        severity=Severity.ERROR if correct else Severity.WARNING,
        related=(declared,),
        fixes=(_replaced(flow, step, outcome, correct) if correct else _without(flow, step, outcome),),
        hides=int(correct is not None),
        got=f"`{step.id}` declares `{outcome}`, which `{step.workflow}` never gives",
        expected=f"`{correct}`" if correct else f"only {quoted(theirs)}",
        advice=f"write `{correct}`"
        if correct
        else f"take `{outcome}` out, with its edge, or let the child end with it",
        allowed=theirs,
    )


def _lacking_outcome(facts: Facts, flow: Flow, lacking: Lacking, theirs: list[str], declared: Related) -> Diagnostic:
    """The step needs the outcome and an edge for it: to the steps that nothing leads to, or out of where it stands."""
    step, outcome = lacking.step, lacking.outcome
    island = facts.causes(flow).island(lacking)
    wired = _edges_by(flow, step, outcome)
    target = wired[0].target if wired else island.steps[0].id if island else flow.way_out(step.id)
    edge = {"from": step.id, "outcome": outcome, "to": target}
    changes = [
        _tested(step),
        {"op": "add", "path": step.at.below("outcomes").pointer, "value": [*step.declared, outcome]},
        *([] if wired else [{"op": "add", "path": flow.workflow.at.below("edges", "-").pointer, "value": edge}]),
    ]
    title = f"Declare `{outcome}`" if wired else f"Declare `{outcome}` and lead it to `{target}`"
    return SUBGRAPH_OUTCOME.at(
        step.at.below("outcomes"),
        related=(declared,),
        fixes=(patch(title, step.at, changes, SAFE if wired else UNSAFE if island else PLACEHOLDER),),
        hides=facts.causes(flow).hidden(lacking) + len(wired),
        got=f"`{step.workflow}` can end with `{outcome}`, which `{step.id}` does not declare",
        expected=f"all of {quoted(theirs)}",
        advice=f"add `{outcome}` to the outcomes of `{step.id}`, and an edge for it",
        allowed=theirs,
    )


def _tested(step: SubgraphStep) -> dict[str, Any]:
    """What follows may be written in two ways or not at all; the id is always there."""
    return {"op": "test", "path": step.at.below("id").pointer, "value": step.id}


def _edges_by(flow: Flow, step: SubgraphStep, outcome: str) -> list[Edge]:
    return [edge for edge in flow.workflow.edges if (edge.source, edge.outcome) == (step.id, outcome)]


def _replaced(flow: Flow, step: SubgraphStep, outcome: str, correct: str) -> Fix:
    names = [correct if name == outcome else name for name in step.declared]
    changes = [_tested(step), {"op": "add", "path": step.at.below("outcomes").pointer, "value": names}]
    for edge in _edges_by(flow, step, outcome):
        changes.append({"op": "replace", "path": edge.at.below("outcome").pointer, "value": correct})
    return patch(f"Write `{correct}`", step.at, changes, SAFE)


def _without(flow: Flow, step: SubgraphStep, outcome: str) -> Fix:
    names = [name for name in step.declared if name != outcome]
    changes = [_tested(step), {"op": "add", "path": step.at.below("outcomes").pointer, "value": names}]
    changes += [{"op": "remove", "path": edge.at.pointer} for edge in reversed(_edges_by(flow, step, outcome))]
    return patch(f"Take `{outcome}` out", step.at, changes, UNSAFE)


def _schemas(step: SubgraphStep, child: Flow) -> Iterator[Diagnostic]:
    """Where the child is not wholly readable, its schemas may stand in for ones that could not be read."""
    if child.workflow.holes:
        return
    pairs: tuple[tuple[str, Schema | None, Schema], ...] = (
        ("input_schema", step.input_schema, child.workflow.input_schema),
        ("output_schema", step.output_schema, child.workflow.output_schema),
    )
    for field, mine, theirs in pairs:
        found = disagreement(mine, theirs) if mine is not None else None
        if found is not None:
            place = step.at.below(field)
            yield SUBGRAPH_CONTRACT.at(
                place,
                related=(Related("declared", child.workflow.at.below(field), "the child's"),),
                fixes=(_without_schema(step, field),),
                field=field,
                step=step.id,
                child=child.workflow.name,
                got=found,
                expected="a schema that the same values satisfy",
            )


def _without_schema(step: SubgraphStep, field: str) -> Fix:
    changes = [_tested(step), {"op": "remove", "path": step.at.below(field).pointer}]
    return patch(f"Leave `{field}` out", step.at, changes, SAFE)
