"""A name of the wrong alphabet, written as one of the right alphabet in every place that names it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wfc.frontend.bindings import records
from wfc.frontend.findings import Finding, Repair
from wfc.frontend.reader import Record
from wfc.ir import Step

_FOREIGN = re.compile(r"[^A-Za-z0-9_-]+")
_MOST = 128


def renamed_everywhere(found: Finding, read: Record, steps: Sequence[Step]) -> tuple[Repair, ...]:
    """The repair for the name of a step or of a definition; of others the places are not known."""
    parts = found.pointer[len(read.pointer) :].split("/")[1:]
    if len(parts) != 3 or (parts[0], parts[2]) not in (("nodes", "id"), ("node_defs", "name")):
        return ()
    names = [record[parts[2]] for record in records(read[parts[0]])]
    old = found.facts["got"]
    new = _FOREIGN.sub("_", old).strip("_-")
    if not re.match(r"[A-Za-z]", new) or len(new) > _MOST or new in names or names.count(old) != 1:
        return ()
    places = [found.pointer, *(_references(read, old) if parts[0] == "nodes" else _uses(steps, old))]
    patch = [
        change
        for at in places
        for change in ({"op": "test", "path": at, "value": old}, {"op": "replace", "path": at, "value": new})
    ]
    return (Repair(f"Name it `{new}`, wherever it is named", tuple(patch)),)


def _references(read: Record, name: str) -> Iterator[str]:
    if read["start"] == name:
        yield f"{read.pointer}/start"
    for edge in records(read["edges"]):
        yield from (f"{edge.pointer}/{end}" for end in ("from", "to") if edge[end] == name)


def _uses(steps: Sequence[Step], name: str) -> Iterator[str]:
    yield from (f"{step.at.pointer}/node" for step in steps if getattr(step, "definition", None) == name)
