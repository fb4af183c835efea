"""What could be bound to a field: the paths that are surely there where a step stands, with a type that fits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from wfc.diagnostics import Applicability, Fix
from wfc.ir import ForeachStep, InputBinding, InterruptStep, NodeStep, Step, SubgraphStep, root_properties
from wfc.passes import types
from wfc.passes.facts import Facts
from wfc.passes.facts.returns import accepted
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import PLACEHOLDER, SAFE, UNSAFE, give, put
from wfc.passes.spelling import meant
from wfc.passes.types import Type, Verdict
from wfc.passes.values import Read
from wfc.paths import GraphSourcePath, LocalPath

_MOST_FIELDS = 200
_MOST_ASKED = 100


Offer = tuple[GraphSourcePath, Applicability]


def fitting(facts: Facts, flow: Flow, name: str, wanted: Type) -> list[GraphSourcePath]:
    """The top-level fields of input and state, and the items of loops, that a step could bind, in this order."""
    found = []
    for path in _readable(flow, name):
        seen = facts.values.seen_at(flow, name, path)
        if seen.presence is Verdict.ALWAYS and types.fits(seen.type, wanted).verdict is Verdict.ALWAYS:
            found.append(path)
    return found


def _readable(flow: Flow, name: str) -> Iterator[GraphSourcePath]:
    workflow = flow.workflow
    for base, schema in (("input", workflow.input_schema), ("state", workflow.state_schema)):
        for field in list(root_properties(schema.value))[:_MOST_FIELDS]:
            yield GraphSourcePath(base, (field,))
    region = flow.region(name)
    for around in region.outwards() if region is not None else ():
        opener = flow.steps[around.step]
        if isinstance(opener, ForeachStep):
            yield GraphSourcePath("context", (opener.alias,))


def likely(paths: Sequence[GraphSourcePath], field: str, used: Collection[GraphSourcePath]) -> Offer | None:
    """The one path that is meant for a field: of its name, spelt like it, or the only one that is not used."""
    same = [path for path in paths if path.parts[-1] == field]
    if same:
        return same[0], SAFE if len(same) == 1 else UNSAFE
    by_name = {path.parts[-1]: path for path in paths}
    guess = meant(field, by_name)
    if guess is not None:
        return by_name[guess], UNSAFE
    unused = [path for path in paths if path not in used]
    return (unused[0], UNSAFE) if len(unused) == 1 else None


class Offers:
    """The paths of one workflow that could be bound instead of what is bound, or where nothing is.

    After a hundred questions there are none any more: a workflow with so many faults is repaired otherwise.
    """

    def __init__(self, facts: Facts, flow: Flow) -> None:
        self._facts = facts
        self._flow = flow
        self._left = _MOST_ASKED

    def fitting(self, name: str, wanted: Type) -> list[GraphSourcePath]:
        self._left -= 1
        return fitting(self._facts, self._flow, name, wanted) if self._left >= 0 else []

    def likely(self, name: str, field: str, wanted: Type) -> Offer | None:
        """What is meant for a field of the payload of a step."""
        used = {each.source for each in _bound(self._flow.steps[name]) if isinstance(each.source, GraphSourcePath)}
        return likely(self.fitting(name, wanted), field, used)

    def instead(self, read: Read) -> tuple[Fix, ...]:
        """Another path for a binding whose own leads nowhere: the one that is meant for the field which it fills."""
        step = self._flow.steps[read.step]
        if read.role == "over":
            return self._array(read, step)
        if read.target is None or not read.target.parts:
            return ()
        schema = accepted(self._facts, self._flow, step)
        wanted = types.ANYTHING if schema is None else types.at(types.of(schema), read.target.parts).type
        found = self.likely(read.step, read.target.parts[-1], wanted)
        if found is None or found[0] == read.path:
            return ()
        return (put(f"Read `{found[0]}`", step, [(read.at, str(found[0]))], UNSAFE),)

    def _array(self, read: Read, step: Step) -> tuple[Fix, ...]:
        """The array that is meant by a loop: the only one, else the only one that nothing reads yet."""
        arrays = [path for path in self.fitting(read.step, types.array_of(types.ANYTHING)) if path != read.path]
        read_already = self._facts.field_uses(self._flow).paths.read
        unread = [
            path for path in arrays if path.parts[0] not in {parts[0] for parts in read_already[path.base] if parts}
        ]
        chosen = arrays if len(arrays) == 1 else unread
        if len(chosen) != 1:
            return ()
        return (put(f"Read `{chosen[0]}`", step, [(read.at, str(chosen[0]))], UNSAFE),)

    def binding(self, name: str, target: LocalPath, wanted: Type) -> tuple[Fix, ...]:
        """A binding for a field that has none: of a path that is meant for it, else of a value to be replaced."""
        step = self._flow.steps[name]
        found = self.likely(name, target.parts[-1], wanted)
        if found is not None:
            path, applicability = found
            return _added(step, f"`{path}`", {"target": str(target), "path": str(path)}, applicability)
        value = types.sample(wanted)
        if value is None:
            return ()
        return _added(step, "a value", {"target": str(target), "value": value[0]}, PLACEHOLDER)


def _bound(step: Step) -> tuple[InputBinding, ...]:
    if isinstance(step, InterruptStep):
        return step.request
    return step.input if isinstance(step, (NodeStep, SubgraphStep)) else ()


def _added(step: Step, what: str, written: dict[str, Any], applicability: Applicability) -> tuple[Fix, ...]:
    """Where bindings stand in an older spelling there is no list to add to."""
    place, there = step.at.below("request" if isinstance(step, InterruptStep) else "input"), _bound(step)
    if any(not each.at.pointer.startswith(f"{place.pointer}/") for each in there):
        return ()
    at, value = (place.below("-"), written) if there else (place, [written])
    return (give(f"Bind `{written['target']}` to {what}", step, [(at, value)], applicability),)
