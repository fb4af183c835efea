"""A workflow that fails made as small as it can be while it still fails so: pieces of the document are taken out.

Delta debugging on JSON: whole steps are bypassed, then any element, key or nested piece goes, until nothing can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.soundness.shapes import Json
from wfc.ir import copy
from wfc.source import lookup

Fails = Callable[[Json], bool]
_KEPT = {"id", "type", "name", "from", "to", "start", "main", "mode", "as"}


def shrunk(made: Json, fails: Fails, tries: int = 4000) -> Json:
    """The smallest document found from which nothing more can be taken, within so many tries."""
    while tries > 0:
        before, at = made, 0
        candidates = list(_smaller(made))
        while at < len(candidates) and tries > 0:
            tries -= 1
            if fails(candidates[at]):
                # What follows in the new list is most likely what followed in the old one.
                made = candidates[at]
                candidates = list(_smaller(made))
            else:
                at += 1
        if made == before:
            break
    return made


def _smaller(made: Json) -> Iterator[Json]:
    """Documents with less, those with much less first."""
    workflows = made["workflows"]
    for index, workflow in enumerate(workflows):
        for step in workflow.get("nodes", ()):
            yield from _bypassed(made, index, step["id"])
    yield from _pruned(made)
    paths = sorted(_paths(made), key=lambda path: (len(path), path))
    for path in paths:
        yield _without(made, path)
    for path in paths:
        yield from _lifted(made, path)


def _bypassed(made: Json, index: int, step: str) -> Iterator[Json]:
    """The step gone, and whatever led to it led on to where one of its outcomes goes."""
    edges = made["workflows"][index].get("edges", [])
    for onward in dict.fromkeys(edge["to"] for edge in edges if edge["from"] == step and edge["to"] != step):
        after = copy(made)
        workflow = after["workflows"][index]
        workflow["nodes"] = [one for one in workflow["nodes"] if one["id"] != step]
        workflow["edges"] = [edge for edge in workflow["edges"] if edge["from"] != step]
        for edge in workflow["edges"]:
            edge["to"] = onward if edge["to"] == step else edge["to"]
        if workflow["start"] == step:
            workflow["start"] = onward
        yield after


def _pruned(made: Json) -> Iterator[Json]:
    """Everything gone that nothing leads to: steps, definitions, workflows."""
    after = copy(made)
    for workflow in after["workflows"]:
        reached, waiting = set(), [workflow["start"]]
        while waiting:
            step = waiting.pop()
            if step not in reached:
                reached.add(step)
                waiting += [edge["to"] for edge in workflow.get("edges", ()) if edge["from"] == step]
        workflow["nodes"] = [step for step in workflow["nodes"] if step["id"] in reached]
        workflow["edges"] = [edge for edge in workflow.get("edges", ()) if edge["from"] in reached]
        used = {step.get("node") for step in workflow["nodes"]}
        workflow["node_defs"] = [one for one in workflow.get("node_defs", ()) if one["name"] in used]
    called = {step["workflow"]["name"] for one in after["workflows"] for step in one["nodes"] if "workflow" in step}
    after["workflows"] = [one for one in after["workflows"] if one["name"] in called or one["name"] == after["main"]]
    if after != made:
        yield after


def _paths(value: Any) -> Iterator[tuple[str, ...]]:
    waiting: list[tuple[tuple[str, ...], Any]] = [((), value)]
    while waiting:
        path, held = waiting.pop()
        pairs = held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ()
        for key, inner in pairs:
            if key not in _KEPT:
                yield (*path, str(key))
            waiting.append(((*path, str(key)), inner))


def _without(made: Json, path: tuple[str, ...]) -> Json:
    after = copy(made)
    holder, _ = lookup(after, path[:-1])
    del holder[int(path[-1]) if isinstance(holder, list) else path[-1]]
    return after


def _lifted(made: Json, path: tuple[str, ...]) -> Iterator[Json]:
    """The piece replaced by one of the pieces inside it: a condition by its argument, a union by a member."""
    held, _ = lookup(made, path)
    inner = list(held.values()) if isinstance(held, dict) else held if isinstance(held, list) else []
    for one in inner:
        if isinstance(one, dict) and path[-1] not in ("properties", "nodes", "edges", "node_defs", "workflows"):
            after = copy(made)
            holder, _ = lookup(after, path[:-1])
            holder[int(path[-1]) if isinstance(holder, list) else path[-1]] = one
            yield after
