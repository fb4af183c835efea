"""Patches on what an author wrote: each opens with a `test` of what it is about to change (reference 3.1)."""

from __future__ import annotations

from typing import Any

from wfc.diagnostics import Applicability, Fix, Place
from wfc.ir import Edge, Step, Workflow
from wfc.source import pointer_parts

SAFE, UNSAFE, PLACEHOLDER = Applicability.SAFE, Applicability.UNSAFE, Applicability.PLACEHOLDER


def rewrite(title: str, place: Place, old: Any, new: Any, applicability: Applicability = SAFE) -> Fix:
    """Put another value in the place of one."""
    return patch(title, place, [_test(place, old), _replace(place, new)], applicability)


def rename_all(title: str, places: list[Place], old: str, new: str, applicability: Applicability = SAFE) -> Fix:
    """Put another name in several places."""
    changes = [change for place in places for change in (_test(place, old), _replace(place, new))]
    return patch(title, places[0], changes, applicability)


def take_out(title: str, place: Place, written: Any, applicability: Applicability = SAFE) -> Fix:
    """Remove a value."""
    return patch(title, place, [_test(place, written), _remove(place)], applicability)


def take_out_all(title: str, marked: Place, written: Any, places: list[Place]) -> Fix:
    """Remove several values, the last one first so that the others keep their places; `marked` is tested."""
    ordered = sorted(places, key=lambda place: _order(place.pointer), reverse=True)
    return patch(title, marked, [_test(marked, written), *(_remove(place) for place in ordered)], UNSAFE)


def put(title: str, step: Step, values: list[tuple[Place, Any]], applicability: Applicability = SAFE) -> Fix:
    """Put values in places of a step that are there. A path has two forms, so the step's id is what is tested."""
    return patch(title, step.at, [_named(step), *(_replace(place, value) for place, value in values)], applicability)


def give(title: str, step: Step, values: list[tuple[Place, Any]], applicability: Applicability = SAFE) -> Fix:
    """Give keys to objects in a step, in the place of those that are there."""
    added = [{"op": "add", "path": place.pointer, "value": value} for place, value in values]
    return patch(title, step.at, [_named(step), *added], applicability)


def leave_out(title: str, step: Step, places: list[Place], applicability: Applicability = SAFE) -> Fix:
    """Remove parts of a step, the last one first so that the others keep their places."""
    ordered = sorted(places, key=lambda place: _order(place.pointer), reverse=True)
    return patch(title, step.at, [_named(step), *map(_remove, ordered)], applicability)


def add_edge(
    title: str, workflow: Workflow, step: Step, outcome: str, target: str, applicability: Applicability
) -> Fix:
    """Wire an outcome of a step."""
    edge = {"from": step.id, "outcome": outcome, "to": target}
    added = (
        {"op": "add", "path": workflow.at.below("edges", "-").pointer, "value": edge}
        if workflow.edges
        else {"op": "add", "path": workflow.at.below("edges").pointer, "value": [edge]}
    )
    return patch(title, workflow.at, [_named(step), added], applicability)


def redirect(title: str, edge: Edge, target: str, applicability: Applicability) -> Fix:
    """Lead an edge to another step."""
    return rewrite(title, edge.at.below("to"), edge.target, target, applicability)


def written_edge(edge: Edge) -> dict[str, Any]:
    """An edge as its author wrote it."""
    return {"from": edge.source, "outcome": edge.outcome, "to": edge.target, **edge.extra}


def patch(title: str, place: Place, changes: list[dict[str, Any]], applicability: Applicability) -> Fix:
    return Fix(title, place.file, tuple(changes), applicability)


def _named(step: Step) -> dict[str, Any]:
    return _test(step.at.below("id"), step.id)


def _test(place: Place, value: Any) -> dict[str, Any]:
    return {"op": "test", "path": place.pointer, "value": value}


def _replace(place: Place, value: Any) -> dict[str, Any]:
    return {"op": "replace", "path": place.pointer, "value": value}


def _remove(place: Place) -> dict[str, Any]:
    return {"op": "remove", "path": place.pointer}


def _order(written: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in pointer_parts(written)]
