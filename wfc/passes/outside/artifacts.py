"""Stored workflows that a step refers to are looked up (reference 1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Severity, Strict
from wfc.ir import SubgraphStep, Unresolved
from wfc.passes.examples import example
from wfc.passes.facts import Facts

UNRESOLVED_ARTIFACT = Code(
    code="WF705",
    rule="unresolved-artifact",
    severity=Severity.NOTE,
    strict=Strict.ERROR,
    message="`{step}` runs `{got}`, and there is no store to look it up in; expected {expected}",
    help="check where the store is configured, or name a workflow of this module or of a file in reach",
    why=(
        "An artifact is a stored version of a workflow. Without its store the step is judged by the outcomes and "
        "schemas that stand on it, which may not be those of the child, and nothing can be proved of what the child "
        "does."
    ),
    unrepaired="the document is as it should be; what lacks is a store, or the artifact in it",
    example=example(
        """{"workflows": [
 {"name": "parent", "start": "go", "nodes": [
   {"id": "go", "type": "subgraph", "workflow": {"artifact_id": "nap", "version": 2}}],
                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  "edges": [{"from": "go", "outcome": "ok", "to": "__end__"}]},
 {"name": "child", "start": "nap", "nodes": [{"id": "nap", "type": "wait", "seconds": 1}],
  "edges": [{"from": "nap", "outcome": "ok", "to": "__end__"}]}]}
""",
        ('{"artifact_id": "nap", "version": 2}', '{"name": "child"}'),
    ),
)
CODES = (UNRESOLVED_ARTIFACT,)


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        for name in flow.reachable:
            step = flow.steps[name]
            if isinstance(step, SubgraphStep) and isinstance(step.link, Unresolved):
                yield UNRESOLVED_ARTIFACT.at(
                    step.at.below("workflow"),
                    step=step.id,
                    got=str(step.workflow),
                    expected="a workflow that can be read",
                )
