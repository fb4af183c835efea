"""Loop bodies and fork branches that are entered or left in a way that has no meaning."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bench.mutations.documents import Edge, Json, Step, edges, put, steps
from bench.mutations.kind import Mutant, kind, mutant


def _returns(document: Json) -> list[tuple[Step, Edge]]:
    """Loops, each with the edges that lead from its body back to it."""
    found = []
    for loop in steps(document, "foreach"):
        inside = _reached(loop, "item", loop.id)
        for edge in edges(document):
            if edge.top == loop.top and edge.body["to"] == loop.id and edge.body["from"] in inside:
                found.append((loop, edge))
    return found


def _reached(step: Step, outcome: str, until: str) -> set[str]:
    wired = step.workflow.get("edges", [])
    waiting = [edge["to"] for edge in wired if edge["from"] == step.id and edge["outcome"] == outcome]
    found: set[str] = set()
    while waiting:
        one = waiting.pop()
        if one not in found and one != until:
            found.add(one)
            waiting += [edge["to"] for edge in wired if edge["from"] == one]
    return found


def _target(step: Step, outcome: str) -> str | None:
    wired = step.workflow.get("edges", [])
    return next((edge["to"] for edge in wired if edge["from"] == step.id and edge["outcome"] == outcome), None)


@kind
def body_goes_on(document: Json) -> Iterator[Mutant]:
    """The last step of a body leads to the step behind the loop."""
    for loop, edge in _returns(document):
        after = _target(loop, "done")
        if after is not None and after != "__end__":
            yield mutant(put(document, f"{edge.at}/to", after), edge.at)


@kind
def body_ends_workflow(document: Json) -> Iterator[Mutant]:
    for _, edge in _returns(document):
        yield mutant(put(document, f"{edge.at}/to", "__end__"), edge.at)


@kind
def body_goes_round(document: Json) -> Iterator[Mutant]:
    """The last step of a body leads to its first, as if that were the next item."""
    for loop, edge in _returns(document):
        first = _target(loop, "item")
        only = sum(other.at == loop.at for other, _ in _returns(document)) == 1
        if first is not None and only and first != loop.id:
            inside = _reached(loop, "item", loop.id)
            at = [step.at for step in steps(document) if step.top == loop.top and step.id in inside]
            yield mutant(put(document, f"{edge.at}/to", first), edge.at, loop.at, *at)


@kind
def jump_into_body(document: Json) -> Iterator[Mutant]:
    """The edge to a loop leads to the first step of its body."""
    for loop in steps(document, "foreach"):
        first = _target(loop, "item")
        inside = _reached(loop, "item", loop.id)
        for edge in edges(document):
            outside = edge.body["from"] not in inside and edge.body["from"] != loop.id
            if edge.top == loop.top and edge.body["to"] == loop.id and outside and first not in (None, loop.id):
                yield mutant(put(document, f"{edge.at}/to", first), edge.at)


@kind
def join_missed(document: Json) -> Iterator[Mutant]:
    """A branch leads past its join to the step behind it."""
    for join in steps(document, "join"):
        after = _target(join, "ok")
        closing = [edge for edge in edges(document) if edge.top == join.top and edge.body["to"] == join.id]
        forks = [step.at for step in steps(document, "fork") if step.top == join.top]
        for edge in closing if len(closing) > 1 else ():
            if after is not None:
                yield mutant(put(document, f"{edge.at}/to", after), edge.at, *forks)


@kind
def branch_into_sibling(document: Json) -> Iterator[Mutant]:
    """A branch leads to the first step of another one instead of the join."""
    for fork in steps(document, "fork"):
        names = [one["outcome"] if isinstance(one, dict) else one for one in fork.body["branches"]]
        join = _join(document, fork, names)
        for name, other in pairwise(names):
            target, inside = _target(fork, other), _reached(fork, name, join)
            for edge in edges(document):
                leaves = edge.top == fork.top and edge.body["to"] == join and edge.body["from"] in inside
                if leaves and target not in (None, join):
                    shared = [s.at for s in steps(document) if s.top == fork.top and s.id == target]
                    yield mutant(put(document, f"{edge.at}/to", target), edge.at, *shared)


def _join(document: Json, fork: Step, names: list[str]) -> str:
    joins = [step.id for step in steps(document, "join") if step.top == fork.top]
    reached = [_reached(fork, name, "") for name in names]
    return next((one for one in joins if all(one in inside for inside in reached)), "")
