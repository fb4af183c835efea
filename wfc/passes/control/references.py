"""Every name of a step leads to a step: `start`, and both ends of every edge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Fix, Related, Severity
from wfc.ir import END, Edge
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.graph.flow import Flow, Island
from wfc.passes.graph.names import Dangling, Reference
from wfc.passes.repairs.patches import SAFE, UNSAFE, redirect, rename_all, rewrite
from wfc.passes.spelling import Speller, is_at_fault, quoted

UNKNOWN_START = Code(
    code="WF100",
    rule="unknown-start",
    severity=Severity.ERROR,
    message="`{field}` names `{got}`, which is no {kind} here; expected {expected}",
    help="name one of the {kind}s, or add a {kind} `{got}`",
    why=(
        "A run begins at the step that `start` names, in the workflow that `main` names. When there is none, nothing "
        "can run, and nothing can be said about which steps are reached. Names are compared exactly, capitals included."
    ),
    example=example(
        """{"name": "greet",
 "start": "hullo",
          ^^^^^^^
 "nodes": [{"id": "hello", "type": "wait", "seconds": 1}],
 "edges": [{"from": "hello", "outcome": "ok", "to": "__end__"}]}
""",
        ('"hullo"', '"hello"'),
    ),
)
UNKNOWN_TARGET = Code(
    code="WF101",
    rule="unknown-target",
    severity=Severity.ERROR,
    message="{edge} leads to `{got}`, which is no step here; expected {expected}",
    help="lead the edge to one of the steps, or to `__end__`",
    why=(
        "An edge says where control goes when a step has returned an outcome. If its target is missing, a run that "
        "takes it has nowhere to go on. Most often the name is misspelt, or the step was renamed and this edge was "
        "left behind."
    ),
    example=example(
        """{"name": "greet", "start": "hello",
 "nodes": [{"id": "hello", "type": "wait", "seconds": 1}, {"id": "bye", "type": "wait", "seconds": 1}],
 "edges": [{"from": "hello", "outcome": "ok", "to": "bey"},
                                                    ^^^^^
           {"from": "bye", "outcome": "ok", "to": "__end__"}]}
""",
        ('"bey"', '"bye"'),
    ),
)
UNKNOWN_SOURCE = Code(
    code="WF102",
    rule="unknown-source",
    severity=Severity.ERROR,
    message="{edge} leaves from `{got}`, which is no step here; expected {expected}",
    help="let the edge leave from one of the steps, or remove it",
    why=(
        "An edge belongs to the step it leaves from. One from a step that is not there can never be taken, and the "
        "step that was meant lacks it: its outcome leads nowhere, and what stands behind it may never run."
    ),
    example=example(
        """{"name": "greet", "start": "hello",
 "nodes": [{"id": "hello", "type": "wait", "seconds": 1}],
 "edges": [{"from": "helo", "outcome": "ok", "to": "__end__"}]}
                    ^^^^^^
""",
        ('"helo"', '"hello"'),
    ),
)
_SHOWN = 5
_BY_ROLE = {"start": UNKNOWN_START, "to": UNKNOWN_TARGET, "from": UNKNOWN_SOURCE}
CODES = (UNKNOWN_START, UNKNOWN_TARGET, UNKNOWN_SOURCE)


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report each unknown name once, at the first place that uses it."""
    yield from _unknown_main(facts)
    for flow in facts.flows:
        twins = [twin for twin, _ in flow.twins]
        lost = flow.wiring.dangling
        names = [*flow.steps] if lost else []
        spellers = {role: Speller([*names, *([END] if role == "to" else [])]) for role in _BY_ROLE}
        for dangling in lost:
            if not is_at_fault(dangling.meant) and not any(twin is dangling.misnamed for twin in twins):
                yield _report(facts, flow, dangling, spellers)


