"""A module as a picture, with all its faults: what is drawn is what was written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wfc.backends.emit.pictures.picture import Picture, Remark
from wfc.backends.emit.pictures.sketch import Region, Sketch, Step, draw
from wfc.backends.emit.pictures.words import condition_words, foreach_words, wait_words
from wfc.diagnostics import Diagnostic
from wfc.ir import (
    ConditionStep,
    EndStep,
    ForeachStep,
    InterruptStep,
    Linked,
    Module,
    NodeStep,
    SubgraphStep,
    WaitStep,
    Workflow,
)
from wfc.ir import Step as Written

# For a workflow by its number and a step: the regions around it, outermost first, as step, outcome, and whether it is
# the body of a foreach.
Around = Mapping[tuple[int, str], tuple[tuple[str, str, bool], ...]]


def picture_of_module(module: Module, around: Around, found: Iterable[Diagnostic]) -> Picture:
    """The workflows of a module, the main one first; each finding stands at its step."""
    main = module.main or 0
    order = [main, *(number for number in range(len(module.workflows)) if number != main)]
    places = {number: place for place, number in enumerate(order)}
    remarks = _remarks(found)
    sketches = [_sketch(number, module.workflows[number], around, places, remarks) for number in order]
    left = [remark for several in remarks.values() for remark in several]
    return draw(module.workflows[main].name, sketches, left)


_Remarks = dict[tuple[str | None, str | None], list[Remark]]


def _remarks(found: Iterable[Diagnostic]) -> _Remarks:
    """The findings by the workflow and step that they are about."""
    made: _Remarks = {}
    for one in found:
        remark = Remark(one.severity.value, one.code.code, one.message)
        made.setdefault((one.at.workflow, one.at.step), []).append(remark)
    return made


def _sketch(number: int, workflow: Workflow, around: Around, places: Mapping[int, int], remarks: _Remarks) -> Sketch:
    steps = [_step(workflow, one, places, remarks) for one in workflow.steps]
    edges = [
        (edge.source, edge.outcome, edge.target)
        for edge in workflow.edges
        if edge.source is not None and edge.outcome is not None and edge.target is not None
    ]
    kinds = {step.id: step for step in workflow.steps}
    inside = {
        step.id: tuple(_region(kinds, *region) for region in around.get((number, step.id), ()))
        for step in workflow.steps
    }
    return Sketch(workflow.name, f"workflow {workflow.name}", workflow.start, steps, edges, inside)


def _region(steps: Mapping[str, Written], step: str, outcome: str, is_body: bool) -> Region:
    if is_body:
        opener = steps.get(step)
        alias = opener.alias if isinstance(opener, ForeachStep) else outcome
        return Region(step, outcome, "foreach", f"for each {alias} of {step}")
    return Region(step, outcome, "branch", f"branch {outcome} of {step}")


def _step(workflow: Workflow, step: Written, places: Mapping[int, int], remarks: _Remarks) -> Step:
    kind = "end" if isinstance(step, EndStep) else step.type
    linked = isinstance(step, SubgraphStep) and isinstance(step.link, Linked)
    child = places.get(step.link.index) if linked else None  # type: ignore[union-attr]
    said = tuple(remarks.pop((workflow.name, step.id), ()))
    return Step(step.id, kind, _detail(step), step.desc or "", child, said)


def _detail(step: Written) -> str:
    match step:
        case NodeStep():
            return step.definition
        case ConditionStep():
            return condition_words(step.check)
        case ForeachStep():
            return foreach_words(step.alias, step.over, step.mode, step.max_concurrency)
        case WaitStep():
            return wait_words(step.seconds)
        case InterruptStep():
            return step.kind
        case SubgraphStep():
            return str(step.workflow)
        case EndStep():
            return step.outcome
        case _:
            return ""
