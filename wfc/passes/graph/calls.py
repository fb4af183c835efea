"""Which steps of a workflow call which definitions; known before anything is known of its graph."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from wfc.ir import HoleStep, NodeDef, NodeStep, Workflow
from wfc.records import dataclass

if TYPE_CHECKING:
    from wfc.passes.graph.flow import Flow


def called(flow: Flow) -> list[NodeDef]:
    """The definitions that reachable steps of a flow call, each once, in the order of the steps."""
    steps = (flow.steps[name] for name in flow.reachable)
    names = (step.definition for step in steps if isinstance(step, NodeStep) and step.definition in flow.definitions)
    return [flow.definitions[name] for name in dict.fromkeys(names)]


@dataclass(frozen=True)
class Calls:
    """The definitions of a workflow and the steps that call them. Of several with one name the first counts."""

    workflow: Workflow

    @cached_property
    def definitions(self) -> Mapping[str, NodeDef]:
        found: dict[str, NodeDef] = {}
        for definition in self.workflow.defs:
            found.setdefault(definition.name, definition)
        return found

    @cached_property
    def has_unread_steps(self) -> bool:
        """Whether there may be steps that could not be read."""
        steps = self.workflow.steps
        return self.workflow.holes and (not steps or any(isinstance(step, HoleStep) for step in steps))

    @cached_property
    def unknown(self) -> tuple[NodeStep, ...]:
        """Steps that use a definition which is not there.

        Where a workflow that is not wholly readable has no definitions at all, they are what could not be read.
        """
        if self.workflow.holes and not any(definition.written for definition in self.workflow.defs):
            return ()
        steps = (step for step in self.workflow.steps if isinstance(step, NodeStep))
        return tuple(step for step in steps if step.definition not in self.definitions)

    @cached_property
    def unused(self) -> tuple[NodeDef, ...]:
        """Written definitions that no step uses, by name; a step that could not be read may use any."""
        if self.has_unread_steps:
            return ()
        used = {step.definition for step in self.workflow.steps if isinstance(step, NodeStep)}
        named = sorted(self.definitions.items())
        return tuple(definition for name, definition in named if definition.written and name not in used)
