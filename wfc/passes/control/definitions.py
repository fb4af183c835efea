"""Every node step uses a definition that is there, and every definition is used."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Severity
from wfc.ir import NodeDef, NodeStep, std
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.repairs.patches import UNSAFE, patch, rewrite
from wfc.passes.spelling import Speller, is_at_fault, quoted

UNKNOWN_NODE_DEF = Code(
    code="WF105",
    rule="unknown-node-def",
    severity=Severity.ERROR,
    message="step `{step}` uses `{got}`, which is no definition here; expected {expected}",
    help="name a definition of `node_defs` or a built-in, or add a definition `{got}`",
    why=(
        "A node step gets its capability, its schemas and its outcomes from the definition that it names. Without it "
        "the step cannot be called, and nobody knows which outcomes it needs edges for."
    ),
    example=example(
        """{"name": "greet", "start": "hello",
 "node_defs": [{"name": "say_hello", "outcomes": ["ok"]}],
 "nodes": [{"id": "hello", "type": "node", "node": "say_helo"}],
                                                   ^^^^^^^^^^
 "edges": [{"from": "hello", "outcome": "ok", "to": "__end__"}]}
""",
        ('"say_helo"', '"say_hello"'),
    ),
)
UNUSED_NODE_DEF = Code(
    code="WF111",
    rule="unused-node-def",
    severity=Severity.WARNING,
    message="no step uses the definition `{got}`; expected a step that does",
    help="use it in a step, or remove it",
    why=(
        "A definition that no step uses does nothing. Often it is what a deleted step left behind; sometimes a step "
        "was meant to use it and names another, and then the wrong capability is called."
    ),
    example=example(
        """{"name": "greet", "start": "hello",
 "node_defs": [{"name": "say", "outcomes": ["ok"]},
               {"name": "shout", "outcomes": ["ok"]}],
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 "nodes": [{"id": "hello", "type": "node", "node": "say"}],
 "edges": [{"from": "hello", "outcome": "ok", "to": "__end__"}]}
""",
        (',\n               {"name": "shout", "outcomes": ["ok"]}', ""),
    ),
)
CODES = (UNKNOWN_NODE_DEF, UNUSED_NODE_DEF)


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report uses of nothing, and definitions that nothing uses and no unknown name can mean."""
    for flow in facts.flows:
        unknown, unused = flow.calls.unknown, flow.calls.unused
        written = [definition.name for definition in flow.definitions.values() if definition.written]
        speller = Speller([*written, *std.BY_NAME])
        only = unused[0].name if len(unused) == len({step.definition for step in unknown}) == 1 else None
        for index, step in enumerate(unknown):
            if not is_at_fault(speller.meant(step.definition) or only):
                yield _report_unknown(step, speller, only, hides=int(index < len(unused)))
        for definition in unused[len(unknown) + len(flow.lost_names) :]:
            yield _report_unused(definition)


def _report_unknown(step: NodeStep, speller: Speller, only: str | None, hides: int) -> Diagnostic:
    """`only` is the one definition that waits for a use, while there is one unknown use."""
    place = step.at.below("node")
    guess, candidates = speller.meant(step.definition) or only, speller.alike(step.definition)
    return UNKNOWN_NODE_DEF.at(
        place,
        fixes=(rewrite(f"Use `{guess}`", place, step.definition, guess),) if guess else (),
        hides=hides,
        step=step.id,
        got=step.definition,
        expected=f"a definition such as {quoted(candidates[:1])}" if candidates else "one that is there",
        allowed=candidates,
    )


def _report_unused(definition: NodeDef) -> Diagnostic:
    changes = [
        {"op": "test", "path": definition.at.below("name").pointer, "value": definition.name},
        {"op": "remove", "path": definition.at.pointer},
    ]
    fix = patch(f"Remove `{definition.name}`", definition.at, changes, UNSAFE)
    return UNUSED_NODE_DEF.at(definition.at, fixes=(fix,), got=definition.name)
