"""A step that is passed by where what it reads is not there: a condition in front of it asks."""

from __future__ import annotations

from typing import Any

from wfc.diagnostics import Fix
from wfc.ir import NodeStep, SubgraphStep
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import UNSAFE, patch
from wfc.passes.spelling import fresh
from wfc.paths import GraphSourcePath


def passing_by(flow: Flow, name: str, path: GraphSourcePath) -> tuple[Fix, ...]:
    """Go on behind a call where a path is not there; a step of several outcomes decides something, and is kept."""
    step, workflow = flow.steps[name], flow.workflow
    if not isinstance(step, NodeStep | SubgraphStep) or len(step.outcomes or ()) != 1 or step.catch:
        return ()
    behind = [edge.target for edge in workflow.edges if edge.source == name and edge.target is not None]
    leading = [edge for edge in workflow.edges if edge.target == name]
    if len(behind) != 1 or behind[0] == name:
        return ()
    guard = fresh(f"has_{path.parts[-1]}", flow.steps)
    condition = {"id": guard, "type": "condition", "check": {"op": "exists", "path": str(path)}}
    ways = [{"from": guard, "outcome": "true", "to": name}, {"from": guard, "outcome": "false", "to": behind[0]}]
    changes: list[dict[str, Any]] = [
        {"op": "test", "path": step.at.below("id").pointer, "value": name},
        *({"op": "replace", "path": edge.at.below("to").pointer, "value": guard} for edge in leading),
        {"op": "add", "path": workflow.at.below("nodes", "-").pointer, "value": condition},
        *({"op": "add", "path": workflow.at.below("edges", "-").pointer, "value": way} for way in ways),
    ]
    if workflow.start == name:
        changes.append({"op": "replace", "path": workflow.at.below("start").pointer, "value": guard})
    return (patch(f"Pass `{name}` by where `{path}` is not there", step.at, changes, UNSAFE),)