def _unknown_main(facts: Facts) -> Iterator[Diagnostic]:
    got = facts.module.unknown_main
    if got is None:
        return
    here = [flow.workflow for flow in facts.flows if flow.workflow.at.file == facts.module.at.file]
    place = facts.module.at.below("main")
    speller = Speller(workflow.name for workflow in here)
    guess, names = speller.meant(got), speller.alike(got)
    if is_at_fault(guess):
        return
    yield UNKNOWN_START.at(
        place,
        fixes=(rewrite(f"Name `{guess}`", place, got, guess),) if guess else (),
        field="main",
        kind="workflow",
        got=got,
        expected=_expected("workflow", names),
        allowed=names,
    )


def _report(facts: Facts, flow: Flow, dangling: Dangling, spellers: dict[str, Speller]) -> Diagnostic:
    first, *others = sorted(dangling.references, key=_rank)
    code = _BY_ROLE[first.role]
    names = spellers[first.role].alike(dangling.name)
    edge = first.edge
    island = facts.causes(flow).island(dangling)
    related = [Related("read", other.at, "and here") for other in others[:_SHOWN]]
    if dangling.misnamed is not None:
        related.insert(0, Related("declared", dangling.misnamed.at.below("id"), "nothing leads here"))
    said: dict[str, Any] = {"got": dangling.name, "expected": _expected("step", names), "allowed": names}
    said |= {"edge": _in_words(first.role, edge)} if edge else {"field": "start", "kind": "step"}
    return code.at(
        first.at,
        related=tuple(related),
        fixes=tuple(_fixes(flow, dangling, island)),
        hides=len(others) + (len(island.steps) if island else 0) + _unused(flow, dangling),
        **said,
    )


def _in_words(role: str, edge: Edge) -> str:
    """An edge; its other end and its outcome may be unknown themselves."""
    if role == "from":
        return f"an edge by `{edge.outcome}`" if edge.outcome else "an edge"
    if edge.outcome and edge.source:
        return f"outcome `{edge.outcome}` of `{edge.source}`"
    return f"an edge of `{edge.source}`" if edge.source else "an edge"


def _unused(flow: Flow, dangling: Dangling) -> int:
    """A definition that nothing uses may have been for the step that is missing."""
    waiting = len(flow.calls.unused) - len(flow.calls.unknown)
    return int(any(lost is dangling for lost in flow.lost_names[: max(waiting, 0)]))


def _rank(reference: Reference) -> tuple[str, ...]:
    """`start` first, then edges by what they say, so that the order of edges decides nothing."""
    edge = reference.edge
    if edge is None:
        return ("",)
    return (edge.source or "", edge.outcome or "", reference.role, edge.target or "")


def _expected(kind: str, names: list[str]) -> str:
    return f"a {kind} such as {quoted(names[:1])}" if names else f"the name of a {kind} that is there"


def _fixes(flow: Flow, dangling: Dangling, island: Island | None) -> Iterator[Fix]:
    """Where nothing is spelt like the name, it may stand for the steps that nothing leads to, or for a way out."""
    if dangling.misnamed is not None:
        place = dangling.misnamed.at.below("id")
        yield rewrite(f"Name the step `{dangling.name}`", place, dangling.misnamed.id, dangling.name)
    elif dangling.meant is not None:
        places = [reference.at for reference in dangling.references]
        yield rename_all(f"Write `{dangling.meant}`", places, dangling.name, dangling.meant)
    elif island is not None:
        places = [reference.at for reference in dangling.references]
        entry, sure = island.steps[0].id, island.heads == 1 and len(flow.islands) == 1
        yield rename_all(f"Lead it to `{entry}`", places, dangling.name, entry, SAFE if sure else UNSAFE)
    else:
        for reference in dangling.references:
            edge = reference.edge
            if reference.role == "to" and edge is not None and edge.source in flow.steps:
                target = flow.way_out(str(edge.source), str(edge.outcome))
                yield redirect(f"Lead it to `{target}`", edge, target, UNSAFE)
                return
