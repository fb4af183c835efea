"""A call that may change something is not made again by itself (reference 1.3, 2.9)."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Related, Severity
from wfc.ir import NodeDef, NodeStep, Retry
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.behind import harmless
from wfc.passes.repairs.patches import UNSAFE, patch

UNSAFE_RETRY = Code(
    code="WF600",
    rule="unsafe-retry",
    severity=Severity.WARNING,
    message="`{owner}` is tried {attempts} times, and `{definition}` {effect}; expected a call that may be repeated",
    help=(
        "declare `effects` of `{definition}` as `idempotent`, `read` or `pure` where that is true; otherwise let it be "
        "tried once, and wire its failure with `catch`"
    ),
    why=(
        "A call that failed may have done its work before it did, or just after its time was up. Made again, a payment "
        "is taken twice and a mail sent twice. What the call id makes harmless is `idempotent`, and says so."
    ),
    example=example(
        """{"name": "greet", "start": "hello",
 "input_schema": {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]},
 "node_defs": [{"name": "send", "uses": "mail.send", "outcomes": ["ok"], "effects": "write", "retry": 3,
                                                                                                      ^
   "input_schema": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}}],
 "nodes": [{"id": "hello", "type": "node", "node": "send", "input": [{"target": "to", "path": "input.who"}]}],
 "edges": [{"from": "hello", "outcome": "ok", "to": "__end__"}]}
""",
        ('"write"', '"idempotent"'),
    ),
)
CODES = (UNSAFE_RETRY,)
_OTHERWISE = "; otherwise let it be tried once, and wire its failure with `catch`"
_SHOWN = 5
# When this is the error, no call has begun.
_HARMLESS = frozenset({"capability_unavailable"})


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report a definition's policy once, at the definition, and each step's own at the step."""
    for flow in facts.flows:
        inherited: dict[str, list[NodeStep]] = {}
        for name in flow.reachable:
            step = flow.steps[name]
            definition = flow.definitions.get(step.definition) if isinstance(step, NodeStep) else None
            if not isinstance(step, NodeStep) or definition is None or not _may_write(facts, definition):
                continue
            if step.retry is not None:
                if _repeats(step.retry):
                    yield _report(facts, step.at.below("retry"), step.id, step.retry, definition, [])
            elif definition.retry is not None and _repeats(definition.retry):
                inherited.setdefault(definition.name, []).append(step)
        for users in inherited.values():
            definition = flow.definitions[users[0].definition]
            retry = definition.retry
            if retry is not None:
                yield _report(facts, definition.at.below("retry"), definition.name, retry, definition, users)


def _may_write(facts: Facts, definition: NodeDef) -> bool:
    """Whether a repeated call may do harm; what does not say what it does is taken to write (reference 1.3)."""
    return facts.module.catalogue.effects(definition.uses, definition.effects) in ("write", None)


def _repeats(retry: Retry) -> bool:
    return retry.max_attempts > 1 and not {code.partition(":")[0] for code in retry.on} <= _HARMLESS


def _report(
    facts: Facts, place: Place, owner: str, retry: Retry, definition: NodeDef, users: list[NodeStep]
) -> Diagnostic:
    """Where the lock says that the capability writes, nothing that the definition declares makes it harmless."""
    declared, uses = definition.effects == "write", definition.uses
    known = facts.module.catalogue.contract(uses.source, uses.capability_key)
    is_locked = known is not None and known.effects == "write"
    at = definition.at.below("effects") if declared else definition.at
    related = [Related("declared", at, _told(declared=declared, is_locked=is_locked))]
    related += [Related("on the path", step.at, "used here") for step in users[:_SHOWN]]
    return UNSAFE_RETRY.at(
        place,
        confidence="proved" if declared or is_locked else "likely",
        related=tuple(related),
        help=harmless(definition, "idempotent") + _OTHERWISE if is_locked else None,
        fixes=() if is_locked else (_idempotent(definition),),
        owner=owner,
        attempts=retry.max_attempts,
        definition=definition.name,
        effect="writes" if declared or is_locked else "may write: it declares no `effects`",
        got=retry.max_attempts,
        expected=1,
    )


def _told(*, declared: bool, is_locked: bool) -> str:
    if declared:
        return "the effects"
    return "what it calls is locked as a `write`" if is_locked else "no effects are declared"


def _idempotent(definition: NodeDef) -> Fix:
    test = {"op": "test", "path": definition.at.below("name").pointer, "value": definition.name}
    add = {"op": "add", "path": definition.at.below("effects").pointer, "value": "idempotent"}
    return patch(f"Declare `{definition.name}` as idempotent", definition.at, [test, add], UNSAFE)
