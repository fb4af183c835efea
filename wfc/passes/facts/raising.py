"""Which of the run errors that can be caught a step may fail with, a child workflow included (reference 1.4, 2.11).

Guarantees: a step never fails with a catchable code that is not named here.
"""

from __future__ import annotations

from wfc.ir import CATCHABLE, ForeachStep, HoleStep, Linked, NodeDef, NodeStep, Schema, Step, SubgraphStep, std
from wfc.passes.graph.flow import Flow

Codes = frozenset[str]
_EVERY: Codes = frozenset(CATCHABLE)
_NONE: Codes = frozenset()
# Built-in nodes that fail for some payload which their own input schema admits.
_FAILING = frozenset({"fail", "range", "join_text", "template", "sum"})


class Raising:
    """The catchable errors of the workflows of a module, worked out when somebody first asks."""

    def __init__(self, flows: tuple[Flow, ...]) -> None:
        self._flows = flows
        self._known: dict[int, Codes] = {}

    def of_step(self, flow: Flow, step: Step) -> Codes:
        """The codes with which a step may fail before its own `catch` is asked."""
        if isinstance(step, SubgraphStep) and isinstance(step.link, Linked):
            self._work_out(step.link.index)
        return self._raised(flow, step)

    def _raised(self, flow: Flow, step: Step) -> Codes:
        match step:
            case NodeStep():
                definition = flow.definitions.get(step.definition)
                return _EVERY if definition is None else _of_call(definition, step)
            case SubgraphStep():
                return self._known.get(step.link.index, _EVERY) if isinstance(step.link, Linked) else _EVERY
            case HoleStep():
                return _EVERY
            case _:
                return _NONE

    def _work_out(self, index: int) -> None:
        """A child before its parents; what contains itself may fail in every way."""
        waiting, opened = [index], set[int]()
        while waiting:
            flow = self._flows[waiting[-1]]
            children = _children(flow)
            fresh = [child for child in children if child not in self._known and child not in opened]
            opened.add(waiting[-1])
            if fresh:
                waiting += fresh
                continue
            done = waiting.pop()
            if done not in self._known:
                self._known[done] = self._of_flow(flow)

    def _of_flow(self, flow: Flow) -> Codes:
        """What gets out of a workflow: what its steps fail with, none of them catches, and no loop goes on past."""
        if flow.workflow.holes:
            return _EVERY
        found: set[str] = set()
        for name in flow.reachable:
            step = flow.steps[name]
            if isinstance(step, NodeStep | SubgraphStep) and not _is_taken(flow, name):
                found |= self._raised(flow, step) - {code for entry in step.catch for code in entry.codes}
        return frozenset(found)


def _children(flow: Flow) -> list[int]:
    links = (step.link for step in flow.steps.values() if isinstance(step, SubgraphStep))
    return list(dict.fromkeys(link.index for link in links if isinstance(link, Linked)))


def _is_taken(flow: Flow, name: str) -> bool:
    """Whether a loop around a step goes on past items that fail."""
    region = flow.region(name)
    openers = (flow.steps[around.step] for around in region.outwards()) if region is not None else ()
    return any(isinstance(opener, ForeachStep) and opener.on_item_error != "fail" for opener in openers)


def _of_call(definition: NodeDef, step: NodeStep) -> Codes:
    """Built-in nodes are always there and answer what they declare; most fail only if they may be given anything."""
    builtin = std.BY_KEY.get(definition.uses.capability_key) if definition.uses.source == std.SOURCE else None
    if builtin is None:
        return _EVERY
    found = {"node_output_invalid"}
    if builtin.key in _FAILING or definition.input_schema != Schema.of(builtin.input):
        found.add("node_failed")
    if step.timeout_seconds is not None or definition.timeout_seconds is not None:
        found.add("node_timeout")
    if set(definition.outcomes) != set(builtin.outcomes):
        found.add("undeclared_outcome")
    return frozenset(found)
