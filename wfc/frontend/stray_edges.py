"""Edges that are written as a key of the step they leave, such as `"next": "summarize"`, as other systems write them.

Guarantees: such a key is one fault. Its edge is known to all that follows, so that nothing else is said of it, and its
repair moves it to the edges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wfc.diagnostics import Place
from wfc.frontend.bindings import inside
from wfc.frontend.findings import Finding, Repair
from wfc.frontend.foreign_words import OUTCOMES
from wfc.frontend.reader_codes import UNKNOWN_FIELD
from wfc.ir import END, Edge, Step
from wfc.records import dataclass, replace
from wfc.source import lookup, pointer_parts

# The targets of a step by its outcomes.
Targets = dict[str, str]


@dataclass(frozen=True, slots=True)
class _Wired:
    """The steps of a workflow, and which of their outcomes have an edge."""

    steps: Mapping[str, Step]
    done: frozenset[tuple[str | None, str | None]]

    def meant(self, step: Step, key: str, written: Any) -> Targets:
        """What a key of a step says of its edges; nothing where it says something else."""
        free = [outcome for outcome in step.outcomes or () if (step.id, outcome) not in self.done]
        targets = written
        if isinstance(written, str):
            outcome = OUTCOMES.get(key, key)
            targets = {outcome: written} if outcome in free else {free[0]: written} if len(free) == 1 else {}
        if not isinstance(targets, dict) or not all(isinstance(target, str) for target in targets.values()):
            return {}
        named = all(target == END or target in self.steps for target in targets.values())
        return targets if named and set(targets) <= set(free) else {}


def take_edges(
    findings: list[Finding], value: Any, at: Place, steps: Sequence[Step], edges: tuple[Edge, ...]
) -> tuple[Edge, ...]:
    """The edges of a workflow with those that its steps hold; what was found of these gets its repair, in place.

    `value` is the whole document, `at` the workflow in it.
    """
    if not any(found.code is UNKNOWN_FIELD for found in findings):
        return edges
    by_pointer = {step.at.pointer: step for step in steps}
    wired = _Wired({step.id: step for step in steps}, frozenset((edge.source, edge.outcome) for edge in edges))
    listed = lookup(value, (*pointer_parts(at.pointer), "edges"))
    here = f"{at.pointer}/edges" + ("/-" if isinstance(listed[0], list) and listed[1][-1:] == ("edges",) else "")
    taken: list[Edge] = []
    for index, found in enumerate(findings):
        step = by_pointer.get(found.pointer.rpartition("/")[0]) if found.code is UNKNOWN_FIELD else None
        if step is None:
            continue
        written = lookup(value, pointer_parts(found.pointer))[0]
        targets = wired.meant(step, found.facts["got"], written)
        if not targets:
            continue
        place = inside(at, found.pointer)
        taken += (Edge(step.id, outcome, target, place, {}) for outcome, target in targets.items())
        findings[index] = replace(found, repairs=(_moved(found, step, written, targets, here),))
    return (*edges, *taken)


def _moved(found: Finding, step: Step, written: Any, targets: Targets, here: str) -> Repair:
    made = [{"from": step.id, "outcome": outcome, "to": target} for outcome, target in targets.items()]
    added: list[dict[str, Any]] = (
        [{"op": "add", "path": here, "value": edge} for edge in made]
        if here.endswith("-")
        else [{"op": "add", "path": here, "value": made}]
    )
    test = {"op": "test", "path": found.pointer, "value": written}
    title = f"Write `{found.facts['got']}` as {'an edge' if len(made) == 1 else 'edges'} of `{step.id}`"
    return Repair(title, (test, {"op": "remove", "path": found.pointer}, *added))
